"""Letters that come back: which one, from whom, and what is done so that its reader hears of it all the same.

A bounce is known by its envelope address, which names the delivery (VERP), else by the Message-ID that it encloses;
a forged one can do neither. What speaks of the mailbox counts at once, what may pass once a day, what speaks of the
one letter (its size, its content) not at all: the next one may arrive (`mail/noise.py`). An address that bounces too
often is suspended: calls for orders are still tried there, everything else waits for a sign of life.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import partial

from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Running
from judge.game.settings.table import NEVER_WAITS
from judge.languages import tell, together, told_later
from judge.mail.noise import Blame
from judge.report.core.letter import Kind, seat_title
from judge.service.core import directory
from judge.service.core.judge import Judge
from judge.service.posting.operator import is_ours, tell_gm, tell_operator
from judge.service.posting.outgoing import CONFIRM
from judge.store import Transaction
from judge.store.rows import Delivery, LetterRow

log = logging.getLogger("judge.bounce")

HARD_LIMIT = 2
SOFT_LIMIT = 5
"""Bounces since the last sign of life after which an address is suspended."""

CALLS = frozenset((Kind.STARTED, Kind.TAKEOVER, Kind.RESULTS, Kind.LATE, Kind.ENDED))
"""Letters that must reach their reader: another address is tried, and they go even to a suspended one."""

CALLS_FOR_ORDERS = (Kind.STARTED, Kind.RESULTS)
"""Nobody is called late whom the last of these has not reached."""

SUSPENDED = told_later("the address is suspended after bounces")


def came_back(judge: Judge, unit: Transaction, delivery: Delivery, *, fault: Blame, text: str) -> None:
    """A copy came back, or was refused for good. Counts it, looks for another way, tells who must know."""
    letter = unit.letters.get(delivery.letter_id)
    facts = {"delivery": delivery.id, "fault": str(fault), "kind": letter.kind, "game": letter.game}
    log.warning("bounce", extra=facts)
    if is_ours(letter):
        return
    if letter.kind == Kind.INVITATION and fault is not Blame.PASSING:
        uninvited(judge, unit, letter, delivery.address, text)
    if fault is not Blame.LETTER and not _counted(judge, unit, delivery, hard=fault is Blame.MAILBOX):
        return
    if fault is not Blame.PASSING and letter.kind in CALLS:
        found = _try_elsewhere(judge, unit, letter)
        _tell(judge, unit, letter, delivery, text, elsewhere=found)


def uninvited(judge: Judge, unit: Transaction, letter: LetterRow, address: str, text: str) -> None:
    """An invitation came back: noted, and told to the Gamemaster with the address, which they gave themselves."""
    key = str(json.loads(letter.view).get("reply_as", "")).removeprefix(CONFIRM)
    errand = directory.find_errand(unit, key)
    if errand is None:
        return
    directory.note_errand(unit, errand, back=judge.clock.now().isoformat())
    tell_gm(judge, unit, letter.game or "", f"uninvited/{key}", lambda: (
        tell("an invitation came back"),
        (tell("Your invitation to {address} came back as undeliverable: {text}", address=address, text=text),
         tell("Nobody has read it. Look at the address, or ask for another one, and invite that.")),
    ))  # fmt: skip


def _counted(judge: Judge, unit: Transaction, delivery: Delivery, *, hard: bool) -> bool:
    """One more against the address, soft ones once a day; False where it is not counted. Too many suspend it."""
    now = judge.clock.now()
    if not hard and not unit.contacts.allow(delivery.address, "soft-bounce", now.date(), 1):
        return False
    row = unit.people.bounced(delivery.address, now, hard=hard)
    if row is None:
        return False
    if row.suspended_at is None and (row.bounce_hard >= HARD_LIMIT or row.bounce_soft >= SOFT_LIMIT):
        unit.people.suspend(delivery.address, now)
        log.warning("address suspended", extra={"person": row.person_id})
        _tell_suspended(judge, unit, row.person_id, delivery.address)
    return True


def _tell_suspended(judge: Judge, unit: Transaction, person: int, address: str) -> None:
    """Whoever runs a game in which the person sits hears what no longer reaches them; of a Gamemaster, the operator."""
    key = f"suspended/p{person}/{judge.clock.now().date().isoformat()}"
    if any(row.suspended_at is None for row in unit.people.addresses(person) if row.verified_at or row.primary):
        return  # letters go to another address of theirs
    for seat in unit.games.seats_of(person):
        game = judge.keeper.load(unit, seat.game)
        if game is None or game.ending is not None:
            continue
        if seat.seat == GM_SEAT:
            tell_operator(
                judge, unit, f"{key}/{seat.game}", subject="letters to a Gamemaster come back",
                items=(
                    f"{address}, who runs {seat.game}, takes no mail: results are still tried there, everything else "
                    "waits until a mail comes from that address.",
                ),
            )  # fmt: skip
            continue
        tell_gm(judge, unit, seat.game, key, partial(_words_on_suspended, game, seat.seat))


def _words_on_suspended(game: Game, seat: str) -> tuple[str, Sequence[str]]:
    who = seat_title(game, seat)
    return tell("letters to {who} come back", who=who), (
        tell(
            "Letters to {who} come back again and again. Results and calls for orders are still "
            "tried; press, reminders and receipts wait until a mail comes from their address.",
            who=who,
        ),
        tell("You may reach the player another way, extend, or look for a replacement."),
    )


def _try_elsewhere(judge: Judge, unit: Transaction, letter: LetterRow) -> bool:
    """Send the same letter to the next proved address of its reader that is in good repute."""
    if not letter.person_id:
        return False
    tried = {copy.address for copy in unit.outbox.of_letter(letter.id)}
    for row in unit.people.addresses(letter.person_id):
        if row.verified_at and not row.suspended_at and not row.bounce_hard and row.address not in tried:
            return unit.letters.add_recipient(letter.id, row.address, judge.clock.now())
    return False


def _tell(
    judge: Judge, unit: Transaction, letter: LetterRow, delivery: Delivery, text: str, *, elsewhere: bool
) -> None:
    """To the Gamemaster, without the address; if they are the one who cannot be reached, to the operator, with it."""
    day = judge.clock.now().date().isoformat()
    key = f"bounce/p{letter.person_id}/{day}"
    if letter.seat == GM_SEAT or not letter.game:
        tell_operator(
            judge, unit, key, subject="letters to a Gamemaster come back",
            items=(
                f"A letter of {letter.game or 'this judge'} to {delivery.address} came back: {text}",
                "I try another address of theirs." if elsewhere else "There is no other address to try.",
            ),
        )  # fmt: skip
        return
    game = judge.keeper.load(unit, letter.game)

    def words() -> tuple[str, Sequence[str]]:
        who = seat_title(game, letter.seat or "") if game else tell("a player")
        next_step = tell("I try another address of theirs.") if elsewhere else tell("There is no other address to try.")
        came_back = tell(
            "The {kind} letter to {who} came back as undeliverable. {next_step}",
            kind=letter.kind,
            who=who,
            next_step=next_step,
        )
        waits = not elsewhere and game is not None and _awaited(game, letter)
        return tell("a letter to {who} came back", who=who), (came_back, *advice(letter.kind, waits=waits))

    tell_gm(judge, unit, letter.game, key, words)


def _awaited(game: Game, letter: LetterRow) -> bool:
    """Whether the turn waits because this letter came back: it is the call for the orders that are due now, in a game
    that waits for orders, and its reader has not been called late before.
    """
    if not isinstance(game, Running) or game.terms.nmr in NEVER_WAITS or game.deadline.called:
        return False
    return letter.kind in CALLS_FOR_ORDERS and letter.created_at >= (game.turn_opened_at or game.created_at)


def advice(kind: str, *, waits: bool) -> tuple[str, ...]:
    """What the Gamemaster may do about a letter of this kind: nothing after the end. `waits`: whether its reader is
    not called late because of it.
    """
    if kind == Kind.ENDED:
        return ()
    excused = tell("Nobody is called late whose call for orders came back.") if waits else ""
    return (together(excused, tell("You may reach the player another way, or extend.")),)
