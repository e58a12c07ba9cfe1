"""Persons and what the judge keeps of them: enrolling, Gamemasters, their passwords, and the plain words of check
phrases.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from judge.game.core.commands import Refusal
from judge.languages import tell, together
from judge.mail.raw.addresses import read_address
from judge.pace import read_zone
from judge.service.core.judge import Judge
from judge.store import Transaction, View
from judge.store.people import check_password, hash_password
from judge.store.rows import Person

_FIRST = (
    "amber", "ashen", "autumn", "blue", "brave", "bright", "bronze", "calm", "cedar", "clear", "coral", "copper",
    "crimson", "dusky", "early", "fallow", "gentle", "gilded", "golden", "granite", "grey", "hazel", "hidden", "ivory",
    "jade", "late", "linen", "little", "lunar", "maple", "marble", "misty", "mossy", "northern", "oaken", "olive",
    "patient", "pearl", "plain", "proud", "quiet", "rapid", "russet", "rusty", "sandy", "scarlet", "silent", "silver",
    "slate", "solemn", "southern", "steady", "stone", "sunny", "swift", "tall", "tidal", "umber", "velvet", "violet",
    "warm", "western", "white", "winter",
)  # fmt: skip
_SECOND = (
    "anchor", "badger", "beacon", "bear", "bell", "bison", "bridge", "brook", "canal", "castle", "cedar", "cliff",
    "comet", "crane", "delta", "dove", "eagle", "ember", "falcon", "ferry", "finch", "forest", "fox", "garden",
    "gate", "glacier", "grove", "gull", "harbour", "hare", "harp", "heron", "hill", "island", "kestrel", "lake",
    "lantern", "lark", "lion", "lynx", "magpie", "meadow", "mill", "moor", "otter", "owl", "pine", "plover",
    "quail", "raven", "reed", "ridge", "river", "robin", "salmon", "spring", "stag", "swan", "tern", "thistle",
    "tower", "valley", "wharf", "wren",
)  # fmt: skip


def check_phrase(entropy: bytes) -> str:
    """The phrase that stands in every letter to one person, from three random bytes: "copper heron 41".

    >>> check_phrase(bytes(3))
    'amber anchor 10'
    """
    return f"{_FIRST[entropy[0] % 64]} {_SECOND[entropy[1] % 64]} {10 + entropy[2] % 90}"


def password(entropy: bytes) -> str:
    """A password of about 56 bits from eight random bytes, easy to type on a phone.

    >>> password(bytes(8))
    'amber-anchor-amber-anchor-00000000'
    """
    words = (_FIRST[entropy[0] % 64], _SECOND[entropy[1] % 64], _FIRST[entropy[2] % 64], _SECOND[entropy[3] % 64])
    return "-".join((*words, entropy[4:8].hex()))


PASSWORD = "password"


class GmExists(Exception):
    """The address belongs to a Gamemaster already; ask for a new password with --reset."""


@dataclass(frozen=True, slots=True)
class Added:
    """A new Gamemaster and the password that is shown once."""

    address: str
    password: str


def enrol(
    judge: Judge, unit: Transaction, address: str, *, name: str = "", called: str = "", zone: str = "", verified: bool
) -> Person:
    """The person behind an address, made if need be. An address that was known gains its proof.

    `name`: the one that was chosen for letters; `called`: the one in a From header, which serves while none was chosen,
    also instead of what others called somebody before that address was proved.
    """
    now = judge.clock.now()
    person = unit.people.by_address(address)
    if person is None:
        phrase, options = check_phrase(judge.entropy(3)), json.dumps({_CHOSEN: True} if name else {})
        first = name or called or address.partition("@")[0]
        person = unit.people.add(first, zone=zone, check_phrase=phrase, now=now, options=options)
        unit.people.add_address(person.id, address, now, verified=verified, primary=True)
        return unit.people.get(person.id)
    if verified and unit.people.by_address(address, verified=True) is None and called:
        person = replace(person, name=called)
        unit.people.save(person)
    if verified:
        unit.people.verify(address, now)
    if name or zone:
        person = replace(person, name=name or person.name, zone=zone or person.zone)
        person = _with_name(person) if name else person
        unit.people.save(person)
    return person if name or not called else name_by_header(unit, person, called)


_CHOSEN = "named"
"""The option that says of a person that their name was chosen."""


def _with_name(person: Person) -> Person:
    return replace(person, options=json.dumps(json.loads(person.options) | {_CHOSEN: True}))


def name_by_header(unit: Transaction, person: Person, called: str) -> Person:
    """A person whose name is but the beginning of an address, because they never chose one, is called what stands in
    the From header of their mail.
    """
    if not called or person.name == called or json.loads(person.options).get(_CHOSEN):
        return person
    beginnings = {row.address.partition("@")[0].lower() for row in unit.people.addresses(person.id)}
    if person.name.lower() not in beginnings:
        return person
    kept = unit.people.get_all((person.id,), to_change=True)[person.id]  # the row is ours now, whoever writes beside us
    person = replace(kept, name=called)
    unit.people.save(person)
    return person


def add_gm(judge: Judge, address: str, *, name: str = "", zone: str = "", reset: bool = False) -> Added:
    """Let an address create games. Raises ValueError for something that is no address, GmExists without `reset`."""
    plain = read_address(address)
    if plain is None:
        raise ValueError(f'"{address}" is not a mail address')
    word = password(judge.entropy(8))
    with judge.store.write() as unit:
        person = enrol(judge, unit, plain, name=name, zone=read_zone(zone) if zone else "", verified=True)
        if unit.people.secret(person.id, PASSWORD) is not None and not reset:
            raise GmExists(f"{plain} is a Gamemaster already; give a new password with --reset")
        unit.people.set_secret(person.id, PASSWORD, hash_password(word, salt=judge.entropy(16)), judge.clock.now())
        options = json.loads(person.options) | {"gm": True}
        unit.people.save(replace(unit.people.get(person.id), options=json.dumps(options)))
    return Added(plain, word)


def list_gms(judge: Judge) -> list[str]:
    """The addresses of everybody who may create games."""
    with judge.store.read() as view:
        people = view.people.list(limit=100_000)
        added = [view.people.addresses(p.id)[0].address for p in people if json.loads(p.options).get("gm")]
    return sorted({*added, *(address.lower() for address in judge.config.gms)})


def may_create(judge: Judge, view: View | Transaction, person: Person) -> bool:
    """Whether somebody may create games: on the operator's list, added by `judge gm add`, or everybody may."""
    if judge.config.open_creation or json.loads(person.options).get("gm"):
        return True
    own = {row.address for row in view.people.addresses(person.id)}
    return bool(own & {address.lower() for address in judge.config.gms})


def may_not_create(judge: Judge, *, tournament: bool = False) -> Refusal:
    """What somebody reads who may create no games, or no tournaments, and whom to ask."""
    only = (
        tell("Only Gamemasters known to this judge create tournaments.")
        if tournament
        else tell("Only Gamemasters known to this judge create games.")
    )
    whom = tell(
        "Its operator can make you one: write a line to {address}.", address=f"postmaster@{judge.config.domain}"
    )
    return Refusal(
        "may-not-create",
        together(only, whom),
    )


def right_password(view: View | Transaction, person: Person, word: str) -> bool:
    """Whether this is the person's password."""
    kept = view.people.secret(person.id, PASSWORD)
    return kept is not None and check_password(word, kept)
