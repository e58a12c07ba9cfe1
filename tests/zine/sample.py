"""An issue with some of everything in it: what golden files, pictures of pages and width tests look at."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

from judge.board.position import position_to_json
from judge.game.core import commands as cmd
from judge.game.core.events import PressSent
from judge.game.core.model import Begun
from judge.mail.letters import Printer
from judge.report.core.letter import Kind
from judge.report.mailing import letters_for
from judge.zine.issue import (
    BoardMap,
    Byline,
    Epigraph,
    GameEntry,
    GameOpening,
    Graph,
    GraphLine,
    Issue,
    Item,
    ItemKind,
    Markup,
    Masthead,
    Report,
    StandbyWanted,
    Statistics,
    StatTable,
    ZineChapter,
)
from judge.zine.own import report_of
from tests.support.builders import cast_of
from tests.support.sample import FALL_1902, sample_game

ROOT = Path(__file__).resolve().parents[2]
EDITOR = Byline("Erin Kline", "editor@zine.test")

BY_HAND = """\
                        THE EMPIRE STRIKES SIDEWAYS

AUSTRIA: A Bud-Ser, A Ser-Bul, (F Alb S GREEK A Gre)
ENGLAND: F Nth-Den, A Yor-Nwy (via F Nwg, which was asked politely and said yes at once), F Lon H
FRANCE:  A Par-Bur, *A Mar S A Par-Bur*, F Bre-Mao

Kiel (to Berlin): "You said Denmark. You wrote it down. I have the letter in
front of me, and it says Denmark."

              1901 1902 1903
  Austria        5    6    7
  England        4    5    6
  France         5    5    5

Due back with me on the 14th. My modem is well again.
"""

ARTICLE = """\
The **coastal crawl** is a question of *when*, not of *where*. Two fleets may pass each other in Portugal and Spain \
if the one leaves by the coast at which the other does not arrive.

## What it is good for

1. Changing fronts in Iberia without losing a season.
2. Frightening Italy.

> There are no rules governing what they may say during this period, nor are they required by the rules to live up to \
what they say, afterward.

| Province  | North coast              | South coast               |
|-----------|--------------------------|---------------------------|
| Spain     | Gascony, Portugal        | Marseilles, Portugal      |
| Bulgaria  | Rumania (east coast)     | Greece                    |

See [the old rulebook](https://rules.example/1961) for the whole list; `F SPA/SC - POR` is how it is written.
"""

RULES = """\
Object of the Game
------------------
If any player gains a majority (18) of the possible military units in the
game within the time set aside for play he is the winner, and the others
are losers. If no player secures a majority, all players still in the game
tie. Any player who loses all his military units loses in any case.

Military rules - Supply
-----------------------
At the start of the game each Great Power contains three supply centers,
except Russia, which contains four.

    Power      Capital    Naval base
    England    London     Liverpool
    Russia     Moscow     Sevastopol
"""

_CENTRES = {
    "Austria": (3, 4, 4, 5), "England": (3, 4, 5, 6), "France": (3, 5, 5, 4), "Germany": (3, 5, 6, 8),
    "Italy": (3, 4, 4, 4), "Russia": (4, 6, 4, 2), "Turkey": (3, 4, 5, 5),
}  # fmt: skip


@cache
def own_report() -> Report:
    """Fall 1902 of the sample game, with press and notes, as an editor's letter tells it."""
    table = sample_game(ROOT / "maps", 4)
    table.tell(cmd.SendPress("The Channel is French.\n> A Lon - Bre", everyone=True), table.player("FRANCE"))
    black = cmd.SendPress("Austria will never forget.", everyone=True, colour=cmd.Colour.BLACK, dateline="VIENNA")
    table.tell(black, table.player("ITALY"))
    table.tell(cmd.Note("Norway and St Petersburg touch by land."), table.gm)
    table.all_orders(FALL_1902).process()
    sent = [event for event in table.events if isinstance(event, PressSent)]
    letters = letters_for(table.before, table.last, table.game, cast_of(), sent)
    letter = next(one for one in letters if one.kind is Kind.RESULTS and one.seat == "3")
    view = Printer(ROOT / "templates").spoken(letter.view, "results")
    assert isinstance(table.game, Begun)
    assert table.game.position is not None
    shown = BoardMap("tannenburg-F1902R", position_to_json(table.game.position), "Before the retreats of 1902")
    return replace(report_of(view, table.game.board, shown), headline="War in the north")


def statistics() -> Statistics:
    """The block of a game year."""
    years = ("1901", "1902", "1903", "1904")
    rows = tuple((power, *map(str, counts)) for power, counts in _CENTRES.items())
    owners = (("Belgium", "-", "F", "G", "G"), ("Norway", "-", "E", "E", "E"), ("Serbia", "A", "A", "A", "T"))
    return Statistics(
        "Tannenburg to the end of 1904",
        tables=(
            StatTable(
                "Players", ("Power", "Players"),
                (("Austria", "Ann"), ("England", "Ben (to Fall 1902, resigned), Hal (standby, from Spring 1903)")),
            ),
            StatTable("Centres by year", ("Power", *years), rows, numbers=(1, 2, 3, 4)),
            StatTable("Who owned what", ("Centre", *years), owners, notes=("A letter for each power.",)),
        ),
        graphs=(
            Graph(
                "Centres by year", ("1900", *years),
                tuple(
                    GraphLine(power, (4.0 if power == "Russia" else 3.0, *map(float, counts)))
                    for power, counts in _CENTRES.items()
                ),
            ),
        ),
        game="Tannenburg",
    )  # fmt: skip


def ratings() -> Statistics:
    """A table of ratings."""
    rows = (
        ("Ann", "4", "1.17", "7.3", "104"), ("Ben", "3", "0.50", "0.0", "97"), ("Cleo", "6", "2.00", "36.8", "121"),
        ("Hal (standby)", "1", "0.00", "0.0", "99"),
    )  # fmt: skip
    table = StatTable(
        "All players", ("Player", "Games", "Calhamer", "Sum of squares", "Ghost-Rating"), rows, numbers=(1, 2, 3, 4),
        notes=("Calhamer points: a solo counts 1, a draw of n 1/n each. Source: Allan B. Calhamer.",
               "Replacements are rated apart, from the season in which they took over."),
    )  # fmt: skip
    return Statistics("Ratings", tables=(table,))


def chapters() -> tuple[ZineChapter, ...]:
    """Two that are printed, one that needs a publisher."""
    gm = Byline("Eric Brosius", "ebrosius@lucy.test")
    tannenburg = GameEntry(
        "Tannenburg", "2027AB", gm=gm, seasons=("Fall '02",), reports=(own_report(),),
        status="Due Thursday December 21",
        changes=("Ben (England) resigned for want of time; Hal plays on from Spring '03.",),
    )  # fmt: skip
    verdun = GameEntry(
        "Verdun", "2027AZrb32", miller=True, kind="gunboat game", gm=Byline("Michael O'Regan", "sccs6069@irucc.test"),
        seasons=("Summer '01",), status="Nothing happened.",
    )  # fmt: skip
    hero = GameEntry(
        "Hero", "2026AQ", gm=Byline("Ted Fischer", "tedward@cs.test"), seasons=("Autumn '03", "Winter '03"),
        reports=(Report("Autumn and Winter '03", words=BY_HAND, source=Byline("Ted Fischer", "tedward@cs.test")),),
    )  # fmt: skip
    ozark = GameEntry("Ozark", "2026AC", gm=gm, seasons=("Spring '05",), status="On hold until January 20.")
    dawn = GameEntry("Dawn", "2027AAgd02", miller=True, variant="Global Diplomacy", seasons=("Spring '01",),
                     status="Not received due to GM having e-mail problems.")  # fmt: skip
    return (
        ZineChapter(1, ("Tannenburg", "Verdun"), EDITOR, entries=(tannenburg, verdun)),
        ZineChapter(
            2, ("Hero", "Ozark", "Dawn"), Byline("Donald Daybell", "daybell@aludra.test"), entries=(hero, ozark, dawn),
            items=(Item(14, ItemKind.COMMENT, "Quote taken from Erehwon #82. Welcome to our new readers.",
                        title="From the publisher", author="Donald Daybell"),),
        ),
        ZineChapter(3, ("Bismark", "Cold War"), printed=False),
    )  # fmt: skip


def items() -> tuple[Item, ...]:
    """Of every sort one."""
    return (
        Item(1, ItemKind.COMMENT, "I definitely could use some more scribes.\n\nI am enjoying moderating this zine, "
             "keep that mail coming!", title="From the editor", author="Erin Kline"),
        Item(2, ItemKind.LETTER, "Dear Erin,\n\nIn the 1961 rulebook I intended to permit the Coastal Crawl. In the "
             "1971\nrulebook I intentionally left it out.\n\nYours very truly,\nAllan",
             title="On crawling", author="Allan"),
        Item(3, ItemKind.ARTICLE, ARTICLE, title="The coastal crawl", author="Allan", markup=Markup.MARKDOWN),
        Item(4, ItemKind.RULES, RULES, title="1958 Diplomacy", source="Command #3",
             copyright="Copyright 1958 Allan B. Calhamer", licence="Reprinted with permission."),
        Item(5, ItemKind.BIOGRAPHY, "Plays since 1974, mostly Turkey, mostly well.", title="Ann Example"),
        Item(6, ItemKind.CARTOON, "", title="The stalemate line", picture="cartoon-6", credit="Lew",
             alt="Two fleets stare at each other across the Channel"),
        Item(7, ItemKind.CLASSIFIED, "GM wanted for the rest of a 20-player game, 7 left, from 27 September.",
             until=98),
        Item(8, ItemKind.CLASSIFIED, "Old issues of Command for sale. Ask me.", author="Erin Kline",
             until=97),
        Item(9, ItemKind.STATEMENT, "It was a pleasure, and the Channel stayed empty.", title="France in Zama",
             author="Cleo"),
        Item(10, ItemKind.ERRATUM, "In #95 the army in Burgundy should have been a fleet in Brest. My message was "
             "incorrect."),
    )  # fmt: skip


def sample_issue() -> Issue:
    """Issue #96."""
    return Issue(
        Masthead("Electronic Protocol", 96, date(2027, 1, 6), EDITOR, "electronic-protocol",
                 "judge+zine-electronic-protocol@judge.test"),
        chapters=chapters(),
        epigraph=Epigraph("THIS IS A TEST. FOR THE NEXT SIX PAGES THIS ZINE IS GOING TO CONDUCT A TEST OF THE NATIONAL "
                          "SOBRIETY SYSTEM.", "Erehwon #82"),
        items=items(),
        changed=("Tannenburg: Hal took over England from Ben, who had no time any more.",
                 "Verdun began, with number 2027AZrb32."),
        openings=(
            GameOpening("Classic", "1958 Diplomacy", None, "3 of 7 players",
                        "Write \"join classic\" to judge@judge.test.", preferences=True, map_offered=True),
        ),
        wanted=(StandbyWanted("Tannenburg", "Russia", "Spring '03", "4 centres", 'write "take over tannenburg"'),),
        standbys=("Hal", "Ida", "Jo"),
        statistics=(statistics(), ratings()),
        notes=("To leave this zine, write \"leave zine electronic-protocol\" to judge@judge.test.",),
    )  # fmt: skip
