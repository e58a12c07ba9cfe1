"""The answers to the letters that invite to a tournament: a yes or a no in their reader's own words.

A reply from the invited address proves it, so a yes enters whoever reads it, known here or not. From any other address
it is a mail like any other: whoever may enter says so by the tournament's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.mail.assent import Word
from judge.mail.queries import Query
from judge.mail.vocabulary.tournament import EnterTournament, WithdrawFromTournament
from judge.people import tournament as tm
from judge.report.core.alerts import alert
from judge.report.core.frame import Member
from judge.report.reply.doorstep import NOBODY
from judge.report.reply.tournament import declined
from judge.service.core.persons import enrol
from judge.service.hearing.invited_words import answer_of_invited
from judge.service.hearing.seating_invited import says_besides, says_instead
from judge.service.people import door
from judge.service.posting.mailbag import CONFIRM
from judge.service.tournament.entering import TO_TOURNAMENT
from judge.service.tournament.log import load
from judge.service.tournament.telling import tell_director
from judge.service.trust import errands
from judge.service.trust.errands import Errand
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import goes_on_behind, is_from
from judge.service.trust.sitting import Sitting, Taken

_MOST_PASSED_ON = 40
"""Lines of a reply that the director gets to read."""


@errands.answered(TO_TOURNAMENT)
def answered(sitting: Sitting, errand: Errand) -> Taken | Sitting | None:
    """A reply to an invitation: who wrote it, and what they say."""
    now, address = load(sitting.unit, str(errand.facts["name"])), str(errand.facts["address"])
    owner = sitting.unit.people.by_address(address, verified=True)
    if now is None or not is_from(sitting, sitting.ledger.members[owner.id] if owner else NOBODY, address):
        return None
    read_requests(sitting)
    enters = any(isinstance(one.request, EnterTournament) for one in sitting.script.said)
    word, never = answer_of_invited(sitting)
    if word is None and enters:
        word = Word.YES
    if word is not None:
        door.heard_from(sitting, address, never=never)
    if word is Word.YES:
        return _yes(sitting, now, address)
    takes_part = owner is not None and owner.id in now.staying
    if word is Word.NO:
        return _withdraws(sitting, now) if takes_part else _no(sitting, now, errand, never=never)
    if takes_part or (_asks_for_more(sitting) and not says_besides(sitting)):
        return None
    unclear = _unclear(sitting, now, errand)
    return None if _asks_for_more(sitting) else unclear


def _asks_for_more(sitting: Sitting) -> bool:
    """Whether a reply asks for something by our words; a question in its author's own is for the director."""
    noise = sitting.envelope.noise.is_noise or sitting.envelope.unsafe
    return bool(noise) or any(not (one.here and isinstance(one.request, Query)) for one in sitting.script.said)


def _yes(sitting: Sitting, now: tm.Tournament, address: str) -> Sitting:
    """Whoever reads the invited address is a person here from now on, and takes part; the rest of the mail is heard."""
    person = enrol(sitting.house, sitting.unit, address, called=sitting.envelope.from_name, verified=True)
    sitting.ledger.members.learn(person)
    sitting.speaker = replace(sitting.speaker, person=person, confirmed=True, holder=person, letter=False)
    if not any(isinstance(one.request, EnterTournament) for one in sitting.script.said):
        says_instead(sitting, EnterTournament(now.name), "tournament")
    return sitting


def _withdraws(sitting: Sitting, now: tm.Tournament) -> Sitting:
    """A no of somebody who takes part already."""
    sitting.speaker = replace(sitting.speaker, confirmed=True)
    if not any(isinstance(one.request, WithdrawFromTournament) for one in sitting.script.said):
        says_instead(sitting, WithdrawFromTournament(now.name), "tournament")
    return sitting


def _no(sitting: Sitting, now: tm.Tournament, errand: Errand, *, never: bool) -> Taken | None:
    """The director hears of it once."""
    address = str(errand.facts["address"])
    tell_director(sitting.house, sitting.unit, now, declined(address), about=f"declined-{errand.key}")
    more = "You get no more invitations from this judge, whoever sends them." if never else (
        f"If you think better of it, write: tournament {now.name} enter"
    )  # fmt: skip
    said = f"You take no part in {now.name}, and {_director(sitting, now).name} is told so."
    if goes_on_behind(sitting, f"{said} {more}"):
        return None
    items = (f"{said} {more}",)
    return _once(sitting, now, errand, "never" if never else "declined", "you do not take part", items)


def _unclear(sitting: Sitting, now: tm.Tournament, errand: Errand) -> Taken:
    """Neither yes nor no: what to write, once; words that are a person's go to the director."""
    words = sitting.envelope.own_text.strip()
    director = _director(sitting, now)
    if words:
        about = f"{errand.facts['address']} has answered your invitation to {now.name}, with neither yes nor no:"
        sitting.send(
            alert(
                director, sitting.house.office, key=f"tournament/{now.name}/words/{errand.key}/{sitting.mail.id}",
                subject=f"[{now.name}] words in answer to your invitation", items=(about,),
                quoted=words.split("\n")[:_MOST_PASSED_ON],
            )
        )  # fmt: skip
    passed_on = f" Your words went to {director.name}, who leads it." if words else ""
    items = (
        f"I cannot take that as a yes or as a no to the invitation to {now.name}; you do not take part yet.{passed_on}",
        "If you want to take part, reply to this letter with one word on its first line: yes",
        "If you do not: no",
        f"Its rules, its pace and who takes part: tournament {now.name}",
    )
    return _once(sitting, now, errand, "unclear", "do you take part?", items)


def _director(sitting: Sitting, now: tm.Tournament) -> Member:
    return sitting.ledger.members[now.terms.director]


def _once(
    sitting: Sitting, now: tm.Tournament, errand: Errand, matter: str, subject: str, items: Sequence[str]
) -> Taken:
    """One letter about a matter and an invitation, to the invited address."""
    address = str(errand.facts["address"])
    idem = f"tournament/{now.name}/invited/{errand.key}/{errand.facts['sent']}/{matter}"
    if sitting.unit.letters.by_key(idem) is not None:
        return Taken("ignored", f"its invitation was answered so already ({matter})", letters=sitting.letters)
    person = sitting.unit.people.by_address(address, verified=True)
    letter = alert(
        sitting.ledger.members[person.id] if person else NOBODY, sitting.house.office, key=idem,
        subject=f"[{now.name}] {subject}", items=items, address=address, reply_as=CONFIRM + errand.key,
    )  # fmt: skip
    sitting.send(letter)
    return Taken("processed", f"an answer to an invitation: {matter}", letters=sitting.letters)
