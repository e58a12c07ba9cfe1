"""The verb of appeals: a player doubts results, the Gamemaster answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.game.repair.appeals import DecideAppeal, MakeAppeal, WithdrawAppeal
from judge.mail.queries import Query
from judge.mail.vocabulary.clauses import alone, missing, plain
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb


@dataclass(frozen=True, slots=True)
class ListAppeals(Query, once=True):
    """The appeals of a game that wait for an answer."""


_NUMBERED = re.compile(r"#?(\d{1,4})\b[\s:,]*(.*)", re.DOTALL)
_WORD = re.compile(r"([a-z]+)\b[\s:,-]*(?:because\b|since\b|as\b|reason\b)?[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_ANSWERS = {
    **dict.fromkeys(("stands", "stand", "dismissed", "denied", "refused", "rejected"), True),
    **dict.fromkeys(("amended", "amend", "granted", "upheld", "allowed", "sustained"), False),
}
_BACK = frozenset({"withdrawn", "withdraw", "back", "drop", "dropped"})
_BECAUSE = re.compile(r"\s+(?:because|reason|for)\b[\s:]*", re.IGNORECASE)
_PHASE = re.compile(r"([^\s:]+(?:\s+\d{4})?(?:\s+(?:moves|retreats|adjustments|builds))?)\s*[:,]?\s+(.+)", re.DOTALL)


def _appeal(clause: Clause) -> Reading:
    """`appeal F1901M A Bur - Bel because ...`; `appeal 1 stands because ...`; `appeal 1 withdrawn`."""
    rest, body = clause.rest.strip(), " ".join(clause.body.split())
    if numbered := _NUMBERED.fullmatch(rest):
        return _answer(int(numbered[1]), f"{numbered[2]} {body}")
    line, _, words = _cut(rest)
    words = f"{words} {body}".strip()
    phase = ""
    if (named := _PHASE.fullmatch(line)) and (code := clause.around.phase_in(plain(named[1]))):
        phase, line = code, named[2]
    if not plain(line):
        return missing("The line of the results that you doubt", "appeal A Burgundy - Belgium because of F Holland")
    return MakeAppeal(plain(line).strip("()"), phase, words)


def _decided(clause: Clause) -> Reading:
    """`reject appeal 1 because ...`, `grant appeal 1 ...`: an answer with its verb ahead."""
    answer = _AHEAD[clause.word.split()[0].lower()]
    numbered = _NUMBERED.fullmatch(clause.rest.strip())
    if numbered is None:
        return missing("The number of the appeal", f"appeal 1 {answer} because I was asked twice")
    body = " ".join(clause.body.split())
    return _answer(int(numbered[1]), f"{answer} {numbered[2]} {body}".strip())


_AHEAD = {
    **dict.fromkeys(("reject", "dismiss", "deny", "refuse"), "stands"),
    **dict.fromkeys(("grant", "allow", "uphold"), "amended"),
    **dict.fromkeys(("withdraw", "drop"), "withdrawn"),
}


def _cut(rest: str) -> tuple[str, str, str]:
    match = _BECAUSE.search(rest)
    return (rest[: match.start()], match[0], rest[match.end() :].strip()) if match else (rest, "", "")


def _answer(number: int, text: str) -> Reading:
    match = _WORD.fullmatch(text.strip())
    word = match[1].lower() if match else ""
    if word in _BACK:
        return WithdrawAppeal(number)
    if match is None or word not in _ANSWERS:
        return Unclear(
            "no-answer",
            f"Say how appeal {number} is answered, and why: `appeal {number} stands because` or "
            f"`appeal {number} amended because`, with your reason behind it; whoever made it may "
            f"write `appeal {number} withdrawn`.",
        )
    return DecideAppeal(number, _ANSWERS[word], match[2].strip())


VERBS: tuple[Verb, ...] = (
    Verb(
        "appeal",
        words=("appeal", "i appeal"),
        summary="You doubt what became of an order: the Gamemaster looks into it, and everybody reads what they find.",
        usage=("appeal LINE because REASON", "appeal PHASE LINE because REASON", "appeal NUMBER stands because REASON"),
        example="appeal A Burgundy - Belgium because I had two against one",
        read=_appeal,
        body=BodyRule.PARAGRAPH,
        roles=ANYONE,
        topic="appeals",
    ),
    Verb(
        "appeals",
        words=("appeals", "open appeals", "list appeals", "show appeals"),
        summary="The appeals that wait for an answer.",
        usage=("appeals",),
        example="appeals",
        read=alone(ListAppeals(), "appeals"),
        roles=ANYONE,
        topic="appeals",
    ),
    Verb(
        "answer appeal",
        words=tuple(f"{word} appeal" for word in _AHEAD),
        summary="The Gamemaster answers an appeal, or its author takes it back.",
        usage=("reject appeal NUMBER because REASON", "grant appeal NUMBER because REASON"),
        example="reject appeal 1 because the support was cut",
        read=_decided,
        roles=ANYONE,
        topic="appeals",
    ),
)
"""The rows, in the order in which help prints them."""
