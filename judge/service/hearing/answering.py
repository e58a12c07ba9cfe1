"""The receipt that answers a mail: its addressees, its size, and when none is sent."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from judge.game.core.decision import Status
from judge.game.core.parts import PERHAPS
from judge.report.core.letter import Letter
from judge.report.reply.doorstep import error
from judge.report.reply.headline import AuthorsSeat
from judge.report.reply.receipt import EchoRoom, answer_to_person, receipt
from judge.service.trust.authority import Proof
from judge.service.trust.patience import Answering, Sort, base_address, no_room, read, weigh, write
from judge.service.trust.reading import unread
from judge.service.trust.sitting import Sitting
from judge.store.rows import Person


def receipt_of(sitting: Sitting) -> Letter:
    """The receipt for a mail that was carried out."""
    person = sitting.speaker.acting
    asked = _asked_about(sitting)
    key = next(iter(sitting.changes), "") or asked or next((said.game for said in sitting.script.said if said.game), "")
    # A question about no game is answered as such; whatever else somebody who plays one game sends is about that game.
    game = sitting.game(key or sitting.speaker.game or ("" if sitting.enclosures else sitting.only_game()))
    actor = sitting.actor(game)
    reader = sitting.ledger.members[person.id if person else 0]
    before = sitting.changes[game.key].before if game is not None and game.key in sitting.changes else game
    if game is None or not actor.seat:
        return answer_to_person(
            reader, sitting.received, sitting.answers, office=sitting.house.office, game=game, before=before,
            unread=unread(sitting), enclosures=sitting.enclosures, address=sitting.envelope.from_address or "",
            room=room(sitting),
        )  # fmt: skip
    letter = receipt(
        game, actor.seat, reader, sitting.received, sitting.answers, office=sitting.house.office, before=before,
        unread=unread(sitting), enclosures=sitting.enclosures, others=_other_places(sitting, game.key),
        room=room(sitting),
    )  # fmt: skip
    # A deputy answers to the game's address: the Gamemaster's own is not for them.
    return replace(letter, reply_as="") if actor.deputy else letter


def _asked_about(sitting: Sitting) -> str:
    """The one game about which a mail of nothing but questions asks, whichever it was sent to; else ""."""
    games = {one.game for one in sitting.enclosures}
    only = len(games) == 1 and all(answer.enclosed for answer in sitting.answers)
    return games.pop() if only else ""


def room(sitting: Sitting) -> EchoRoom:
    """How long the answer may be: short, where nothing proves that its reader wrote to us."""
    bounds = sitting.house.config.bounds
    if sitting.proved:
        return EchoRoom(bounds.echoed_lines, bounds.answer_bytes)
    return EchoRoom(bounds.unproved_lines, bounds.unproved_bytes)


def _other_places(sitting: Sitting, first: str) -> list[AuthorsSeat]:
    """Further games for which the mail gave orders, and in which its author plays."""
    places = []
    for key in dict.fromkeys(answer.game for answer in sitting.answers if answer.verdicts):
        game = sitting.game(key)
        seat = game.seats.get(sitting.actor(game).seat) if game is not None and key != first else None
        if game is not None and seat is not None and seat.filled:
            places.append(AuthorsSeat(game, seat, sitting.changes[key].before if key in sitting.changes else game))
    return places


def with_last_word(sitting: Sitting, letter: Letter) -> Letter:
    """The answer, which says so where it is the last for a while: silence without a word looks like lost mail."""
    return closed_with(letter, _LAST) if sitting.last_answer else letter


def closed_with(letter: Letter, words: str) -> Letter:
    """A letter with a sentence at its end."""
    return replace(letter, view={**letter.view, "frame": {**letter.view["frame"], "last": words}})


_LAST = (
    "This is my last answer to you for now: people whom I do not know, and mails that nothing proves, get only a few "
    "answers a day. Answers to my letters from a player's own address are always heard."
)


def also_to(sitting: Sitting) -> str:
    """The receipt goes to the address of record, and to the one that the mail came from if it is the person's too."""
    speaker, person = sitting.speaker, sitting.speaker.acting
    same = person is not None and speaker.person is not None and speaker.person.id == person.id
    return speaker.address or "" if same and (speaker.proofs - {Proof.TOKEN}) else ""


def enough(sitting: Sitting) -> tuple[str, Letter | None]:
    """(why this mail gets no answer, "" if it gets one; a letter that says so, once in a while): its author had too
    many, or the same again and again.
    """
    sort = _sort_of(sitting)
    if not sitting.proved or sitting.speaker.acting is None:
        return _enough_outside(sitting, sort), None
    word = _weighed(sitting, sort, _whom(sitting))
    if word.answered:
        return "", None
    quiet = f"carried out, not answered: {word.why}"
    return quiet, _no_more(sitting, done=sort is Sort.DONE) if word.tell and sitting.speaker.acting else None


def _no_more(sitting: Sitting, *, done: bool) -> Letter:
    person = sitting.speaker.acting
    assert person is not None
    return error(
        sitting.received,
        sitting.house.office,
        member=sitting.ledger.members[person.id],
        wrong="So many mails came from you, or the same one so often, that I do not answer more of them for a while.",
        mend="Commands are still carried out, and orders that change anything get their receipt; "
        "send status later to see what is in force.",
        done=done,
    )


def _enough_outside(sitting: Sitting, sort: Sort) -> str:
    """To strangers, and to mails that nothing proves: so many a day, and fewer in the long run; each mail is silent
    with its reason.
    """
    address = _reader_of(sitting)
    if not sitting.proved:
        sort = Sort.UNPROVED if sort is Sort.ASKED else Sort.IDLE
    why = "not answered" if sitting.proved else "not proved, not answered"
    word = _weighed(sitting, sort, base_address(address) if sitting.speaker.person is None else address)
    sitting.last_answer = word.last
    if not word.answered:
        return f"{why}: {word.why}"
    spent = no_room(sitting, address)
    return f"{why}: {spent}" if spent else ""


def _weighed(sitting: Sitting, sort: Sort, whom: str) -> Answering:
    """What our patience with somebody says to this mail; it is a little less afterwards."""
    contacts = sitting.unit.contacts
    state, word = weigh(read(contacts.patience(whom)), sort, _words(sitting, sort), sitting.now)
    contacts.be_patient(whom, write(state), sitting.now)
    return word


def _reader_of(sitting: Sitting) -> str:
    """The address to which the answer goes."""
    person = sitting.speaker.acting
    return (sitting.ledger.members[person.id].address if person else "") or sitting.envelope.from_address or ""


def known_as(person: Person) -> str:
    """The name under which our patience with a person is kept."""
    return f"p{person.id}"


def _whom(sitting: Sitting) -> str:
    person = sitting.speaker.acting
    return known_as(person) if person else sitting.envelope.from_address or ""


def _sort_of(sitting: Sitting) -> Sort:
    taken = [fact for fact in sitting.commands if fact["status"] == Status.TAKEN]
    asked = [answer for answer in sitting.answers if answer.enclosed and answer.status is Status.TAKEN]
    if any(change.events for change in sitting.changes.values()) or len(asked) < len(taken):
        return Sort.DONE
    if taken:
        return Sort.ASKED
    meant = [unread for unread in sitting.script.unread if not unread.reason.startswith(PERHAPS)]
    failed = meant or any(fact["status"] == Status.REFUSED for fact in sitting.commands)
    return Sort.FAILED if failed else Sort.EMPTY


def _words(sitting: Sitting, sort: Sort) -> str:
    """A digest of what a mail says, by which its repetition is known: of questions, what is asked, whatever stands
    around it; of a mail that asks for nothing, its letters alone, for dates and numbers differ. The same orders for
    another turn are other orders, and they are the same whatever stands around them.
    """
    if any(answer.enclosed for answer in sitting.answers) and sort is not Sort.DONE:
        text = "\n".join(f"{fact['verb']} {fact['text']}" for fact in sitting.commands)
    elif sort is Sort.DONE:
        turns = (f"{key} {change.before.phase if change.before else None}" for key, change in sitting.changes.items())
        orders = [fact["order"] for fact in sitting.commands]
        said = orders if orders and all(orders) else [sitting.envelope.topic, sitting.envelope.own_text]
        text = "\n".join((*turns, *said))
    elif sort is Sort.FAILED:
        text = sitting.envelope.own_text
    else:
        text = "".join(filter(str.isalpha, sitting.envelope.own_text))
    plain = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return hashlib.blake2b(plain, digest_size=6, key=sitting.house.store.secret[:64]).hexdigest()
