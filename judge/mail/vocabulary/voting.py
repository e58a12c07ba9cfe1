"""Verbs of votes: proposing a draw, and voting by number."""

from __future__ import annotations

import re

from judge.game.talk.ballots import ProposeDraw, Vote
from judge.mail.vocabulary.clauses import NO, YES, no_more, plain
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb
from judge.mail.vocabulary.powers import read_powers

_DRAW_FILLERS = re.compile(r"^(?:(?:vote|proposal|between|among|by|with|of|for)\b|:|=|\s)+", re.IGNORECASE)


def _draw(clause: Clause) -> Reading:
    rest = _DRAW_FILLERS.sub("", plain(clause.rest))
    if no_more(rest) or rest.lower() in ("all", "all survivors", "survivors", "dias", "everybody", "everyone"):
        return ProposeDraw()
    if rest.lower() in YES or rest.lower() in NO:
        return Vote(aye=rest.lower() in YES)
    powers = read_powers(rest, clause.around.board)
    if isinstance(powers, Unclear):
        return Unclear("no-power", f'"{rest[:60]}" names no powers; `draw` alone means all survivors.', ("draw",))
    return ProposeDraw(powers)


_BALLOT = re.compile(
    r"(?:(?:on|vote|no\.?|number|#|in|to|for|the|this|a|draw|concession|proposal|it|please|and|with|many|thanks|thank"
    r"|you|all|everybody|everyone)\b[\s,.!]*|#\s*)*(\d{1,6})?",
    re.IGNORECASE,
)
"""What may stand beside an aye or a nay: fillers, and the number of the vote."""


_CHOICE = re.compile(r"(?:on\s+|no\.?\s*|#\s*)?(\d{1,6})\s*[:,]?\s+(?:for\s+|choice\s+)?(\S.{0,59})", re.IGNORECASE)
"""One of the choices of a poll: "12 Friday"."""


def _ballot(clause: Clause) -> Reading:
    """`vote aye 12`, `vote 12 no`, `vote yes on 12`."""
    text = plain(clause.rest.lower())
    if text in ("draw", "for draw", "for a draw"):
        return ProposeDraw()
    for words, aye in ((YES, True), (NO, False)):
        for word in sorted(words, key=len, reverse=True):
            for pattern in (rf"{word}\b(.*)", rf"(.*?)\b{word}"):
                match = re.fullmatch(pattern, text)
                if match and (number := _BALLOT.fullmatch(plain(match[1]))):
                    return Vote(aye=aye, vote=int(number[1] or 0))
    if choice := _CHOICE.fullmatch(plain(clause.rest)):
        return Vote(aye=True, vote=int(choice[1]), choice=choice[2])
    return Unclear("no-ballot", "A vote says aye or nay, and its number where several are open.", ("aye", "nay"))


def _voice(*, aye: bool, word: str) -> Verb:
    def read(clause: Clause) -> Reading:
        if number := _BALLOT.fullmatch(plain(clause.rest)):
            return Vote(aye=aye, vote=int(number[1] or 0))
        return Unclear("too-much", f"`{word}` takes the number of a vote and nothing else.", (word,))

    names = (
        ("aye", "yea", "i vote aye", "i vote yes", "i vote for", "i am for", "i'm for")
        if aye
        else (
            *("nay", "set no draw", "no draw", "set no concede", "no concede", "i vote nay", "i vote no"),
            *("i vote against", "i am against", "i'm against"),
        )
    )
    summary = "Vote for" if aye else "Vote against"
    return Verb(
        word,
        words=names,
        summary=f"{summary}; the last vote before the close counts.",
        usage=(word, f"{word} NUMBER"),
        example=f"{word} 12",
        read=read,
        topic="votes",
    )


VERBS: tuple[Verb, ...] = (
    Verb(
        "draw",
        words=(
            "draw",
            "propose draw",
            "propose a draw",
            "set draw",
            "call draw",
            "vote draw",
            "vote for a draw",
            "draw vote",
        ),
        summary="Propose a draw of all survivors, or of the powers named.",
        usage=("draw", "draw LIST"),
        some_games=("draw LIST",),
        example="draw",
        read=_draw,
        risky=True,
        topic="votes",
    ),
    Verb(
        "vote",
        words=("vote", "ballot", "my vote"),
        summary="Vote by number.",
        usage=("vote aye NUMBER", "vote nay NUMBER"),
        example="vote aye 12",
        read=_ballot,
        topic="votes",
    ),
    _voice(aye=True, word="aye"),
    _voice(aye=False, word="nay"),
)
"""The rows, in the order in which help prints them."""
