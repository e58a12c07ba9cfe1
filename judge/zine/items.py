"""What comes in for a zine, and what becomes of it: each item gets a number, by which it can be moved, edited, held
over or dropped.

What fills a mail (an article, a pasted report) is kept word for word as it was typed, quoted lines included; what a
mail program put below it is not. Pictures are looked at before they are opened, and shrunk to what an issue can show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.game.core.commands import Decision, Refusal
from judge.languages import tell
from judge.mail.letters.layout import in_short
from judge.mail.quoting import LineKind
from judge.mail.raw.fields import LIMITS, MimePart, read_parts, split_mail
from judge.mail.script import ReadRequest, without_secrets
from judge.mail.script.model import Unasked
from judge.service.people.participants import welcome
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import Transaction, View
from judge.store.rows import PictureRow
from judge.store.zines import ZineItemRow, ZineRow
from judge.zine.desk import (
    PREFIX,
    ZineOffice,
    ZineState,
    chapter_at,
    chapter_of_game,
    key_of,
    largest_picture,
    leads,
    published,
    roles_of,
    shown,
    zine_meant,
)
from judge.zine.offices import WHO
from judge.zine.pictures import UnfitPicture, fit_picture
from judge.zine.verbs import ENDS, ItemAct, ItemSort, SendIn, ShowZine

LARGEST = 200_000
"""Characters of one item."""
SHOWN = 8_000
"""Characters of it that `item 14` shows."""
A_DAY = 30
"""Items that somebody may send in in a day."""
_TAIL = frozenset({LineKind.SIGNATURE, LineKind.DISCLAIMER, LineKind.FOOTER})
_FILLS = frozenset(
    {
        ItemSort.REPORT,
        ItemSort.ARTICLE,
        ItemSort.LETTER,
        ItemSort.BIO,
        ItemSort.RULES,
        ItemSort.CARTOON,
        ItemSort.COMMENT,
    }
)
"""What takes the rest of its mail."""
NEW, SEEN, HELD, DROPPED, PRINTED = "new", "seen", "held", "dropped", "printed"
"""How an item stands: the editor has not looked at it, has, has put it off; it is gone; it was printed."""

_PICTURE_KIND = "item"


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What an item is beside its words. `season`: of a report; `source`, `copyright`, `licence`: of a reprint;
    `credit`: of an epigraph or a picture; `picture`: the name of its picture, "" for none; `alt`: what that shows.
    """

    season: str = ""
    credit: str = ""
    source: str = ""
    copyright: str = ""
    licence: str = ""
    picture: str = ""
    alt: str = ""


def facts_of(row: ZineItemRow) -> ItemFacts:
    """The facts of an item as they are kept."""
    known = ItemFacts.__dataclass_fields__
    return ItemFacts(**{name: value for name, value in json.loads(row.facts).items() if name in known})


def _kept(facts: ItemFacts) -> str:
    return json.dumps({name: value for name in ItemFacts.__dataclass_fields__ if (value := getattr(facts, name))})


# --- coming in -------------------------------------------------------------------------------------------------------


@answers
def send_in(heard: HeardMail, said: ReadRequest, request: SendIn) -> Result:
    """Take an item in, and say its number."""
    heard, person = welcome(heard)
    if person is None:
        return WHO
    place = _place(heard, request, person)
    if isinstance(place, Refusal):
        return place
    row, chapter, game = place
    if request.sort is ItemSort.COMMENT and not roles_of(heard, row.key):
        return Refusal(
            "editor-only", tell("Those who make {row} write editorials.", row=row.name), mend="letter to the editor"
        )
    if (refusal := _cut_off(heard)) is not None:
        return refusal
    body, facts = _words(heard, said, request)
    picture = _picture_of(heard) if request.sort is ItemSort.CARTOON else None
    if isinstance(picture, Refusal):
        return picture
    if not body.strip() and picture is None:
        sentence = tell("Nothing stood below that line; write the text there, or attach it as .txt or .md.")
        return Refusal("no-text", sentence, mend="help zine")
    if (refusal := _too_long(body)) is not None:
        return refusal
    if not heard.unit.contacts.allow(f"person:{person}", "zine-item", heard.now.date(), A_DAY):
        return Refusal(
            "enough-today", tell("{a_day} items came from you today; please send the others tomorrow.", a_day=A_DAY)
        )
    own = bool(roles_of(heard, row.key)) or request.sort is ItemSort.REPORT
    item = heard.unit.zines.add_item(
        ZineItemRow(
            0, row.key, str(request.sort), chapter, game or None, person, _title(request), body,
            SEEN if own else NEW, None, request.issues if request.issues > 1 else None, heard.now,
            heard.mail.id, _kept(facts),
        )
    )  # fmt: skip
    if picture is not None:
        heard.unit.pictures.put(PictureRow(PREFIX + row.key, str(item.id), _PICTURE_KIND, "image/png", picture))
        item = replace(item, facts=_kept(replace(facts, picture=f"item-{item.id}")))
        heard.unit.zines.save_item(item)
    return Decision(said=_receipt(row, item, request))


def _cut_off(heard: HeardMail) -> Refusal | None:
    """Why nothing is filed of a mail whose end is not read."""
    if not (cut := heard.envelope.lines_cut):
        return None
    sentence = tell(
        "Your mail is {cut} lines longer than I read, so nothing of it was filed; send it in parts, or attach", cut=cut
    )
    return Refusal("too-long", tell("{sentence} the text as a file that ends in .txt or .md.", sentence=sentence))


def _too_long(body: str) -> Refusal | None:
    """Why words are not filed that are more than an item may have."""
    if len(body) <= LARGEST:
        return None
    sentence = tell(
        "That has {body} characters, and an item may have {largest}; please send it in parts.",
        body=len(body),
        largest=LARGEST,
    )
    return Refusal("too-long", sentence)


def _receipt(row: ZineRow, item: ZineItemRow, request: SendIn) -> str:
    where = tell(", chapter {chapter}", chapter=item.chapter) if item.chapter else ""
    often = (
        tell(", and printed in {issues} issues", issues=request.issues)
        if request.issues > 1 and request.sort is ItemSort.CLASSIFIED
        else ""
    )
    what = tell("your {names}", names=_NAMES[request.sort])
    if request.sort is ItemSort.REPORT:
        what = tell("the report of {game}", game=(item.game or "").upper())
    filed = tell(
        "{what} is filed for #{row} of {row2}{where}{often}",
        what=what,
        row=row.number + 1,
        row2=row.name,
        where=where,
        often=often,
    )
    return tell("Item {item}: {filed}. To look at it: item {item}", item=item.id, filed=filed)


_NAMES: Mapping[ItemSort, str] = {
    ItemSort.ARTICLE: "article", ItemSort.LETTER: "letter", ItemSort.BIO: "biography",
    ItemSort.CLASSIFIED: "advertisement", ItemSort.OPENING: "opening", ItemSort.EPIGRAPH: "epigraph",
    ItemSort.RULES: "reprint of rules", ItemSort.CARTOON: "cartoon", ItemSort.COMMENT: "editorial",
    ItemSort.REPORT: "report",
}  # fmt: skip


def _place(heard: HeardMail, request: SendIn, person: int) -> tuple[ZineRow, int, str] | Refusal:
    """(zine, chapter, game) of an item. A report goes where its game is printed, and only from its Gamemaster."""
    if request.sort is not ItemSort.REPORT:
        row = zine_meant(heard)
        if isinstance(row, Refusal):
            return row
        if row.state != ZineState.RUNNING:
            return Refusal("zine-closed", tell("{row} takes nothing in now.", row=row.name), mend="zines")
        own = published(heard, row.key)
        return row, own[0] if own and ZineOffice.EDITOR not in roles_of(heard, row.key) else 0, ""
    key = key_of(request.game)
    game = heard.unit.zines.game(key)
    if game is None or not game.external:
        if heard.game(key) is not None:
            sentence = tell("{key} is run here: its results come into the zine by themselves.", key=key.upper())
            return Refusal("own-game", sentence)
        sentence = tell(
            "No zine prints a game named {game}; its editor has to enter it first.", game=request.game[:40].upper()
        )
        return Refusal("no-such-game", sentence, mend=f"zine game {request.game[:40]} by {_wrote(heard)}")
    found = chapter_of_game(heard.unit, key)
    if found is None:
        return Refusal("no-chapter", tell("{game} stands in no chapter of any zine yet.", game=game.name))
    printed_in = heard.unit.zines.get(found[0])
    assert printed_in is not None
    if game.person_id != person and not leads(heard, printed_in.key):
        sentence = tell("Results of {game} are taken from its Gamemaster alone, who is somebody else.", game=game.name)
        return Refusal("not-your-game", sentence, mend=f"zine {printed_in.key}")
    return printed_in, found[1], key


def _wrote(heard: HeardMail) -> str:
    return heard.envelope.from_address or "gm@example.org"


_HEAD = re.compile(r"\s*(season|source|taken from|licen[cs]e|credit|alt|shows|title)\s*:\s*(.+)", re.IGNORECASE)
_COPYRIGHT = re.compile(r"\s*(?:copyright\b|\(c\)|©).*", re.IGNORECASE)
_FIELDS = {"taken from": "source", "license": "licence", "shows": "alt"}


def _words(heard: HeardMail, said: ReadRequest, request: SendIn) -> tuple[str, ItemFacts]:
    """The words of an item, and what lines on top of them say about it."""
    facts = ItemFacts(credit=request.credit, season=request.title if request.sort is ItemSort.REPORT else "")
    if request.sort not in _FILLS:
        return request.body, facts
    lines = typed_below(heard, said) or _attached_text(heard)
    if request.sort not in (ItemSort.RULES, ItemSort.CARTOON, ItemSort.ARTICLE):
        return "\n".join(lines), facts
    found: dict[str, str] = {}
    while lines and (match := _HEAD.fullmatch(lines[0]) or _COPYRIGHT.fullmatch(lines[0])):
        name = match[1].lower() if match.re is _HEAD else "copyright"
        found[_FIELDS.get(name, name)] = match[2].strip() if match.re is _HEAD else match[0].strip()
        lines = lines[1:]
        while lines and not lines[0].strip() and found:
            lines = lines[1:]
    known = {name: value for name, value in found.items() if name in ItemFacts.__dataclass_fields__}
    return "\n".join(lines), replace(facts, **known)


def typed_below(heard: HeardMail, said: ReadRequest) -> list[str]:
    """The lines of a mail below the one that asks for something, word for word, without what a program put below."""
    first = min(said.lines, default=0)  # the subject is line 0
    whole = heard.envelope.text_lines
    stops = (one.line for one in heard.script.ignored if one.why is Unasked.STOP and one.line > first)
    last = min(stops, default=len(whole) + 1)
    safe = without_secrets([line.text.rstrip() for line in whole])
    below = (pair for pair in zip(whole, safe, strict=True) if first < pair[0].number < last)
    texts = [text for line, text in below if line.kind not in _TAIL]
    for at, text in enumerate(texts):
        if text.strip().lower() in ENDS:
            texts = texts[:at]
            break
    while texts and not texts[0].strip():
        texts.pop(0)
    while texts and not texts[-1].strip():
        texts.pop()
    return texts


def _title(request: SendIn) -> str:
    return "" if request.sort is ItemSort.REPORT else request.title.strip()[:120]


# --- what is attached ------------------------------------------------------------------------------------------------


def _parts(heard: HeardMail) -> Sequence[MimePart]:
    raw = heard.unit.inbox.raw(heard.mail.id)
    if not raw:
        return ()
    fields, body, _ = split_mail(raw.replace(b"\r\n", b"\n"), LIMITS)
    root, _ = read_parts(fields, body)
    return [part for part in root.walk() if not part.is_multipart]


def _attached_text(heard: HeardMail) -> list[str]:
    """The first text that is attached as a file."""
    for part in _parts(heard):
        if part.filename.lower().endswith((".txt", ".md", ".text", ".markdown")):
            return part.text(LARGEST * 4)[0].rstrip().splitlines()
    return []


def _picture_of(heard: HeardMail) -> bytes | Refusal:
    """The attached picture as PNG, no wider than an issue shows it."""
    pictures = [part for part in _parts(heard) if part.kind.startswith("image/")]
    if not pictures:
        most = largest_picture(heard.judge)
        sentence = tell("No picture is attached; attach one as PNG, JPEG or GIF, of at most {most} KB.", most=most)
        return Refusal("no-picture", sentence, mend="help zine")
    try:
        return fit_picture(pictures[0].octets()[0])
    except UnfitPicture as error:
        return Refusal("bad-picture", str(error))


def picture_of(view: View | Transaction, zine: str, name: str) -> bytes | None:
    """The bytes of an item's picture, by its name in an issue ("item-14")."""
    row = view.pictures.get(PREFIX + zine, name.removeprefix("item-"), _PICTURE_KIND)
    return row.data if row is not None else None


# --- what becomes of it ----------------------------------------------------------------------------------------------


@answers
def item_act(heard: HeardMail, said: ReadRequest, request: ItemAct) -> Result:
    """Show an item, move it, edit it, hold it over, drop it or take it back in."""
    found = _mine(heard, request.number)
    if isinstance(found, Refusal):
        return found
    row, item, decides = found
    if item.state == PRINTED and item.left is None:
        return Refusal(
            "printed",
            tell(
                "Item {item} stands in #{issue} already; `zine errata` puts things right.",
                item=item.id,
                issue=item.issue,
            ),
        )
    return _done(heard, said, row, item, request, decides=decides)


def show_item(heard: HeardMail, request: ShowZine) -> Result:
    """`item 14`: an item as it lies on the desk."""
    found = _mine(heard, request.number)
    if isinstance(found, Refusal):
        return found
    _, item, _ = found
    left = len(item.body) - SHOWN
    more = [f"... ({left} characters more)"] if left > 0 else []
    return shown(heard, in_one_line(item), [*item.body[:SHOWN].splitlines(), *more])


def _mine(heard: HeardMail, number: int) -> tuple[ZineRow, ZineItemRow, bool] | Refusal:
    """(zine, item, whether whoever speaks decides on it) of an item that is theirs to see."""
    item, person = heard.unit.zines.item(number), heard.speaker.acting
    row = heard.unit.zines.get(item.zine) if item is not None else None
    if item is None or row is None or person is None:
        return Refusal("no-item", tell("There is no item {number}.", number=number), mend="zine items")
    decides = leads(heard, row.key) or (bool(item.chapter) and item.chapter in published(heard, row.key))
    if not decides and item.person_id != person.id:
        return Refusal("no-item", tell("There is no item {number} of yours.", number=number), mend="zine items")
    return row, item, decides


def _done(
    heard: HeardMail, said: ReadRequest, row: ZineRow, item: ZineItemRow, request: ItemAct, *, decides: bool
) -> Result:
    unit, act = heard.unit, request.act
    if act == "drop":
        unit.zines.save_item(replace(item, state=DROPPED))
        return Decision(said=tell("Item {item} is dropped. To take it back in: item {item} print", item=item.id))
    if act == "edit":
        body = "\n".join(typed_below(heard, said) or _attached_text(heard))
        if not body.strip():
            return Refusal("no-text", tell("Write the new text below that line."), mend=f"item {item.id} edit")
        if (refusal := _cut_off(heard) or _too_long(body)) is not None:
            return refusal
        unit.zines.save_item(replace(item, body=body, state=SEEN if decides else NEW))
        return Decision(said=tell("Item {item} has its new words.", item=item.id))
    if not decides:
        return Refusal("editor-only", tell("What is printed, and where, is for the editor of {row}.", row=row.name))
    if act == "chapter":
        if chapter_at(unit, row.key, request.chapter) is None:
            sentence = tell("{row} has no chapter {chapter}.", row=row.name, chapter=request.chapter)
            return Refusal("no-chapter", sentence, mend=f"zine chapter {request.chapter} games")
        unit.zines.save_item(replace(item, chapter=request.chapter, state=SEEN))
        return Decision(said=tell("Item {item} goes to chapter {chapter}.", item=item.id, chapter=request.chapter))
    if act == "hold":
        unit.zines.save_item(replace(item, state=HELD))
        return Decision(said=tell("Item {item} is held over. To print it after all: item {item} print", item=item.id))
    unit.zines.save_item(replace(item, state=SEEN))
    return Decision(said=tell("Item {item} is printed in #{row}.", item=item.id, row=row.number + 1))


def in_one_line(item: ZineItemRow) -> str:
    """An item as a list shows it."""
    where = f", chapter {item.chapter}" if item.chapter else ""
    what = f"{item.kind} of {item.game.upper()}" if item.game else item.kind
    title = item.title or in_short(" ".join(item.body.split()), 30)
    return f"{item.id}  {what}{where}: {title} ({len(item.body)} characters, {item.state})"


def waiting_items(view: View | Transaction, zine: str) -> list[ZineItemRow]:
    """What is to be printed next, in the order in which it came: what is new, seen, or still to be repeated."""
    rows: list[Any] = [*view.zines.items(zine, NEW), *view.zines.items(zine, SEEN)]
    rows += [row for row in view.zines.items(zine, PRINTED) if row.left]
    return sorted(rows, key=lambda row: row.id)
