"""Who gets a zine: subscribing, another form, a pause, leaving. Being a subscriber and being a player have nothing to
do with each other.

A subscription is a row of the lists that everybody can leave, so that List-Unsubscribe, one click and `forget me` do
for zines what they do for games. Nobody subscribes somebody else: an editor has people asked, and each says yes.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from datetime import timedelta

from judge.game.core.commands import Decision, Refusal
from judge.languages import speak, tell, together, told_later
from judge.mail.assent import Word, answer_of
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.orders.spelled import listed
from judge.report.core.letter import Member
from judge.report.reply.unproved import NOBODY
from judge.service.core.directory import Errand, settle_errand
from judge.service.core.persons import enrol
from judge.service.people.participants import welcome
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust.heard import HeardMail, Result, Taken, answers, errand_answered, keep_errand
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import is_from, subjects_answered, with_the_rest
from judge.store import Transaction, View
from judge.store.rows import Subscription
from judge.store.zines import ZineRow
from judge.zine.desk import TOPIC, ZineOffice, ZineState, desk_letter, led, zine_meant
from judge.zine.offices import WHO, ask_to_edit
from judge.zine.verbs import LeaveZine, SubscribeZine, ZineAct

ASKED = "zine-reader"
"""What the letters ask: somebody whether they want to get a zine."""
_REMEMBERED = timedelta(days=30)
AT_A_TIME, PER_DAY, PER_ADDRESS = 60, 120, 2
"""Addresses that one mail may have asked, one zine in a day, and such letters to an address in a day."""

FORM_WORDS = {
    "text": told_later("as text"),
    "ascii": told_later("as text in ASCII alone"),
    "html": told_later("as a page"),
    "pdf": told_later("as PDF to print, on A4"),
    "letter": told_later("as PDF to print, on Letter"),
    "a5": told_later("as PDF to print, on A5"),
    "booklet": told_later("as a booklet: PDF on A4, to be printed on both sides and folded"),
    "epub": told_later("as EPUB for a reader"),
    "notice": told_later("as word that there is a new issue"),
}


@dataclass(frozen=True, slots=True)
class Subscribed:
    """How somebody gets a zine. `most`: KB of one mail, 0 for any size; above it word of the issue comes instead."""

    form: str = "text"
    most: int = 0
    paused: bool = False


def subscribed(row: Subscription) -> Subscribed:
    """The options of a subscription as they are kept."""
    known = Subscribed.__dataclass_fields__
    return Subscribed(**{name: value for name, value in json.loads(row.options).items() if name in known})


def readers_of(view: View | Transaction, zine: str) -> list[tuple[Subscription, Subscribed]]:
    """Everybody who gets a zine, the oldest subscription first."""
    return [(row, subscribed(row)) for row in view.lists.subscribers(TOPIC + zine)]


def _row(heard: HeardMail, zine: str, person: int) -> Subscription | None:
    rows = heard.unit.lists.subscriptions(person)
    return next((row for row in rows if row.topic == TOPIC + zine), None)


@answers
def subscribe(heard: HeardMail, said: ReadRequest, request: SubscribeZine) -> Result:
    """Get a zine, or another form of it; whoever wants to be its editor asks the operator."""
    if request.role == "editor":
        if not request.zine:
            return Refusal(
                "no-title", tell("Say how the zine is called."), mend="subscribe electronic-protocol as editor"
            )
        return ask_to_edit(heard, request.zine)
    row = zine_meant(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    if row.state != ZineState.RUNNING:
        return Refusal("zine-closed", tell("{row} takes no subscribers now.", row=row.name), mend="zines")
    heard, person = welcome(heard)
    if person is None:
        return WHO
    return Decision(said=_enter(heard, row, person, request.form, request.most))


def _enter(heard: HeardMail, row: ZineRow, person: int, form: str, most: int) -> str:
    known = _row(heard, row.key, person)
    before = subscribed(known) if known is not None else Subscribed()
    wanted = replace(before, form=form or before.form, most=most or before.most, paused=False)
    since = known.since if known is not None else heard.now
    heard.unit.lists.subscribe(person, TOPIC + row.key, since, options=json.dumps(asdict(wanted)))
    size = tell(", in mails of at most {most} KB", most=wanted.most) if wanted.most else ""
    begin = tell("You get") if known is None else tell("You go on getting")
    return tell(
        "{begin} {row} {form_words}{size}. To end that: leave zine {row2}",
        begin=begin,
        row=row.name,
        form_words=tell(FORM_WORDS[wanted.form]),
        size=size,
        row2=row.key,
    )


@answers
def leave(heard: HeardMail, said: ReadRequest, request: LeaveZine) -> Result:
    """Get a zine no more, or for a while."""
    row, person = zine_meant(heard, request.zine), heard.speaker.acting
    if isinstance(row, Refusal):
        return row
    known = _row(heard, row.key, person.id) if person is not None else None
    if person is None or known is None:
        return Refusal("no-subscriber", tell("You do not get {row}.", row=row.name), mend=f"subscribe {row.key}")
    if request.how == "leave":
        heard.unit.lists.unsubscribe(person.id, TOPIC + row.key)
        return Decision(
            said=tell("You get {row} no more. Games that you play or observe are not touched.", row=row.name)
        )
    wanted = replace(subscribed(known), paused=request.how == "pause")
    heard.unit.lists.subscribe(person.id, known.topic, known.since, options=json.dumps(asdict(wanted)))
    if wanted.paused:
        return Decision(
            said=tell("No issue of {row} comes until you write: resume zine {row2}", row=row.name, row2=row.key)
        )
    return Decision(said=tell("The issues of {row} come again.", row=row.name))


_OFFICES = {
    ZineOffice.EDITOR: told_later("editor"),
    ZineOffice.DEPUTY: told_later("deputy"),
    ZineOffice.PUBLISHER: told_later("publisher"),
}


def places_of(view: View, person: int) -> list[str]:
    """What somebody is to each zine that is not closed, in words: offices first, then what they get."""
    lines = []
    for row in view.zines.offices(person):
        zine = view.zines.get(row.zine)
        if zine is not None and zine.state != ZineState.CLOSED:
            office = tell(_OFFICES[ZineOffice(row.role)])
            if row.chapter:
                office = tell("{office} of chapter {chapter}", office=office, chapter=row.chapter)
            if zine.state == ZineState.ASKED:
                office = tell("{office}, once the operator approves", office=office)
            lines.append(f"{zine.name}: {office}")
    for one in view.lists.subscriptions(person):
        zine = view.zines.get(one.topic.removeprefix(TOPIC)) if one.topic.startswith(TOPIC) else None
        if zine is not None and zine.state != ZineState.CLOSED:
            how = subscribed(one)
            said = tell("subscriber, {form}, paused" if how.paused else "subscriber, {form}", form=how.form)
            lines.append(f"{zine.name}: {said}")
    return lines


# --- a list of people to be asked ------------------------------------------------------------------------------------


def invite(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine invite ADDRESS, ADDRESS`: each gets a letter, and says yes or nothing."""
    row, editor = led(heard, request.zine), heard.speaker.acting
    if isinstance(row, Refusal):
        return row
    words = [word.strip("<>()") for word in re.split(r"[\s,;]+", request.words) if "@" in word]
    found = {word: read_address(word) for word in words}
    bad = listed([word[:40] for word, address in found.items() if address is None][:5])
    good = list(dict.fromkeys(address for address in found.values() if address is not None))
    if not good:
        wrong = tell("{bad} cannot be written to.", bad=bad) if bad else ""
        return Refusal(
            "no-address",
            together(wrong, tell("Say whom to ask, by mail address.")),
            mend="zine invite anna@example.org",
        )
    if len(good) > AT_A_TIME:
        return Refusal(
            "too-many",
            tell(
                "One mail asks {at_a_time} at most, and this one names {good}; nobody was.",
                at_a_time=AT_A_TIME,
                good=len(good),
            ),
        )
    today, contacts, asked = heard.now.date(), heard.unit.contacts, 0
    for address in good:
        person = heard.unit.people.by_address(address, verified=True)
        if person is not None and _row(heard, row.key, person.id) is not None:
            continue
        if not contacts.allow(address, "invited", today, PER_ADDRESS):
            continue
        if not contacts.allow(f"zine:{row.key}", "invited", today, PER_DAY):
            break
        _ask(
            heard,
            row,
            address,
            heard.ledger.members[person.id] if person else NOBODY,
            editor.name if editor else "",
        )
        asked += 1
    rest = len(good) - asked
    left = (
        (
            tell("{rest} was not: they get it already, or were written to today.", rest=rest)
            if rest == 1
            else tell("{rest} were not: they get it already, or were written to today.", rest=rest)
        )
        if rest
        else ""
    )
    left = together(left, tell("No mail address, and nobody asked: {bad}.", bad=bad) if bad else "")
    return Decision(
        said=(
            together(tell("{asked} is asked whether they want {row}.", asked=asked, row=row.name), left)
            if asked == 1
            else together(tell("{asked} are asked whether they want {row}.", asked=asked, row=row.name), left)
        )
    )


def _ask(heard: HeardMail, row: ZineRow, address: str, member: Member, editor: str) -> None:
    reference = keep_errand(heard, ASKED, member.person, _REMEMBERED, zine=row.key, address=address)
    with speak(heard.judge.language(member.language)):
        items = (
            tell(
                "{editor} makes the zine {row} and asks whether you want to get it. Nothing comes unless you say so.",
                editor=editor,
                row=row.name,
            ),
            tell("If you do, reply to this letter with one word on its first line: yes"),
            tell("If you do not, you need do nothing."),
        )
        heard.send(
            desk_letter(
                heard.judge,
                row,
                member,
                about=f"asked-{reference}",
                subject=tell("do you want to get {row}?", row=row.name),
                items=items,
                reply_as=CONFIRM + reference,
                address=address,
            )
        )


@errand_answered(ASKED)
def asked(heard: HeardMail, errand: Errand) -> Taken | HeardMail:
    """The answer of somebody who was asked whether they want a zine."""
    address = str(errand.facts["address"])
    member = heard.ledger.members[errand.person] if errand.person else NOBODY
    row = heard.unit.zines.get(str(errand.facts["zine"]))
    if row is None or errand.settled or not is_from(heard, member, address):
        return heard
    word = answer_of(heard.envelope, subjects_answered(heard))
    if word is None:
        heard = read_requests(heard)
        return heard if heard.script.said else heard.taken("ignored", "neither yes nor no to a zine")
    settle_errand(heard.unit, errand, f"the answer was {word}")
    if word is Word.NO:
        return with_the_rest(heard, "a zine is not wanted", tell("You do not get {row}.", row=row.name))
    if row.state != ZineState.RUNNING:
        told = tell("{row} is closed by now, so nothing of it comes.", row=row.name)
        heard.send(
            desk_letter(
                heard.judge, row, member, about=f"closed-{errand.key}", subject=tell("{row} is closed", row=row.name),
                items=(told,), address=address,
            )
        )  # fmt: skip
        return with_the_rest(heard, "a zine is closed", told)
    person = enrol(heard.judge, heard.unit, address, called=heard.envelope.from_name, verified=True)
    heard.ledger.members.learn(person)
    told = _enter(heard, row, person.id, "", 0)
    reader = heard.ledger.members[person.id]
    heard.send(
        desk_letter(
            heard.judge,
            row,
            reader,
            about=f"entered-{errand.key}",
            subject=tell("you get {row}", row=row.name),
            items=(told,),
        )
    )
    return with_the_rest(heard, "a zine is wanted", told)
