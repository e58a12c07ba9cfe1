"""What is known of the fonts is what the fonts say."""

import json

from judge.draw.letters import FONTS
from judge.draw.making.fonts import widths


def test_the_widths_on_file_are_those_of_the_fonts() -> None:
    assert json.loads((FONTS / "widths.json").read_text(encoding="utf-8")) == widths(FONTS)
