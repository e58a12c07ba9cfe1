"""Letters outside reports and receipts: help for strangers, confirmations, held mails, and what somebody must be told
at once.

They are short, fixed, quote nothing of the mail they answer, and never tell whether an address or a seat exists.

A letter that came back, a mail that could not be read, an address that was changed: to the player, to the
Gamemaster of the game, or to the operator of the judge. Each is written once; its key says what it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.report.core.letter import Kind, Letter, Member, Office, Received, Thread, office_frame, plain
from judge.report.core.naming import Said

NOBODY = Member(0, "")


@dataclass(frozen=True, slots=True)
class StrangerView:
    """What this is, and the few words to begin with. `told`: what is said to the mail before that, in a sentence of
    ours; `answers`: whether that is what was asked; `declines`: whether its author wants nothing, and is shown no words
    to begin with.
    """

    address: str
    told: str = ""
    declines: bool = False
    answers: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmView:
    """Reply to confirm: `what` will be done then ("take a seat in tannenburg"), and is forgotten at `lapses`, a written
    time, without that; the token is in Reply-To."""

    what: str
    lapses: str


class WaitsFor(StrEnum):
    """Why a mail, or a line of one, waits to be confirmed."""

    UNPROVED = "unproved"
    WRONG_PASSWORD = "wrong password"
    GRAVE = "grave"
    ACCOUNT = "account"
    ELSEWHERE = "elsewhere"
    """Its author wrote it, but to somebody else, who passed it on, or to whom it was copied blindly."""
    ASKED = "asked"
    """Nobody doubts who wrote it; the game asks once more."""


@dataclass(frozen=True, slots=True)
class HeldView:
    """To the address of record: a mail that acts for the reader came without proof. `what`: the commands in it, in
    words; `sender`: the address it came from. `questions`: finished sentences about what is asked once more in any
    case; `why`: the reason, `grave`: the words of the mail that it is about; `more`: a yes needs a proof beside
    it; `turn`: whether the turn waits for the word, None if none is due; `lapses`: when the mail is forgotten else;
    `number`: of the mail; `others`: the numbers of mails in the reader's name that wait for a word as well."""

    what: str
    sender: str
    received: str
    lapses: str
    questions: tuple[str, ...] = ()
    why: str = WaitsFor.UNPROVED
    grave: str = ""
    more: bool = False
    game: str = ""
    turn: Said | None = None
    number: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorView:
    """A mail that could not be dealt with: what is wrong and what to do, each a sentence or two."""

    wrong: str
    mend: str
    proof: str
    done: bool = False
    game: str = ""
    """The game that the mail was about, "" where it named none."""


def stranger(
    address: str, received: Received, office: Office, *, day: str, told: str = "", declines: bool = False
) -> Letter:
    """At most one a day and address: the key holds the day (ISO date) and the address."""
    view = StrangerView(office.address, told, declines)
    return _letter(Kind.STRANGER, f"judge/{day}/stranger/{address.lower()}", view, NOBODY, address, received, office)


def told_stranger(address: str, received: Received, office: Office, *, told: str) -> Letter:
    """What everybody may know, in sentences, to somebody who asked for it and is nobody here."""
    view = StrangerView(office.address, told, answers=True)
    key = f"judge/mail/{received.id}/told/{address.lower()}"
    return _letter(Kind.STRANGER, key, view, NOBODY, address, received, office)


def confirm(
    address: str, received: Received, office: Office, *, what: str, reply_as: str, lapses: str, name: str = ""
) -> Letter:
    """Ask an address to confirm by replying; `reply_as` tells the sender which token goes into Reply-To."""
    view = ConfirmView(what, lapses)
    key = f"judge/mail/{received.id}/confirm/{address.lower()}"
    return _letter(Kind.CONFIRM, key, view, Member(0, name), address, received, office, reply_as=reply_as)


def held(
    member: Member,
    received: Received,
    office: Office,
    *,
    what: str,
    sender: str,
    when: str,
    lapses: str,
    reply_as: str,
    game: str = "",
    questions: Sequence[str] = (),
    why: WaitsFor = WaitsFor.UNPROVED,
    grave: str = "",
    more: bool = False,
    turn: Said | None = None,
    others: Sequence[str] = (),
) -> Letter:
    """The letter to the address of record about a mail that waits to be confirmed. `when`: when it arrived, `lapses`:
    when it is forgotten, both as printed.
    """
    view = HeldView(
        what, sender, when, lapses, tuple(questions), why, grave, more, game=game, turn=turn,
        number=received.id, others=tuple(others),
    )  # fmt: skip
    key = f"{game or 'judge'}/mail/{received.id}/held/p{member.person}"
    return _letter(
        Kind.HELD, key, view, member, "", received, office, reply_as=reply_as, game=game, threaded=why is WaitsFor.ASKED
    )


def error(
    received: Received,
    office: Office,
    *,
    wrong: str,
    mend: str,
    member: Member = NOBODY,
    address: str = "",
    done: bool = False,
    game: str = "",
) -> Letter:
    """A mail that cannot be dealt with at all: unknown game, too large, nothing readable in it. `done`: or that was
    carried out, but is not answered line by line."""
    view = ErrorView(wrong, mend, received.id, done, game)
    key = f"judge/mail/{received.id}/error/{address.lower() or f'p{member.person}'}"
    return _letter(Kind.ERROR, key, view, member, address, received, office)


def _letter(
    kind: Kind,
    key: str,
    view: object,
    member: Member,
    address: str,
    received: Received,
    office: Office,
    *,
    reply_as: str = "",
    game: str = "",
    threaded: bool = True,
) -> Letter:
    parent = received.message_id if threaded else ""
    return Letter(
        kind=kind,
        idem_key=key,
        view={"frame": plain(office_frame(member, office)), **plain(view)},
        game=game,
        person=member.person,
        address=address,
        reply_as=reply_as,
        thread=Thread.MAIL if parent else Thread.ALONE,
        parent=parent,
    )


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
