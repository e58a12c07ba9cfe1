"""What the script of a mail becomes that answers an invitation: the word is what it means, every other line stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from judge.game.core.commands import Prefer
from judge.game.core.model import Game, Stage
from judge.game.core.parts import PERHAPS
from judge.game.table.vacancies import Claim, vacant_seats
from judge.mail.queries import Query, Request
from judge.mail.script import ReadRequest
from judge.mail.script.model import Unasked, Unread
from judge.mail.vocabulary.account import Confirm, Deny
from judge.mail.vocabulary.player import JoinGame
from judge.service.trust.reading import line_that_answers
from judge.service.trust.sitting import Sitting

_NOT = re.compile(r"\b(?:not|no|but|except|never|anything|anyone|any|n't)\b|n['’]t\b", re.IGNORECASE)


def sits_down(sitting: Sitting, game: Game) -> None:
    """The script as it comes to a yes: to sit down, and everything else that was written, each on its own line."""
    wish, script = _wish(sitting, game), sitting.script
    first = wish.lines[0]
    said = (wish, *(replace(_own(one), game=one.game or game.key) for one in script.said if _stays(one, wish)))
    unread = [one for one in script.unread if not one.reason.startswith(PERHAPS) and first not in one.lines]
    sitting.script = replace(
        script, said=said, unread=(*unread, *_unsaid_wishes(sitting, game, said)),
        ignored=tuple(one for one in script.ignored if one.line != first),
    )  # fmt: skip


def says_instead(sitting: Sitting, request: Request, verb: str, *, game: str = "") -> None:
    """The line that answers, as what it means; every other one stays as it is, about the game if it names none."""
    number, text = line_that_answers(sitting)
    script, said = sitting.script, ReadRequest(request, (number,), text, verb, game=game)
    others = (one for one in script.said if number not in one.lines and not _repeats(one, request))
    sitting.script = replace(
        script, said=(said, *(replace(one, game=one.game or game) for one in others)),
        unread=tuple(one for one in script.unread if number not in one.lines and not one.reason.startswith(PERHAPS)),
        ignored=tuple(one for one in script.ignored if one.line != number),
    )  # fmt: skip


def says_besides(sitting: Sitting) -> bool:
    """Whether a mail has words of its author's own beside what it asks for by ours."""
    return any(one.why is Unasked.CHATTER for one in sitting.script.ignored) or any(
        one.here and isinstance(one.request, Query) for one in sitting.script.said
    )


def _repeats(one: ReadRequest, request: Request) -> bool:
    """Whether a line says once more what the answer says."""
    return isinstance(one.request, (Confirm, Deny, type(request)))


def _stays(one: ReadRequest, wish: ReadRequest) -> bool:
    """Whether a request is carried out beside the yes: neither the yes itself nor a sentence that was read as a
    question; a wish that has its own line is answered there.
    """
    if isinstance(one.request, (Prefer, JoinGame)) and isinstance(wish.request, JoinGame):
        return one.lines[0] != wish.lines[0] and bool(one.request.preferences)
    if one.here and isinstance(one.request, Query) and one.lines[0] == wish.lines[0]:
        return False
    return not isinstance(one.request, (Confirm, Deny, JoinGame, Prefer, Claim))


def _own(one: ReadRequest) -> ReadRequest:
    """A second line that joins says again which powers its author would like."""
    if not isinstance(one.request, JoinGame):
        return one
    return replace(one, request=Prefer(one.request.preferences), verb="prefer")


def _unsaid_wishes(sitting: Sitting, game: Game, said: tuple[ReadRequest, ...]) -> Iterator[Unread]:
    """Lines in which powers are named in words that we do not follow, where no wish was understood: how it is said."""
    wished = any(isinstance(one.request, (JoinGame, Prefer)) and one.request.preferences for one in said)
    if game.stage is not Stage.OPEN or wished:
        return
    names = [game.board.powers[power].name for power in game.rules.for_players(game.board)]
    for line in sitting.envelope.own_lines:
        found = [(at.start(), name) for name in names if (at := re.search(rf"\b{re.escape(name)}\b", line.text, re.I))]
        if found and not any(line.number in one.lines[1:] or line.number == one.lines[0] for one in said[1:]):
            wishes = f"prefer {', '.join(name for _, name in sorted(found))}"
            offered = () if _NOT.search(line.text) else (wishes,)
            how = "do you mean this?" if offered else f"to say it, write a line such as: {wishes}"
            sentence = f"I do not follow which powers you would like to play; {how}"
            yield Unread((line.number,), line.text.strip(), "wishes", sentence, offered, "prefer")
            return


def _wish(sitting: Sitting, game: Game) -> ReadRequest:
    """The request that a yes comes to, with the powers that it names."""
    wishes = [one for one in sitting.script.said if isinstance(one.request, (JoinGame, Prefer, Claim))]
    number, text = line_that_answers(sitting)
    joins = [one for one in wishes if not isinstance(one.request, Prefer)]
    lines = tuple(dict.fromkeys(line for one in joins for line in one.lines)) or (number,)
    if game.stage is Stage.RUNNING:
        named = [one.request.power for one in wishes if isinstance(one.request, Claim)]
        power = (named or [""])[0] or next((power for seat in vacant_seats(game) for power in seat.powers), "")
        return ReadRequest(Claim(power), lines, text, "claim", game=game.key)
    preferences = [one.request.preferences for one in wishes if isinstance(one.request, (JoinGame, Prefer))]
    asked = [one.request for one in wishes if isinstance(one.request, JoinGame)]
    name, zone = (next((getattr(one, what) for one in asked if getattr(one, what)), "") for what in ("name", "zone"))
    wanted = next((one for one in preferences if one), ())
    return ReadRequest(JoinGame(game.key, wanted, zone=zone, name=name), lines, text, "join", game=game.key)
