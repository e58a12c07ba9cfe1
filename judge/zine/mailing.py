"""An approved issue on its way: every face is made once and kept, and each subscriber gets a letter that names it.

The faces are made outside of any transaction, and the letters are queued in one; each letter has a key, so that a crash
at any point, and a second look, bring nobody the issue twice. The post sends them behind all other letters, as fast as
the relay's limits allow.
"""

from __future__ import annotations

import json
from binascii import b2a_qp
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from judge import resources
from judge.languages import tell
from judge.report.core.letter import Letter, Member, Thread, office_frame, plain
from judge.service.core.directory import Members
from judge.service.core.judge import Judge
from judge.service.posting.outgoing import put_all
from judge.store import Transaction
from judge.store.rows import PictureRow
from judge.store.zines import ZineIssueRow, ZineRow
from judge.zine.desk import PREFIX, IssueState, terms_of
from judge.zine.html import ZinePrinter, print_epub, print_pages_for_mail
from judge.zine.issue import Issue, chapter_alone, has_rest, thawed
from judge.zine.items import picture_of
from judge.zine.pdf import PAPERS, print_pdf
from judge.zine.pictures import draw_graphs, draw_maps
from judge.zine.subscribing import Subscribed, readers_of
from judge.zine.text import print_cover, print_text

ISSUE = "zine-issue"
"""The kind of the letters that bring an issue."""
WHOLE = 10_000_000
"""Bytes of a text that is not to be parted."""
LARGEST = 14_000_000
"""Bytes of a mail that most servers take."""
BARE = "bare"
"""The form of those who want pages in mails of a certain size: pages are made without pictures, too."""
_BARE = "Its pictures are left out, so that this mail is no larger than you want. "
HEAD = 2000
"""Bytes of a mail that are taken by its header fields and signature, at most."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A face, or a part of one, as it is kept: under which kind, the bytes that it takes in a mail, what the subject of
    that says, and the names of the pictures that it shows, whose bytes are counted with it.
    """

    kind: str
    media_type: str
    size: int
    subject: str = ""
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptFaces:
    """What was made of an issue: the text in parts, in one piece, and the other faces; by chapter, 0 for all of it.
    `plain`: the parts in ASCII; `bare`: pages without pictures; `covers`: what the mails say that bring it as a file
    ("file"), or only word of it ("notice").
    """

    parts: Mapping[int, tuple[Kept, ...]]
    whole: Mapping[int, Kept]
    pages: Mapping[int, tuple[Kept, ...]]
    files: Mapping[str, Kept]
    covers: Mapping[str, Kept]
    plain: Mapping[int, tuple[Kept, ...]]
    bare: Mapping[int, tuple[Kept, ...]]


def printer_of(judge: Judge, zine: str) -> ZinePrinter:
    """The printer of a zine's faces: its own templates first."""
    own = judge.config.templates
    folders = [own / "zines" / zine, own] if own is not None else []
    return ZinePrinter(*(folder for folder in folders if folder.is_dir()), resources.folder("templates"))


def place_of(row: ZineIssueRow) -> str:
    """Under what the faces of an issue are kept, beside its zine."""
    return f"{row.number}.{row.chapter}"


def mails_of(row: ZineIssueRow, issue: Issue) -> dict[int, Issue]:
    """An issue as it is mailed, by chapter: those that their publishers have not sent, and in which something stands.
    What belongs to no chapter comes with the first of them, or by itself, as 0; an issue of one chapter is 0, too.
    """
    alone = set(json.loads(row.facts).get("alone", ()))
    if len(issue.printed) <= 1 and not alone:
        return {0: issue}
    filled = [one.number for one in issue.printed if one.number not in alone and (one.entries or one.items)]
    if not filled:
        return {0: chapter_alone(issue, 0, rest=True)} if has_rest(issue) or not alone else {}
    return {number: chapter_alone(issue, number, rest=number == filled[0]) for number in filled}


def make_faces(
    judge: Judge, row: ZineRow, issued: ZineIssueRow, forms: Sequence[str]
) -> tuple[KeptFaces, list[PictureRow]]:
    """Every face that somebody wants, as it is to be kept. Slow: nothing is locked meanwhile. Raises TemplateError."""
    made = _Making(judge, row, issued, forms)
    return made.faces(), made.rows


class _Making:
    """The faces of an issue; `rows` are their bytes."""

    def __init__(self, judge: Judge, row: ZineRow, issued: ZineIssueRow, forms: Sequence[str]) -> None:
        self._judge, self._row, self._issued, self._forms = judge, row, issued, forms
        self._issue, self._printer = thawed(issued.value), printer_of(judge, row.key)
        self._mails = mails_of(issued, self._issue)
        self.rows: list[PictureRow] = []

    def faces(self) -> KeptFaces:
        parts = {number: self._parts(number) for number in self._mails}
        return KeptFaces(
            parts=parts,
            whole={number: self._whole(number, printed) for number, printed in parts.items()},
            pages=self._pages() if "html" in self._forms else {},
            files=self._files(),
            covers=self._covers(),
            plain={number: self._parts(number, "ascii") for number in self._mails} if "ascii" in self._forms else {},
            bare=self._pages_of("bare", {}, _BARE) if BARE in self._forms else {},
        )

    def _keep(
        self, kind: str, media_type: str, data: bytes, subject: str = "", pictures: Mapping[str, int] | None = None
    ) -> Kept:
        """`pictures`: of a page, with the bytes that each takes in a mail."""
        self.rows.append(PictureRow(PREFIX + self._row.key, place_of(self._issued), kind, media_type, data))
        shown = pictures or {}
        return Kept(kind, media_type, in_a_mail(media_type, data) + sum(shown.values()), subject, tuple(shown))

    def _parts(self, number: int, form: str = "text") -> tuple[Kept, ...]:
        most = terms_of(self._row).part_kb * 1000
        printed = print_text(self._mails[number], self._printer, ascii_only=form == "ascii", most=most)
        return tuple(
            self._keep(f"{form}/{number}/{at}", "text/plain", part.text.encode(), part.subject)
            for at, part in enumerate(printed, 1)
        )

    def _whole(self, number: int, parts: Sequence[Kept]) -> Kept:
        if len(parts) == 1:
            return parts[0]
        (printed,) = print_text(self._mails[number], self._printer, most=WHOLE)
        return self._keep(f"text/{number}/0", "text/plain", printed.text.encode(), printed.subject)

    def _pages(self) -> dict[int, tuple[Kept, ...]]:
        pictures = {**pictures_of(self._judge, self._row, self._issue), **draw_graphs(self._issue)}
        sizes = {name: self._keep(f"picture/{name}", "image/png", data).size for name, data in pictures.items()}
        return self._pages_of("page", sizes)

    def _pages_of(self, kind: str, sizes: Mapping[str, int], told: str = "") -> dict[int, tuple[Kept, ...]]:
        """Pages with these pictures, by the bytes that each takes in a mail; `told`: what their foot says besides."""
        addresses, foot = {name: f"cid:{name}" for name in sizes}, f"{told}{_leave(self._row)}"
        pages = {}
        for number, one in self._mails.items():
            printed = print_pages_for_mail(one, self._printer, addresses, foot=foot)
            pages[number] = tuple(
                self._keep(
                    f"{kind}/{number}/{at}", "text/html", part.html.encode(), part.subject,
                    {name: sizes[name] for name in part.pictures},
                )
                for at, part in enumerate(printed, 1)
            )  # fmt: skip
        return pages

    def _files(self) -> dict[str, Kept]:
        files = {}
        if papers := [form for form in self._forms if form in PAPERS]:
            grey = pictures_of(self._judge, self._row, self._issue, printed=True)
            for form in papers:
                files[form] = self._keep(
                    form, "application/pdf", print_pdf(self._issue, self._printer, grey, PAPERS[form])
                )
        if "epub" in self._forms:
            book = print_epub(self._issue, self._printer, pictures_of(self._judge, self._row, self._issue))
            files["epub"] = self._keep("epub", "application/epub+zip", book)
        return files

    def _covers(self) -> dict[str, Kept]:
        called, cover = f"{self._issue.masthead.issue} of {self._row.name}", print_cover(self._issue, self._printer)
        lead = {
            "file": tell("{called} is attached.", called=called),
            "notice": tell(
                "{called} is out. To get it now: zine back issue {issued}", called=called, issued=self._issued.number
            ),
        }
        return {
            name: self._keep(f"cover/{name}", "text/plain", f"{said}\n\n{cover}\n".encode(), called)
            for name, said in lead.items()
        }


def in_a_mail(media_type: str, data: bytes) -> int:
    """Bytes that this takes in a mail: words as quoted-printable, all else in base64 with its line ends.

    >>> in_a_mail("text/plain", "für\\n".encode()), in_a_mail("image/png", bytes(57))
    (10, 78)
    """
    if media_type.startswith("text/"):
        return len(b2a_qp(data.replace(b"\n", b"\r\n")))
    return -(-len(data) // 3) * 4 * 78 // 76


MAPS_AT_A_TIME = 6
"""Maps that are drawn in one sweep: games wait meanwhile."""
_MAPS = "maps"


def draw_some_maps(judge: Judge, row: ZineRow, issue: Issue, forms: Sequence[str]) -> bool:
    """Draw maps that these forms show and that are not there yet, a few at a time; True once all of them are there."""
    names = [shown.picture for _, shown in issue.maps]
    looks = [printed for printed, shows in ((False, {"html", "epub"}), (True, {"pdf"})) if shows & {*forms}]
    with judge.store.read() as view:
        missing = [
            (printed, name)
            for printed in looks
            for name in names
            if view.pictures.get(PREFIX + row.key, _MAPS, _kind_of_map(name, printed=printed)) is None
        ]
    for printed in looks:
        some = [name for look, name in missing[:MAPS_AT_A_TIME] if look is printed]
        drawn = draw_maps(issue, _boards(judge), judge.shelf.board, printed=printed, only=some) if some else {}
        with judge.store.write() as unit:
            for name, data in drawn.items():
                kind = _kind_of_map(name, printed=printed)
                unit.pictures.put(PictureRow(PREFIX + row.key, _MAPS, kind, "image/png", data))
    return len(missing) <= MAPS_AT_A_TIME


def _kind_of_map(name: str, *, printed: bool) -> str:
    return f"{name}/bw" if printed else name


def _boards(judge: Judge) -> Path:
    return judge.config.maps or resources.folder("maps")


def pictures_of(judge: Judge, row: ZineRow, issue: Issue, *, printed: bool = False) -> dict[str, bytes]:
    """The maps of an issue, and what was sent in with its items. What is not there yet is drawn."""
    found: dict[str, bytes] = {}
    with judge.store.read() as view:
        for _, shown in issue.maps:
            kept = view.pictures.get(PREFIX + row.key, _MAPS, _kind_of_map(shown.picture, printed=printed))
            if kept is not None:
                found[shown.picture] = kept.data
        for name in issue.pictures:
            if name not in found and (data := picture_of(view, row.key, name)) is not None:
                found[name] = data
    missing = [shown.picture for _, shown in issue.maps if shown.picture not in found]
    return found | draw_maps(issue, _boards(judge), judge.shelf.board, printed=printed, only=missing)


# --- letters ---------------------------------------------------------------------------------------------------------


def letters_of(
    judge: Judge, row: ZineRow, issued: ZineIssueRow, faces: KeptFaces, member: Member, how: Subscribed
) -> Iterator[Letter]:
    """What one subscriber gets. A form that nobody had when the issue was made comes as text. Pages that are larger
    than a reader wants come without pictures, else as text, and of what is larger still there is word. A file that no
    server would take comes as text, too.
    """
    room = (how.most * 1000 or LARGEST) - HEAD
    if how.form == "notice":
        yield _notice(judge, row, issued, member, faces)
        return
    if (file := faces.files.get(how.form)) is not None:
        if faces.covers["file"].size + file.size <= room:
            yield _with_file(judge, row, issued, member, how.form, faces)
            return
        if how.most:
            yield _notice(judge, row, issued, member, faces)
            return
    too_large = False
    for number, whole in faces.whole.items():
        if how.form == "html" and (pages := _pages_within(room - whole.size, faces, number)):
            for at, page in enumerate(pages, 1):
                yield _letter(judge, row, issued, member, f"html/{number}/{at}", page.subject, whole, page=page)
            continue
        plain = faces.plain.get(number) if how.form == "ascii" else None
        parts = plain or faces.parts[number]
        if any(part.size > room for part in parts):
            too_large = True
            continue
        for at, part in enumerate(parts, 1):
            yield _letter(judge, row, issued, member, f"{how.form}/{number}/{at}", part.subject, part)
    if too_large:
        yield _notice(judge, row, issued, member, faces)


def _pages_within(room: int, faces: KeptFaces, number: int) -> tuple[Kept, ...]:
    """The pages of which each leaves a mail as small as it has to be: with pictures, else without; () for none."""
    ways = (faces.pages.get(number, ()), faces.bare.get(number, ()))
    return next((pages for pages in ways if pages and all(page.size <= room for page in pages)), ())


def _letter(
    judge: Judge, row: ZineRow, issued: ZineIssueRow, member: Member, about: str, subject: str, text: Kept,
    *, page: Kept | None = None,
) -> Letter:  # fmt: skip
    kept = {"text": _where(row, issued, text)}
    figures: list[dict[str, Any]] = []
    if page is not None:
        kept["page"] = _where(row, issued, page)
        place = [PREFIX + row.key, place_of(issued)]
        figures = [{"name": name, "apart": [*place, f"picture/{name}"]} for name in page.pictures]
    return _of_issue(
        judge, row, place_of(issued), member, about, subject, {"apart": kept, "files": [], "figures": figures}
    )


def _with_file(judge: Judge, row: ZineRow, issued: ZineIssueRow, member: Member, form: str, faces: KeptFaces) -> Letter:
    """The whole issue as a file, with what is in it."""
    file, cover = faces.files[form], faces.covers["file"]
    issue = cover.subject.partition(" ")[0].strip("#")
    on = "" if form in ("pdf", "epub") else f"-{form}"
    name = f"{row.key}-{issue}{on}.{'pdf' if form in PAPERS else form}"
    files = [{"name": name, "type": file.media_type, "apart": _where(row, issued, file)}]
    facts = {"apart": {"text": _where(row, issued, cover)}, "files": files}
    return _of_issue(judge, row, place_of(issued), member, form, cover.subject, facts)


def _notice(judge: Judge, row: ZineRow, issued: ZineIssueRow, member: Member, faces: KeptFaces) -> Letter:
    """Word that an issue is out, and what is in it."""
    cover = faces.covers["notice"]
    facts = {"apart": {"text": _where(row, issued, cover)}, "files": []}
    return _of_issue(
        judge, row, place_of(issued), member, "notice/0", tell("{subject} is out", subject=cover.subject), facts
    )


def _where(row: ZineRow, issued: ZineIssueRow, kept: Kept) -> list[str]:
    return [PREFIX + row.key, place_of(issued), kept.kind]


def _of_issue(
    judge: Judge, row: ZineRow, place: str, member: Member, about: str, subject: str, facts: dict[str, Any]
) -> Letter:
    frame = {**plain(replace(office_frame(member, judge.office), game=PREFIX + row.key)), "sender": row.name}
    view = {
        "frame": frame, "subject": subject, "text": "", "page": "", "leave": _leave(row), "as_it_is": True, **facts,
    }  # fmt: skip
    return Letter(
        kind=ISSUE, idem_key=f"{PREFIX}{row.key}/{place}/{about}/p{member.person}", view=view,
        game=PREFIX + row.key, person=member.person, thread=Thread.GAME,
    )  # fmt: skip


def _leave(row: ZineRow) -> str:
    return tell(
        "You get this because you subscribed. To get {row} no more: leave zine {row2}", row=row.name, row2=row.key
    )


def wanted_forms(judge: Judge, row: ZineRow) -> tuple[str, ...]:
    """The forms in which somebody gets a zine."""
    with judge.store.read() as view:
        wanted = [how for _, how in readers_of(view, row.key) if not how.paused]
    bare = {BARE for how in wanted if how.form == "html" and how.most}
    return tuple(sorted({how.form for how in wanted} | bare))


def queue(judge: Judge, unit: Transaction, row: ZineRow, issued: ZineIssueRow, faces: KeptFaces) -> int:
    """The letters to everybody who gets the zine; returns how many readers there are."""
    readers = [(member, how) for member, how in _reached(unit, row) if not how.paused]
    letters = [letter for member, how in readers for letter in letters_of(judge, row, issued, faces, member, how)]
    put_all(judge, unit, letters, judge.clock.now())
    return len(readers)


def tell_readers(judge: Judge, unit: Transaction, row: ZineRow, about: str, subject: str, words: str) -> int:
    """A word to everybody who gets the zine, whether or not they rest; returns how many they are."""
    letters = [
        _of_issue(judge, row, "word", member, about, subject, {"text": words, "files": []})
        for member, _ in _reached(unit, row)
    ]
    put_all(judge, unit, letters, judge.clock.now())
    return len(letters)


def _reached(unit: Transaction, row: ZineRow) -> list[tuple[Member, Subscribed]]:
    """The readers to whom mail goes: an address that is suspended after bounces gets none."""
    members, readers = Members(unit), readers_of(unit, row.key)
    members.gather(one.person_id for one, _ in readers)
    found = [(members[one.person_id], how) for one, how in readers]
    bad = unit.people.suspended(member.address for member, _ in found)
    return [(member, how) for member, how in found if member.address and member.address not in bad]


# --- old issues ------------------------------------------------------------------------------------------------------

FACES_KEPT = timedelta(days=180)
"""How long an issue can be had in every form in which it went out; its text is kept for ever."""


def clear_old_faces(unit: Transaction, row: ZineRow, now: datetime) -> None:
    """Throw away what is large of issues that went out long ago: pages, files, pictures and maps. While letters of that
    time have still to go, nothing is.
    """
    waits = unit.outbox.oldest_open()
    if waits is not None and now - waits >= FACES_KEPT:
        return
    for card in unit.zines.issue_cards(row.key):
        facts = json.loads(card.facts)
        if card.state != IssueState.SENT or now - card.at < FACES_KEPT or facts.get("text_alone"):
            continue
        faces, issued = faces_from_json(facts["faces"]), unit.zines.issue(row.key, card.number, card.chapter)
        assert issued is not None
        pages = [page for pages in (*faces.pages.values(), *faces.bare.values()) for page in pages]
        kinds = {kept.kind for kept in (*faces.files.values(), *pages)}
        kinds |= {f"picture/{name}" for page in pages for name in page.pictures}
        maps = [shown.picture for _, shown in thawed(issued.value).maps]
        unit.pictures.drop(PREFIX + row.key, place_of(issued), kinds)
        unit.pictures.drop(
            PREFIX + row.key, _MAPS, {_kind_of_map(name, printed=printed) for name in maps for printed in (False, True)}
        )
        facts = {**facts, "faces": faces_to_json(replace(faces, pages={}, bare={}, files={})), "text_alone": True}
        unit.zines.put_issue(replace(issued, facts=json.dumps(facts)))


def comes_as_text(faces: KeptFaces, form: str) -> bool:
    """Whether an issue is text although this form was asked for: nobody had it then, or that is long ago."""
    return not (form in ("text", "ascii") or form in faces.files or (form == "html" and faces.pages))


def faces_to_json(faces: KeptFaces) -> dict[str, Any]:
    """What is kept of an issue, for a later mail of it."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(faces)))
    return found


def faces_from_json(found: Mapping[str, Any]) -> KeptFaces:
    """The same again."""

    def several(what: str) -> dict[int, tuple[Kept, ...]]:
        return {int(number): tuple(map(_kept, parts)) for number, parts in found.get(what, {}).items()}

    return KeptFaces(
        parts=several("parts"),
        whole={int(number): _kept(one) for number, one in found["whole"].items()},
        pages=several("pages"),
        files={form: _kept(one) for form, one in found["files"].items()},
        covers={name: _kept(one) for name, one in found["covers"].items()},
        plain=several("plain"),
        bare=several("bare"),
    )


def _kept(found: Mapping[str, Any]) -> Kept:
    return Kept(**{**found, "pictures": tuple(found["pictures"])})
