"""Making a game by mail: with settings in the mail or in a file, for good or only to see what it would be like."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core.commands import GM_SEAT, Actor, Create, Open, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import GameCreated
from judge.game.core.evolve import begin
from judge.game.office.desk import create
from judge.game.office.undoing import GRAVE_ACTS
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary import SettingsFile, Unclear, read_toml
from judge.mail.vocabulary.founding import DryCreate
from judge.report.core.answer import Enclosure
from judge.report.core.letter import Kind, plain
from judge.report.table.arrivals import created_view
from judge.service.core.persons import may_create, may_not_create
from judge.service.trust.handlers import Result, answers
from judge.service.trust.heard import HeardMail

_SECOND_WORD = (
    "A few acts need a second proof: your password on a line of the same mail, or that it answers a letter of mine "
    f"and comes from your own address; else I ask for your yes. They are: {GRAVE_ACTS}. `undo` takes back most others; "
    "where it cannot, as after `start` and `process`, it says so."
)


@answers
def make(heard: HeardMail, said: ReadRequest, command: Create) -> Result:
    """`create NAME`."""
    decision = _decided(heard, command)
    if isinstance(decision, Decision):
        change = heard.house.keeper.create(_first(decision))
        heard.done.changes[change.after.key] = change
        if any(isinstance(one.request, Open) for one in heard.script.said):
            # No letter about what is still to be decided will follow, which says this.
            return replace(decision, said=f"{decision.said} {_SECOND_WORD}")
    return decision


@answers
def try_out(heard: HeardMail, said: ReadRequest, request: DryCreate) -> Result:
    """`dry-run create NAME`: the rules that the game would have, and what would have to be decided."""
    decision = _decided(heard, request.command)
    if isinstance(decision, Refusal):
        return replace(decision, sentence=tell("It would be refused: {sentence}", sentence=decision.sentence))
    game = begin(_first(decision), heard.house.shelf)
    shown = plain(created_view(game, heard.house.office))
    heard.enclose(Enclosure(Kind.CREATED, {**shown, "ignored": []}))
    return Decision(said=tell("Nothing was done. {game} would be made as shown below.", game=game.key))


def _first(decision: Decision) -> GameCreated:
    event = decision.events[0]
    assert isinstance(event, GameCreated)
    return event


def _decided(heard: HeardMail, command: Create) -> Result:
    person = heard.speaker.acting
    if person is None or not may_create(heard.house, heard.unit, person):
        return may_not_create(heard.house, "games")
    if heard.game(command.key.lower()) is not None:
        return Refusal(
            "exists", tell("There is a game named {command} already; choose another name.", command=command.key)
        )
    attached = attached_settings(heard)
    if isinstance(attached, Refusal):
        return attached
    preset = command.preset or attached.preset
    command = replace(command, preset=preset, settings=(*attached.pairs, *command.settings))
    return create(command, Context(Actor(Role.GM, GM_SEAT, person.id), heard.now, systems=heard.house.shelf))


def attached_settings(heard: HeardMail) -> SettingsFile | Refusal:
    """A preset and settings in attached TOML files; what the mail itself says goes before them."""
    preset = ""
    pairs: list[tuple[str, str]] = []
    for attachment in heard.envelope.attachments:
        if not attachment.name.lower().endswith(".toml") or not attachment.text:
            continue
        found = read_toml(attachment.text)
        if isinstance(found, Unclear):
            write = tell(" Write there: {candidates}", candidates=found.candidates[0]) if found.candidates else ""
            return Refusal(found.reason, f"{attachment.name}: {found.sentence}{write}")
        preset = found.preset or preset
        pairs += found.pairs
    return SettingsFile(preset, tuple(pairs))
