"""Alembic's way into the database.

The program passes an open connection, which holds the write lock and one transaction around everything; see
`judge.store.schema`. Run by hand (`alembic -x url=sqlite:///copy.db ...`) it opens the database named there.
"""

from alembic import context
from sqlalchemy import Connection

from judge.store.engine import parse, write_engine
from judge.store.tables import metadata


def migrate(connection: Connection) -> None:
    """Run the migrations that Alembic was asked for on this connection."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def by_hand() -> None:
    """Open the database that the command line names."""
    engine = write_engine(parse(context.get_x_argument(as_dictionary=True)["url"]), foreign_keys=False)
    with engine.begin() as connection:
        migrate(connection)


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    by_hand()
