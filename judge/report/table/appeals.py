"""Letters about appeals: to the Gamemaster all that they need to decide one, to everybody what they have decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.adjudicate.second import second_opinion
from judge.game.core import events as ev
from judge.game.core.affairs import Appeal
from judge.game.core.model import Game, Played
from judge.game.repair.appeals import AppealDecided, AppealMade, AppealReopened, AppealWithdrawn, whole_event
from judge.history import OrderResult, PlayedPhase, played_phase
from judge.orders.reader import read_orders
from judge.orders.spelled import order_words, unit_text
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader, who
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Said, phase_fact, power_name, say
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, sentence_on
from judge.report.table.news import News, news


@dataclass(frozen=True, slots=True)
class AppealView:
    """To the Gamemaster. `about`: whose appeal it is, on which order; `words`: its author's; `explained`: what the
    adjudicator says of the order, with the clause; `second`: what the other adjudicator comes to; `positions`: ahead of
    the phase; `results`: the whole phase with its reasons; `answers`: the lines that answer.
    """

    number: int
    title: str
    version: int
    about: Said
    words: str
    explained: str
    second: Said
    positions: tuple[UnitsLine, ...]
    results: Results
    answers: tuple[str, ...]


def appeal_letters(batch: Batch) -> Iterator[Letter]:
    """To the Gamemaster and their deputy, for each appeal made."""
    game = batch.after
    for seq, event in batch.numbered():
        played = _played(game, event) if isinstance(event, AppealMade) else None
        if played is None or not isinstance(event, AppealMade):
            continue
        view = _view(game, game.appeals[event.number], played)
        for reader in batch.told(event):
            yield batch.letter(Kind.APPEAL, str(seq), reader, view)


def _played(game: Game, event: AppealMade) -> Played | None:
    return next((one for one in game.past if one.event.phase == event.phase), None)


def _view(game: Game, appeal: Appeal, played: Played) -> AppealView:
    event = whole_event(played)
    phase = played_phase(event, game.board)
    result = next(one for one in phase.results if str(one.order) == appeal.order and one.power == appeal.power)
    return AppealView(
        number=appeal.number,
        title=game.calendar.title(phase.phase),
        version=appeal.version,
        about=about(game, appeal, result),
        words=appeal.words,
        explained=sentence_on(result, phase),
        second=_second(phase, played),
        positions=final_positions(phase.before),
        results=results_of(event, game, explain=True),
        answers=tuple(f"appeal {appeal.number} {how} because ..." for how in ("stands", "amended")),
    )


def about(game: Game, appeal: Appeal, result: OrderResult | None = None) -> Said:
    """Whose appeal it is, and on which order of which phase."""
    order = order_words(result.order, game.board) if result is not None else _spelled(game, appeal)
    return say(
        "appeal-about", number=appeal.number, by=who(game, appeal.by), phase=phase_fact(game, appeal.phase),
        power=power_name(appeal.power, game.board), order=order,
    )  # fmt: skip


def _spelled(game: Game, appeal: Appeal) -> str:
    """The order in words, where its phase is still remembered."""
    for played in game.past:
        if played.event.phase == appeal.phase and played.before.position is not None:
            for reading in read_orders(appeal.order, played.before.position, None):
                if reading.order is not None:
                    return order_words(reading.order, game.board)
    return appeal.order


def _second(phase: PlayedPhase, played: Played) -> Said:
    found = second_opinion(phase.before, (result.outcome for result in phase.results), played.before.rules)
    if found is None:
        return say("second-unknown")
    board = phase.before.board
    partings = [
        {"unit": unit_text(one.unit, board), "power": power_name(one.unit.power, board), "moved": one.moved,
         "dislodged": one.dislodged}
        for one in found
    ]  # fmt: skip
    return say("second-opinion", partings=partings)


# --- news ---------------------------------------------------------------------------------------------------------


def _decided(batch: Batch, event: AppealDecided, reader: Reader) -> Iterator[News]:
    """Everybody reads what was asked, and why it stands or is amended."""
    appeal = batch.after.appeals[event.number]
    yield news(
        "appeal-decided", 9, number=event.number, by=batch.doer(event), about=about(batch.after, appeal),
        words=appeal.words, how=event.how, why=event.why,
    )  # fmt: skip


def _reopened(batch: Batch, event: AppealReopened, reader: Reader) -> Iterator[News]:
    told = about(batch.after, batch.after.appeals[event.number])
    yield news("appeal-reopened", 6, number=event.number, by=batch.doer(event), about=told)


def _withdrawn(batch: Batch, event: AppealWithdrawn, reader: Reader) -> Iterator[News]:
    told = about(batch.after, batch.after.appeals[event.number])
    yield news("appeal-withdrawn", 4, number=event.number, about=told)


NEWS: Mapping[type[ev.Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    AppealDecided: _decided,
    AppealReopened: _reopened,
    AppealWithdrawn: _withdrawn,
}
"""Event -> what it says to a reader."""
