"""Which letters follow from what happened: events in, letters out. Pure; nothing is rendered here.

    >>> from judge.report.mailing import letters_for        # letters_for(before, events, after, cast)

Four habits. One mail about one matter: several events of one transaction make one notice, and a results letter says
itself what the same turn brought with it (next deadline, closed votes, skipped phases, the Gamemaster's notes). Whoever
caused an event gets no notice of it, because their receipt tells it. Secrets stay where they are: ballots until the
close, names in anonymous games, the author of unsigned press, orders. And every letter has a key, so that it exists
once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.report.core.audience import Batch
from judge.report.core.letter import Cast, Letter, Thread
from judge.report.table.arrivals import created, started, takeovers, welcomes
from judge.report.table.calls import grace_letters, late_calls, reminders, vacancy_letters, word_letters
from judge.report.table.gathering import hopeful_letters
from judge.report.table.notices import notices
from judge.report.table.repairs import corrections, office_letters
from judge.report.table.sandbox import practice_letters, sandbox_letters
from judge.report.table.talk import press_letters
from judge.report.table.turns import endings, results_letters, statement_letters
from judge.report.table.votes import vote_letters

LETTERS: dict[type[Event], Callable[[Batch, int, Any], Iterator[Letter]]] = {}
"""Event of `judge.acts`, which adds them -> the letters that follow from it beside notices, from its number in the log.
"""

_MAKERS: tuple[Callable[[Batch], Iterator[Letter]], ...] = (
    created,
    welcomes,
    started,
    results_letters,
    endings,
    takeovers,
    reminders,
    late_calls,
    grace_letters,
    word_letters,
    vacancy_letters,
    hopeful_letters,
    vote_letters,
    press_letters,
    statement_letters,
    notices,
    corrections,
    office_letters,
)

_OF_PRACTICE: tuple[Callable[[Batch], Iterator[Letter]], ...] = (practice_letters, sandbox_letters, notices)
"""A practice game has letters of its own, and so has a sandbox."""


def letters_for(
    before: Game | None, events: Sequence[Event], after: Game, cast: Cast, earlier: Sequence[Event] = ()
) -> tuple[Letter, ...]:
    """All letters that the events of one transaction require.

    `before` is the game before them, None when the first event creates it; `after` the game after them, whose `seq` is
    the number of the last event. `earlier`: the events since the last report, for the broadcast press that the next one
    repeats. The order of the letters is that in which they should leave.
    """
    if not events:
        return ()
    batch = Batch(before, tuple(events), after, cast, tuple(earlier))
    if after.practice is not None:
        return tuple(letter for make in _OF_PRACTICE for letter in make(batch))
    found = [letter for make in _MAKERS for letter in make(batch)]
    for seq, event in batch.numbered():
        if type(event) in LETTERS:
            found += LETTERS[type(event)](batch, seq, event)
    return tuple(found)


def filed_under(letter: Letter, message_id: str) -> Letter:
    """The letter as a reply to the mail with this Message-ID, so that mail programs show it below that mail."""
    if not message_id:
        return replace(letter, thread=Thread.ALONE)
    return replace(letter, thread=Thread.MAIL, parent=message_id)
