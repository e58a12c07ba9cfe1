"""Alerts: what somebody must be told at once, outside reports and receipts.

A letter that came back, a mail that could not be read, an address that was changed: to the player, to the
Gamemaster of the game, or to the operator of the judge. Each is written once; its key says what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.report.core.frame import Member, Office, office_frame
from judge.report.core.letter import Kind, Letter, Thread, plain


@dataclass(frozen=True, slots=True)
class AlertView:
    """`subject`: the matter in a few words; `items`: a finished sentence or paragraph each; `quoted`: somebody else's
    words, shown as such."""

    subject: str
    items: tuple[str, ...]
    quoted: tuple[str, ...] = ()


def alert(
    member: Member,
    office: Office,
    *,
    key: str,
    subject: str,
    items: Sequence[str],
    quoted: Sequence[str] = (),
    address: str = "",
    game: str = "",
    seat: str = "",
    reply_as: str = "",
) -> Letter:
    """One alert; `key` is its whole identity, `address` replaces the member's address of record."""
    title = f"[{game}] {subject}" if game else subject
    view = AlertView(title, tuple(items), tuple(quoted))
    return Letter(
        kind=Kind.ALERT,
        idem_key=key,
        view={"frame": plain(office_frame(member, office)), **plain(view)},
        game=game,
        seat=seat,
        person=member.person,
        address=address,
        reply_as=reply_as or seat,
        thread=Thread.ALONE,
    )
