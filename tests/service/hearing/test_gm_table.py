"""Every command of a Gamemaster, in every state of a game, from every kind of writer.

Nothing breaks and no word of ours comes out; each line is answered, with a reason that is true in that state; whoever
has no authority changes nothing; what was taken is what `undo` takes back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from judge.game.core.model import Game
from judge.mail.vocabulary import VERBS
from judge.mail.vocabulary.model import GMS
from judge.store.rows import LetterState
from judge.testing.under_test import GM
from tests.support.tables import (
    ADDRESSES,
    DEPUTY,
    FRANCE,
    GOVERNING,
    ITALY,
    KNOWN,
    RESERVE,
    STATES,
    WRITERS,
    Hall,
    Table,
)

EXAMPLES = {
    verb.name: verb.example.replace("F1905M", "S1901M").replace("5 May 2027", "5 March 2027")
    .replace("deputy@judge.test", KNOWN).replace("carla@players.test", KNOWN).replace("standby@players.test", RESERVE)
    .replace("Jane Doe", "Rita Waitlong" if verb.name in ("approve", "refuse") else "Player Italy")
    for verb in VERBS if verb.roles == GMS
}  # fmt: skip
"""Verb -> its example, with names of this table."""
OWN = ("press to England: What now?", "extend 48h", "clear", "poll: Shall we pause?", "statement: Well played.",
       "split winter", "recall 1", "amend rule draw_from = F1905")  # fmt: skip
"""What a Gamemaster writes that players write too."""
SOON = ("open", "grace", "cancelled", "finished")
"""States of which a sample is always looked at; the long sets take all of all."""

GOVERNED = tuple(state for state in STATES if state not in ("practice", "sandbox"))
"""States of games that have a Gamemaster."""

INTERNAL = re.compile(
    r"\bNone\b(?! of)|Traceback|object at 0x|Undefined|\{[{%]|\bjudge\.(?!test)[a-z]|[A-Z]\w+\([a-z_]+="
    r"|\b(?:Stage|Role|Kind|Status)\.[A-Za-z]|\w+Error\b|datetime\.|<[a-z]+ object"
)
BEFORE, ENDED = ("forming", "open", "approval", "full"), ("finished", "drawn", "archived", "cancelled")
FALSE = {
    **dict.fromkeys(BEFORE, r"has started already|has ended|has begun"),
    **dict.fromkeys(ENDED, r"already; |opened already|started already|before (?:its|the) start|before that"
                           r"|not drawn yet|not begun|has begun|not open yet"),
}  # fmt: skip
"""What no refusal may say in a state, for it is not so."""
OF_ITSELF = ("results", "corrected", "tournament")
"""What everybody gets of a turn or a tournament, whoever brought it about; the answer beside it says what was done."""
FALSE_WHILE_RUNNING = r"not begun|has ended|not open yet|is not running|not drawn yet|before its start"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"))


@dataclass(frozen=True)
class Heard:
    """What became of the lines of a mail: (verb, status, sentence) of each."""

    state: str
    lines: tuple[tuple[str, str, str], ...]

    @property
    def taken(self) -> bool:
        return any(status == "taken" for _, status, _ in self.lines)


def heard(table: Table) -> Heard:
    """What became of the last mail; whatever it was, it broke nothing."""
    mail = table.mail
    facts = json.loads(mail.verdict or "{}")
    with table.stage.judge.store.read() as view:
        assert not view.letters.list(states=(LetterState.BROKEN,), limit=10)
    lines = [(one["verb"], one["status"], one["reason"] or "") for one in facts.get("commands", ())]
    lines += [("", "unread", one["reason"]) for one in facts.get("unread", ())]
    return Heard(str(mail.state), tuple(lines))


def faults(state: str, said: Heard, table: Table, writer: str) -> Iterator[str]:
    """What is wrong with the answer to a mail, by itself."""
    if said.state not in ("processed", "held", "ignored"):
        yield f"the mail is {said.state}"
    for letter in table.written:
        if found := INTERNAL.search(f"{letter.subject}\n{letter.text}"):
            yield f"to {letter.to}: {found[0]}"
    if said.state == "processed" and not any(letter.to == writer for letter in table.written):
        yield "no answer"
    kinds = [letter.header("X-Judge-Kind") for letter in table.written if letter.to == writer]
    if len(said.lines) == 1 and len([kind for kind in kinds if kind not in OF_ITSELF]) > 1:
        yield f"one line is answered by several letters: {', '.join(kinds)}"
    for verb, status, sentence in said.lines:
        if status != "taken" and re.search(FALSE.get(state, FALSE_WHILE_RUNNING), sentence):
            yield f"{verb}: not so: {sentence}"


def essence(game: Game) -> dict[str, object]:
    """What an undo puts back: of a seat its player, its power and no more, for orders are sent again."""
    seats = {seat.id: (seat.person, seat.powers) for seat in game.seats.values()}
    names = "stage position settings held_since held_until held_reason headline notes deputy heir barred imported"
    deadline = game.deadline.at if game.deadline else None
    return {"seats": seats, "due": deadline, **{name: getattr(game, name) for name in names.split()}}


def undone(table: Table, before: Game, verb: str, state: str) -> Iterator[str]:
    """What is left of an act after its undo was taken."""
    table.say("gm", "undo")
    if not heard(table).taken:
        return
    was, now = essence(before), essence(table.stage.game(table.key))
    if verb in ("deputy", "undo", "take that back"):
        return  # there was another deputy before, and an undo is none
    if verb == "assign":
        was.pop("due"), now.pop("due")  # whoever has the seat again sends orders anew, and has the time for it
    yield from (f"undo leaves {name}: {now[name]}, not {was[name]}" for name in was if was[name] != now[name])


CELLS = list(EXAMPLES.items()) + [(line.split()[0].rstrip(":"), line) for line in OWN]


def findings(hall: Hall, state: str, every: int = 1) -> list[str]:
    """What the Gamemaster's own commands come to in a state; of the commands, one in so many."""
    found = []
    with hall.at(state) as table:
        for number, (verb, line) in enumerate(CELLS[len(state) % every :: every], 1):
            if number % 25 == 0:
                table.reset()  # whoever writes too many mails in a day is answered less
            log, before = table.log, table.stage.game(table.key)
            table.say("gm", line)
            said = heard(table)
            wrong = list(faults(state, said, table, GM))
            if table.log != log:
                wrong += [] if said.taken else ["refused, and yet something was done"]
                wrong += undone(table, before, verb, state) if before.stage == table.stage.game(table.key).stage else []
                table.reset()
            found += [f"{state}: {line}: {fault}" for fault in wrong]
    return found


@pytest.mark.parametrize("state", SOON)
def test_the_gamemaster_is_answered_truly_in_some_states(hall: Hall, state: str) -> None:
    assert findings(hall, state, every=18) == []


@pytest.mark.long
@pytest.mark.parametrize("state", GOVERNED)
def test_the_gamemaster_is_answered_truly_in_every_state(hall: Hall, state: str) -> None:
    assert findings(hall, state) == []


def trespasses(hall: Hall, state: str) -> list[str]:
    """What others achieve with a Gamemaster's commands, all in one mail; each by itself is read the same way."""
    found = []
    lines = [line for verb, line in EXAMPLES.items() if verb not in ("official", "import position", "order as")]
    with hall.at(state) as table:
        for writer in (one for one in WRITERS if one not in GOVERNING):
            log = table.log
            table.say(writer, "\n".join(lines))
            said = heard(table)
            found += [f"{state}, {writer}: {fault}" for fault in faults(state, said, table, "")
                      if fault != "no answer"]  # fmt: skip
            if table.log != log:
                found.append(f"{state}, {writer}: {[event.kind for event in table.log[len(log) :]]}")
                table.reset()
            letters = [letter for letter in table.written if letter.to not in _entitled(writer)]
            found += [f"{state}, {writer}: a letter to {letter.to}: {letter.subject}" for letter in letters]
            if said.state == "processed" and not [letter for letter in table.written if letter.to in _entitled(writer)]:
                found.append(f"{state}, {writer}: no answer")
    return found


def _entitled(writer: str) -> tuple[str, ...]:
    """Who may get a letter on account of a mail that achieves nothing: its writer, and whose word is asked for."""
    return (ADDRESSES.get(writer, KNOWN), *((GM,) if writer in ("unproved", "denied", "stolen") else ()))


@pytest.mark.parametrize("state", SOON[1:2])
def test_nobody_else_changes_anything_with_a_gamemasters_commands(hall: Hall, state: str) -> None:
    assert trespasses(hall, state) == []


@pytest.mark.long
@pytest.mark.parametrize("state", [state for state in GOVERNED if state not in SOON[1:2]])
def test_nobody_else_changes_anything_in_any_other_state(hall: Hall, state: str) -> None:
    assert trespasses(hall, state) == []


AFTER_THE_END = {
    "checklist", "log", "rollback", "reopen", "amend", "official", "deputy", "editor", "hand over", "amend as",
    "undo", "take that back", "import position",
}  # fmt: skip
"""What is still to be had: looking, a turn taken back with its ending, letters, and the office itself."""


@pytest.mark.parametrize("state", ["drawn", "cancelled"])
def test_a_game_that_is_over_takes_no_act_of_its_gamemaster_that_is_about_playing(hall: Hall, state: str) -> None:
    with hall.at(state) as table:
        log = table.log
        lines = [line for verb, line in EXAMPLES.items() if verb not in AFTER_THE_END]
        table.say("gm", "\n".join([*lines, "set grace 6h", "set press none", "extend 48h", "amend rule grace = 6h"]))
        said = heard(table)
        assert [verb for verb, status, _ in said.lines if status == "taken"] == ["set"]
        assert [event.kind for event in table.log[len(log) :]] == ["SettingChanged"]
        assert any("so grace stays as it was played" in sentence for _, _, sentence in said.lines)


@pytest.mark.parametrize("state", ["practice", "sandbox"])
def test_a_board_for_one_person_has_no_gamemaster_and_no_votes(hall: Hall, state: str) -> None:
    """Its player is told so: neither sent to a Gamemaster who is not there, nor let to vote alone."""
    with hall.at(state) as table:
        log = table.log
        lines = [line for verb, line in EXAMPLES.items() if verb not in ("process", "import position", "order as")]
        table.say("player", "\n".join([*lines, "poll: Shall we?", "draw", "amend rule grace = 6h", "extend 48h"]))
        said = heard(table)
        assert list(faults(state, said, table, FRANCE)) == [] and table.log == log
        assert not [sentence for _, _, sentence in said.lines if f"Gamemaster of {table.key}" in sentence]
        assert sum("is a board for one person" in sentence for _, _, sentence in said.lines) > 30


def test_a_deputy_does_what_the_gamemaster_does_but_for_what_is_grave(hall: Hall) -> None:
    with hall.at("moves") as table:
        table.say("deputy", "extend 24h")
        assert heard(table).taken
        table.say("deputy", "rollback S1901M")
        assert not heard(table).taken and any(letter.to == DEPUTY for letter in table.written)


# --- what the sweep has found -------------------------------------------------------------------------------------


def told(table: Table, line: str) -> str:
    table.say("gm", line)
    return " ".join(table.stage.inbox(GM)[-1].text.split())


def test_a_letter_to_a_power_that_nobody_has_is_not_said_to_go_there(hall: Hall) -> None:
    with hall.at("open") as table:
        assert "powers of tannenburg are not drawn yet" in told(table, "press to England: Hello")
    with hall.at("vacant") as table:
        assert "Russia has no player now, so nobody would read it." in told(table, "press to Russia: Hello")
        assert "Russia has no player: nobody reads it there." in told(table, "press to Russia, Italy: Hello")
        told(table, "set inherit_press yes")
        assert "Russia has no player now; the next player reads it." in told(table, "press to Russia: Hello")


def test_a_seat_taken_by_mistake_is_given_back_whole(hall: Hall) -> None:
    """The player is no newcomer, the deadline stays, and may come back later like anybody else."""
    with hall.at("moves") as table:
        before = table.stage.game(table.key)
        told(table, "vacate France")
        assert "France has its former player again" in told(table, "undo")
        assert essence(table.stage.game(table.key)) == essence(before)


def test_a_statement_that_nobody_has_read_is_not_said_to_be_read(hall: Hall) -> None:
    with hall.at("moves") as table:
        told(table, "statement: Well played.")
        answer = told(table, "undo")
        assert "players have read it" not in answer and "another one replaces it" in answer


def test_nobody_who_is_invited_to_a_full_table_is_promised_a_seat(hall: Hall) -> None:
    with hall.at("full") as table:
        assert "No seat is free now; anyone who answers may wait" in told(table, "invite ina@club.test")


def test_a_hold_for_a_week_is_for_a_week(hall: Hall) -> None:
    with hall.at("moves") as table:
        assert "it goes on by itself on Fri 8 Jan 12:00 UTC" in told(table, "Please pause the game for a week")


@pytest.mark.parametrize(("state", "line", "kind"), [("full", "start", "started"), ("moves", "end game", "ended")])
def test_who_starts_or_ends_a_game_gets_one_letter_that_says_it_all(
    hall: Hall, state: str, line: str, kind: str
) -> None:
    with hall.at(state) as table:
        table.say("gm", line)
        (own,) = [letter for letter in table.written if letter.to == GM]
        assert own.header("X-Judge-Kind") == kind and own.header("In-Reply-To") == table.mail.message_id


def test_of_a_deadline_that_a_replacement_moves_everybody_hears_once(hall: Hall) -> None:
    """The new player from the letter that seats them, whoever seated them from the answer; a deputy's act is news to
    the Gamemaster.
    """
    with hall.at("grace") as table:
        table.say("gm", f"assign France to {KNOWN}")
        deadline = "Fri 15 Jan 2027, 12:00 UTC"
        told = {letter.to: letter.header("X-Judge-Kind") for letter in table.written if deadline in letter.text}
        assert (told[GM], told[KNOWN], told[ITALY]) == ("receipt", "takeover", "notice")
        assert len([one for one in table.written if one.to in (GM, KNOWN)]) == 2
        table.reset()
        table.say("deputy", f"assign France to {KNOWN}")
        table.stage.send(DEPUTY, "confirm", to=table.stage.inbox(DEPUTY)[-1].reply_to)
        told = {letter.to: letter.header("X-Judge-Kind") for letter in table.written if deadline in letter.text}
        assert (told[GM], told[DEPUTY], told[KNOWN]) == ("notice", "receipt", "takeover")


def test_beside_other_lines_the_letter_of_the_start_leaves_the_receipt_its_place(hall: Hall) -> None:
    with hall.at("full") as table:
        table.say("gm", "start\nnote: Have fun, everybody.")
        own = [letter.header("X-Judge-Kind") for letter in table.written if letter.to == GM]
        assert sorted(own) == ["receipt", "started"]


def test_a_gamemaster_who_reports_a_forgery_needs_not_be_told_of_it(hall: Hall) -> None:
    with hall.at("moves") as table:
        table.say("gm", "report forgery")
        (own,) = [letter for letter in table.written if letter.to == GM]
        assert "the operator is told" in " ".join(own.text.split())
