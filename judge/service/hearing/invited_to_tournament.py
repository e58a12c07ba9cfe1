"""The answers to the letters that invite to a tournament: a yes or a no in their reader's own words.

A reply from the invited address proves it, so a yes enters whoever reads it, known here or not. From any other address
it is a mail like any other: whoever may enter says so by the tournament's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.languages import speak, tell, together
from judge.mail.assent import Word
from judge.mail.queries import Query
from judge.mail.vocabulary.tournament import EnterTournament, WithdrawFromTournament
from judge.people import tournament as tm
from judge.report.core.letter import Member
from judge.report.reply.tournament import declined
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.directory import Errand
from judge.service.core.persons import enrol
from judge.service.hearing.invited import answer_of_invited, says_besides, says_instead
from judge.service.people import applicants
from judge.service.posting.outgoing import CONFIRM
from judge.service.tournament.requests import TO_TOURNAMENT
from judge.service.tournament.telling import load, tell_director
from judge.service.trust.heard import HeardMail, Ready, Taken, errand_answered
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import goes_on_behind, is_from

_MOST_PASSED_ON = 40
"""Lines of a reply that the director gets to read."""


@errand_answered(TO_TOURNAMENT)
def answered(heard: HeardMail, errand: Errand) -> Taken | Ready | HeardMail:
    """A reply to an invitation: who wrote it, and what they say."""
    now, address = load(heard.unit, str(errand.facts["name"])), str(errand.facts["address"])
    owner = heard.unit.people.by_address(address, verified=True)
    if now is None or not is_from(heard, heard.ledger.members[owner.id] if owner else NOBODY, address):
        return heard
    heard = read_requests(heard)
    enters = any(isinstance(one.request, EnterTournament) for one in heard.script.said)
    word, never = answer_of_invited(heard)
    if word is None and enters:
        word = Word.YES
    if word is not None:
        applicants.heard_from(heard, address, never=never)
    if word is Word.YES:
        return _yes(heard, now, address)
    takes_part = owner is not None and owner.id in now.staying
    if word is Word.NO:
        return _withdraws(heard, now) if takes_part else _no(heard, now, errand, never=never)
    if takes_part or (_asks_for_more(heard) and not says_besides(heard)):
        return heard
    unclear = _unclear(heard, now, errand)
    return heard if _asks_for_more(heard) else unclear


def _asks_for_more(heard: HeardMail) -> bool:
    """Whether a reply asks for something by our words; a question in its author's own is for the director."""
    noise = heard.envelope.noise.is_noise or heard.envelope.unsafe
    return bool(noise) or any(not (one.here and isinstance(one.request, Query)) for one in heard.script.said)


def _yes(heard: HeardMail, now: tm.Tournament, address: str) -> Ready:
    """Whoever reads the invited address is a person here from now on, and takes part; the rest of the mail is heard."""
    person = enrol(heard.judge, heard.unit, address, called=heard.envelope.from_name, verified=True)
    heard.ledger.members.learn(person)
    speaker = replace(heard.speaker, person=person, confirmed=True, holder=person, letter=False)
    heard = replace(heard, speaker=speaker)
    if any(isinstance(one.request, EnterTournament) for one in heard.script.said):
        return Ready(heard)
    return Ready(says_instead(heard, EnterTournament(now.name), "tournament"))


def _withdraws(heard: HeardMail, now: tm.Tournament) -> Ready:
    """A no of somebody who takes part already."""
    heard = replace(heard, speaker=replace(heard.speaker, confirmed=True))
    if any(isinstance(one.request, WithdrawFromTournament) for one in heard.script.said):
        return Ready(heard)
    return Ready(says_instead(heard, WithdrawFromTournament(now.name), "tournament"))


def _no(heard: HeardMail, now: tm.Tournament, errand: Errand, *, never: bool) -> Taken | HeardMail:
    """The director hears of it once."""
    address = str(errand.facts["address"])
    tell_director(heard.judge, heard.unit, now, declined(address), about=f"declined-{errand.key}")
    more = tell("You get no more invitations from this judge, whoever sends them.") if never else (
        tell("If you think better of it, write: tournament {now} enter", now=now.name)
    )  # fmt: skip
    said = tell(
        "You take no part in {now}, and {director} is told so.", now=now.name, director=_director(heard, now).name
    )
    if (behind := goes_on_behind(heard, f"{said} {more}")) is not None:
        return behind
    items = (f"{said} {more}",)
    return _once(heard, now, errand, "never" if never else "declined", tell("you do not take part"), items)


def _unclear(heard: HeardMail, now: tm.Tournament, errand: Errand) -> Taken:
    """Neither yes nor no: what to write, once; words that are a person's go to the director."""
    words = heard.envelope.own_text.strip()
    director = _director(heard, now)
    if words:
        with speak(heard.judge.language(director.language)):
            about = tell(
                "{facts} has answered your invitation to {now}, with neither yes nor no:",
                facts=errand.facts["address"],
                now=now.name,
            )
            letter = alert(
                director, heard.judge.office, key=f"tournament/{now.name}/words/{errand.key}/{heard.mail.id}",
                subject=tell("[{now}] words in answer to your invitation", now=now.name), items=(about,),
                quoted=words.split("\n")[:_MOST_PASSED_ON],
            )  # fmt: skip
        heard.send(letter)
    passed_on = tell("Your words went to {director}, who leads it.", director=director.name) if words else ""
    items = (
        together(
            tell(
                "I cannot take that as a yes or as a no to the invitation to {now}; you do not take part yet.",
                now=now.name,
            ),
            passed_on,
        ),
        tell("If you want to take part, reply to this letter with one word on its first line: yes"),
        tell("If you do not: no"),
        tell("Its rules, its pace and who takes part: tournament {now}", now=now.name),
    )
    return _once(heard, now, errand, "unclear", tell("do you take part?"), items)


def _director(heard: HeardMail, now: tm.Tournament) -> Member:
    return heard.ledger.members[now.terms.director]


def _once(
    heard: HeardMail, now: tm.Tournament, errand: Errand, matter: str, subject: str, items: Sequence[str]
) -> Taken:
    """One letter about a matter and an invitation, to the invited address."""
    address = str(errand.facts["address"])
    idem = f"tournament/{now.name}/invited/{errand.key}/{errand.facts['sent']}/{matter}"
    if heard.unit.letters.by_key(idem) is not None:
        return heard.taken("ignored", f"its invitation was answered so already ({matter})")
    person = heard.unit.people.by_address(address, verified=True)
    letter = alert(
        heard.ledger.members[person.id] if person else NOBODY, heard.judge.office, key=idem,
        subject=f"[{now.name}] {subject}", items=items, address=address, reply_as=CONFIRM + errand.key,
    )  # fmt: skip
    heard.send(letter)
    return heard.taken("processed", f"an answer to an invitation: {matter}")
