"""How long answers go on, by whom they go to: what was counted within the hour is measured over weeks.

Revision 0002, on 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; it fills by itself."""
    op.create_table(
        "patience",
        sa.Column("whom", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("whom", name="pk_patience"),
    )
    op.create_index("ix_patience_at", "patience", ["at"])


def downgrade() -> None:
    """Forget it."""
    op.drop_index("ix_patience_at", table_name="patience")
    op.drop_table("patience")
