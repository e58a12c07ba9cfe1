"""Accepts mails into the inbox: tells new ones from known ones and from those that only look alike.

A whole group is looked up and stored with a handful of statements, because a busy evening brings hundreds of mails
at once and each must be safe on the disk before its sender is told so.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, null, or_, select, union_all

from judge.store.engine import Key, Locks
from judge.store.rows import Duplicate, Mail, MailState, NewMail, Stored
from judge.store.sql import any_of
from judge.store.tables import inbox, mail_bytes, storable, storable_name

Receipt = Stored | Duplicate
Values = dict[str, Any]

# A new mail may be taken whatever the clock says: a step of the clock must not hide it.
AT_ONCE = datetime.min.replace(tzinfo=UTC)

# Bearers of a key or a content, and behind them, of each Message-ID, the first that bears it, in one statement.
_KNOWN = union_all(
    select(inbox.c.id, inbox.c.transport_key, inbox.c.content_hash, inbox.c.first_id, inbox.c.state, null()).where(
        or_(inbox.c.transport_key.in_(any_of("keys")), inbox.c.content_hash.in_(any_of("hashes")))
    ),
    select(func.min(inbox.c.id), null(), null(), null(), null(), inbox.c.message_id)
    .where(inbox.c.message_id.in_(any_of("message_ids")))
    .group_by(inbox.c.message_id),
)
_INSERT = insert(inbox)
_NUMBERS = select(inbox.c.transport_key, inbox.c.id).where(inbox.c.transport_key.in_(any_of("keys")))
_INSERT_BYTES = insert(mail_bytes).values(mail_id=bindparam("mail_id"), raw=bindparam("raw"))


@dataclass
class _FirstBearers:
    """Which mail was the first to carry a transport key, a content, a Message-ID."""

    keys: dict[str, int] = field(default_factory=dict)
    hashes: dict[str, int] = field(default_factory=dict)
    idle: set[int] = field(default_factory=set)
    """Those that have not acted so far: a copy of them may be better."""

    message_ids: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Taker:
    """Who takes new mails in hand the moment they are stored, with the first attempt counted, and until when."""

    owner: str
    until: datetime


Accepted = tuple[Receipt, Mail | None]
"""What a mail's sender is told, and the row of a mail that its taker has in hand now."""


def accept(connection: Connection, mails: Sequence[NewMail], taker: Taker | None = None) -> tuple[Accepted, ...]:
    """Store mails in their order, or recognise them. See `Inbox.put_all` and `Inbox.take_all`."""
    mails = [_as_kept(mail) for mail in mails]
    # Of two daemons that are handed the same mail at the same moment, the second looks when the first has stored it.
    Locks(connection).wait({mark for mail in mails for mark in _marks(mail)})
    accepted: list[Accepted] = []
    rest = list(mails)
    while rest:
        clear = _unrelated(rest)
        accepted += _accept_unrelated(connection, rest[:clear], taker)
        rest = rest[clear:]
    return tuple(accepted)


def _as_kept(mail: NewMail) -> NewMail:
    """The mail in the words that its row has, so that it is found by what it was stored under."""
    said = (mail.transport_key, mail.message_id, mail.envelope_from, mail.rcpts)
    kept = (
        storable_name(mail.transport_key),
        mail.message_id and storable_name(mail.message_id),
        storable(mail.envelope_from),
        tuple(map(storable, mail.rcpts)),
    )
    if kept == said:
        return mail
    return replace(mail, transport_key=kept[0], message_id=kept[1], envelope_from=kept[2], rcpts=kept[3])


def _unrelated(mails: Sequence[NewMail]) -> int:
    """How many of the first mails have nothing in common, so that they can be stored together."""
    seen: set[Key] = set()
    for count, mail in enumerate(mails):
        marks = _marks(mail)
        if seen & marks:
            return count
        seen |= marks
    return len(mails)


def _marks(mail: NewMail) -> set[Key]:
    """By what a mail is told from others."""
    marks = {("key", mail.transport_key)}
    marks |= {("hash", mail.content_hash)} if mail.content_hash else set()
    marks |= {("id", mail.message_id)} if mail.message_id else set()
    return marks


def _accept_unrelated(connection: Connection, mails: Sequence[NewMail], taker: Taker | None) -> list[Accepted]:
    known = _look_up(connection, mails)
    rows = {mail.transport_key: _values(mail, known, taker) for mail in mails if mail.transport_key not in known.keys}
    ids = _insert(connection, mails, rows)
    accepted: list[Accepted] = []
    for mail in mails:
        mail_id = ids.get(mail.transport_key)
        first_id = known.hashes.get(mail.content_hash or "")
        if mail_id is None:
            accepted.append((Duplicate(known.keys[mail.transport_key]), None))
        elif first_id is not None and first_id not in known.idle:
            accepted.append((Duplicate(first_id, mail_id), None))
        else:
            stored = Stored(mail_id, known.message_ids.get(mail.message_id or ""))
            accepted.append((stored, _row(mail_id, rows[mail.transport_key]) if taker else None))
    return accepted


def _look_up(connection: Connection, mails: Sequence[NewMail]) -> _FirstBearers:
    wanted = {
        "keys": [mail.transport_key for mail in mails],
        "hashes": [mail.content_hash for mail in mails if mail.content_hash],
        "message_ids": [mail.message_id for mail in mails if mail.message_id],
    }
    known = _FirstBearers()
    for mail_id, key, content_hash, first_id, state, message_id in connection.execute(_KNOWN, wanted):
        if message_id is not None:
            known.message_ids[message_id] = mail_id
            continue
        known.keys[key] = first_id or mail_id
        if content_hash is not None:
            known.hashes[content_hash] = mail_id
        if state in (MailState.HELD, MailState.IGNORED):
            known.idle.add(mail_id)
    return known


def _insert(connection: Connection, mails: Sequence[NewMail], rows: Mapping[str, Values]) -> dict[str, int]:
    """Store those mails that have a row; returns their numbers by transport key."""
    if not rows:
        return {}
    ids = _insert_rows(connection, rows)
    fresh = [{"mail_id": ids[mail.transport_key], "raw": mail.raw} for mail in mails if mail.transport_key in ids]
    connection.execute(_INSERT_BYTES, fresh)
    return ids


def _insert_rows(connection: Connection, rows: Mapping[str, Values]) -> dict[str, int]:
    """The numbers that new rows get. That of a single one comes with it; those of several cost one question more."""
    if len(rows) > 1:
        connection.execute(_INSERT, list(rows.values()))
        return dict(connection.execute(_NUMBERS, {"keys": list(rows)}).all())
    ((key, values),) = rows.items()
    row: Any = connection.execute(_INSERT, values).inserted_primary_key
    return {key: row[0]}


def _values(mail: NewMail, known: _FirstBearers, taker: Taker | None) -> Values:
    """The row of a new mail, without its number."""
    first_id = known.hashes.get(mail.content_hash or "")
    duplicate = first_id is not None
    acts = not duplicate or first_id in known.idle
    return {
        "source": mail.source,
        "transport_key": mail.transport_key,
        "content_hash": None if duplicate else mail.content_hash,
        "message_id": mail.message_id,
        "digest": hashlib.sha256(mail.raw).hexdigest(),
        "size": len(mail.raw),
        "envelope_from": mail.envelope_from,
        "rcpts": mail.rcpts,
        "peer": mail.peer,
        "received_at": mail.received_at,
        "arrived_at": mail.arrived_at or mail.received_at,
        "state": MailState.NEW if acts else MailState.DUPLICATE,
        "attempts": 1 if taker and acts else 0,
        "next_try": taker.until if taker and acts else AT_ONCE,
        "lease_owner": taker.owner if taker and acts else None,
        "game": mail.game,
        "seat": mail.seat,
        "first_id": first_id,
        "repeats_id": None if duplicate else known.message_ids.get(mail.message_id or ""),
    }


def _row(mail_id: int, values: Values) -> Mail:
    """The row as a query would bring it."""
    moments = {name: values[name].astimezone(UTC) for name in ("received_at", "arrived_at")}
    return Mail(mail_id, **{name: value for name, value in values.items() if name != "next_try"} | moments)
