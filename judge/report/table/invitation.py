"""Letters to people who are not in a game and might like to be: invitations, and the news that a table gathers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.game.core.model import Game, Stage
from judge.game.table.vacancies import vacant_seats
from judge.report.core import times
from judge.report.core.cast import Cast, Member
from judge.report.core.facts import Said, say
from judge.report.core.frame import labelled, office_frame
from judge.report.core.houserules import deadline_rule
from judge.report.core.letter import Kind, Letter, Thread, plain


@dataclass(frozen=True, slots=True)
class InvitationView:
    """What the game is like. `personal`: an invitation, by word of `gm`, whose
    own words are `words`; else news of a game, to who wished for that. `vacant`: the powers that look for a player, of
    a game that runs; `players`, `wanted`: how full the table is; `until`: a written time, "" for none; `access`: what
    is asked of who joins by themselves; `again`: whether the reader was written to before."""

    game: str
    personal: bool
    gm: str
    variant: str
    pace: Said
    press: str
    players: int
    wanted: int
    vacant: str = ""
    phase: str = ""
    about: str = ""
    words: str = ""
    until: str = ""
    access: str = "open"
    anonymous: bool = False
    again: bool = False
    ends: Said | None = None
    """With which phase the game ends at the latest, and who wins then."""


def invitation(
    game: Game, cast: Cast, reader: Member, *, address: str, key: str, reply_as: str, until: datetime, words: str = "",
    again: bool = False,
) -> Letter:  # fmt: skip
    """To an address, with the token of its ticket in Reply-To; `reader` is nobody where we know no person."""
    shown = times.short(until, reader.zone or game.settings.zone)
    view = _view(game, cast, personal=True, words=words, until=shown, again=again)
    return _letter(game, cast, reader, view, key, address=address, reply_as=reply_as)


def advertisement(game: Game, cast: Cast, reader: Member, *, key: str) -> Letter:
    """To somebody who wishes to hear of games."""
    return _letter(game, cast, reader, _view(game, cast, personal=False), key)


def _view(
    game: Game, cast: Cast, *, personal: bool, words: str = "", until: str = "", again: bool = False
) -> InvitationView:
    settings = game.settings
    running = game.stage is Stage.RUNNING
    return InvitationView(
        game=game.key,
        personal=personal,
        gm=cast.member(game.gm).name,
        variant=labelled(game),
        pace=deadline_rule(settings),
        press=" + ".join(settings.press) or "no",
        players=sum(seat.filled for seat in game.seats.values()),
        wanted=settings.players,
        vacant=game.named(power for seat in vacant_seats(game) for power in seat.powers) if running else "",
        phase=game.phase_title if running else "",
        about=settings.about,
        words=words,
        until=until,
        access=settings.access,
        anonymous=settings.anonymous,
        again=again,
        ends=say("invitation-ends", after=game.end_after, winner=settings.short_winner) if game.end_after else None,
    )


def _letter(
    game: Game, cast: Cast, reader: Member, view: InvitationView, key: str, *, address: str = "", reply_as: str = ""
) -> Letter:
    return Letter(
        kind=Kind.INVITATION,
        idem_key=key,
        view={"frame": plain(office_frame(reader, cast.office)), **plain(view)},
        game=game.key,
        person=reader.person,
        address=address,
        reply_as=reply_as,
        thread=Thread.ALONE,
    )
