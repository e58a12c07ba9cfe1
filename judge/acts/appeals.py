"""Appeals: a player doubts what became of an order; the Gamemaster looks into it, and everybody reads what they found.

An appeal is about one order of results that count. It changes nothing by itself and holds nothing up; where the
Gamemaster finds that the results are wrong they put them right with the commands that there are for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.acts.declared import Act, Ask, May, Seen
from judge.adjudicate.exhaustive import second_opinion
from judge.adjudicate.outcome import outcomes_from_json
from judge.board.position import Position, position_to_json
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal, Role
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Played
from judge.game.core.parts import Appeal
from judge.history import OrderResult, PlayedPhase, played_phase
from judge.languages import tell
from judge.mail.queries import AboutGame
from judge.mail.vocabulary.clauses import alone, missing, plain
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb, named
from judge.orders.family import units_of
from judge.orders.model import Build, Order, Waive, power_of
from judge.orders.reader import read_orders
from judge.orders.spelled import order_words, unit_text
from judge.report.core.audience import OFFICE, PUBLIC, Batch
from judge.report.core.letter import Kind, Letter, Reader, who
from judge.report.core.naming import Said, phase_fact, power_name, say
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, sentence_on
from judge.report.table.news import News, news

MOST_OPEN = 3
"""Appeals of one seat that wait for an answer."""
LONGEST = 2000
STANDS, AMENDED, WITHDRAWN = "stands", "amended", "withdrawn"


@dataclass(frozen=True, slots=True)
class MakeAppeal(Command):
    """What became of the order in `line` is doubted. `phase`: whose results, "" for the last; `words`: why."""

    line: str
    phase: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class DecideAppeal(Command):
    """The Gamemaster's answer: the results stand, or are amended, and why."""

    number: int
    stands: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawAppeal(Command):
    """Its author doubts no more."""

    number: int


@dataclass(frozen=True, slots=True)
class ReopenAppeal(Command):
    """The answer is taken back; the appeal waits for another one."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealMade(ev.Event, told="number,phase,order"):
    """`power`, `order`: the order in doubt, canonical; `version`: of the results."""

    number: int
    phase: str
    version: int
    power: str
    order: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided(ev.Event, told="number,how,why"):
    """`how`: "stands" or "amended"."""

    number: int
    how: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealWithdrawn(ev.Event, told="number"):
    """Its author has taken it back."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealReopened(ev.Event, told="number"):
    """The Gamemaster has taken their answer back."""

    number: int


def _appeal(game: Game, command: MakeAppeal, context: Context) -> Decision | Refusal:
    """Put one order of past results before the Gamemaster."""
    actor = context.actor
    if actor.role is Role.GM:
        return Refusal(
            "gm", tell("Only players make appeals; you answer them, and may look at any phase with `history`.")
        )
    if actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal(
            "no-seat", tell("Only the players of {game} appeal; others may write to its Gamemaster.", game=game.key)
        )
    played = _played(game, command.phase)
    if isinstance(played, Refusal):
        return played
    found = _doubted(played, command.line)
    if isinstance(found, Refusal):
        return found
    phase, version = played.event.phase, played.event.version
    if (refusal := _again(game, context.seat, phase, version, str(found), power_of(found))) is not None:
        return refusal
    event = AppealMade(
        at=context.now, by=context.seat, number=game.appeals_made + 1, phase=phase, version=version,
        power=power_of(found), order=str(found), words=command.words.strip()[:LONGEST],
    )  # fmt: skip
    said = tell(
        "Your appeal {event} is with the Gamemaster: {phase}, {found}. Everybody reads what they decide; until then "
        "the results stand.",
        event=event.number,
        phase=game.calendar.title(phase),
        found=order_words(found, game.board),
    )
    return Decision((event,), said=said)


def _played(game: Game, phase: str) -> Played | Refusal:
    """The results that are meant, if they count and are remembered."""
    if game.replay is not None and (not phase or phase in [taken.event.phase for taken in game.replay.taken]):
        what = phase or game.replay.phase
        sentence = tell("The results of {what} were taken back and do not count; new ones will follow.", what=what)
        return Refusal("taken-back", sentence, mend="status")
    if not game.past:
        return Refusal(
            "nothing-played", tell("{game} has no results yet, so there is nothing to appeal.", game=game.key)
        )
    if not phase:
        return next((one for one in reversed(game.past) if one.event.outcomes), game.past[-1])
    found = [one for one in game.past if one.event.phase.startswith(phase)]
    if found:
        return found[0]
    known = ", ".join(one.event.phase for one in game.past)
    return Refusal(
        "no-such-results",
        tell("{phase} is not among the results that can be appealed: {known}.", phase=phase, known=known),
        "history",
    )


def _doubted(played: Played, line: str) -> Order | Refusal:
    """The order of a phase that a line names: by its unit, whatever the line says that it did."""
    position = _position(played)
    units = units_of(position)
    orders = [order for order, _ in outcomes_from_json(played.event.outcomes, units)]
    readings = [reading.order for reading in read_orders(line, position, None) if reading.order is not None]
    phase = played.event.phase
    for wanted in readings:
        same = [order for order in orders if _plain(order) == _plain(wanted) and power_of(order) == power_of(wanted)]
        if same:
            return same[0]
    unit = next(filter(None, map(_unit, readings)), None)
    other = next((order for order in orders if unit is not None and _unit(order) == unit), None)
    if other is not None:
        told = order_words(other, position.board)
        sentence = tell(
            'No order of {phase} reads "{line}"; that unit\'s is {told}.',
            phase=phase,
            line=line.strip()[:60],
            told=told,
        )
        return Refusal("no-such-line", sentence, mend=f"appeal {phase} {told}")
    sentence = tell(
        'No order of {phase} reads "{line}". Copy the line from the results.', phase=phase, line=line.strip()[:60]
    )
    return Refusal("no-such-line", sentence, mend=f"history {phase}")


def _plain(order: Order) -> str:
    """An order in codes; whether it says that it goes by sea is of no matter."""
    return str(order).removesuffix(" VIA")


def _unit(order: Order) -> Unit | None:
    return None if isinstance(order, (Build, Waive)) else order.unit


def _position(played: Played) -> Position:
    return played.before.position


def _again(game: Game, seat: str, phase: str, version: int, order: str, power: str) -> Refusal | None:
    """Why an order is not appealed once more: it waits for an answer already, or has one."""
    for one in game.appeals.values():
        if (one.phase, one.version, one.order, one.power) != (phase, version, order, power):
            continue
        if not one.how:
            return Refusal(
                "already", tell("Appeal {one} is about that order already, and waits for an answer.", one=one.number)
            )
        if one.how != WITHDRAWN:
            return Refusal(
                "decided", tell("Appeal {one} was about that order: the Gamemaster has answered it.", one=one.number)
            )
    if sum(one.by == seat and not one.how for one in game.appeals.values()) >= MOST_OPEN:
        return Refusal(
            "enough", tell("{most_open} appeals of yours wait for an answer; please wait for one.", most_open=MOST_OPEN)
        )
    return None


def _decide(game: Game, command: DecideAppeal, context: Context) -> Decision | Refusal:
    """Answer an appeal, with the reason that everybody reads."""
    found = _open(game, command.number)
    if isinstance(found, Refusal):
        return found
    how = STANDS if command.stands else AMENDED
    if not re.search(r"\w", command.why):  # the dots of our own letter are no reason
        form = tell("`appeal {found} {how} because`, and then your reason", found=found.number, how=how)
        sentence = tell("Please say why, because everybody reads it: {form}.", form=form)
        return Refusal("no-reason", sentence)
    event = AppealDecided(
        at=context.now, by=context.seat, number=found.number, how=how, why=command.why.strip()[:LONGEST]
    )
    said = tell(
        "Everybody reads that appeal {found} is answered: the results of {phase} stand."
        if command.stands
        else "Everybody reads that appeal {found} is answered: the results of {phase} are amended. Put them right now: "
        "amend {phase}, or correct position.",
        found=found.number,
        phase=found.phase,
    )
    return Decision((event,), said=said)


def _withdraw(game: Game, command: WithdrawAppeal, context: Context) -> Decision | Refusal:
    """Its author takes an appeal back."""
    found = _open(game, command.number)
    if isinstance(found, Refusal):
        return found
    if found.by != context.seat:
        return Refusal("not-yours", tell("Appeal {found} is not yours.", found=found.number))
    event = AppealWithdrawn(at=context.now, by=context.seat, number=found.number)
    return Decision((event,), said=tell("Appeal {found} is withdrawn.", found=found.number))


def _reopen(game: Game, command: ReopenAppeal, context: Context) -> Decision | Refusal:
    """The Gamemaster takes an answer back."""
    found = game.appeals.get(command.number)
    if found is None or not found.how:
        return Refusal(
            "not-answered", tell("Appeal {command} has no answer that could be taken back.", command=command.number)
        )
    event = AppealReopened(at=context.now, by=context.seat, number=command.number)
    return Decision(
        (event,), said=tell("The answer to appeal {command} is taken back; everybody is told.", command=command.number)
    )


def _open(game: Game, number: int) -> Appeal | Refusal:
    found = game.appeals.get(number)
    if found is None:
        waiting = ", ".join(str(one.number) for one in game.appeals.values() if not one.how)
        known = (
            tell("those that wait for an answer: {waiting}", waiting=waiting)
            if waiting
            else tell("none waits for an answer")
        )
        return Refusal(
            "no-such-appeal",
            tell("There is no appeal {number} in {game}; {known}.", number=number, game=game.key, known=known),
        )
    if found.how:
        return Refusal("decided", tell("Appeal {number} is closed already: {how}.", number=number, how=found.how))
    return found


# --- state --------------------------------------------------------------------------------------------------------


def _made(game: Game, event: AppealMade) -> Game:
    one = Appeal(event.number, event.by, event.phase, event.version, event.power, event.order, event.words)
    return altered(game, appeals=_with(game, one), appeals_made=event.number)


def _closed(game: Game, number: int, how: str) -> Game:
    return altered(game, appeals=_with(game, replace(game.appeals[number], how=how)))


def _with(game: Game, one: Appeal) -> MappingProxyType[int, Appeal]:
    return MappingProxyType({**game.appeals, one.number: one})


# --- words ----------------------------------------------------------------------------------------------------------


_NUMBERED = re.compile(r"#?(\d{1,4})\b[\s:,]*(.*)", re.DOTALL)
_WORD = re.compile(r"([a-z]+)\b[\s:,-]*(?:because\b|since\b|as\b|reason\b)?[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_ANSWERS = {
    **dict.fromkeys(("stands", "stand", "dismissed", "denied", "refused", "rejected"), True),
    **dict.fromkeys(("amended", "amend", "granted", "upheld", "allowed", "sustained"), False),
}
_WITHDRAWN = frozenset({"withdrawn", "withdraw", "back", "drop", "dropped"})
_BECAUSE = re.compile(r"\s+(?:because|reason|for)\b[\s:]*", re.IGNORECASE)
_OF_PHASE = re.compile(r"([^\s:]+(?:\s+\d{4})?(?:\s+(?:moves|retreats|adjustments|builds))?)\s*[:,]?\s+(.+)", re.DOTALL)


def _read_appeal(clause: Clause) -> Reading:
    """`appeal F1901M A Bur - Bel because ...`; `appeal 1 stands because ...`; `appeal 1 withdrawn`."""
    rest, body = clause.rest.strip(), " ".join(clause.body.split())
    if numbered := _NUMBERED.fullmatch(rest):
        return _answered(int(numbered[1]), f"{numbered[2]} {body}")
    line, *reason = _BECAUSE.split(rest, maxsplit=1)
    words = " ".join((*reason, body)).strip()
    phase = ""
    if (split := _OF_PHASE.fullmatch(line)) and (code := clause.around.phase_in(plain(split[1]))):
        phase, line = code, split[2]
    if not plain(line):
        return missing(
            tell("The line of the results that you doubt"), "appeal A Burgundy - Belgium because of F Holland"
        )
    return MakeAppeal(plain(line).strip("()"), phase, words)


def _read_answer(clause: Clause) -> Reading:
    """`reject appeal 1 because ...`, `grant appeal 1 ...`: an answer with its verb ahead."""
    answer = _AHEAD[clause.word.split()[0].lower()]
    numbered = _NUMBERED.fullmatch(clause.rest.strip())
    if numbered is None:
        return missing(tell("The number of the appeal"), f"appeal 1 {answer} because I was asked twice")
    body = " ".join(clause.body.split())
    return _answered(int(numbered[1]), f"{answer} {numbered[2]} {body}".strip())


_AHEAD = {
    **dict.fromkeys(("reject", "dismiss", "deny", "refuse"), "stands"),
    **dict.fromkeys(("grant", "allow", "uphold"), "amended"),
    **dict.fromkeys(("withdraw", "drop"), "withdrawn"),
}


def _answered(number: int, text: str) -> Reading:
    match = _WORD.fullmatch(text.strip())
    word = match[1].lower() if match else ""
    if word in _WITHDRAWN:
        return WithdrawAppeal(number)
    if match is None or word not in _ANSWERS:
        return Unclear(
            "no-answer",
            tell(
                "Say how appeal {number} is answered, and why: `appeal {number} stands because` or "
                "`appeal {number} amended because`, with your reason behind it; whoever made it may "
                "write `appeal {number} withdrawn`.",
                number=number,
            ),
        )
    return DecideAppeal(number, _ANSWERS[word], match[2].strip())


@dataclass(frozen=True, slots=True)
class ListAppeals(AboutGame, once=True):
    """The appeals of a game that wait for an answer."""


def _open_appeals(seen: Seen, _: ListAppeals) -> str:
    """Those that wait for an answer, each with the order in doubt; who made it everybody reads with it."""
    waiting = [one for one in seen.game.appeals.values() if not one.how]
    found = [f"appeal {one.number}: {one.order} ({one.phase})" for one in waiting]
    return f"Open: {'; '.join(found)}." if found else tell("No appeal is open in {game}.", game=seen.game.key)


# --- letters --------------------------------------------------------------------------------------------------------


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


def _to_gamemaster(batch: Batch, seq: int, event: AppealMade) -> Iterator[Letter]:
    """And to their deputy."""
    game = batch.after
    played = next((one for one in game.past if one.event.phase == event.phase), None)
    if played is not None:
        view = _view(game, game.appeals[event.number], played)
        for reader in batch.told(event):
            yield batch.letter(Kind.APPEAL, str(seq), reader, view)


def _view(game: Game, appeal: Appeal, played: Played) -> AppealView:
    event = _whole(played)
    phase = played_phase(event, game.board)
    result = next(one for one in phase.results if str(one.order) == appeal.order and one.power == appeal.power)
    return AppealView(
        number=appeal.number,
        title=game.calendar.title(phase.phase),
        version=appeal.version,
        about=_about(game, appeal, result),
        words=appeal.words,
        explained=sentence_on(result, phase),
        second=_second(phase, played),
        positions=final_positions(phase.before),
        results=results_of(event, game, explain=True),
        answers=tuple(f"appeal {appeal.number} {how} because ..." for how in ("stands", "amended")),
    )


def _about(game: Game, appeal: Appeal, result: OrderResult | None = None) -> Said:
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


def _whole(played: Played) -> ev.PhaseAdjudicated:
    """The event of a remembered phase, with the position in which it began."""
    event: ev.PhaseAdjudicated = replace(played.event, before=position_to_json(_position(played)))
    return event


# --- news ---------------------------------------------------------------------------------------------------------


def _tell_decided(batch: Batch, event: AppealDecided, reader: Reader) -> Iterator[News]:
    """Everybody reads what was asked, and why it stands or is amended."""
    appeal = batch.after.appeals[event.number]
    yield news(
        "appeal-decided", 9, number=event.number, by=batch.doer(event), about=_about(batch.after, appeal),
        words=appeal.words, how=event.how, why=event.why,
    )  # fmt: skip


def _tell_reopened(batch: Batch, event: AppealReopened, reader: Reader) -> Iterator[News]:
    told = _about(batch.after, batch.after.appeals[event.number])
    yield news("appeal-reopened", 6, number=event.number, by=batch.doer(event), about=told)


def _tell_withdrawn(batch: Batch, event: AppealWithdrawn, reader: Reader) -> Iterator[News]:
    told = _about(batch.after, batch.after.appeals[event.number])
    yield news("appeal-withdrawn", 4, number=event.number, about=told)


ACTS = (
    Act(
        MakeAppeal,
        AppealMade,
        _appeal,
        _made,
        verb=Verb(
            "appeal",
            words=("appeal", "i appeal"),
            summary="You doubt what became of an order: the Gamemaster looks into it, and everybody reads what they "
            "find.",
            usage=named(
                "appeal LINE because REASON, appeal PHASE LINE because REASON, appeal NUMBER stands because REASON"
            ),
            example="appeal A Burgundy - Belgium because I had two against one",
            read=_read_appeal,
            body=BodyRule.PARAGRAPH,
            roles=ANYONE,
            topic="appeals",
            after="correct position",
        ),
        told=OFFICE,
        letters=_to_gamemaster,
    ),
    Ask(
        ListAppeals,
        _open_appeals,
        Verb(
            "appeals",
            words=("appeals", "open appeals", "list appeals", "show appeals"),
            summary="The appeals that wait for an answer.",
            usage=("appeals",),
            example="appeals",
            read=alone(ListAppeals(), "appeals"),
            roles=ANYONE,
            topic="appeals",
            after="appeal",
        ),
    ),
    Act(
        DecideAppeal,
        AppealDecided,
        _decide,
        lambda game, event: _closed(game, event.number, event.how),
        May.GM,
        Verb(
            "answer appeal",
            words=tuple(f"{word} appeal" for word in _AHEAD),
            summary="The Gamemaster answers an appeal, or its author takes it back.",
            usage=("reject appeal NUMBER because REASON", "grant appeal NUMBER because REASON"),
            example="reject appeal 1 because the support was cut",
            read=_read_answer,
            roles=ANYONE,
            topic="appeals",
            after="appeals",
        ),
        undo=lambda act, before: ReopenAppeal(act.number),
        told=PUBLIC,
        news=_tell_decided,
    ),
    Act(
        WithdrawAppeal,
        AppealWithdrawn,
        _withdraw,
        lambda game, event: _closed(game, event.number, WITHDRAWN),
        told=OFFICE,
        news=_tell_withdrawn,
    ),
    Act(
        ReopenAppeal,
        AppealReopened,
        _reopen,
        lambda game, event: _closed(game, event.number, ""),
        May.GM,
        told=PUBLIC,
        news=_tell_reopened,
    ),
)
