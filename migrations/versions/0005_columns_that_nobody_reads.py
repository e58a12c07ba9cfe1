"""Columns that the program neither wrote nor read: a person's block, the sender of one copy, our answer.

Revision 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("persons", "blocked_at")
    op.drop_column("persons", "blocked_reason")
    op.drop_column("deliveries", "envelope_from")
    op.drop_column("contacts", "replied_at")


def downgrade() -> None:
    op.add_column("persons", sa.Column("blocked_at", sa.BigInteger()))
    op.add_column("persons", sa.Column("blocked_reason", sa.Text()))
    op.add_column("deliveries", sa.Column("envelope_from", sa.Text()))
    op.add_column("contacts", sa.Column("replied_at", sa.BigInteger()))
