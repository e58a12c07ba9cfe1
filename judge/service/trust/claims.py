"""For which seats a held mail speaks: noted when it is held, asked by the deadline barrier.

A claim is stored as words: "GAME SEAT", and "token" behind them where the mail came to the seat's own live address from
a foreign one. A mail that our own mail server denies claims nothing, and neither does a Gamemaster's.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.game.core.commands import GM_SEAT, HeldMail, Role
from judge.service.trust.authority import ActKind, act_of
from judge.service.trust.heard import HeardMail, comes_in_by
from judge.store.rows import Mail

_TOKEN = "token"


def claims_of(heard: HeardMail) -> tuple[str, ...]:
    """The claims of a mail that is about to be held."""
    if heard.envelope.auth == "fail" or not speaks_of_play(heard):
        return ()
    return tuple(dict.fromkeys((*_by_token(heard), *_by_name(heard))))


def speaks_of_play(heard: HeardMail) -> bool:
    """Whether a turn may depend on a mail: not where all that it asks for concerns an account, or is a question."""
    asked = [said.request for said in heard.script.said]
    acts = {act_of(request, Role.PLAYER) for request in asked if not comes_in_by(request)}
    beside = {ActKind.ACCOUNT, ActKind.DATA, ActKind.QUESTION, ActKind.LEAD, ActKind.CLOSE}
    return not asked or bool(heard.script.unread) or bool(acts - beside)


def _by_token(heard: HeardMail) -> Iterator[str]:
    seat = heard.speaker.seat
    if seat is not None and heard.speaker.foreign and seat.seat != GM_SEAT:
        yield f"{seat.game} {seat.seat} {_TOKEN}"


def _by_name(heard: HeardMail) -> Iterator[str]:
    """The seats, in the games that it speaks of, of the person from whose address it says that it comes."""
    person = heard.speaker.person
    if person is None or heard.speaker.seat is not None:
        return
    for said in heard.script.said:
        game = heard.game(said.game)
        if game is None or comes_in_by(said.request) or act_of(said.request, Role.PLAYER) is not ActKind.PLAY:
            continue
        if (seat := game.seat_held_by(person.id)) is not None:
            yield f"{game.key} {seat.id}"


def claim_on(mail: Mail, game: str) -> HeldMail | None:
    """What a held mail claims in one game."""
    for words in (claim.split(" ") for claim in mail.claims):
        if words[0] == game:
            return HeldMail(mail.id, words[1], mail.arrived_at, token=_TOKEN in words[2:])
    return None
