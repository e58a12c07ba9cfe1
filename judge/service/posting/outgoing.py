"""Letters into the outbox: which follow from what happened, to which address, from which moment on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import LadderStep
from judge.game.core.model import Game
from judge.game.filing.advance import OrdersKept
from judge.game.filing.kept import AlwaysChanged, PlanMade
from judge.game.table.proxies import filed_by_proxy
from judge.game.table.substitutes import SubstituteSought
from judge.game.talk.epilogue import PageDropped, PageWritten
from judge.game.talk.press import LEAST
from judge.languages import speak
from judge.mail.letters import message_ids
from judge.mail.tokens import Purpose, mint
from judge.report.core.frame import Cast
from judge.report.core.letter import Letter, frozen
from judge.report.mailing import letters_for
from judge.report.table.arrivals import TALKED, recent_results
from judge.report.table.calls import OF_MAIL
from judge.service.core.directory import Members, address_of, topic_of
from judge.service.core.house import House
from judge.service.core.keeper import GameChange, thaw_all
from judge.service.posting.wishes import unwanted
from judge.store import Transaction, View
from judge.store.rows import LetterRow as Stored
from judge.store.rows import NewLetter, SeatRow

CONFIRM = "confirm:"
"""Prefix of a letter's `reply_as` that names a held mail's confirmation instead of a seat."""

_SILENT = (
    ev.OrdersFiled,
    ev.WaitChanged,
    ev.PreferencesChanged,
    OrdersKept,
    AlwaysChanged,
    PlanMade,
    PageWritten,
    PageDropped,
)
"""Events that nobody is written to about: the receipt says it all. They are by far the most."""


def _is_silent(game: Game, event: ev.Event) -> bool:
    """Orders that somebody else files are told to the player whose they are."""
    if isinstance(event, ev.OrdersFiled) and filed_by_proxy(game, event):
        return False
    return isinstance(event, _SILENT) and event.by not in (GM_SEAT, "judge")


OPENINGS = "openings"
"""The topic of those who wish to hear of every free seat."""
QUEUE = "queue:"
"""What begins the topic of those who wait for a game of a kind; its preset follows."""


def cast_of(
    house: House,
    view: View | Transaction,
    game: Game,
    members: Members | None = None,
    *,
    vacancies: bool = False,
) -> Cast:
    """Everybody whom letters of a game may name or reach; observers are its subscribers.

    `vacancies`: whether somebody may have to be looked for, so that standbys are wanted too.
    """
    observers = tuple(row.person_id for row in view.lists.subscribers(topic_of(game.key)))
    standbys = tuple(row.person_id for row in view.lists.standbys(game.key)) if vacancies else ()
    openings = tuple(row.person_id for row in view.lists.subscribers(OPENINGS)) if vacancies else ()
    known = Members(view) if members is None else members
    seated = {seat.person for seat in game.seats.values() if seat.person is not None}
    known.gather({*seated, *observers, *([game.gm] if game.gm else [])})
    return Cast(known, house.office, observers, standbys=standbys, openings=openings)


def post_letters(
    house: House,
    unit: Transaction,
    change: GameChange,
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    writer: int = 0,
) -> tuple[Letter, ...]:
    """Put every letter that the events call for into the outbox; those that answer the sender come back unposted.

    `writer`: the person whose mail it was, who gets a receipt.
    """
    if all(_is_silent(change.after, event) for event in change.events):
        return ()
    wanted = any(isinstance(event, (ev.SeatVacated, LadderStep, SubstituteSought)) for event in change.events)
    members = Members(unit) if members is None else members
    cast = replace(cast_of(house, unit, change.after, members, vacancies=wanted), writer=writer)
    letters = _in_their_languages(house, change, cast, members, _since_report(unit, change))
    answers, others = [], []
    for letter in letters:
        letter = _confirming(unit, letter)
        if letter.answers and mail_id is not None:
            answers.append(letter)
        elif not unwanted(unit, letter):
            others.append(letter)
    put_all(house, unit, others, now, mail_id=mail_id, noted=noted, members=members)
    return tuple(answers)


def _in_their_languages(
    house: House, change: GameChange, cast: Cast, members: Members, since: Sequence[ev.Event]
) -> tuple[Letter, ...]:
    """The letters that the events call for, each made in the language of its reader: once for each language that
    anybody reads. That they are the same letters, in the same order, is what makes one of each.
    """

    def made(code: str) -> tuple[Letter, ...]:
        with speak(house.language(code)):
            return tuple(letters_for(change.before, change.events, change.after, cast, since))

    usual = made("")
    codes = [members[letter.person].language if letter.person else "" for letter in usual]
    others = {code: made(code) for code in set(codes) if house.language(code) is not house.language()}
    if not others:
        return usual
    return tuple(others.get(code, usual)[at] for at, code in enumerate(codes))


def _confirming(unit: Transaction, letter: Letter) -> Letter:
    """A letter that asks for a word on a held mail, with the confirmation to which answers go."""
    if not letter.reply_as.startswith(OF_MAIL):
        return letter
    key = unit.inbox.get(int(letter.reply_as.removeprefix(OF_MAIL))).confirm_key
    return replace(letter, reply_as=f"{CONFIRM}{key}" if key else letter.seat)


def put(
    house: House,
    unit: Transaction,
    letter: Letter,
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    also: str = "",
) -> bool:
    """One letter into the outbox; False if its reader has no address any more. `noted` gets a line about it.

    `also`: a second address that gets a copy.
    """
    return put_all(house, unit, (letter,), now, mail_id=mail_id, noted=noted, members=members, also=also) == 1


def put_all(
    house: House,
    unit: Transaction,
    letters: Sequence[Letter],
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    also: str = "",
) -> int:
    """Letters into the outbox, in their order; returns how many have a reader with an address. As `put` for each."""
    members = Members(unit) if members is None else members
    addressed = [(letter, letter.address or members[letter.person].address) for letter in letters]
    going = [(letter, address) for letter, address in addressed if address]
    if not going:
        return 0
    if noted is not None:
        noted += [{"to": address, "subject": "", "kind": str(letter.kind)} for letter, address in going]
    views = frozen([letter for letter, _ in going])
    names = message_ids([letter.idem_key for letter, _ in going], house.store.letter_key, house.config.domain)
    unit.letters.add_all(
        [
            NewLetter(
                idem_key=letter.idem_key,
                message_id=name,
                kind=str(letter.kind),
                view=view,
                recipients=(address, also) if also and also != address else (address,),
                created_at=now,
                game=letter.game or None,
                seat=letter.seat or None,
                person_id=letter.person or None,
                mail_id=mail_id,
                not_before=_not_before(house, letter, now),
            )
            for (letter, address), view, name in zip(going, views, names, strict=True)
        ]
    )
    return len(going)


def post_again(house: House, unit: Transaction, letter: Stored, now: datetime, *, mail_id: int) -> None:
    """Send a stored letter's view once more, as a letter of its own, to the person's present address of record."""
    key = f"{letter.idem_key}/again/{mail_id}"
    unit.letters.add(
        NewLetter(
            idem_key=key,
            message_id=message_ids((key,), house.store.letter_key, house.config.domain)[0],
            kind=letter.kind,
            view=letter.view,
            recipients=(address_of(unit, letter.person_id or 0),),
            created_at=now,
            game=letter.game,
            seat=letter.seat,
            person_id=letter.person_id,
            mail_id=mail_id,
        )
    )


def _not_before(house: House, letter: Letter, now: datetime) -> datetime | None:
    """When a letter may leave: some can be recalled for a while, some must not betray their author by their moment."""
    wait = letter.wait + (_veil(house, letter.veil) if letter.veil else timedelta())
    return now + wait if wait else None


def _veil(house: House, most: timedelta) -> timedelta:
    share = int.from_bytes(house.entropy(4), "big") / 2**32
    return LEAST + (most - LEAST) * share


def _since_report(unit: Transaction, change: GameChange) -> Sequence[ev.Event]:
    """Events since the last report, whose broadcast press the next one repeats; since those of the last turns, where
    somebody takes a power over. Asked only when either letter is due.
    """
    if change.before is None:
        return ()
    key, upto = change.before.key, change.before.seq
    if any(isinstance(event, ev.PhaseAdjudicated) for event in change.events):
        reports = 0
    elif any(isinstance(event, ev.SeatFilled) for event in change.events):
        reports = len(recent_results(change.before, TALKED))
    else:
        return ()
    reported = upto + 1
    for _ in range(1 + reports):  # behind the report before the first of them
        reported = unit.events.last_of(key, ev.PhaseAdjudicated.__name__, upto_seq=reported - 1) if reported else 0
    return tuple(thaw_all(unit.events.load(key, after_seq=reported, upto_seq=upto)))


SeatOf = Callable[[str, str], SeatRow | None]
"""Who sits in a game's seat: `view.games.seat`, or what was read of it for many letters at once."""


def reply_address(
    house: House, seat_of: SeatOf, reply_as: str, game: str, created_at: datetime, *, letter: int = 0
) -> str:
    """The address that a letter asks its reader to answer to: their seat's token, a confirmation's, the letter's own
    (`letter` is its number, 0 where its reader is nobody whom we know), or the judge's own.

    A letter written for a former tenure never carries the token of the present one.
    """
    local, domain = house.config.local_part, house.config.domain
    if reply_as.startswith(CONFIRM):
        return f"{local}+{mint(Purpose.CONFIRM, reply_as.removeprefix(CONFIRM), house.store.secret)}@{domain}"
    seat = seat_of(game, reply_as) if reply_as and game else None
    if seat is None or seat.person_id is None or seat.since > created_at:
        if letter:
            return f"{local}+{mint(Purpose.LETTER, f'{letter:016x}', house.store.secret)}@{domain}"
        return house.office.game_address(game)
    return f"{local}+{mint(Purpose.SEAT, seat.nonce, house.store.secret)}@{domain}"
