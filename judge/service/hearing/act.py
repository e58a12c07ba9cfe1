"""The stage `act`: what a mail asks for is carried out, in its order and within its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge import subjects
from judge.game.core.commands import Decision, Question, Refusal, Status, Submit
from judge.game.core.evolve import modules_of
from judge.game.table.filling import Advertise
from judge.game.table.substitutes import holds_proxy
from judge.languages import tell, told_later
from judge.mail.queries import PersonRequest, Query
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.founding import InviteByAddress
from judge.report.core.letter import BY_PROXY, Answer
from judge.service import hearing, people, tournament, trust
from judge.service.trust.heard import HeardMail, Result, handle
from judge.service.trust.lateness import settle_order

_ASKED = told_later("I ask you once more, in a letter of its own; it is done when you answer that with: confirm")


def act(heard: HeardMail) -> HeardMail:
    """The mail with what it has done: every request is carried out, in its order and within its bounds.

    Orders are counted apart from everything else, so that many commands never keep orders from being filed. Questions
    whose answers show how things stand come last, wherever they are written: an answer tells what is true when it
    leaves, so that "list" above "claim Italy" does not name Italy as vacant.
    """
    if not heard.stranger:
        heard = settle_order(heard)
    most = heard.judge.config.bounds.commands
    orders, others, again = _parted(heard.script.said)
    beyond = {id(said) for said in (*orders[most:], *others[most:], *again)}
    within = [said for said in heard.script.said if id(said) not in beyond]
    for said in sorted(within, key=_turn):
        heard = perform(heard, said)
    for said in again:
        _repeat(heard, said)
    for kind, what in ((others, told_later("commands")), (orders, told_later("sets of orders"))):
        if len(kind) > most:
            _refuse(heard, kind[most], too_many(most, len(kind) - most, what))
    heard.done.answers.sort(key=lambda answer: answer.line)
    return heard


def _turn(said: ReadRequest) -> int:
    """When a request is carried out: letters about a game leave once the rest of the mail has made it what it is, and
    questions about how things stand come last; what tries something out is asked where it stands.
    """
    if isinstance(said.request, Query) and said.request.once:
        return 2
    return 1 if isinstance(said.request, (InviteByAddress, Advertise)) else 0


def _repeat(heard: HeardMail, said: ReadRequest) -> None:
    """A question that asks what another line of the mail asks is answered there, and says so."""
    enclosed = isinstance(said.request, Query) and said.request.enclosed
    result = Decision(said="" if enclosed else tell("Asked twice; the answer stands once."))
    heard.done.answers.append(
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


def perform(heard: HeardMail, said: ReadRequest) -> HeardMail:
    """Carry one request out and note its answer; the mail, whose author may have become a person by it."""
    verb = BY_PROXY if _by_proxy(heard, said) else said.verb
    before = len(heard.done.enclosures)
    result = _spelled(heard, said, _on_its_line(handle(heard, said), said.lines[0]))
    about = getattr(said.request, "game", "") or said.game
    if heard.game(about) is not None:
        heard.done.enclosures[before:] = [replace(one, game=about) for one in heard.done.enclosures[before:]]
    result = _in_our_words(said, result)
    if isinstance(result, Question):
        heard.done.questions.append((said, result))
        result = replace(result, sentence=f"{result.sentence} {tell(_ASKED)}")
    enclosed = isinstance(said.request, Query) and said.request.enclosed
    answer = Answer.of(result, line=said.lines[0], text=said.text, verb=verb, game=said.game, enclosed=enclosed)
    if isinstance(said.request, PersonRequest):
        answer = replace(answer, about=said.request.about)
    _note(heard, said, answer)
    newcomer = heard.done.newcomer
    return heard if newcomer is None else replace(heard, speaker=replace(heard.speaker, person=newcomer))


def _note(heard: HeardMail, said: ReadRequest, answer: Answer) -> None:
    """Keep what became of a request, for the receipt and for the log."""
    done = heard.done
    done.answers.append(answer)
    if isinstance(said.request, Submit):
        done.commands += [
            _fact(said, v.line, v.text, v.status, v.sentence or v.reason, v.order) for v in answer.verdicts
        ]
        if answer.verdicts:
            return
    done.commands.append(_fact(said, said.lines[0], said.text, answer.status, answer.sentence, ""))


def _fact(said: ReadRequest, line: int, text: str, status: Status, reason: str, order: str) -> dict[str, Any]:
    return {
        "line": line, "text": text, "verb": said.verb, "game": said.game, "status": str(status), "reason": reason,
        "order": order or None,
    }  # fmt: skip


def _in_our_words(said: ReadRequest, result: Result) -> Result:
    """The answer, which shows our word for a line in the words of an older judge; an enclosure shows it by itself."""
    if not said.here:
        return result
    if isinstance(result, Refusal):
        return replace(result, sentence=f"{said.here} {result.sentence}")
    if isinstance(said.request, Query) and not result.said:
        return result
    return replace(result, said=f"{said.here} {result.said}".strip())


def _spelled(heard: HeardMail, said: ReadRequest, result: Result) -> Result:
    """The answer with its moments in the game's zone and the author's."""
    game = heard.game(said.game)
    if isinstance(result, Refusal):
        return replace(result, sentence=heard.spelled(result.sentence, game))
    return replace(result, said=heard.spelled(result.said, game)) if result.said else result


def _refuse(heard: HeardMail, said: ReadRequest, refusal: Refusal) -> None:
    _note(heard, said, Answer.of(refusal, line=said.lines[0], text=said.text, verb=said.verb, game=said.game))


def too_many(most: int, beyond: int, what: str) -> Refusal:
    """The answer to the first request beyond the bound of a mail, which counts the others."""
    return Refusal(
        "too-many",
        tell(
            "One mail may hold {most} {what}: this one and {beyond} more were not carried out. Send another mail."
            if beyond > 1
            else "One mail may hold {most} {what}: this one was not carried out. Send another mail.",
            most=most,
            what=tell(what),
            beyond=beyond - 1,
        ),
    )


def _by_proxy(heard: HeardMail, said: ReadRequest) -> bool:
    orders = said.request
    game = heard.game(said.game) if isinstance(orders, Submit) and orders.power else None
    return isinstance(orders, Submit) and game is not None and holds_proxy(game, heard.actor(game), orders.power)


def _on_its_line(result: Result, line: int) -> Result:
    """Orders that were written elsewhere (a plan, the last turn's) are answered where they were called for."""
    if isinstance(result, Refusal) or not any(verdict.line == 0 for verdict in result.verdicts):
        return result
    return replace(result, verdicts=tuple(replace(v, line=v.line or line) for v in result.verdicts))


modules_of(hearing, people, tournament, trust)
subjects.load_all()  # so that every `@answers` is heard
