"""Everything that is stored is the same on SQLite and on PostgreSQL, whatever a mail brings: each column at the edges
of what it may hold, any value of its kind, every prepared statement with the extremes of each of its parameters.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Delete,
    Engine,
    Insert,
    Integer,
    LargeBinary,
    Select,
    Table,
    Text,
    Update,
    insert,
    select,
)
from sqlalchemy.types import TypeEngine

import judge.store
from judge import resources
from judge.store import Store, open_store
from judge.store.engine import parse, write_engine
from judge.store.rows import Duplicate, Stored
from judge.store.schema import upgrade
from judge.store.sql import UP_TO
from judge.store.tables import AnyText, Choice, IndexedText, StringTuple, UtcMoment, metadata
from tests.support.postgres import empty_database
from tests.support.stores import some_letter, some_mail, written

pytestmark = pytest.mark.wires

TABLES = metadata.sorted_tables
COLUMNS = [column for table in TABLES for column in table.columns]

EVERY_SIGN = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1)]))
LONG = "".join(random.Random(1).choices(EVERY_SIGN[:0x3000], k=200_000))
TEXTS = (
    *("", " ", "\0", "a\0b", "\ud800", "half \udfff a pair \ud83d", "'; --", "%s %(x)s :x", "\r\n\t", "back\\slash "),
    *(EVERY_SIGN, LONG),
)
FAR = (
    datetime.min.replace(tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
)
NUMBERS = (0, 1, 2**31 - 1)
OCTETS = (b"", b"\0", bytes(range(256)) * 8, random.Random(2).randbytes(3_000_000))


def bits(kind: TypeEngine[Any]) -> int:
    return 63 if isinstance(kind, BigInteger) else 31


def edges(kind: TypeEngine[Any]) -> Sequence[Any]:
    """The extreme values of a kind of column."""
    if isinstance(kind, AnyText):
        return TEXTS
    if isinstance(kind, StringTuple):
        return ((), ("",), TEXTS)
    if isinstance(kind, Choice):
        return tuple(kind.words)
    if isinstance(kind, UtcMoment):
        return FAR
    if isinstance(kind, Boolean):
        return (True, False)
    if isinstance(kind, LargeBinary):
        return OCTETS
    if isinstance(kind, Integer):
        return (-(2 ** bits(kind)), -1, 0, 2 ** bits(kind) - 1)
    raise AssertionError(f"nobody has said what the edges of {kind!r} are")


def anything(kind: TypeEngine[Any]) -> st.SearchStrategy[Any]:
    """Any value of a kind of column."""
    text = st.text(st.characters(exclude_categories=()), max_size=2000)
    if isinstance(kind, AnyText):
        return text
    if isinstance(kind, StringTuple):
        return st.lists(text, max_size=5).map(tuple)
    if isinstance(kind, Choice):
        return st.sampled_from(list(kind.words))
    if isinstance(kind, UtcMoment):
        return st.datetimes(timezones=st.just(UTC))
    if isinstance(kind, Boolean):
        return st.booleans()
    if isinstance(kind, LargeBinary):
        return st.binary(max_size=5000)
    return st.integers(-(2 ** bits(kind)), 2 ** bits(kind) - 1)


def kept(kind: TypeEngine[Any], value: Any) -> Any:
    """What a column gives back of a value."""
    return value if value is None or not isinstance(kind, (AnyText, StringTuple)) else kind.kept(value)


@pytest.fixture(scope="module")
def urls(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    """An empty database of each kind."""
    both = (f"sqlite:///{tmp_path_factory.mktemp('both')}/judge.db", empty_database(postgres))
    for url in both:
        upgrade(url, migrations=resources.folder("migrations"))
    return both


@pytest.fixture(scope="module")
def engines(urls: Sequence[str]) -> Iterator[Sequence[Engine]]:
    both = [write_engine(parse(url), foreign_keys=False) for url in urls]
    yield both
    for engine in both:
        engine.dispose()


def given_back(engine: Engine, table: Table, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What comes back of rows, each put in and looked for by every value that it has; nothing stays there."""
    found = []
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")  # no row refers to another here
        for row in rows:
            with connection.begin_nested() as part:
                connection.execute(insert(table), dict(row))
                wanted = [column == row[column.name] for column in table.columns if row.get(column.name) is not None]
                found.append(dict(connection.execute(select(table).where(*wanted)).mappings().one()))
                part.rollback()
        connection.rollback()
    return found


def plain_row(table: Table) -> dict[str, Any]:
    """A row in which nothing is remarkable."""
    return {column.name: None if column.nullable else edges(column.type)[-3:][0] for column in table.columns}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_column_gives_back_its_extremes_and_is_found_by_them(table: Table, engines: Sequence[Engine]) -> None:
    rows = [plain_row(table) | {column.name: edge} for column in table.columns for edge in edges(column.type)]
    expected = [{column.name: kept(column.type, row[column.name]) for column in table.columns} for row in rows]
    for engine in engines:
        for row, wanted in zip(given_back(engine, table, rows), expected, strict=True):
            assert row == wanted


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_row_is_given_back_whatever_stands_in_it(table: Table, engines: Sequence[Engine]) -> None:
    def cell(column: Column[Any]) -> st.SearchStrategy[Any]:
        return anything(column.type) | st.none() if column.nullable else anything(column.type)

    @settings(max_examples=40, deadline=None, database=None, derandomize=True)
    @given(st.fixed_dictionaries({column.name: cell(column) for column in table.columns}))
    def look(row: dict[str, Any]) -> None:
        wanted = {column.name: kept(column.type, row[column.name]) for column in table.columns}
        for engine in engines:
            assert given_back(engine, table, [row]) == [wanted]

    look()


def test_text_in_an_index_is_short_enough_for_it() -> None:
    """Whoever gives a table an index over text calls it a name."""
    indexed = {column for table in TABLES for index in table.indexes for column in index.columns}
    unique = {column for table in TABLES for rule in table.constraints for column in getattr(rule, "columns", ())}
    texts = {column for column in indexed | unique if isinstance(column.type, AnyText)}
    assert texts and not [str(column) for column in texts if not isinstance(column.type, IndexedText)]


def test_every_text_of_the_tables_is_of_a_kind_that_keeps_anything() -> None:
    assert not [str(column) for column in COLUMNS if isinstance(column.type, Text)]


# --- What repositories say -------------------------------------------------------------------------------------------


OF_POSTGRESQL = frozenset(("daemons._OTHERS", "daemons._NOW"))
"""Statements that are said to a PostgreSQL only: they ask for its clock."""


def prepared() -> Iterator[tuple[str, Any]]:
    """The statements that modules of the store prepare."""
    for found in pkgutil.iter_modules(judge.store.__path__):
        module = importlib.import_module(f"judge.store.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, (Select, Insert, Update, Delete)):
                yield f"{found.name}.{name}", value


PREPARED = dict(prepared())


@pytest.mark.parametrize("name", PREPARED)
def test_a_prepared_statement_takes_the_extremes_of_its_parameters(name: str, engines: Sequence[Engine]) -> None:
    statement = PREPARED[name]
    compiled = statement.compile(dialect=engines[1].dialect)
    asked = {key: bind for key, bind in compiled.binds.items() if bind.required}
    choices = {key: NUMBERS if key == UP_TO.key else edges(bind.type) for key, bind in asked.items()}
    for turn in range(max(map(len, choices.values()), default=0)):
        values = {
            key: [some[turn % len(some)]] if asked[key].expanding else some[turn % len(some)]
            for key, some in choices.items()
        }
        for engine in engines[name in OF_POSTGRESQL :]:
            with engine.connect() as connection:
                if engine.dialect.name != "sqlite":
                    connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
                connection.execute(statement, values)
                connection.rollback()


@pytest.fixture
def stores(urls: Sequence[str]) -> Iterator[Sequence[Store]]:
    both = [open_store(url, migrations=resources.folder("migrations"), instance="here") for url in urls]
    yield both
    for store in both:
        store.close()


@pytest.mark.parametrize("text", TEXTS)
def test_a_mail_and_a_letter_are_known_again_by_any_name(text: str, stores: Sequence[Store]) -> None:
    mark = f"m{TEXTS.index(text)}{text}"
    for store in stores:
        with store.write() as unit:
            receipts = unit.inbox.put_all([some_mail(f"{mark}.{n}", message_id=mark, raw=b"%d" % n) for n in (1, 2)])
        with store.write() as unit:
            again = unit.inbox.put_all([some_mail(f"{mark}.{n}", message_id=mark, raw=b"%d" % n) for n in (1, 2)])
            numbers = {written(unit, some_letter(f"{mark}.letter", f"{mark}@players.test")) for _ in range(2)}
            ((number,),) = [{each.letter_id for each in unit.outbox.of_letter(n)} for n in numbers]
        first, second = receipts
        assert isinstance(first, Stored) and isinstance(second, Stored) and second.repeats == first.id
        assert again == (Duplicate(first.id), Duplicate(second.id)) and numbers == {number}
        with store.read() as view:
            found = view.inbox.by_reference(mark)
            assert found is not None and found.id == second.id


def test_a_number_that_no_row_can_have_is_nobodys(stores: Sequence[Store]) -> None:
    for store in stores:
        with store.read() as view:
            assert view.inbox.by_reference("9" * 40) is None
