"""Preview, approval, errata, numbers, back issues: what an editor does with an issue, and when it goes to press."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeGuard

from judge.game.core.commands import Decision, Refusal
from judge.languages import tell, tell_counted, together
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.orders.spelled import listed
from judge.report.core.naming import many
from judge.service.core.judge import Judge
from judge.service.people.participants import welcome
from judge.service.posting.outgoing import put_all
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import Transaction, View
from judge.store.zines import ZineIssueRow, ZineItemRow, ZineRow
from judge.zine import figures, gamebook, offices, subscribing
from judge.zine.desk import (
    TOPIC,
    IssueState,
    ZineOffice,
    ZineState,
    address_of,
    day_words,
    leads,
    led,
    makers,
    published,
    publisher_of,
    roles_of,
    shown,
    whole_issues,
    zine_meant,
    zone_of,
)
from judge.zine.draft import IssueDraft, draft
from judge.zine.issue import Issue, Item, ItemKind, chapter_alone, frozen, thawed
from judge.zine.items import PRINTED, in_one_line, show_item, waiting_items
from judge.zine.mailing import comes_as_text, faces_from_json, letters_of, mails_of
from judge.zine.own import corrected_since
from judge.zine.press_days import press_day, told_of_press
from judge.zine.register import keep_register
from judge.zine.subscribing import Subscribed, readers_of, subscribed
from judge.zine.verbs import ShowZine, ZineAct

Act = Callable[[HeardMail, ReadRequest, ZineAct], Result]


def _number(words: str) -> tuple[int, str]:
    """(the number at the beginning, the rest); 0 for none."""
    match = re.match(r"\s*#?(\d{1,5})\b[\s,:]*", words)
    return (int(match[1]), words[match.end() :].strip()) if match else (0, words.strip())


# --- preview ---------------------------------------------------------------------------------------------------------


def preview(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine preview 96`: the draft in every face, and what is wrong with it, in a letter of its own."""
    row = _maker(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    number, _ = _number(request.words)
    next_one = row.number + 1
    if number and number != next_one:
        if heard.unit.zines.issue(row.key, number) is not None:
            return Refusal("printed", tell("#{number} is printed.", number=number), mend=f"zine back issue {number}")
        return Refusal(
            "no-number", tell("The next issue is #{next_one}.", next_one=next_one), mend=f"zine number {number}"
        )
    person = heard.speaker.acting
    assert person is not None
    ask_preview(heard.unit, row, heard.now, person.id, str(heard.mail.id))
    return Decision(
        said=tell("The draft of #{next_one} of {row} comes in a letter of its own.", next_one=next_one, row=row.name)
    )


def ask_preview(unit: Transaction, row: ZineRow, now: datetime, person: int, why: str) -> None:
    """Have the draft made and sent to somebody who makes the zine."""
    number = row.number + 1
    known = unit.zines.issue(row.key, number)
    wanted = json.loads(known.facts).get("for", []) if known is not None else []
    facts = json.dumps({"for": [*wanted, [person, why]]})
    unit.zines.put_issue(ZineIssueRow(row.key, number, 0, IssueState.DRAFT, now, "", facts))
    unit.zines.put(replace(row, next_at=now))


def _maker(heard: HeardMail, named: str) -> ZineRow | Refusal:
    """The zine, if whoever speaks makes any of it."""
    row = zine_meant(heard, named)
    if isinstance(row, Refusal):
        return row
    if row.state == ZineState.RUNNING and ZineOffice.PUBLISHER in roles_of(heard, row.key):
        return row
    return led(heard, named)


# --- approval --------------------------------------------------------------------------------------------------------


def approve(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine approve 96`: the issue goes to everybody, once. `zine approve 96 chapter 2`: its publisher sends that."""
    number, rest = _number(request.words)
    chapter = re.fullmatch(r"chapter\s+(\d{1,2})[\s.!]*", rest, re.IGNORECASE)
    row = _maker(heard, request.zine) if chapter else led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    if rest and chapter is None:
        return Refusal(
            "too-much", tell('I do not know what "{rest}" is.', rest=rest[:40]), mend=f"zine approve {row.number + 1}"
        )
    number = number or row.number + 1
    if number <= row.number:
        return _approved_before(heard, row, number)
    if number != row.number + 1:
        sentence = tell("The next issue of {row} is #{row2}; nothing was sent.", row=row.name, row2=row.number + 1)
        return Refusal("no-number", sentence, mend=f"zine number {number}")
    keep_register(heard.judge, heard.unit, heard.now)
    if chapter is not None:
        return _approve_chapter(heard, row, number, int(chapter[1]))
    made = draft(heard.judge, heard.unit, row, number, heard.now)
    alone = [one.chapter for one in heard.unit.zines.issue_cards(row.key) if one.number == number and one.chapter > 0]
    issue = _with_chapters_sent(heard.unit, row, number, made.issue, alone)
    facts = {"seqs": dict(made.seqs), "years": dict(made.years), "items": list(made.items), "alone": alone}
    issued = ZineIssueRow(row.key, number, 0, IssueState.APPROVED, heard.now, frozen(issue), json.dumps(facts))
    heard.unit.zines.put_issue(issued)
    heard.unit.zines.put(replace(row, number=number, next_at=heard.now))
    _used(heard.unit, made.items, number)
    printed = [part for part in made.issue.chapters if part.number not in alone]
    gamebook.print_news(heard.unit, [entry.game for part in printed for entry in part.entries])
    count = sum(not how.paused for _, how in readers_of(heard.unit, row.key))
    left = tell("Chapter {map} went out before, by itself.", map=listed(map(str, alone))) if alone else ""
    told = (
        tell("{count} {get} it, each once", count=many(count, "subscriber"), get=tell_counted(count, "gets", "get"))
        if count
        else tell("nobody gets it yet")
    )
    if not mails_of(issued, issue):
        told = tell("all of it went out before, so only files of all and notices are mailed")
    return Decision(
        said=together(tell("#{number} of {row} goes to press: {told}.", number=number, row=row.name, told=told), left)
    )


def _approved_before(heard: HeardMail, row: ZineRow, number: int) -> Result:
    known = heard.unit.zines.issue(row.key, number)
    if known is None:
        return Refusal(
            "no-number",
            tell("There is no #{number} of {row} to be approved.", number=number, row=row.name),
            mend=f"zine {row.key}",
        )
    on = known.at.astimezone(zone_of(heard.judge, row))
    sentence = tell(
        "#{number} was approved on {day_words} at {on:%H:%M}; nobody gets it twice.",
        number=number,
        day_words=day_words(on),
        on=on,
    )
    return Refusal("approved-before", sentence, mend=f"zine preview {row.number + 1}")


def _approve_chapter(heard: HeardMail, row: ZineRow, number: int, chapter: int) -> Result:
    """One chapter by itself, by its publisher or the editor."""
    if not leads(heard, row.key) and chapter not in published(heard, row.key):
        whose = published(heard, row.key)
        mend = f"zine approve {number} chapter {whose[0]}" if whose else f"zine {row.key}"
        return Refusal("not-your-chapter", tell("You do not publish chapter {chapter}.", chapter=chapter), mend=mend)
    if heard.unit.zines.issue(row.key, number, chapter) is not None:
        return Refusal(
            "approved-before",
            tell(
                "Chapter {chapter} of #{number} went out already; nobody gets it twice.", chapter=chapter, number=number
            ),
        )
    made = draft(heard.judge, heard.unit, row, number, heard.now)
    found = next((one for one in made.issue.chapters if one.number == chapter), None)
    if found is None:
        return Refusal(
            "no-chapter", tell("{row} has no chapter {chapter}.", row=row.name, chapter=chapter), mend=f"zine {row.key}"
        )
    if not found.entries and not found.items:
        sentence = tell("Chapter {chapter} has no game and no item yet, so nothing was sent.", chapter=chapter)
        return Refusal("empty-chapter", sentence, mend=f"zine {row.key}")
    games = {entry.game for entry in found.entries}
    items = [one.number for one in found.items if one.number]
    items += [one.id for one in waiting_items(heard.unit, row.key) if one.game in games and one.id in made.items]
    alone = chapter_alone(made.issue, chapter)  # what belongs to no chapter is the editor's
    facts = {
        "seqs": {game: seq for game, seq in made.seqs.items() if game in games},
        "years": {game: year for game, year in made.years.items() if game in games},
    }
    issued = ZineIssueRow(row.key, number, chapter, IssueState.APPROVED, heard.now, frozen(alone), json.dumps(facts))
    heard.unit.zines.put_issue(issued)
    heard.unit.zines.put(replace(row, next_at=heard.now))
    _used(heard.unit, items, number)
    gamebook.print_news(heard.unit, games)
    return Decision(
        said=tell(
            "Chapter {chapter} of #{number} of {row} goes to press by itself.",
            chapter=chapter,
            number=number,
            row=row.name,
        )
    )


def _with_chapters_sent(unit: Transaction, row: ZineRow, number: int, issue: Issue, alone: Sequence[int]) -> Issue:
    """The whole issue, with the chapters as their publishers have sent them."""
    sent = {}
    for chapter in alone:
        kept = unit.zines.issue(row.key, number, chapter)
        assert kept is not None
        sent[chapter] = next(one for one in thawed(kept.value).chapters if one.number == chapter)
    return replace(issue, chapters=tuple(sent.get(one.number, one) for one in issue.chapters))


def _used(unit: Transaction, items: Sequence[int], number: int) -> None:
    """Items are printed; what is to be printed several times waits for its next."""
    for one in items:
        item = unit.zines.item(one)
        if item is None:
            continue
        left = item.left - 1 if item.left is not None and item.left > 1 else None
        unit.zines.save_item(replace(item, state=PRINTED, issue=number, left=left))


# --- after the press -------------------------------------------------------------------------------------------------


def errata(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine errata 96`: what was put right since, and words of the editor, as a short mail to everybody."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    number, words = _number(request.words)
    number = number or row.number
    issued = heard.unit.zines.issue(row.key, number)
    if issued is None or issued.state == IssueState.DRAFT:
        return Refusal(
            "no-number", tell("There is no #{number} of {row}.", number=number, row=row.name), mend=f"zine {row.key}"
        )
    proposed, seqs = errata_of(heard.judge, heard.unit, row, number)
    if not proposed and not words:
        sentence = tell(
            "Nothing in #{number} was put right since; write what is to be corrected behind the number.", number=number
        )
        return Refusal("no-errata", sentence, mend=f"zine errata {number} The epigraph is from Erehwon #83.")
    items = [Item(0, ItemKind.ERRATUM, text, title=title) for title, text in proposed]
    items += [Item(0, ItemKind.ERRATUM, words)] if words else []
    before = [one for one in heard.unit.zines.issue_cards(row.key) if one.number == number and one.chapter < 0]
    suffix = chr(ord("a") + min(len(before), 25))
    first = thawed(issued.value)
    today = heard.now.astimezone(zone_of(heard.judge, row)).date()
    issue = Issue(
        masthead=replace(
            first.masthead, suffix=suffix, date=today, title=tell("Corrections to #{number}", number=number)
        ),
        items=tuple(items),
    )
    facts = json.dumps({"seqs": seqs})
    kept = ZineIssueRow(row.key, number, -len(before) - 1, IssueState.APPROVED, heard.now, frozen(issue), facts)
    heard.unit.zines.put_issue(kept)
    heard.unit.zines.put(replace(row, next_at=heard.now))
    return Decision(
        said=tell(
            "#{number}{suffix} goes to press: {items} to #{number} of {row}.",
            number=number,
            suffix=suffix,
            items=many(len(items), "correction"),
            row=row.name,
        )
    )


def errata_of(
    judge: Judge, view: View | Transaction, row: ZineRow, number: int
) -> tuple[list[tuple[str, str]], dict[str, int]]:
    """What Gamemasters have put right of what an issue printed: (game and sentence) each, and up to which event."""
    seqs: dict[str, int] = {}
    for issued in view.zines.issue_cards(row.key):
        if issued.number == number and issued.state != IssueState.DRAFT:
            for game, seq in json.loads(issued.facts).get("seqs", {}).items():
                seqs[game] = max(seq, seqs.get(game, 0))
    found, upto = [], dict[str, int]()
    for game, seq in seqs.items():
        last = view.events.last_seq(game)
        if last > seq and (told := corrected_since(judge, view, game, seq)) is not None:
            found.append((game.upper(), told[0]))
            upto[game] = last
    return found, upto


def number_it(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine number 96`: the next issue has this number."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    number, rest = _number(request.words)
    if not request.words.strip(" ."):
        return Decision(said=tell("The next issue of {row} is #{row2}.", row=row.name, row2=row.number + 1))
    if not number or rest.strip(" ."):
        sentence = tell(
            "An issue's number is one from 1 to 99999; the next of {row} is still #{row2}.",
            row=row.name,
            row2=row.number + 1,
        )
        return Refusal("no-number", sentence, mend=f"zine number {number or row.number + 1}")
    issues = [one.number for one in heard.unit.zines.issue_cards(row.key) if one.state != IssueState.DRAFT]
    if number <= max(issues, default=0):
        return Refusal(
            "no-number",
            tell("#{issues} is printed; numbers go up.", issues=max(issues)),
            mend=f"zine number {max(issues) + 1}",
        )
    heard.unit.zines.put(replace(row, number=number - 1))
    return Decision(said=tell("The next issue of {row} is #{number}.", row=row.name, number=number))


_TO = re.compile(r"(?:to\s+)?(me|\S+@\S+)[\s.]*", re.IGNORECASE)


def resend(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine resend 96 to ADDRESS`: the issue once more, to a subscriber, or to the editor."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    number, rest = _number(request.words)
    match, me = _TO.fullmatch(rest or "me"), heard.speaker.acting
    if match is None or me is None:
        return Refusal(
            "no-address", tell("Say to whom."), mend=f"zine resend {number or row.number} to anna@example.org"
        )
    person = me.id
    if match[1].lower() != "me":
        address = read_address(match[1].strip("<>"))
        known = heard.unit.people.by_address(address, verified=True) if address else None
        if known is None or all(one.person_id != known.id for one, _ in readers_of(heard.unit, row.key)):
            sentence = tell(
                "{match} does not get {row}; nobody is sent what they have not asked for.", match=match[1], row=row.name
            )
            return Refusal("no-subscriber", sentence, mend=f"zine invite {match[1]}")
        person = known.id
    return _again(heard, row, number or row.number, person)


def back_issue(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine back issue 95`: an old issue, for everybody who asks."""
    row = zine_meant(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    heard, person = welcome(heard)
    if person is None:
        return offices.WHO
    number, _ = _number(request.words)
    if not heard.unit.contacts.allow(f"person:{person}", "back-issue", heard.now.date(), 10):
        return Refusal("enough-today", tell("You had ten back issues today; ask for more tomorrow."))
    return _again(heard, row, number or row.number, person)


def _again(heard: HeardMail, row: ZineRow, number: int, person: int) -> Result:
    issued = heard.unit.zines.issue(row.key, number)
    if not _is_sent(issued):
        there = [one.number for one in whole_issues(heard.unit, row.key, IssueState.SENT)]
        known = tell("There are {there}.", there=listed(f"#{one}" for one in there[-6:])) if there else ""
        return Refusal(
            "no-number",
            together(tell("There is no #{number} of {row}.", number=number, row=row.name), known),
            mend=f"zine {row.key}",
        )
    facts = json.loads(issued.facts)
    faces = faces_from_json(facts["faces"])
    rows = heard.unit.lists.subscriptions(person)
    how = next((subscribed(one) for one in rows if one.topic == TOPIC + row.key), Subscribed())
    member, me = heard.ledger.members[person], heard.speaker.acting
    wanted = replace(how, form="text") if how.form == "notice" else how
    if me is not None and me.id == person:  # who was told that it is too large, and asks for it, gets it
        wanted = replace(wanted, most=0)
    went_out = [(issued, faces)]
    if wanted.form not in faces.files:  # a file has all of it; chapters that went out by themselves come so again
        alone = [heard.unit.zines.issue(row.key, number, chapter) for chapter in facts.get("alone", ())]
        went_out += [(one, faces_from_json(json.loads(one.facts)["faces"])) for one in alone if _is_sent(one)]
    letters = [
        replace(letter, idem_key=f"{letter.idem_key}/again/{heard.mail.id}")
        for one, made in went_out
        for letter in letters_of(heard.judge, row, one, made, member, wanted)
    ]
    put_all(heard.judge, heard.unit, letters, heard.now, mail_id=heard.mail.id, noted=heard.done.letters)
    form = tell(", as text") if comes_as_text(faces, wanted.form) else ""
    return Decision(
        said=tell(
            "#{number} of {row} goes to {member} once more{form}.",
            number=number,
            row=row.name,
            member=member.name,
            form=form,
        )
    )


def _is_sent(issued: ZineIssueRow | None) -> TypeGuard[ZineIssueRow]:
    return issued is not None and issued.state == IssueState.SENT


# --- what everybody may see ------------------------------------------------------------------------------------------


def _page(heard: HeardMail, request: ShowZine) -> Result:
    """`zine NAME`: what it is, who makes it, and how to get it."""
    row = zine_meant(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    unit, members = heard.unit, heard.ledger.members
    editors = [members[one].name for one in makers(unit, row.key)]
    issues = [one.number for one in whole_issues(unit, row.key, IssueState.SENT)]
    lines = [
        tell(
            "{row} is made by {editors}; write to {address_of}.",
            row=row.name,
            editors=listed(editors) or tell("nobody yet"),
            address_of=address_of(heard.judge, row.key),
        ),
        told_of_press(row, heard.judge.config.zone, heard.now),
    ]
    for chapter in unit.zines.chapters(row.key):
        whose = publisher_of(unit, row.key, chapter.number)
        games = listed([game.upper() for game in chapter.games]) or "no games"
        by = tell("published by {members}", members=members[whose].name) if whose else tell("needs a publisher")
        lines.append(f"Chapter {chapter.number}: {games}; {by}.")
    if issues:
        lines.append(
            tell(
                "Issues: {issues}. To get one: zine back issue {issues2}",
                issues=", ".join(f"#{one}" for one in issues[-12:]),
                issues2=issues[-1],
            )
        )
    lines.append(tell("To get it: subscribe {row}", row=row.key))
    return shown(heard, row.name, lines)


def _list_all(heard: HeardMail, request: ShowZine) -> Result:
    """`zines`: every zine of this judge."""
    rows = [row for row in heard.unit.zines.all() if row.state == ZineState.RUNNING]
    if not rows:
        return shown(heard, "Zines", [tell('There is no zine here yet. To make one: zine new "TITLE"')])
    return shown(heard, "Zines", [f"{row.name}: subscribe {row.key}" for row in rows])


def _items(heard: HeardMail, request: ShowZine) -> Result:
    """`zine items`: what lies on the desk."""
    row = _maker(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    rows: Sequence[ZineItemRow] = [*waiting_items(heard.unit, row.key), *heard.unit.zines.items(row.key, "held")]
    if not rows:
        return shown(heard, tell("On the desk of {row}", row=row.name), ["Nothing."])
    lines = [in_one_line(one) for one in sorted(rows, key=lambda one: one.id)]
    return shown(heard, tell("On the desk of {row}", row=row.name), lines)


def _dashboard(heard: HeardMail, request: ShowZine) -> Result:
    """`zine dashboard`: how each game stands before press day."""
    row = _maker(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    made = draft(heard.judge, heard.unit, row, row.number + 1, heard.now)
    lines = [told_of_press(row, heard.judge.config.zone, heard.now), *dashboard_lines(made)]
    return shown(heard, f"#{row.number + 1} of {row.name}", lines)


def dashboard_lines(made: IssueDraft) -> list[str]:
    """Every game in a few words."""
    return [str(line) for line in made.lines]


# --- the table -------------------------------------------------------------------------------------------------------


_ACTS: Mapping[str, Act] = {
    "new": offices.found, "deputy": offices.deputy, "chapter": offices.chapter, "close": offices.close,
    "invite": subscribing.invite, "preview": preview, "approve": approve, "errata": errata, "number": number_it,
    "numbers": figures.numbers,
    "resend": resend, "back issue": back_issue, "press day": press_day, "game": gamebook.enter,
    "nudge": gamebook.nudge,
}  # fmt: skip


@answers
def show(heard: HeardMail, said: ReadRequest, request: ShowZine) -> Result:
    """Something to be read."""
    looks = {"page": _page, "list": _list_all, "items": _items, "dashboard": _dashboard, "item": show_item}
    return looks[request.what](heard, request)


@answers
def act(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """What stands behind `zine`."""
    return _ACTS[request.act](heard, said, request)
