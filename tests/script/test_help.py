"""The pages of help: every word is on one, every line on one can be sent, and the books have them all."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from judge.board.load import load_board
from judge.board.position import start_position
from judge.game.core.commands import ChangeSettings, Decision, OrderLine, Role, Status, Submit, Verdict
from judge.game.settings.bundles import GROUPS, HOUSE_PRESETS, PRESETS, about
from judge.game.settings.table import TABLE
from judge.game.table.deciding import MATTERS
from judge.mail.letters import Printer
from judge.mail.letters.binding import Binding, bind, heading_slug
from judge.mail.letters.pages import Is, Leaf
from judge.mail.script import ScriptContext
from judge.mail.vocabulary import VERBS, Clause, Unclear, Verb, find_verb
from judge.mail.vocabulary.anyone import Help
from judge.mail.vocabulary.help import HelpPage, Shows, find_anywhere, find_page, near_topics
from judge.mail.vocabulary.older import ROWS
from judge.mail.vocabulary.pages import Guide, editions, page_name
from judge.mail.vocabulary.topics import TOPICS
from judge.orders.family import FAMILY
from judge.report.core.letter import Office, plain
from judge.report.reply.helppages import Asker
from judge.report.reply.lessons import Lessons, lessons
from judge.rules import RULES_1976
from judge.rules.choices import ASKED, CHOICES
from judge.rules.model import RULE_SYSTEMS
from judge.service.core.judge import Shelf
from judge.service.hearing.helping import books, tables
from tests.script.conftest import ReadMail
from tests.script.test_help_of_systems import order_fault
from tests.support.builders import Table

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "templates" / "help" / "pages"
SHELF = Shelf(ROOT / "maps")
UNTOPICAL = {"all", "commands", "several", "missing", "group", "preset", "places", "power", "business", "older"}
"""Pages that are no topic's, beside the overviews."""


@cache
def lesson() -> Lessons:
    return lessons(start_position(load_board(ROOT / "maps" / "standard")), "FRANCE", RULES_1976)


@cache
def printer() -> Printer:
    return Printer(ROOT / "templates")


def guide(role: Role) -> Guide:
    board = SHELF.board("standard")
    return Guide(Asker(lesson().shown, role), Office(), board, tables(SHELF))


@cache
def leaves_of(page: HelpPage, role: Role) -> tuple[Leaf, ...]:
    return printer().leaves("help/leaf.txt", plain(guide(role).view(page, page.key)))


def every_page() -> Iterator[HelpPage]:
    yield from (HelpPage(Shows.OVERVIEW), HelpPage(Shows.ALL), HelpPage(Shows.ALL, "commands"))
    yield from (HelpPage(Shows.TOPIC, key) for key in TOPICS)
    yield from (HelpPage(Shows.VERB, verb.name) for verb in VERBS)
    yield from (HelpPage(Shows.GROUP, key) for key in GROUPS)
    yield from (HelpPage(Shows.SETTING, key) for key in TABLE)
    yield from (HelpPage(Shows.PRESET, key) for key in PRESETS)
    yield from (HelpPage(Shows.POWER, "FRANCE"), HelpPage(Shows.PLACES, "STP"), HelpPage(Shows.PLACES, "NTH,NWY"))


PAGES_SHOWN = tuple(every_page())


# -- finding a page ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("", HelpPage(Shows.OVERVIEW)),
        ("press", HelpPage(Shows.TOPIC, "press")),
        ("BROADCAST", HelpPage(Shows.VERB, "press")),
        ("obs", HelpPage(Shows.VERB, "observe")),
        ("proces", HelpPage(Shows.VERB, "process")),
        ("draw_from", HelpPage(Shows.SETTING, "draw_from")),
        ("draw from", HelpPage(Shows.SETTING, "draw_from")),
        ("paradox", HelpPage(Shows.SETTING, "paradox")),
        ("settings for press", HelpPage(Shows.GROUP, "press")),
        ("fast", HelpPage(Shows.PRESET, "fast")),
        ("the set command?", HelpPage(Shows.VERB, "set")),
        ("F Brest C A London - Spain", HelpPage(Shows.TOPIC, "convoy")),
        ("njudge masters", HelpPage(Shows.OLDER, "njudge/Masters")),
        ("quux", None),
    ],
)
def test_a_page_is_found_by_any_of_its_names(asked: str, page: HelpPage | None) -> None:
    assert find_page(asked) == page


BEGINNERS_ASK = {
    "diplomacy": (
        "what is a fleet?",
        "what is an army",
        "what is a unit?",
        "what is a supply centre?",
        "what are supply centers",
        "how do I win?",
        "how do I win the game",
        "how many centres do I need to win?",
        "what is a bounce?",
        "what does dislodged mean",
        "what is a standoff",
        "how does combat work?",
        "how are conflicts decided",
        "what are the rules of the game?",
        "how do you play this game?",
        "how do you play Diplomacy",
        "how strong is a fleet",
        "what is a turn?",
        "how many turns are in a year?",
        "what happens in fall?",
        "how do I capture a centre?",
        "how do I get more centres",
        "how do I take a supply centre",
        "what is a power?",
        "is there any luck in this game",
        "are there dice?",
        "how does a battle work",
    ),
    "first steps": (
        "how do I start?",
        "I am new here",
        "what do I do first?",
        "where do I begin?",
        "how does this work?",
    ),
    "convoy": (
        "how do I form a convoy",
        "how do I make a convoy?",
        "how do I convoy an army",
        "can a fleet carry an army?",
        "how do I move an army over water",
        "how do I cross the sea?",
        "how do I move my army across the channel",
        "how do I get an army to an island",
        "can armies cross water?",
    ),
    "move": (
        "how do I move?",
        "how do I move a unit",
        "how do I move my army",
        "how do I attack?",
        "where can I move?",
        "how far can a unit move?",
        "can I swap two units?",
        "can two units exchange places",
    ),
    "support": (
        "how do I support an attack?",
        "how do I defend?",
        "what is a support?",
        "how do I help another unit",
        "when is support cut?",
        "can I support another player?",
        "how do I support my ally",
        "what does cut mean?",
    ),
    "retreat": ("how do I retreat?", "where can I retreat to", "my army was dislodged, what now?", "what is a retreat"),
    "build": (
        "how do I build?",
        "how do I build a fleet",
        "how do I build an army?",
        "where can I build?",
        "when do I get new units",
        "why must I remove a unit?",
        "how do I get more units",
        "what is an adjustment",
    ),
    "orders": (
        "how do I send orders?",
        "how do I write orders",
        "what does an order look like",
        "how do I order my units",
        "where do I send my orders?",
        "who sees my orders?",
    ),
    "changing": ("can I change my orders?", "I made a mistake in my orders", "how do I correct an order"),
    "press": (
        "how do I write to another player?",
        "how do I talk to Germany?",
        "how do I negotiate",
        "what is press?",
        "how do I send a message to everybody",
        "how do I contact the other players?",
        "how do I write to France?",
        "may I write to the Turk?",
        "is my press secret?",
    ),
    "time": (
        "when is the deadline?",
        "how do I get more time?",
        "how long do I have?",
        "what if I am on holiday next week?",
        "how much time do I have",
    ),
    "late": (
        "what happens if I am late?",
        "what happens if I forget my orders",
        "what is NMR?",
        "what is a grace period",
    ),
    "votes": ("how do I propose a draw?", "how do we end in a draw", "how do I vote?", "can we call it a draw?"),
    "seats": ("how do I leave the game?", "how do I quit?", "how do I resign"),
    "joining": ("how do I join a game?", "how do I find a game", "can I choose my country?", "how do I sign up"),
    "reading": ("where can I see the map?", "how do I see the results", "who is playing?", "who am I playing against"),
    "names": ("what are the abbreviations?", "how do I spell the provinces"),
    "coasts": ("what does nc mean?", "what is a north coast", "which coast do I name?"),
    "ending": ("how does the game end?", "when does the game end", "when is the game over?"),
    "practice": ("can I practise first?", "is there a practice game?", "can I try it out alone"),
    "starting": ("how do I start a game of my own?", "how do I create a game?", "how do I set up a game"),
    "gm": ("what does a gamemaster do?", "how do I run a game?", "who is the GM", "what is a gamemaster?"),
    "letters": ("how do I get fewer mails?", "how do I turn off html", "how do I stop the pictures"),
    "proof": ("why was my mail held?", "how do you know it is me?", "what is a check phrase?"),
    "stand": ("how do I hold?", "how do I stay where I am", "what does hold mean"),
    "ahead": ("can I send orders in advance?", "how do I send orders for next turn"),
    "trying": ("can I test my orders?", "how do I try out orders"),
    "appeals": ("the results are wrong", "the judge made a mistake", "how do I appeal?", "my order was judged wrongly"),
    "anonymous": ("what is gunboat?",),
    "lot": ("how are the powers drawn?",),
}
"""Page -> questions of people who know neither the game nor the judge, each of which it answers."""


def test_questions_of_beginners_find_the_page_that_answers_them() -> None:
    assert sum(map(len, BEGINNERS_ASK.values())) > 120
    wrong = []
    for topic, questions in BEGINNERS_ASK.items():
        for asked in questions:
            page = find_page(asked, Role.PLAYER, SHELF.board("standard"))
            if page is None or (page.shows, page.key) != (Shows.TOPIC, topic):
                wrong.append((asked, topic, page and f"{page.shows.value} {page.key}"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_name_of_a_verb_finds_a_page_that_tells_of_it(verb: Verb) -> None:
    for word in (verb.name, *verb.words[:3]):
        page = find_page(word, Role.GM if Role.PLAYER not in verb.roles else Role.PLAYER)
        assert page is not None, word
        assert page.shows in (Shows.VERB, Shows.TOPIC, Shows.OVERVIEW, Shows.GROUP, Shows.ALL), (word, page)


@pytest.mark.parametrize("key", TABLE)
def test_every_setting_has_a_page_for_the_gamemaster(key: str) -> None:
    page = find_page(key, Role.GM)
    assert page is not None
    assert key in (page.setting, page.key), page


def test_a_setting_of_a_few_words_says_what_each_means() -> None:
    for setting in TABLE.values():
        try:
            setting.form.read("no such word")
        except ValueError as error:
            allowed = str(error).partition(" is none of: ")[2].split(", ") if " is none of: " in str(error) else []
        else:
            allowed = []
        meant = [word for word, _ in setting.words]
        assert set(allowed) - {"none"} <= set(meant), setting.name
        for word in meant:
            setting.form.read(word)
            assert setting.name not in ("access", "unfilled", "nmr") or word in setting.summary


def test_a_page_on_the_editions_has_each_edition_and_each_rule_with_all_its_answers() -> None:
    """So has the page of each rule: a Gamemaster who is asked to decide it finds what the words mean."""
    page = " ".join(f"{leaf.line} {leaf.text}" for leaf in leaves_of(HelpPage(Shows.TOPIC, "editions"), Role.GM))
    assert all(key in page for key in editions())
    for name, answers in CHOICES.items():
        own = leaves_of(HelpPage(Shows.SETTING, name), Role.GM)
        assert name in page and ASKED[name] in page and any(ASKED[name] in leaf.text for leaf in own)
        for answer in answers:
            assert answer.said in page and any(leaf.line == answer and answer.said in leaf.text for leaf in own)
    for matter in MATTERS:
        assert find_page(matter.name, Role.GM) == HelpPage(Shows.SETTING, matter.name) or matter.name in TABLE


def test_a_page_that_is_for_other_games_is_not_offered_as_what_was_meant() -> None:
    assert find_page("by rail") is None and "by rail" not in near_topics("by rail")
    page = find_anywhere("by rail")
    view = plain(guide(Role.PLAYER).missing("by rail", near_topics("by rail"), page))
    said = " ".join(leaf.text for leaf in printer().leaves("help/leaf.txt", view))
    assert "other rules or another board" in said and "Did you mean" not in said


def test_every_setting_stands_in_one_group() -> None:
    grouped = [name for group in GROUPS.values() for name in group.settings]
    assert sorted(grouped) == sorted(TABLE), set(TABLE) - set(grouped)


def test_no_word_asks_for_two_topics() -> None:
    """Of two topics with one word each is for games of its own: these have different kinds of order."""
    asked: dict[str, list[str]] = {}
    for topic in TOPICS.values():
        for word in topic.names:
            asked.setdefault(word, []).append(topic.kind)
    several = {word: kinds for word, kinds in asked.items() if len(kinds) > 1}
    assert all("" not in kinds and len(set(kinds)) == len(kinds) for kinds in several.values()), several
    for topic in TOPICS.values():
        assert {*topic.more} <= {*TOPICS, "all", "book", *(f"settings {name}" for name in GROUPS)}, topic.name


def test_every_topic_has_its_page_and_every_page_its_topic() -> None:
    files = {path.stem for path in PAGES.glob("*.txt")}
    paged = {page_name(topic) for topic in TOPICS.values()} - {""}
    assert paged == {name for name in files if not name.startswith("overview")} - UNTOPICAL
    assert paged >= {"sandbox", "tournaments", "scoring"}


def test_a_topic_without_a_page_is_the_list_of_its_verbs() -> None:
    """So a module of verbs may bring a topic of its own, and its verbs are in the help at once."""
    view = replace(guide(Role.PLAYER).view(HelpPage(Shows.TOPIC, "press")), page="")
    shown = {leaf.line for leaf in printer().leaves("help/leaf.txt", plain(view)) if leaf.kind is Is.FORM}
    assert shown == {" or ".join(verb.usage[:3]) for verb in VERBS if verb.topic == "press"}


# -- every line of it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES_SHOWN, ids=lambda page: f"{page.shows.value} {page.key}")
def test_every_example_of_a_page_can_be_sent(
    page: HelpPage, mail: ReadMail, player: ScriptContext, gm: ScriptContext, stranger: ScriptContext
) -> None:
    """An order is legal where its units stand; a command is read; what is called refused is refused."""
    for role in (Role.PLAYER, Role.GM, Role.STRANGER):
        for leaf in leaves_of(page, role):
            if leaf.kind is Is.EXAMPLE:
                _can_be_sent(leaf.line, mail, (player, gm, stranger))
            elif leaf.kind is Is.REFUSED:
                assert _order_fault(leaf.line), leaf.line


def _can_be_sent(line: str, mail: ReadMail, contexts: tuple[ScriptContext, ...]) -> None:
    if not find_verb(line) and _order_fault(line.partition(", or ")[0]) == "":
        return
    if line.startswith("if "):
        assert [verdict.sentence for verdict in _filed(line) if verdict.status is not Status.TAKEN] == []
        return
    found = []
    for context in contexts:
        script = mail(line, to=replace(context, position=lesson().stage) if context.position else context)
        if script.said and not script.unread and not any(isinstance(said.request, Submit) for said in script.said):
            request = script.said[0].request
            assert not isinstance(request, Help) or _is_help(request), line
            return
        found.append(script)
    match = find_verb(line)
    if match is not None and not isinstance(
        match.verb.read(Clause(match.word, match.rest, contexts[1].around())), Unclear
    ):
        return
    block = [orders for script in found for orders in script.orders]
    assert block and (line.startswith("for ") or "hold" in line), (line, found[0].unread, found[0].ignored)


def _filed(line: str) -> tuple[Verdict, ...]:
    """What a game in its first turn says to a line of France's orders."""
    table = Table(ROOT / "maps").seated().started()
    decision = table.tell(Submit((OrderLine(1, line),)), table.player("FRANCE"))
    assert isinstance(decision, Decision) and decision.verdicts
    return decision.verdicts


def _is_help(request: Help) -> bool:
    return find_page(request.topic, Role.GM, SHELF.board("standard")) is not None


def _order_fault(line: str) -> str:
    return order_fault(line, lesson().stage, "FRANCE", RULES_1976)


@pytest.mark.parametrize("key", TABLE)
def test_the_page_of_a_setting_has_lines_that_set_it(key: str, gm: ScriptContext) -> None:
    lines = [leaf.text for leaf in leaves_of(HelpPage(Shows.SETTING, key), Role.GM) if leaf.line in ("Write", "or")]
    assert lines
    for line in lines:
        match = find_verb(line)
        assert match is not None and match.verb.name == "set", line
        found = match.verb.read(Clause(match.word, match.rest, gm.around()))
        assert isinstance(found, ChangeSettings) and found.name == key, line
        TABLE[key].form.read(found.value)


# -- the books -----------------------------------------------------------------------------------------------------


@cache
def bound(form: Binding) -> dict[str, str]:
    return bind(plain(books(SHELF, Office())), printer(), form)


def words_in(text: str) -> str:
    text = re.sub(r"(?<!\\)\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"\\-", "-", re.sub(r"\\(?!-)|[`*_|#]|<[^>]*>", "", text)).split())


@pytest.mark.parametrize("form", list(Binding))
def test_the_books_have_every_page_as_the_letters_have_it(form: Binding) -> None:
    """One source: each paragraph of each page stands in one of the books, in every form."""
    text = words_in("\n".join(bound(form).values()).replace("\\(dq", '"').replace("&#x27;", "'").replace("&quot;", '"'))
    for topic in TOPICS.values():
        role = Role.GM if topic.part.name in ("GAMEMASTER", "OLDER") else Role.PLAYER
        for leaf in leaves_of(HelpPage(Shows.TOPIC, topic.name), role):
            if leaf.kind in (Is.PROSE, Is.POINT) and form is not Binding.HTML:
                assert words_in(leaf.text) in text, (topic.name, leaf.text)


def test_the_books_tell_of_every_verb_every_setting_and_every_older_word() -> None:
    text = "\n".join(bound(Binding.MARKDOWN).values()).lower()
    missing = [verb.name for verb in VERBS if not any(f"`{word}" in text for word in verb.words)]
    assert not missing, f"no page of help shows {missing}"
    assert [name for name in TABLE if f"`{name} = " not in text] == []
    assert [row.written for row in ROWS if f"`{row.written.lower()}`" not in text] == []


def test_every_row_of_a_book_shows_what_can_be_sent() -> None:
    """An edition named by its year counts no steps, marks of code are no backslashes, and "or" stands between forms."""
    text = "\n".join(bound(Binding.MARKDOWN).values())
    assert re.findall(r"^\d{4}\..*|.*\\`.*", text, re.MULTILINE) == []
    usages = {usage for verb in VERBS for usage in verb.usage}
    rows = [
        leaf for topic in TOPICS for leaf in leaves_of(HelpPage(Shows.TOPIC, topic), Role.GM) if leaf.kind is Is.FORM
    ]
    assert [row.line for row in rows if " or " in row.line and not usages.issuperset(row.line.split(" or "))] == []


GM_ONLY = {"create", "dry-run create", "set", "adopt"}
"""What anybody may write, and only somebody who runs a game does."""


def test_the_players_book_has_every_command_that_a_player_may_use() -> None:
    text = bound(Binding.MARKDOWN)["judge-player.md"].lower()
    mine = [verb for verb in VERBS if Role.PLAYER in verb.roles and verb.name not in GM_ONLY]
    assert [verb.name for verb in mine if not any(re.search(rf"[`\"]{word}", text) for word in verb.words)] == []


def test_a_game_is_filled_before_it_is_run() -> None:
    """In the order in which a Gamemaster needs them, not in the order in which the pages were written."""
    book = bound(Binding.MARKDOWN)["judge-gamemaster.md"]
    heads = [TOPICS[name].title for name in ("gm", "starting", "filling", "settings", "lateness", "ending")]
    assert sorted(heads, key=lambda head: book.index(f"### {head}\n")) == heads
    assert "njudge" not in book


def test_every_link_of_the_books_leads_to_a_page_and_every_page_that_is_named_is_linked() -> None:
    for form, anchor in ((Binding.HTML, r' id="{}"'), (Binding.MARKDOWN, r"")):
        files = bound(form)
        heads = {
            name: {heading_slug(head) for head in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
            for name, text in files.items()
        }
        for name, text in files.items():
            links = re.findall(r'(?:href="|\]\()([^"#)\s]*)#([^")\s]*)', text)
            assert len(links) > 20
            for file, mark in links:
                target = files[file or name]
                there = anchor.format(mark) in target if anchor else mark in heads[file or name]
                assert there, (name, file, mark)
            for words in re.findall(r"More: (.*?)(?:</p>|\n)", text):
                left = re.sub(r"<a .*?</a>|\[.*?\]\(.*?\)|[,.]", "", words).split("help")
                assert {page.strip() for page in left} <= {"", "all", "book"}, words


def test_no_two_headings_to_which_a_book_links_are_called_alike() -> None:
    """Else the link leads to the first of them."""
    for name, text in bound(Binding.MARKDOWN).items():
        anchors = Counter(heading_slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE))
        linked = set(re.findall(r"\]\(#([^)]+)\)", text))
        assert {anchor: anchors[anchor] for anchor in linked if anchors[anchor] != 1} == {}, name


def test_what_is_set_in_columns_on_a_page_is_marked_as_such() -> None:
    """A line that is set in by less than four blanks goes on with the point above it; else it would be read as prose,
    and its columns run into each other.
    """
    for path in sorted(PAGES.glob("*.txt")):
        above = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.match(r" {1,3}[^ {]", line):
                assert re.match(r"- | {1,3}\S", above), (path.name, line)
            assert not re.search(r"[^ .]   +[^ ]", line.partition("::")[0].strip()), (path.name, line)
            above = line


def test_every_preset_and_all_rules_say_what_is_special_about_them() -> None:
    ours = {key: system for key, system in RULE_SYSTEMS.items() if type(system.rules).__module__.startswith("judge.")}
    for name in (*HOUSE_PRESETS, *(name for system in ours.values() for name in system.presets)):
        assert 15 < len(about(name)) < 250 and about(name).endswith("."), name
    shown = {row.line: row.text for row in tables(SHELF)["variants"]}
    for key, system in ours.items():
        told = shown[f"rules = {key}"]
        assert system.title in told, key
        assert "edition" in told or (system.about and any(system.about in text for text in shown.values())), key


@pytest.mark.skipif(not which("man"), reason="needs man")
def test_the_man_pages_are_sound(tmp_path: Path) -> None:
    for name, text in bound(Binding.MAN).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["man", "--warnings", "-l", str(tmp_path / name)], capture_output=True, text=True, check=True
        )
        assert re.search("PRESS AND VOTES|FOR THE GAMEMASTER|WORDS OF OLDER JUDGES", done.stdout)


# -- what is printed anywhere else ---------------------------------------------------------------------------------

DOCUMENTS = ("README.md", "CHANGELOG.md", "deploy/README.md", "deploy/RUNBOOK.md", "maps/README.md")
NO_LINES = {"no word for a week", "press to", "status=sent", "status=bounced"}
"""A reason, the beginning of a line, and words of Postfix."""


def _printed() -> Iterator[tuple[str, str]]:
    """(where, line) of all that stands in quotes on pages of help, and in marks of code in letters and documents."""
    for page in PAGES_SHOWN:
        for role in (Role.PLAYER, Role.GM):
            for leaf in leaves_of(page, role):
                for line in re.findall(r'"([^"]+)"', leaf.text):
                    yield f"help {page.key}", line
    for path in [*(ROOT / name for name in DOCUMENTS), *(ROOT / "templates").rglob("*.txt")]:
        text = re.sub(r"{[{%].*?[%}]}", "...", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for paragraph in re.split(r"\n\s*\n|\n(?=[-|])", text):
            for line in re.findall(r"`([^`]+)`", paragraph):
                yield path.relative_to(ROOT).as_posix(), " ".join(line.split())


def test_every_command_that_any_page_prints_can_be_sent(gm: ScriptContext) -> None:
    """On pages of help, in letters and in documents: a line that begins like a command is one, and a page of help that
    is named is there. Capitals stand for what the reader puts in.
    """
    wrong, seen = [], 0
    for where, line in dict.fromkeys(_printed()):
        line = line.rstrip(",.;")
        if line in NO_LINES or "..." in line or line.endswith(":") or re.search(r"\b[A-Z]{3,}\b", line):
            continue
        if asked := re.fullmatch(r"help (.+)", line):
            seen += 1
            if find_page(asked[1], Role.GM, SHELF.board("standard"), FAMILY.names | {"rail"}) is None:
                wrong.append((where, line, "no page"))
            continue
        match = find_verb(line)
        if match is None:
            continue
        seen += 1
        if not match.rest:  # the name of a command
            continue
        around = replace(gm.around(), games={name: SHELF.board("standard") for name in ("baltic", "tannenburg")})
        found = match.verb.read(Clause(match.word, match.rest, around, "text"))
        if isinstance(found, Unclear):
            wrong.append((where, line, found.sentence))
    assert seen > 80
    assert not wrong, "\n".join(map(str, wrong))
