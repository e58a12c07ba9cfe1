"""Who makes a zine and who gets it: people are asked and say yes, Gamemasters are reminded, press days come."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.store.zines import ZineRow
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from judge.zine import gamebook
from judge.zine.issue import Report
from judge.zine.mailing import printer_of
from judge.zine.own import in_order
from judge.zine.press_days import next_press
from judge.zine.text import print_text
from tests.zine.desk import ADDRESS, ANNA, EDITOR, HARRY, KEY, OPERATOR, TED, answer, issues, running
from tests.zine.sample import sample_issue

HERO = "zine game hero by harry@hand.test Harry Hand number 2027AC"
FRANCE = player_of("france")
BEN = "ben@readers.test"


# --- reminders -------------------------------------------------------------------------------------------------------


def reminders(stage: LocalJudge) -> int:
    return sum("results of HERO?" in letter.subject for letter in stage.inbox(HARRY))


def test_a_gamemaster_is_reminded_twice_for_an_issue_by_hand_and_by_the_clock_together(tmp_path: Path) -> None:
    """Once by hand, a week ahead: the clock sends one more, three days before press day; then nobody does."""
    stage = running(tmp_path, HERO)
    stage.send(EDITOR, "zine approve 96")
    stage.send(EDITOR, "zine press day Thursday 17:00 weekly")
    stage.advance(timedelta(hours=12))  # the press day of #96, which is out
    assert reminders(stage) == 0
    assert "Harry Hand is asked for results of HERO" in answer(stage, EDITOR, "zine nudge hero")
    stage.advance(timedelta(days=6))
    assert reminders(stage) == 2
    assert "reminded twice already" in answer(stage, EDITOR, "zine nudge HERO")
    stage.advance(timedelta(days=1))
    assert reminders(stage) == 2
    stage.send(EDITOR, "zine approve 97")
    assert "is asked for results" in answer(stage, EDITOR, "zine nudge hero")
    assert reminders(stage) == 3
    stage.close()


def test_nobody_is_reminded_of_what_is_not_awaited(tmp_path: Path) -> None:
    stage = running(tmp_path, HERO, "zine game nemo by gm@x.test over a draw")
    assert "NEMO is over" in answer(stage, EDITOR, "zine nudge nemo")
    assert "run elsewhere" in answer(stage, EDITOR, "zine nudge nogame")
    assert "Only the editor" in answer(stage, HARRY, "zine nudge hero")
    stage.send(EDITOR, "zine game hero hold until 20 January")
    assert "on hold until 20 January" in answer(stage, EDITOR, "zine nudge hero")
    stage.send(EDITOR, "zine game hero goes on")
    stage.send(HARRY, "report hero Fall '01\nWAR!")
    assert "are here already" in answer(stage, EDITOR, "zine nudge hero")
    stage.send(EDITOR, "zine chapter 1 games nemo")
    assert "does not print HERO" in answer(stage, EDITOR, "zine nudge hero")
    assert reminders(stage) == 0
    stage.close()


def test_an_editor_names_a_gamemaster_and_proves_nobodys_address(tmp_path: Path) -> None:
    """Who is known keeps their own name; whom an editor alone has named is known once they write themselves."""
    stage = running(tmp_path, f"zine game hero by {HARRY} Silly Fool\nzine game nemo by {ANNA} Silly Fool")
    assert "Silly" not in answer(stage, ANNA, "my account") + stage.inbox(ANNA)[-1].header("To")
    with stage.judge.store.read() as view:
        assert view.people.by_address(HARRY, verified=True) is None
    letter = stage.inbox(HARRY)[-1]
    assert letter.subject.endswith("your results of HERO") and "check phrase" not in letter.text
    stage.send(f"Harry Hand <{HARRY}>", "report hero Fall '01\nWAR!", to=letter.reply_to)
    assert "the report of HERO is filed" in " ".join(stage.inbox(HARRY)[-1].text.split())
    assert f"taken from Harry Hand <{HARRY}>" in answer(stage, EDITOR, "zine game hero")
    stage.close()


# --- people are asked ------------------------------------------------------------------------------------------------


def test_who_is_invited_becomes_a_reader_by_their_own_yes_alone(tmp_path: Path) -> None:
    stage = running(tmp_path)
    told = answer(stage, EDITOR, f"zine invite {BEN}, cora@readers.test\n{ANNA} <dora@readers.test> nonsense@")
    assert "3 are asked" in told and "1 was not: they get it already" in told
    assert "No mail address, and nobody asked: nonsense@." in told
    assert "nonsense@ cannot be written to." in answer(stage, EDITOR, "zine invite nonsense@")
    (letter,) = stage.inbox(BEN)
    stage.send("stranger@far.test", "yes", to=letter.reply_to)
    stage.send("cora@readers.test", "no", to=stage.inbox("cora@readers.test")[-1].reply_to)
    stage.send(EDITOR, "zine approve 96")
    assert [len(issues(stage, one)) for one in (ANNA, BEN, "cora@readers.test", "stranger@far.test")] == [1, 0, 0, 0]
    stage.send(BEN, "yes", to=letter.reply_to)
    stage.send(EDITOR, f"zine approve 97\nzine invite {BEN}")
    assert [len(issues(stage, one)) for one in (ANNA, BEN, "cora@readers.test", "stranger@far.test")] == [2, 1, 0, 0]
    assert sum("do you want to get" in one.subject for one in stage.inbox(BEN)) == 1
    assert "Only the editor" in answer(stage, ANNA, f"zine invite {TED}")
    assert stage.inbox(TED) == []
    stage.close()


def test_a_deputy_says_yes_does_what_an_editor_does_and_does_not_close_the_zine(tmp_path: Path) -> None:
    stage = running(tmp_path)
    assert "as soon as they say yes" in answer(stage, EDITOR, f"zine deputy {TED}")
    letter = stage.inbox(TED)[-1]
    stage.send(BEN, "yes", to=letter.reply_to)
    assert "Only the editor" in answer(stage, TED, "zine approve 96")
    stage.send(TED, "yes", to=letter.reply_to)
    assert "Only the editor" in answer(stage, BEN, "zine approve 96")
    stage.send(TED, "zine approve 96")
    assert len(issues(stage, ANNA)) == 1
    assert "Only the editor of Electronic Protocol closes it" in answer(stage, TED, "zine close")
    assert "no deputy now" in answer(stage, EDITOR, "zine deputy off")
    assert "Only the editor" in answer(stage, TED, "zine approve 97")
    stage.close()


def test_a_closed_zine_sends_what_was_approved_and_nothing_more_until_the_operator_opens_it(tmp_path: Path) -> None:
    stage = running(tmp_path)
    stage.send(EDITOR, f"zine invite {TED}")
    stage.send(HARRY, f"subscribe {KEY}\npause zine")
    assert "You are about to close Electronic Protocol" in answer(stage, EDITOR, "zine approve 96\nzine close")
    question = next(one for one in stage.inbox(EDITOR)[::-1] if "`zine close` waits for your answer" in one.subject)
    assert "You get" in answer(stage, BEN, f"subscribe {KEY}\nleave zine {KEY}")
    told = answer(stage, EDITOR, "yes", to=question.reply_to)
    assert "is closed" in told and f"zine {KEY} back issue 96" in told
    subjects = [letter.subject for letter in issues(stage, ANNA)]
    assert subjects == ["Electronic Protocol #96", "Electronic Protocol is closed"]
    word = issues(stage, ANNA)[-1]
    assert f"leave zine {KEY}" in word.text and word.header("List-Unsubscribe")
    assert [letter.subject for letter in issues(stage, HARRY)] == ["Electronic Protocol is closed"]
    assert issues(stage, BEN) == []
    assert "is closed" in answer(stage, EDITOR, f"zine {KEY} approve 97")
    assert "takes no subscribers" in answer(stage, BEN, f"subscribe {KEY}")
    assert "is closed by now" in answer(stage, TED, "yes", to=stage.inbox(TED)[-1].reply_to)
    assert "takes nothing in" in answer(stage, ANNA, "article Late\nWords.", to=ADDRESS)
    stage.send(ANNA, f"zine {KEY} back issue 96")
    assert len(issues(stage, ANNA)) == 3
    assert "the operator of this judge is asked" in answer(stage, EDITOR, f"subscribe {KEY} as editor")
    assert "is closed" in answer(stage, EDITOR, f"zine {KEY} approve 97")
    stage.send(OPERATOR, "yes", to=stage.inbox(OPERATOR)[-1].reply_to)
    stage.send(EDITOR, "zine approve 97")
    assert len(issues(stage, ANNA)) == 4
    stage.close()


def test_a_list_of_readers_to_be_asked_may_have_one_to_a_line(tmp_path: Path) -> None:
    """Up to sixty in one mail; of more nobody is asked. What stands behind a blank line is read as ever."""
    stage = running(tmp_path)
    people = [f"reader{number}@readers.test" for number in range(60)]
    many = "\n".join(f"Reader {number} <{address}>" for number, address in enumerate(people))
    assert "names 61; nobody was" in answer(stage, EDITOR, f"zine invite {BEN}\n{many}")
    assert stage.inbox(BEN) == []
    told = answer(stage, EDITOR, f"zine invite\n{many}\n\nzine deputy {TED}")
    assert "60 are asked whether they want Electronic Protocol." in told and f"{TED} is asked" in told
    assert all(len(stage.inbox(address)) == 1 for address in people)
    stage.send(people[59], "yes", to=stage.inbox(people[59])[-1].reply_to)
    stage.send(EDITOR, "zine approve 96")
    assert [len(issues(stage, address)) for address in people[58:]] == [0, 1]
    stage.close()


# --- press days ------------------------------------------------------------------------------------------------------


def pressed(anchor: str, **terms: object) -> str:
    """The first press days of a zine in Berlin from a moment on, as its readers' clocks show them in UTC."""
    facts = {"anchor": anchor, "time": "18:00", "zone": "Europe/Berlin", **terms}
    moment: datetime | None = datetime.fromisoformat(anchor)
    row = ZineRow("z", "Z", "running", 1, None, datetime(2027, 1, 1, tzinfo=UTC), json.dumps(facts))
    days = []
    for _ in range(3):
        assert moment is not None
        moment = next_press(row, "UTC", moment)
        days.append(f"{moment:%d %b %H:%M}")
    return ", ".join(days)


@pytest.mark.parametrize(
    ("anchor", "terms", "days"),
    [
        ("2027-03-09T09:00+00:00", {"every": "fortnight"}, "10 Mar 17:00, 24 Mar 17:00, 07 Apr 16:00"),
        ("2027-03-10T18:30+00:00", {"every": "fortnight"}, "17 Mar 17:00, 31 Mar 16:00, 14 Apr 16:00"),
        ("2027-10-20T15:00+00:00", {"every": "fortnight"}, "20 Oct 16:00, 03 Nov 17:00, 17 Nov 17:00"),
        ("2027-01-30T00:00+00:00", {"every": "month", "day": 31}, "31 Jan 17:00, 28 Feb 17:00, 31 Mar 16:00"),
        ("2027-10-01T00:00+00:00", {"every": "month", "day": 30}, "30 Oct 16:00, 30 Nov 17:00, 30 Dec 17:00"),
        ("2028-02-01T00:00+00:00", {"every": "month", "day": 30}, "29 Feb 17:00, 30 Mar 16:00, 30 Apr 16:00"),
        (
            "2027-03-01T00:00+00:00",
            {"every": "month", "day": 28, "time": "02:30"},  # an hour that 28 March does not have
            "28 Mar 01:30, 28 Apr 00:30, 28 May 00:30",
        ),
    ],
)
def test_press_days_keep_their_hour_over_a_change_of_clocks_and_their_month(
    anchor: str, terms: dict[str, object], days: str
) -> None:
    """The hour of a wall clock; of a month without that day its last one; every other week from the first one on."""
    assert pressed(anchor, **terms) == days


def test_how_press_days_are_said(tmp_path: Path) -> None:
    stage = running(tmp_path)
    for words, told in (
        ("31st 18:00 monthly", "on day 31 of each month, or its last, at 18:00 (UTC), next on Sunday 31 January"),
        ("last day of the month", "on day 31 of each month, or its last,"),
        ("the 5th of each month, 9:30", "on day 5 of each month at 09:30"),
        ("12 monthly", "on day 12 of each month"),
        ("every other Wednesday 18:00", "every other Wednesday at 18:00 (UTC), next on Wednesday 13 January"),
        ("Wednesday fortnightly", "every other Wednesday"),
        ("Wednesday monthly", "has a day of the month, from 1 to 31"),
        ("32nd monthly", "has a day of the month, from 1 to 31"),
        ("5th weekly", "Say which day, and how often"),
        ("tues 9am weekly", "every Tuesday at 09:00 (UTC)"),
        ("Thursday noon fortnightly Europe/Berlin", "every other Thursday at 12:00 (Europe/Berlin)"),
        ("Thursdays 20:15 weekly CET", "every Thursday at 20:15 (CET)"),
        ("Mondays", "every Monday at 20:15 (CET)"),
        ("Mondays 18h30", "every Monday at 18:30 (CET)"),
        ("Mondays 25:00", "not a time of day"),
        ("Mondays 18:00 IST", "is not a time zone that I know"),
        ("by hand", "when its editor says so"),
    ):
        assert told in answer(stage, EDITOR, f"zine press day {words}"), words
    stage.close()


def test_a_monthly_zine_asks_its_editor_on_the_last_day_of_a_short_month(tmp_path: Path) -> None:
    stage = running(tmp_path, "zine press day 31st 18:00 monthly", start=datetime(2027, 2, 20, 9, tzinfo=UTC))

    def letters(words: str) -> int:
        return sum(words in letter.subject for letter in stage.inbox(EDITOR))

    stage.advance(timedelta(days=8))
    assert letters("goes to press") == 1 and letters("draft of #96") == 0
    stage.advance(timedelta(hours=10))
    assert letters("draft of #96") == 1
    stage.close()


# --- what is printed, and what is not yet ----------------------------------------------------------------------------


def test_what_is_said_of_a_game_is_done_or_refused(tmp_path: Path) -> None:
    """No word is passed over. What its own log tells of a game that is run here, nobody has to tell."""
    stage = running(tmp_path, HERO, "zine chapter 1 games HERO")
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none"})
    for line, told in (
        ("hero", "from Harry Hand <harry@hand.test>; its number is 2027AC; it stands in chapter 1."),
        ("hero frobnicate", 'I do not know what "frobnicate" says of a game.'),
        ("hero hastily on hold until 3 March", 'I do not know what "hastily" says of a game.'),
        ("hero on hold until 3 March", "it is on hold until 3 March."),
        (
            "hero variant Gunboat, season Spring 1903",
            "its variant is Gunboat; its season is Spring 1903; it is a gunboat",
        ),
        ("hero over: a draw by three", "it is over"),
        ("hero", "it is over: a draw by three."),
        ("hero goes on", "it goes on"),
        ("hero replaced", "Say who was replaced, and by whom."),
        ("hero replaced Italy: Ben Smith for Carl Jones", "#96 tells who was replaced"),
        ("hero replaced Turkey: Dora Day, by her own wish", "#96 tells who was replaced"),
        ("baltic", "it is run here; its number is 2027AD"),
        ("baltic number 2027AE designator rb32 chapter 1", "its number is 2027AE; its variant is rb32"),
        *(
            (f"baltic {what}", "BALTIC is run here, so I know")
            for what in gamebook.SETTERS.keys() - gamebook.OF_OUR_OWN
        ),
    ):
        assert told in answer(stage, EDITOR, f"zine game {line}"), line
    assert "Delayed: HERO (2 players replaced)" in answer(stage, EDITOR, "zine dashboard")
    for number in (96, 97):
        stage.send(EDITOR, f"zine approve {number}")
        stage.advance(timedelta(minutes=1))
    first, second = (letter.text for letter in issues(stage, ANNA))
    assert "Two players were replaced, game delayed.\nReplaced: Italy: Ben Smith for Carl Jones.\n" in first
    assert "replaced" not in second.lower()
    stage.close()


def test_an_editor_prints_no_game_of_which_they_may_not_read(tmp_path: Path) -> None:
    stage = running(tmp_path)
    seat_everybody(stage, "closet", {"listed": "no", "nmr": "hold", "reminders": "none"})
    for line in ("zine chapter 1 games closet", "zine game closet", "zine game closet chapter 1"):
        assert "closet is not on the public list" in answer(stage, EDITOR, line), line
    stage.send(GM, f"editor {EDITOR}", to="judge+closet@judge.test")
    assert "Chapter 1 of Electronic Protocol has CLOSET" in answer(stage, EDITOR, "zine chapter 1 games closet")
    stage.close()


def test_a_chapter_is_made_by_its_games_and_goes_when_it_has_none(tmp_path: Path) -> None:
    """Asking for one makes none; an item that was put there stands among those of no chapter."""
    stage = running(tmp_path, HERO, "zine chapter 1 games HERO")
    for line, told in (
        ("zine chapter 4", "has no chapter 4; there is 1."),
        ("zine chapter 4 publisher", "Say who, by mail address"),
        ("zine chapter 4 drop", "has no chapter 4; there is 1."),
        ("zine chapter 1 drop", "has no other chapter"),
        ("zine chapter 2 games", "Chapter 2 of Electronic Protocol has no games."),
        ("zine chapter 1 drop", "HERO would be printed nowhere."),
        ("article Lost\n\nFound again.", "Item 1"),
        ("item 1 to chapter 2", "Item 1 goes to chapter 2."),
        ("zine chapter 2 publisher me", "You are the publisher of chapter 2"),
        ("zine chapter 2 drop", "has no chapter 2 now"),
        ("zine", "Chapter 1: HERO; needs a publisher. To get it"),
        ("zine number abc", "one from 1 to 99999; the next of Electronic Protocol is still #96."),
        ("zine approve 96", "#96 of Electronic Protocol goes to press"),
    ):
        assert told in answer(stage, EDITOR, line), line
    stage.advance(timedelta(minutes=1))
    (issue,) = issues(stage, ANNA)
    assert "Found again." in issue.text and "Chapter Two" not in issue.text
    stage.close()


def test_the_draft_warns_of_statements_that_are_sealed_and_prints_them_when_they_are_not(tmp_path: Path) -> None:
    """Not one word of a sealed statement is in the draft or in the issue; the next one after its day has them all."""
    stage = running(tmp_path)
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none"})
    stage.send(GM, "end game by agreement", subject="baltic")
    stage.send(GM, "confirm", to=stage.inbox(GM)[-1].reply_to)
    stage.send(FRANCE, "eog: I never dared to leave Paris.", subject="baltic")
    stage.send(EDITOR, "zine chapter 1 games BALTIC\nzine preview 96")
    draft = stage.inbox(EDITOR)[-1]
    assert "The statements at the end of BALTIC are sealed until 21 January; they are left out." in " ".join(
        draft.text.split()
    )
    parts = [part for part in draft.message.walk() if part.get_content_type() == "text/plain"]
    assert len(parts) == 2 and all("never dared" not in part.get_content() for part in parts)
    stage.send(EDITOR, "zine approve 96")
    assert "never dared" not in issues(stage, ANNA)[-1].text
    stage.advance(timedelta(days=15))
    stage.send(EDITOR, "zine preview 97")
    assert "sealed until" not in stage.inbox(EDITOR)[-1].text
    stage.send(EDITOR, "zine approve 97")
    assert "I never dared to leave Paris." in issues(stage, ANNA)[-1].text
    stage.close()


def test_a_draft_says_what_is_wrong_and_a_chapter_that_lacks_a_publisher_says_so(tmp_path: Path) -> None:
    """Of words what is too broad, of a report its season, of a reprint its source, of a game its number; in order."""
    stage = running(tmp_path, HERO, "zine game nemo by gm@x.test hold until 20 January")
    stage.send(HARRY, "report hero\nENG" + " " * 90 + "LON")
    stage.send(ANNA, "variant rules Chaos\n\nEverybody has one centre.", to=ADDRESS)
    stage.send(ANNA, "variant rules Militia\nSource: Command #3\nCopyright 1958 A. Calhamer\n\nMove.", to=ADDRESS)
    for number in (1, 2):
        stage.send(ANNA, f"epigraph Words {number}. -- Erehwon #{number}", to=ADDRESS)
    stage.send(EDITOR, "zine preview 96")
    letter = stage.inbox(EDITOR)[-1]
    told = " ".join(letter.text.split())
    for warning in (
        "The report of HERO, item 1, does not say its season.",
        "Item 1 has 1 line over 78 columns, the first: ENG",
        "NEMO has no number yet: zine game nemo number 2027AB",
        "Item 2 reprints rules and does not say where they are from.",
        "2 epigraphs wait; this issue has the first, item 4.",
        "Nobody has looked at items 2, 3, 4 and 5 before;",
    ):
        assert warning in told, warning
    assert "Item 3 reprints" not in told
    text = next(part for part in letter.message.walk() if part.get_filename()).get_content()
    for line in ("This chapter needs a publisher.", "On hold until January 20.", "Taken from Command #3", "Erehwon #1"):
        assert line in text, line
    assert "Copyright 1958 A. Calhamer" in text and "Source:" not in text
    stage.close()


def test_a_zine_may_have_templates_of_its_own(tmp_path: Path) -> None:
    """A file in the folder of its key takes the place of ours, in this zine and in no other; the rest stay."""
    own = tmp_path / "templates" / "zines" / KEY / "zine" / "text"
    own.mkdir(parents=True)
    (own / "head.txt").write_text("OUR OWN HEAD\n")
    stage = running(tmp_path)
    judge = replace(stage.judge, config=replace(stage.judge.config, templates=tmp_path / "templates"))
    other = printer_of(judge, "another-zine")
    assert print_text(sample_issue(), printer_of(judge, KEY))[0].text.startswith("OUR OWN HEAD\n")
    assert print_text(sample_issue(), other)[0].text.startswith("Issue #96 of ELECTRONIC PROTOCOL")
    stage.close()


def test_a_preview_takes_nothing_out_of_the_issue_that_follows(tmp_path: Path) -> None:
    """What began since the last issue, and its number, stand in every draft, and in what is sent at last."""
    stage = running(tmp_path)
    stage.send(EDITOR, "zine approve 96")
    stage.advance(timedelta(days=1))
    seat_everybody(stage, "baltic", {"nmr": "hold", "reminders": "none"})
    for _ in range(2):
        stage.advance(timedelta(hours=1))
        stage.send(EDITOR, "zine preview 97")
        draft = next(part for part in stage.inbox(EDITOR)[-1].message.walk() if part.get_filename())
        assert "BALTIC has begun; it is BNC number 2027A" in draft.get_content()
    stage.send(EDITOR, "zine approve 97")
    assert "BALTIC has begun; it is BNC number 2027A" in issues(stage, ANNA)[-1].text
    stage.send(EDITOR, "zine approve 98")
    assert "has begun" not in issues(stage, ANNA)[-1].text
    stage.close()


def test_reports_of_several_seasons_are_printed_in_the_order_of_their_seasons(tmp_path: Path) -> None:
    stage = running(tmp_path, HERO)
    for season in ("Spring '02", "Fall '01", "W01"):
        stage.send(HARRY, f"report hero {season}\nResults of {season}.")
    stage.send(EDITOR, "zine approve 96")
    text = issues(stage, ANNA)[-1].text
    places = [text.index(f"Results of {season}.") for season in ("Fall '01", "W01", "Spring '02")]
    assert places == sorted(places)
    stage.close()


def test_seasons_are_read_as_people_write_them_and_what_cannot_be_read_leaves_reports_as_they_came() -> None:
    for arrived, printed in (
        (("Spring 1902", "Fall '01"), ("Fall '01", "Spring 1902")),
        (("Winter 2000", "Fall 1999"), ("Fall 1999", "Winter 2000")),
        (("F01R", "1901-Spring", "F01M"), ("1901-Spring", "F01M", "F01R")),
        (("Autumn '01", "Fall '01"), ("Fall '01", "Autumn '01")),
        (("Spring '02", "the third turn", "Fall '01"), ("Spring '02", "the third turn", "Fall '01")),
        (("Spring '02", ""), ("Spring '02", "")),
    ):
        assert tuple(one.season for one in in_order([Report(season=season) for season in arrived])) == printed


# --- what is kept about people ---------------------------------------------------------------------------------------


def test_my_account_and_my_data_name_the_zines_that_somebody_makes_or_gets(tmp_path: Path) -> None:
    stage = running(tmp_path, "zine chapter 2 publisher ted@pub.test", f"subscribe {KEY} pdf", "pause zine")
    stage.send(TED, "yes", to=stage.inbox(TED)[-1].reply_to)
    stage.send(BEN, 'zine new "Ben\'s Own"')
    told = answer(stage, EDITOR, "my account")
    assert "Zines Electronic Protocol: editor Electronic Protocol: subscriber, pdf, paused" in told
    assert "Electronic Protocol: publisher of chapter 2" in answer(stage, TED, "my account")
    assert "Electronic Protocol: subscriber, text" in answer(stage, ANNA, "my account")
    assert "Ben s Own: editor, once the operator approves" in answer(stage, BEN, "my account").replace("'", " ")
    assert "Zines" not in answer(stage, HARRY, "register name Harry\nmy account")
    stage.send(EDITOR, "my data")
    letter = next(one for one in stage.inbox(EDITOR)[::-1] if any(p.get_filename() for p in one.message.walk()))
    (data,) = (p.get_content() for p in letter.message.walk() if p.get_filename() == "my-data.zip")
    facts = json.loads(zipfile.ZipFile(io.BytesIO(data)).read("person.json"))
    assert facts["zines"] == [{"zine": KEY, "as": "editor", "chapter": 0}]
    assert f"zine:{KEY}" in facts["subscriptions"]
    stage.close()


@pytest.mark.parametrize("deputy", [False, True])
def test_the_operator_hears_of_a_zine_whose_editor_is_forgotten(tmp_path: Path, *, deputy: bool) -> None:
    """Its readers stay, and somebody else may make it once the operator says yes."""
    stage = running(tmp_path)
    if deputy:
        stage.send(EDITOR, f"zine deputy {TED}")
        stage.send(TED, "yes", to=stage.inbox(TED)[-1].reply_to)
    before = len(stage.inbox(OPERATOR))
    stage.send(EDITOR, "forget me")
    stage.send(EDITOR, "confirm", to=stage.inbox(EDITOR)[-1].reply_to)
    (told,) = stage.inbox(OPERATOR)[before:]
    assert "the zine Electronic Protocol has no editor" in told.subject and EDITOR not in told.text
    assert (TED in told.text) is deputy
    stage.send(BEN, f"subscribe {KEY} as editor")
    stage.send(HARRY, f"subscribe {KEY} as editor")
    first, second = (letter.reply_to for letter in stage.inbox(OPERATOR)[-2:])
    assert "Only the editor" in answer(stage, BEN, "zine approve 96")
    stage.send(OPERATOR, "yes", to=first)
    stage.send(OPERATOR, "yes", to=second)
    assert "Somebody else makes Electronic Protocol now" in stage.inbox(HARRY)[-1].text
    stage.send(BEN, "zine approve 96")
    assert len(issues(stage, ANNA)) == 1
    assert "has an editor already" in answer(stage, TED, f"subscribe {KEY} as editor")
    stage.close()
