"""An approved issue on its way: every face is made once and kept, and each subscriber gets a letter that names it.

The faces are made outside of any transaction, and the letters are queued in one; each letter has a key, so that a crash
at any point, and a second look, bring nobody the issue twice. The post sends them behind all other letters, as fast as
the relay's limits allow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from judge import resources
from judge.report.core.frame import Member, office_frame
from judge.report.core.letter import Letter, Thread, plain
from judge.service.core.house import House
from judge.service.core.members import Members
from judge.service.posting.mailbag import put_all
from judge.store import Transaction
from judge.store.rows import PictureRow
from judge.store.zines import ZineIssueRow, ZineRow
from judge.zine.desk import PREFIX, terms_of
from judge.zine.epub import print_epub
from judge.zine.html import print_pages_for_mail
from judge.zine.issue import Issue, chapter_alone, thawed
from judge.zine.items import picture_of
from judge.zine.pdf import PAPERS, print_pdf
from judge.zine.pictures import draw_graphs, draw_maps
from judge.zine.printing import ZinePrinter
from judge.zine.subscribing import Subscribed, readers_of
from judge.zine.text import print_cover, print_text

ISSUE = "zine-issue"
"""The kind of the letters that bring an issue."""
WHOLE = 10_000_000
"""Bytes of a text that is not to be parted."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A face, or a part of one, as it is kept: under which kind, its size, what the subject of its mail says, and the
    names of the pictures that it shows.
    """

    kind: str
    media_type: str
    size: int
    subject: str = ""
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptFaces:
    """What was made of an issue: the text in parts, in one piece, and the other faces; by chapter, 0 for all of it.
    `plain`: the parts in ASCII; `covers`: what the mails say that bring it as a file ("file"), or only word of it
    ("notice").
    """

    parts: Mapping[int, tuple[Kept, ...]]
    whole: Mapping[int, Kept]
    pages: Mapping[int, tuple[Kept, ...]]
    files: Mapping[str, Kept]
    covers: Mapping[str, Kept] = field(default_factory=dict)
    plain: Mapping[int, tuple[Kept, ...]] = field(default_factory=dict)


def printer_of(house: House, zine: str) -> ZinePrinter:
    """The printer of a zine's faces: its own templates first."""
    own = house.config.templates
    folders = [own / "zines" / zine, own] if own is not None else []
    return ZinePrinter(*(folder for folder in folders if folder.is_dir()), resources.folder("templates"))


def place_of(row: ZineIssueRow) -> str:
    """Under what the faces of an issue are kept, beside its zine."""
    return f"{row.number}.{row.chapter}"


def chapters_sent(row: ZineIssueRow, issue: Issue) -> tuple[int, ...]:
    """The chapters that go out as mails of their own: those that their publishers have not sent."""
    alone = set(json.loads(row.facts).get("alone", ()))
    return tuple(one.number for one in issue.printed if one.number not in alone)


def make_faces(
    house: House, row: ZineRow, issued: ZineIssueRow, forms: Sequence[str]
) -> tuple[KeptFaces, list[PictureRow]]:
    """Every face that somebody wants, as it is to be kept. Slow: nothing is locked meanwhile. Raises TemplateError."""
    issue, printer = thawed(issued.value), printer_of(house, row.key)
    most = terms_of(row).part_kb * 1000
    rows: list[PictureRow] = []

    def keep(kind: str, media_type: str, data: bytes, subject: str = "", pictures: tuple[str, ...] = ()) -> Kept:
        rows.append(PictureRow(PREFIX + row.key, place_of(issued), kind, media_type, data))
        return Kept(kind, media_type, len(data), subject, pictures)

    parts, whole = dict[int, tuple[Kept, ...]](), dict[int, Kept]()
    plain: dict[int, tuple[Kept, ...]] = {}
    several = chapters_sent(issued, issue) if len(issue.printed) > 1 else (0,)
    for number in several:
        one = chapter_alone(issue, number) if number else issue
        printed = print_text(one, printer, most=most)
        parts[number] = tuple(
            keep(f"text/{number}/{at}", "text/plain", part.text.encode(), part.subject)
            for at, part in enumerate(printed, 1)
        )
        if "ascii" in forms:
            plain_parts = print_text(one, printer, ascii_only=True, most=most)
            plain[number] = tuple(
                keep(f"ascii/{number}/{at}", "text/plain", part.text.encode(), part.subject)
                for at, part in enumerate(plain_parts, 1)
            )
        if len(printed) == 1:
            whole[number] = parts[number][0]
        else:
            (all_of_it,) = print_text(one, printer, most=WHOLE)
            whole[number] = keep(f"text/{number}/0", "text/plain", all_of_it.text.encode(), all_of_it.subject)
    files: dict[str, Kept] = {}
    pages: dict[int, tuple[Kept, ...]] = {}
    shown = pictures_of(house, row, issue) if {"html", "epub"} & {*forms} else {}
    if papers := [form for form in forms if form in PAPERS]:
        grey = pictures_of(house, row, issue, printed=True)
        for form in papers:
            files[form] = keep(form, "application/pdf", print_pdf(issue, printer, grey, PAPERS[form]))
    if "epub" in forms:
        files["epub"] = keep("epub", "application/epub+zip", print_epub(issue, printer, shown))
    if "html" in forms:
        shown = {**shown, **draw_graphs(issue)}
        for name, data in shown.items():
            keep(f"picture/{name}", "image/png", data)
        addresses = {name: f"cid:{name}" for name in shown}
        for number in several:
            one = chapter_alone(issue, number) if number else issue
            pages[number] = tuple(
                keep(f"page/{number}/{at}", "text/html", part.html.encode(), part.subject, part.pictures)
                for at, part in enumerate(print_pages_for_mail(one, printer, addresses, foot=_leave(row)), 1)
            )
    called, cover = f"{issue.masthead.issue} of {row.name}", print_cover(issue, printer)
    lead = {
        "file": f"{called} is attached.",
        "notice": f"{called} is out. To get it now: zine back issue {issued.number}",
    }
    covers = {
        name: keep(f"cover/{name}", "text/plain", f"{said}\n\n{cover}\n".encode(), called)
        for name, said in lead.items()
    }
    return KeptFaces(parts, whole, pages, files, covers, plain), rows


MAPS_AT_A_TIME = 6
"""Maps that are drawn in one sweep: games wait meanwhile."""
_MAPS = "maps"


def draw_some_maps(house: House, row: ZineRow, issue: Issue, forms: Sequence[str]) -> bool:
    """Draw maps that these forms show and that are not there yet, a few at a time; True once all of them are there."""
    names = [shown.picture for _, shown in issue.maps]
    looks = [printed for printed, shows in ((False, {"html", "epub"}), (True, {"pdf"})) if shows & {*forms}]
    with house.store.read() as view:
        missing = [
            (printed, name)
            for printed in looks
            for name in names
            if view.pictures.get(PREFIX + row.key, _MAPS, _kind_of_map(name, printed=printed)) is None
        ]
    for printed in looks:
        some = [name for look, name in missing[:MAPS_AT_A_TIME] if look is printed]
        drawn = draw_maps(issue, _boards(house), house.shelf.board, printed=printed, only=some) if some else {}
        with house.store.write() as unit:
            for name, data in drawn.items():
                kind = _kind_of_map(name, printed=printed)
                unit.pictures.put(PictureRow(PREFIX + row.key, _MAPS, kind, "image/png", data))
    return len(missing) <= MAPS_AT_A_TIME


def _kind_of_map(name: str, *, printed: bool) -> str:
    return f"{name}/bw" if printed else name


def _boards(house: House) -> Path:
    return house.config.maps or resources.folder("maps")


def pictures_of(house: House, row: ZineRow, issue: Issue, *, printed: bool = False) -> dict[str, bytes]:
    """The maps of an issue, and what was sent in with its items. What is not there yet is drawn."""
    found: dict[str, bytes] = {}
    with house.store.read() as view:
        for _, shown in issue.maps:
            kept = view.pictures.get(PREFIX + row.key, _MAPS, _kind_of_map(shown.picture, printed=printed))
            if kept is not None:
                found[shown.picture] = kept.data
        for name in issue.pictures:
            if name not in found and (data := picture_of(view, row.key, name)) is not None:
                found[name] = data
    missing = [shown.picture for _, shown in issue.maps if shown.picture not in found]
    return found | draw_maps(issue, _boards(house), house.shelf.board, printed=printed, only=missing)


# --- letters ---------------------------------------------------------------------------------------------------------


def letters_of(
    house: House, row: ZineRow, issued: ZineIssueRow, faces: KeptFaces, member: Member, how: Subscribed
) -> Iterator[Letter]:
    """What one subscriber gets."""
    room = how.most * 1000 or WHOLE
    if how.form in ("text", "ascii"):
        for number, parts in (faces.plain if how.form == "ascii" else faces.parts).items():
            fits = [one for one in parts if one.size <= room]
            for at, part in enumerate(fits, 1):
                yield _letter(house, row, issued, member, f"{how.form}/{number}/{at}", part.subject, part)
            if not fits:
                yield _notice(house, row, issued, member, faces, number)
        return
    if how.form == "notice":
        yield _notice(house, row, issued, member, faces)
        return
    if (file := faces.files.get(how.form)) is not None:
        yield (
            _with_file(house, row, issued, member, how.form, faces)
            if file.size <= room
            else _notice(house, row, issued, member, faces)
        )
        return
    for number, part in faces.whole.items():
        for at, page in enumerate(faces.pages.get(number, (None,)), 1):
            subject = page.subject if page is not None else part.subject
            yield _letter(house, row, issued, member, f"{how.form}/{number}/{at}", subject, part, page=page)


def _letter(
    house: House, row: ZineRow, issued: ZineIssueRow, member: Member, about: str, subject: str, text: Kept,
    *, page: Kept | None = None,
) -> Letter:  # fmt: skip
    kept = {"text": _where(row, issued, text)}
    figures: list[dict[str, Any]] = []
    if page is not None:
        kept["page"] = _where(row, issued, page)
        place = [PREFIX + row.key, place_of(issued)]
        figures = [{"name": name, "apart": [*place, f"picture/{name}"]} for name in page.pictures]
    return _of_issue(house, row, issued, member, about, subject, {"apart": kept, "files": [], "figures": figures})


def _with_file(house: House, row: ZineRow, issued: ZineIssueRow, member: Member, form: str, faces: KeptFaces) -> Letter:
    """The whole issue as a file, with what is in it."""
    file, cover = faces.files[form], faces.covers["file"]
    issue = cover.subject.partition(" ")[0].strip("#")
    on = "" if form in ("pdf", "epub") else f"-{form}"
    name = f"{row.key}-{issue}{on}.{'pdf' if form in PAPERS else form}"
    files = [{"name": name, "type": file.media_type, "apart": _where(row, issued, file)}]
    facts = {"apart": {"text": _where(row, issued, cover)}, "files": files}
    return _of_issue(house, row, issued, member, form, cover.subject, facts)


def _notice(
    house: House, row: ZineRow, issued: ZineIssueRow, member: Member, faces: KeptFaces, number: int = 0
) -> Letter:
    """Word that an issue is out, and what is in it."""
    cover = faces.covers["notice"]
    facts = {"apart": {"text": _where(row, issued, cover)}, "files": []}
    return _of_issue(house, row, issued, member, f"notice/{number}", f"{cover.subject} is out", facts)


def _where(row: ZineRow, issued: ZineIssueRow, kept: Kept) -> list[str]:
    return [PREFIX + row.key, place_of(issued), kept.kind]


def _of_issue(
    house: House, row: ZineRow, issued: ZineIssueRow, member: Member, about: str, subject: str, facts: dict[str, Any]
) -> Letter:
    frame = {**plain(replace(office_frame(member, house.office), game=PREFIX + row.key)), "sender": row.name}
    view = {
        "frame": frame, "subject": subject, "text": "", "page": "", "leave": _leave(row), "as_it_is": True, **facts,
    }  # fmt: skip
    return Letter(
        kind=ISSUE, idem_key=f"{PREFIX}{row.key}/{place_of(issued)}/{about}/p{member.person}", view=view,
        game=PREFIX + row.key, person=member.person, thread=Thread.GAME,
    )  # fmt: skip


def _leave(row: ZineRow) -> str:
    return f"You get this because you subscribed. To get {row.name} no more: leave zine {row.key}"


def wanted_forms(house: House, row: ZineRow) -> tuple[str, ...]:
    """The forms in which somebody gets a zine."""
    with house.store.read() as view:
        return tuple(sorted({how.form for _, how in readers_of(view, row.key) if not how.paused}))


def queue(house: House, unit: Transaction, row: ZineRow, issued: ZineIssueRow, faces: KeptFaces) -> int:
    """The letters to everybody who gets the zine; returns how many readers there are. An address that is suspended
    after bounces gets none.
    """
    now, members = house.clock.now(), Members(unit)
    readers = [(one, how) for one, how in readers_of(unit, row.key) if not how.paused]
    members.gather(one.person_id for one, _ in readers)
    bad = unit.people.suspended(members[one.person_id].address for one, _ in readers)
    letters: list[Letter] = []
    count = 0
    for one, how in readers:
        member = members[one.person_id]
        if not member.address or member.address in bad:
            continue
        count += 1
        letters += letters_of(house, row, issued, faces, member, how)
    put_all(house, unit, letters, now, members=members)
    return count


def faces_to_json(faces: KeptFaces) -> dict[str, Any]:
    """What is kept of an issue, for a later mail of it."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(faces)))
    return found


def faces_from_json(found: Mapping[str, Any]) -> KeptFaces:
    """The same again."""
    return KeptFaces(
        {int(number): tuple(_kept(one) for one in parts) for number, parts in found["parts"].items()},
        {int(number): _kept(one) for number, one in found["whole"].items()},
        {int(number): tuple(_kept(one) for one in parts) for number, parts in found["pages"].items()},
        {form: _kept(one) for form, one in found["files"].items()},
    )


def _kept(found: Mapping[str, Any]) -> Kept:
    return Kept(**{**found, "pictures": tuple(found.get("pictures", ()))})
