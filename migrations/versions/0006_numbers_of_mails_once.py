"""The number of a mail is given once, as those of letters and persons are: rebuilding the inbox had lost that.

Revision 0006. SQLite only: elsewhere sequences never go back.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    with op.batch_alter_table("inbox", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
        pass


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    inbox = sa.Table("inbox", sa.MetaData(), autoload_with=op.get_bind())
    inbox.dialect_options["sqlite"]["autoincrement"] = False
    with op.batch_alter_table("inbox", recreate="always", copy_from=inbox):
        pass
