"""The tables as SQLAlchemy Core sees them, and the kinds of their columns: how a value goes into a row and comes back,
alike in SQLite and PostgreSQL.

The migrations build them; a test holds both to the same shape.

Habits: events are the truth and refer to nothing that could be rebuilt from them; big bytes lie in tables of their
own, so that a change of state never rewrites them; a lease is no column of its own but a postponement (`next_try`). A
moment is kept as integer microseconds since 1970 in UTC: it sorts, compares and indexes alike in SQLite and PostgreSQL,
and no driver can guess at its zone. A naive datetime is refused at the door.

Whatever a mail says is kept, so a column refuses no text. What one of the databases cannot hold (NUL, half a pair of
surrogates) becomes the sign for what cannot be shown, and a name that is longer than an entry of an index may be is cut
and told apart by its digest; the same on the way in and in every comparison, on both databases, so that a judge may
move from one to the other.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.types import TypeDecorator

from judge.store.rows import DeliveryState, LetterState, MailState

MOST_BYTES = 850
"""The longest name, in bytes. An entry of a PostgreSQL index has 2,704 for all its columns (a third of a page, its
manual, 64.1), and no index of ours has more than three that hold text.
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CUT = 500
_PLAIN = MOST_BYTES // 4
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"

# SQLite makes a key its own row number only if the type says INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")


def storable(text: str) -> str:
    """The text as every database keeps it.

    >>> storable("a\\0b"), storable("\\ud83d, alone")
    ('a\ufffdb', '\ufffd, alone')
    """
    if text.isascii() and "\0" not in text:
        return text
    text = text.replace("\0", _UNKNOWN)
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_UNKNOWN if "\ud800" <= sign <= "\udfff" else sign for sign in text)
    return text


def storable_name(text: str) -> str:
    """The text as every database keeps it in an index.

    >>> storable_name("baltic"), len(storable_name("baltic" * 1000))
    ('baltic', 564)
    """
    text = storable(text)
    if len(text) * 4 <= MOST_BYTES or len(octets := text.encode()) <= MOST_BYTES:
        return text
    return f"{octets[:_CUT].decode(errors='ignore')}{hashlib.sha256(octets).hexdigest()}"


class AnyText(TypeDecorator[str]):
    """Any text."""

    impl = Text
    cache_ok = True
    kept = staticmethod(storable)

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:
        """What each value goes through. A row has many, nearly all of them plain: those cost one call."""
        kept = self.kept

        def process(value: str | None) -> str | None:
            if value is None or (value.isascii() and len(value) < _PLAIN and "\0" not in value):
                return value
            return kept(value)

        return process


class IndexedText(AnyText):
    """Text that stands in an index or a key."""

    cache_ok = True
    kept = staticmethod(storable_name)


class UtcMoment(TypeDecorator[datetime]):
    """An aware datetime, stored as microseconds since 1970 UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no zone; the store takes aware datetimes only")
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MICROSECOND


class Choice(TypeDecorator[StrEnum]):
    """One word of a closed set, stored as that word."""

    impl = Text
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        return None if value is None else self.words(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.words(value)


class StringTuple(TypeDecorator[tuple[str, ...]]):
    """A short tuple of strings, stored as a JSON list."""

    impl = Text
    cache_ok = True

    @staticmethod
    def kept(words: tuple[str, ...]) -> tuple[str, ...]:
        """What comes back of them."""
        return tuple(map(storable, words))

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(self.kept(value), ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        if value is None:
            return None
        words: list[Any] = json.loads(value)
        return tuple(words)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("source", AnyText, nullable=False),
    Column("transport_key", IndexedText, nullable=False, unique=True),
    # Only the first bearer of a content carries its hash; a duplicate points to it by first_id.
    Column("content_hash", IndexedText, unique=True),
    Column("message_id", IndexedText, index=True),
    Column("digest", IndexedText, nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("envelope_from", AnyText, nullable=False),
    Column("rcpts", StringTuple, nullable=False),
    Column("peer", AnyText),
    Column("received_at", UtcMoment, nullable=False),
    Column("arrived_at", UtcMoment, nullable=False),
    Column("state", Choice(MailState), nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, nullable=False),
    Column("lease_owner", AnyText),
    Column("sender", AnyText),
    Column("game", AnyText),
    Column("seat", AnyText),
    Column("confirm_key", IndexedText, unique=True),
    Column("confirmed_at", UtcMoment),
    Column("first_id", RowId, ForeignKey("inbox.id")),
    Column("repeats_id", RowId, ForeignKey("inbox.id")),
    Column("waived", Boolean, nullable=False, server_default=false()),
    Column("reason", AnyText),
    Column("verdict", AnyText),
    Column("traceback", AnyText),
    Column("finished_at", UtcMoment),
    Column("claims", StringTuple, nullable=False, server_default=text("'[]'")),
    Index(None, "state", "id"),
    Index(None, "state", "arrived_at"),
    sqlite_autoincrement=True,
)

mail_bytes = Table(
    "mail_bytes",
    metadata,
    Column("mail_id", RowId, ForeignKey("inbox.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("game", IndexedText, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", AnyText, nullable=False),
    Column("version", Integer, nullable=False),
    Column("data", AnyText, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("mail_id", RowId),
)

games = Table(
    "games",
    metadata,
    Column("key", IndexedText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("state", IndexedText, nullable=False, index=True),
    Column("map", AnyText, nullable=False),
    Column("rules", AnyText, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("phase", AnyText),
    Column("next_due_at", UtcMoment, index=True),
    Column("seq", Integer, nullable=False, server_default=text("0")),
    Column("summary", AnyText, nullable=False),
)

persons = Table(
    "persons",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("zone", AnyText, nullable=False),
    Column("check_phrase", AnyText, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("options", AnyText, nullable=False),
    sqlite_autoincrement=True,
)

seats = Table(
    "seats",
    metadata,
    Column("game", IndexedText, primary_key=True),
    Column("seat", IndexedText, primary_key=True),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("nonce", IndexedText, nullable=False, unique=True),
    Column("since", UtcMoment, nullable=False),
)

addresses = Table(
    "addresses",
    metadata,
    Column("address", IndexedText, primary_key=True),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("primary", Boolean, nullable=False, server_default=false()),
    Column("verified_at", UtcMoment),
    Column("added_at", UtcMoment, nullable=False),
    Column("bounce_soft", Integer, nullable=False, server_default=text("0")),
    Column("bounce_hard", Integer, nullable=False, server_default=text("0")),
    Column("bounced_at", UtcMoment),
    Column("suspended_at", UtcMoment),
)

secrets = Table(
    "secrets",
    metadata,
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("kind", IndexedText, primary_key=True),
    Column("value", AnyText, nullable=False),
    Column("set_at", UtcMoment, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("topic", IndexedText, primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
    Column("options", AnyText, nullable=False),
)

standbys = Table(
    "standbys",
    metadata,
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("game", IndexedText, primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
    Column("options", AnyText, nullable=False),
)

contacts = Table(
    "contacts",
    metadata,
    Column("address", IndexedText, primary_key=True),
    Column("first_at", UtcMoment, nullable=False),
    Column("last_at", UtcMoment, nullable=False),
)

contact_counts = Table(
    "contact_counts",
    metadata,
    Column("address", IndexedText, primary_key=True),
    Column("kind", IndexedText, primary_key=True),
    Column("day", IndexedText, primary_key=True),  # ISO date: the bucket, not a moment
    Column("count", Integer, nullable=False),
)

patience = Table(
    "patience",
    metadata,
    Column("whom", IndexedText, primary_key=True),  # a person's number, or an address
    Column("state", AnyText, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)

letters = Table(
    "letters",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("idem_key", IndexedText, nullable=False, unique=True),
    Column("message_id", IndexedText, nullable=False, unique=True),
    Column("kind", IndexedText, nullable=False),
    Column("view", AnyText, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("game", IndexedText),
    Column("seat", AnyText),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL")),
    Column("mail_id", RowId, ForeignKey("inbox.id")),
    Column("not_before", UtcMoment),
    Column("state", Choice(LetterState), nullable=False),
    Column("subject", AnyText),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, nullable=False),
    Column("lease_owner", AnyText),
    Column("error", AnyText),
    Index(None, "state", "next_try", "kind", "mail_id"),
    Index(None, "game", "kind"),
    sqlite_autoincrement=True,
)

letter_bytes = Table(
    "letter_bytes",
    metadata,
    Column("letter_id", RowId, ForeignKey("letters.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("mime", LargeBinary, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("letter_id", RowId, ForeignKey("letters.id", ondelete="CASCADE"), nullable=False),
    Column("address", IndexedText, nullable=False),
    Column("state", Choice(DeliveryState), nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, index=True),
    Column("first_try", UtcMoment),
    Column("lease_owner", AnyText),
    Column("done_at", UtcMoment),
    Column("last_code", Integer),
    Column("last_text", AnyText),
    UniqueConstraint("letter_id", "address"),
    Index(None, "state"),
    sqlite_autoincrement=True,
)

pictures = Table(
    "pictures",
    metadata,
    Column("game", IndexedText, primary_key=True),
    Column("phase", IndexedText, primary_key=True),
    Column("kind", IndexedText, primary_key=True),
    Column("media_type", AnyText, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

zines = Table(
    "zines",
    metadata,
    Column("key", IndexedText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("state", AnyText, nullable=False),
    Column("number", Integer, nullable=False, server_default=text("0")),
    Column("next_at", UtcMoment, index=True),
    Column("created_at", UtcMoment, nullable=False),
    Column("terms", AnyText, nullable=False),
)

zine_chapters = Table(
    "zine_chapters",
    metadata,
    Column("zine", IndexedText, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("games", StringTuple, nullable=False),
    Column("terms", AnyText, nullable=False),
)

zine_people = Table(
    "zine_people",
    metadata,
    Column("zine", IndexedText, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("role", IndexedText, primary_key=True),
    Column("chapter", Integer, primary_key=True, autoincrement=False),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
)

zine_games = Table(
    "zine_games",
    metadata,
    Column("key", IndexedText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("number", IndexedText, unique=True),
    Column("external", Boolean, nullable=False),
    Column("state", AnyText, nullable=False),
    Column("season", AnyText, nullable=False),
    Column("due_at", UtcMoment),
    Column("hold_until", UtcMoment),
    Column("since", UtcMoment, nullable=False),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("facts", AnyText, nullable=False),
)

zine_items = Table(
    "zine_items",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("zine", IndexedText, ForeignKey("zines.key", ondelete="CASCADE"), nullable=False),
    Column("kind", AnyText, nullable=False),
    Column("chapter", Integer, nullable=False, server_default=text("0")),
    Column("game", AnyText),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("title", AnyText, nullable=False),
    Column("body", AnyText, nullable=False),
    Column("state", IndexedText, nullable=False),
    Column("issue", Integer),
    Column("left", Integer),
    Column("at", UtcMoment, nullable=False),
    Column("mail_id", RowId),
    Column("facts", AnyText, nullable=False),
    Index(None, "zine", "state"),
    sqlite_autoincrement=True,
)

zine_issues = Table(
    "zine_issues",
    metadata,
    Column("zine", IndexedText, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("chapter", Integer, primary_key=True, autoincrement=False),
    Column("state", AnyText, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("value", AnyText, nullable=False),
    Column("facts", AnyText, nullable=False),
)

daemons = Table(
    "daemons",
    metadata,
    Column("owner", IndexedText, primary_key=True),  # as in leases
    Column("place", AnyText, nullable=False),
    Column("version", AnyText, nullable=False),
    Column("roles", StringTuple, nullable=False),
    Column("began_at", UtcMoment, nullable=False),
    Column("seen_at", UtcMoment, nullable=False),
    Column("settled_until", UtcMoment, nullable=False),
    Column("off", BigInteger, nullable=False),
    Column("trouble", AnyText, nullable=False),
    Column("mailboxes", StringTuple, nullable=False, server_default="[]"),
)

departures = Table(
    "departures",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("provider", IndexedText, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("rests", Boolean, nullable=False, server_default=false()),
    Index(None, "provider", "at"),
    sqlite_autoincrement=True,
)

meta = Table(
    "meta",
    metadata,
    Column("key", IndexedText, primary_key=True),
    Column("value", AnyText, nullable=False),
)
