"""Who makes a zine: its editor, approved by the operator, a deputy, and publishers who say yes by their own mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta

from judge.game.core.commands import Decision, Question, Refusal
from judge.languages import speak, tell, together, told_later
from judge.mail.assent import Word, answer_of
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.orders.spelled import listed
from judge.report.core.letter import Letter, Member
from judge.report.reply.unproved import NOBODY
from judge.service.core.directory import Errand, member, settle_errand
from judge.service.core.judge import Judge
from judge.service.core.persons import enrol
from judge.service.people.participants import welcome
from judge.service.posting.operator import tell_operator
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust.heard import HeardMail, Result, Taken, errand_answered, keep_errand, not_to_see
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import is_from, subjects_answered, with_the_rest
from judge.store import Transaction, View
from judge.store.people import alike
from judge.store.zines import ChapterRow, ZinePersonRow, ZineRow
from judge.zine.desk import (
    PREFIX,
    IssueState,
    ZineOffice,
    ZineState,
    address_of,
    chapter_at,
    desk_letter,
    key_of,
    largest_picture,
    led,
    roles_of,
    set_games,
    to_each,
    whole_issues,
)
from judge.zine.verbs import ZineAct

APPROVAL, APPOINTMENT = "zine-editor", "zine-office"
"""What the letters ask: the operator for an editor, somebody whether they take an office."""

_REMEMBERED = timedelta(days=30)
WHO = Refusal("who", told_later("I do not know you yet."), mend="register")
_ASKED_A_DAY = 3
"""So often a day the operator is asked who may make one zine."""


# --- founding --------------------------------------------------------------------------------------------------------


def found(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine new "TITLE"`: a zine of this title, or this title for the one that its author has asked for."""
    title = " ".join(request.words.strip().strip("\"'“”").split())
    key = key_of(title)
    if not key or len(title) > 60:
        return Refusal("no-title", tell("A zine needs a title of at most 60 characters."), mend='zine new "My Zine"')
    return ask_to_edit(heard, key, title)


def ask_to_edit(heard: HeardMail, key: str, title: str = "") -> Result:
    """Somebody wants to make a zine of this key; the operator is asked, once."""
    heard, person = welcome(heard)
    if person is None:
        return WHO
    unit, row = heard.unit, heard.unit.zines.get(key)
    if row is not None:
        return _asked_before(heard, row, person, title)
    if unit.games.find(PREFIX + key) is not None:
        return Refusal(
            "name-taken",
            tell("A game is called {prefix}{key}, which would be the zine's address.", prefix=PREFIX, key=key),
        )
    waiting = [one for one in unit.zines.offices(person) if one.role == ZineOffice.EDITOR]
    if sum(unit.zines.get(one.zine).state == ZineState.ASKED for one in waiting) >= 2:  # type: ignore[union-attr]
        return Refusal("too-many", tell("Two of your zines wait for the operator already."))
    row = ZineRow(key, title or key.replace("-", " ").title(), ZineState.ASKED, 0, None, heard.now)
    unit.zines.put(row)
    unit.zines.put_person(ZinePersonRow(key, ZineOffice.EDITOR, 0, person, heard.now))
    return _ask_operator(heard, row, person)


def _ask_operator(heard: HeardMail, row: ZineRow, person: int) -> Decision:
    """A zine that is new, closed, or without an editor: whether this person may make it."""
    key, name = row.key, row.name
    config, who = heard.judge.config, heard.ledger.members[person]
    if config.operator and alike(who.address, config.operator):
        return Decision(said=_opened(heard, row, person))
    if not config.operator:
        return Decision(
            said=tell(
                "{name} is asked for, and nobody can approve it yet: this judge's configuration names "
                'no operator. Whoever runs it can set `operator` there; then send me "zine new '
                '{name}" once more.',
                name=name,
            )
        )
    heard.unit.contacts.allow(f"zine:{key}", "editor-asked", heard.now.date(), _ASKED_A_DAY)
    reference = keep_errand(heard, APPROVAL, person, _REMEMBERED, zine=key)
    items = (
        tell(
            "{who} ({address}) wants to make a zine on this judge: {name}, at {address_of}.",
            who=who.name,
            address=who.address,
            name=name,
            address_of=address_of(heard.judge, key),
        ),
        tell("An editor may write to everybody who subscribes, and reads what is public of every game."),
        tell("If you approve, reply to this letter with one word on its first line: yes"),
        tell("If you do not: no"),
    )
    heard.send(
        desk_letter(
            heard.judge, row, NOBODY, about=f"approval-{reference}",
            subject=tell("{who} wants to edit a zine", who=who.name), items=items,
            reply_as=CONFIRM + reference, address=config.operator,
        )
    )  # fmt: skip
    return Decision(
        said=tell("{name} is asked for: the operator of this judge is asked whether you may make it.", name=name)
    )


def _asked_before(heard: HeardMail, row: ZineRow, person: int, title: str) -> Result:
    editors = editors_of(heard.unit, row.key)
    if not editors or (person in editors and row.state == ZineState.CLOSED):
        if _times_asked(heard, row) >= _ASKED_A_DAY:
            return Refusal(
                "enough-today", tell("The operator was asked about {row} today; try again tomorrow.", row=row.name)
            )
        return _ask_operator(heard, row, person)
    if person not in editors:
        return Refusal("zine-taken", tell("{row} has an editor already.", row=row.name), mend=f"zine {row.key}")
    if title and title != row.name:
        row = replace(row, name=title)
        heard.unit.zines.put(row)
    if row.state == ZineState.ASKED:
        return _asked_again(heard, row, person)
    return Decision(
        said=tell(
            "{row} is yours; its address is {address_of}.", row=row.name, address_of=address_of(heard.judge, row.key)
        )
    )


def editors_of(unit: Transaction, zine: str) -> list[int]:
    """Whose zine it is; nobody's once they are forgotten."""
    return [one.person_id for one in unit.zines.people(zine) if one.role == ZineOffice.EDITOR]


def _asked_again(heard: HeardMail, row: ZineRow, person: int) -> Decision:
    """A zine that waits for the operator's word, who is reminded once a day and may not have been known before."""
    if not _times_asked(heard, row):
        return _ask_operator(heard, row, person)
    return Decision(
        said=tell("{row} waits for the word of the operator; you get a letter when it comes.", row=row.name)
    )


def _times_asked(heard: HeardMail, row: ZineRow) -> int:
    """How often the operator was asked about a zine today."""
    return heard.unit.contacts.count(f"zine:{row.key}", "editor-asked", heard.now.date())


def _opened(heard: HeardMail, row: ZineRow, person: int) -> str:
    """What a zine has had before, its chapters and its readers, it keeps. A new one rests until its editor has set it
    up: games get their numbers when the register is first kept, by the rule that is set by then.
    """
    again = None if row.state == ZineState.ASKED else heard.now
    heard.unit.zines.put(replace(row, state=ZineState.RUNNING, next_at=again))
    if not heard.unit.zines.chapters(row.key):
        heard.unit.zines.put_chapter(ChapterRow(row.key, 1))
    _take(heard, row, ZineOffice.EDITOR, 0, person)
    picture = tell(
        "A picture that is sent in may have {largest_picture} KB.", largest_picture=largest_picture(heard.judge)
    )
    at = address_of(heard.judge, row.key)
    return tell(
        "{row} is yours; its address is {at}. {picture} How it is made: help editing",
        row=row.name,
        at=at,
        picture=picture,
    )


@errand_answered(APPROVAL)
def approval(heard: HeardMail, errand: Errand) -> Taken | HeardMail:
    """The operator's answer."""
    operator = heard.judge.config.operator
    if not is_from(heard, NOBODY, operator):
        return heard
    row = heard.unit.zines.get(str(errand.facts["zine"]))
    word = answer_of(heard.envelope, subjects_answered(heard))
    if row is None or errand.settled or word is None:
        return (
            heard.taken("ignored", "no yes and no no to an editor")
            if word is None
            else heard.taken("processed", "settled")
        )
    editor = heard.ledger.members[errand.person]
    with speak(heard.judge.language(editor.language)):
        subject, sentence = _approval_answered(heard, errand, row, word)
    heard.send(desk_letter(heard.judge, row, editor, about="approved", subject=subject, items=(sentence,)))
    return with_the_rest(
        heard,
        f"an editor: {errand.settled or 'answered'}",
        tell("{editor} is told.", editor=editor.name),
    )


def _approval_answered(heard: HeardMail, errand: Errand, row: ZineRow, word: Word) -> tuple[str, str]:
    """The subject and the words of the letter to somebody who asked for a zine."""
    others = set(editors_of(heard.unit, row.key)) - {errand.person}
    if row.state == ZineState.RUNNING and others:  # two asked for a zine without an editor
        settle_errand(heard.unit, errand, "there is another editor")
        return tell("{row} has an editor", row=row.name), tell("Somebody else makes {row} now.", row=row.name)
    if word is Word.YES:
        settle_errand(heard.unit, errand, "the answer was yes")
        return tell("you are the editor of {row}", row=row.name), _opened(heard, row, errand.person)
    settle_errand(heard.unit, errand, "the answer was no")
    if row.state == ZineState.ASKED:
        heard.unit.zines.put(replace(row, state=ZineState.CLOSED))
    sentence = tell("The operator of this judge does not want {row}.", row=row.name)
    return tell("{row} is not approved", row=row.name), sentence


# --- deputies and publishers -----------------------------------------------------------------------------------------


def deputy(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine deputy ADDRESS`, `zine deputy off`."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    return _appoint(heard, row, ZineOffice.DEPUTY, 0, request.words)


_CHAPTER = re.compile(r"(\d{1,2})\s*(games?|publisher|title|drop)?\s*:?\s*(.*)", re.IGNORECASE | re.DOTALL)


def chapter(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine chapter 2 publisher ADDRESS`, `... games A, B`, `... title T`."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    match = _CHAPTER.fullmatch(request.words.strip())
    if match is None or not 1 <= int(match[1]) <= 60:
        return Refusal(
            "no-chapter",
            tell("Say which chapter, 1 to 60, and what of it."),
            mend="zine chapter 2 games TANNENBURG, VERDUN",
        )
    number, what = int(match[1]), (match[2] or "").lower().rstrip("s")
    known = chapter_at(heard.unit, row.key, number) or ChapterRow(row.key, number)
    acts: Mapping[str, Callable[[HeardMail, ZineRow, ChapterRow, str], Result]] = {
        "game": _games, "title": _title, "publisher": _publisher, "": _show, "drop": _drop,
    }  # fmt: skip
    if what not in acts:
        return Refusal(
            "no-chapter", tell("A chapter has games, a title and a publisher."), mend=f"zine chapter {number} games A"
        )
    return acts[what](heard, row, known, match[3].strip())


def _games(heard: HeardMail, row: ZineRow, known: ChapterRow, text: str) -> Result:
    """The games of a chapter, in their order; a game stands in one chapter only."""
    keys = tuple(dict.fromkeys(key for word in re.split(r"[,;]|\band\b|\s+", text) if (key := key_of(word))))
    missing = [key for key in keys if heard.unit.zines.game(key) is None and heard.game(key) is None]
    if missing:
        sentence = tell(
            "I know no game {missing}. A game of another Gamemaster is entered first.", missing=listed(missing)
        )
        return Refusal("no-such-game", sentence, mend=f"zine game {missing[0]} by gm@example.org")
    for own in filter(None, map(heard.game, keys)):
        if own.key not in known.games and (refusal := not_to_see(heard, own)) is not None:
            return refusal
    set_games(heard.unit, known, keys)
    return Decision(said=_chapter_has(row, known.number, keys))


def _title(heard: HeardMail, row: ZineRow, known: ChapterRow, text: str) -> Result:
    title = " ".join(text.strip("\"'“”").split())[:60]
    heard.unit.zines.put_chapter(replace(known, terms=json.dumps({"title": title})))
    return Decision(
        said=tell("Chapter {known} of {row} is called {title}.", known=known.number, row=row.name, title=title)
        if title
        else tell("It has no title now.")
    )


def _show(heard: HeardMail, row: ZineRow, known: ChapterRow, text: str) -> Result:
    if chapter_at(heard.unit, row.key, known.number) is None:
        return _no_chapter(heard, row, known.number)
    return Decision(said=_chapter_has(row, known.number, known.games))


def _chapter_has(row: ZineRow, number: int, games: Iterable[str]) -> str:
    if not games:
        return tell("Chapter {number} of {row} has no games.", number=number, row=row.name)
    names = listed([game.upper() for game in games])
    return tell("Chapter {number} of {row} has {names}.", number=number, row=row.name, names=names)


def _drop(heard: HeardMail, row: ZineRow, known: ChapterRow, text: str) -> Result:
    """A chapter that is empty goes, with its office; items that were put into it stand among those of no chapter."""
    chapters = heard.unit.zines.chapters(row.key)
    if all(one.number != known.number for one in chapters):
        return _no_chapter(heard, row, known.number)
    if len(chapters) == 1:
        return Refusal("last-chapter", tell("{row} has no other chapter, and an issue has one at least.", row=row.name))
    if known.games:
        other = next(one.number for one in chapters if one.number != known.number)
        sentence = tell("{games} would be printed nowhere.", games=listed([game.upper() for game in known.games]))
        return Refusal("chapter-full", sentence, mend=f"zine game {known.games[0]} chapter {other}")
    for one in heard.unit.zines.people(row.key):
        if (one.role, one.chapter) == (ZineOffice.PUBLISHER, known.number):
            heard.unit.zines.drop_person(one)
    heard.unit.zines.drop_chapter(known)
    return Decision(said=tell("{row} has no chapter {known} now.", row=row.name, known=known.number))


def _no_chapter(heard: HeardMail, row: ZineRow, number: int) -> Refusal:
    there = listed([str(one.number) for one in heard.unit.zines.chapters(row.key)])
    sentence = tell(
        "{row} has no chapter {number}; there is {there}. A chapter is made by the games in it.",
        row=row.name,
        number=number,
        there=there,
    )
    return Refusal("no-chapter", sentence, mend=f"zine chapter {number} games")


def _publisher(heard: HeardMail, row: ZineRow, known: ChapterRow, text: str) -> Result:
    made = _appoint(heard, row, ZineOffice.PUBLISHER, known.number, text)
    if not isinstance(made, Refusal):
        heard.unit.zines.put_chapter(known)
    return made


def _called(office: ZineOffice, number: int) -> str:
    """What somebody is who holds an office."""
    return tell("publisher of chapter {number}", number=number) if office is ZineOffice.PUBLISHER else tell("deputy")


def _appoint(heard: HeardMail, row: ZineRow, office: ZineOffice, number: int, text: str) -> Result:
    """Ask somebody whether they take an office; until they say yes it stays as it is."""
    what = _called(office, number)
    if text.strip().lower() in ("off", "nobody", "none"):
        gone = [one for one in heard.unit.zines.people(row.key) if (one.role, one.chapter) == (office, number)]
        for one in gone:
            heard.unit.zines.drop_person(one)
        return Decision(said=tell("{row} has no {what} now.", row=row.name, what=what))
    if text.strip().lower() == "me" and heard.speaker.acting is not None:
        _take(heard, row, office, number, heard.speaker.acting.id)
        return Decision(said=tell("You are the {what} of {row}.", what=what, row=row.name))
    address = read_address(text.strip().strip("<>"))
    if address is None:
        wrong = (
            tell('"{text}" is not a mail address', text=text.strip()[:60])
            if text.strip()
            else tell("Say who, by mail address")
        )
        line = f"zine chapter {number} publisher" if number else "zine deputy"
        return Refusal(
            "no-address",
            tell("{wrong}; `{line} nobody` ends the office.", wrong=wrong, line=line),
            mend=f"{line} anna@example.org",
        )
    if not heard.unit.contacts.allow(address, "invited", heard.now.date(), 3):
        return Refusal(
            "enough-today", tell("{address} was written to often enough today; try again tomorrow.", address=address)
        )
    known = heard.unit.people.by_address(address, verified=True)
    person = known.id if known is not None else 0
    editor = heard.speaker.acting
    reference = keep_errand(
        heard, APPOINTMENT, person, _REMEMBERED, zine=row.key, office=str(office), chapter=number, address=address
    )
    asked = heard.ledger.members[person] if person else NOBODY
    with speak(heard.judge.language(asked.language)):
        called = _called(office, number)
        items = (
            tell(
                "{editor} asks you to be the {what} of the zine {row}.",
                editor=editor.name if editor else tell("The editor"),
                what=called,
                row=row.name,
            ),
            tell("If you will, reply to this letter with one word on its first line: yes"),
            tell("If you will not: no"),
        )
        heard.send(
            desk_letter(
                heard.judge, row, asked, about=f"{office}-{number}-{reference}",
                subject=tell("will you be {what}?", what=called), items=items, reply_as=CONFIRM + reference,
                address=address,
            )
        )  # fmt: skip
    return Decision(
        said=tell(
            "{address} is asked to be the {what}; that stands as soon as they say yes.", address=address, what=what
        )
    )


def _take(heard: HeardMail, row: ZineRow, office: ZineOffice, number: int, person: int) -> None:
    """A chapter has one publisher, a zine one deputy."""
    for one in heard.unit.zines.people(row.key):
        if (one.role, one.chapter) == (office, number):
            heard.unit.zines.drop_person(one)
    heard.unit.zines.put_person(ZinePersonRow(row.key, office, number, person, heard.now))


@errand_answered(APPOINTMENT)
def appointment(heard: HeardMail, errand: Errand) -> Taken | HeardMail:
    """The answer of somebody who was asked to take an office: a yes makes an unknown address a person here."""
    address, office = str(errand.facts["address"]), ZineOffice(str(errand.facts["office"]))
    asked = heard.ledger.members[errand.person] if errand.person else NOBODY
    row = heard.unit.zines.get(str(errand.facts["zine"]))
    if row is None or errand.settled or not is_from(heard, asked, address):
        return heard
    word = answer_of(heard.envelope, subjects_answered(heard))
    if word is None:
        heard = read_requests(heard)
        return heard if heard.script.said else heard.taken("ignored", "neither yes nor no to an office")
    settle_errand(heard.unit, errand, f"the answer was {word}")
    number = int(errand.facts["chapter"])
    what, member = _called(office, number), None
    if word is Word.YES:
        person = enrol(heard.judge, heard.unit, address, called=heard.envelope.from_name, verified=True)
        heard.ledger.members.learn(person)
        _take(heard, row, office, number, person.id)
        member = heard.ledger.members[person.id]
        how = f"zine approve {row.number + 1} chapter {number}" if number else "help editing"
        heard.send(
            desk_letter(
                heard.judge, row, member, about=f"answer-{errand.key}", subject=tell("you are {what}", what=what),
                items=(tell("You are {what} of {row}. What you can do: {how}", what=what, row=row.name, how=how),),
            )
        )  # fmt: skip

    def told(editor: Member) -> Letter:
        what = _called(office, number)
        sentence = (
            tell("{member} is the {what} now.", member=member.name, what=what)
            if member is not None
            else tell("{address} does not want to be the {what}.", address=address, what=what)
        )
        subject = tell("{what}: an answer", what=what)
        return desk_letter(heard.judge, row, editor, about=f"answer-{errand.key}", subject=subject, items=(sentence,))

    for letter in to_each(heard.judge, heard.ledger.members, editors_of(heard.unit, row.key), told):
        heard.send(letter)
    said = (
        tell("You are the {what} of {row}.", what=what, row=row.name)
        if word is Word.YES
        else tell("You are not the {what} of {row}.", what=what, row=row.name)
    )
    return with_the_rest(heard, f"an answer about an office: {word}", said)


def close(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine close`, which its editor is asked about once: no issue comes any more; what was printed stays."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    if ZineOffice.EDITOR not in roles_of(heard, row.key):
        return Refusal("editor-only", tell("Only the editor of {row} closes it.", row=row.name), mend=f"zine {row.key}")
    if not heard.speaker.confirmed:
        return Question(
            "sure",
            tell(
                "You are about to close {row}: everybody who gets it is told, nothing is taken in for "
                "it any more, and it opens again only with the yes of the operator of this judge.",
                row=row.name,
            ),
            about=f"close {row.key}",
        )
    heard.unit.zines.put(replace(row, state=ZineState.CLOSED, next_at=heard.now))  # what is approved still goes out
    return Decision(
        said=together(
            tell("{row} is closed.", row=row.name),
            still_had(heard.unit, row),
            tell("To open it again: subscribe {row} as editor", row=row.key),
        )
    )


def still_had(view: View | Transaction, row: ZineRow) -> str:
    """How the issues of a zine that is closed are had, as a sentence behind another; "" if there are none."""
    issues = whole_issues(view, row.key, IssueState.APPROVED, IssueState.SENT)
    return (
        tell("Its issues can still be had: zine {row} back issue {issues}.", row=row.key, issues=issues[-1].number)
        if issues
        else ""
    )


def editor_forgotten(judge: Judge, unit: Transaction, person: int) -> None:
    """The operator hears which zines have no editor now; one that was only asked for is wanted by nobody."""
    for office in unit.zines.offices(person):
        row = unit.zines.get(office.zine)
        if row is None or office.role != ZineOffice.EDITOR:
            continue
        if row.state == ZineState.ASKED:
            unit.zines.put(replace(row, state=ZineState.CLOSED))
        if row.state != ZineState.RUNNING:
            continue
        deputies = [one.person_id for one in unit.zines.people(row.key) if one.role == ZineOffice.DEPUTY]
        deputy = next((member(unit, one) for one in deputies if one != person), None)
        left = (
            tell("{deputy} ({address}), its deputy, can still send issues.", deputy=deputy.name, address=deputy.address)
            if deputy
            else tell("Nobody sends it.")
        )
        tell_operator(
            judge, unit, f"zine-editor/{row.key}/{judge.clock.now().isoformat()}",
            subject=f"the zine {row.name} has no editor",
            items=(
                f"The editor of {row.name} was forgotten at their own wish. {left} Its readers, chapters and issues "
                "stay as they are.",
                f"Whoever wants to make it writes: subscribe {row.key} as editor. I ask you then whether they may.",
            ),
        )  # fmt: skip
