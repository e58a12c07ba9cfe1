"""Pages of help made up: what a page that somebody asked for holds, and the books of all pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from judge.board.model import Board
from judge.game.core.commands import Role
from judge.game.core.model import Begun
from judge.game.settings.bundles import GROUPS, HOUSE_PRESETS, PRESETS, about
from judge.languages import tell, together
from judge.mail.vocabulary.help import HelpPage, Shows, entry_of, short_of, verbs_of
from judge.mail.vocabulary.model import GMS, HelpTopic, Part, Verb
from judge.mail.vocabulary.older import JUDGES, Here, rows_of
from judge.mail.vocabulary.table import BY_NAME
from judge.mail.vocabulary.topics import OWN, TOPICS
from judge.orders.family import FAMILY
from judge.report.core.letter import Office
from judge.report.reply.helppages import (
    Asker,
    HelpPart,
    HelpRow,
    HelpRule,
    HelpView,
    help_page,
    place_page,
    power_page,
    preset_rows,
)
from judge.rules.choices import ASKED, CHOICES
from judge.rules.model import RULE_SYSTEMS, Rules
from judge.rules.questions import NO_BUSINESS

_OF_RULES = ("rules", "choices")
_WITH_LIST = ("map", "rules", "players")
"""Settings whose values stand on the page of boards and rules."""
_MOST_PLACES = 2
"""Places of one short form that are explained at once."""

Tables = Mapping[str, tuple[HelpRow, ...]]
"""HelpTopic -> the rows of its table: what only the running judge knows."""


@dataclass(frozen=True, slots=True)
class Guide:
    """Makes pages for one reader. `tables`: rows of topics that are not known here."""

    asker: Asker
    office: Office
    board: Board
    tables: Tables

    def view(self, page: HelpPage, asked: str = "") -> HelpView:
        """The page. `asked`: the words that asked for it."""
        make = {
            Shows.OVERVIEW: self._overview,
            Shows.ALL: self._contents,
            Shows.TOPIC: self._topic,
            Shows.VERB: self._verb,
            Shows.GROUP: self._group,
            Shows.SETTING: self._setting,
            Shows.PRESET: self._preset,
            Shows.BUSINESS: self._business,
            Shows.POWER: self._power,
            Shows.PLACES: self._places,
            Shows.OLDER: self._older,
        }[page.shows]
        return make(page, asked)

    def missing(self, asked: str, near: Collection[str], elsewhere: HelpPage | None = None) -> HelpView:
        """The answer to what no page is about: what was asked, the likeliest, and where to look. `elsewhere`: a page
        about it that is for other games.
        """
        return help_page(
            self.asker,
            self.office,
            topic=asked,
            title="Help",
            page="missing",
            rows=[HelpRow(name, "") for name in near],
            parts=[HelpPart(tell(TOPICS[elsewhere.key].title), ())] if elsewhere and elsewhere.key in TOPICS else (),
        )

    def _overview(self, page: HelpPage, asked: str) -> HelpView:
        return help_page(self.asker, self.office, page="overview")

    def _contents(self, page: HelpPage, asked: str) -> HelpView:
        title = tell("All commands") if page.key else tell("All pages of help")
        name = page.key or "all"
        return help_page(
            self.asker, self.office, topic=name, title=title, page=name, parts=tuple(self._parts()), more=("book",)
        )

    def _parts(self) -> Iterator[HelpPart]:
        game = self.asker.game
        kinds = game.rules.words() if game is not None else FAMILY.names
        for part in Part:
            topics = [one for one in TOPICS.values() if one.part is part and (not one.kind or one.kind in kinds)]
            yield HelpPart(
                tell(part.value),
                tuple((one.name, tell(one.title), tuple(verb.name for verb in verbs_of(one.name))) for one in topics),
            )

    def _topic(self, page: HelpPage, asked: str) -> HelpView:
        topic = TOPICS[page.key]
        verbs = [verb for verb in verbs_of(topic.name) if topic.part not in _PLAYERS_PARTS or self._may(verb)]
        rules = tuple(rule_row(name) for name in CHOICES) if topic.name == "editions" else ()
        rows = self.tables.get(topic.name) or (older_parts(topic.name) if topic.name in JUDGES else ())
        return help_page(
            self.asker,
            self.office,
            topic=topic.name,
            title=tell(topic.title),
            page=page_name(topic),
            entries=[entry_of(verb) for verb in verbs],
            settings=[page.setting] if page.setting else (),
            rows=rows,
            rules=rules,
            more=topic.more,
        )

    def _may(self, verb: Verb) -> bool:
        return self.asker.role in verb.roles or (self.asker.role is Role.STRANGER and verb.roles != GMS)

    def _verb(self, page: HelpPage, asked: str) -> HelpView:
        verb = BY_NAME[page.key]
        topic = TOPICS.get(verb.topic)
        return help_page(
            self.asker,
            self.office,
            topic=verb.name,
            title=verb.name,
            entries=[entry_of(verb)],
            whole=True,
            settings=[page.setting] if page.setting else (),
            more=(topic.name,) if topic else (),
        )

    def _group(self, page: HelpPage, asked: str) -> HelpView:
        group = GROUPS[page.key]
        title = tell("Settings: {about}", about=tell(group.about))
        return help_page(
            self.asker, self.office, topic=f"settings {group.name}", title=title, page="group",
            settings=group.settings, more=("settings", *(("editions", "variants") if group.name == "board" else ())),
        )  # fmt: skip

    def _setting(self, page: HelpPage, asked: str) -> HelpView:
        group = next((one.name for one in GROUPS.values() if page.key in one.settings), "board")
        rules = [rule_row(page.key)] if page.key in CHOICES else []
        of_rules = rules or page.key in _OF_RULES
        more = (
            f"settings {group}",
            *(("editions",) if of_rules else ()),
            *(("variants",) if page.key in _WITH_LIST else ()),
            "presets",
        )
        return help_page(
            self.asker,
            self.office,
            topic=page.key,
            title=tell("The setting {page}", page=page.key),
            settings=[page.key],
            whole=True,
            rules=rules,
            more=more,
        )

    def _preset(self, page: HelpPage, asked: str) -> HelpView:
        return help_page(
            self.asker, self.office, topic=page.key, title=tell("The preset {page}", page=page.key), page="preset",
            rows=preset_rows(page.key), more=("presets", "settings"),
        )  # fmt: skip

    def _business(self, page: HelpPage, asked: str) -> HelpView:
        game = self.asker.game
        one = (game.rules.business() if game is not None else NO_BUSINESS)[page.key]
        rows = [HelpRow(one.usage, tell(one.summary))]
        position = game.position if isinstance(game, Begun) else None
        if position is not None and one.example is not None and (line := one.example(position, self._own_power())):
            rows.append(HelpRow(line, tell("an example on your board")))
        others = sorted(word for word in (game.rules.business() if game is not None else ()) if word != page.key)
        return help_page(
            self.asker, self.office, topic=page.key, title=page.key, page="business", rows=rows, more=others
        )

    def _own_power(self) -> str:
        """The first power of who asks; of a game without one of theirs the first that is played."""
        game, seat = self.asker.game, self.asker.seat
        powers = game.seats[seat].powers if game is not None and seat in game.seats else ()
        return powers[0] if powers else next(key for key, one in self.board.powers.items() if not one.minor)

    def _power(self, page: HelpPage, asked: str) -> HelpView:
        position = self.asker.game.position if self.asker.game is not None else None
        power = power_page(page.key, self.board, position)
        return help_page(
            self.asker,
            self.office,
            topic=power.name,
            title=power.name,
            page="power",
            power=power,
            more=("orders", "names"),
        )

    def _places(self, page: HelpPage, asked: str) -> HelpView:
        places = [place_page(key, self.board) for key in page.key.split(",")]
        title = places[0].name if len(places) == 1 else tell("A name with several meanings")
        if len(places) > _MOST_PLACES:
            rows = [HelpRow(one.code, one.name) for one in places]
            return help_page(
                self.asker, self.office, topic=asked, title=title, page="several", rows=rows, more=("names",)
            )
        return help_page(
            self.asker, self.office, topic=asked, title=title, page="places", places=places, more=("names",)
        )

    def _older(self, page: HelpPage, asked: str) -> HelpView:
        judge, _, part = page.key.partition("/")
        return help_page(
            self.asker,
            self.office,
            topic=f"{judge} {short_of(part)}",
            title=f"{judge}: {part}",
            page="older",
            rows=older_rows(judge, part),
            more=(judge,),
        )


def rule_row(name: str) -> HelpRule:
    """A rule on which the editions differ, with each answer and the editions that give it."""
    given: dict[str, list[str]] = {}
    for key, rules in editions().items():
        given.setdefault(rules.choices()[name], []).append(key)
    answers = tuple((str(one), one.said, tuple(given.get(str(one), ()))) for one in CHOICES[name])
    return HelpRule(name, ASKED[name], answers)


def editions() -> Mapping[str, Rules]:
    """The rule systems that differ in such rules alone, by their keys."""
    return {key: system.rules for key, system in RULE_SYSTEMS.items() if type(system.rules) is Rules}


def older_parts(judge: str) -> tuple[HelpRow, ...]:
    """The parts of the table of an older judge's words: what to ask for, and the part's title."""
    return tuple(HelpRow(f"{judge} {short_of(title)}", title) for title, _ in rows_of(judge))


def older_rows(judge: str, part: str) -> tuple[HelpRow, ...]:
    """A part of that table: a line as it is written there, and what it comes to here."""
    return tuple(HelpRow(row.written, _comes_to(row.meaning)) for row in dict(rows_of(judge))[part])


def _comes_to(here: Here) -> str:
    return together(
        tell("Here: {lines}.", lines=here.shown) if here.lines else "", tell(here.said) if here.said else ""
    )


def page_name(topic: HelpTopic) -> str:
    """The template of a topic's text; "" for one that has none: a system's own, which its verbs explain."""
    return topic.name.replace(" ", "_") if topic.paged or topic in OWN else ""


def preset_table() -> tuple[HelpRow, ...]:
    """All presets by name, those of the judge first: what each is good for, and what those of the judge decide."""
    names = dict.fromkeys((*HOUSE_PRESETS, *PRESETS))
    rules = rules_told()
    return tuple(
        HelpRow(name, _judge(name) if name in HOUSE_PRESETS else rules[PRESETS[name]["rules"]]) for name in names
    )


def _judge(name: str) -> str:
    return f"{about(name)} It decides: {', '.join(f'{key} {value}' for key, value in PRESETS[name].items())}."


def rules_told() -> dict[str, str]:
    """Key of each kind of rules -> what it is called and what is special about it; the ordinary ones first. What was
    said of one is not said again of another.
    """
    told: dict[str, str] = {
        key: tell("{systems}: an edition of the ordinary rules", systems=RULE_SYSTEMS[key].title) for key in editions()
    }
    said: set[str] = set()
    for key, system in RULE_SYSTEMS.items():
        if key not in told:
            told[key] = f"{system.title}." if system.about in said else f"{system.title}. {system.about}".strip()
            said.add(system.about)
    return told


class Book(StrEnum):
    """The books: for players, for Gamemasters, and for who knows the words of an older judge."""

    PLAYER = "player"
    GAMEMASTER = "gamemaster"
    OLDER = "older"


_PLAYERS_PARTS = (Part.BEGINNING, Part.ORDERS, Part.TIME, Part.TALK, Part.SEAT, Part.EDITOR)
_PARTS = {Book.PLAYER: _PLAYERS_PARTS, Book.GAMEMASTER: (Part.GAMEMASTER,), Book.OLDER: (Part.OLDER,)}


def book_pages(book: Book, guide: Guide) -> Iterator[tuple[Part, HelpView]]:
    """The pages of a book in their order, each with its part; the Gamemaster's with every setting."""
    for topic in TOPICS.values():
        if topic.part not in _PARTS[book]:
            continue
        yield topic.part, guide.view(HelpPage(Shows.TOPIC, topic.name))
        if topic.name == "settings":
            for name in GROUPS:
                yield topic.part, guide.view(HelpPage(Shows.GROUP, name))
        if topic.name in JUDGES:
            for title, _ in rows_of(topic.name):
                yield topic.part, guide.view(HelpPage(Shows.OLDER, f"{topic.name}/{title}"))


def role_of(book: Book) -> Role:
    """For whom a book is written."""
    return Role.PLAYER if book is Book.PLAYER else Role.GM
