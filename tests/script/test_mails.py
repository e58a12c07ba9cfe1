"""Every mail of mails.txt is read as it says there, and each of its lines is accounted for once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from judge.mail.script import Script, ScriptContext
from tests.script.conftest import ReadMail


@dataclass
class Case:
    """One mail of the file."""

    title: str
    known: dict[str, list[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def read_cases(text: str) -> Iterator[Case]:
    case: Case | None = None
    for line in text.splitlines():
        if line.startswith("## "):
            if case:
                yield case
            case = Case(line[3:])
        elif case and line.startswith("|"):
            case.lines.append(line[2:])
        elif case and line.startswith("=> "):
            case.expected.append(line[3:])
        elif case and line.strip():
            key, _, value = line.partition(": ")
            case.known.setdefault(key, []).append(value)
    if case:
        yield case


_CASES = list(read_cases(Path(__file__).with_name("mails.txt").read_text(encoding="utf-8")))


def _read(case: Case, mail: ReadMail, request: pytest.FixtureRequest) -> Script:
    known = case.known
    context: ScriptContext = request.getfixturevalue(known.get("to", ["player"])[0])
    return mail(
        "\n".join(case.lines),
        to=context,
        subject=known.get("subject", [""])[0],
        form=tuple(known.get("form", [])),
        choices=tuple(known.get("choice", [])),
        turn=known.get("turn", [""])[0],
    )


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.title)
def test_a_mail_is_read_as_the_file_says(
    case: Case, mail: ReadMail, shown: Callable[[Script], list[str]], request: pytest.FixtureRequest
) -> None:
    assert shown(_read(case, mail, request)) == case.expected


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.title)
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["unix", "dos"])
def test_each_line_is_accounted_for_once(case: Case, ending: str, mail: ReadMail) -> None:
    script = mail(ending.join(case.lines), subject=case.known.get("subject", [""])[0])
    numbers = [number for said in script.said for number in said.lines]
    numbers += [number for unread in script.unread for number in unread.lines]
    numbers += [ignored.line for ignored in script.ignored]
    assert sorted(numbers) == list(range(len(case.lines) + 1))
