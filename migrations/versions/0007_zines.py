"""Zines: what they are, their chapters and people, the register of games, what came in, and the issues.

Revision 0007, on 0006.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str, *, null: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=null)


def _number(name: str, *, null: bool = False, zero: bool = False) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), nullable=null, server_default=sa.text("0") if zero else None)


def _moment(name: str, *, null: bool = False) -> "sa.Column[int]":
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _of_zine(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["zine"], ["zines.key"], name=f"fk_{table}_zine_zines", ondelete="CASCADE")


def _of_person(table: str, then: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name=f"fk_{table}_person_id_persons", ondelete=then)


def upgrade() -> None:
    """Make the tables; they begin empty."""
    op.create_table(
        "zines",
        _text("key"), _text("name"), _text("state"), _number("number", zero=True), _moment("next_at", null=True),
        _moment("created_at"), _text("terms"),
        sa.PrimaryKeyConstraint("key", name="pk_zines"),
    )  # fmt: skip
    op.create_index("ix_zines_next_at", "zines", ["next_at"])
    op.create_table(
        "zine_chapters",
        _text("zine"), _number("number"), _text("games"), _text("terms"),
        _of_zine("zine_chapters"),
        sa.PrimaryKeyConstraint("zine", "number", name="pk_zine_chapters"),
    )  # fmt: skip
    op.create_table(
        "zine_people",
        _text("zine"), _text("role"), _number("chapter"), sa.Column("person_id", _ID, nullable=False), _moment("since"),
        _of_zine("zine_people"), _of_person("zine_people", "CASCADE"),
        sa.PrimaryKeyConstraint("zine", "role", "chapter", "person_id", name="pk_zine_people"),
    )  # fmt: skip
    op.create_index("ix_zine_people_person_id", "zine_people", ["person_id"])
    op.create_table(
        "zine_games",
        _text("key"), _text("name"), _text("number", null=True), sa.Column("external", sa.Boolean(), nullable=False),
        _text("state"), _text("season"), _moment("due_at", null=True), _moment("hold_until", null=True),
        _moment("since"), sa.Column("person_id", _ID), _text("facts"),
        _of_person("zine_games", "SET NULL"),
        sa.PrimaryKeyConstraint("key", name="pk_zine_games"),
        sa.UniqueConstraint("number", name="uq_zine_games_number"),
    )  # fmt: skip
    op.create_index("ix_zine_games_person_id", "zine_games", ["person_id"])
    op.create_table(
        "zine_items",
        sa.Column("id", _ID, nullable=False), _text("zine"), _text("kind"), _number("chapter", zero=True),
        _text("game", null=True), sa.Column("person_id", _ID), _text("title"), _text("body"), _text("state"),
        _number("issue", null=True), _number("left", null=True), _moment("at"),
        sa.Column("mail_id", _ID), _text("facts"),
        _of_zine("zine_items"), _of_person("zine_items", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_zine_items"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_index("ix_zine_items_person_id", "zine_items", ["person_id"])
    op.create_index("ix_zine_items_zine_state", "zine_items", ["zine", "state"])
    op.create_table(
        "zine_issues",
        _text("zine"), _number("number"), _number("chapter"), _text("state"), _moment("at"), _text("value"),
        _text("facts"),
        _of_zine("zine_issues"),
        sa.PrimaryKeyConstraint("zine", "number", "chapter", name="pk_zine_issues"),
    )  # fmt: skip


def downgrade() -> None:
    """Forget them, and all that stands there."""
    for table in ("zine_issues", "zine_items", "zine_games", "zine_people", "zine_chapters", "zines"):
        op.drop_table(table)
