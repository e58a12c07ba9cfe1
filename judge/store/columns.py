"""Kinds of columns: how a value goes into a row and comes back, alike in SQLite and PostgreSQL.

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

from sqlalchemy import BigInteger, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator

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
