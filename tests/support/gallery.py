"""One letter of every kind, from small games: what golden letters, template editors and width tests look at."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from judge.acts import house_rules, looking
from judge.acts.appeals import MakeAppeal
from judge.acts.nudging import Nudge
from judge.game.clock.turnover import turn_page
from judge.game.core import commands as cmd
from judge.game.core.commands import Role, Status
from judge.game.core.events import PressSent
from judge.game.core.model import Begun
from judge.game.office.rulings import HeadlineSet
from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.importing import Imported, read_import
from judge.game.repair.rewriting import Amend
from judge.game.settings.values import USUAL_SYSTEMS
from judge.game.table.sandbox import EditBoard, GoOn, StepBack
from judge.game.table.speculation import Speculation, speculate
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.epilogue import Statement
from judge.mail.vocabulary.help import HelpPage, Shows, find_page
from judge.mail.vocabulary.pages import Guide
from judge.people.ratings import GamePart, rate
from judge.report.core.letter import Answer, Enclosure, Kind, Letter, Member, Received, office_frame, plain
from judge.report.core.naming import Who, phase_fact, say
from judge.report.mailing import letters_for
from judge.report.played.chart import RatedGame, ratings_view
from judge.report.reply import account, inquiries
from judge.report.reply.account import AccountView, AddressFact, account_enclosure, agenda_view, dossier_letter
from judge.report.reply.archive import archive_enclosure, archive_view, export_view
from judge.report.reply.helppages import Asker, BookView, enclosed, tour_view
from judge.report.reply.inquiries import map_view, speculation_view
from judge.report.reply.lessons import lessons
from judge.report.reply.receipt import answer_to_person, receipt
from judge.report.reply.tournament import (
    BoardLine,
    TotalLine,
    TournamentRow,
    TournamentsView,
    TournamentView,
    tournament_letter,
)
from judge.report.reply.unproved import NOBODY, alert, confirm, error, held, stranger
from judge.report.table.digest import digest, section
from judge.report.table.gathering import advertisement, invitation
from judge.report.table.sandbox import shown_to
from tests.support.builders import GM, OFFICE, START, Table, cast_of
from tests.support.sample import FALL_1902, sample_game

RECEIVED = Received("1042", START, "7c1e9a42" * 8, "<a1@players.test>", "tannenburg")
ZONES = {3: "Europe/Berlin"}


def gallery(maps: Path) -> dict[str, Letter]:
    """Name -> letter. Most are to France's player, who lives in Berlin."""
    shows: tuple[Callable[[Path], Iterator[tuple[str, Letter]]], ...] = (
        _arrivals, _turns, _takeover, _calendar, _words, _receipts, _answers, _unproved, _desk,
    )  # fmt: skip
    return {name: _with_few_rules(letter) for show in shows for name, letter in show(maps)}


def _with_few_rules(letter: Letter) -> Letter:
    """House rules cut to the first six: a new setting is no change to a letter."""
    if not letter.view.get("rules"):
        return letter
    return replace(letter, view={**letter.view, "rules": letter.view["rules"][:6]})


def _letter(table: Table, seat: str) -> Letter:
    """The first letter to a seat after the table's last command; press since the start is in reports."""
    letters = letters_for(table.before, table.last, table.game, cast_of(zones=ZONES), _press(table))
    return next(letter for letter in letters if letter.seat == seat)


def _vacancies(table: Table) -> Iterator[Letter]:
    cast = replace(cast_of(zones={8: "Europe/Berlin"}), standbys=(8, 9))
    letters = letters_for(table.before, table.last, table.game, cast)
    return (letter for letter in letters if letter.kind is Kind.VACANCY)


def _press(table: Table) -> list[PressSent]:
    return [event for event in table.events if isinstance(event, PressSent)]


def _arrivals(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = Table(maps, {"nmr": ""})
    yield "created", _letter(table, "gm")
    table = Table(maps)
    table.tell(cmd.Open(), table.gm)
    table.tell(cmd.Join((("FRANCE",), ("ENGLAND", "GERMANY"))), cmd.Actor(cmd.Role.STRANGER, "", 3))
    yield "welcome", _letter(table, "1")
    yield "invitation", invitation(
        table.game, cast_of(), NOBODY, address="who@else.test", key="tannenburg/invitation/1", reply_as="confirm:1042",
        until=START + timedelta(days=30), words="It is that time of the year again.",
    )  # fmt: skip
    yield "advertised", advertisement(table.game, cast_of(), cast_of().member(8), key="tannenburg/advertised/1")
    table = Table(maps).seated().started()
    yield "started", _letter(table, "3")
    table.tell(cmd.Assign("ITALY", 8), table.gm)
    yield "takeover", _letter(table, "5")
    table.tell(cmd.Vacate("ITALY", "by agreement"), table.gm)
    yield "vacancy", next(_vacancies(table))
    table = Table(maps).practising("FRANCE")
    yield "practice-begun", _letter(table, "1")
    table.orders("FRANCE", "A Par - Bur", "A Mar S A Par - Bur", "F Bre - Eng")
    yield "practice-phase", _letter(table.tick(table.now), "1")
    table = Table(maps).in_sandbox()
    yield "sandbox-begun", _letter(table, "1")
    table.orders("FRANCE", "A Par - Bur", "A Mar S A Par - Bur", "A Mun - Bur", "F Lon - Nth")
    table.tell(GoOn(), table.player("FRANCE"))
    yield "sandbox-phase", _letter(table.tick(table.now), "1")
    table.tell(StepBack(), table.player("FRANCE"))
    yield "sandbox-back", _letter(table, "1")
    table.tell(EditBoard("A Par at Mun; A Mun at Par; phase F1905M"), table.player("FRANCE"))
    yield "sandbox-edited", _letter(table, "1")
    assert isinstance(table.game, Begun)
    yield "shown", shown_to(table.game, "Nora", Member(0, ""), "ben@players.test", OFFICE, day="2027-01-10")


def _turns(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = sample_game(maps, 3)
    yield "results-winter-1901", _letter(table, "3")
    table = sample_game(maps, 4)
    table.tell(cmd.SendPress("The Channel is French.\n> A Lon - Bre", everyone=True), table.player("FRANCE"))
    black = cmd.SendPress("Austria will never forget.", everyone=True, colour=cmd.Colour.BLACK, dateline="VIENNA")
    table.tell(black, table.player("ITALY"))
    table.tell(cmd.Note("Norway and St Petersburg touch by land."), table.gm)
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    table.tell(Vote(aye=False), table.player("TURKEY"))
    table.all_orders(FALL_1902).process()
    yield "results-fall-1902", _letter(table, "3")
    yield "results-fall-1902-gm", _letter(table, "gm")
    reader = cast_of(zones=ZONES).member(3)
    told = section(table.game, [HeadlineSet(at=table.now, text="War in the north"), *table.events[-12:]], reader)
    assert told is not None
    yield "digest", digest(reader, [told], OFFICE, slot="2027-01-10T18:00:00+00:00")
    yield "changes", _changes(copy.copy(table))
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    for power in table.game.survivors:
        table.tell(Vote(aye=True), table.player(power))
    table.process()
    yield "ended", _letter(table, "3")
    yield from _records(table)
    table.tell(Statement("It was a pleasure, and the Channel stayed empty."), table.player("FRANCE"))
    table.tell(Statement("I never dared to leave Rome."), table.player("ITALY"))
    yield "statements", _letter(table.tick(table.now + timedelta(days=14)), "3")


def _changes(table: Table) -> Letter:
    """How the rules changed. `table`: a copy, so that the letters after this one know nothing of it."""
    table.events = list(table.events)
    for setting in (cmd.ChangeSettings("grace", "3d"), cmd.ChangeSettings("headlines", "no")):
        table.tell(setting, table.gm)
    return _asked(table, "3", "rules changed", house_rules.changes_view(table.game, table.events, cast_of()))


def _words_awaited(maps: Path) -> Iterator[tuple[str, Letter]]:
    """The turn waits for France's word on a mail."""
    table = Table(maps, {"nmr": "hold"}).seated().started()
    mail = cmd.HeldMail(1042, "3", table.now + timedelta(days=6))
    table.now = table.running.deadline.at
    table.tell(cmd.Tick(held=(mail,)), cmd.Actor(cmd.Role.JUDGE))
    yield "awaited", _letter(table, "3")
    yield "awaited-others", _letter(table, "1")
    yield "awaited-gm", _letter(table, "gm")


def _records(table: Table) -> Iterator[tuple[str, Letter]]:
    """What can be had of a game that is over."""
    cast = cast_of(zones=ZONES)
    whole = plain(archive_view(table.game, table.events, cast))["record"]
    yield "export", _asked(table, "3", "export", export_view(table.game, table.events, whole))
    yield "archive", _asked(table, "3", "archive", archive_enclosure(archive_view(table.game, table.events, cast)))
    winner = GamePart(1, "regular", "won", 1.0, dict.fromkeys(USUAL_SYSTEMS, 1.0))
    left, other = GamePart(2, "left", "eliminated", 0.0, {}), GamePart(3, "regular", "survived", 0.0, {})
    figures = rate([[winner, left, other, GamePart(8, "standby", "", 0.0, {})]])
    own = RatedGame("baltic", "2027-01-08", "France", "", "survived", 4, ("0", "0", "0", "5"))
    view = ratings_view(figures, lambda number: cast.member(number).name, games=1, reader=3, own=[own],
                        records=lambda number: f"{number} of 7 turns on time")  # fmt: skip
    yield "rules", _asked(table, "3", "house rules", house_rules.rules_view(table.game))
    yield "settings", _asked(table, "3", "settings", house_rules.settings_view(table.game))
    yield from _bygone(table)
    yield "ratings", _asked(table, "3", "ratings", view)


def _bygone(table: Table) -> Iterator[tuple[str, Letter]]:
    """What somebody was told and has said."""
    (own,) = (event for event in table.events if isinstance(event, PressSent) and event.by == "3")
    told = {"number": 2, "colour": "black", "source": None, "claims": "VIENNA", "text": "Austria will never forget."}
    to = say("addressees", to=[Who("everybody")])
    came = account.PressLetter(START, {**told, "to": plain(to)})
    pieces = (account.sent(table.game, own, "F1902M"), account.got(table.game, came, "F1902M"))
    yield (
        "correspondence",
        _asked(table, "3", "my press", account.correspondence_view(table.game, (), ("", ""), pieces)),
    )
    subject = "[tannenburg] F1902 Moves: results"
    letter = account.past_letter(table.game, START, "F1902M", subject, "FALL 1902 MOVES", "The Channel is French.")
    found = account.letters_view(table.game, ("", ""), [letter], words=("channel",))
    yield "letters", _asked(table, "3", "search", found)


def _takeover(maps: Path) -> Iterator[tuple[str, Letter]]:
    """In the middle of a game: with its last turns and what everybody was told."""
    table = sample_game(maps, 5)
    table.tell(cmd.SendPress("The Channel is French.", everyone=True), table.player("FRANCE"))
    table.tell(cmd.Assign("GERMANY", 8), table.gm)
    letters = letters_for(table.before, table.last, table.game, cast_of(zones=ZONES), _press(table))
    yield "takeover-fall-1902", next(letter for letter in letters if letter.kind is Kind.TAKEOVER)


def _calendar(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = Table(maps).seated().started()
    table.orders("AUSTRIA", "A Vie H", "A Bud H", "F Tri H")
    table.tell(cmd.Extend(timedelta(hours=24), "power cut"), table.gm)
    yield "notice-deadline", _letter(table, "3")
    due = table.running.deadline.at
    table.tell(Nudge(words="The others are waiting for you."), table.gm)
    yield "reminder-nudge", _letter(table, "3")
    yield "reminder", _letter(table.tick(due - timedelta(hours=24)), "3")
    table.tick(due)
    yield "late", _letter(table, "3")
    yield "late-others", _letter(table, "1")
    yield from _words_awaited(maps)


def _words(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = Table(maps).seated().started()
    table.tell(cmd.SendPress("Shall we leave the Channel empty?", to=("FRANCE",)), table.player("ENGLAND"))
    yield "press-white", _letter(table, "3")
    black = cmd.SendPress("I know what you did.", to=("FRANCE",), colour=cmd.Colour.BLACK, dateline="ROME")
    table.tell(black, table.player("ENGLAND"))
    yield "press-black", _letter(table, "3")
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    yield "vote", _letter(table, "3")


def _receipts(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = Table(maps).seated().started()
    yield "receipt-complete", _orders(table, "A Par - Bur", "A Marsielles - Spain", "F Brest - Mid", "wait")
    yield "receipt-correction", _orders(table, "A Par - Rome", "F Lon - Nth", "F Bre - Pic")


def _orders(table: Table, *lines: str) -> Letter:
    """The receipt for a mail of orders from France; the line "wait" is a command of its own."""
    before = table.game
    answers = [
        Answer.of(table.orders("FRANCE", *[line for line in lines if line != "wait"]), line=1, text="", verb="orders")
    ]
    if "wait" in lines:
        told = table.tell(cmd.Wait(on=True), table.player("FRANCE"))
        answers.append(Answer.of(told, line=lines.index("wait") + 1, text="wait", verb="wait"))
    member = cast_of(zones=ZONES).member(3)
    return receipt(table.game, "3", member, RECEIVED, answers, office=OFFICE, before=before)


def _answers(maps: Path) -> Iterator[tuple[str, Letter]]:
    table = sample_game(maps, 5)
    cast = cast_of(zones=ZONES)
    open_table = Table(maps, key="verdun")
    open_table.tell(cmd.Open(), open_table.gm)
    openings = [inquiries.opening(game, cast) for game in (open_table.game, table.game)]
    yield "status", _asked(table, "3", "status", inquiries.status_view(table.game, "3", cast))
    yield "status-gm", _asked(table, "gm", "status", inquiries.status_view(table.game, "gm", cast))
    shown = map_view(table.game, table.events, "", "png", printed=False)
    assert shown is not None
    yield "map", _asked(table, "3", "map", shown)
    yield "history", _asked(table, "3", "history", inquiries.history_view(table.game, table.events, "W1901", "S1902R"))
    yield from _help(table)
    own = agenda_view([(open_table.game, "gm"), (table.game, "3")], cast.member(3), table.now)
    yield "agenda", _asked(table, "3", "my games", own)
    yield "tournaments", _asked(table, "3", "tournaments", Enclosure("tournaments", plain(TournamentsView(
        (TournamentRow("autumn", say("tournament-in-list", stage="open", round=0, rounds=2, entered=7)),)
    ))))  # fmt: skip
    yield "tournament", tournament_letter(_tournament(table), cast.member(3), OFFICE, about="autumn-1a")
    yield from _of_a_zine(table)
    yield "tour", _asked(table, "3", "tour 10", tour_view(10, 10, ["baltic", "adria"]))
    reader = cast_of(zones=ZONES).member(3)
    yield "dossier", dossier_letter(reader, OFFICE, b"PK", mails=12, letters=41, left_out=3, day="2027-01-10")
    yield "account", _asked(table, "3", "my account", account_enclosure(_ACCOUNT))
    enclosure = inquiries.list_view(openings, OFFICE)
    question = Answer(1, "list", Status.TAKEN, verb="list", enclosed=True)
    begun = Table(maps).seated().started()
    tried = speculate(begun.game, [cmd.OrderLine(2, "A Par - Bur"), cmd.OrderLine(3, "A Xanadu H")], ("FRANCE",))
    assert isinstance(tried, Speculation)
    yield "speculation", _asked(begun, "3", "what if", speculation_view(begun.game, tried))
    yield "list", answer_to_person(cast.member(8), RECEIVED, [question], office=OFFICE, enclosures=[enclosure])


def _of_a_zine(table: Table) -> Iterator[tuple[str, Letter]]:
    """What a zine's readers and makers get; an issue is words that are laid out already."""
    page = {
        "title": "Electronic Protocol",
        "lines": ["Received: TANNENBURG (Fall '01)", "On hold: OZARK (until 20 Jan)"],
        "ignored": [],
    }
    yield "zine-page", _asked(table, "3", "zine", Enclosure("zine-page", page))
    member = cast_of(zones=ZONES).member(3)
    frame = plain(replace(office_frame(member, OFFICE), game="zine-electronic-protocol"))
    facts = {
        "leave": "To get Electronic Protocol no more: leave zine electronic-protocol",
        "as_it_is": True,
        "page": "",
    }
    issue = {"subject": "Electronic Protocol #96 -- Chapter Three", "text": "Issue #96 of ELECTRONIC PROTOCOL:\n"}
    yield "zine-issue", Letter("zine-issue", "zine/96", {"frame": frame, **facts, **issue, "files": []}, person=3)
    desk = {"frame": plain(office_frame(member, OFFICE)), "zine": "Electronic Protocol", "files": []}
    lines = {
        "items": ["#96 goes to press on Wednesday."],
        "table": page["lines"],
        "after": ["To see it: zine preview 96"],
    }
    desk |= {"subject": "before #96 goes to press", **lines}
    yield "zine-desk", Letter("zine-desk", "zine/desk", desk, person=3)


_ACCOUNT = AccountView(
    name="Jane Doe",
    zone="Europe/Berlin",
    addresses=(
        AddressFact("jane@example.org", of_record=True, proved=True, silent=False),
        AddressFact("jane.doe@office.example.com", of_record=False, proved=True, silent=True),
        AddressFact("j@new.example.org", of_record=False, proved=False, silent=False),
    ),
    password=True, reminders=False, page=True, pictures=False, calendar=True,
    plays=(("France", "tannenburg"), ("seat 3", "ypres")),
    observes=("verdun", "marne"), digest=True, queues=("standard",),
    zines=("Electronic Protocol: publisher of chapter 2", "Electronic Protocol: subscriber, pdf"),
)  # fmt: skip


def _help(table: Table) -> Iterator[tuple[str, Letter]]:
    """A page of help of each make, for France: what can be done now, a topic, a command, a setting, a place."""
    assert isinstance(table.game, Begun)
    shown = lessons(table.game.position, "FRANCE", table.game.rules).shown
    asker = Asker(shown, Role.PLAYER, table.game, "3", cast_of(zones=ZONES).member(3))
    guide = Guide(asker, OFFICE, table.game.board, {})
    for name, text in (("help", ""), ("help-support", "support"), ("help-extend", "ext"), ("help-place", "stp")):
        page = find_page(text, Role.PLAYER, table.game.board)
        assert page is not None
        yield name, _asked(table, "3", "help", enclosed(guide.view(page, text)))
    yield "help-setting", _asked(table, "3", "help", enclosed(guide.view(HelpPage(Shows.SETTING, "moves"))))
    yield "book", _asked(table, "3", "help", Enclosure("book", plain(BookView(OFFICE.address, shown, ()))))


def _asked(table: Table, seat: str, verb: str, enclosure: Enclosure) -> Letter:
    person = table.game.gm if seat == "gm" else table.game.seats[seat].person
    question = Answer(1, verb, Status.TAKEN, verb=verb, enclosed=True)
    member = cast_of(zones=ZONES).member(person or 0)
    return receipt(table.game, seat, member, RECEIVED, [question], office=OFFICE, enclosures=[enclosure])


def _unproved(maps: Path) -> Iterator[tuple[str, Letter]]:
    member = cast_of().member(3)
    yield "stranger", stranger("who@else.test", RECEIVED, OFFICE, day="2027-01-01")
    yield (
        "confirm",
        confirm(
            "who@else.test",
            RECEIVED,
            OFFICE,
            what="take a seat in tannenburg",
            reply_as="confirm:1042",
            lapses="Wed 6 Jan 07:00 EST",
        ),
    )
    yield "held", held(
        member, RECEIVED, OFFICE, what="orders for France (3 lines)", sender="phone@else.test",
        when="Fri 1 Jan 2027, 07:00:00 EST (UTC-5)", lapses="Mon 4 Jan 07:00 EST", reply_as="confirm:1042",
        game="tannenburg",
    )  # fmt: skip
    yield "alert", alert(
        cast_of().member(8), OFFICE, key="judge/operator/mail/1042", subject="mail to postmaster", game="tannenburg",
        items=("Somebody wrote to postmaster at this judge. I have not answered.",),
        quoted=("Why do you write to me?",),
    )  # fmt: skip
    yield "error", error(
        RECEIVED, OFFICE, member=member, wrong="There is no game called tannenberg here.",
        mend='Send "list" for the games that there are; tannenburg is near to it.',
    )  # fmt: skip


_BY_HAND = """Movement results for Fall of 1902.
Austria: Army Vienna -> Galicia. (*bounce*)
----------
France: A Par, F Bre, A Bur
England: F Lon F Nth A Lvp
France owns Par, Bre, Mar, Spa
England: 5 Supply centers, 3 Units: Builds 2 units.
So much for this year."""


def _desk(maps: Path) -> Iterator[tuple[str, Letter]]:
    """What the Gamemaster repairs and looks at."""
    table = sample_game(maps, 1)
    table.tell(MakeAppeal("A Par - Bur", words="I was first there."), table.player("FRANCE"))
    yield "appeal", _letter(table, "gm")
    table.tell(CorrectPosition("A Bur at Gas", reason="typing error"), table.gm)
    yield "corrected", _letter(table, "3")
    table.tell(Amend(reason="an error of the judge"), table.gm)
    yield "results-reprocessed", _letter(table, "3")
    cast = cast_of(zones=ZONES)
    asked = Answer(1, "preview", Status.TAKEN, verb="preview", enclosed=True)
    shown = looking.preview_view(table.game, turn_page(table.running, table.now, by="gm"))
    yield "preview", receipt(table.game, "gm", cast.member(GM), RECEIVED, [asked], office=OFFICE, enclosures=[shown])
    asked = Answer(1, "checklist", Status.TAKEN, verb="checklist", enclosed=True)
    shown = looking.checklist_view(Table(maps, {"nmr": ""}, preset="").game)
    yield "checklist", receipt(table.game, "gm", cast.member(GM), RECEIVED, [asked], office=OFFICE, enclosures=[shown])
    asked = Answer(1, "checklist", Status.TAKEN, verb="checklist", enclosed=True)  # it has no line in the receipt
    found = read_import(_BY_HAND, "", table.game.board, table.game.rules)
    assert isinstance(found, Imported)
    shown = looking.imported_view(table.game, found)
    yield "imported", receipt(table.game, "gm", cast.member(GM), RECEIVED, [asked], office=OFFICE, enclosures=[shown])
    acts = [(seq, event) for seq, event in enumerate(table.events, 1) if event.by == "gm"]
    asked = Answer(1, "log", Status.TAKEN, verb="log", enclosed=True)
    shown = looking.acts_view(table.game, acts, cast)
    yield "log", receipt(table.game, "gm", cast.member(GM), RECEIVED, [asked], office=OFFICE, enclosures=[shown])


def _tournament(table: Table) -> TournamentView:
    """Between the boards of a second round."""
    on = say("tournament-board-on", late=False, phase=phase_fact(table.game, "F1902M"))
    return TournamentView(
        name="autumn",
        subject=say("tournament-stands", stage="playing", round=2, rounds=3),
        news=(say("tournament-boards-over", games=["autumn-2a"], round=2, closed=False),),
        terms=(
            say("tournament-terms", rounds=3, title="Diplomacy (1976 rules)", size=7, director="Gustav", private=True,
                top=True),
            say("tournament-scoring", scoring="squares"),
        ),
        round=2,
        rounds=3,
        boards=(
            BoardLine("autumn-2a", say("tournament-board-over", how="draw", powers=["France", "Italy"], late=False),
                      ("France: Cleo", "Italy: Emil"), ended=True),
            BoardLine("autumn-2b", on, ("France: Anna", "Italy: Ben")),
        ),
        draft=(),
        idle=(),
        totals=(
            TotalLine(1, "Cleo", ("36.8", "50"), "86.8", 2, 17, mine=True),
            TotalLine(2, "Emil", ("-", "50"), "50", 1, 8),
            TotalLine(3, "Anna", ("0", "-"), "0", 0, 3, mark="left"),
        ),
        entered=(),
        lines=("tournament autumn withdraw",),
    )  # fmt: skip
