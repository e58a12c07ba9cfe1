"""`judge translate CODE`: the folder of a language, made or brought up to date: catalogues from the letters as they
are, and tables of words to fill.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from judge import catalogues, resources, wordbook
from judge.adjudicate.outcome import Result
from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.board.phase import MANNERS
from judge.game.core.commands import Colour, Status
from judge.game.filing.standing import State
from judge.game.settings.table import TABLE
from judge.game.talk.closing import AMENDMENT, CONCESSION, DRAW, EXTENSION, PAUSE, POLL
from judge.languages import Message
from judge.mail.dates import DAY_NAMES, MONTH_NAMES
from judge.mail.letters.translating import PAGES, pieces
from judge.mail.letters.words import NOTES, SOMEBODY, sentences
from judge.mail.quoting import SENTINEL
from judge.mail.script.phrases.answers import SAID
from judge.mail.vocabulary.older import sentences as sentences_of_older
from judge.mail.vocabulary.table import VERBS
from judge.mail.vocabulary.topics import TOPICS
from judge.orders.kinds import UNSAID
from judge.report.core import naming
from judge.report.core.naming import agreed
from judge.rules.questions import Block
from judge.rules.reasons import REASONS
from judge.variants import RULE_SYSTEMS

Found = dict[Message, str]
"""A message -> where it stands first."""

FOREIGN = ("zine/", "zine-issue/", "browser/", "languages/", "results/print.txt", "archive/record.txt")
"""Templates that are no letters to one reader: a zine and the page of a mailbox have a language of their own."""


def of_templates(*, pages: bool) -> Found:
    """The messages of the templates: pages of help, or all others."""
    home, found = resources.folder("templates"), Found()
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.suffix not in (".txt", ".html") or name.startswith((*FOREIGN, "words/")):
            continue
        if name.startswith(PAGES) == pages:
            for piece in pieces(name, path.read_text(encoding="utf-8")):
                if piece.message:
                    found.setdefault(piece.message, name)
    return found


def of_words() -> Found:
    """The sentences of `words`."""
    table = sentences(resources.folder("templates") / "words")
    return {text: key for key, text in table.items() if any(map(str.isalpha, text))}


def of_code() -> Found:
    """What the code tells: `tell("...")`, `told_later("...")`, `tell_counted(number, "one", "several")`."""
    home, found = Path(catalogues.__file__).parent, Found()
    for path in sorted(home.rglob("*.py")):
        for message in _told(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(message, path.relative_to(home.parent).as_posix())
    return found


def _told(tree: ast.AST) -> Iterator[Message]:
    """The messages of a file in their order: a catalogue changes where the file does, and nowhere else."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("tell", "told_later") and node.args:
            yield from _texts(node.args[0])
        if name in ("tell_counted", "agreed", "many"):
            words = [ast.literal_eval(one) for one in node.args[1:] if _is_text(one)]
            if len(words) == 2:
                yield words[0], words[1]


def _texts(node: ast.AST) -> Iterator[str]:
    """The messages that an expression may come to: a text, one of two, one of a table."""
    if _is_text(node):
        yield ast.literal_eval(node)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
    elif isinstance(node, ast.Subscript):
        yield from _texts(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        yield from _texts(node.func.value)
        for default in node.args[1:]:
            yield from _texts(default)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def of_tables() -> Found:
    """What stands in tables: of commands what they do, of settings and of reasons what they mean, titles of pages."""
    found = Found()
    for where, messages in (
        ("commands", (verb.summary for verb in VERBS)),
        ("settings", (setting.summary for setting in TABLE.values())),
        ("pages of help", (title for topic in TOPICS.values() for title in (topic.title, topic.part.value))),
        ("reasons", (reason.meaning for reason in REASONS.values())),
        ("orders in the wrong phase", (kind.wrong for one in RULE_SYSTEMS.values() for kind in one.rules.kinds().all)),
        ("titles of rules", (one.title for one in RULE_SYSTEMS.values())),
        ("titles of boards", (title for board in _boards() for title in (board.title, board.reconstruction))),
        ("in short", (line for one in RULE_SYSTEMS.values() for line in one.brief)),
        ("pages of rules", (line for one in RULE_SYSTEMS.values() for each in one.page for line in _lines(each))),
        ("wishes in plain words", SAID.values()),
        ("lines of older judges", sorted(sentences_of_older())),
    ):
        for message in messages:
            if message:
                found.setdefault(message, where)
    return found


def _lines(block: Block) -> tuple[str, ...]:
    return block.title, *block.lines


def of_grammar() -> Found:
    """Single words that sentences are made with: nouns and verbs that go by a number, names of days, months, seasons,
    powers, results.
    """
    found = Found()
    for noun in sorted(_filtered("many")):
        found[noun, f"{noun}s"] = "nouns"
    for verb in sorted(_filtered("agreed") | _filtered("does") | _filtered("do")):
        found[verb, agreed(verb, 2)] = "verbs"
    for word in ("day", "hour", "minute"):
        found[word, f"{word}s"] = "spans"
    words: tuple[tuple[str, Iterable[str]], ...] = (
        ("lists", ("and", "or")),
        ("days", naming.DAYS),
        ("months", naming.MONTHS),
        (
            "seasons",
            sorted({season.name for system in RULE_SYSTEMS.values() for season in system.rules.calendar.seasons}),
        ),
        ("kinds of orders", sorted(_kinds_of_orders())),
        ("colours of press", Colour),
        ("days of the week", map(str.title, DAY_NAMES)),
        ("months of the year", map(str.title, MONTH_NAMES)),
        ("kinds of phases", sorted(_kinds_of_phases())),
        ("persons", (*naming.OTHERS.values(), *SOMEBODY.values())),
        ("results", (result.value for result in Result)),
        ("what was put right", NOTES.values()),
        ("powers", sorted(_names_of_powers())),
        ("kinds of units", sorted({"army", "fleet", "unit", *_kinds_of_units()})),
        ("tasks of a letter", sorted(_labels())),
        ("how orders stand", (*(state.upper() for state in State), *(state.value for state in State))),
        ("what became of a mail", ("DONE", "NOT DONE", "PARTLY DONE", "NOTHING TO DO", "NOTHING FILLED IN")),
        ("what became of a line", (status.value for status in Status)),
        ("above which players write", (SENTINEL,)),
        ("kinds of votes", (DRAW, CONCESSION, AMENDMENT, POLL, EXTENSION, PAUSE)),
    )
    counted = {message[0] for message in found if isinstance(message, tuple)}
    for where, several in words:
        for word in several:
            if word not in counted:
                found.setdefault(word, where)
    return found


def _filtered(name: str) -> set[str]:
    """Words to which a filter of templates, or the function of its name, is applied."""
    homes = ((resources.folder("templates"), ("*.txt", "*.html")), (Path(catalogues.__file__).parent, ("*.py",)))
    sources = (path.read_text(encoding="utf-8") for home, kinds in homes for kind in kinds for path in home.rglob(kind))
    calls = re.compile(rf"\b{name}\(([^()\n]*)\)")
    return {
        word
        for source in sources
        for call in calls.findall(source)
        for word in re.findall(r'(?<![=(] )"([a-z ]+)"(?: if|$)', call)
    }


def _labels() -> Iterator[str]:
    """The labels of tasks at the head of letters, as they are printed."""
    for path in sorted((Path(catalogues.__file__).parent / "report").rglob("*.py")):
        for code in re.findall(r"\bDeskItem\(\"([a-z-]+)\"", path.read_text(encoding="utf-8")):
            yield code.replace("-", " ").upper()


def _kinds_of_phases() -> Iterator[str]:
    for system in RULE_SYSTEMS.values():
        for step in system.rules.calendar.stations:
            name = step.name or MANNERS[step.kind].name
            yield from (name, name.capitalize())


def _names_of_powers() -> Iterator[str]:
    for board in _boards():
        for power in board.powers.values():
            yield from (power.name, power.adjective)


def _boards() -> Iterator[Board]:
    maps = resources.folder("maps")
    return (load_board(maps / key) for key in available_boards(maps))


_MODEL = "de"
"""The language in which everything has its words."""
_OWN = ("parts", "declined", "first-word")
"""Sections of tables whose rows are each language's own."""


def emptied(text: str) -> str:
    """A table of words with its comments and its rows, and without its words: for somebody to fill.

    >>> print(emptied('[words]\\n# A unit.\\narmy = ["Armee",\\n    "Heer"]\\nand = "- und"\\n'), end="")
    [words]
    # A unit.
    army = []
    and = ""
    """
    kept, section = "", ""
    for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        if header := re.match(r"\[([\w-]+)\]$", part, re.MULTILINE):
            section = header[1]
        if row := re.match(r"""((?:"[^"]+"|[\w-]+) = )(\[|"|')""", part):
            kept += "" if section in _OWN else f"{row[1]}[]\n" if row[2] == "[" else f'{row[1]}""\n'
        elif part.startswith(("#", "[")):
            kept += part.rstrip("\n") + "\n"
        if part.endswith("\n\n"):
            kept += "\n"
    return kept


def names_of_places(known: Mapping[str, Sequence[str]]) -> str:
    """The table of a language with what the places of all boards are called in it, as far as that is known."""
    places = sorted({province.name for board in _boards() for province in board.provinces.values()} | set(known))
    head, rows = _model("places").partition("[places]\n")[0], list[str]()
    for place in places:
        rows.append(f"{_quoted(place)} = [{', '.join(map(_quoted, known.get(place, ())))}]")
    return "\n".join((f"{head}[places]", *rows)) + "\n"


def _model(name: str) -> str:
    return (wordbook.folder() / _MODEL / f"{name}.toml").read_text(encoding="utf-8")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _kinds_of_orders() -> set[str]:
    return {
        kind.said or kind.name
        for system in RULE_SYSTEMS.values()
        for kind in system.rules.kinds().all
        if kind.said != UNSAID
    }


def _kinds_of_units() -> Iterator[str]:
    return (kind.name.lower() for board in _boards() for kind in board.kinds.values())


def all_messages() -> dict[str, Found]:
    """File of a catalogue -> its messages; one that stands in several is in the first of them."""
    made: dict[str, Found] = {
        "grammar": of_grammar(),
        "letters": of_templates(pages=False),
        "words": of_words(),
        "tables": of_tables(),
        "answers": of_code(),
        "help": of_templates(pages=True),
    }
    seen: set[Message] = set()
    for found in made.values():
        for message in [one for one in found if one in seen]:
            del found[message]
        seen |= found.keys()
    return made


_EVER = datetime(2026, 1, 1, tzinfo=UTC)
"""When every catalogue was made: the same messages make the same file."""


def updated(code: str, name: str, found: Found, known: Iterable[Catalog]) -> Catalog:
    """A catalogue with these messages, translated as far as any of the known ones has them."""
    told = {one.id: one.string for catalog in known for one in catalog if one.id and one.string}
    made = Catalog(
        code,
        project="Judge",
        fuzzy=False,
        creation_date=_EVER,
        header_comment=f"# {name}: {Locale.parse(code).english_name}",
    )
    for message, where in found.items():
        made.add(message, told.get(message, ("", "") if isinstance(message, tuple) else ""), auto_comments=[where])
    return made


@click.command("translate")
@click.argument("code")
@click.argument("out", metavar="[FOLDER]", required=False, type=click.Path(file_okay=False, path_type=Path))
def translate_command(code: str, out: Path | None) -> None:
    """Make the folder of the language CODE ("de"), or bring it up to date.

    It is FOLDER/CODE, where FOLDER is templates/languages if it is not named. In its catalogues (*.po) stands what the
    judge says: a message in English, and below it what it is in the language. In its tables (*.toml) stands what is
    read. What is empty is said, and read, in English. templates/README.md says what a translator has to know.
    """
    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError) as error:
        raise click.ClickException(f"{code} is the code of no language") from error
    home = (out or wordbook.folder()) / code
    home.mkdir(parents=True, exist_ok=True)
    known = []
    for path in sorted(home.glob("*.po")):
        with path.open("rb") as file:
            known.append(read_po(file, locale=code))
    for name, found in all_messages().items():
        catalog = updated(code, name, found, known)
        with (home / f"{name}.po").open("wb") as file:
            write_po(file, catalog, width=110, omit_header=False, ignore_obsolete=True)
        done = sum(1 for one in catalog if one.id and one.string and all(one.string))
        click.echo(f"{home / name}.po: {done} of {len(catalog)}")
    for model in sorted((wordbook.folder() / _MODEL).glob("*.toml")):
        path = home / model.name
        if not path.exists():
            path.write_text(emptied(model.read_text(encoding="utf-8")), encoding="utf-8")
        click.echo(f"{path}: {_filled(path)}")


def _filled(path: Path) -> str:
    """How many rows of a table have words; the table of places is brought up to date before."""
    try:
        table = wordbook.Wordbook(path)
        if path.stem == "places":
            known = {place: table.words("places", place) for place in table.rows("places")}
            path.write_text(names_of_places(known), encoding="utf-8")
            table = wordbook.Wordbook(path)
    except wordbook.WrongWordsError as error:
        raise click.ClickException(str(error)) from error
    rows = [table.filled(section, row) for section in table.sections() for row in table.rows(section)]
    return f"{sum(rows)} of {len(rows)}"
