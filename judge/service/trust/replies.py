"""Replies to a letter's own address: a yes, a no, neither, too late, or not from the one who was asked.

A word counts from an address of the person who was asked, with one From, and where our server does not say that it is
forged; of one from elsewhere they are told once. What is neither yes nor no and asks for something is a mail like any
other. What asks for nothing is answered once with what to write, and so is an answer to a question that is settled:
nothing vanishes.
"""

from __future__ import annotations

from judge.mail.assent import Word, answer_of, is_undo, typed_below, word_of
from judge.mail.vocabulary.account import Confirm, Deny
from judge.report.core.alerts import alert
from judge.report.core.frame import Member
from judge.report.reply.doorstep import NOBODY
from judge.service.posting.mailbag import CONFIRM
from judge.service.trust import addresses, asking, errands
from judge.service.trust.addresses import check_password
from judge.service.trust.authority import Proof
from judge.service.trust.confirmed import DENIED
from judge.service.trust.errands import Errand
from judge.service.trust.reading import read_requests
from judge.service.trust.sitting import Sitting, Taken
from judge.service.trust.speaker import hear
from judge.store.people import alike
from judge.store.rows import Mail, MailState

_UNREADABLE = {
    "encrypted": "Your reply is encrypted, and I cannot read it.",
    "signed-opaque": "Your reply is signed in a way that hides its text from me.",
    "no-text": "Your reply holds no text that I can read.",
}


def reply(sitting: Sitting, key: str) -> Taken | Sitting | None:
    """What becomes of a reply to the letter with this token. A Sitting is to be carried out in place of the reply;
    None: it is a mail like any other.
    """
    errand = errands.find(sitting.unit, key)
    if errand is not None and (answerer := errands.answerer_of(errand)) is not None:
        return answerer(sitting, errand)
    if errand is not None and errand.do != asking.FORESEEN:
        return _to_errand(sitting, errand)
    held = sitting.unit.inbox.under(key)
    return _to_held(sitting, key, held) if held is not None else None


def is_from(sitting: Sitting, member: Member, address: str) -> bool:
    """Whether a reply comes from the person, or the address, that was asked, as far as its From says, and nothing
    speaks against that.
    """
    wrote, person = sitting.envelope.from_address, sitting.speaker.person
    if wrote is None or sitting.envelope.auth == "fail":
        return False
    own = bool(member.person) and person is not None and person.id == member.person
    return own or any(alike(wrote, one) for one in (address, member.address) if one)


def _from_elsewhere(sitting: Sitting, key: str, reader: tuple[Member, str], about: str) -> Taken | None:
    """An answer by somebody who was not asked, or in whose name our server calls it forged: nothing changes."""
    if sitting.envelope.from_address is None:
        found = f"in a mail whose From line does not say who wrote it ({sitting.envelope.from_problem})"
    elif sitting.envelope.auth == "fail":
        found = "in a mail that, as my mail server says, does not come from the address that it names"
    else:
        found = "from an address that is not yours"
    if sitting.envelope.from_address is not None and _asks_more(sitting):
        return None
    items = (
        f"An answer to my letter about {about} came {found}. It counts for nothing, and nothing was changed.",
        "If it was you, reply to this letter from an address of yours that I know: confirm, or: no",
        "If it was not, you need do nothing. Somebody else has seen my letter; the address to which you answer it is "
        "for you alone.",
    )
    return _once(sitting, key, "elsewhere", reader, "somebody answered in your place", items)


def subjects_answered(sitting: Sitting) -> list[str]:
    """The subjects of our letters in whose thread a mail stands: a reply repeats them."""
    references = (sitting.envelope.in_reply_to, *sitting.envelope.references[-3:])
    found = [sitting.unit.letters.by_message_id(one) for one in references if one]
    return [letter.subject for letter in found if letter is not None and letter.subject]


def _subjects(sitting: Sitting, key: str, mail: int) -> list[str]:
    """The subjects of our letters about a question, in its thread or not."""
    letters = sitting.unit.letters
    found = [letters.by_key(_key_of(key, matter)) for matter in _MATTERS]
    found += letters.list(mail_id=mail, limit=1) if mail else ()
    return subjects_answered(sitting) + [one.subject for one in found if one is not None and one.subject]


# --- a held mail --------------------------------------------------------------------------------------------------


def _to_held(sitting: Sitting, key: str, held: Mail) -> Taken | None:
    if held.state is not MailState.HELD:
        return _settled(sitting, key, _reader_of(sitting, held), _became(held))
    if not is_from(sitting, *_reader_of(sitting, held)):
        return _from_elsewhere(sitting, key, _reader_of(sitting, held), f"mail {held.id}")
    word = answer_of(sitting.envelope, _subjects(sitting, key, held.id))
    if word is Word.YES and not _proof_lent(sitting, key, held):
        return _more_wanted(sitting, key, held)
    if word is Word.YES:
        sitting.unit.inbox.confirm(held.id, sitting.now)
        return with_the_rest(sitting, f"confirms mail {held.id}", f"Mail {held.id} is confirmed and carried out.")
    if word is Word.NO:
        return _deny(sitting, key, held)
    what = "the mail that waits is yours and shall be carried out", "it is not"
    return _unclear(sitting, key, _reader_of(sitting, held), what)


def _proof_lent(sitting: Sitting, key: str, held: Mail) -> bool:
    """Whether a yes brings what the mail itself lacks: our server's word or the password, where one is needed."""
    errand = errands.find(sitting.unit, key)
    if errand is None or not errand.facts["more"]:
        return True
    read_requests(sitting)
    check_password(sitting)
    asked = sitting.unit.letters.list(mail_id=held.id, limit=1)
    speaker = sitting.speaker
    own = speaker.person is not None and bool(asked) and speaker.person.id == asked[0].person_id
    lent = speaker.proofs & {Proof.WORD, Proof.PASSWORD} if own else frozenset()
    errands.note(sitting.unit, errand, lent=sorted(lent))
    return bool(lent)


def _more_wanted(sitting: Sitting, key: str, held: Mail) -> Taken:
    items = (
        f"Your yes came, but nothing in mail {held.id} proves that it is yours, and it asks for something that cannot "
        "easily be taken back. It still waits.",
        "Reply to this letter with two lines, the second one with your password: confirm / password WORD",
        "Or send the command again, in answer to any other letter of mine about the game.",
    )
    return _once(sitting, key, "not enough", _reader_of(sitting, held), "one more proof is needed", items)


def _deny(sitting: Sitting, key: str, held: Mail) -> Taken | None:
    """A no ends the wait; the mail may still be confirmed. What a stranger denies is forgotten at once."""
    member, address = _reader_of(sitting, held)
    if not member.person:
        sitting.unit.inbox.drop(held.id, sitting.now, reason=DENIED)
        return Taken("processed", f"denies mail {held.id}")
    sitting.unit.inbox.deny(held.id, reason=DENIED)
    said = f"Mail {held.id} is set aside: nothing in it is done, and no turn waits for it."
    taken = with_the_rest(sitting, f"denies mail {held.id}", said)
    if taken is None:
        return None
    items = (said, "If you meant yes after all, reply to this letter with: confirm")
    _write(sitting, key, "denied", (member, address), "the mail is set aside", items)
    return Taken(taken.verdict, taken.reason, letters=sitting.letters)


def _became(held: Mail) -> str:
    """What became of a mail that waits no longer, as a sentence."""
    if held.state is MailState.DROPPED:
        return f"Mail {held.id} no longer waits: nobody confirmed it in time, or it was discarded. Nothing was done."
    if held.confirmed_at is not None:
        return f"Mail {held.id} was confirmed already, and is dealt with."
    return f"Mail {held.id} no longer waits."


def _reader_of(sitting: Sitting, held: Mail) -> tuple[Member, str]:
    """Who was asked about a held mail: a person, or an address that we do not know."""
    asked = sitting.unit.letters.list(mail_id=held.id, limit=1)
    person = asked[0].person_id if asked else None
    return (sitting.ledger.members[person], "") if person else (NOBODY, held.sender or held.envelope_from)


# --- an errand ----------------------------------------------------------------------------------------------------


def _to_errand(sitting: Sitting, errand: Errand) -> Taken | Sitting | None:
    reader = _asked(sitting, errand)
    if errand.settled:
        return _settled(sitting, errand.key, reader, f"That question is settled already: {errand.settled}.")
    if errand.until < sitting.now:
        return _settled(sitting, errand.key, reader, "That question was too old to be answered. Nothing was changed.")
    if not is_from(sitting, *reader):
        return _from_elsewhere(sitting, errand.key, reader, "a question of mine")
    word = answer_of(sitting.envelope, _subjects(sitting, errand.key, 0))
    if errand.do == addresses.UNDO:
        return _to_undo(sitting, errand, word, reader)
    if word is None:
        what = ("it is yours", "it is not") if errand.do == addresses.ADD else ("you want that", "you do not")
        return _unclear(sitting, errand.key, reader, what)
    if word is Word.NO:
        errands.settle(sitting.unit, errand, "the answer was no")
        return with_the_rest(sitting, "an errand is denied", "You said no: nothing of what I asked about was done.")
    if errand.do == addresses.ADD:
        return _done(sitting, errand, addresses.add(sitting, errand))
    own = sitting.speaker
    again = asking.agreed(sitting, errand)
    errands.settle(sitting.unit, errand, "the answer was yes")
    if again is None:
        gone = "The mail about which I asked is kept no longer, so nothing was done; please send it again."
        return with_the_rest(sitting, "the mail that asked is kept no longer", gone)
    speaker, sitting.speaker = sitting.speaker, own
    if with_the_rest(sitting, "", "You said yes; a letter of its own says what came of it.") is not None:
        sitting.speaker = speaker
    return again


def _to_undo(sitting: Sitting, errand: Errand, word: Word | None, reader: tuple[Member, str]) -> Taken | None:
    if is_undo(sitting.envelope.own_text) or is_undo(sitting.envelope.topic) or word is Word.NO:
        return _done(sitting, errand, addresses.undo(sitting, errand))
    return _unclear(sitting, errand.key, reader, None)


def _done(sitting: Sitting, errand: Errand, what: str) -> Taken | None:
    errands.settle(sitting.unit, errand, what)
    return with_the_rest(sitting, what, f"Your answer is taken: {what}.")


def _asked(sitting: Sitting, errand: Errand) -> tuple[Member, str]:
    if errand.do == addresses.ADD:
        return NOBODY, str(errand.facts["address"])  # it may be anybody's
    return sitting.ledger.members[errand.person], str(errand.facts.get("back", ""))


# --- answers ------------------------------------------------------------------------------------------------------


def with_the_rest(sitting: Sitting, reason: str, said: str) -> Taken | None:
    """The word is taken; None if the reply asks for more, so that it is heard as a mail, too."""
    if sitting.speaker.person is None:  # the word may have made them known
        sitting.speaker = hear(sitting.house, sitting.unit, sitting.ledger.people, sitting.mail, sitting.envelope)
    return None if goes_on_behind(sitting, said) else Taken("processed", reason, letters=sitting.letters)


def goes_on_behind(sitting: Sitting, said: str) -> bool:
    """Whether a reply asks for more than the word that answers, of which `said` tells what came: it is then heard as a
    mail like any other, in which that line is answered so.
    """
    sitting.word_taken = said
    if not _asks_more(sitting):
        sitting.word_taken = ""
    return bool(sitting.word_taken)


def _asks_more(sitting: Sitting) -> bool:
    """Whether a reply holds more than a word: orders, commands, or lines that were to be some."""
    if sitting.envelope.unsafe or not typed_below(sitting.envelope):
        return False
    read_requests(sitting)
    if sitting.speaker.acting is not None and any(word_of(one.text) is None for one in sitting.script.unread):
        return True  # of an unknown author nothing but the word is looked for, and it is no line to be read
    return any(not isinstance(said.request, (Confirm, Deny)) for said in sitting.script.said)


def _settled(sitting: Sitting, key: str, reader: tuple[Member, str], what: str) -> Taken | None:
    if _asks_more(sitting):
        return None
    return _once(sitting, key, "settled", reader, "nothing waits for your answer any longer", (what,))


def _unclear(sitting: Sitting, key: str, reader: tuple[Member, str], meaning: tuple[str, str] | None) -> Taken | None:
    """Neither yes nor no: say once what to write."""
    if _asks_more(sitting):
        return None
    found = (why for defect, why in _UNREADABLE.items() if defect in sitting.envelope.defects)
    first = next(found, "I cannot take that as a yes or as a no.")
    if meaning is None:
        items: tuple[str, ...] = (
            first,
            "To take the change back, reply to this letter with the one word: undo",
        )
    else:
        yes, no = meaning
        items = (
            f"{first} Nothing was changed.",
            f"If {yes}, reply to this letter with one word on its first line: confirm",
            f"If {no}: no",
        )
    return _once(sitting, key, "unclear", reader, "please answer yes or no", items)


def _once(
    sitting: Sitting, key: str, matter: str, reader: tuple[Member, str], subject: str, items: tuple[str, ...]
) -> Taken:
    if not _write(sitting, key, matter, reader, subject, items):
        return Taken("ignored", f"its letter was answered so already ({matter})")
    return Taken("processed", f"a reply that is {matter}", letters=sitting.letters)


def _write(
    sitting: Sitting, key: str, matter: str, reader: tuple[Member, str], subject: str, items: tuple[str, ...]
) -> bool:
    """One letter about a matter and a question; False if it was written before."""
    idem = _key_of(key, matter)
    if sitting.unit.letters.by_key(idem) is not None:
        return False
    member, address = reader
    letter = alert(
        member, sitting.house.office, key=idem, subject=_tagged(sitting, key, subject), items=items, address=address,
        reply_as=CONFIRM + key,
    )  # fmt: skip
    return sitting.send(letter)


_MATTERS = ("unclear", "denied", "not enough", "settled", "elsewhere")


def _key_of(key: str, matter: str) -> str:
    return f"judge/reply/{key}/{matter}"


def _tagged(sitting: Sitting, key: str, subject: str) -> str:
    """A subject with the game of the mail about which was asked, if it was about one."""
    mail, errand = sitting.unit.inbox.under(key), errands.find(sitting.unit, key)
    game = str(errand.facts.get("game", "")) if errand is not None else ""
    game = game or (mail.game if mail is not None else None) or ""
    return f"[{game}] {subject}" if game else subject
