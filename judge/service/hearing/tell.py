"""The stage `tell`: what a mail has done is written down, and everybody whom it concerns is told; its author by one
answer, unless there were too many.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from judge import languages
from judge.game.core.commands import Status
from judge.game.core.events import OrdersFiled
from judge.game.core.parts import PERHAPS, Sheet
from judge.game.table.substitutes import filed_by_proxy
from judge.mail.envelope import read_envelope
from judge.mail.queries import Query
from judge.mail.script.phrases.answers import SAID
from judge.mail.vocabulary.clauses import is_key
from judge.mail.vocabulary.sandbox import SHOWN_BOARD
from judge.report.core import naming
from judge.report.core.letter import Kind, Letter
from judge.report.mailing import filed_under
from judge.report.reply.receipt import AuthorsSeat, EchoRoom, answer_to_person, receipt
from judge.report.reply.unproved import error, stranger, told_stranger
from judge.service.core.keeper import GameChange
from judge.service.hearing.helping import enclose_help, weigh_offers
from judge.service.hearing.questions import enclose_list
from judge.service.people.dossiers import forget
from judge.service.posting.outgoing import post_letters
from judge.service.trust import consent
from judge.service.trust.heard import HeardMail, Taken
from judge.service.trust.lateness import count_on_time
from judge.service.trust.patience import Answering, Sort, base_address, known_as, no_room, read, weigh, write
from judge.service.trust.prove import Proof
from judge.service.trust.reading import lines_noted, unread
from judge.store.rows import Person

STRANGER_LETTERS = 1
"""Fixed letters that an unknown address gets in a day; answers to its questions are measured with them."""

FEW_ANSWERS = 3
"""Answers of a sentence each that one mail of an unknown address gets: whoever forges it shall not make us talk."""

_NO_NAMES = frozenset({"a", "the", "game", "to", "in", "me", "as", "up", "please"})
"""Words between such a verb and the name."""

_WANTS_A_GAME = frozenset({"join", "observe", "claim"})
"""Verbs that name a game. A stranger who uses them and is not asked to confirm has named one that is not there."""


def tell(heard: HeardMail) -> Taken:
    """What became of a mail that was carried out. Its events and every letter about it are written down."""
    if heard.stranger:
        return _answer_stranger(heard)
    on_time = count_on_time(heard)
    heard.done.remarks = f"{on_time} {' '.join(_remarks(heard))}".strip()
    if any(one.candidates for one in heard.script.unread) or any(answer.mend for answer in heard.done.answers):
        heard = weigh_offers(heard)
    reason = _answer(heard)
    if heard.done.questions:
        consent.ask(heard)
    if heard.done.forgotten:
        forget(heard.judge, heard.unit, heard.done.forgotten, heard.now)
    return Taken(
        "processed", reason, heard.done.commands, *lines_noted(heard), heard.done.letters, speaker=heard.speaker
    )


def write_events(heard: HeardMail) -> list[Letter]:
    """Write down what was changed in games; returns the letters to the author that this calls for, still unsent."""
    judge, unit, now, letters = heard.judge, heard.unit, heard.now, list[Letter]()
    writer = heard.speaker.acting.id if heard.speaker.acting is not None else 0
    for change in heard.done.changes.values():
        judge.keeper.save(unit, change, now, judge.entropy, mail_id=heard.mail.id)
        letters += post_letters(
            judge, unit, change, now, mail_id=heard.mail.id, noted=heard.done.letters, members=heard.ledger.members,
            writer=writer,
        )  # fmt: skip
    return letters


def _answer(heard: HeardMail) -> str:
    """Events, the letters they call for, and the receipt; returns why there is none, where there is none."""
    answers = write_events(heard)
    person = heard.speaker.acting
    whole = [letter for letter in answers if person is not None and letter.person == person.id]
    for letter in answers:
        heard.send(filed_under(letter, heard.received.message_id) if letter in whole else letter)
    if whole and len(heard.script.said) == 1 and not heard.script.unread:
        return ""
    if heard.done.questions and consent.nothing_else(heard):
        return ""  # the question is the answer
    allowed = _patience_with(heard)
    if allowed.notice is not None:
        heard.send(allowed.notice)
    if allowed.why_not:
        return allowed.why_not
    letter = _receipt_of(heard)
    if allowed.last:  # silence without a word looks like lost mail
        letter = _closed_with(letter, languages.tell(_LAST))
    if first := heard.consent.first_mail:  # what else stands beside the yes is answered, too
        letter = replace(letter, idem_key=f"{letter.idem_key}/{first}")
    heard.send(letter, also=_also_to(heard))
    return ""


def _receipt_of(heard: HeardMail) -> Letter:
    """The receipt for a mail that was carried out."""
    person = heard.speaker.acting
    asked = _asked_about(heard)
    key = (
        next(iter(heard.done.changes), "") or asked or next((said.game for said in heard.script.said if said.game), "")
    )
    # A question about no game is answered as such; whatever else somebody who plays one game sends is about that game.
    game = heard.game(key or heard.speaker.game or ("" if heard.done.enclosures else heard.only_game()))
    actor = heard.actor(game)
    reader = heard.ledger.members[person.id if person else 0]
    before = heard.done.changes[game.key].before if game is not None and game.key in heard.done.changes else game
    if game is None or not actor.seat:
        return answer_to_person(
            reader, heard.received, heard.done.answers, office=heard.judge.office, game=game, before=before,
            unread=unread(heard), enclosures=heard.done.enclosures, address=heard.envelope.from_address or "",
            room=_room(heard),
        )  # fmt: skip
    letter = receipt(
        game, actor.seat, reader, heard.received, heard.done.answers, office=heard.judge.office, before=before,
        unread=unread(heard), enclosures=heard.done.enclosures, others=_other_places(heard, game.key),
        room=_room(heard),
    )  # fmt: skip
    # A deputy answers to the game's address: the Gamemaster's own is not for them.
    return replace(letter, reply_as="") if actor.deputy else letter


def _asked_about(heard: HeardMail) -> str:
    """The one game about which a mail of nothing but questions asks, whichever it was sent to; else ""."""
    games = {one.game for one in heard.done.enclosures}
    only = len(games) == 1 and all(answer.enclosed for answer in heard.done.answers)
    return games.pop() if only else ""


def _room(heard: HeardMail) -> EchoRoom:
    """How long the answer may be: short, where nothing proves that its reader wrote to us."""
    bounds = heard.judge.config.bounds
    if heard.proved:
        return EchoRoom(bounds.echoed_lines, bounds.answer_bytes)
    return EchoRoom(bounds.unproved_lines, bounds.unproved_bytes)


def _other_places(heard: HeardMail, first: str) -> list[AuthorsSeat]:
    """Further games for which the mail gave orders, and in which its author plays."""
    places = []
    for key in dict.fromkeys(answer.game for answer in heard.done.answers if answer.verdicts):
        game = heard.game(key)
        seat = game.seats.get(heard.actor(game).seat) if game is not None and key != first else None
        if game is not None and seat is not None and seat.filled:
            places.append(
                AuthorsSeat(game, seat, heard.done.changes[key].before if key in heard.done.changes else game)
            )
    return places


def _closed_with(letter: Letter, words: str) -> Letter:
    """A letter with a sentence at its end."""
    return replace(letter, view={**letter.view, "frame": {**letter.view["frame"], "last": words}})


_LAST = languages.told_later(
    "This is my last answer to you for now: people whom I do not know, and mails that "
    "nothing proves, get only a few answers a day. Answers to my letters from a player's "
    "own address are always heard."
)


def _also_to(heard: HeardMail) -> str:
    """The receipt goes to the address of record, and to the one that the mail came from if it is the person's too."""
    speaker, person = heard.speaker, heard.speaker.acting
    same = person is not None and speaker.person is not None and speaker.person.id == person.id
    return speaker.address or "" if same and (speaker.proofs - {Proof.TOKEN}) else ""


@dataclass(frozen=True, slots=True)
class _AnswerAllowed:
    """Whether a mail is answered. `why_not`: why it is not, "" if it is; `last`: whether that answer is the last for a
    while; `notice`: a letter that says that no more come, once in a while.
    """

    why_not: str = ""
    last: bool = False
    notice: Letter | None = None


def _patience_with(heard: HeardMail) -> _AnswerAllowed:
    """Whether a mail is answered: its author had too many answers, or sent the same again and again."""
    sort, person = _sort_of(heard), heard.speaker.acting
    if not heard.proved or person is None:
        return _patience_outside(heard, sort)
    word = _weighed(heard, sort, known_as(person))
    if word.answered:
        return _AnswerAllowed()
    quiet = f"carried out, not answered: {word.why}"
    return _AnswerAllowed(quiet, notice=_no_more(heard, person, done=sort is Sort.DONE) if word.tell else None)


def _no_more(heard: HeardMail, person: Person, *, done: bool) -> Letter:
    return error(
        heard.received,
        heard.judge.office,
        member=heard.ledger.members[person.id],
        wrong=languages.tell(
            "So many mails came from you, or the same one so often, that I do not answer more of them for a while."
        ),
        mend=(
            languages.tell("Commands are still carried out; send status later to see what is in force.")
            if done
            else languages.tell(
                "Commands are still carried out, and orders get their receipt; send status later to "
                "see what is in force."
            )
        ),
        done=done,
    )


def _patience_outside(heard: HeardMail, sort: Sort) -> _AnswerAllowed:
    """To strangers, and to mails that nothing proves: so many a day, and fewer in the long run; each mail is silent
    with its reason.
    """
    person = heard.speaker.acting
    known = heard.ledger.members[person.id].address if person else ""
    address = known or heard.envelope.from_address or ""
    if not heard.proved:
        sort = Sort.UNPROVED if sort is Sort.ASKED else Sort.IDLE
    why = "not answered" if heard.proved else "not proved, not answered"
    word = _weighed(heard, sort, base_address(address) if heard.speaker.person is None else address)
    if not word.answered:
        return _AnswerAllowed(f"{why}: {word.why}")
    spent, last = no_room(heard, address)
    return _AnswerAllowed(f"{why}: {spent}" if spent else "", last=word.last or last)


def _weighed(heard: HeardMail, sort: Sort, whom: str) -> Answering:
    """What our patience with somebody says to this mail; it is a little less afterwards."""
    contacts = heard.unit.contacts
    state, word = weigh(read(contacts.patience(whom)), sort, _words(heard, sort), heard.now)
    contacts.be_patient(whom, write(state), heard.now)
    return word


def _sort_of(heard: HeardMail) -> Sort:
    taken = [fact for fact in heard.done.commands if fact["status"] == Status.TAKEN]
    asked = [answer for answer in heard.done.answers if answer.enclosed and answer.status is Status.TAKEN]
    if any(change.events for change in heard.done.changes.values()) or len(asked) < len(taken):
        return Sort.DONE
    if taken:
        return Sort.ASKED
    meant = [unread for unread in heard.script.unread if not unread.reason.startswith(PERHAPS)]
    failed = meant or any(fact["status"] == Status.REFUSED for fact in heard.done.commands)
    return Sort.FAILED if failed else Sort.EMPTY


def _words(heard: HeardMail, sort: Sort) -> str:
    """A digest of what a mail says, by which its repetition is known: of questions, what is asked, whatever stands
    around it; of a mail that asks for nothing, its letters alone, for dates and numbers differ. The same orders for
    another turn are other orders, and they are the same whatever stands around them.
    """
    if any(answer.enclosed for answer in heard.done.answers) and sort is not Sort.DONE:
        text = "\n".join(f"{fact['verb']} {fact['text']}" for fact in heard.done.commands)
    elif sort is Sort.DONE:
        turns = (
            f"{key} {change.before.phase if change.before else None}" for key, change in heard.done.changes.items()
        )
        orders = [fact["order"] for fact in heard.done.commands]
        said = orders if orders and all(orders) else [heard.envelope.topic, heard.envelope.own_text]
        text = "\n".join((*turns, *said))
    elif sort is Sort.FAILED:
        text = heard.envelope.own_text
    else:
        text = "".join(filter(str.isalpha, heard.envelope.own_text))
    plain = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return hashlib.blake2b(plain, digest_size=6, key=heard.judge.store.secret[:64]).hexdigest()


# --- strangers ------------------------------------------------------------------------------------------------------


def _answer_stranger(heard: HeardMail) -> Taken:
    """Somebody we do not know: a question is answered, a wish to join what is not there, and a question that names no
    game, by the list of what is; everything else gets one fixed letter a day. Whoever answers that letter
    in words that are not ours is a person who wants something, and is shown what can be asked.
    """
    answers = _public_answers(heard)
    if not heard.done.enclosures and not answers:
        _enclose_what_may_help(heard)
    address, today = heard.envelope.from_address or "", heard.now.date()
    mailbox, in_sentences = base_address(address), " ".join(answers[:FEW_ANSWERS])
    plain = not heard.done.enclosures and not answers
    if plain and not heard.unit.contacts.allow(mailbox, "stranger", today, STRANGER_LETTERS):
        why = "an unknown address had its stranger letter today"
        return Taken("ignored", why, heard.done.commands, *lines_noted(heard))
    allowed = _patience_with(heard)
    if allowed.why_not:
        return Taken("ignored", allowed.why_not, heard.done.commands, *lines_noted(heard))
    office, closing = heard.judge.office, list[str]()
    if heard.done.enclosures:
        closing.append(in_sentences)
        known, asked = heard.ledger.members[0], heard.done.enclosures[0].game
        letter = answer_to_person(
            known, heard.received, (), office=office, enclosures=heard.done.enclosures[:1], address=address,
            game=heard.game(asked) if asked else None, room=_room(heard),
        )  # fmt: skip
    elif answers:
        letter = told_stranger(address, heard.received, office, told=in_sentences)
    else:
        told, declines = _told(heard)
        letter = stranger(address, heard.received, office, day=today.isoformat(), told=told, declines=declines)
    if len(heard.done.enclosures) > 1:
        closing.append(languages.tell(_ONE_AT_A_TIME))
    elif len(answers) > FEW_ANSWERS:
        closing.append(languages.tell(_A_FEW_AT_A_TIME))
    if allowed.last:
        closing.append(languages.tell(_LAST))
    words = " ".join(filter(None, closing))
    heard.send(_closed_with(letter, words) if words else letter)
    return Taken("processed", "a stranger's mail", heard.done.commands, *lines_noted(heard), heard.done.letters)


def _public_answers(heard: HeardMail) -> list[str]:
    """The sentences that answer questions of a mail which everybody may ask."""
    asked = {said.lines[0] for said in heard.script.said if isinstance(said.request, Query) and said.request.public}
    found = (fact for fact in heard.done.commands if fact["line"] in asked and fact["status"] == Status.TAKEN)
    return [fact["reason"] for fact in found if fact["reason"]]


def _told(heard: HeardMail) -> tuple[str, bool]:
    """What is said to a mail that is answered by the fixed letter, in a sentence of ours that repeats nothing of it;
    and whether its author wants no more of us.
    """
    script = heard.script
    wishes = [one for one in script.unread if one.reason in ("perhaps-told", "perhaps-line")]
    leaves = any(line.startswith("unobserve ") for one in wishes for line in one.candidates)
    declines = any(one.verb == "no" for one in script.said) or any(
        one.sentence == languages.tell(SAID["invitations"]) for one in wishes
    )
    if leaves or declines:
        return languages.tell(SAID["invitations"]), True
    lines = [line for one in wishes for line in one.candidates if line.isalpha()]
    if lines:
        return languages.tell(
            "What you want may be this line; send it in answer to this letter: {lines}", lines=lines[0]
        ), False
    return next((one.sentence for one in wishes if not one.candidates), ""), False


_ONE_AT_A_TIME = languages.told_later(
    "Of several questions from an address that I do not know I answer the first; ask the "
    "others in mails of their own, or write `register` and ask what you like."
)
_A_FEW_AT_A_TIME = languages.told_later(
    "Of so many questions from an address that I do not know I answer the first few; ask "
    "the others in mails of their own, or write `register` and ask what you like."
)


def _enclose_what_may_help(heard: HeardMail) -> None:
    script = heard.script
    lost = {unread.verb for unread in script.unread if unread.reason == "which-game"}
    lost |= {answer.verb for answer in heard.done.answers if answer.slug == "which-game"}
    if "house rules" in lost:  # before they know a game, people mean the rules of Diplomacy
        enclose_help(heard, "diplomacy")
    elif lost or _WANTS_A_GAME & {*(one.verb for one in script.said), *(one.verb for one in script.unread)}:
        enclose_list(heard, _missing(heard), unfiled=_brought_orders(heard))
    elif heard.letter.kind == Kind.SHOWN:
        enclose_help(heard, SHOWN_BOARD)
    elif heard.letter.kind or any(answer.slug == "who" for answer in heard.done.answers):
        enclose_help(heard)


def _brought_orders(heard: HeardMail) -> bool:
    """Whether there are orders in the mail, which are for no game: they stand behind no verb."""
    return any(unread.reason == "which-game" and not unread.verb for unread in heard.script.unread)


def _missing(heard: HeardMail) -> str:
    """The name of the game that a stranger wants to join and that is not there; "" where it has not the form of one.
    Nothing else of their mail is repeated.
    """
    script = heard.script
    named = [str(getattr(one.request, "game", "")) or one.game for one in script.said if one.verb in _WANTS_A_GAME]
    named += [word for one in script.unread if one.verb in _WANTS_A_GAME for word in one.text.split()[1:]]
    names = (word.strip("[]?#\"'.,!").lower() for word in named)
    return next((name for name in names if is_key(name) and name not in _NO_NAMES and not heard.game(name)), "")


# --- what the reader of a receipt must see first --------------------------------------------------------------------


def _remarks(heard: HeardMail) -> Iterator[str]:
    """That a mail came another way than usual, or in another order, in finished sentences. Arrival decides which orders
    are in force, never the Date that a mail claims; but a mail that was written before the one whose orders it replaces
    was probably overtaken, and its author must know.
    """
    yield from _address(heard)
    yield from _repetition(heard)
    yield from _overtaking(heard)


def _address(heard: HeardMail) -> Iterator[str]:
    """The person of record is told at once of what is done in their name from elsewhere."""
    speaker, person = heard.speaker, heard.speaker.acting
    if person is None:
        return
    if speaker.person is None or speaker.person.id != person.id:
        yield languages.tell("This came from an address that is not on file for you.")
    elif speaker.address and speaker.address != heard.ledger.members[person.id].address:
        yield languages.tell(
            "This came from {address}, which is on file for you, but is not where I write to.", address=speaker.address
        )


def _repetition(heard: HeardMail) -> Iterator[str]:
    if heard.mail.repeats_id is not None:
        yield (
            languages.tell(
                "It bears the Message-ID of mail {repeats_id}, but says something else: I took it as "
                "a new mail. If you did not write it, tell the Gamemaster.",
                repeats_id=heard.mail.repeats_id,
            )
        )


def _overtaking(heard: HeardMail) -> Iterator[str]:
    if heard.lateness.comes_late:
        return  # it counts from its own arrival, and its receipt names the lines that came too late
    claimed, dates = heard.envelope.date_claimed, heard.judge.dates
    for change in heard.done.changes.values():
        filed = [event for event in change.events if isinstance(event, OrdersFiled)]
        own = [event for event in filed if not filed_by_proxy(change.after, event)]  # others' mail is no news of theirs
        for power in dict.fromkeys(event.power for event in own):
            before = change.before.sheets.get(power) if change.before else None
            after = change.after.sheets.get(power)
            if after is None or claimed is None:
                continue
            dates.keep(after.mail, claimed)
            yield from _delayed(change, claimed)
            if before is not None and before.phase == after.phase and before.number != after.number:
                yield from _overtaken(heard, change, before, after, claimed)


def _delayed(change: GameChange, claimed: datetime) -> Iterator[str]:
    """A mail that was under way while a turn was processed: arrival decides, but its author thinks otherwise."""
    game = change.before
    if game is None or not game.played or game.turn_opened_at is None or claimed >= game.turn_opened_at:
        return
    phase = (
        change.after.calendar.title(change.after.phase) if change.after.phase else languages.tell("the present turn")
    )
    yield (
        languages.tell(
            "You wrote this on {received}, before the last results went out, and it came after "
            "them: I took it for {phase}. If that is not what you meant, `undo`.",
            received=naming.received(claimed, game.settings.zone),
            phase=phase,
        )
    )


def _overtaken(heard: HeardMail, change: GameChange, before: Sheet, after: Sheet, claimed: datetime) -> Iterator[str]:
    earlier = _written(heard, before)
    if earlier is None or claimed >= earlier:
        return
    zone = change.after.settings.zone
    yield (
        languages.tell(
            "You wrote this on {received}, before the mail that filed set {before} ({received2}), "
            "but it came after it. What comes last counts: set {after} is in force. If set "
            "{before} should stand, send it again.",
            received=naming.received(claimed, zone),
            before=before.number,
            received2=naming.received(earlier, zone),
            after=after.number,
        )
    )


def _written(heard: HeardMail, sheet: Sheet) -> datetime | None:
    """When the mail that filed a set says that it was written."""
    dates = heard.judge.dates
    if sheet.mail not in dates:
        mail = heard.unit.inbox.by_reference(sheet.mail)
        raw = heard.unit.inbox.raw(mail.id) if mail else None
        if raw is None or mail is None:
            return None
        claimed = read_envelope(raw, mail.received_at).date_claimed
        if claimed is None:
            return None
        dates.keep(sheet.mail, claimed)
    return dates.get(sheet.mail)
