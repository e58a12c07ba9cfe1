"""The tables, as SQLAlchemy Core sees them. The migrations build them; a test holds both to the same shape.

Habits: events are the truth and refer to nothing that could be rebuilt from them; big bytes lie in tables of their
own, so that a change of state never rewrites them; a lease is no column of its own but a postponement (`next_try`). A
moment is kept as integer microseconds since 1970 in UTC: it sorts, compares and indexes alike in SQLite and PostgreSQL,
and no driver can guess at its zone. A naive datetime is refused at the door.
"""

import json
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

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# SQLite makes a key its own row number only if the type says INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")


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

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(list(value), ensure_ascii=False)

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
    Column("source", Text, nullable=False),
    Column("transport_key", Text, nullable=False, unique=True),
    # Only the first bearer of a content carries its hash; a duplicate points to it by first_id.
    Column("content_hash", Text, unique=True),
    Column("message_id", Text, index=True),
    Column("digest", Text, nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("envelope_from", Text, nullable=False),
    Column("rcpts", StringTuple, nullable=False),
    Column("peer", Text),
    Column("received_at", UtcMoment, nullable=False),
    Column("arrived_at", UtcMoment, nullable=False),
    Column("state", Choice(MailState), nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, nullable=False),
    Column("lease_owner", Text),
    Column("sender", Text),
    Column("game", Text),
    Column("seat", Text),
    Column("confirm_key", Text, unique=True),
    Column("confirmed_at", UtcMoment),
    Column("first_id", RowId, ForeignKey("inbox.id")),
    Column("repeats_id", RowId, ForeignKey("inbox.id")),
    Column("waived", Boolean, nullable=False, server_default=false()),
    Column("reason", Text),
    Column("verdict", Text),
    Column("traceback", Text),
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
    Column("game", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("mail_id", RowId),
)

games = Table(
    "games",
    metadata,
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("map", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("phase", Text),
    Column("next_due_at", UtcMoment, index=True),
    Column("seq", Integer, nullable=False, server_default=text("0")),
    Column("summary", Text, nullable=False),
)

persons = Table(
    "persons",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("name", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("check_phrase", Text, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("options", Text, nullable=False),
    sqlite_autoincrement=True,
)

seats = Table(
    "seats",
    metadata,
    Column("game", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("nonce", Text, nullable=False, unique=True),
    Column("since", UtcMoment, nullable=False),
)

addresses = Table(
    "addresses",
    metadata,
    Column("address", Text, primary_key=True),
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
    Column("kind", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("set_at", UtcMoment, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("topic", Text, primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
    Column("options", Text, nullable=False),
)

standbys = Table(
    "standbys",
    metadata,
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
    Column("options", Text, nullable=False),
)

contacts = Table(
    "contacts",
    metadata,
    Column("address", Text, primary_key=True),
    Column("first_at", UtcMoment, nullable=False),
    Column("last_at", UtcMoment, nullable=False),
)

contact_counts = Table(
    "contact_counts",
    metadata,
    Column("address", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("day", Text, primary_key=True),  # ISO date: the bucket, not a moment
    Column("count", Integer, nullable=False),
)

patience = Table(
    "patience",
    metadata,
    Column("whom", Text, primary_key=True),  # a person's number, or an address
    Column("state", Text, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)

letters = Table(
    "letters",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("idem_key", Text, nullable=False, unique=True),
    Column("message_id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("view", Text, nullable=False),
    Column("created_at", UtcMoment, nullable=False),
    Column("game", Text),
    Column("seat", Text),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL")),
    Column("mail_id", RowId, ForeignKey("inbox.id")),
    Column("not_before", UtcMoment),
    Column("state", Choice(LetterState), nullable=False),
    Column("subject", Text),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, nullable=False),
    Column("lease_owner", Text),
    Column("error", Text),
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
    Column("address", Text, nullable=False),
    Column("state", Choice(DeliveryState), nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("next_try", UtcMoment, index=True),
    Column("first_try", UtcMoment),
    Column("lease_owner", Text),
    Column("done_at", UtcMoment),
    Column("last_code", Integer),
    Column("last_text", Text),
    UniqueConstraint("letter_id", "address"),
    Index(None, "state"),
    sqlite_autoincrement=True,
)

pictures = Table(
    "pictures",
    metadata,
    Column("game", Text, primary_key=True),
    Column("phase", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("media_type", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

zines = Table(
    "zines",
    metadata,
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("number", Integer, nullable=False, server_default=text("0")),
    Column("next_at", UtcMoment, index=True),
    Column("created_at", UtcMoment, nullable=False),
    Column("terms", Text, nullable=False),
)

zine_chapters = Table(
    "zine_chapters",
    metadata,
    Column("zine", Text, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("games", StringTuple, nullable=False),
    Column("terms", Text, nullable=False),
)

zine_people = Table(
    "zine_people",
    metadata,
    Column("zine", Text, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("role", Text, primary_key=True),
    Column("chapter", Integer, primary_key=True, autoincrement=False),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("since", UtcMoment, nullable=False),
)

zine_games = Table(
    "zine_games",
    metadata,
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("number", Text, unique=True),
    Column("external", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("season", Text, nullable=False),
    Column("due_at", UtcMoment),
    Column("hold_until", UtcMoment),
    Column("since", UtcMoment, nullable=False),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("facts", Text, nullable=False),
)

zine_items = Table(
    "zine_items",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("zine", Text, ForeignKey("zines.key", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("chapter", Integer, nullable=False, server_default=text("0")),
    Column("game", Text),
    Column("person_id", RowId, ForeignKey("persons.id", ondelete="SET NULL"), index=True),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("issue", Integer),
    Column("left", Integer),
    Column("at", UtcMoment, nullable=False),
    Column("mail_id", RowId),
    Column("facts", Text, nullable=False),
    Index(None, "zine", "state"),
    sqlite_autoincrement=True,
)

zine_issues = Table(
    "zine_issues",
    metadata,
    Column("zine", Text, ForeignKey("zines.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("chapter", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("value", Text, nullable=False),
    Column("facts", Text, nullable=False),
)

daemons = Table(
    "daemons",
    metadata,
    Column("owner", Text, primary_key=True),  # as in leases
    Column("place", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("roles", StringTuple, nullable=False),
    Column("began_at", UtcMoment, nullable=False),
    Column("seen_at", UtcMoment, nullable=False),
    Column("settled_until", UtcMoment, nullable=False),
    Column("off", BigInteger, nullable=False),
    Column("trouble", Text, nullable=False),
)

departures = Table(
    "departures",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("provider", Text, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("rests", Boolean, nullable=False, server_default=false()),
    Index(None, "provider", "at"),
    sqlite_autoincrement=True,
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
