"""Zines: what they are, their chapters and people, the register of games, what came in, and the issues.

Who gets a zine stands in `subscriptions`, under the topic "zine:KEY"; what was drawn for an item in `pictures`. What
nothing is looked up by lies in `terms` and `facts` as JSON that the store keeps and never reads.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from judge.store.sql import build, build_all, facts, put, shape
from judge.store.tables import zine_chapters, zine_games, zine_issues, zine_items, zine_people, zines


@dataclass(frozen=True, slots=True)
class ZineRow:
    """A zine. `number`: of its last issue; `next_at`: when it next wants the clock (press day, dashboard, a reminder),
    None if it sleeps; `terms`: press day, formats and the like.
    """

    key: str
    name: str
    state: str
    number: int
    next_at: datetime | None
    created_at: datetime
    terms: str = "{}"


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """A chapter of a zine, with the register's keys of its games in their order."""

    zine: str
    number: int
    games: tuple[str, ...] = ()
    terms: str = "{}"


@dataclass(frozen=True, slots=True)
class ZinePersonRow:
    """Somebody's office: editor, deputy, or publisher of a chapter (`chapter` is 0 for the others)."""

    zine: str
    role: str
    chapter: int
    person_id: int
    since: datetime


@dataclass(frozen=True, slots=True)
class ZineGameRow:
    """A game of the register, which all zines share. `key`: the game's own, or a word of the same form for an
    `external` one, whose results its Gamemaster (`person_id`) mails in. `number`: BN or MN; `season`: of the last
    results ("1901F"); `facts`: its Gamemaster's name, designator, replaced players, results.
    """

    key: str
    name: str
    number: str | None
    external: bool
    state: str
    season: str
    due_at: datetime | None
    hold_until: datetime | None
    since: datetime
    person_id: int | None = None
    facts: str = "{}"


@dataclass(frozen=True, slots=True)
class ZineItemRow:
    """Something that came in for a zine: a report, an article. `issue`: in which it was printed last; `left`: in how
    many issues it is still to be printed, None: in one; `chapter` 0: where the editor's own words stand.
    """

    id: int
    zine: str
    kind: str
    chapter: int
    game: str | None
    person_id: int | None
    title: str
    body: str
    state: str
    issue: int | None
    left: int | None
    at: datetime
    mail_id: int | None = None
    facts: str = "{}"


@dataclass(frozen=True, slots=True)
class ZineIssueRow:
    """An issue as it was approved. `value`: all of it as JSON, from which every face can be made again; `chapter` 0:
    the whole issue, else one that went out by itself.
    """

    zine: str
    number: int
    chapter: int
    state: str
    at: datetime
    value: str
    facts: str = "{}"


@dataclass(frozen=True, slots=True)
class ZineIssueCard:
    """An issue without its `value`, which is large."""

    zine: str
    number: int
    chapter: int
    state: str
    at: datetime
    facts: str = "{}"


_ZINE = shape(ZineRow, zines)
_CHAPTER = shape(ChapterRow, zine_chapters)
_PERSON = shape(ZinePersonRow, zine_people)
_GAME = shape(ZineGameRow, zine_games)
_ITEM = shape(ZineItemRow, zine_items)
_ISSUE = shape(ZineIssueRow, zine_issues)
_ISSUE_CARD = shape(ZineIssueCard, zine_issues)


class Zines:
    """Zines and all that belongs to them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> ZineRow | None:
        """A zine by its key."""
        return build(ZineRow, self._connection.execute(select(*_ZINE).where(zines.c.key == key)).first())

    def all(self) -> tuple[ZineRow, ...]:
        """Every zine, by key."""
        return build_all(ZineRow, self._connection.execute(select(*_ZINE).order_by(zines.c.key)))

    def due(self, now: datetime) -> tuple[ZineRow, ...]:
        """Zines whose moment has come."""
        query = select(*_ZINE).where(zines.c.next_at <= now).order_by(zines.c.next_at)
        return build_all(ZineRow, self._connection.execute(query))

    def next_at(self) -> datetime | None:
        """When a zine next wants the clock."""
        query = select(zines.c.next_at).where(zines.c.next_at.is_not(None)).order_by(zines.c.next_at).limit(1)
        found: datetime | None = self._connection.scalar(query)
        return found

    def put(self, row: ZineRow) -> None:
        """A new zine, or one that has changed."""
        put(self._connection, zines, facts(row))

    def chapters(self, zine: str) -> tuple[ChapterRow, ...]:
        """The chapters of a zine in their order."""
        query = select(*_CHAPTER).where(zine_chapters.c.zine == zine).order_by(zine_chapters.c.number)
        return build_all(ChapterRow, self._connection.execute(query))

    def put_chapter(self, row: ChapterRow) -> None:
        """A new chapter, or one that has changed."""
        put(self._connection, zine_chapters, facts(row))

    def drop_chapter(self, row: ChapterRow) -> None:
        """A chapter is none any more."""
        which = (zine_chapters.c.zine == row.zine, zine_chapters.c.number == row.number)
        self._connection.execute(delete(zine_chapters).where(*which))

    def people(self, zine: str) -> tuple[ZinePersonRow, ...]:
        """Who has an office in a zine, the oldest first."""
        query = select(*_PERSON).where(zine_people.c.zine == zine)
        return build_all(ZinePersonRow, self._connection.execute(query.order_by(zine_people.c.since)))

    def offices(self, person_id: int) -> tuple[ZinePersonRow, ...]:
        """The offices that somebody has, in all zines."""
        query = select(*_PERSON).where(zine_people.c.person_id == person_id)
        return build_all(ZinePersonRow, self._connection.execute(query.order_by(zine_people.c.zine)))

    def put_person(self, row: ZinePersonRow) -> None:
        """Give somebody an office."""
        put(self._connection, zine_people, facts(row))

    def drop_person(self, row: ZinePersonRow) -> bool:
        """Take it away again. False if they had none."""
        query = delete(zine_people).where(
            zine_people.c.zine == row.zine, zine_people.c.role == row.role, zine_people.c.chapter == row.chapter,
            zine_people.c.person_id == row.person_id,
        )  # fmt: skip
        return self._connection.execute(query).rowcount == 1

    def game(self, key: str) -> ZineGameRow | None:
        """A game of the register."""
        return build(ZineGameRow, self._connection.execute(select(*_GAME).where(zine_games.c.key == key)).first())

    def numbered(self, number: str) -> ZineGameRow | None:
        """The game that has this number."""
        found = self._connection.execute(select(*_GAME).where(zine_games.c.number == number)).first()
        return build(ZineGameRow, found)

    def games(self) -> tuple[ZineGameRow, ...]:
        """The register, the oldest game first."""
        query = select(*_GAME).order_by(zine_games.c.since, zine_games.c.key)
        return build_all(ZineGameRow, self._connection.execute(query))

    def put_game(self, row: ZineGameRow) -> None:
        """A new game of the register, or one that has changed."""
        put(self._connection, zine_games, facts(row))

    def item(self, number: int) -> ZineItemRow | None:
        """An item by its number."""
        return build(ZineItemRow, self._connection.execute(select(*_ITEM).where(zine_items.c.id == number)).first())

    def items(self, zine: str, state: str) -> tuple[ZineItemRow, ...]:
        """Items of a zine that stand so, in the order in which they came."""
        query = select(*_ITEM).where(zine_items.c.zine == zine, zine_items.c.state == state)
        return build_all(ZineItemRow, self._connection.execute(query.order_by(zine_items.c.id)))

    def items_of(self, person_id: int) -> tuple[ZineItemRow, ...]:
        """What somebody wrote, in all zines."""
        query = select(*_ITEM).where(zine_items.c.person_id == person_id).order_by(zine_items.c.id)
        return build_all(ZineItemRow, self._connection.execute(query))

    def add_item(self, row: ZineItemRow) -> ZineItemRow:
        """A new item; its `id` is given here."""
        values = facts(row)
        del values["id"]
        key = self._connection.execute(insert(zine_items), values).inserted_primary_key
        assert key is not None
        return ZineItemRow(key[0], **values)

    def save_item(self, row: ZineItemRow) -> None:
        """An item that has changed."""
        values = facts(row)
        del values["id"]
        self._connection.execute(update(zine_items).where(zine_items.c.id == row.id), values)

    def issue(self, zine: str, number: int, chapter: int = 0) -> ZineIssueRow | None:
        """An issue by its number; `chapter`: the one that went out by itself."""
        query = select(*_ISSUE).where(
            zine_issues.c.zine == zine, zine_issues.c.number == number, zine_issues.c.chapter == chapter
        )
        return build(ZineIssueRow, self._connection.execute(query).first())

    def issues(self, zine: str) -> tuple[ZineIssueRow, ...]:
        """Every issue of a zine, the oldest first."""
        query = select(*_ISSUE).where(zine_issues.c.zine == zine)
        return build_all(
            ZineIssueRow, self._connection.execute(query.order_by(zine_issues.c.number, zine_issues.c.chapter))
        )

    def issue_cards(self, zine: str) -> tuple[ZineIssueCard, ...]:
        """Every issue of a zine, the oldest first, without what is in it."""
        query = select(*_ISSUE_CARD).where(zine_issues.c.zine == zine)
        ordered = query.order_by(zine_issues.c.number, zine_issues.c.chapter)
        return build_all(ZineIssueCard, self._connection.execute(ordered))

    def put_issue(self, row: ZineIssueRow) -> None:
        """A new issue, or one that has changed."""
        put(self._connection, zine_issues, facts(row))
