"""Files orders: reads and checks them, merges them with the set on file, and answers line by line.

A mail that names some units changes only these; the last order for a unit counts;
a line that cannot be taken leaves everything on file as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from judge.game.core import events as ev
from judge.game.core.commands import Actor, OrderLine
from judge.game.core.decision import Context, Decision, Status
from judge.game.core.model import Begun, G, Game
from judge.game.core.parts import Fault, Sheet, faults_from_json, faults_to_json
from judge.game.filing.adjusting import too_many, with_lines, within_number
from judge.game.filing.faults import as_ahead, left_open, plain_words
from judge.game.filing.judging import (
    Judged,
    is_legal,
    judge,
    noted,
    refused,
    veiled,
    with_block,
    with_free_sites,
    written,
)
from judge.game.filing.overtaken import fault_word
from judge.game.filing.read import (
    Read,
    filed,
    filed_line,
    keeps,
    left_alone,
    left_to_rest,
    merged,
    unseen_words,
    without_blanket,
)
from judge.game.filing.readings import apart, better, read_mail, with_offers, without_contradictions
from judge.game.filing.standing import forecast, goes_on, standing, with_deeds_done
from judge.game.filing.whose import of_each_line
from judge.game.instructions.kinds import FiledOrder


def any_taken(decision: Decision) -> bool:
    """Whether a line was taken at all."""
    return any(verdict.status is Status.TAKEN for verdict in decision.verdicts)


def filed_by(game: Game, event: ev.OrdersFiled, seat: str) -> ev.OrdersFiled:
    """Orders that the seat `seat` files for a power which it does not play: its slips are no faults of the player."""
    sheet = game.sheets.get(event.power)
    own = tuple(fault for fault in faults_from_json(event.faults) if sheet and fault in sheet.faults)
    return replace(event, by=seat, faults=faults_to_json(own))


def file_lines(
    game: Begun,
    lines: Sequence[OrderLine],
    powers: tuple[str, ...],
    context: Context,
    *,
    replace_all: bool,
    unseen: bool = False,
    sent_ahead: bool = False,
) -> Decision:
    """Read lines, judge each, and put what can be taken on file.

    `unseen`: their author may not see what is on file, so nothing of that shows in the verdicts. `sent_ahead`: they
    were written before the position was known; what fits nothing that is there is over with the next mail of orders.
    """
    pieces = apart(lines, game.board)
    seen = _without_sheets(game, powers) if unseen else game
    reads = _best(seen, powers, pieces)
    stays = left_alone(game, reads, replace_all=replace_all)
    reads = [read if line else without_blanket(game, read) for read, line in zip(reads, stays, strict=True)]
    replace_all = replace_all and not any(map(keeps, reads))  # then every unit is spoken of, and what stays is on file
    judged = [judge(seen, read, line, context.actor) for read, line in zip(reads, stays, strict=True)]
    for power in powers:
        judged = _counted(seen, power, judged, context.actor, replace_all=replace_all)
    then = {power: _lines_then(game, power, judged, context.actor, replace_all=replace_all) for power in powers}
    judged = _without_used_sites(judged, [line for lines in then.values() for line in lines])
    left = {power: _left_open(game, power, judged, then[power], context, replace_all=replace_all) for power in powers}
    if sent_ahead:
        left = {power: tuple(map(as_ahead, faults)) for power, faults in left.items()}
    said = {power: frozenset(plain_words(fault.text) for fault in faults) for power, faults in left.items()}
    judged = [noted(one, said[one.read.power], context) for one in judged]
    verdicts = [one.verdict for one in judged]
    for piece in pieces:
        verdicts = with_block(piece, verdicts) if piece.more else verdicts
    filed = [_file(game, power, then[power], left[power], context) for power in powers]
    if unseen:
        verdicts = veiled(
            verdicts, {read.line: unseen_words(read) for read in reads if keeps(read) or left_to_rest(reads)}
        )
    return Decision(tuple(event for event in filed if event is not None), tuple(verdicts))


def stay(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[FiledOrder, ...]:
    """The lines that stay on file beside those of a mail."""
    if sheet is None:
        return ()
    return tuple(line for line in sheet.lines if not replace_all or (sheet.power, *line.key) in actor.later)


def still_open(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[Fault, ...]:
    """The lines of mails before it that are still to be put right beside a mail."""
    faults = sheet.faults if sheet is not None else ()
    return tuple(one for one in faults if sheet and (not replace_all or fault_word(sheet.power, one) in actor.later))


def _counted(game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool) -> list[Judged]:
    """Builds and removals beyond what is due are no orders."""
    places = [at for at, one in enumerate(judged) if one.files and one.read.power == power]
    old = stay(game.sheets.get(power), actor, replace_all=replace_all)
    extra = too_many(game, power, old, [judged[at].read for at in places])
    found = list(judged)
    for number, problem in extra.items():
        read = judged[places[number]].read
        found[places[number]] = Judged(read, refused(read._replace(reading=read.reading._replace(problem=problem))))
    return found


def _without_used_sites(judged: Sequence[Judged], lines: Sequence[FiledOrder]) -> list[Judged]:
    """What is offered instead of a build is no build where another one is on file."""
    used = {line.site for line in lines if line.site}
    return [one._replace(verdict=with_free_sites(one.verdict, used)) for one in judged] if used else list(judged)


def _without_sheets(game: G, powers: tuple[str, ...]) -> G:
    return replace(game, sheets={power: sheet for power, sheet in game.sheets.items() if power not in powers})


def _best(game: Begun, powers: tuple[str, ...], pieces: Sequence[OrderLine]) -> list[Read]:
    """The readings of every line, in order."""
    legal = partial(is_legal, game)
    meant = of_each_line(game, [_in_turn(game, power, pieces) for power in powers], legal)
    settled = without_contradictions(game, meant, legal)
    return with_offers(game, settled)


def _in_turn(game: Begun, power: str, lines: Sequence[OrderLine]) -> list[list[Read]]:
    """Read for the present phase; what does not fit, for the next one of the turn, as it will be after this mail."""
    reads = read_mail(game, power, lines, with_deeds_done(game, power))
    if not goes_on(game):
        return reads
    taken = [read for some in reads for read in some if read.order is not None]
    sheet = game.sheets.get(power)
    lines_then = merged(sheet.lines if sheet else (), [filed_line(read) for read in taken])
    later = forecast(with_lines(game, power, lines_then), power)
    return reads if later is None else better(reads, read_mail(game, power, lines, later))


def _lines_then(
    game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool
) -> tuple[FiledOrder, ...]:
    """A power's set with a mail in it."""
    old = stay(game.sheets.get(power), actor, replace_all=replace_all)
    fresh = [filed_line(one.read) for one in judged if one.files and one.read.power == power]
    return within_number(game, power, merged(old, fresh))


def _left_open(
    game: Begun,
    power: str,
    judged: Sequence[Judged],
    lines: tuple[FiledOrder, ...],
    context: Context,
    *,
    replace_all: bool,
) -> tuple[Fault, ...]:
    """What is still to be put right after a mail with which `lines` are the power's set."""
    old = still_open(game.sheets.get(power), context.actor, replace_all=replace_all)
    if not old and not any(one.verdict.status is Status.REFUSED for one in judged):
        return ()
    fresh = [written(one, context) for one in judged if one.read.power == power]
    complete = standing(with_lines(game, power, lines), power).full
    return left_open(old, [one for one in fresh if one is not None], context.actor.mail, complete=complete)


def _file(
    game: Begun, power: str, lines: tuple[FiledOrder, ...], faults: tuple[Fault, ...], context: Context
) -> ev.OrdersFiled | None:
    """The set in force after a mail, with what is still to be put right; None where nothing changes."""
    sheet = game.sheets.get(power)
    before = () if sheet is None else sheet.lines
    if sheet is None and not lines and not faults:
        return None
    if sheet is not None and lines == before and faults == sheet.faults:
        return None
    number = (sheet.number if sheet else 0) + (lines != before)
    return filed(Sheet(power, str(game.position.phase), number, lines, faults), context)
