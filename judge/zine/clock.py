"""What zines do by the clock: issues to the post, drafts to their editors, the dashboard two days before press day,
reminders to Gamemasters of games elsewhere, corrections to be printed, and a weekly list of readers whose mail comes
back.

A sweep looks at the zines whose moment has come and at no others. What is slow (the faces) is made outside of any
transaction; what is decided is written in one.
"""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from textwrap import fill
from typing import Any

from judge.languages import speak, tell, together
from judge.mail.letters.layout import WIDTH
from judge.report.core.letter import Letter, Member
from judge.report.core.naming import many
from judge.service.core.directory import Members
from judge.service.core.judge import Judge
from judge.service.posting.operator import tell_operator
from judge.service.posting.outgoing import put_all
from judge.store import Conflict, StoreTrouble, Transaction
from judge.store.zines import ZineIssueCard, ZineIssueRow, ZineRow
from judge.zine.desk import (
    PREFIX,
    IssueState,
    ZineOffice,
    ZineState,
    day_words,
    desk_letter,
    makers,
    terms_of,
    to_each,
    whole_issues,
    with_terms,
    zone_of,
)
from judge.zine.draft import draft
from judge.zine.gamebook import may_be_reminded, remind
from judge.zine.issue import frozen, thawed
from judge.zine.items import NEW, SEEN
from judge.zine.mailing import (
    clear_old_faces,
    draw_some_maps,
    faces_to_json,
    make_faces,
    place_of,
    queue,
    tell_readers,
    wanted_forms,
)
from judge.zine.offices import still_had
from judge.zine.press import ask_preview, dashboard_lines, errata_of
from judge.zine.press_days import next_press
from judge.zine.register import keep_register
from judge.zine.subscribing import readers_of

log = logging.getLogger("judge.zine")

NUDGES = (timedelta(days=5), timedelta(days=3))
"""So long before press day a late Gamemaster is reminded."""
DASHBOARD = timedelta(days=2)
LOOKS_EVERY, LOOKS_FOR = timedelta(hours=1), timedelta(days=30)
"""How often, and for how long, corrections of what was printed are looked for."""
LISTED_EVERY = timedelta(days=7)
OVERDUE = timedelta(days=1)
"""After press day the editor is asked once more."""


def sweep(judge: Judge, due: Sequence[str]) -> int:
    """Everything that is due of these zines, by key; returns how many did something. One zine's trouble is not the
    others'.
    """
    now = judge.clock.now()
    if due:
        with judge.store.write() as unit:
            keep_register(judge, unit, now)
    done = 0
    for key in due:
        try:
            done += _tend(judge, key, now)
        except StoreTrouble:
            raise
        except Conflict:
            continue
        except Exception as error:
            log.exception("a zine's moment failed", extra={"game": PREFIX + key})
            _put_off(judge, key, now, f"{type(error).__name__}: {error}")
    return done


def _tend(judge: Judge, key: str, now: datetime) -> int:
    with judge.store.read() as view:
        row = view.zines.get(key)
        issues = view.zines.issue_cards(key)
    if row is None:
        return 0
    done = sum(_to_post(judge, key, one) for one in issues if one.state == IssueState.APPROVED)
    if row.state != ZineState.RUNNING:
        _rest(judge, key, now)
        return done
    done += sum(_show_draft(judge, key, one) for one in issues if one.state == IssueState.DRAFT)
    done += _before_press(judge, key, now)
    with judge.store.write() as unit:
        row = unit.zines.get(key)
        assert row is not None
        done += _list_suspended(judge, unit, row, now)
        done += _propose_errata(judge, unit, row, now)
        row = unit.zines.get(key) or row
        unit.zines.put(replace(row, next_at=_next(judge, unit, row, now)))
    return done


def _rest(judge: Judge, key: str, now: datetime) -> None:
    """A zine that is closed wants the clock until what was approved before has gone, and its readers are told."""
    with judge.store.write() as unit:
        row = unit.zines.get(key)
        assert row is not None
        waits = any(one.state == IssueState.APPROVED for one in unit.zines.issue_cards(key))
        if row.state == ZineState.CLOSED and not waits:
            _say_farewell(judge, unit, row, now)
        unit.zines.put(replace(row, next_at=now if waits else None))


def _say_farewell(judge: Judge, unit: Transaction, row: ZineRow, now: datetime) -> None:
    words = (
        together(tell("{row} is closed: no issue of it comes any more.", row=row.name), still_had(unit, row)),
        tell(
            "You need do nothing. Should somebody make it again, you get it as before, unless you "
            "write: leave zine {row}",
            row=row.key,
        ),
    )
    subject, about = tell("{row} is closed", row=row.name), f"closed-{now.isoformat()}"
    tell_readers(judge, unit, row, about, subject, "\n\n".join(fill(text, WIDTH) for text in words))
    helpers = {one.person_id for one in unit.zines.people(row.key) if one.role != ZineOffice.EDITOR}
    members = Members(unit)

    def told(reader: Member) -> Letter:
        items = (together(tell("{row} is closed: no issue of it comes any more.", row=row.name), still_had(unit, row)),)
        return desk_letter(judge, row, reader, about=about, subject=tell("{row} is closed", row=row.name), items=items)

    put_all(judge, unit, to_each(judge, members, sorted(helpers), told), now, members=members)


def _put_off(judge: Judge, key: str, now: datetime, why: str) -> None:
    """What failed is tried again in a quarter of an hour, and the operator is told, once a day."""
    with judge.store.write() as unit:
        row = unit.zines.get(key)
        if row is not None:
            unit.zines.put(replace(row, next_at=now + timedelta(minutes=15)))
            tell_operator(
                judge, unit, f"zine/{key}/{now.date().isoformat()}", subject=f"the zine {row.name} is stuck",
                items=(f"{row.name}: {why[:300]}", "It is tried again every quarter of an hour; the log says more."),
            )  # fmt: skip


def _next(judge: Judge, unit: Transaction, row: ZineRow, now: datetime) -> datetime | None:
    """When a zine next wants the clock."""
    moments = [moment for moment in _moments(judge, row, now) if moment > now]
    issues = [one for one in unit.zines.issue_cards(row.key) if one.state == IssueState.SENT]
    if any(now - one.at < LOOKS_FOR for one in issues):
        moments.append(now + LOOKS_EVERY)
    moments.append(now + timedelta(days=1))  # readers whose mail comes back, and the register of games
    waiting = [one for one in unit.zines.issue_cards(row.key) if one.state in (IssueState.APPROVED, IssueState.DRAFT)]
    if any(one.state == IssueState.APPROVED or json.loads(one.facts).get("for") for one in waiting):
        moments.append(now)
    return min(moments, default=None)


def _moments(judge: Judge, row: ZineRow, now: datetime) -> Iterator[datetime]:
    """The moments around the press days before and behind now."""
    after = now - timedelta(days=8)
    for _ in range(3):
        press = next_press(row, judge.config.zone, after)
        if press is None:
            return
        yield from (press - ahead for ahead in NUDGES)
        yield press - DASHBOARD
        yield press
        yield press + OVERDUE
        after = press


# --- to the post -----------------------------------------------------------------------------------------------------


def _to_post(judge: Judge, key: str, card: ZineIssueCard) -> int:
    """An approved issue: its faces are made and kept, and the letters queued. A second time changes nothing."""
    with judge.store.read() as view:
        row, issued = view.zines.get(key), view.zines.issue(key, card.number, card.chapter)
    assert row is not None and issued is not None
    forms = wanted_forms(judge, row)
    if not draw_some_maps(judge, row, thawed(issued.value), forms):
        return 1  # the next sweep draws the others
    faces, rows = make_faces(judge, row, issued, forms)
    with judge.store.write() as unit:
        known = unit.zines.issue(key, issued.number, issued.chapter)
        if known is None or known.state != IssueState.APPROVED or known.value != issued.value:
            return 0
        for picture in rows:
            unit.pictures.put(picture)
        count = queue(judge, unit, row, issued, faces)
        facts = {**json.loads(known.facts), "faces": faces_to_json(faces), "readers": count}
        unit.zines.put_issue(replace(known, state=IssueState.SENT, facts=json.dumps(facts)))
        clear_old_faces(unit, row, judge.clock.now())
        log.info(
            "an issue goes to the post", extra={"game": PREFIX + key, "number": place_of(issued), "readers": count}
        )
    return 1


def _show_draft(judge: Judge, key: str, issued: ZineIssueCard) -> int:
    """A draft to those who asked for it, with what is wrong."""
    now = judge.clock.now()
    wanted = json.loads(issued.facts).get("for", [])
    if not wanted:
        return 0
    with judge.store.read() as view:
        row = view.zines.get(key)
        assert row is not None
        made = draft(judge, view, row, issued.number, now)
    if not draw_some_maps(judge, row, made.issue, ("pdf", "epub")):
        return 1  # the next sweep draws the others
    shown = ZineIssueRow(key, issued.number, 0, IssueState.DRAFT, now, frozen(made.issue))
    faces, rows = make_faces(judge, row, shown, ("pdf", "epub"))
    texts = {picture.kind: picture.data for picture in rows}
    with judge.store.write() as unit:
        known = unit.zines.issue(key, issued.number)
        if known is None or known.facts != issued.facts or known.state != IssueState.DRAFT:
            return 0
        members = Members(unit)
        text = "\n\n\n".join(texts[part.kind].decode() for parts in faces.parts.values() for part in parts)
        files: list[dict[str, Any]] = [{"name": f"{key}-{issued.number}-draft.txt", "type": "text/plain", "text": text}]
        for form, file in faces.files.items():
            data = b64encode(texts[file.kind]).decode()
            files.append({"name": f"{key}-{issued.number}-draft.{form}", "type": file.media_type, "base64": data})
        letters = []
        for person, why in wanted:
            reader = members[person]
            with speak(judge.language(reader.language)):
                wrong = draft(judge, unit, row, issued.number, now).warnings
                letters.append(_draft_shown(judge, row, reader, issued.number, why, wrong, files))
        put_all(judge, unit, letters, now, members=members)
        unit.zines.put_issue(replace(known, facts=json.dumps({"for": []})))
        for number_of in made.unseen:
            item = unit.zines.item(number_of)
            if item is not None and item.state == NEW:
                unit.zines.save_item(replace(item, state=SEEN))
    return 1


def _draft_shown(
    judge: Judge, row: ZineRow, reader: Member, number: int, why: str, wrong: Sequence[str], files: list[dict[str, Any]]
) -> Letter:
    items = [
        tell("This is #{number} of {row} as it would be printed now.", number=number, row=row.name),
        tell("What is wrong with it:") if wrong else tell("Nothing is wrong with it."),
        *(f"{at}. {warning}" for at, warning in enumerate(wrong, 1)),
    ]
    after = (
        tell("To send it to everybody: zine approve {number}", number=number),
        tell("To move, hold or drop an item: item N to chapter C, item N hold, item N drop"),
    )
    return desk_letter(
        judge, row, reader, about=f"draft-{number}-{why}", subject=tell("draft of #{number}", number=number),
        items=items, after=after, files=files, yes=f"zine approve {number}",
    )  # fmt: skip


# --- before press day ------------------------------------------------------------------------------------------------


def _before_press(judge: Judge, key: str, now: datetime) -> int:
    """Reminders, dashboard, the draft on press day, and one more word a day after."""
    with judge.store.read() as view:
        row = view.zines.get(key)
    assert row is not None
    press = next_press(row, judge.config.zone, now)
    before = _last_press(judge, row, now)
    done = 0
    if press is not None:
        ahead = press - now
        with judge.store.write() as unit:
            row = unit.zines.get(key) or row
            waits = not _printed_for(unit, row, press)
            passed = sum(ahead <= span for span in NUDGES) if waits else 0
            done += _nudge_late(judge, unit, row, passed, now) if passed else 0
            if waits and ahead <= DASHBOARD and terms_of(row).dashboard != press.isoformat():
                done += _send_dashboard(judge, unit, row, press, now)
    if before is not None and terms_of(row).pressed != (mark := before.isoformat()):
        with judge.store.write() as unit:
            row = unit.zines.get(key) or row
            unit.zines.put(with_terms(row, replace(terms_of(row), pressed=mark)))
            for person in makers(unit, key)[:1] if not _printed_for(unit, row, before) else ():
                ask_preview(unit, unit.zines.get(key) or row, now, person, f"press-{before.date().isoformat()}")
                done += 1
    return done


def _last_press(judge: Judge, row: ZineRow, now: datetime) -> datetime | None:
    """The press day that has just come, within a day."""
    found = next_press(row, judge.config.zone, now - OVERDUE)
    set_at = terms_of(row).anchor
    if found is None or found > now or (set_at and found < datetime.fromisoformat(set_at)):
        return None
    return found


def _printed_for(unit: Transaction, row: ZineRow, press: datetime) -> bool:
    """Whether the issue of a press day is approved already: five days before, at the earliest."""
    issues = whole_issues(unit, row.key, IssueState.APPROVED, IssueState.SENT)
    return any(one.at > press - NUDGES[0] for one in issues)


def _nudge_late(judge: Judge, unit: Transaction, row: ZineRow, most: int, now: datetime) -> int:
    """Reminders to Gamemasters whose results have not come: as many as are due by now, never more than two."""
    made = draft(judge, unit, row, row.number + 1, now)
    late = {line.game for line in made.lines if line.late}
    members, sent = Members(unit), 0
    for chapter in unit.zines.chapters(row.key):
        for key in chapter.games:
            game = unit.zines.game(key)
            if game is None or not game.external or game.name.upper() not in late or not game.person_id:
                continue
            if may_be_reminded(game, most, now):
                sent += remind(judge, unit, row, game, members[game.person_id], now)
    return sent


def _send_dashboard(judge: Judge, unit: Transaction, row: ZineRow, press: datetime, now: datetime) -> int:
    members, number = Members(unit), row.number + 1
    local = press.astimezone(zone_of(judge, row))
    waits = sum(one.kind != "report" for one in unit.zines.items(row.key, NEW))

    def told(reader: Member) -> Letter:
        made = draft(judge, unit, row, number, now)
        lead = tell(
            "#{number} of {row} goes to press on {day_words} at {local:%H:%M}.",
            number=number,
            row=row.name,
            day_words=day_words(local, weekday=True),
            local=local,
        )
        late = (line.game.lower() for line in made.lines if line.late)
        after = [tell("To remind its Gamemaster: zine nudge {game}", game=game) for game in late]
        if waits:
            after.append(
                tell(
                    "{waits} lies on your desk that you have not seen: zine items"
                    if waits == 1
                    else "{waits} lie on your desk that you have not seen: zine items",
                    waits=many(waits, "item"),
                )
            )
        after.append(tell("To see the draft: zine preview {number}", number=number))
        return desk_letter(
            judge, row, reader, about=f"dashboard-{press.date().isoformat()}",
            subject=tell("before #{number} goes to press", number=number), items=(lead,), table=dashboard_lines(made),
            after=after,
        )  # fmt: skip

    letters = to_each(judge, members, makers(unit, row.key), told)
    put_all(judge, unit, letters, now, members=members)
    unit.zines.put(with_terms(row, replace(terms_of(row), dashboard=press.isoformat())))
    return len(letters)


# --- behind press day ------------------------------------------------------------------------------------------------


def _propose_errata(judge: Judge, unit: Transaction, row: ZineRow, now: datetime) -> int:
    """What a Gamemaster has put right of the last issue is proposed to the editor as an erratum, once each."""
    last = unit.zines.issue(row.key, row.number)
    if last is None or last.state != IssueState.SENT or now - last.at > LOOKS_FOR:
        return 0
    _, upto = errata_of(judge, unit, row, row.number)
    facts = json.loads(last.facts)
    fresh = {game: seq for game, seq in upto.items() if facts.get("proposed", {}).get(game, 0) < seq}
    if not fresh:
        return 0
    unit.zines.put_issue(replace(last, facts=json.dumps({**facts, "proposed": {**facts.get("proposed", {}), **fresh}})))
    members = Members(unit)
    names = ", ".join(game.upper() for game in fresh)
    about = f"errata-{row.number}-{'-'.join(f'{g}{s}' for g, s in fresh.items())}"

    def told(reader: Member) -> Letter:
        sentences = errata_of(judge, unit, row, row.number)[0]
        items = (
            tell("What #{row} printed of {names} was put right since:", row=row.number, names=names),
            *(f"{game}: {sentence}" for game, sentence in sentences if game.lower() in fresh),
            tell("To send a short correction to everybody: zine errata {row}", row=row.number),
        )
        return desk_letter(
            judge, row, reader, about=about, items=items, yes=f"zine errata {row.number}",
            subject=tell("{names}: a correction to #{row}", names=names, row=row.number),
        )  # fmt: skip

    letters = to_each(judge, members, makers(unit, row.key), told)
    put_all(judge, unit, letters, now, members=members)
    return len(letters)


def _list_suspended(judge: Judge, unit: Transaction, row: ZineRow, now: datetime) -> int:
    """Readers whose mail comes back and who therefore get nothing: once a week, in one list."""
    terms = terms_of(row)
    since = datetime.fromisoformat(terms.listed) if terms.listed else datetime.min.replace(tzinfo=UTC)
    if now - since < LISTED_EVERY:
        return 0
    members = Members(unit)
    readers = [one.person_id for one, _ in readers_of(unit, row.key)]
    members.gather(readers)
    gone = []
    for person in readers:
        rows = unit.people.addresses(person)
        if (
            rows
            and all(one.suspended_at is not None for one in rows)
            and max(one.suspended_at for one in rows if one.suspended_at) > since
        ):
            gone.append(members[person])
    if not gone:
        return 0
    table = [f"{one.name} <{one.address}>" for one in gone]

    def told(reader: Member) -> Letter:
        lead = tell(
            "Mail to these subscribers comes back. They get {row} again after any mail of theirs:", row=row.name
        )
        return desk_letter(
            judge, row, reader, about=f"suspended-{now.date().isoformat()}",
            subject=tell("{gone} cannot be reached", gone=many(len(gone), "subscriber")), items=(lead,), table=table,
        )  # fmt: skip

    letters = to_each(judge, members, makers(unit, row.key), told)
    put_all(judge, unit, letters, now, members=members)
    unit.zines.put(with_terms(row, replace(terms, listed=now.isoformat())))
    return len(letters)
