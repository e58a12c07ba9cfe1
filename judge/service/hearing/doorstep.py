"""Mails of which nothing is carried out: from a stranger, from no single sender, or unsafe to read."""

from __future__ import annotations

from judge.mail.script.told import SAID
from judge.mail.vocabulary.clauses import is_key
from judge.mail.vocabulary.sandbox import SHOWN_BOARD
from judge.report.core.letter import Kind
from judge.report.reply.doorstep import error, stranger
from judge.report.reply.receipt import answer_to_person
from judge.service.hearing.answering import closed_with, enough, room, with_last_word
from judge.service.hearing.helping import enclose_help
from judge.service.hearing.questions import enclose_list
from judge.service.hearing.requests import perform_all
from judge.service.trust.patience import base_address
from judge.service.trust.reading import lines_noted
from judge.service.trust.sitting import Sitting, Taken

NAMELESS_LETTERS = 4
"""Letters in a day about mails to a person's own reply addresses that do not say who wrote them."""

STRANGER_LETTERS = 1
"""Fixed letters that an unknown address gets in a day; answers to its questions are measured with them."""

_NO_NAMES = frozenset({"a", "the", "game", "to", "in", "me", "as", "up", "please"})
"""Words between such a verb and the name."""

_WANTS_A_GAME = frozenset({"join", "observe", "claim"})
"""Verbs that name a game. A stranger who uses them and is not asked to confirm has named one that is not there."""


def nameless(sitting: Sitting) -> Taken:
    """No From line that names one sender: nothing is carried out. Where the mail went to the live address of a seat,
    whoever sits there is told, at their address of record; else nobody knows whom to answer.
    """
    holder, why = sitting.speaker.holder, f"no single sender: {sitting.envelope.from_problem}"
    if holder is None:
        return Taken("ignored", why)
    if not sitting.unit.contacts.allow(f"person:{holder.id}", "nameless", sitting.now.date(), NAMELESS_LETTERS):
        return Taken("ignored", f"{why}; its supposed author was told often enough today")
    sitting.send(
        error(
            sitting.received,
            sitting.house.office,
            wrong="A mail came to the address to which you answer my letters, and its From line does not say who wrote "
            f"it ({sitting.envelope.from_problem}). So nothing in it was carried out.",
            mend="If it is yours, send it again with your own address alone in From.",
            member=sitting.ledger.members[holder.id],
        ),
    )
    return Taken("processed", why, letters=sitting.letters)


def is_forged_stranger(sitting: Sitting) -> bool:
    """Whether somebody unknown did not write this mail, as our server says, nor got a letter that they could answer:
    whoever is named as its author is not to hear of it.
    """
    speaker = sitting.speaker
    unknown = speaker.person is None and speaker.holder is None and sitting.mail.confirmed_at is None
    return unknown and sitting.envelope.auth == "fail"


def unreadable(sitting: Sitting) -> Taken:
    """A limit against hostile mail was met: nothing in it is carried out. Whoever is proved is told so, nobody else."""
    why = ", ".join(sitting.envelope.defects)
    if sitting.speaker.person is None or not sitting.speaker.proved:
        return Taken("ignored", f"unsafe: {why}")
    sitting.send(
        error(
            sitting.received,
            sitting.house.office,
            wrong="Your mail has a form that I cannot read, so nothing in it was carried out.",
            mend="Send it again as plain text, without attachments.",
            member=sitting.ledger.members[sitting.speaker.person.id],
        ),
    )
    return Taken("processed", f"unsafe: {why}", letters=sitting.letters)


def stranger_heard(sitting: Sitting) -> Taken:
    """Somebody we do not know: a question is answered, a wish to join what is not there, and a question that names no
    game, by the list of what is; everything else gets one fixed letter a day. Whoever answers that letter
    in words that are not ours is a person who wants something, and is shown what can be asked.
    """
    perform_all(sitting)
    if not sitting.enclosures:
        _enclose_what_may_help(sitting)
    address, today = sitting.envelope.from_address or "", sitting.now.date()
    mailbox = base_address(address)
    if not sitting.enclosures and not sitting.unit.contacts.allow(mailbox, "stranger", today, STRANGER_LETTERS):
        why = "an unknown address had its stranger letter today"
        return Taken("ignored", why, sitting.commands, *lines_noted(sitting))
    quiet, _ = enough(sitting)
    if quiet:
        return Taken("ignored", quiet, sitting.commands, *lines_noted(sitting))
    office = sitting.house.office
    if sitting.enclosures:
        known, asked = sitting.ledger.members[0], sitting.enclosures[0].game
        letter = answer_to_person(
            known, sitting.received, (), office=office, enclosures=sitting.enclosures[:1], address=address,
            game=sitting.game(asked) if asked else None, room=room(sitting),
        )  # fmt: skip
    else:
        told, declines = _told(sitting)
        letter = stranger(address, sitting.received, office, day=today.isoformat(), told=told, declines=declines)
    if len(sitting.enclosures) > 1:
        letter = closed_with(letter, _ONE_AT_A_TIME)
    sitting.send(with_last_word(sitting, letter))
    return Taken("processed", "a stranger's mail", sitting.commands, *lines_noted(sitting), sitting.letters)


def _told(sitting: Sitting) -> tuple[str, bool]:
    """What is said to a mail that is answered by the fixed letter, in a sentence of ours that repeats nothing of it;
    and whether its author wants no more of us.
    """
    script = sitting.script
    wishes = [one for one in script.unread if one.reason in ("perhaps-told", "perhaps-line")]
    leaves = any(line.startswith("unobserve ") for one in wishes for line in one.candidates)
    declines = any(one.verb == "no" for one in script.said) or any(
        one.sentence == SAID["invitations"] for one in wishes
    )
    if leaves or declines:
        return SAID["invitations"], True
    lines = [line for one in wishes for line in one.candidates if line.isalpha()]
    if lines:
        return f"What you want may be this line; send it in answer to this letter: {lines[0]}", False
    return next((one.sentence for one in wishes if not one.candidates), ""), False


_ONE_AT_A_TIME = (
    "Of several questions from an address that I do not know I answer the first; ask the others in mails of their own, "
    "or write `register` and ask what you like."
)


def _enclose_what_may_help(sitting: Sitting) -> None:
    script = sitting.script
    lost = {unread.verb for unread in script.unread if unread.reason == "which-game"}
    lost |= {answer.verb for answer in sitting.answers if answer.slug == "which-game"}
    if "house rules" in lost:  # before they know a game, people mean the rules of Diplomacy
        enclose_help(sitting, "diplomacy")
    elif lost or _WANTS_A_GAME & {*(one.verb for one in script.said), *(one.verb for one in script.unread)}:
        enclose_list(sitting, _missing(sitting), unfiled=_brought_orders(sitting))
    elif sitting.answered == Kind.SHOWN:
        enclose_help(sitting, SHOWN_BOARD)
    elif sitting.answered or any(answer.slug == "who" for answer in sitting.answers):
        enclose_help(sitting)


def _brought_orders(sitting: Sitting) -> bool:
    """Whether there are orders in the mail, which are for no game: they stand behind no verb."""
    return any(unread.reason == "which-game" and not unread.verb for unread in sitting.script.unread)


def _missing(sitting: Sitting) -> str:
    """The name of the game that a stranger wants to join and that is not there; "" where it has not the form of one.
    Nothing else of their mail is repeated.
    """
    script = sitting.script
    named = [str(getattr(one.request, "game", "")) or one.game for one in script.said if one.verb in _WANTS_A_GAME]
    named += [word for one in script.unread if one.verb in _WANTS_A_GAME for word in one.text.split()[1:]]
    names = (word.strip("[]?#\"'.,!").lower() for word in named)
    return next((name for name in names if is_key(name) and name not in _NO_NAMES and not sitting.game(name)), "")
