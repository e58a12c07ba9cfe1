"""Which mailboxes a daemon can fetch from: where several can, one of them does.

Revision 0010, on 0009.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A daemon of an older version says nothing of its mailboxes, and fetches from all of them."""
    op.add_column("daemons", sa.Column("mailboxes", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Everybody fetches from everywhere."""
    op.drop_column("daemons", "mailboxes")
