"""The way up and down: every revision, what the tables look like after it, and what is refused."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from judge.store import (
    SchemaState,
    StoreBehind,
    StoreDamaged,
    StoreNewer,
    Upgraded,
    check,
    open_store,
    snapshot,
    upgrade,
)
from judge.store.engine import parse, write_engine
from judge.store.tables import metadata
from tests.support.stores import NOON, WAIT, some_mail


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/judge.db"


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def stamp(path: Path, revision: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def scripts(migrations: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations))
    return config


def revisions(migrations: Path) -> tuple[str, ...]:
    """All revisions, oldest first."""
    found = ScriptDirectory.from_config(scripts(migrations)).walk_revisions()
    return tuple(reversed([each.revision for each in found]))


def downgrade(url: str, migrations: Path, revision: str) -> None:
    """Back to an older revision; "base": no tables."""
    config = scripts(migrations)
    engine = write_engine(parse(url), foreign_keys=False)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    engine.dispose()


def test_an_absent_database_is_empty_and_stays_absent(url: str, tmp_path: Path, migrations: Path) -> None:
    assert check(url, migrations=migrations).state is SchemaState.EMPTY
    assert not (tmp_path / "judge.db").exists()
    with pytest.raises(StoreBehind, match="judge db upgrade"):
        open_store(url, migrations=migrations)


def test_the_embedded_default_makes_its_own_database(tmp_path: Path, migrations: Path) -> None:
    url = f"sqlite:///{tmp_path}/a/b/judge.db"
    with open_store(url, migrations=migrations, upgrade=True) as store, store.write() as unit:
        unit.inbox.put(some_mail("a"))
    assert check(url, migrations=migrations).state is SchemaState.OK
    with open_store(url, migrations=migrations) as store, store.read() as view:
        assert len(view.inbox.list()) == 1


def test_after_the_upgrade_tables_and_model_are_the_same(url: str, migrations: Path) -> None:
    upgrade(url, migrations=migrations)
    engine = write_engine(parse(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_after_the_upgrade_the_tables_read_as_if_the_model_had_made_them(
    url: str, tmp_path: Path, migrations: Path
) -> None:
    upgrade(url, migrations=migrations)
    twin = write_engine(parse(f"sqlite:///{tmp_path}/twin.db"))
    metadata.create_all(twin)
    twin.dispose()

    def structure(path: Path) -> dict[str, object]:
        with closing(sqlite3.connect(path)) as connection:
            names = sorted(tables(path) - {"alembic_version"})
            return {
                name: (
                    connection.execute(f"PRAGMA table_info({name})").fetchall(),
                    sorted(row[2:] for row in connection.execute(f"PRAGMA foreign_key_list({name})")),
                    sorted(row[1:] for row in connection.execute(f"PRAGMA index_list({name})")),
                )
                for name in names
            }

    assert structure(tmp_path / "judge.db") == structure(tmp_path / "twin.db")


def test_every_revision_goes_up_and_down_and_up_again(url: str, tmp_path: Path, migrations: Path) -> None:
    known = revisions(migrations)
    for revision in known:
        assert upgrade(url, migrations=migrations, revision=revision).after == revision
    for revision in (*reversed(known[:-1]), "base"):
        downgrade(url, migrations, revision)
    assert tables(tmp_path / "judge.db") <= {"alembic_version", "sqlite_sequence"}
    assert upgrade(url, migrations=migrations).after == known[-1]


def test_upgrading_what_is_current_changes_nothing(url: str, tmp_path: Path, migrations: Path) -> None:
    upgrade(url, migrations=migrations)
    again = upgrade(url, migrations=migrations)
    assert (again.before, again.snapshot) == (again.after, None)
    assert [path.name for path in tmp_path.glob("*.before-*")] == []


def test_a_newer_database_is_refused_with_the_mend(url: str, tmp_path: Path, migrations: Path) -> None:
    upgrade(url, migrations=migrations)
    stamp(tmp_path / "judge.db", "9999")
    for refuse in (check, upgrade):
        with pytest.raises(StoreNewer, match=r"9999.*install the newer program"):
            refuse(url, migrations=migrations)
    with pytest.raises(StoreNewer):
        open_store(url, migrations=migrations, upgrade=True)


def test_two_processes_that_start_together_upgrade_once(url: str, migrations: Path) -> None:
    done: list[Upgraded] = []
    gate = threading.Barrier(2)

    def start() -> None:
        gate.wait(WAIT)
        done.append(upgrade(url, migrations=migrations))

    threads = [threading.Thread(target=start, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()
    assert len(done) == 2
    assert sorted(each.before is None for each in done) == [False, True]


def test_an_older_database_is_copied_before_it_is_upgraded(url: str, tmp_path: Path, migrations: Path) -> None:
    later = _with_one_more_step(migrations, tmp_path, "op.add_column('meta', sa.Column('note', sa.Text()))")
    with open_store(url, migrations=migrations, upgrade=True) as store, store.write() as unit:
        unit.inbox.put(some_mail("a"))
    assert check(url, migrations=later).state is SchemaState.BEHIND
    with pytest.raises(StoreBehind):
        open_store(url, migrations=later)

    done = upgrade(url, migrations=later)

    assert done.snapshot is not None and done.snapshot.name == "judge.db.before-later"
    with open_store(f"sqlite:///{done.snapshot}", migrations=migrations) as saved, saved.read() as view:
        assert view.inbox.list()[0].received_at == NOON


def test_a_migration_that_fails_leaves_the_database_as_it_was(url: str, tmp_path: Path, migrations: Path) -> None:
    before = upgrade(url, migrations=migrations).after
    steps = "op.create_table('half', sa.Column('id', sa.Integer))\n    raise RuntimeError('torn')"
    later = _with_one_more_step(migrations, tmp_path, steps)
    with pytest.raises(RuntimeError, match="torn"):
        upgrade(url, migrations=later)
    assert "half" not in tables(tmp_path / "judge.db")
    assert check(url, migrations=migrations).found == before


def test_a_migration_that_orphans_rows_is_undone(url: str, tmp_path: Path, migrations: Path) -> None:
    with open_store(url, migrations=migrations, upgrade=True) as store, store.write() as unit:
        unit.inbox.put(some_mail("a"))
    later = _with_one_more_step(migrations, tmp_path, "op.execute('DELETE FROM inbox')")
    with pytest.raises(StoreDamaged, match="mail_bytes"):
        upgrade(url, migrations=later)
    with open_store(url, migrations=migrations) as store, store.read() as view:
        assert len(view.inbox.list()) == 1


def test_a_snapshot_of_a_living_database_is_whole_and_overwrites_nothing(
    url: str, tmp_path: Path, migrations: Path
) -> None:
    target = tmp_path / "copy.db"
    with open_store(url, migrations=migrations, upgrade=True) as store:
        with store.write() as unit:
            unit.inbox.put(some_mail("a"))
        snapshot(url, target)
        with store.write() as unit:
            unit.inbox.put(some_mail("b"))
    with open_store(f"sqlite:///{target}", migrations=migrations) as copy, copy.read() as view:
        assert [mail.transport_key for mail in view.inbox.list()] == ["a"]
    with pytest.raises(FileExistsError):
        snapshot(url, target)


def test_a_database_in_memory_is_refused(migrations: Path) -> None:
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ValueError, match="names no file"):
            open_store(url, migrations=migrations)


def test_the_tables_can_be_said_in_the_other_dialect() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    said = [str(CreateTable(table).compile(dialect=dialect)) for table in metadata.sorted_tables]
    assert len(said) == 26
    assert not any("AUTOINCREMENT" in each for each in said)
    assert "id BIGSERIAL NOT NULL" in next(each for each in said if "CREATE TABLE inbox" in each)


def test_every_table_has_a_primary_key() -> None:
    def keyless(table: Table) -> bool:
        return not table.primary_key.columns

    assert [table.name for table in metadata.sorted_tables if keyless(table)] == []


def _with_one_more_step(migrations: Path, tmp_path: Path, steps: str) -> Path:
    """A copy of the migrations with one more revision at the end, "later"."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for source in (migrations / "env.py", migrations / "script.py.mako", *(migrations / "versions").glob("*.py")):
        (folder / source.relative_to(migrations)).write_text(source.read_text("utf-8"), "utf-8")
    head = revisions(migrations)[-1]
    (folder / "versions" / "later.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision = 'later'\ndown_revision = {head!r}\n\n"
        f"def upgrade():\n    {steps}\n\ndef downgrade():\n    pass\n",
        "utf-8",
    )
    return folder
