"""The verb of appeals: a player doubts results, the Gamemaster answers."""

from __future__ import annotations

import re

from judge.game.repair.appeals import DecideAppeal, MakeAppeal, WithdrawAppeal
from judge.mail.vocabulary.clauses import missing, plain
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb

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
        words=("appeal", "appeals", "i appeal"),
        summary="You doubt what became of an order: the Gamemaster looks into it, and everybody reads what they find.",
        usage=("appeal LINE because REASON", "appeal PHASE LINE because REASON", "appeal NUMBER stands because REASON"),
        example="appeal A Burgundy - Belgium because I had two against one",
        read=_appeal,
        body=BodyRule.PARAGRAPH,
        roles=ANYONE,
        topic="appeals",
    ),
)
"""The rows, in the order in which help prints them."""
