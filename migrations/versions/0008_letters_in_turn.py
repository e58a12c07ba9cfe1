"""Which letters are to be composed next is answered by an index alone, however many wait and however long they are.

Revision 0008, on 0007.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The new index begins as the one did that it replaces."""
    op.drop_index("ix_letters_state_id", "letters")
    op.create_index("ix_letters_state_next_try_kind_mail_id", "letters", ["state", "next_try", "kind", "mail_id"])


def downgrade() -> None:
    """The old index again."""
    op.drop_index("ix_letters_state_next_try_kind_mail_id", "letters")
    op.create_index("ix_letters_state_id", "letters", ["state", "id"])
