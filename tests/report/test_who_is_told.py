"""Who is told what: a game in which nearly everything happens, and after each act the table of who is told of it.

Completeness: everybody whom the table names for an event gets a letter about it, but for whoever did it. Soundness:
nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.acts.absences import AbsenceNoted, AbsencesEnded, Away, Back
from judge.acts.appeals import (
    AppealDecided,
    AppealMade,
    AppealReopened,
    AppealWithdrawn,
    DecideAppeal,
    MakeAppeal,
    ReopenAppeal,
)
from judge.acts.nudging import Nudge, PlayersNudged
from judge.acts.office import (
    Adopt,
    Deputize,
    DeputyDismissed,
    DeputyNamed,
    GameOffered,
    HandOver,
    WithdrawOffer,
)
from judge.game.clock.clockwork import WordAwaited
from judge.game.clock.holds import HoldGame, Resume
from judge.game.clock.ladder import UNVOTED
from judge.game.clock.schedule import GraceMoved, TimeLost
from judge.game.clock.turnover import TurnSplit
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Question, Refusal
from judge.game.core.events import VoteCalled, VoteClosed
from judge.game.filing.advance import KeptBound
from judge.game.office.rulings import Revealed
from judge.game.office.undoing import GraceRestored
from judge.game.repair.correcting import CorrectPosition, PositionCorrected
from judge.game.repair.rewriting import PhaseReopened, Reopen, RollBack, RolledBack
from judge.game.table.filling import FillingSet, HopefulLeft, JoinedTold, ReserveJoined, SeatApplied, TurnedAway
from judge.game.table.seating import StartCalledOff, StartScheduled
from judge.game.table.substitutes import (
    BeSubstitute,
    EndSubstitute,
    GiveProxy,
    ProxyGiven,
    SeekSubstitute,
    SubstituteEnded,
    SubstituteFound,
    SubstituteSought,
)
from judge.game.table.vacancies import Disorder, DisorderChanged, PlayerExcused
from judge.game.talk.ballots import ProposeDraw, ProposePoll, RulesAmended, Vote
from judge.game.talk.closing import WORD
from judge.game.talk.epilogue import Statement, StatementMade, StatementsPublished, StatementsReminded
from judge.game.talk.press import DismissEditor, EditorDismissed, EditorNamed, NameEditor
from judge.report.core.audience import (
    AUDIENCE,
    CONCERNED,
    FORMER,
    HOPEFUL,
    OFFICE,
    PUBLIC,
    TABLE,
    Audience,
    Involvement,
    Matter,
    audience_of,
    did,
    involvement_of,
)
from judge.report.core.letter import Cast, Letter, Member, Reader
from judge.report.mailing import letters_for
from tests.report.conftest import read
from tests.support.builders import GM, START, Table, cast_of

MAPS = Path(__file__).parents[2] / "maps"
HEIR, DEPUTY, OTHER, OBSERVER, EDITOR, STANDBY = 201, 200, 202, 300, 301, 400


def everybody() -> Cast:
    plain = cast_of()
    more = {
        one: Member(one, f"Person {one}", f"p{one}@players.test")
        for one in (HEIR, DEPUTY, OTHER, OBSERVER, EDITOR, STANDBY)
    }
    return replace(plain, members={**plain.members, **more}, observers=(OBSERVER, EDITOR), standbys=(STANDBY,))


CAST = everybody()

Act = tuple[cmd.Command, cmd.Actor]


def played(table: Table) -> Iterator[Act]:
    """The acts, one by one; each is told before the next one is made."""
    gm, france, italy = table.gm, table.player("FRANCE"), table.player("ITALY")
    deputy = replace(gm, deputy=DEPUTY)
    yield NameEditor(EDITOR), gm
    yield Deputize(OTHER, START + timedelta(days=20)), gm
    yield Deputize(DEPUTY, START + timedelta(days=30)), gm
    yield cmd.Extend(timedelta(days=1), "a wedding"), deputy
    yield cmd.Extend(timedelta(days=1)), gm
    yield Away(START + timedelta(days=20), START + timedelta(days=22)), france
    yield Back(), france
    yield HoldGame("a flood"), deputy
    yield Resume(), gm
    yield Nudge(("ITALY",), "please"), gm
    yield ProposeDraw(()), france
    yield Vote(aye=False), italy
    yield ProposePoll("who cares?"), gm
    yield cmd.ChangeSettings("min_phase", "30h"), gm
    yield GiveProxy("GERMANY"), france
    yield SeekSubstitute(START + timedelta(days=20)), france
    yield BeSubstitute("FRANCE"), cmd.Actor(cmd.Role.STRANGER, "", STANDBY)
    yield cmd.SendPress("hello", (), everyone=True), deputy
    yield cmd.SendPress("hello", ("ITALY",)), france
    yield EndSubstitute(), replace(france, deputy=STANDBY)
    yield cmd.Process("S1901M"), replace(deputy, agreed=("process",))
    yield MakeAppeal("A Par H"), france
    yield DecideAppeal(1, stands=True, why="it holds"), deputy
    yield ReopenAppeal(1), gm
    yield CorrectPosition("A Par at Pic"), gm
    yield RollBack("S1901M", "a slip"), gm
    yield Reopen("S1901M", "once more"), deputy
    yield cmd.Vacate("TURKEY", "gone"), gm
    yield Disorder("TURKEY"), gm
    yield cmd.Assign("TURKEY", 8), gm
    yield DismissEditor(EDITOR), gm
    yield HandOver(OTHER), gm
    yield HandOver(HEIR), gm
    yield WithdrawOffer(), gm
    yield HandOver(HEIR), gm
    yield Adopt(), cmd.Actor(cmd.Role.STRANGER, "", HEIR)
    yield cmd.EndGame("draw"), replace(gm, person=HEIR)
    yield Statement("Well played."), france


def letters_of(table: Table) -> tuple[Letter, ...]:
    return tuple(map(read, letters_for(table.before, table.last, table.game, CAST, tuple(table.events))))


def make(table: Table, command: cmd.Command, actor: cmd.Actor) -> bool:
    """Whether the act was done; a question about it is answered with yes."""
    answer = table.tell(command, actor)
    if isinstance(answer, Question):
        answer = table.tell(command, replace(actor, agreed=(answer.about,)))
    assert not isinstance(answer, Refusal), (command, answer)
    return bool(table.last)


def audience(table: Table) -> Audience:
    return Audience(table.game, table.before, CAST, table.now)


def persons_told(table: Table) -> list[tuple[ev.Event, set[int]]]:
    """Of each event the persons at and beside the table who are to be told of it."""
    return [(event, {reader.member.person for reader in audience(table).told(event)}) for event in table.last]


def beside(table: Table, event: ev.Event) -> set[int]:
    """Persons without a place in the game whom an event may be told besides."""
    involved, found = audience_of(event), set[int]()
    if Involvement.CONCERNED in involved:
        found |= {getattr(event, "person", 0)}
    if Involvement.FORMER in involved and table.before is not None:
        before = table.before
        found |= {before.heir, before.gm, before.deputy.person if before.deputy else 0}
    if isinstance(event, (DeputyNamed, DeputyDismissed)) and table.before is not None and table.before.deputy:
        found |= {table.before.deputy.person}
    return found | ({STANDBY} if Involvement.HOPEFUL in involved else set())


SAID_ELSEWHERE = (ev.DeadlineSet, ev.PressSent, StatementMade)
"""Events whose news another letter of the same act may say, or a later one (statements are sealed until all are in), or
that go to those to whom they are addressed."""


def test_everybody_is_told_as_the_table_says_and_nobody_else_is() -> None:
    table = Table(MAPS, {"press": "white", "nmr": "grace", "proxies": "yes"}).seated().started()
    seen: set[object] = set()
    for command, actor in played(table):
        if not make(table, command, actor):
            continue
        letters = letters_of(table)
        got = {letter.person for letter in letters}
        wanted = persons_told(table)
        for event, persons in wanted:
            seen |= {type(event)} if audience_of(event) else set()
            if not isinstance(event, SAID_ELSEWHERE):
                assert persons <= got, (command, type(event).__name__, persons - got)
        doers = {reader.member.person for event in table.last for reader in audience(table).told(event, doer=True)}
        allowed = doers.union(*(beside(table, event) for event in table.last))
        answered = {letter.person for letter in letters if letter.answers}
        addressed = set(CAST.members) if any(isinstance(event, ev.PressSent) for event in table.last) else set()
        assert got <= allowed | answered | addressed, (command, got - allowed)
    missing = {matter for matter in AUDIENCE if isinstance(matter, type)} - seen
    assert len(seen) >= 26, sorted(one.__name__ for one in missing)


def test_a_deputy_reads_what_the_gamemaster_reads_under_their_own_name() -> None:
    table = Table(MAPS, {"press": "white"}).seated().started()
    make(table, Deputize(DEPUTY, START + timedelta(days=30)), table.gm)
    make(table, cmd.Process("S1901M"), table.gm)
    make(table, MakeAppeal("A Par H"), table.player("FRANCE"))
    letters = letters_of(table)
    assert {letter.person for letter in letters} == {GM, DEPUTY}
    mine = next(letter for letter in letters if letter.person == DEPUTY)
    theirs = next(letter for letter in letters if letter.person == GM)
    assert mine.view["frame"]["name"] == f"Person {DEPUTY}" and mine.view["frame"]["to"] == "deputy"
    assert mine.idem_key != theirs.idem_key and mine.reply_as == "" and mine.view["answers"] == theirs.view["answers"]
    make(table, cmd.SendPress("hello", (), everyone=True), replace(table.gm, deputy=DEPUTY))
    (source,) = {str(letter.view["source"]) for letter in letters_of(table)}
    assert f"Person {DEPUTY}" in source and "Gina" not in source


@pytest.mark.parametrize("later", [29, 31])
def test_a_deputy_is_one_until_their_day(later: int) -> None:
    table = Table(MAPS, {"press": "white"}).seated().started()
    make(table, Deputize(DEPUTY, START + timedelta(days=30)), table.gm)
    table.now = START + timedelta(days=later)
    make(table, cmd.SendPress("hello", ("GM",)), table.player("FRANCE"))
    assert {letter.person for letter in letters_of(table)} == ({GM, DEPUTY} if later < 30 else {GM})


def test_whoever_did_it_is_the_person_and_not_the_office() -> None:
    table = Table(MAPS).seated().started()
    act = ev.NoteWritten(at=START, by=GM_SEAT, text="x")
    chief, deputy = Reader(GM_SEAT, Member(GM, "Gina")), Reader(GM_SEAT, Member(DEPUTY, "Dan"), deputy=True)
    assert did(act, chief) and not did(act, deputy)
    assert did(replace(act, deputy=DEPUTY), deputy) and not did(replace(act, deputy=DEPUTY), chief)
    assert involvement_of(table.game, deputy, frozenset()) is Involvement.DEPUTY


# --- as the handbook prints it ------------------------------------------------------------------------------------

ROWS: dict[str, tuple[Matter, ...]] = {
    "a new game": (ev.GameCreated,),
    "the last seat is taken": (ev.PlayerJoined,),
    "who has joined, once a day": (JoinedTold,),
    "somebody asks for a seat": (SeatApplied,),
    "a seat is refused": (TurnedAway,),
    "the reserve list": (ReserveJoined,),
    "a place on it given up": (HopefulLeft,),
    "the table is not full in time": (FillingSet,),
    "the game will begin by itself": (StartScheduled,),
    "it will not, after all": (StartCalledOff,),
    "the game has begun": (ev.GameStarted,),
    "results": (
        ev.PhaseAdjudicated,
        ev.PhaseSkipped,
    ),
    "another deadline": (ev.DeadlineSet,),
    "a hold, and its end": (
        ev.GameHeld,
        ev.GameResumed,
    ),
    "time lost on my side": (TimeLost,),
    "a turn is divided": (TurnSplit,),
    "an absence, and its end": (
        AbsenceNoted,
        AbsencesEnded,
    ),
    "orders filed for somebody": (ev.OrdersFiled,),
    "something permitted, and the end of it": (ev.DeedsFiled,),
    "orders sent ahead are due": (KeptBound,),
    "a proxy": (ProxyGiven,),
    "a reminder": (
        ev.ReminderDue,
        PlayersNudged,
    ),
    "who is late": (ev.LateCalled,),
    "each day of the grace": ((ev.LadderStep, "grace"),),
    "hints how to go on": (
        (ev.LadderStep, "hint"),
        (ev.LadderStep, WORD),
    ),
    "a seat that may fall vacant": ((ev.LadderStep, "standby"),),
    "a seat that nobody takes": ((ev.LadderStep, "wanted"),),
    "the same, two days on": ((ev.LadderStep, "vacant"),),
    "the game waits for a player": ((ev.LadderStep, "waiting"),),
    "results are overdue": (
        (ev.LadderStep, "overdue"),
        ev.ProcessingDelayed,
    ),
    "the grace moves": (
        GraceMoved,
        GraceRestored,
    ),
    "somebody is excused": (PlayerExcused,),
    "a mail waits to be confirmed": (WordAwaited,),
    "a player has gone": (ev.SeatVacated,),
    "a new player": (ev.SeatFilled,),
    "a power in civil disorder": (DisorderChanged,),
    "a vote is called, and its result": (
        VoteCalled,
        VoteClosed,
    ),
    "a vote that you have not cast": ((ev.LadderStep, UNVOTED),),
    "a changed house rule": (
        RulesAmended,
        ev.SettingChanged,
    ),
    "press": (ev.PressSent,),
    "a deputy, and the end of it": (
        DeputyNamed,
        DeputyDismissed,
    ),
    "an editor, and the end of it": (
        EditorNamed,
        EditorDismissed,
    ),
    "the game is offered, and the end of that": (GameOffered,),
    "a new Gamemaster": (ev.GamemasterChanged,),
    "who plays what": (Revealed,),
    "a position put right": (PositionCorrected,),
    "a turn taken back; one opened again": (
        RolledBack,
        PhaseReopened,
    ),
    "a player looks for a substitute": (SubstituteSought,),
    "a substitute plays, and the end of it": (
        SubstituteFound,
        SubstituteEnded,
    ),
    "an appeal, and its withdrawal": (
        AppealMade,
        AppealWithdrawn,
    ),
    "what became of an appeal": (
        AppealDecided,
        AppealReopened,
    ),
    "how the game ended": (ev.GameEnded,),
    "a statement is wanted": (StatementsReminded,),
    "statements": (
        StatementMade,
        StatementsPublished,
    ),
}
"""What the page of help calls each matter of the table."""

GROUPS = (
    (PUBLIC, "everybody"),
    (TABLE, "all at the table"),
    (OFFICE, "the Gamemaster"),
    (frozenset({Involvement.GAMEMASTER}), "the Gamemaster"),
    (CONCERNED, "whom it concerns"),
    (HOPEFUL, "who waits for a seat"),
    (FORMER, "who had it before"),
)


def in_words(involved: frozenset[Involvement]) -> str:
    """The largest groups that make it up: "everybody and who waits for a seat"."""
    named: list[str] = []
    for group, words in GROUPS:
        if group <= involved and not (words == "whom it concerns" and "everybody" in named):
            named, involved = [*named, words], involved - group
    return " and ".join(named)


def test_the_handbook_prints_the_table() -> None:
    """Every matter has a line of the page, and every line says what the table says."""
    assert {matter for matters in ROWS.values() for matter in matters} == set(AUDIENCE)
    page = (MAPS.parent / "templates" / "help" / "pages" / "told.txt").read_text(encoding="utf-8")
    for words, matters in ROWS.items():
        (said,) = {in_words(AUDIENCE[matter]) for matter in matters}
        assert f"    = {words} :: {said}\n" in page, (words, said)
