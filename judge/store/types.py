"""Column types for moments, enumerations and tuples of strings, the same in every SQL dialect.

A moment is kept as integer microseconds since 1970 in UTC: it sorts, compares and indexes alike in SQLite and
PostgreSQL, and no driver can guess at its zone. A naive datetime is refused at the door.
"""

import json
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator

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
