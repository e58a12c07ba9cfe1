"""All that the judge keeps about one person: to look at (`my account`), to hand to them as files (`my data`, to their
address of record and to no other), and to erase.

Erasing leaves games intact: the log keeps numbers and moves, and no name or address. Who still plays, or runs a game,
is erased only after their place is somebody else's, or vacant. At once goes what the judge knows of them, and once
their last letter has gone all that was written: what is still on its way or unsettled keeps only itself, and the sweep
comes by again every day until nothing is left.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from judge.game.core.commands import GM_SEAT, Actor, Context, Decision, Refusal, Role, Vacate
from judge.game.core.model import Game, Stage
from judge.game.decide import decide
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.account import MyData
from judge.mail.vocabulary.reading import MyAccount
from judge.report.core.letter import Kind, seat_title
from judge.report.reply.account import AccountView, AddressFact, account_enclosure, dossier_letter
from judge.service.core.directory import errands_of, record_of, topic_of
from judge.service.core.judge import Judge, all_subjects
from judge.service.core.keeper import GameChange
from judge.service.core.persons import PASSWORD
from judge.service.people.participants import edited, taken_off
from judge.service.posting.outgoing import DIGEST, QUEUE, formats_of, post_letters, put
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import Transaction, View
from judge.store.leftovers import Trail
from judge.store.rows import Person

Json = dict[str, object]


class NobodyKnown(Exception):
    """No person has this address; the message says so."""


class StillWanted(Exception):
    """A person cannot be erased yet; the message names each game and what to do about it."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What was done: the games whose seats fell vacant for it."""

    person: int
    left: tuple[str, ...]


def dossier(judge: Judge, address: str) -> Json:
    """What is kept of the person behind an address, without bytes of mails. Raises NobodyKnown."""
    with judge.store.read() as view:
        return _dossier(judge, view, _person(view, address))


def packed(judge: Judge, address: str) -> bytes:
    """The same with every mail and letter, as a ZIP file for the person. Raises NobodyKnown."""
    with judge.store.read() as view:
        return pack(judge, view, _person(view, address)).data


@dataclass(frozen=True, slots=True)
class Pack:
    """A ZIP file, how many mails and letters are in it, and how many found no room."""

    data: bytes
    mails: int
    letters: int
    left_out: int


def pack(judge: Judge, view: View, person: Person, *, most: int | None = None) -> Pack:
    """All that is kept about a person as a ZIP file of `most` bytes, about: the newest are kept. What has been handed
    out before is not in it once more.
    """
    target, counts, left_out = io.BytesIO(), {"from-you": 0, "to-you": 0}, 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as files:
        facts = _dossier(judge, view, person)
        files.writestr("person.json", json.dumps(facts, ensure_ascii=False, indent=1, default=str) + "\n")
        for folder, number in _newest_first(view, person):
            data = view.inbox.raw(number) if folder == "from-you" else view.letters.mime(number)
            if not data:
                continue
            if most is not None and target.tell() + len(data) > most:
                left_out += 1
                continue
            files.writestr(f"{folder}/{number}.eml", data)
            counts[folder] += 1
    return Pack(target.getvalue(), counts["from-you"], counts["to-you"], left_out)


def _newest_first(view: View, person: Person) -> list[tuple[str, int]]:
    """Folder and number of every letter and mail, in turn."""
    letters = sorted(row.id for row in view.letters.list(person_id=person.id, limit=_ALL) if row.kind != Kind.DOSSIER)
    mails = sorted(view.inbox.numbers_from(_addresses(view, person)))
    both = zip_longest(reversed(mails), reversed(letters))
    pairs = [(("from-you", mail), ("to-you", letter)) for mail, letter in both]
    return [(folder, number) for pair in pairs for folder, number in pair if number is not None]


def erase(judge: Judge, address: str, *, leave_games: bool = False) -> Erased:
    """Erase a person. With `leave_games` their seats fall vacant first, and every table is told. What they wrote and
    read is cleared away as far as it is settled, and the rest within a day. Raises NobodyKnown, StillWanted.
    """
    now = judge.clock.now()
    changes: list[GameChange] = []
    with judge.store.write() as unit:
        person = _person(unit, address)
        games = _games(judge, unit, person)
        if in_the_way := _in_the_way(person, games, leave_games=leave_games):
            raise StillWanted("\n".join(in_the_way))
        for game in games:
            changes.append(change := GameChange(game, game))
            command = Vacate("", "the player is gone", _seat_of(game, person))
            decision = decide(game, command, Context(Actor(Role.OPERATOR), now, judge.lot, judge.shelf))
            if isinstance(decision, Refusal):
                raise StillWanted(f"{game.key}: {decision.sentence}")
            judge.keeper.apply(change, decision.events)
            judge.keeper.save(unit, change, now, judge.entropy)
            post_letters(judge, unit, change, now)
        for change in taken_off(judge, unit, person.id):
            changes.append(change)
            judge.keeper.save(unit, change, now, judge.entropy)
            post_letters(judge, unit, change, now)
        forget(judge, unit, person.id, now)
        trails = left_behind(unit)
    for change in changes:
        judge.keeper.settle(change)
    clear_away(judge, trails)
    return Erased(person.id, tuple(game.key for game in games))


_ALL = 1_000_000


def _person(view: View, address: str) -> Person:
    person = view.people.by_address(address)
    if person is None:
        raise NobodyKnown(f"nobody here has the address {address}; it may be forgotten already, or be spelt otherwise")
    return person


def _addresses(view: View, person: Person) -> list[str]:
    return [row.address for row in view.people.addresses(person.id)]


def _games(judge: Judge, view: View, person: Person) -> list[Game]:
    """The games that are not over in which somebody plays, or which they run; practice games are nobody else's."""
    found = (judge.keeper.load(view, seat.game) for seat in view.games.seats_of(person.id))
    return [game for game in found if game and game.stage is not Stage.ENDED and game.practice is None]


def _seat_of(game: Game, person: Person) -> str:
    seat = game.seat_held_by(person.id)
    return seat.id if seat is not None else ""


def _in_the_way(person: Person, games: Sequence[Game], *, leave_games: bool) -> list[str]:
    lines = []
    for game in games:
        if game.gm == person.id:
            lines.append(f"they run {game.key}; give it to somebody else first: judge game adopt {game.key} ADDRESS")
        elif not leave_games:
            lines.append(f"they play in {game.key}; to vacate their seat with it: judge person erase --leave-games")
    return lines


def _dossier(judge: Judge, view: View, person: Person) -> Json:
    options = json.loads(person.options)
    return {
        "person": person.id,
        "name": person.name,
        "zone": person.zone,
        "check_phrase": person.check_phrase,
        "known_since": person.created_at.isoformat(),
        "password": view.people.secret(person.id, PASSWORD) is not None,
        "may_create_games": bool(options.get("gm")),
        "record": str(record_of(person)),
        "settings": {name: value for name, value in options.items() if name not in ("gm", "record")},
        "addresses": [
            {
                "address": row.address,
                "of_record": row.primary,
                "proved_at": row.verified_at.isoformat() if row.verified_at else None,
                "bounces": row.bounce_soft + row.bounce_hard,
                "suspended_at": row.suspended_at.isoformat() if row.suspended_at else None,
            }
            for row in view.people.addresses(person.id)
        ],
        "subscriptions": [row.topic for row in view.lists.subscriptions(person.id)],
        "games": [_place(judge, view, seat.game, seat.seat) for seat in view.games.seats_of(person.id)],
        "editor_of": edited(judge, view, person.id),
        "zines": [{"zine": row.zine, "as": row.role, "chapter": row.chapter} for row in view.zines.offices(person.id)],
        "sent_in": [
            {"item": row.id, "zine": row.zine, "kind": row.kind, "title": row.title, "text": row.body}
            for row in view.zines.items_of(person.id)
        ],
        "mails": len(view.inbox.numbers_from(_addresses(view, person))),
        "letters": len(view.letters.list(person_id=person.id, limit=_ALL)),
    }


def _place(judge: Judge, view: View, key: str, seat: str) -> Json:
    game = judge.keeper.load(view, key)
    if game is None:
        return {"game": key, "as": seat, "stage": "gone"}
    powers = ", ".join(game.seats[seat].powers) if seat in game.seats else ""
    return {"game": key, "as": "Gamemaster" if seat == GM_SEAT else powers or f"seat {seat}", "stage": str(game.stage)}


@answers
def my_account(heard: HeardMail, said: ReadRequest, _: MyAccount) -> Result:
    """What is on file, and what changes it."""
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    view = heard.unit
    row = view.people.get(person.id)
    form = formats_of(view, (person.id,))[person.id]
    edits = edited(heard.judge, view, person.id)
    topics = [one.topic for one in view.lists.subscriptions(person.id)]
    account = AccountView(
        name=row.name,
        zone=row.zone,
        addresses=tuple(
            AddressFact(one.address, one.primary, one.verified_at is not None, one.suspended_at is not None)
            for one in view.people.addresses(person.id)
        ),
        password=view.people.secret(person.id, PASSWORD) is not None,
        reminders=bool(json.loads(row.options).get("reminders", True)),
        page=form.page,
        pictures=form.pictures,
        calendar=form.calendar,
        plays=_plays(heard, person.id),
        observes=tuple(key for key in _after(topic_of(""), topics) if key not in edits),
        edits=tuple(edits),
        digest=DIGEST in topics,
        queues=_after(QUEUE, topics),
        zines=tuple(line for subject in all_subjects() for line in subject.places(view, person.id)),
    )
    heard.enclose(account_enclosure(account))
    return Decision()


def _plays(heard: HeardMail, person: int) -> tuple[tuple[str, str], ...]:
    return tuple((seat_title(game, seat), game.key) for game, seat in heard.games_of(person) if game.ending is None)


def _after(prefix: str, topics: list[str]) -> tuple[str, ...]:
    return tuple(topic.removeprefix(prefix) for topic in topics if topic.startswith(prefix))


LARGEST = 6_000_000
"""Bytes of the file: in Base64 some 8 MB, which every large provider takes."""


@answers
def my_data(heard: HeardMail, said: ReadRequest, _: MyData) -> Result:
    """The file, in a letter of its own."""
    person = heard.speaker.acting
    if person is None:
        return Refusal("who", tell("I do not know you, so nothing is kept about you."), mend="register")
    member = heard.ledger.members[person.id]
    if not member.address:
        return Refusal("no-address", tell("You have no address of record to which it could go."), mend="my account")
    day = heard.now.date()
    if not heard.unit.contacts.allow(f"person:{person.id}", "my-data", day, 1):
        return Refusal(
            "enough-today", tell("I have sent it today; you can have it once a day (UTC). Ask again tomorrow.")
        )
    found = pack(heard.judge, heard.unit, heard.unit.people.get(person.id), most=LARGEST)
    letter = dossier_letter(
        member, heard.judge.office, found.data,
        mails=found.mails, letters=found.letters, left_out=found.left_out, day=day.isoformat(),
    )  # fmt: skip
    put(heard.judge, heard.unit, letter, heard.now, mail_id=heard.mail.id, noted=heard.done.letters)
    return Decision(
        said=tell("All that is kept about you goes to your address of record, as a file in a letter of its own.")
    )


_TRAIL = "forgotten."
"""Prefix of the settings that remember whose remains are to be cleared away, by the number of the person."""


def forget(judge: Judge, unit: Transaction, person: int, now: datetime) -> None:
    """Erase a person whose last letter is written, and remember what to clear away when it has gone."""
    trail = unit.leftovers.trail(person, now)
    if trail is None:
        return
    for subject in all_subjects():
        if subject.forgotten is not None:
            subject.forgotten(judge, unit, person)
    for key in errands_of(unit, person):
        unit.meta.unset(key)
    unit.meta.set(f"{_TRAIL}{person}", _written(trail))
    unit.people.erase(person)


def left_behind(view: View) -> tuple[str, ...]:
    """The settings that remember what forgotten persons left."""
    return tuple(view.meta.all(_TRAIL))


def clear_away(judge: Judge, trails: Sequence[str]) -> None:
    """Clear away what forgotten persons left, as far as it is settled."""
    for key in trails:
        with judge.store.write() as unit:
            kept = unit.meta.get(key)
            if kept is not None and unit.leftovers.clear(_read(kept)):
                unit.meta.unset(key)


def _written(trail: Trail) -> str:
    return json.dumps(
        {
            "addresses": trail.addresses,
            "since": trail.known_since.isoformat(),
            "at": trail.forgotten_at.isoformat(),
            "mail": trail.last_mail,
            "letter": trail.last_letter,
        }
    )


def _read(kept: str) -> Trail:
    facts = json.loads(kept)
    since, at = datetime.fromisoformat(facts["since"]), datetime.fromisoformat(facts["at"])
    return Trail(tuple(facts["addresses"]), since, at, int(facts["mail"]), int(facts["letter"]))
