"""An issue on paper, made with Typst from templates: A4, Letter, pages of A5, and those as a booklet to fold.

Words of others are never part of a program: templates read them as data out of a file. Pictures get names of ours.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, time
from enum import StrEnum
from pathlib import Path

from judge.draw.letters import FONTS
from judge.mail.letters.rendering import TemplateError
from judge.zine import typeset
from judge.zine.contents import View, graphs_of, laid_out, sheet
from judge.zine.html import ZinePrinter
from judge.zine.issue import Issue
from judge.zine.pictures import graph_svg

FOLDER = "zine/print"
"""Of the templates."""
LONGEST = 120
"""Seconds after which an issue is given up."""


class Paper(StrEnum):
    """What an issue is printed on."""

    A4 = "a4"
    LETTER = "letter"
    A5 = "a5"
    """One page on each, in the order in which they are read."""
    BOOKLET = "booklet"
    """Pages of A5, two on a side of A4, in the order in which they are folded."""


PAPERS: Mapping[str, Paper] = {"pdf": Paper.A4, "letter": Paper.LETTER, "a5": Paper.A5, "booklet": Paper.BOOKLET}
"""As what a subscriber gets it -> on which paper."""


def print_pdf(issue: Issue, printer: ZinePrinter, pictures: Mapping[str, bytes], paper: Paper = Paper.A4) -> bytes:
    """The issue as PDF. `pictures`: PNG by the names that the issue has for them. Raises TemplateError."""
    moment = datetime.combine(issue.masthead.date, time(12), UTC)
    with tempfile.TemporaryDirectory(prefix="judge-zine-") as name:
        folder = Path(name)
        _set_out(laid_out(issue), printer, pictures, folder)
        if paper is not Paper.BOOKLET:
            return _compiled(folder, "issue.typ", {"paper": paper.value}, moment)
        single = _compiled(folder, "issue.typ", {"paper": Paper.A5.value}, moment)
        (folder / "pages.pdf").write_bytes(single)
        return _compiled(folder, "booklet.typ", {"pages": str(page_count(single))}, moment)


def _set_out(view: View, printer: ZinePrinter, pictures: Mapping[str, bytes], folder: Path) -> None:
    """Templates and data in a folder of their own, the only one that is read."""
    for source in reversed(printer.folders):
        if (source / FOLDER).is_dir():
            shutil.copytree(source / FOLDER, folder, dirs_exist_ok=True)
    if not (folder / "issue.typ").is_file():
        raise TemplateError(f"there is no {FOLDER}/issue.typ")
    named = {}
    for number, (name, data) in enumerate(sorted(pictures.items())):
        named[name] = f"picture-{number}.png"
        (folder / named[name]).write_bytes(data)
    for number, graph in enumerate(graphs_of(view)):
        graph["file"] = f"graph-{number}.svg"
        (folder / graph["file"]).write_text(graph_svg(graph, font="Libertinus Serif"), encoding="utf-8")
    (folder / "pictures.json").write_text(json.dumps(named), encoding="utf-8")
    (folder / "issue.json").write_text(json.dumps(sheet(view)), encoding="utf-8")


def _compiled(folder: Path, main: str, inputs: dict[str, str], moment: datetime) -> bytes:
    """The file, made by a process of its own."""
    out = f"{main}.pdf"
    asked = {"main": main, "fonts": [str(FONTS)], "inputs": inputs, "moment": moment.isoformat(), "out": out}
    job = folder / "job.json"
    job.write_text(json.dumps(asked), encoding="utf-8")
    command = [sys.executable, "-I", typeset.__file__, str(folder), str(job)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired as error:
        raise TemplateError(f"{FOLDER}/{main}: it took more than {LONGEST} seconds") from error
    if done.returncode:
        raise TemplateError(f"{FOLDER}/{main}: {done.stderr.replace(str(folder), FOLDER)[:2000].strip()}")
    return (folder / out).read_bytes()


def page_count(pdf: bytes) -> int:
    """How many pages a PDF of ours has."""
    return max((int(count) for count in re.findall(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", pdf)), default=0)
