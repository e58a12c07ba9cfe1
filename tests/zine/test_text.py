"""The text of an issue, as zines by mail look: headings, status lines, 78 columns, parts that gateways let through."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from judge.mail.letters.layout import columns
from judge.store.zines import ZineIssueRow
from judge.zine.html import ZinePrinter
from judge.zine.issue import (
    Item,
    ItemKind,
    Markup,
    Report,
    ReportedPhase,
    Statistics,
    StatTable,
    ZineChapter,
    chapter_alone,
    frozen,
    has_rest,
    thawed,
)
from judge.zine.mailing import mails_of
from judge.zine.text import print_text, table_text, too_broad
from judge.zine.tree import markup_of
from tests.zine.sample import ROOT, own_report, sample_issue

GOLDEN = Path(__file__).parent / "golden"
PRINTER = ZinePrinter(ROOT / "templates")


@cache
def whole() -> str:
    (part,) = print_text(sample_issue(), PRINTER)
    return part.text


def golden(name: str, text: str) -> None:
    """The text is that of the golden file; GOLDEN=write makes it so."""
    path = GOLDEN / name
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_text_is_the_golden_one() -> None:
    golden("issue-96.txt", whole())


def test_an_issue_that_was_stored_is_the_same_issue() -> None:
    assert thawed(frozen(sample_issue())) == sample_issue()


def test_a_game_is_headed_as_zines_head_it() -> None:
    heads = (
        "Summer '01 of the gunboat game VERDUN (MNC number 2027AZrb32)\n"
        "(GM is sccs6069@irucc.test/Michael O'Regan)\n"
        "Nothing happened.\n"
    )
    assert f"\n\n{heads}" in whole()


def test_a_chart_has_centres_in_codes_now_and_before() -> None:
    assert "\nGER: BEL BER DEN HOL KIE MUN = 6(5) +\n" in whole()
    assert "\nRUS: MOS SEV SWE WAR = 4(6) --\n" in whole()


def test_no_line_is_broader_than_the_page() -> None:
    assert [line for line in whole().split("\n") if columns(line) > 78] == []


def test_press_and_notes_stand_apart() -> None:
    """No word of a player's stands under the Gamemaster's heading, and black press is marked as such."""
    _, _, behind = whole().partition("PRESS of TANNENBURG ---")
    press, _, notes = behind.partition("GM NOTES of TANNENBURG ---")
    assert "  | Austria will never forget." in press
    assert '[BLACK] calls itself "VIENNA"' in press
    assert "|" not in notes.partition("\n\n")[0]


def test_what_was_mailed_in_is_printed_word_for_word_and_prose_is_filled() -> None:
    table = "Power        " + "  ".join(f"19{year:02}" for year in range(1, 20))
    report = Report("", words=f"{table}\n{'a b ' * 40}")
    hero = replace(sample_issue().chapters[1].entries[0], reports=(report,))
    chapter = ZineChapter(1, ("Hero",), entries=(hero,))
    (part,) = print_text(replace(sample_issue(), chapters=(chapter,)), PRINTER)
    assert f"\n{table}\n" in part.text
    assert [columns(line) for line in part.text.split("\n") if columns(line) > 78] == [columns(table)]


def test_a_broad_table_is_kept_whole_with_its_head() -> None:
    """The years stand one blank apart, the centres three: both are rows of one table; prose beside it is filled."""
    head = " " * 10 + " ".join(map(str, range(1901, 1921)))
    rows = [f"{power:10}" + " ".join(f"{n:4}" for n in range(20)) for power in ("Austria", "England")]
    text = printed_with(Report("", words="\n".join(["word " * 30, "", head, *rows, "", "word " * 30])))
    assert "\n".join([head, *rows]) in text
    assert sum(columns(line) > 78 for line in text.split("\n")) == 3


def test_of_no_cell_of_a_table_anything_is_left_out() -> None:
    """Whether one column is wrapped, or the table comes in pieces."""
    words = [f"word{n}" for n in range(40)]
    for across in (2, 5, 12):
        cells = (" ".join(words), *(f"a cell of some breadth {n}" for n in range(across - 1)))
        text = table_text([f"Column {n}" for n in range(across)], [cells[::-1], cells])
        assert all(columns(line) <= 78 for line in text.split("\n"))
        found = Counter(text.split())
        assert [word for word in " ".join(cells).split() if found[word] < 2] == []


def test_in_ascii_nothing_else_is_left() -> None:
    text = "“Zürich” – naïve façade … ☃"
    issue = replace(sample_issue(), items=(Item(1, ItemKind.LETTER, text),))
    (part,) = print_text(issue, PRINTER, ascii_only=True)
    assert part.text.isascii()
    assert '"Zurich" - naive facade ... ?' in part.text


def test_parts_break_between_sections_and_each_has_the_directory() -> None:
    """Nothing is lost by parting: every section stands whole in one of the parts."""
    parts = print_text(sample_issue(), PRINTER, most=5000)
    assert [part.subject for part in parts] == [f"Electronic Protocol #96 (part {n} of 3)" for n in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        assert len(part.text.encode()) <= 5000
        assert part.text.startswith(f"Issue #96 of ELECTRONIC PROTOCOL, part {number} of 3:\n")
        for chapter in ("Chapter Two contains: HERO, OZARK, and DAWN", "Chapter Three contains: BISMARK and COLD WAR"):
            assert chapter in part.text
    for section in whole().split("\n\n\n")[1:]:
        assert any(section.strip("\n") in part.text for part in parts) or section.startswith("Chapter"), section


def test_a_section_that_no_mail_could_carry_is_parted_too() -> None:
    long = Item(1, ItemKind.ARTICLE, "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(400)), title="Long")
    parts = print_text(replace(sample_issue(), items=(long,)), PRINTER)
    assert len(parts) == 3
    assert all(len(part.text.encode()) <= 50_000 for part in parts)
    text = "".join(part.text for part in parts)
    assert all(f"Paragraph {n}. word" in text for n in range(400))


def test_a_chapter_is_sent_on_its_own_and_says_so() -> None:
    (part,) = print_text(chapter_alone(sample_issue(), 2), PRINTER)
    assert part.subject == "Electronic Protocol #96 -- Chapter Two"
    assert "Chapter One contains: TANNENBURG and VERDUN" in part.text
    assert "Fall '02 of the game" not in part.text
    assert "Classified" not in part.text


@pytest.mark.parametrize("alone", [(), (1,), (2,), (1, 2), (2, 1, 9)])
def test_the_mails_of_an_issue_and_the_chapters_sent_before_hold_everything_once(alone: tuple[int, ...]) -> None:
    """Whichever chapters their publishers have sent; no mail is empty."""
    whole = sample_issue()
    empty = ZineChapter(9, ())
    issue = replace(whole, chapters=(*whole.chapters, empty))
    facts = json.dumps({"alone": alone})
    row = ZineIssueRow("ep", 96, 0, "approved", datetime(2027, 1, 6, tzinfo=UTC), "", facts)
    mails = list(mails_of(row, issue).values())
    told = [*mails, *(chapter_alone(issue, number) for number in alone)]
    assert Counter(item for one in told for item in one.all_items) == Counter(issue.all_items)
    entries = [entry.game for one in told for chapter in one.printed for entry in chapter.entries]
    assert sorted(entries) == sorted(entry.game for chapter in issue.printed for entry in chapter.entries)
    for rest in ("changed", "openings", "wanted", "standbys", "statistics"):
        found = [repr(item) for one in told for item in getattr(one, rest)]
        assert sorted(found) == sorted(map(repr, getattr(issue, rest))), rest
    assert all(has_rest(one) or any(chapter.entries for chapter in one.printed) for one in mails)


def test_a_phase_in_which_nothing_happened_is_not_told_beside_one_that_was_fought() -> None:
    fought, idle = own_report().phases[0], ReportedPhase("Fall 1902 retreats", said="Nothing happened.")
    for phases, told in (((fought, idle), False), ((idle,), True)):
        text = printed_with(replace(own_report(), phases=phases))
        assert ("Fall 1902 retreats: Nothing happened." in text) is told
        assert "Fall 1902 moves:" not in text


def printed_with(report: Report) -> str:
    """The text of an issue in which Tannenburg sent this."""
    first = sample_issue().chapters[0]
    chapter = replace(first, entries=(replace(first.entries[0], reports=(report,)),))
    (part,) = print_text(replace(sample_issue(), chapters=(chapter,)), PRINTER)
    return part.text


def test_a_tall_and_narrow_table_stands_in_columns_and_keeps_every_row() -> None:
    owners = tuple((f"Centre {n}", "FRA") for n in range(34))
    ours = Statistics("Owners", (StatTable("", ("Centre", "1901"), owners),))
    (part,) = print_text(replace(sample_issue(), statistics=(ours,)), PRINTER)
    head = next(line for line in part.text.split("\n") if line.startswith("Centre"))
    assert head.split() == ["Centre", "1901"] * 4
    assert "Centre 0   FRA     Centre 9   FRA" in part.text
    assert all(f"Centre {n} " in part.text for n in range(34))


def test_words_are_read_as_what_they_look_like() -> None:
    """Whoever lays out by hand does not find it filled; whoever writes Markdown need not say so."""
    assert markup_of("# Title\n\nText") is Markup.MARKDOWN
    assert markup_of("| a | b |\n|---|---|\n| 1 | 2 |") is Markup.MARKDOWN
    assert markup_of("Some words, and *stress*.") is Markup.MARKDOWN
    assert markup_of("England   London   Liverpool\nRussia    Moscow   Sevastopol") is Markup.TEXT
    assert markup_of("A *short* line\nand another\n\nYours,\nAllan") is Markup.TEXT
    assert markup_of("F SPA(sc)-POR and 3*4*5 and a_b_c") is Markup.TEXT


def test_a_line_is_too_broad_only_where_it_cannot_be_filled() -> None:
    table = "FRA  " + "BEL  " * 20
    for how in (Markup.TEXT, Markup.MARKDOWN, None):
        assert too_broad("word " * 40, how) == []
    assert too_broad(f"Power   {table}", Markup.TEXT) != []
    assert too_broad(f"```\n{table}\n```", Markup.MARKDOWN) != []
    assert too_broad(f"Power     {table}") != []
