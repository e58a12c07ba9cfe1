"""Every line of commands.txt is read as it says there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.mail.script import Script, ScriptContext
from tests.script.conftest import ReadMail


def _cases() -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in Path(__file__).with_name("commands.txt").read_text(encoding="utf-8").splitlines():
        if line in ("[player]", "[gm]", "[stranger]"):
            section = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            text, _, expected = line.rpartition(" -> ")
            yield section, text.rstrip(), expected


@pytest.mark.parametrize(("writer", "text", "expected"), list(_cases()))
def test_a_line_is_read_as_the_table_says(
    writer: str,
    text: str,
    expected: str,
    mail: ReadMail,
    shown: Callable[[Script], list[str]],
    request: pytest.FixtureRequest,
) -> None:
    context: ScriptContext = request.getfixturevalue(writer)
    assert ", ".join(shown(mail(text, to=context))) == expected
