"""Persons: their addresses with proofs and bounce scores, their secrets, the lists that they stand on, and how often an
address wrote to us and was answered.

An address is kept as it was written, its domain in lower case: domains ignore case, local parts need not (RFC 5321,
2.4). In practice hardly a provider tells Anna@ from anna@, and mail programs write either; so who is not known as
written is known as the one person, if there is just one, whose address differs in case alone.

Passwords are kept as salted scrypt hashes, never as they are. The kept text names its own parameters, so that they can
be raised later without asking anybody for a new password.

Counts are per address, kind and day. How patient we are with one sender reaches over weeks: a text that belongs to
`judge.service.trust.patience`, kept here so that neither a restart nor a second process makes us forget it.
"""

import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from string import ascii_lowercase, ascii_uppercase

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update

from judge.store.engine import sharing
from judge.store.errors import NoSuchRow
from judge.store.meta import STAMP, Touch, touch_of
from judge.store.rows import Address, Contact, Person, Standby, Subscription
from judge.store.sql import (
    SAFE,
    Late,
    Values,
    any_of,
    apart,
    build,
    build_all,
    facts,
    later,
    put,
    put_all,
    put_new,
    shape,
)
from judge.store.tables import (
    IndexedText,
    addresses,
    contact_counts,
    contacts,
    meta,
    patience,
    persons,
    secrets,
    standbys,
    subscriptions,
)

_PERSON = shape(Person, persons)
_ADDRESS = shape(Address, addresses)

_GET = select(*_PERSON).where(persons.c.id == bindparam("person_id"))
_THESE = select(*_PERSON).where(persons.c.id.in_(any_of("ids")))
_THESE_TO_CHANGE = _THESE.order_by(persons.c.id).with_for_update()
_OWNER = (
    select(*_PERSON)
    .join(addresses, addresses.c.person_id == persons.c.id)
    .where(addresses.c.address == bindparam("address"))
)
_PROVED = addresses.c.verified_at.is_not(None)
_FIND_ADDRESS = select(*_ADDRESS).where(addresses.c.address == bindparam("address"))
# SQLite folds ASCII only; what PostgreSQL folds besides is sorted out by `alike`.
_FOLDED = func.lower(bindparam("address", type_=IndexedText()))
_NEAR = select(addresses.c.address).where(func.lower(addresses.c.address) == _FOLDED).limit(9)
_IN_ORDER = select(*_ADDRESS).order_by(addresses.c.primary.desc(), addresses.c.added_at, addresses.c.address)
_ADDRESSES = _IN_ORDER.where(addresses.c.person_id == bindparam("person_id"))
_ADDRESSES_OF = _IN_ORDER.where(addresses.c.person_id.in_(any_of("ids")))
_SECRET = select(secrets.c.value).where(
    secrets.c.person_id == bindparam("person_id"), secrets.c.kind == bindparam("kind")
)
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_STAMP = select(meta.c.value).where(meta.c.key == STAMP)
_SAVE = update(persons).where(persons.c.id == bindparam("person_id"))
_SAVE_LOCKED = _SAVE.execution_options(**{SAFE: True})
_CHANGE_ADDRESS = update(addresses).where(addresses.c.address == bindparam("this"))


def normal(address: str) -> str:
    """The form under which an address is kept.

    >>> normal(" France@Players.TEST ")
    'France@players.test'
    """
    local, at, domain = address.strip().rpartition("@")
    return f"{local}{at}{folded(domain)}"


def alike(one: str, other: str) -> bool:
    """Whether two addresses differ in the case of ASCII letters at most, and so may stand for one mailbox.

    >>> alike("Anna@players.test", "anna@Players.test"), alike("stra\xdfe@players.test", "strasse@players.test")
    (True, False)
    """
    return folded(one) == folded(other)


def folded(address: str) -> str:
    """`address` with A to Z as small letters, and no others: what Unicode folds besides may be another mailbox."""
    return address.strip().translate(_SMALL)


class People:
    """Persons, their addresses and secrets."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def touch(self) -> Touch:
        """Whether this unit of work may have changed persons, addresses or seats; kept up to date."""
        return touch_of(self._connection)

    def stamp(self) -> str | None:
        """A word that changes with every change of persons, addresses or seats; None before the first."""
        found: str | None = self._connection.scalar(_STAMP)
        return found

    def get(self, person_id: int) -> Person:
        """The person with this number. Raises NoSuchRow."""
        person = build(Person, self._connection.execute(_GET, {"person_id": person_id}).first())
        if person is None:
            raise NoSuchRow("person", person_id)
        return person

    def get_all(self, person_ids: Collection[int], *, to_change: bool = False) -> dict[int, Person]:
        """Several persons by number; those that are not there are left out. `to_change`: nobody else changes them to
        the end of this transaction, so that it may save them though others write meanwhile.
        """
        ours = sharing(self._connection) if to_change else None
        if ours is not None:
            ours.persons |= set(person_ids)
        query = _THESE_TO_CHANGE if ours is not None else _THESE
        rows = self._connection.execute(query, {"ids": list(person_ids)})
        return {person.id: person for person in build_all(Person, rows)}

    def addresses_of(self, person_ids: Collection[int]) -> dict[int, tuple[Address, ...]]:
        """The addresses of several persons by number, each as `addresses` gives them."""
        found: dict[int, list[Address]] = {number: [] for number in person_ids}
        for address in build_all(Address, self._connection.execute(_ADDRESSES_OF, {"ids": list(person_ids)})):
            found[address.person_id].append(address)
        return {number: tuple(some) for number, some in found.items()}

    def by_address(self, address: str, *, verified: bool = False) -> Person | None:
        """Whose address this is; with `verified`, only if it was proved."""
        query = _OWNER.where(_PROVED) if verified else _OWNER
        found = build(Person, self._connection.execute(query, {"address": normal(address)}).first())
        if found is not None or (near := self._nearly(address)) is None:
            return found
        return build(Person, self._connection.execute(query, {"address": near}).first())

    def list(self, *, after_id: int = 0, limit: int = 100) -> tuple[Person, ...]:
        """Persons by number."""
        query = select(*_PERSON).where(persons.c.id > after_id).order_by(persons.c.id).limit(limit)
        return build_all(Person, self._connection.execute(query))

    def address(self, address: str) -> Address | None:
        """What is known about an address, None if nobody registered it."""
        found = build(Address, self._connection.execute(_FIND_ADDRESS, {"address": normal(address)}).first())
        if found is not None or (near := self._nearly(address)) is None:
            return found
        return build(Address, self._connection.execute(_FIND_ADDRESS, {"address": near}).first())

    def _nearly(self, address: str) -> str | None:
        """The one address kept that differs in case alone; None if there is none, or more than one."""
        found = self._connection.scalars(_NEAR, {"address": normal(address)})
        near = [kept for kept in found if alike(kept, address)]
        return near[0] if len(near) == 1 and near[0] != normal(address) else None

    def addresses(self, person_id: int) -> tuple[Address, ...]:
        """A person's addresses: the address of record first, the others as they were added."""
        return build_all(Address, self._connection.execute(_ADDRESSES, {"person_id": person_id}))

    def suspended(self, given: Iterable[str]) -> frozenset[str]:
        """Which of these addresses are suspended after bounces."""
        wanted = {normal(address) for address in given}
        query = select(addresses.c.address).where(
            addresses.c.suspended_at.is_not(None), addresses.c.address.in_(sorted(wanted))
        )
        return frozenset(self._connection.scalars(query))

    def count(self) -> int:
        """How many persons there are."""
        return self._connection.scalar(select(func.count()).select_from(persons)) or 0

    def secret(self, person_id: int, kind: str) -> str | None:
        """What is kept under this kind: a password's hash, a nonce. None if it was never set."""
        found: str | None = self._connection.scalar(_SECRET, {"person_id": person_id, "kind": kind})
        return found

    def add(self, name: str, *, zone: str, check_phrase: str, now: datetime, options: str = "{}") -> Person:
        """A new person, without an address yet."""
        values = {"name": name, "zone": zone, "check_phrase": check_phrase, "created_at": now, "options": options}
        key = self._connection.execute(insert(persons), values).inserted_primary_key
        assert key is not None
        return self.get(key[0])

    def save(self, person: Person) -> None:
        """Write a person's changed facts. Raises NoSuchRow."""
        self.save_all((person,))

    def save_all(self, changed: Sequence[Person]) -> None:
        """Write the changed facts of several persons. Raises NoSuchRow."""
        # The key itself is not set again: whatever refers to it would be looked through.
        rows = [{"person_id" if name == "id" else name: value for name, value in facts(p).items()} for p in changed]
        ours = sharing(self._connection)
        locked = ours is not None and ours.persons.issuperset(person.id for person in changed)
        save = _SAVE_LOCKED if locked else _SAVE
        if rows and self._connection.execute(save, rows).rowcount != len(rows):
            raise NoSuchRow("person", ", ".join(str(person.id) for person in changed))

    def add_address(
        self, person_id: int, address: str, now: datetime, *, verified: bool = False, primary: bool = False
    ) -> bool:
        """Register an address for a person. False if anybody has it registered already."""
        values = {
            "address": normal(address),
            "person_id": person_id,
            "verified_at": now if verified else None,
            "added_at": now,
        }
        added = put_new(self._connection, addresses, values)
        if added and primary:
            self.make_primary(address)
        return added

    def verify(self, address: str, now: datetime) -> bool:
        """The address is proved to be its person's. False if nobody registered it."""
        return self._change(address, verified_at=now)

    def make_primary(self, address: str) -> None:
        """Make this the address of record of its person. Raises NoSuchRow."""
        known = self.address(address)
        if known is None:
            raise NoSuchRow("address", address)
        others = update(addresses).where(addresses.c.person_id == known.person_id)
        self._connection.execute(others, {"primary": False})
        self._change(address, primary=True)

    def remove_address(self, address: str) -> bool:
        """Forget an address. False if nobody registered it."""
        query = delete(addresses).where(addresses.c.address == self._kept(address))
        return self._connection.execute(query).rowcount == 1

    def bounced(self, address: str, now: datetime, *, hard: bool) -> Address | None:
        """Count a bounce; returns the address with its scores, None if nobody registered it."""
        column = addresses.c.bounce_hard if hard else addresses.c.bounce_soft
        query = update(addresses).where(addresses.c.address == self._kept(address))
        self._connection.execute(query.values({column: column + 1, addresses.c.bounced_at: now}))
        return self.address(address)

    def delivered(self, address: str) -> None:
        """Reset the bounce scores and end a suspension: a mail from the address proves that it works."""
        self._change(address, bounce_soft=0, bounce_hard=0, bounced_at=None, suspended_at=None)

    def suspend(self, address: str, now: datetime) -> bool:
        """Send nothing to this address until it gives a sign of life. False if nobody registered it."""
        return self._change(address, suspended_at=now)

    def set_secret(self, person_id: int, kind: str, value: str, now: datetime) -> None:
        """Keep a secret (a password only as its hash), in place of any earlier one of its kind."""
        put(self._connection, secrets, {"person_id": person_id, "kind": kind, "value": value, "set_at": now})

    def drop_secret(self, person_id: int, kind: str) -> bool:
        """Forget a secret. False if there was none."""
        query = delete(secrets).where(secrets.c.person_id == person_id, secrets.c.kind == kind)
        return self._connection.execute(query).rowcount == 1

    def erase(self, person_id: int) -> None:
        """Forget a person with all addresses, secrets and lists; their seats stay, without an occupant. What was
        written goes by `Leftovers`.
        """
        self._connection.execute(delete(persons).where(persons.c.id == person_id))

    def _change(self, address: str, **values: object) -> bool:
        given = {**values, "this": self._kept(address)}
        return self._connection.execute(_CHANGE_ADDRESS, given).rowcount == 1

    def _kept(self, address: str) -> str:
        known = self.address(address)
        return normal(address) if known is None else known.address


_SUBSCRIPTION = shape(Subscription, subscriptions)
_STANDBY = shape(Standby, standbys)

ANY_GAME = ""


class Lists:
    """Who subscribed to what, and who stands by."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def subscribers(self, topic: str) -> tuple[Subscription, ...]:
        """Who gets a topic, the oldest subscription first."""
        query = select(*_SUBSCRIPTION).where(subscriptions.c.topic == topic)
        ordered = query.order_by(subscriptions.c.since, subscriptions.c.person_id)
        return build_all(Subscription, self._connection.execute(ordered))

    def subscriptions(self, person_id: int) -> tuple[Subscription, ...]:
        """What a person gets, by topic."""
        query = select(*_SUBSCRIPTION).where(subscriptions.c.person_id == person_id)
        return build_all(Subscription, self._connection.execute(query.order_by(subscriptions.c.topic)))

    def standbys(self, game: str) -> tuple[Standby, ...]:
        """Who would take a seat of this game: its own standbys first, then those for any game, first come first."""
        query = select(*_STANDBY).where(or_(standbys.c.game == game, standbys.c.game == ANY_GAME))
        ordered = query.order_by((standbys.c.game == ANY_GAME), standbys.c.since, standbys.c.person_id)
        return build_all(Standby, self._connection.execute(ordered))

    def subscribe(self, person_id: int, topic: str, now: datetime, *, options: str = "{}") -> None:
        """Put a person on a topic's list, or change the options they have there."""
        put(
            self._connection,
            subscriptions,
            {"person_id": person_id, "topic": topic, "since": now, "options": options},
        )

    def unsubscribe(self, person_id: int, topic: str) -> bool:
        """Take a person off a topic's list. False if they were not on it."""
        which = (subscriptions.c.person_id == person_id, subscriptions.c.topic == topic)
        return self._connection.execute(delete(subscriptions).where(*which)).rowcount == 1

    def stand_by(self, person_id: int, now: datetime, *, game: str = ANY_GAME, options: str = "{}") -> None:
        """Put a person on the standby list of a game, or of any game."""
        put(self._connection, standbys, {"person_id": person_id, "game": game, "since": now, "options": options})

    def stand_down(self, person_id: int, *, game: str = ANY_GAME) -> bool:
        """Take a person off a standby list. False if they were not on it."""
        which = (standbys.c.person_id == person_id, standbys.c.game == game)
        return self._connection.execute(delete(standbys).where(*which)).rowcount == 1


_SCRYPT_COST = 2**14
_SCRYPT_BLOCK = 8
_SCRYPT_LANES = 1
_SCRYPT_LENGTH = 32
_SCRYPT_MEMORY = 64 * 1024 * 1024


def hash_password(password: str, *, salt: bytes) -> str:
    """The text to keep for a password; give every password 16 fresh random bytes as its salt."""
    if len(salt) < 16:
        raise ValueError("a salt has at least 16 bytes")
    derived = _derive(password, salt, _SCRYPT_COST, _SCRYPT_BLOCK, _SCRYPT_LANES)
    return "$".join(("scrypt", str(_SCRYPT_COST), str(_SCRYPT_BLOCK), str(_SCRYPT_LANES), _text(salt), _text(derived)))


def check_password(password: str, kept: str) -> bool:
    """Whether this is the password that `kept` was made from; False as well for a kept text that is none.

    >>> check_password("copper heron", hash_password("copper heron", salt=bytes(16)))
    True
    >>> check_password("copper herring", hash_password("copper heron", salt=bytes(16)))
    False
    """
    try:
        scheme, cost, block, lanes, salt, derived = kept.split("$")
        if scheme != "scrypt":
            return False
        found = _derive(password, b64decode(salt), int(cost), int(block), int(lanes))
        return hmac.compare_digest(found, b64decode(derived))
    except ValueError:
        return False


def _derive(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    secret = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=block, p=lanes, maxmem=_SCRYPT_MEMORY, dklen=_SCRYPT_LENGTH)


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")


OF_MAILBOX = "base:"
"""Stands before the address of a mailbox under which letters to all its forms are counted."""

_CONTACT = shape(Contact, contacts)

_CHANGE = update(contacts).where(contacts.c.address == bindparam("this"))
_THIS_COUNT = and_(
    contact_counts.c.address == bindparam("whose"),
    contact_counts.c.kind == bindparam("what"),
    contact_counts.c.day == bindparam("when"),
)
_COUNT = select(contact_counts.c.count).where(_THIS_COUNT)
_COUNT_ONE_MORE = (
    update(contact_counts)
    .where(_THIS_COUNT, contact_counts.c.count < bindparam("up_to"))
    .values(count=contact_counts.c.count + 1)
)
_PATIENCES_OF = apart(select(patience.c.whom, patience.c.state).where(patience.c.whom.in_(any_of("many"))))
_PATIENCE = apart(select(patience.c.state).where(patience.c.whom == bindparam("with_whom")))


def _write_patience(connection: Connection, rows: Sequence[Values]) -> None:
    put_all(connection, patience, list({row["whom"]: row for row in rows}.values()))


_MOST = 2**31 - 1
"""The largest count: a column of whole numbers, and what is compared with it, holds no larger ones."""

_PATIENCES = Late(frozenset((patience,)), _write_patience)


class Contacts:
    """Who wrote to us, and how patient we are with them; what was read or written of our patience is remembered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._patience: dict[str, str] = {}

    def get(self, address: str) -> Contact | None:
        """What we know of an address, None if it never wrote."""
        query = select(*_CONTACT).where(contacts.c.address == normal(address))
        return build(Contact, self._connection.execute(query).first())

    def count(self, address: str, kind: str, day: date) -> int:
        """How often something of this kind was allowed to the address on this day."""
        return self._connection.scalar(_COUNT, _which(address, kind, day)) or 0

    def counts(self, address: str, kinds: Iterable[str], day: date) -> list[int]:
        """The counts of several kinds."""
        return [self.count(address, kind, day) for kind in kinds]

    def patience(self, whom: str) -> str:
        """What was kept by `be_patient`; "" if nothing was."""
        known = self._patience.get(normal(whom))
        if known is not None:
            return known
        return self._connection.scalar(_PATIENCE, {"with_whom": normal(whom)}) or ""

    def heard(self, address: str, now: datetime) -> None:
        """A mail came from this address."""
        address = normal(address)
        if not put_new(self._connection, contacts, {"address": address, "first_at": now, "last_at": now}):
            self._connection.execute(_CHANGE, {"last_at": now, "this": address})

    def allow(self, address: str, kind: str, day: date, limit: int) -> bool:
        """Count one more of this kind for the address and day, unless the limit is reached (False, not counted)."""
        if limit < 1:
            return False
        values = {"address": normal(address), "kind": kind, "day": day.isoformat(), "count": 1}
        if put_new(self._connection, contact_counts, values):
            return True
        which = {**_which(address, kind, day), "up_to": min(limit, _MOST)}
        return self._connection.execute(_COUNT_ONE_MORE, which).rowcount == 1

    def count_more(self, address: str, kinds: Iterable[str], day: date) -> None:
        """Count one more of each of several kinds, whatever their counts are."""
        for kind in kinds:
            self.allow(address, kind, day, _MOST)

    def foresee(self, whom: Collection[str]) -> None:
        """Read at once how patient we are with several, who will be asked for one by one."""
        names = [name for name in map(normal, whom) if name not in self._patience]
        if names:
            self._patience |= dict.fromkeys(names, "") | dict(
                self._connection.execute(_PATIENCES_OF, {"many": names}).all()
            )

    def be_patient(self, whom: str, state: str, now: datetime) -> None:
        """Keep how patient we are with an address or a person."""
        self._patience[normal(whom)] = state
        later(self._connection, _PATIENCES, {"whom": normal(whom), "state": state, "at": now})

    def forget(self) -> None:
        """Drop what is known here: part of the transaction was undone."""
        self._patience.clear()

    def forget_patience(self, before: datetime) -> int:
        """Throw away what has not changed since a moment; returns how many."""
        return self._connection.execute(delete(patience).where(patience.c.at < before)).rowcount

    def forget_silent(self, before: datetime) -> int:
        """Delete the addresses that have not written since a moment; returns how many."""
        return self._connection.execute(delete(contacts).where(contacts.c.last_at < before)).rowcount

    def forget_counts(self, before: date) -> int:
        """Throw away the counts of days gone by; returns how many."""
        query = delete(contact_counts).where(contact_counts.c.day < before.isoformat())
        return self._connection.execute(query).rowcount


def _which(address: str, kind: str, day: date) -> dict[str, object]:
    return {"whose": normal(address), "what": kind, "when": day.isoformat()}
