"""Held mails say for which seats they speak: the deadline barrier asks.

Revision 0003. A mail that was held before the upgrade claims nothing: no turn waits for it, and it can be confirmed as
before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("inbox") as inbox:
        inbox.add_column(sa.Column("claims", sa.Text(), server_default=sa.text("'[]'"), nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("inbox") as inbox:
        inbox.drop_column("claims")
