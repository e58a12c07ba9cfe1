"""Words of observers and editors: to the Gamemaster always, to the players where the house rules allow it.

They are letters of their own and no press: nothing of them stands in reports, and they are few a day.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.core.commands import Colour, Role, SendPress
from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.talk.editors import edits
from judge.game.talk.press import GM
from judge.report.core.alerts import alert
from judge.service.core.readers import topic_of
from judge.service.posting.operator import tell_gm
from judge.service.trust.handlers import Result
from judge.service.trust.sitting import Sitting
from judge.store.rows import Person

A_DAY = 5
"""Letters of one onlooker about one game in a day."""
LONGEST = 200
"""Lines of one."""


@dataclass(frozen=True, slots=True)
class _Onlooker:
    """Somebody who only looks on, as what (which stands in a subject), and the command that answers them."""

    name: str
    as_what: str
    does: str
    answer: str


def _onlooker(game: Game, person: Person) -> _Onlooker:
    if edits(game, person.id):
        does = f"is an editor of {game.key} and writes"
        return _Onlooker(person.name, "an editor", does, "`press to editors` answers; all editors read it.")
    does = f"observes {game.key} and writes"
    return _Onlooker(person.name, "who observes", does, "`press to observers` answers; they all read it.")


def from_onlooker(sitting: Sitting, game: Game, command: SendPress) -> Result | None:
    """What becomes of press from somebody who only looks on; None for everybody else."""
    person = sitting.speaker.acting
    if person is None or sitting.actor(game).role is not Role.STRANGER:
        return None
    if all(row.topic != topic_of(game.key) for row in sitting.unit.lists.subscriptions(person.id)):
        return None
    who = _onlooker(game, person)
    if (refusal := _forbidden(game, command, person.id)) is not None:
        return refusal
    if not sitting.unit.contacts.allow(f"person:{person.id}", f"onlooker/{game.key}", sitting.now.date(), A_DAY):
        return Refusal(
            "enough-today", f"You have written {A_DAY} letters about {game.key} today; please go on tomorrow."
        )
    if command.to == (GM,):
        return _to_gm(sitting, game, who, command.text)
    return _to_players(sitting, game, who, command)


def _forbidden(game: Game, command: SendPress, person: int) -> Refusal | None:
    if game.stage is Stage.FORMING:
        return Refusal("not-open", f"{game.key} is not open yet.")
    if not command.text.strip():
        return Refusal("empty-press", "There is no text to pass on. Write it below the line that says press.")
    if command.colour is not Colour.WHITE:
        return Refusal("observers-sign", "Observers and editors sign what they write.", mend="press to gm")
    if command.to == (GM,):
        return None
    what = "editors" if edits(game, person) else "observers"
    allowed = game.settings.press_from_editors if what == "editors" else game.settings.press_from_observers
    if allowed:
        return None
    sentence = f"In {game.key} {what} write to the Gamemaster alone."
    return Refusal("observers-off", sentence, mend="press to gm", clause=f"press_from_{what}")


def _to_gm(sitting: Sitting, game: Game, who: _Onlooker, text: str) -> Result:
    tell_gm(
        sitting.house, sitting.unit, game.key, f"onlooker/{sitting.mail.id}/{len(sitting.commands)}",
        subject=f"{who.name}, {who.as_what}, writes", quoted=text.splitlines()[:LONGEST],
        items=(f"{who.name} {who.does} to you. {who.answer}",),
    )  # fmt: skip
    return Decision(said="Your letter goes to the Gamemaster.")


def _to_players(sitting: Sitting, game: Game, who: _Onlooker, command: SendPress) -> Result:
    """To the players of the powers that are named, or to all; the Gamemaster reads what goes to all."""
    wanted = set(command.to) if not command.everyone else set(game.board.powers) - set(command.but)
    readers = {seat.id: seat.person for seat in game.seats.values() if seat.person and wanted.intersection(seat.powers)}
    if not readers:
        return Refusal("no-recipient", "Nobody plays what you named; say to whom, or to all.", mend="press to all")
    answer = who.answer if game.settings.observer_press else ""
    for seat, person in readers.items():
        letter = alert(
            sitting.ledger.members[person], sitting.house.office,
            key=f"{game.key}/onlooker/{sitting.mail.id}/{len(sitting.commands)}/{seat}",
            subject=f"{who.name}, {who.as_what}, writes", quoted=command.text.splitlines()[:LONGEST],
            items=(f"{who.name} {who.does} to you. {answer}".rstrip(),), game=game.key, seat=seat,
        )  # fmt: skip
        sitting.send(letter)
    if command.everyone:
        _to_gm(sitting, game, who, command.text)
    return Decision(said=f"Your letter goes to {len(readers)} players.")
