"""A player's own mails: press and letters of a game to be read again or searched, and as what a line of a mail was
read, by whom, and what came of it (`why line 3`).

Only what was told to the very person who asks is told again: letters that have left for them, as they were, and press
that they wrote themselves. A seat's former player keeps what was theirs; whoever follows does not get it.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.commands import Decision, Refusal, Role
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.history.phases import Timeline, timeline
from judge.languages import tell, together, told_later
from judge.mail.script import ReadRequest
from judge.mail.script.builder import ScriptBuilder, secrets_of
from judge.mail.script.model import SUBJECT, Unasked
from judge.mail.vocabulary.anyone import Verify
from judge.mail.vocabulary.reading import MyLetters, MyPress, SearchLetters, WhyLine
from judge.orders.spelled import listed
from judge.report.core.letter import Kind
from judge.report.core.naming import power_name
from judge.report.reply.account import (
    PastLetter,
    PressLetter,
    PressPiece,
    correspondence_view,
    excerpt,
    got,
    letters_view,
    own_press,
    past_letter,
    sent,
    written_by,
)
from judge.report.table.talk import addressees
from judge.rules.calendar import Calendar, read_phase
from judge.service.core.judge import Judge
from judge.service.hearing.questions import which_game
from judge.service.trust.heard import HeardMail, Result, answers
from judge.service.trust.read import read_again
from judge.store import Transaction, View
from judge.store.rows import LetterRow, LetterState, Mail

SEARCHED = 5_000
"""So many letters are looked through, the last ones."""


def letters_of(heard: HeardMail, game: Game, kind: str | None = None) -> list[LetterRow]:
    """The letters about a game that have left for the person who asks, oldest first: none that waits to be sent, or
    that was recalled before it was.
    """
    person = heard.speaker.acting
    assert person is not None
    rows = heard.unit.letters.list(game=game.key, kind=kind, person_id=person.id, limit=SEARCHED)
    return [
        row
        for row in rows
        if row.state not in (LetterState.WITHDRAWN, LetterState.BROKEN)
        and (row.not_before is None or row.not_before <= heard.now)
    ]


def view_of(row: LetterRow) -> Mapping[str, Any]:
    """The facts of a letter, as they were frozen."""
    view: Mapping[str, Any] = json.loads(row.view)["view"]
    return view


def phase_of(row: LetterRow, game: Game, times: Timeline) -> str:
    """The phase that a letter belongs to: results to the one that was played, all others to the one then to come."""
    if row.kind == Kind.RESULTS and (played := read_phase(str(view_of(row)["phase"]), game.calendar)):
        return played
    return times.at(row.created_at)


def told(heard: HeardMail, game: Game, times: Timeline, row: LetterRow, found: str = "") -> PastLetter:
    """A letter as it is told again; `found`: the text around what was looked for."""
    subject, text = _printed(heard, row)
    return past_letter(game, row.created_at, phase_of(row, game, times), subject, text, found)


def _printed(heard: HeardMail, row: LetterRow) -> tuple[str, str]:
    """Subject and text of a letter as they went out, or as they would now where its bytes are gone."""
    mime = heard.unit.letters.mime(row.id)
    if mime is not None:
        mail = email.message_from_bytes(mime, policy=email.policy.default)
        part = mail.get_body(("plain",))
        if part is not None:
            return str(mail["Subject"]), str(part.get_content())
    sheets, _ = heard.judge.pressroom.do(
        lambda press: press.print(row.kind, view_of(row), page=False), game=row.game or ""
    )
    return sheets.subject, sheets.text


def texts_of(view: Any) -> Iterator[str]:
    """Every text of a view: names, orders, people's own words."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, Mapping):
        for name, each in view.items():
            if name not in ("frame", "reply", "say", "files"):
                yield from texts_of(each)
    elif isinstance(view, list):
        for each in view:
            yield from texts_of(each)


MOST = 200
"""So many letters go into one answer, the last ones."""
_LOOKED_UP = ("letters", "correspondence")
"""Answers that only repeat what other letters said: nothing is looked for in them."""
PER_DAY = 30
"""So many looks into the archive a day and person: their answers are long."""


@answers
def my_press(heard: HeardMail, said: ReadRequest, request: MyPress) -> Result:
    """`press with POWER`, `my press`."""
    game = _game(heard, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    held = game.seats.get(heard.actor(game).seat)
    if held is not None and set(request.others) & set(held.powers):
        return Refusal(
            "yourself",
            tell("You play {powers} yourself.", powers=power_name(held.powers[0], game.board)),
            mend="my press",
        )
    if heard.actor(game).deputy and held is not None:
        return _PLAYERS_OWN
    events = heard.story(game)
    times = timeline(events)
    pieces = [
        piece
        for piece in _pieces(heard, game, events, times, request.others)
        if _within(game.calendar, piece.phase.code if piece.phase else "", request.since, request.until)
    ]
    if not pieces:
        return Decision(said=_no_press(game, request))
    if (refusal := _enough(heard)) is not None:
        return refusal
    heard.enclose(correspondence_view(game, request.others, (request.since, request.until), pieces))
    return Decision()


@answers
def my_letters(heard: HeardMail, said: ReadRequest, request: MyLetters) -> Result:
    """`letters`, `letters F1903`."""
    game = _game(heard, said, request.game, (request.since, request.until))
    if isinstance(game, Refusal):
        return game
    times = timeline(heard.story(game))
    rows = [
        row
        for row in letters_of(heard, game)
        if _within(game.calendar, phase_of(row, game, times), request.since, request.until)
    ]
    if not rows:
        stretch = _stretch(request.since, request.until)
        return Decision(said=tell("No letter about {game}{stretch} has gone to you.", game=game.key, stretch=stretch))
    if (refusal := _enough(heard)) is not None:
        return refusal
    letters = [told(heard, game, times, row) for row in rows[-MOST:]]
    more = len(rows) - len(letters)
    heard.enclose(letters_view(game, (request.since, request.until), letters, more=more))
    return Decision()


@answers
def search(heard: HeardMail, said: ReadRequest, request: SearchLetters) -> Result:
    """`search WORDS`: among the letters that have gone to whoever asks, and their own press."""
    game = _game(heard, said, request.game, ("", ""))
    if isinstance(game, Refusal):
        return game
    if (refusal := _enough(heard)) is not None:
        return refusal
    events = heard.story(game)
    times = timeline(events)
    found = sorted(_found(heard, game, events, times, request.words), key=lambda letter: letter.at.at)
    if not found:
        quoted = listed(f'"{word}"' for word in request.words)
        return Decision(said=tell("None of your letters about {game} holds {quoted}.", game=game.key, quoted=quoted))
    kept = found[-MOST:]
    heard.enclose(letters_view(game, ("", ""), kept, words=request.words, more=len(found) - len(kept)))
    return Decision()


_PLAYERS_OWN = Refusal(
    "substitute",
    told_later("The press of before is the player's own; what came since you play for them is in your letters."),
    mend="letters",
)  # fmt: skip


# --- the game and its times ---------------------------------------------------------------------------------------


def _game(heard: HeardMail, said: ReadRequest, key: str, stretch: tuple[str, str]) -> Game | Refusal:
    """The game whose letters are asked for, or why there is no answer."""
    game = heard.game(key or said.game)
    if game is None:
        return which_game(said)
    if heard.speaker.acting is None:
        return Refusal("who", tell("I do not know you yet, so I have sent you no letters."), mend="register")
    return _out_of_time(game, *stretch) or game


def _out_of_time(game: Game, since: str, until: str) -> Refusal | None:
    """Why a stretch holds nothing of a game: it was over before the game began, or has not come yet."""
    calendar = game.calendar
    first = min(game.chart, default=0) + 1
    if until and game.chart and calendar.bounds(until)[1] < calendar.bounds(str(first))[0]:
        return Refusal(
            "before",
            tell(
                "{game} began with the year {first}: there is nothing of {until}.",
                game=game.key,
                first=first,
                until=until,
            ),
            "letters",
        )
    if since and game.phase is not None and calendar.bounds(since)[0] > calendar.rank(game.phase):
        return Refusal(
            "to-come",
            tell(
                "{since} is still to come: {game} has reached {phase_title}.",
                since=since,
                game=game.key,
                phase_title=game.phase_title,
            ),
            "letters",
        )
    if since and until and calendar.bounds(since)[0] > calendar.bounds(until)[1]:
        return Refusal(
            "backwards", tell("{since} comes after {until}.", since=since, until=until), f"letters {until} to {since}"
        )
    return None


def _within(calendar: Calendar, phase: str, since: str, until: str) -> bool:
    """Whether a phase lies in a stretch; what was before the start lies in every one that has no beginning."""
    if not phase:
        return not since
    here = calendar.rank(phase)
    return (not since or calendar.bounds(since)[0] <= here) and (not until or here <= calendar.bounds(until)[1])


def _stretch(since: str, until: str) -> str:
    if not since and not until:
        return ""
    stretch = tell(
        "of {since}"
        if since == until
        else "until {until}"
        if not since
        else "since {since} until {until}"
        if until
        else "since {since}",
        since=since,
        until=until,
    )
    return f" {stretch}"


def _enough(heard: HeardMail) -> Refusal | None:
    person = heard.speaker.acting
    assert person is not None
    if heard.unit.contacts.allow(f"person:{person.id}", "bygone", heard.now.date(), PER_DAY):
        return None
    return Refusal(
        "enough-today",
        tell("You have looked into your letters {per_day} times today; ask again tomorrow.", per_day=PER_DAY),
    )


# --- press --------------------------------------------------------------------------------------------------------


def _no_press(game: Game, request: MyPress) -> str:
    return tell(
        "You have exchanged no press with {names} in {game}{stretch}."
        if request.others
        else "You have exchanged no press in {game}{stretch}.",
        names=listed(power_name(one, game.board) for one in request.others),
        game=game.key,
        stretch=_stretch(request.since, request.until),
    )


def _pieces(
    heard: HeardMail, game: Game, events: list[Event], times: Timeline, others: tuple[str, ...]
) -> list[PressPiece]:
    """The press of the person who asks, oldest first. With `others`: what these signed, and what they were sent."""
    person = heard.speaker.acting
    assert person is not None
    mine = [
        sent(game, event, times.at(event.at))
        for event in written_by(events, person.id)
        if not others or set(others) & set(event.to)
    ]
    came = []
    for row in letters_of(heard, game, kind=Kind.PRESS):
        view = view_of(row)
        if not others or _signed_by(view, game, others):
            at = _written_at(row, events)
            came.append(got(game, PressLetter(at, view), times.at(at)))
    return sorted((*mine, *came), key=lambda piece: (piece.at.at, piece.number))


def _signed_by(view: Mapping[str, Any], game: Game, others: tuple[str, ...]) -> bool:
    """Whether one of these signed it; whoever signed nothing is nobody."""
    who = (view.get("source") or {}).get("who") or {}
    names = {power_name(one, game.board) for one in others}
    return ("GM" in others and who.get("what") == "gm") or bool(names & set(who.get("names", ())))


def _written_at(row: LetterRow, events: list[Event]) -> datetime:
    """When press was written that came with a letter: its key has the number of the event."""
    number = row.idem_key.split("/")[1]
    return events[int(number) - 1].at if number.isdigit() and int(number) <= len(events) else row.created_at


# --- letters ------------------------------------------------------------------------------------------------------


def _found(
    heard: HeardMail, game: Game, events: list[Event], times: Timeline, words: tuple[str, ...]
) -> Iterator[PastLetter]:
    person = heard.speaker.acting
    assert person is not None
    for row in letters_of(heard, game):
        view = view_of(row)
        if any(inside["kind"] in _LOOKED_UP for inside in view.get("enclosures", ())):
            continue
        said = (*texts_of(view), row.subject or "")
        whole = " ".join(said).casefold()
        if all(word in whole for word in words):
            where = next((text for text in said if words[0] in text.casefold()), "")
            yield told(heard, game, times, row, excerpt(where, words[0]))
    for event in written_by(events, person.id):
        if all(word in event.text.casefold() for word in words):
            subject = own_press(event.number, addressees(game, event.to))
            yield past_letter(game, event.at, times.at(event.at), subject, event.text, excerpt(event.text, words[0]))


_PASSED_OVER = {
    Unasked.COURTESY: told_later("it asks for nothing"),
    Unasked.UNASKED: told_later("a yes counts only in an answer to the letter that asks for it"),
    Unasked.CHATTER: told_later("it is no command and no order that I know"),
    Unasked.HEADING: told_later("it says what the lines below it are for"),
    Unasked.STOP: told_later("it ends your mail"),
    Unasked.AFTER_STOP: told_later("it stands below the end of your mail"),
    Unasked.AFTER_FAILURES: told_later("it stands below several lines that I could not read"),
    Unasked.REPEATED: told_later("it asks for what the line above it asks for"),
    Unasked.REPLACED: told_later("the orders of the mail take the place of all earlier ones, as it asks"),
    Unasked.OTHERS: told_later("it is another power's"),
    Unasked.BLANK: told_later("it is empty"),
    Unasked.COMMENT: told_later("it is a comment"),
    Unasked.PASSWORD: told_later("it is a password"),
    Unasked.UNTRIED: told_later("it stands below `dry-run`"),
    Unasked.FORM: told_later("it is a line of the order form, left as it was"),
    Unasked.REPORT: told_later("it is part of a letter of mine"),
    Unasked.QUOTED: told_later("it is quoted"),
    Unasked.ATTRIBUTION: told_later("it says who wrote what is quoted"),
    Unasked.SIGNATURE: told_later("it is part of a signature"),
    Unasked.DISCLAIMER: told_later("it is a legal notice"),
    Unasked.FOOTER: told_later("a mailing list or a mail program put it there"),
    Unasked.FORWARDED: told_later("it is part of a mail that you forward"),
    Unasked.SUBJECT: told_later("it asks for nothing"),
    Unasked.ANSWER: told_later("it answers a letter of mine"),
}
"""Why a line that was read asks for nothing."""


@dataclass(frozen=True, slots=True)
class LineRead:
    """A line of a mail. `number`: from 1, the subject is 0; `text`: "" where the mail itself is no longer kept;
    `readers`: who took it, then who took its parts; `outcome`: what came of it, as a sentence without its full stop.
    """

    number: int
    text: str
    readers: tuple[str, ...]
    outcome: str

    def __str__(self) -> str:
        """For whoever asks."""
        line = tell("The subject") if self.number == SUBJECT else tell("Line {number}", number=self.number)
        shown = f', "{self.text}",' if self.text else ""
        first, *parts = map(tell, self.readers) if self.readers else (tell("a part of what stands above it"),)
        return tell(
            "{line} was read as {first} (in it: {parts}): {outcome}."
            if parts
            else "{line} was read as {first}: {outcome}.",
            line=f"{line}{shown}",
            first=first,
            parts=", ".join(dict.fromkeys(parts)),
            outcome=self.outcome,
        )


def lines_read(judge: Judge, view: View | Transaction, mail: Mail) -> Iterator[LineRead]:
    """The lines of a mail that somebody typed, by number, as they were heard. Nothing of one that was not heard."""
    verdict: dict[str, Any] = json.loads(mail.verdict or "{}")
    raw = view.inbox.raw(mail.id)
    envelope = read_again(judge, mail, raw) if raw is not None else None
    texts = {line.number: line.text.strip() for line in envelope.text_lines} if envelope is not None else {}
    texts |= {SUBJECT: envelope.subject} if envelope is not None else {}
    hidden = ScriptBuilder(secrets_of(texts.values()))
    for line in verdict.get("read", ()):
        number = int(line["line"])
        text = hidden.hide(texts.get(number, ""))
        yield LineRead(number, text, tuple(line["by"]), _outcome(number, str(line["as"]), verdict))


def _outcome(number: int, became: str, verdict: dict[str, Any]) -> str:
    unread = next((one for one in verdict["unread"] if one["line"] == number), None)
    if unread is not None:
        return tell("asked back. {reason}", reason=unread["reason"]).rstrip(".")
    done = [one for one in verdict["commands"] if one["line"] == number]
    if done:
        return "; ".join(f"{tell(one['status'])} ({_told(one)})" for one in done)
    if became == "said":
        return tell("taken with the lines that it belongs to")
    # What was asked about, and then was no question worth a letter, is "unread" still.
    why = next((one for one in Unasked if one.value == became), Unasked.CHATTER)
    return tell("passed over, {why}", why=tell(_PASSED_OVER[why]))


def _told(command: dict[str, Any]) -> str:
    order, reason = command["order"] or "", str(command["reason"]).rstrip(".")
    return ": ".join(filter(None, (order, reason))) or str(command["verb"])


@answers
def why_line(heard: HeardMail, said: ReadRequest, request: WhyLine) -> Result:
    """Of the mail whose receipt is answered, or else of the last mail that was answered."""
    mail = _mail_meant(heard)
    if mail is None:
        return Refusal(
            "no-mail", tell("There is no mail of yours that I have answered; answer the receipt of the one you mean.")
        )
    lines = {line.number: line for line in lines_read(heard.judge, heard.unit, mail)}
    if request.line in lines:
        return Decision(said=str(lines[request.line]))
    numbers = ", ".join(str(number) for number in sorted(lines)) or tell("none")
    return Refusal(
        "no-such-line",
        tell(
            "Line {line} of that mail is empty, quoted or not there; the lines that I have read are: {numbers}.",
            line=request.line,
            numbers=numbers,
        ),
    )


def _mail_meant(heard: HeardMail) -> Mail | None:
    person = heard.speaker.acting
    if person is None:
        return None
    letters = heard.unit.letters
    for reference in (heard.envelope.in_reply_to, *reversed(heard.envelope.references)):
        letter = letters.by_message_id(reference) if reference else None
        if letter is not None and letter.person_id == person.id and letter.kind == Kind.RECEIPT and letter.mail_id:
            return heard.unit.inbox.get(letter.mail_id)
    last = letters.last(kind=Kind.RECEIPT, person_id=person.id)
    return heard.unit.inbox.get(last.mail_id) if last is not None and last.mail_id else None


# --- `verify`: told to whoever wrote the mail and to their Gamemaster alone -----------------------------------------


MOST_LINES = 5
"""Proofs in one quoted text that are looked up."""
_PRINTED = re.compile(r"\bproof:\s*([0-9a-f]{4}-[0-9a-f]{4})\b", re.IGNORECASE)


@answers
def verify(heard: HeardMail, said: ReadRequest, request: Verify) -> Result:
    """Whether the mails with these proofs are on record; the proofs of receipts that are quoted, where none is given.

    Somebody else's mail is answered like none at all: when and that they have written is their own affair (A37a).
    """
    proofs = (request.proof.strip().lower(),) if request.proof.strip() else _quoted(heard)
    if not proofs:
        sentence = tell("Give the proof that stands at the end of a receipt, or quote the receipt whole.")
        return Refusal("no-proof", sentence, mend="help verify")
    return Decision(said=" ".join(_found_mail(heard, proof) for proof in proofs[:MOST_LINES]))


def _quoted(heard: HeardMail) -> tuple[str, ...]:
    found = (match[1].lower() for line in heard.envelope.text_lines for match in _PRINTED.finditer(line.text))
    return tuple(dict.fromkeys(found))


def _found_mail(heard: HeardMail, proof: str) -> str:
    mail = heard.unit.inbox.find_proof(proof)
    if mail is None or not (_wrote(heard, mail) or _governs(heard, mail)):
        return together(
            tell("No mail that is yours to ask about matches {proof}.", proof=proof),
            tell("I tell it to whoever wrote the mail, and to the Gamemaster of its game."),
        )
    at = f"{mail.arrived_at:%Y-%m-%d %H:%M:%S} UTC"
    return tell(
        "{proof} is a match: mail {mail}, received {at}, is on record as it came.", proof=proof, mail=mail.id, at=at
    )


def _wrote(heard: HeardMail, mail: Mail) -> bool:
    person = heard.speaker.acting
    author = heard.unit.people.by_address(mail.sender) if mail.sender else None
    return person is not None and author is not None and author.id == person.id


def _governs(heard: HeardMail, mail: Mail) -> bool:
    game = heard.game(mail.game) if mail.game else None
    return game is not None and heard.actor(game).role in (Role.GM, Role.OPERATOR)
