"""Which page of help somebody means, a topic, a verb, a setting, a preset, a power or a place, and what it shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.board.spelling import Words, allowance, nearest, slips, words_of
from judge.game.core.commands import Role
from judge.game.settings.bundles import GROUPS, PRESETS
from judge.game.settings.table import TABLE
from judge.languages import tell
from judge.mail.vocabulary.model import ANYONE, GMS, Verb
from judge.mail.vocabulary.older import JUDGES, rows_of
from judge.mail.vocabulary.table import BY_NAME, VERBS, find_abbreviated
from judge.mail.vocabulary.topics import TOPICS
from judge.orders.family import FAMILY
from judge.orders.words import BUILD, CONVOY, DISBAND, HOLD, KEYWORDS, MOVE, RETREAT, SUPPORT, WAIVE
from judge.report.reply.helppages import HelpEntry
from judge.rules.business import Business
from judge.rules.choices import CHOICES
from judge.rules.questions import NO_BUSINESS


class Shows(StrEnum):
    """What a page is about."""

    OVERVIEW = "overview"
    ALL = "all"
    BOOK = "book"
    TOPIC = "topic"
    VERB = "verb"
    GROUP = "group"
    """A group of settings."""
    SETTING = "setting"
    PRESET = "preset"
    BUSINESS = "business"
    """Something that the rules of the game know beside orders."""
    POWER = "power"
    PLACES = "places"
    OLDER = "older"
    """A part of the table of an older judge's words: "njudge/Players"."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """`key`: the name of what it is about; several, with commas between them, of places. `setting`: one of the same
    name, which a Gamemaster may have meant.
    """

    shows: Shows
    key: str = ""
    setting: str = ""


def place_page(text: str, board: Board) -> HelpPage | None:
    """The power or the places that a text is the name of."""
    names = gazetteer_of(board)
    if len(text) < 3:
        return None
    if powers := names.power(text):
        return (
            HelpPage(Shows.POWER, powers[0])
            if len(powers) == 1 and not names.find(text).exact
            else _places(text, board)
        )
    return _places(text, board)


def _places(text: str, board: Board) -> HelpPage | None:
    found = gazetteer_of(board).places(text)
    return HelpPage(Shows.PLACES, ",".join(found)) if found else None


def place_within(words: Sequence[str], board: Board, *, exact: bool = False) -> HelpPage | None:
    """A place or a power that is named among other words, or misspelled where it need not be `exact`."""
    for word in words:
        if len(word) > 3 and (page := place_page(word, board)):
            return page
    if exact:
        return None
    near = gazetteer_of(board).fuzzy(" ".join(words))
    return HelpPage(Shows.PLACES, near[0].place) if near else None


OVERVIEW = HelpPage(Shows.OVERVIEW)

_ALL, _BOOK = HelpPage(Shows.ALL), HelpPage(Shows.BOOK)
_SPECIAL: Mapping[str, HelpPage] = {
    **dict.fromkeys(("all", "everything", "contents", "index", "flist"), _ALL),
    **dict.fromkeys(("commands", "all commands", "list of commands"), HelpPage(Shows.ALL, "commands")),
    **dict.fromkeys(("book", "books", "manual", "handbook", "documentation"), _BOOK),
    **dict.fromkeys(("me", "help", "please", "thanks", "thank you"), OVERVIEW),
}
_NOTHING_SAID = """
    how do does did done can could should would may might must shall will i me my we us our you your one a an
    the to of on with about for please what whats is are was were there where when who why which it its this
    that in into at from by be been have has had want need like know tell explain explanation mean means meaning
    write writing wrote use using used make making made give get getting got work works working happen happens
    happened if and or so not when see example examples command commands word words show shows possible allowed
    thanks thank thx"""
_SAYS_NOTHING = frozenset(_NOTHING_SAID.split())
"""Words that do not tell what a question is about."""
_LITTLE_SAID = """
    army armies fleet fleets unit units order orders game games player players power powers country countries form
    move moves go gm gamemaster place places province provinces turn turns number first"""
_SAYS_LITTLE = frozenset(_LITTLE_SAID.split())
"""Words that name a page where nothing else does: "how do I form a convoy" is about convoys."""
_ASKING = "how what whats when where why who which can could may is are does do did should"
_ASKS = frozenset(_ASKING.split())
"""Words with which people ask: for an explanation, not for the forms of a command."""
_MOST_NEAR = 8
"""Names that are looked at for one misspelling."""
_AS_ORDER = re.compile(r"^(?:a|f|army|fleet)\s+\w", re.IGNORECASE)
_ORDER_TOPICS = {
    SUPPORT: "support", CONVOY: "convoy", RETREAT: "retreat", BUILD: "build", DISBAND: "build", WAIVE: "build",
    MOVE: "move", HOLD: "stand",
}  # fmt: skip
"""Words of orders -> the page about them, the most telling first."""


def entry_of(verb: Verb) -> HelpEntry:
    """What help says of a verb."""
    who = "everybody" if verb.roles >= ANYONE else "players" if Role.PLAYER in verb.roles else "the Gamemaster"
    also = tuple(word for word in verb.words if word != verb.name)
    return HelpEntry(verb.name, tell(verb.summary), verb.usage, verb.example, also, who)


def verbs_of(topic: str) -> tuple[Verb, ...]:
    """The verbs that stand on a page."""
    return tuple(verb for verb in VERBS if verb.topic == topic)


def find_page(
    text: str,
    role: Role = Role.STRANGER,
    board: Board | None = None,
    kinds: Collection[str] = FAMILY.names,
    business: Mapping[str, Business] = NO_BUSINESS,
) -> HelpPage | None:
    """The page that a text asks for; None where nothing is known of it. `board`, `kinds` and `business`: of the game.

    >>> find_page("how do I write a support?"), find_page("quux")
    (HelpPage(shows=<Shows.TOPIC: 'topic'>, key='support', setting=''), None)
    """
    words = words_of(text)
    if not words:
        return OVERVIEW
    if (asked := " ".join(words)) in business:
        return HelpPage(Shows.BUSINESS, asked)
    rest = tuple(word for word in words if word not in _SAYS_NOTHING)
    found = (
        _named(words, role, kinds)
        or (place_page(" ".join(words), board) if board else None)
        or _abbreviated(words, role)
        or _explained(_named(rest, role, kinds), words, role)
        or _order(text)
        or _in_a_sentence(words, rest, role, kinds)
        or (place_within(rest, board, exact=True) if board else None)
        or _misspelled(rest or words, role, kinds)
        or (place_within(rest or words, board) if board else None)
    )
    return found or (OVERVIEW if not rest else None)


def find_anywhere(text: str, board: Board | None = None) -> HelpPage | None:
    """The page that a text asks for, whichever orders the game knows."""
    return find_page(text, board=board, kinds={topic.kind for topic in TOPICS.values()})


def is_asked(text: str, *, whole: bool) -> bool:
    """Whether a question without the word `help` is about something on a page: with `whole` all its words that tell
    something name one page, else some of them do.
    """
    rest = tuple(word for word in words_of(text) if word not in _SAYS_NOTHING)
    if whole:
        return rest in _index() or any(_near("".join(rest)))
    return bool(rest) and _within(rest, Role.STRANGER, FAMILY.names, least=1) is not None


def short_of(title: str) -> str:
    """The words by which a part of an older judge's table is asked for: "signing on", "rules"."""
    return title.lower().removeprefix("before ").partition(" and ")[0]


def near_topics(text: str, kinds: Collection[str] = FAMILY.names) -> tuple[str, ...]:
    """Names of pages that a text may be a misspelling of. `kinds`: of orders that the game knows."""
    typed = " ".join(words_of(text))
    there = [name for name in TOPICS if _there(HelpPage(Shows.TOPIC, name), kinds)]
    return nearest(typed, [*there, *BY_NAME, *TABLE], 3)


# --- by name --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _index() -> Mapping[Words, tuple[HelpPage, ...]]:
    """Words -> the pages that go by them, likeliest first."""
    found: dict[Words, dict[HelpPage, None]] = {}

    def note(name: str, page: HelpPage) -> None:
        found.setdefault(words_of(name), {}).setdefault(page)

    for name, page in _SPECIAL.items():
        note(name, page)
    for key in TOPICS:
        note(key, HelpPage(Shows.TOPIC, key))
    for key, topic in TOPICS.items():
        for name in topic.names:
            note(name, HelpPage(Shows.TOPIC, key))
    for verb in VERBS:
        for name in verb.words:
            note(name, HelpPage(Shows.VERB, verb.name))
    for key, group in GROUPS.items():
        note(f"settings {key}", HelpPage(Shows.GROUP, key))
        for name in (f"setting {key}", f"{key} settings", f"settings of {key}", group.about):
            note(name, HelpPage(Shows.GROUP, key))
    for key, setting in TABLE.items():
        for name in (key, *setting.synonyms):
            note(name, HelpPage(Shows.SETTING, key))
            note(f"set {name}", HelpPage(Shows.SETTING, key))
            note(f"settings {name}", HelpPage(Shows.SETTING, key))
    for judge in JUDGES:
        for title, _ in rows_of(judge):
            for name in (f"{judge} {title}", f"{judge} {short_of(title)}"):
                note(name, HelpPage(Shows.OLDER, f"{judge}/{title}"))
    for key in CHOICES:
        note(key, HelpPage(Shows.SETTING, key))
    for key in PRESETS:
        note(key, HelpPage(Shows.PRESET, key))
        note(f"preset {key}", HelpPage(Shows.PRESET, key))
    found.pop((), None)
    return {words: tuple(pages) for words, pages in found.items()}


def _named(words: Words, role: Role, kinds: Collection[str]) -> HelpPage | None:
    """The page of these very words; a Gamemaster's own verb goes before a page that is not about it."""
    pages = [page for page in _index().get(words, ()) if _there(page, kinds)]
    if not pages:
        return None
    first = pages[0]
    if role not in GMS or first.shows not in (Shows.TOPIC, Shows.VERB):
        return first
    own = (page for page in pages if page.shows is Shows.VERB and BY_NAME[page.key].roles == GMS)
    if first.shows is Shows.TOPIC and first.key not in words:
        first = next((page for page in own if BY_NAME[page.key].topic != first.key), first)
    setting = next((page.key for page in pages if page.shows is Shows.SETTING), "")
    return replace(first, setting=setting)


def _there(page: HelpPage, kinds: Collection[str]) -> bool:
    kind = TOPICS[page.key].kind if page.shows is Shows.TOPIC else ""
    return not kind or kind in kinds


def _abbreviated(words: Words, role: Role) -> HelpPage | None:
    match = find_abbreviated(words[0], role) if len(words) == 1 else None
    return HelpPage(Shows.VERB, match.verb.name) if match else None


def _within(words: Words, role: Role, kinds: Collection[str], *, least: int) -> HelpPage | None:
    """The page of the longest run of words that is a name; a topic before others, and what stands first."""
    little = None
    for count in range(len(words), least - 1, -1):
        runs = [words[start : start + count] for start in range(len(words) - count + 1)]
        named = [(run, page) for run in runs if (page := _named(run, role, kinds)) not in (None, OVERVIEW)]
        pages = [page for run, page in named if not _SAYS_LITTLE.issuperset(run)]
        if pages:
            return _topic_first(pages)
        little = little or _topic_first([page for _, page in named])
    return little


def _topic_first(pages: Sequence[HelpPage | None]) -> HelpPage | None:
    return next((page for page in pages if page is not None and page.shows is Shows.TOPIC), next(iter(pages), None))


def _in_a_sentence(words: Words, rest: Words, role: Role, kinds: Collection[str]) -> HelpPage | None:
    """What a sentence is about. Whoever asks how to do something means that, not a command of the same words: "how do
    I write my orders" is about writing them, "how do I vote" about votes.
    """
    as_written = _within(words, role, kinds, least=2)
    in_short = _within(rest, role, kinds, least=1)
    found = [page for page in (as_written, in_short) if page is not None]
    if not _ASKS.isdisjoint(words):
        found.sort(key=lambda page: page.shows is not Shows.TOPIC)
    return _explained(found[0], words, role) if found else None


def _explained(page: HelpPage | None, words: Words, role: Role) -> HelpPage | None:
    """Where a question finds a command, the page that explains it among others. A word of orders that is a command of
    the Gamemaster ("hold") means the order to everybody else.
    """
    if page is None or page.shows is not Shows.VERB or _ASKS.isdisjoint(words):
        return page
    verb = BY_NAME[page.key]
    topic = verb.topic
    if verb.roles == GMS and role not in GMS:
        topic = _ORDER_TOPICS.get(KEYWORDS.get(verb.name, ""), topic)
    return HelpPage(Shows.TOPIC, topic) if topic in TOPICS else page


def _misspelled(words: Words, role: Role, kinds: Collection[str]) -> HelpPage | None:
    """The page whose name all words together, or one of them, may be a misspelling of; the nearest."""
    for typed in ("".join(words), *words) if len(words) > 1 else words:
        near = min(_near(typed), default=None)
        if near is not None and (page := _named(near[2], role, kinds)) is not None:
            return page
    return None


def _near(typed: str) -> Iterator[tuple[int, int, Words]]:
    """(slips, 0 for a topic, name) of the names that a word is likeliest a misspelling of."""
    if len(typed) <= 3:
        return
    for joined in nearest(typed, _joined(), _MOST_NEAR):
        name, distance = _joined()[joined], slips(typed, joined, allowance(typed))
        if distance is not None:
            yield distance, int(_index()[name][0].shows is not Shows.TOPIC), name


@lru_cache(maxsize=1)
def _joined() -> Mapping[str, Words]:
    """Names with their words run together -> the names."""
    return {"".join(name): name for name in _index()}


def _order(text: str) -> HelpPage | None:
    """For somebody who asks with an order: the page about such orders."""
    if not _AS_ORDER.match(text.strip()):
        return None
    found = [KEYWORDS.get(word) for word in re.findall(r"[a-z]+|->?", text.lower())[1:]]
    return next((HelpPage(Shows.TOPIC, topic) for kind, topic in _ORDER_TOPICS.items() if kind in found), None)
