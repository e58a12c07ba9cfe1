"""An exhibition: letters of every kind as files to look at, out of conversations that are really played.

A conversation says with `show NAME` which of its letters hang in it; of one that shows none, all of them do. Those in
`shows` lead to every kind of letter; the sample game of the rulebook is the longest of them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from pathlib import Path

from judge import resources
from judge.config import Config
from judge.service.pictures.artist import Easel
from judge.testing.local import LocalJudge
from judge.testing.rehearsal import Rehearsal, rehearse
from judge.testing.transcript import ReceivedLetter, Transcript, TranscriptError, read_transcript
from judge.testing.under_test import rehearsal_config

SHOWS = Path(__file__).with_name("shows")

Shown = Mapping[str, ReceivedLetter]


@dataclass(frozen=True, slots=True)
class Exhibits:
    """The letters of one conversation by name, and the `rule` that it shows."""

    name: str
    rule: str
    letters: Shown


class _Counted(LocalJudge):
    """`before`: how many letters had gone out when the conversation began."""

    before = 0

    def begin(self) -> None:
        super().begin()
        self.before = len(self.everything())


def play(file: Path, *, pictures: bool = True, language: str = "en") -> Exhibits:
    """Play a conversation, with `pictures` in its letters, all of them in a language. One that is not English is played
    on whatever they say, as far as that leads. Raises Difference, TranscriptError, OSError.
    """
    transcript = read_transcript(file.read_text(encoding="utf-8"), file.name)
    if language == "en":
        return _exhibits(file, transcript, language, pictures=pictures)
    with tempfile.TemporaryDirectory(prefix="judge-gallery-") as folder:
        in_english = rehearse(transcript, lambda start: LocalJudge(Path(folder), start=start))
    return _exhibits(file, transcript, language, pictures=pictures, as_in=in_english)


def _exhibits(
    file: Path, transcript: Transcript, language: str, *, pictures: bool, as_in: Rehearsal | None = None
) -> Exhibits:
    stages: list[_Counted] = []

    def opened(start: datetime) -> LocalJudge:
        easel = Easel(resources.folder("maps")) if pictures else None
        stages.append(_Counted(Path(folder), start=start, artist=easel, config=configured))
        return stages[-1]

    def configured(var: Path) -> Config:
        return replace(rehearsal_config(var), language=language)

    shown: Shown = {}
    with (
        tempfile.TemporaryDirectory(prefix="judge-gallery-") as folder,
        suppress(*([TranscriptError] if as_in is not None else [])),
    ):
        shown = rehearse(transcript, opened, as_in=as_in).shown
    return Exhibits(file.stem, transcript.rule, shown or _numbered(stages[-1].everything()[stages[-1].before :]))


def _numbered(letters: Sequence[ReceivedLetter]) -> Shown:
    """Every letter of a conversation, in the order in which they went out: "03-france-receipt"."""
    return {
        f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', letter.to.partition('@')[0])}-{kind_of(letter)}": letter
        for number, letter in enumerate(letters, start=1)
    }


def kind_of(letter: ReceivedLetter) -> str:
    """What kind of letter it is: "receipt"."""
    return letter.header("X-Judge-Kind")


def page_of(letter: ReceivedLetter) -> str:
    """The page of a letter, "" for one without."""
    body = letter.message.get_body(("html",))
    return "" if body is None else str(body.get_content()).replace("\r\n", "\n")


def hang(rooms: Iterable[Exhibits], folder: Path) -> Path:
    """Write every letter as a mail, its text, its page, its pictures and files, and a list of them all. Returns the
    list. Raises OSError.
    """
    rows = []
    for room in rooms:
        place = folder / room.name
        place.mkdir(parents=True, exist_ok=True)
        rows.append(f"<h2>{escape(room.name)}</h2>\n<p>{escape(room.rule)}</p>\n<table>")
        for name, letter in room.letters.items():
            files = _write(letter, place / name)
            links = " ".join(f'<a href="{room.name}/{file.name}">{_label(file, name)}</a>' for file in files)
            rows.append(
                f"<tr><td>{escape(name)}</td><td>{escape(kind_of(letter))}</td>"
                f"<td>{escape(letter.subject)}</td><td>{links}</td></tr>"
            )
        rows.append("</table>")
    index = folder / "index.html"
    index.write_text(_INDEX.format(rows="\n".join(rows)), encoding="utf-8")
    return index


def _write(letter: ReceivedLetter, stem: Path) -> list[Path]:
    """The files of one letter; its page shows the pictures that lie beside it."""
    mail, text = stem.with_suffix(".eml"), stem.with_suffix(".txt")
    mail.write_bytes(letter.raw)
    text.write_text(f"{letter.show()}\n", encoding="utf-8")
    files, page = [text], page_of(letter)
    for part in letter.message.walk():
        if not (name := part.get_filename()):
            continue
        file = stem.with_name(f"{stem.name}-{Path(name).name}")
        content = part.get_content()
        file.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        page = page.replace(f"cid:{str(part.get('Content-ID', '')).strip().strip('<>') or '-'}", file.name)
        files.append(file)
    if page:
        html = stem.with_suffix(".html")
        html.write_text(page, encoding="utf-8")
        files.insert(1, html)
    return [*files, mail]


def _label(file: Path, name: str) -> str:
    usual = {".txt": "text", ".html": "page", ".eml": "mail"}
    return usual[file.suffix] if file.stem == name else escape(file.name.removeprefix(f"{name}-"))


_INDEX = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Letters of the judge</title>
<style>
body {{ font: 15px/1.5 Georgia, serif; margin: 1em auto; max-width: 75em; padding: 0 1em; }}
td {{ padding: 2px 1em 2px 0; vertical-align: top; border-top: 1px solid #ccc; }}
</style>
</head>
<body>
<h1>Letters of the judge</h1>
{rows}
</body>
</html>
"""
