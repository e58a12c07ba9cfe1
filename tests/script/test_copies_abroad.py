"""Letters in another language are known as ours, too, when they are repeated below or above an answer."""

from __future__ import annotations

from functools import cache

import pytest

from judge import resources
from judge.catalogues import language_of, shipped
from judge.languages import speak
from judge.mail.letters import Printer
from tests.letters.test_manners import TEMPLATES
from tests.script.conftest import ReadMail
from tests.script.test_copies import orders
from tests.script.test_copies_of_manners import LETTERS
from tests.support.gallery import gallery

ABROAD = shipped()[1:]


@cache
def texts(code: str) -> dict[str, str]:
    """Every kind of letter in a language, without the line above which players write."""
    language = language_of(code)
    press = Printer(TEMPLATES, language=language)
    with speak(language):
        printed = {
            name: press.print(letter.kind, letter.view).text
            for name, letter in gallery(resources.folder("maps")).items()
        }
    return {name: "\n".join(line for line in text.split("\n") if "=-=-" not in line) for name, text in printed.items()}


@pytest.mark.parametrize("code", ABROAD)
@pytest.mark.parametrize("layout", ["A Par - Pic\n\n{}", "{}\n\nA Par - Pic\n"], ids=["above", "below"])
@pytest.mark.parametrize("name", LETTERS)
def test_one_without_its_first_line_asks_for_nothing(name: str, layout: str, code: str, mail: ReadMail) -> None:
    script = mail(layout.replace("{}", texts(code)[name]))
    assert orders(script) == ["A Par - Pic"]
    assert len(script.said) == 1 and not script.unread


@pytest.mark.parametrize("code", ABROAD)
@pytest.mark.parametrize("name", LETTERS)
def test_one_sent_back_quoted_asks_for_nothing(name: str, code: str, mail: ReadMail) -> None:
    quoted = "\n".join(f"> {line}" for line in texts(code)[name].split("\n"))
    assert mail(quoted).empty


@pytest.mark.parametrize("code", ABROAD)
@pytest.mark.parametrize("kept", range(3, 24))
def test_of_a_receipt_that_was_cut_short_no_order_is_taken(kept: int, code: str, mail: ReadMail) -> None:
    torn = "\n".join(texts(code)["receipt-complete"].strip().split("\n")[:kept])
    assert orders(mail(f"A Par - Pic\n\n{torn}")) == ["A Par - Pic"]
    assert orders(mail(f"{torn}\n\nA Par - Pic")) == ["A Par - Pic"]


@pytest.mark.parametrize("code", ABROAD)
def test_the_foot_is_known_in_every_letter(code: str, mail: ReadMail) -> None:
    foot = "\n".join(texts(code)["results-fall-1902"].strip().split("\n")[-3:])
    script = mail(f"A Par - Pic\n\n{foot}\n")
    assert len(script.said) == 1 and not script.unread
