"""Carrying out what a mail asks for, in its order and within its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge import subjects
from judge.game.core.commands import Submit
from judge.game.core.decision import Decision, Question, Refusal
from judge.game.core.registry import modules_of
from judge.game.table.filling import Advertise
from judge.game.table.proxies import holds_proxy
from judge.mail.queries import PersonRequest, Query
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gathering import InviteByAddress
from judge.report.core.answer import BY_PROXY, Answer
from judge.service import hearing, people, tournament, trust
from judge.service.trust import asking
from judge.service.trust.handlers import Result, handle
from judge.service.trust.sitting import Sitting

_ASKED = "I ask you once more, in a letter of its own; it is done when you answer that with: confirm"


def perform_all(sitting: Sitting) -> None:
    """Carry out what a mail asks for, in its order and within its bounds.

    Orders are counted apart from everything else, so that many commands never keep orders from being filed. Questions
    whose answers show how things stand come last, wherever they are written: an answer tells what is true when it
    leaves, so that "list" above "claim Italy" does not name Italy as vacant.
    """
    most = sitting.house.config.bounds.commands
    orders, others, again = _parted(sitting.script.said)
    beyond = {id(said) for said in (*orders[most:], *others[most:], *again)}
    within = [said for said in sitting.script.said if id(said) not in beyond]
    for said in sorted(within, key=_turn):
        perform(sitting, said)
    for said in again:
        _repeat(sitting, said)
    for kind, what in ((others, "commands"), (orders, "sets of orders")):
        if len(kind) > most:
            _refuse(sitting, kind[most], too_many(most, len(kind) - most, what))
    sitting.answers.sort(key=lambda answer: answer.line)


def _turn(said: ReadRequest) -> int:
    """When a request is carried out: letters about a game leave once the rest of the mail has made it what it is, and
    questions about how things stand come last; what tries something out is asked where it stands.
    """
    if isinstance(said.request, Query) and said.request.once:
        return 2
    return 1 if isinstance(said.request, (InviteByAddress, Advertise)) else 0


def _repeat(sitting: Sitting, said: ReadRequest) -> None:
    """A question that asks what another line of the mail asks is answered there, and says so."""
    enclosed = isinstance(said.request, Query) and said.request.enclosed
    result = Decision(said="" if enclosed else "Asked twice; the answer stands once.")
    sitting.answers.append(
        Answer.of(result, line=said.lines[0], text=said.text, verb=said.verb, game=said.game, enclosed=enclosed)
    )


def _parted(said: Sequence[ReadRequest]) -> tuple[list[ReadRequest], list[ReadRequest], list[ReadRequest]]:
    """(orders, everything else, questions that ask the same as one of these)."""
    orders = [one for one in said if isinstance(one.request, Submit)]
    known: set[tuple[object, str]] = set()
    others: list[ReadRequest] = []
    repeated: list[ReadRequest] = []
    for one in said:
        once = isinstance(one.request, Query) and one.request.once
        again = once and (one.request, one.game) in known
        if not isinstance(one.request, Submit):
            (repeated if again else others).append(one)
        if once:
            known.add((one.request, one.game))
    return orders, others, repeated


def perform(sitting: Sitting, said: ReadRequest) -> None:
    """Carry one request out and note its answer."""
    verb = BY_PROXY if _by_proxy(sitting, said) else said.verb
    before = len(sitting.enclosures)
    result = _spelled(sitting, said, _on_its_line(handle(sitting, said), said.lines[0]))
    about = getattr(said.request, "game", "") or said.game
    if sitting.game(about) is not None:
        sitting.enclosures[before:] = [replace(one, game=about) for one in sitting.enclosures[before:]]
    result = _in_our_words(said, result)
    if isinstance(result, Question):
        asking.note(sitting, said, result)
        result = replace(result, sentence=f"{result.sentence} {_ASKED}")
    enclosed = isinstance(said.request, Query) and said.request.enclosed
    answer = Answer.of(result, line=said.lines[0], text=said.text, verb=verb, game=said.game, enclosed=enclosed)
    if isinstance(said.request, PersonRequest):
        answer = replace(answer, about=said.request.about)
    sitting.note(said, answer)


def _in_our_words(said: ReadRequest, result: Result) -> Result:
    """The answer, which shows our word for a line in the words of an older judge; an enclosure shows it by itself."""
    if not said.here:
        return result
    if isinstance(result, Refusal):
        return replace(result, sentence=f"{said.here} {result.sentence}")
    if isinstance(said.request, Query) and not result.said:
        return result
    return replace(result, said=f"{said.here} {result.said}".strip())


def _spelled(sitting: Sitting, said: ReadRequest, result: Result) -> Result:
    """The answer with its moments in the game's zone and the author's."""
    game = sitting.game(said.game)
    if isinstance(result, Refusal):
        return replace(result, sentence=sitting.spelled(result.sentence, game))
    return replace(result, said=sitting.spelled(result.said, game)) if result.said else result


def _refuse(sitting: Sitting, said: ReadRequest, refusal: Refusal) -> None:
    sitting.note(said, Answer.of(refusal, line=said.lines[0], text=said.text, verb=said.verb, game=said.game))


def too_many(most: int, beyond: int, what: str) -> Refusal:
    """The answer to the first request beyond the bound of a mail, which counts the others."""
    rest = f" and {beyond - 1} more were" if beyond > 1 else " was"
    return Refusal("too-many", f"One mail may hold {most} {what}: this one{rest} not carried out. Send another mail.")


def _by_proxy(sitting: Sitting, said: ReadRequest) -> bool:
    orders = said.request
    game = sitting.game(said.game) if isinstance(orders, Submit) and orders.power else None
    return isinstance(orders, Submit) and game is not None and holds_proxy(game, sitting.actor(game), orders.power)


def _on_its_line(result: Result, line: int) -> Result:
    """Orders that were written elsewhere (a plan, the last turn's) are answered where they were called for."""
    if isinstance(result, Refusal) or not any(verdict.line == 0 for verdict in result.verdicts):
        return result
    return replace(result, verdicts=tuple(replace(v, line=v.line or line) for v in result.verdicts))


modules_of(hearing, people, tournament, trust)
subjects.load_all()  # so that every `@answers` is heard
