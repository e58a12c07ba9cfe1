"""The daemons that work on one database, when each was last seen, and what has left it: several may share one.

Revision 0009, on 0008.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables, both empty."""
    op.create_table(
        "daemons",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_until", sa.BigInteger(), nullable=False),
        sa.Column("off", sa.BigInteger(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("owner", name="pk_daemons"),
    )
    op.create_table(
        "departures",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("rests", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="pk_departures"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_departures_provider_at", "departures", ["provider", "at"])


def downgrade() -> None:
    """Nobody else is there."""
    op.drop_table("departures")
    op.drop_table("daemons")
