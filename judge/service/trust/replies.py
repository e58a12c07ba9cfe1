"""Replies to a letter's own address: a yes, a no, neither, too late, or not from the one who was asked.

A word counts from an address of the person who was asked, with one From, and where our server does not say that it is
forged; of one from elsewhere they are told once. What is neither yes nor no and asks for something is a mail like any
other. What asks for nothing is answered once with what to write, and so is an answer to a question that is settled:
nothing vanishes.
"""

from __future__ import annotations

from dataclasses import replace

from judge.languages import Recorded, tell, told_later
from judge.mail.assent import Word, answer_of, begins_with_a_word, is_undo, typed_below, word_of
from judge.mail.vocabulary.account import Confirm, Deny
from judge.report.core.letter import Member
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.directory import Errand, find_errand, note_errand, settle_errand
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust import addresses, consent
from judge.service.trust.addresses import check_password
from judge.service.trust.heard import HeardMail, Ready, Taken, answerer_of
from judge.service.trust.prove import Proof, prove
from judge.service.trust.read import DENIED
from judge.service.trust.reading import read_requests
from judge.store.people import alike
from judge.store.rows import Mail, MailState

_UNREADABLE = {
    "encrypted": told_later("Your reply is encrypted, and I cannot read it."),
    "signed-opaque": told_later("Your reply is signed in a way that hides its text from me."),
    "no-text": told_later("Your reply holds no text that I can read."),
}

_SETTLED = Recorded(
    told_later("the answer was yes"), told_later("the answer was no"), told_later("there is another editor")
)
"""How errands are settled, as their rows have it."""


def reply(heard: HeardMail, key: str) -> Taken | Ready | HeardMail:
    """What becomes of a reply to the letter with this token: it is dealt with, something may be carried out upon it, or
    it is to be heard like any other mail.
    """
    errand = find_errand(heard.unit, key)
    if errand is not None and (answerer := answerer_of(errand)) is not None:
        return answerer(heard, errand)
    if errand is not None and errand.do != consent.FORESEEN:
        return _to_errand(heard, errand)
    held = heard.unit.inbox.under(key)
    return _to_held(heard, key, held) if held is not None else heard


def is_from(heard: HeardMail, member: Member, address: str) -> bool:
    """Whether a reply comes from the person, or the address, that was asked, as far as its From says, and nothing
    speaks against that.
    """
    wrote, person = heard.envelope.from_address, heard.speaker.person
    if wrote is None or heard.envelope.auth == "fail":
        return False
    own = bool(member.person) and person is not None and person.id == member.person
    return own or any(alike(wrote, one) for one in (address, member.address) if one)


def _from_elsewhere(heard: HeardMail, key: str, reader: tuple[Member, str], about: str) -> Taken | HeardMail:
    """An answer by somebody who was not asked, or in whose name our server calls it forged: nothing changes."""
    if heard.envelope.from_address is None:
        found = tell(
            "in a mail whose From line does not say who wrote it ({from_problem})",
            from_problem=heard.envelope.from_problem,
        )
    elif heard.envelope.auth == "fail":
        found = tell("in a mail that, as my mail server says, does not come from the address that it names")
    else:
        found = tell("from an address that is not yours")
    if heard.envelope.from_address is not None and _asks_more(heard):
        return heard
    items = (
        tell(
            "An answer to my letter about {about} came {found}. It counts for nothing, and nothing was changed.",
            about=about,
            found=found,
        ),
        tell("If it was you, reply to this letter from an address of yours that I know: confirm, or: no"),
        tell(
            "If it was not, you need do nothing. Somebody else has seen my letter; the address to "
            "which you answer it is for you alone."
        ),
    )
    return _once(heard, key, "elsewhere", reader, tell("somebody answered in your place"), items)


def subjects_answered(heard: HeardMail) -> list[str]:
    """The subjects of our letters in whose thread a mail stands: a reply repeats them."""
    references = (heard.envelope.in_reply_to, *heard.envelope.references[-3:])
    found = [heard.unit.letters.by_message_id(one) for one in references if one]
    return [letter.subject for letter in found if letter is not None and letter.subject]


def _subjects(heard: HeardMail, key: str, mail: int) -> list[str]:
    """The subjects of our letters about a question, in its thread or not."""
    letters = heard.unit.letters
    found = [letters.by_key(_key_of(key, matter)) for matter in _MATTERS]
    found += letters.list(mail_id=mail, limit=1) if mail else ()
    return subjects_answered(heard) + [one.subject for one in found if one is not None and one.subject]


# --- a held mail --------------------------------------------------------------------------------------------------


def _to_held(heard: HeardMail, key: str, held: Mail) -> Taken | HeardMail:
    if held.state is not MailState.HELD:
        return _settled(heard, key, _reader_of(heard, held), _became(held))
    if not is_from(heard, *_reader_of(heard, held)):
        return _from_elsewhere(heard, key, _reader_of(heard, held), tell("mail {number}", number=held.id))
    word = answer_of(heard.envelope, _subjects(heard, key, held.id))
    if word is Word.YES and not _proof_lent(heard, key, held):
        return _more_wanted(heard, key, held)
    if word is Word.YES:
        heard.unit.inbox.confirm(held.id, heard.now)
        return with_the_rest(
            heard, f"confirms mail {held.id}", tell("Mail {held} is confirmed and carried out.", held=held.id)
        )
    if word is Word.NO:
        return _deny(heard, key, held)
    return _unclear(
        heard,
        key,
        _reader_of(heard, held),
        tell(
            "If the mail that waits is yours and shall be carried out, reply to this letter with one word on its first "
            "line: confirm"
        ),
        tell("If it is not: no"),
    )


def _proof_lent(heard: HeardMail, key: str, held: Mail) -> bool:
    """Whether a yes brings what the mail itself lacks: our server's word or the password, where one is needed."""
    errand = find_errand(heard.unit, key)
    if errand is None or not errand.facts["more"]:
        return True
    asked = heard.unit.letters.list(mail_id=held.id, limit=1)
    speaker = check_password(read_requests(heard)).speaker
    own = speaker.person is not None and bool(asked) and speaker.person.id == asked[0].person_id
    lent = speaker.proofs & {Proof.WORD, Proof.PASSWORD} if own else frozenset()
    note_errand(heard.unit, errand, lent=sorted(lent))
    return bool(lent)


def _more_wanted(heard: HeardMail, key: str, held: Mail) -> Taken | HeardMail:
    items = (
        tell(
            "Your yes came, but nothing in mail {held} proves that it is yours, and it asks for "
            "something that cannot easily be taken back. It still waits.",
            held=held.id,
        ),
        tell("Reply to this letter with two lines, the second one with your password: confirm / password WORD"),
        tell("Or send the command again, in answer to any other letter of mine about the game."),
    )
    taken = _once(heard, key, tell("not enough"), _reader_of(heard, held), tell("one more proof is needed"), items)
    return goes_on_behind(heard, items[0]) or taken


def _deny(heard: HeardMail, key: str, held: Mail) -> Taken | HeardMail:
    """A no ends the wait; the mail may still be confirmed. What a stranger denies is forgotten at once."""
    member, address = _reader_of(heard, held)
    if not member.person:
        heard.unit.inbox.drop(held.id, heard.now, reason=DENIED)
        return heard.taken("processed", f"denies mail {held.id}")
    heard.unit.inbox.deny(held.id, reason=DENIED)
    said = tell("Mail {held} is set aside: nothing in it is done, and no turn waits for it.", held=held.id)
    taken = with_the_rest(heard, f"denies mail {held.id}", said)
    if isinstance(taken, HeardMail):
        return taken
    items = (said, tell("If you meant yes after all, reply to this letter with: confirm"))
    _write(heard, key, "denied", (member, address), tell("the mail is set aside"), items)
    return taken


def _became(held: Mail) -> str:
    """What became of a mail that waits no longer, as a sentence."""
    if held.state is MailState.DROPPED:
        return tell(
            "Mail {held} no longer waits: nobody confirmed it in time, or it was discarded. Nothing was done.",
            held=held.id,
        )
    if held.confirmed_at is not None:
        return tell("Mail {held} was confirmed already, and is dealt with.", held=held.id)
    return tell("Mail {held} no longer waits.", held=held.id)


def _reader_of(heard: HeardMail, held: Mail) -> tuple[Member, str]:
    """Who was asked about a held mail: a person, or an address that we do not know."""
    asked = heard.unit.letters.list(mail_id=held.id, limit=1)
    person = asked[0].person_id if asked else None
    return (heard.ledger.members[person], "") if person else (NOBODY, held.sender or held.envelope_from)


# --- an errand ----------------------------------------------------------------------------------------------------


def _to_errand(heard: HeardMail, errand: Errand) -> Taken | Ready | HeardMail:
    reader = _asked(heard, errand)
    if errand.settled:
        return _settled(
            heard,
            errand.key,
            reader,
            tell("That question is settled already: {settled}.", settled=_SETTLED.told(errand.settled)),
        )
    if errand.until < heard.now:
        return _settled(
            heard, errand.key, reader, tell("That question was too old to be answered. Nothing was changed.")
        )
    if not is_from(heard, *reader):
        return _from_elsewhere(heard, errand.key, reader, tell("a question of mine"))
    word = answer_of(heard.envelope, _subjects(heard, errand.key, 0))
    if errand.do == addresses.UNDO:
        return _to_undo(heard, errand, word, reader)
    if word is None:
        if errand.do == addresses.ADD:
            yes = tell("If it is yours, reply to this letter with one word on its first line: confirm")
            return _unclear(heard, errand.key, reader, yes, tell("If it is not: no"))
        yes = tell("If you want that, reply to this letter with one word on its first line: confirm")
        return _unclear(heard, errand.key, reader, yes, tell("If you do not: no"))
    if word is Word.NO:
        settle_errand(heard.unit, errand, "the answer was no")
        return with_the_rest(
            heard, tell("an errand is denied"), tell("You said no: nothing of what I asked about was done.")
        )
    if errand.do == addresses.ADD:
        return _done(heard, errand, addresses.add(heard, errand))
    first = consent.agreed(heard, errand)
    settle_errand(heard.unit, errand, "the answer was yes")
    if first is None:
        gone = tell("The mail about which I asked is kept no longer, so nothing was done; please send it again.")
        return with_the_rest(heard, tell("the mail that asked is kept no longer"), gone)
    rest = with_the_rest(heard, "", tell("You said yes; a letter of its own says what came of it."))
    return Ready(first, rest if isinstance(rest, HeardMail) else None)


def _to_undo(heard: HeardMail, errand: Errand, word: Word | None, reader: tuple[Member, str]) -> Taken | HeardMail:
    if is_undo(heard.envelope.own_text) or is_undo(heard.envelope.topic) or word is Word.NO:
        return _done(heard, errand, addresses.undo(heard, errand))
    back = tell("To take the change back, reply to this letter with the one word: undo")
    return _unclear(heard, errand.key, reader, back)


def _done(heard: HeardMail, errand: Errand, what: str) -> Taken | HeardMail:
    settle_errand(heard.unit, errand, what)
    return with_the_rest(heard, what, tell("Your answer is taken: {what}.", what=what))


def _asked(heard: HeardMail, errand: Errand) -> tuple[Member, str]:
    if errand.do == addresses.ADD:
        return NOBODY, str(errand.facts["address"])  # it may be anybody's
    return heard.ledger.members[errand.person], str(errand.facts.get("back", ""))


# --- answers ------------------------------------------------------------------------------------------------------


def with_the_rest(heard: HeardMail, reason: str, said: str) -> Taken | HeardMail:
    """The word is taken; the mail, if the reply asks for more, so that it is heard too."""
    if heard.speaker.person is None:  # the word may have made them known
        speaker = prove(heard.judge, heard.unit, heard.ledger.people, heard.mail, heard.envelope)
        heard = replace(heard, speaker=speaker)
    return goes_on_behind(heard, said) or heard.taken("processed", reason)


def goes_on_behind(heard: HeardMail, said: str) -> HeardMail | None:
    """The mail, if a reply asks for more than the word that answers, of which `said` tells what came: it is then heard
    as a mail like any other, in which that line is answered so. It may have answered another letter, too.
    """
    came = " ".join(dict.fromkeys(filter(None, (heard.consent.word_taken, said))))
    behind = replace(heard, consent=replace(heard.consent, word_taken=came))
    return behind if _asks_more(behind) else None


def _asks_more(heard: HeardMail) -> bool:
    """Whether a reply holds more than a word: orders, commands, or lines that were to be some."""
    if heard.envelope.unsafe or not typed_below(heard.envelope):
        return False
    heard = read_requests(heard)
    if heard.speaker.acting is not None and any(word_of(one.text) is None for one in heard.script.unread):
        return True  # of an unknown author nothing but the word is looked for, and it is no line to be read
    return any(not isinstance(said.request, (Confirm, Deny)) for said in heard.script.said)


def _settled(heard: HeardMail, key: str, reader: tuple[Member, str], what: str) -> Taken | HeardMail:
    if _asks_more(heard):
        return heard
    return _once(heard, key, "settled", reader, tell("nothing waits for your answer any longer"), (what,))


def _unclear(heard: HeardMail, key: str, reader: tuple[Member, str], *ways: str) -> Taken | HeardMail:
    """Neither yes nor no: say once what to write (`ways`: a sentence each); also to whoever begins with one, and asks
    for something else below it ("Yes, send it to him. And my orders are:").
    """
    asks_more = _asks_more(heard)
    if asks_more and not begins_with_a_word(heard.envelope):
        return heard
    found = (tell(why) for defect, why in _UNREADABLE.items() if defect in heard.envelope.defects)
    first = next(found, tell("I cannot take that as a yes or as a no."))
    lead = tell("{first} Nothing was changed.", first=first) if len(ways) > 1 else first
    taken = _once(heard, key, "unclear", reader, tell("please answer yes or no"), (lead, *ways))
    return heard if asks_more else taken


def _once(
    heard: HeardMail, key: str, matter: str, reader: tuple[Member, str], subject: str, items: tuple[str, ...]
) -> Taken:
    if not _write(heard, key, matter, reader, subject, items):
        return heard.taken("ignored", f"its letter was answered so already ({matter})")
    return heard.taken("processed", f"a reply that is {matter}")


def _write(
    heard: HeardMail, key: str, matter: str, reader: tuple[Member, str], subject: str, items: tuple[str, ...]
) -> bool:
    """One letter about a matter and a question; False if it was written before."""
    idem = _key_of(key, matter)
    if heard.unit.letters.by_key(idem) is not None:
        return False
    member, address = reader
    letter = alert(
        member, heard.judge.office, key=idem, subject=_tagged(heard, key, subject), items=items, address=address,
        reply_as=CONFIRM + key,
    )  # fmt: skip
    return heard.send(letter)


_MATTERS = ("unclear", "denied", "not enough", "settled", "elsewhere")


def _key_of(key: str, matter: str) -> str:
    return f"judge/reply/{key}/{matter}"


def _tagged(heard: HeardMail, key: str, subject: str) -> str:
    """A subject with the game of the mail about which was asked, if it was about one."""
    mail, errand = heard.unit.inbox.under(key), find_errand(heard.unit, key)
    game = str(errand.facts.get("game", "")) if errand is not None else ""
    game = game or (mail.game if mail is not None else None) or ""
    return f"[{game}] {subject}" if game else subject
