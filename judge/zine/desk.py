"""The desk of a zine: which zine is meant, who may do what there, and the letters that the desk writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from judge.game.core.commands import Decision, Refusal
from judge.languages import speak, tell
from judge.pace import zone_info
from judge.report.core.letter import Enclosure, Letter, Member, Thread, office_frame, plain
from judge.service.core.judge import Judge
from judge.service.trust.heard import HeardMail
from judge.service.trust.prove import details
from judge.store import Transaction, View
from judge.store.zines import ChapterRow, ZineIssueCard, ZinePersonRow, ZineRow
from judge.zine.pictures import MOST_BYTES

PREFIX, TOPIC = "zine-", "zine:"
"""What begins the plus-detail of a zine's address and the `game` of its letters; and the topic of its subscribers."""
DESK = "zine-desk"
"""The kind of the letters that the desk writes to those who make the zine."""
PAGE = "zine-page"
"""The kind of what is shown in a receipt: a zine, its items, its dashboard."""


class ZineOffice(StrEnum):
    """What somebody is to a zine. A zine whose editor the operator has not approved yet is `ASKED`."""

    EDITOR = "editor"
    DEPUTY = "deputy"
    PUBLISHER = "publisher"


class ZineState(StrEnum):
    """Where a zine stands."""

    ASKED = "asked"
    RUNNING = "running"
    CLOSED = "closed"


class IssueState(StrEnum):
    """How an issue stands: shown to its editor, to be sent, handed to the post."""

    DRAFT = "draft"
    APPROVED = "approved"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class ZineTerms:
    """How a zine is made. `every`: "week", "fortnight", "month", or "hand" for no press day; `weekday`: 0 is Monday;
    `day`: of the month; `time`: in `zone`; `anchor`: when its press days were set; `part_kb`: the largest text of one
    mail; `listed`: when the editor was last told of suspended subscribers; `dashboard`: the press day for which the
    dashboard went; `pressed`: the last press day whose draft went by itself.
    """

    every: str = "hand"
    weekday: int = 2
    day: int = 1
    time: str = "18:00"
    zone: str = ""
    anchor: str = ""
    part_kb: int = 50
    listed: str = ""
    dashboard: str = ""
    pressed: str = ""


def terms_of(row: ZineRow) -> ZineTerms:
    """The terms of a zine as they are kept."""
    known = ZineTerms.__dataclass_fields__
    return ZineTerms(**{name: value for name, value in json.loads(row.terms).items() if name in known})


def with_terms(row: ZineRow, terms: ZineTerms) -> ZineRow:
    """The zine with other terms."""
    return replace(row, terms=json.dumps(asdict(terms)))


def key_of(name: str) -> str:
    """The key of a zine, or of a game of the register, that is called so.

    >>> key_of("Electronic Protocol"), key_of("D-Day!")
    ('electronic-protocol', 'd-day')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-")


def address_of(judge: Judge, zine: str) -> str:
    """Where one writes to a zine."""
    return judge.office.game_address(PREFIX + zine)


def largest_picture(judge: Judge) -> int:
    """KB of a picture that a mail can bring here, in which it takes a third more."""
    return min(MOST_BYTES, max(judge.config.max_bytes - 8000, 0) * 73 // 100) // 1000


# --- which zine, and who ---------------------------------------------------------------------------------------------


def zine_meant(heard: HeardMail, named: str = "") -> ZineRow | Refusal:
    """The zine that a mail is about: the one named, of its address, of the letter that it answers, that its author
    makes, or the only one.
    """
    zines = heard.unit.zines
    if named:
        found = zines.get(key_of(named))
        return found or Refusal(
            "no-zine", tell('There is no zine named "{named}" here.', named=named[:40]), mend="zines"
        )
    config = heard.judge.config
    said = details(heard.mail, heard.envelope, config.domain, config.local_part)
    for word in (*said, heard.letter.called[0]):
        if word.startswith(PREFIX) and (found := zines.get(word.removeprefix(PREFIX))) is not None:
            return found
    person = heard.speaker.acting
    own = {row.zine for row in zines.offices(person.id)} if person is not None else set()
    rows = [row for row in zines.all() if row.state != ZineState.CLOSED and (not own or row.key in own)]
    if len(rows) == 1:
        return rows[0]
    if not rows:
        return Refusal("no-zine", tell("There is no zine here yet."), mend='zine new "TITLE"')
    names = ", ".join(row.key for row in rows[:10])
    return Refusal(
        "which-zine",
        tell("Say which zine you mean, or write to its own address; there are {names}.", names=names),
        "zines",
    )


def offices_in(view: View | Transaction, zine: str, person: int) -> tuple[ZinePersonRow, ...]:
    """What somebody is to a zine."""
    return tuple(row for row in view.zines.people(zine) if row.person_id == person)


def led(heard: HeardMail, named: str = "") -> ZineRow | Refusal:
    """The zine that is meant, if whoever speaks is its editor or deputy."""
    row = zine_meant(heard, named)
    if isinstance(row, Refusal):
        return row
    if leads(heard, row.key):
        return _in_office(row)
    if ZineOffice.PUBLISHER in roles_of(heard, row.key):
        chapters = published(heard, row.key)
        first = chapters[0] if chapters else 1
        sentence = tell("You publish chapter {first} of {row}; this is for its editor.", first=first, row=row.name)
        return Refusal("editor-only", sentence, mend=f"zine approve {row.number + 1} chapter {first}")
    return Refusal("editor-only", tell("Only the editor of {row} does that.", row=row.name), mend=f"zine {row.key}")


def _in_office(row: ZineRow) -> ZineRow | Refusal:
    if row.state == ZineState.ASKED:
        return Refusal("not-approved", tell("The operator has not approved you as editor of {row} yet.", row=row.name))
    if row.state == ZineState.CLOSED:
        return Refusal("zine-closed", tell("{row} is closed.", row=row.name))
    return row


def roles_of(heard: HeardMail, zine: str) -> frozenset[str]:
    """What whoever speaks is to a zine."""
    person = heard.speaker.acting
    rows = offices_in(heard.unit, zine, person.id) if person is not None else ()
    return frozenset(row.role for row in rows)


def leads(heard: HeardMail, zine: str) -> bool:
    """Whether whoever speaks is its editor or deputy."""
    return bool(roles_of(heard, zine) & {ZineOffice.EDITOR, ZineOffice.DEPUTY})


def published(heard: HeardMail, zine: str) -> list[int]:
    """The chapters that whoever speaks publishes."""
    person = heard.speaker.acting
    rows = offices_in(heard.unit, zine, person.id) if person is not None else ()
    return sorted(row.chapter for row in rows if row.role == ZineOffice.PUBLISHER)


def makers(view: View | Transaction, zine: str) -> list[int]:
    """The persons to whom the desk writes: editor and deputy, each once."""
    rows = (row for row in view.zines.people(zine) if row.role in (ZineOffice.EDITOR, ZineOffice.DEPUTY))
    return list(dict.fromkeys(row.person_id for row in rows))


def publisher_of(view: View | Transaction, zine: str, chapter: int) -> int:
    """Who publishes a chapter; 0 for nobody."""
    rows = view.zines.people(zine)
    return next((row.person_id for row in rows if (row.role, row.chapter) == (ZineOffice.PUBLISHER, chapter)), 0)


def chapter_at(view: View | Transaction, zine: str, number: int) -> ChapterRow | None:
    """A chapter by its number."""
    return next((row for row in view.zines.chapters(zine) if row.number == number), None)


def set_games(unit: Transaction, chapter: ChapterRow, games: Sequence[str]) -> None:
    """The games of a chapter, in their order; they stand in no other one any more."""
    for other in unit.zines.chapters(chapter.zine):
        if other.number != chapter.number and set(other.games) & set(games):
            unit.zines.put_chapter(replace(other, games=tuple(game for game in other.games if game not in games)))
    unit.zines.put_chapter(replace(chapter, games=tuple(games)))


def chapter_of_game(view: View | Transaction, game: str) -> tuple[str, int] | None:
    """(zine, chapter) in which a game of the register is printed; None for nowhere."""
    for row in view.zines.all():
        for chapter in view.zines.chapters(row.key):
            if game in chapter.games:
                return row.key, chapter.number
    return None


def whole_issues(view: View | Transaction, zine: str, *states: IssueState) -> list[ZineIssueCard]:
    """The issues of a zine that stand so, the oldest first, without chapters by themselves and corrections."""
    return [one for one in view.zines.issue_cards(zine) if one.chapter == 0 and one.state in states]


def last_day(at: datetime, zone: tzinfo) -> datetime:
    """A moment on the clocks of a zone; where it is the end of a day, in that day still.

    >>> utc = zone_info("UTC")
    >>> day_words(last_day(datetime(2027, 1, 21, tzinfo=utc), utc))
    '20 January'
    """
    local = at.astimezone(zone)
    return local - timedelta(minutes=1) if local.hour == 0 and local.minute == 0 else local


def day_words(day: date, *, weekday: bool = False) -> str:
    """
    >>> day_words(date(2027, 3, 3)), day_words(date(2027, 3, 3), weekday=True)
    ('3 March', 'Wednesday 3 March')
    """
    month = tell(f"{day:%B}")
    if not weekday:
        return tell("{day} {month}", day=day.day, month=month)
    return tell("{weekday} {day} {month}", weekday=tell(f"{day:%A}"), day=day.day, month=month)


def zone_of(judge: Judge, row: ZineRow) -> ZoneInfo:
    """The zone in which a zine tells days."""
    return zone_info(terms_of(row).zone or judge.config.zone)


def shown(heard: HeardMail, title: str, lines: Sequence[str], files: Sequence[Mapping[str, Any]] = ()) -> Decision:
    """Something to be read, below the lines of the receipt, and `files` (name, type, text) that go along."""
    view = {"title": title, "lines": list(lines), "files": list(files), "ignored": []}
    heard.enclose(Enclosure(PAGE, view))
    return Decision()


# --- letters of the desk ---------------------------------------------------------------------------------------------


def to_each(
    judge: Judge, members: Mapping[int, Member], persons: Iterable[int], write: Callable[[Member], Letter]
) -> list[Letter]:
    """A letter to each of these persons, written in the language of its reader."""
    letters = []
    for person in persons:
        member = members[person]
        with speak(judge.language(member.language)):
            letters.append(write(member))
    return letters


def desk_letter(
    judge: Judge, row: ZineRow, member: Member, *, about: str, subject: str, items: Sequence[str] = (),
    table: Sequence[str] = (), after: Sequence[str] = (), files: Sequence[dict[str, Any]] = (), reply_as: str = "",
    yes: str = "", address: str = "",
) -> Letter:  # fmt: skip
    """A letter to one of those who make a zine. `about`: of what, once for each reader; `items`, `after`: paragraphs
    above and below the lines of `table`, which stand as they are; `yes`: the line that a plain yes stands for.
    """
    view = {
        "frame": plain(office_frame(member, judge.office)),
        "reply": {"yes": yes},
        "zine": row.name,
        "subject": subject,
        "items": list(items),
        "table": list(table),
        "after": list(after),
        "files": list(files),
    }
    to = f"p{member.person}" if member.person else address
    return Letter(
        kind=DESK, idem_key=f"{PREFIX}{row.key}/{about}/{to}", view=view, game=PREFIX + row.key, person=member.person,
        address=address, reply_as=reply_as, thread=Thread.ALONE,
    )  # fmt: skip
