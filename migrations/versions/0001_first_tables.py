"""The first tables: inbox, events, games, persons, letters.

Revision 0001, the ground. Moments are integers (microseconds since 1970 UTC).
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TABLES = (
    "inbox",
    "mail_bytes",
    "events",
    "snapshots",
    "games",
    "pictures",
    "meta",
    "persons",
    "addresses",
    "secrets",
    "seats",
    "subscriptions",
    "standbys",
    "contacts",
    "contact_counts",
    "letters",
    "letter_bytes",
    "deliveries",
)


def upgrade() -> None:
    _mail()
    _games()
    _people()
    _letters()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _mail() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("transport_key", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text()),
        sa.Column("message_id", sa.Text()),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("rcpts", sa.Text(), nullable=False),
        sa.Column("peer", sa.Text()),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("arrived_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_try", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.Text()),
        sa.Column("sender", sa.Text()),
        sa.Column("game", sa.Text()),
        sa.Column("seat", sa.Text()),
        sa.Column("confirm_key", sa.Text()),
        sa.Column("confirmed_at", sa.BigInteger()),
        sa.Column("first_id", ROW_ID),
        sa.Column("repeats_id", ROW_ID),
        sa.Column("waived", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("verdict", sa.Text()),
        sa.Column("traceback", sa.Text()),
        sa.Column("finished_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["first_id"], ["inbox.id"], name="fk_inbox_first_id_inbox"),
        sa.ForeignKeyConstraint(["repeats_id"], ["inbox.id"], name="fk_inbox_repeats_id_inbox"),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("confirm_key", name="uq_inbox_confirm_key"),
        sa.UniqueConstraint("content_hash", name="uq_inbox_content_hash"),
        sa.UniqueConstraint("transport_key", name="uq_inbox_transport_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbox_digest", "inbox", ["digest"])
    op.create_index("ix_inbox_message_id", "inbox", ["message_id"])
    op.create_index("ix_inbox_state_arrived_at", "inbox", ["state", "arrived_at"])
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"])
    op.create_table(
        "mail_bytes",
        sa.Column("mail_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["mail_id"], ["inbox.id"], name="fk_mail_bytes_mail_id_inbox", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("mail_id", name="pk_mail_bytes"),
    )


def _games() -> None:
    op.create_table(
        "events",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("mail_id", ROW_ID),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_events"),
    )
    op.create_table(
        "snapshots",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_snapshots"),
    )
    op.create_table(
        "games",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("map", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("phase", sa.Text()),
        sa.Column("next_due_at", sa.BigInteger()),
        sa.Column("seq", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_games"),
    )
    op.create_index("ix_games_next_due_at", "games", ["next_due_at"])
    op.create_index("ix_games_state", "games", ["state"])
    op.create_table(
        "pictures",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game", "phase", "kind", name="pk_pictures"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )


def _people() -> None:
    op.create_table(
        "persons",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("check_phrase", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("blocked_at", sa.BigInteger()),
        sa.Column("blocked_reason", sa.Text()),
        sa.Column("options", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "addresses",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("person_id", ROW_ID, nullable=False),
        sa.Column("primary", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("verified_at", sa.BigInteger()),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("bounce_soft", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("bounce_hard", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("bounced_at", sa.BigInteger()),
        sa.Column("suspended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name="fk_addresses_person_id_persons", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("address", name="pk_addresses"),
    )
    op.create_index("ix_addresses_person_id", "addresses", ["person_id"])
    op.create_table(
        "secrets",
        sa.Column("person_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_secrets_person_id_persons", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "kind", name="pk_secrets"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("person_id", ROW_ID),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_seats_person_id_persons", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seats"),
        sa.UniqueConstraint("nonce", name="uq_seats_nonce"),
    )
    op.create_index("ix_seats_person_id", "seats", ["person_id"])
    op.create_table(
        "subscriptions",
        sa.Column("person_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name="fk_subscriptions_person_id_persons", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "topic", name="pk_subscriptions"),
    )
    op.create_index("ix_subscriptions_topic", "subscriptions", ["topic"])
    op.create_table(
        "standbys",
        sa.Column("person_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name="fk_standbys_person_id_persons", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "game", name="pk_standbys"),
    )
    op.create_index("ix_standbys_game", "standbys", ["game"])
    op.create_table(
        "contacts",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("first_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("replied_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("address", name="pk_contacts"),
    )
    op.create_table(
        "contact_counts",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("address", "kind", "day", name="pk_contact_counts"),
    )


def _letters() -> None:
    op.create_table(
        "letters",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("idem_key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("view", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text()),
        sa.Column("seat", sa.Text()),
        sa.Column("person_id", ROW_ID),
        sa.Column("mail_id", ROW_ID),
        sa.Column("not_before", sa.BigInteger()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text()),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_try", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.Text()),
        sa.Column("error", sa.Text()),
        sa.ForeignKeyConstraint(["mail_id"], ["inbox.id"], name="fk_letters_mail_id_inbox"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name="fk_letters_person_id_persons", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
        sa.UniqueConstraint("idem_key", name="uq_letters_idem_key"),
        sa.UniqueConstraint("message_id", name="uq_letters_message_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_letters_game_kind", "letters", ["game", "kind"])
    op.create_index("ix_letters_state_id", "letters", ["state", "id"])
    op.create_table(
        "letter_bytes",
        sa.Column("letter_id", ROW_ID, autoincrement=False, nullable=False),
        sa.Column("mime", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letters.id"], name="fk_letter_bytes_letter_id_letters", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("letter_id", name="pk_letter_bytes"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("letter_id", ROW_ID, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_try", sa.BigInteger()),
        sa.Column("first_try", sa.BigInteger()),
        sa.Column("lease_owner", sa.Text()),
        sa.Column("done_at", sa.BigInteger()),
        sa.Column("last_code", sa.Integer()),
        sa.Column("last_text", sa.Text()),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letters.id"], name="fk_deliveries_letter_id_letters", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sa.UniqueConstraint("letter_id", "address", name="uq_deliveries_letter_id_address"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_deliveries_next_try", "deliveries", ["next_try"])
    op.create_index("ix_deliveries_state", "deliveries", ["state"])
