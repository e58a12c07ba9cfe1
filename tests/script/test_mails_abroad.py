"""Mails as people write them in five other languages are understood, without a needless question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.mail.script import Script, ScriptContext
from tests.script.conftest import ReadMail
from tests.script.test_mails import Case, read_cases

_CASES = [
    (path.stem, case)
    for path in sorted((Path(__file__).parent / "abroad").glob("*.txt"))
    for case in read_cases(path.read_text(encoding="utf-8"))
]


def _read(case: Case, mail: ReadMail, request: pytest.FixtureRequest) -> Script:
    known = case.known
    context: ScriptContext = request.getfixturevalue(known.get("to", ["player"])[0])
    return mail(
        "\n".join(case.lines),
        to=context,
        subject=known.get("subject", [""])[0],
        turn=known.get("turn", [""])[0],
        votes=tuple(map(int, known.get("votes", []))),
        called=int(known.get("called", ["0"])[0]),
    )


@pytest.mark.parametrize(("tongue", "case"), _CASES, ids=[f"{tongue}: {case.title}" for tongue, case in _CASES])
def test_a_mail_is_understood(
    tongue: str, case: Case, mail: ReadMail, shown: Callable[[Script], list[str]], request: pytest.FixtureRequest
) -> None:
    asked = [line for line in shown(_read(case, mail, request)) if not line.startswith("(")]
    assert asked == case.expected


def test_each_language_has_a_dozen_mails() -> None:
    of_each = [sum(tongue == one for one, _ in _CASES) for tongue in ("de", "es", "fr", "it", "nl")]
    assert min(of_each) >= 12
