"""The table of verbs: each row is its own test, every command of a game can be written, help says what is read."""

from __future__ import annotations

import sys

import pytest

from judge.acts.appeals import ReopenAppeal, WithdrawAppeal
from judge.acts.office import Deputize, DismissDeputy, HandOver, WithdrawOffer
from judge.game.clock.schedule import TellLostTime
from judge.game.core.commands import Assign, Command, Join, Role, SendPress, Submit, Tick
from judge.game.filing.advance import ClearKept
from judge.game.filing.overtaken import CountOnTime
from judge.game.filing.submitting import Do
from judge.game.office.rulings import OrderAs
from judge.game.office.undoing import (
    CloseAgain,
    DeadlineAgain,
    GraceAgain,
    RestoreImport,
    RestoreSettings,
    SeatAgain,
    Unassign,
    WithdrawNote,
    WithdrawOrders,
)
from judge.game.repair.rewriting import PlayForward
from judge.game.table.filling import Approve, SetPhrase, TurnAway
from judge.game.table.sandbox import GoOn, ShareSandbox
from judge.game.table.substitutes import BeSubstitute, EndSubstitute, OrderByProxy
from judge.game.table.vacancies import Decline, Invite, Withdraw
from judge.game.talk.press import DismissEditor, NameEditor
from judge.mail.queries import AboutGame, ForPerson, PersonRequest, Query
from judge.mail.script import ScriptContext
from judge.mail.vocabulary import (
    VERBS,
    Clause,
    SettingsFile,
    Unclear,
    Verb,
    find_verb,
    read_toml,
)
from judge.mail.vocabulary.founding import (
    ApproveByName,
    DeclineInvitation,
    InviteByAddress,
    PassPhrase,
    RefuseByName,
)
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.gmdesk import EditorByAddress
from judge.mail.vocabulary.player import JoinGame
from judge.mail.vocabulary.topics import TOPICS
from judge.mail.vocabulary.tournament import (
    AnnounceTournament,
    InviteToTournament,
    LeadTournament,
    ShowTournament,
    WithdrawFromTournament,
)
from judge.rules.calendar import CALENDAR_1976, read_phase
from tests.script.conftest import ReadMail

_READ_OTHERWISE = {
    Submit: "order lines",
    Tick: "the clock",
    Assign: ForPerson,
    Join: JoinGame,
    VacateByAddress: "vacate, with an address",
    ClearKept: "clear, with a phase",
    Do: "the business of a rule system",
    OrderByProxy: "order lines for a power whose proxy one has",
    BeSubstitute: "substitute for POWER",
    EndSubstitute: "substitute off",
    OrderAs: "order lines of the Gamemaster below a heading",
    GoOn: "ready, in a practice game",
    ShareSandbox: "share, without an address",
    **dict.fromkeys(
        (AnnounceTournament, InviteToTournament, LeadTournament, ShowTournament, WithdrawFromTournament), "tournament"
    ),
    Deputize: ForPerson,
    NameEditor: EditorByAddress,
    DismissEditor: EditorByAddress,
    HandOver: ForPerson,
    CountOnTime: "a mail that came in time and is heard late",
    TellLostTime: "the operator, after a restore",
    Invite: InviteByAddress,
    Decline: DeclineInvitation,
    Approve: ApproveByName,
    TurnAway: RefuseByName,
    SetPhrase: PassPhrase,
    Withdraw: "take that back",
    **dict.fromkeys(
        (CloseAgain, DismissDeputy, PlayForward, RestoreImport, RestoreSettings, SeatAgain, Unassign), "take that back"
    ),
    **dict.fromkeys((WithdrawNote, WithdrawOffer, WithdrawOrders), "take that back"),
    WithdrawAppeal: "appeal 1 withdrawn",
    ReopenAppeal: "take that back",
    **dict.fromkeys((DeadlineAgain, GraceAgain), "take that back"),
}
"""Commands that no verb reads, and what stands for them."""


def _kinds(base: type[object]) -> set[type]:
    """The classes of a kind of request; a class with slots was made twice, the first time without them."""
    return {kind for kind in base.__subclasses__() if getattr(sys.modules[kind.__module__], kind.__name__) is kind}


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_the_example_of_a_verb_is_read_by_it(verb: Verb, player: ScriptContext) -> None:
    match = find_verb(verb.example)
    assert match is not None and match.verb is verb
    assert not isinstance(verb.read(Clause(match.word, match.rest, player.around())), Unclear)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_each_usage_begins_with_a_name_of_its_verb(verb: Verb) -> None:
    for usage in verb.usage:
        match = find_verb(usage)
        assert usage == "NAME = VALUE" or (match is not None and match.verb is verb), usage


def test_every_command_and_query_can_be_written(mail: ReadMail, player: ScriptContext, gm: ScriptContext) -> None:
    read = set()
    for verb in VERBS:
        script = mail(verb.example, to=gm if Role.PLAYER not in verb.roles else player)
        read |= {type(said.request) for said in script.said}
    wanted = _kinds(Command) | _kinds(Query) - {AboutGame} | _kinds(AboutGame) | _kinds(PersonRequest)
    assert wanted - read == set(_READ_OTHERWISE)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("S1901M", "S1901M"),
        ("f1901", "F1901M"),
        ("Fall 1901", "F1901M"),
        ("autumn 1901 retreats", "F1901R"),
        ("1901 Spring", "S1901M"),
        ("Winter '01", "W1901A"),
        ("W1901 builds", "W1901A"),
        ("S1901 orders", None),
        ("summer 1901", "S1901R"),
        ("winter 1901 retreats", "F1901R"),
        ("Friday 1901", None),
        ("", None),
    ],
)
def test_phases_are_read_as_people_write_them(text: str, code: str | None) -> None:
    assert read_phase(text, CALENDAR_1976) == code


def test_an_attached_toml_file_is_settings() -> None:
    times = '[house.times]\nmoves = "Friday 24:00"'
    text = f'[house]\nnmr = "grace"\nearly = true\nreminders = ["48h", "24h"]\nplayers = 7\n{times}'
    assert read_toml(text) == SettingsFile(
        "",
        (
            ("nmr", "grace"),
            ("early", "yes"),
            ("reminders", "48h, 24h"),
            ("players", "7"),
            ("moves", "Friday 24:00"),
        ),
    )


def test_such_a_file_may_begin_with_a_preset() -> None:
    assert read_toml('preset = "Houserules-003"\nrecall = "none"') == SettingsFile(
        "houserules-003", (("recall", "none"),)
    )


@pytest.mark.parametrize(
    ("text", "reason", "sentence", "shown"),
    [
        ("nmr = ", "bad-toml", "The attached file is no TOML: ", 'moves = "Friday 24:00"'),
        ("[house]\n\nnmrs = 1", "no-such-setting", 'line 3: There is no setting "nmrs"', "did you mean nmr?"),
        ("[house]\n\nnmrs = 'hold'", "no-such-setting", 'line 3: There is no setting "nmrs"', 'nmr = "hold"'),
        ('# ours\nmoves = "often"', "bad-setting", "line 2: moves: ", 'moves = "7d"'),
        ('early = "perhaps"', "bad-setting", "line 1: early: ", 'early = "yes"'),
        ('preset = "rapid"', "no-preset", 'line 1: There is no preset "rapid"', 'preset = "standard"'),
    ],
)
def test_a_bad_file_is_asked_back_with_its_line_and_what_to_write(
    text: str, reason: str, sentence: str, shown: str
) -> None:
    found = read_toml(text)
    assert isinstance(found, Unclear) and found.reason == reason
    assert found.sentence.startswith(sentence) and shown in " ".join((found.sentence, *found.candidates))


def test_press_never_goes_out_without_recipients(player: ScriptContext) -> None:
    match = find_verb("press hello")
    assert match is not None
    assert not isinstance(match.verb.read(Clause(match.word, match.rest, player.around(), "text")), SendPress)


@pytest.mark.parametrize("verb", [verb.words[0] for verb in VERBS])
@pytest.mark.parametrize("word", ["ß", "ŉ", "İ", "ﬁ"])
def test_letters_that_grow_when_they_are_made_capitals_harm_nobody(verb: str, word: str, mail: ReadMail) -> None:
    """ "ß" is "SS" in capitals: one letter becomes two."""
    assert mail(f"{verb} {word}") and mail(f"{verb} A{word}: x")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_verb_stands_on_a_page_of_help(verb: Verb) -> None:
    """A verb says its page; one of `vocabulary/topics.py`, or one that its module brings along in `TOPICS`."""
    assert verb.topic in TOPICS, f"{verb.name}: topic={verb.topic!r} is none of {', '.join(TOPICS)}"
