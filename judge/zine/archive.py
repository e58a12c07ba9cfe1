"""What the static archive shows, gathered from the store, and how it is written into a folder.

Maps are drawn once: the name of a picture is made of what it shows, and one that is there is not drawn again. What the
last export wrote and this one does not (a game that is no longer public) is taken away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from judge import __version__
from judge.adjudicate.outcome import outcomes_to_json
from judge.board.position import Position, position_to_json
from judge.draw import CODES, NAMES, BoardPictures, Caption, Picture, orders_picture, position_picture
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.model import Game, Stage
from judge.game.repair.correcting import PositionCorrected
from judge.history import PlayedPhase, read_out
from judge.report.core.letter import labelled, plain
from judge.report.played.chart import finishers
from judge.report.played.results import final_positions, results_of
from judge.resources import stamp
from judge.service.core.directory import Members
from judge.service.core.judge import Judge
from judge.store import View
from judge.store.files import public_file, public_folder
from judge.store.zines import ZineIssueRow, ZineRow
from judge.zine.desk import IssueState, address_of, makers
from judge.zine.figures import games_csv, games_json, ratings_csv, ratings_json
from judge.zine.html import print_archive_page, print_epub
from judge.zine.issue import Issue, frozen, thawed
from judge.zine.mailing import WHOLE, pictures_of, printer_of
from judge.zine.pdf import print_pdf
from judge.zine.public import (
    PublicGame,
    Shown,
    corrections_of,
    game_entry,
    game_result,
    is_public,
    moments_of,
    openings,
    public_games,
    public_press,
    public_statements,
    rated_games,
    standby_names,
    standbys_wanted,
    standing,
)
from judge.zine.register import results_elsewhere
from judge.zine.site import ArchiveSite, Closing, GamePage, IssuePage, PhasePage, ZinePage, files
from judge.zine.statistics import game_statistics, openings_table, ratings_block, ratings_of, results_table, season_of
from judge.zine.text import print_text

LIST = ".judge-archive"
"""The file in which an export keeps the names of all that it wrote, with their marks."""
WIDTH = 1100
"""Pixels across a map, for a page that is 1000 units wide."""


Draw = Callable[[Picture], bytes]
"""Makes a picture a file."""


class MapPainter:
    """Draws; what all pictures of a board share is prepared once, and only where a picture is wanted."""

    def __init__(self) -> None:
        self._plates: object = None

    def png(self, picture: Picture) -> bytes:
        """The picture as a file."""
        from judge.raster import Plates, finished_png

        if not isinstance(self._plates, Plates):
            self._plates = Plates()
        return finished_png(picture, picture.pixels(WIDTH), self._plates)


@dataclass(frozen=True, slots=True, eq=False)
class MadeFile:
    """A file that is slow to make: its path, how it is made, and a mark that is another where it would be another."""

    path: str
    mark: str
    make: Callable[[Draw], bytes]


@dataclass(frozen=True, slots=True, eq=False)
class GatheredArchive:
    """Everything that is to be written."""

    site: ArchiveSite
    made: tuple[MadeFile, ...]


def gathered(judge: Judge, view: View, boards: Path, base: str = "", *, shown: Shown = is_public) -> GatheredArchive:
    """The archive of a judge as it stands. `boards`: the folder of the boards; `base`: where it will stand on the web,
    "" where nobody has said; `shown`: of which games there are pages. Tables and files for programs tell of public
    games alone.
    """
    pictures = BoardPictures(boards)
    begun = tuple(public_games(judge, view, shown))
    games = tuple(one for one in begun if is_public(one.game))
    pages, made = [], list[MadeFile]()
    for one in begun:
        page, maps = _game_page(judge, one, pictures)
        pages.append(page)
        made += maps
    members = Members(view)

    def name_of(person: int) -> str:
        return members[person].name

    public = {one.game.key: one.game for one in games}
    zines = []
    for row in view.zines.all():
        zine, faces = _zine_page(judge, view, row, public, members)
        zines.append(zine)
        made += faces
    ratings = ratings_of(rated_games(judge, view), name_of)
    site = ArchiveSite(
        judge=judge.office.name,
        domain=judge.office.domain,
        zines=tuple(zines),
        games=tuple(pages),
        results=results_table([*(game_result(judge, one) for one in games), *results_elsewhere(view, name_of)]),
        ratings=ratings_block(ratings),
        openings=tuple(openings(judge, view)),
        wanted=tuple(standbys_wanted(judge, view)),
        standbys=len(standby_names(view, name_of)),
        first_moves=openings_table((one.game, one.events) for one in games),
        downloads={
            "games.csv": games_csv(games), "games.json": games_json(judge, games),
            "ratings.csv": ratings_csv(ratings), "ratings.json": ratings_json(ratings),
        },
        base=base,
    )  # fmt: skip
    return GatheredArchive(site, tuple(made))


# --- zines ----------------------------------------------------------------------------------------------------------


def _zine_page(
    judge: Judge, view: View, row: ZineRow, public: Mapping[str, Game], members: Members
) -> tuple[ZinePage, list[MadeFile]]:
    issues = [one for one in view.zines.issues(row.key) if one.state == IssueState.SENT]
    sent = [one for one in issues if one.chapter == 0]
    pages, made = [], list[MadeFile]()
    for one in reversed(sent):
        corrections = [
            each for each in issues if each.number == one.number and each.chapter < 0 and each.state == IssueState.SENT
        ]
        page, faces = _issue_page(judge, row, one, corrections)
        pages.append(page)
        made += faces
    games = [key for chapter in view.zines.chapters(row.key) for key in chapter.games if key in public]
    editor = next((members[person].name for person in makers(view, row.key)), "")
    how = f"To get {row.name} by mail, write to {address_of(judge, row.key)}: subscribe {row.key}"
    zine = ZinePage(row.key, row.name, editor, row.created_at.date(), (how,), tuple(pages), tuple(dict.fromkeys(games)))
    return zine, made


def _issue_page(
    judge: Judge, row: ZineRow, issued: ZineIssueRow, corrections: Sequence[ZineIssueRow]
) -> tuple[IssuePage, list[MadeFile]]:
    """An issue as it stands with its corrections, and its faces."""
    first = thawed(issued.value)
    errata = tuple(item for one in corrections for item in thawed(one.value).items)
    issue = without_addresses(replace(first, items=(*errata, *first.items)), judge.office.domain)
    name = f"{row.key}-{issued.number}"
    faces = {"Text": f"{name}.txt", "PDF": f"{name}.pdf", "EPUB": f"{name}.epub"}
    page = IssuePage(
        number=issued.number,
        title=first.masthead.title,
        day=first.masthead.date,
        published=issued.at,
        updated=max([issued.at, *(one.at for one in corrections)]),
        page="index.html",
        faces=faces,
        summary="; ".join(f"{one.heading}: {', '.join(one.names).upper()}" for one in first.chapters if one.names),
    )
    printer = printer_of(judge, row.key)
    home = f"zine/{row.key}/{issued.number}"
    mark = _mark([frozen(issue), __version__, [stamp(folder / "zine") for folder in printer.folders]])

    @cache
    def pictures() -> Mapping[str, bytes]:
        return pictures_of(judge, row, issue)

    names = {name: f"{_mark(name)}.png" for name in issue.pictures}

    def as_page(_: Draw) -> bytes:
        shown = {name: file for name, file in names.items() if name in pictures()}
        return print_archive_page(issue, printer, shown, home="../index.html", faces=faces).encode()

    made = [
        MadeFile(f"{home}/index.html", mark, as_page),
        MadeFile(f"{home}/{faces['Text']}", mark, lambda _: print_text(issue, printer, most=WHOLE)[0].text.encode()),
        MadeFile(f"{home}/{faces['PDF']}", mark,
                 lambda _: print_pdf(issue, printer, pictures_of(judge, row, issue, printed=True))),
        MadeFile(f"{home}/{faces['EPUB']}", mark,
                 lambda _: print_epub(issue, printer, pictures(), modified=page.updated)),
        *(MadeFile(f"{home}/{file}", mark, lambda _, name=name: pictures().get(name, b""))  # type: ignore[misc]
          for name, file in names.items()),
    ]  # fmt: skip
    return page, made


def without_addresses(issue: Issue, domain: str) -> Issue:
    """The issue as the whole world may read it: with names, and no mail address of anybody but of this judge."""

    def bare(fact: Any) -> Any:
        if isinstance(fact, list):
            return [bare(one) for one in fact]
        if not isinstance(fact, dict):
            return fact
        kept = {name: bare(one) for name, one in fact.items()}
        if "address" in kept and not str(kept["address"]).endswith(f"@{domain}"):
            kept["address"] = ""
        return kept

    return thawed(json.dumps(bare(json.loads(frozen(issue)))))


# --- games ----------------------------------------------------------------------------------------------------------


def _game_page(judge: Judge, one: PublicGame, pictures: BoardPictures) -> tuple[GamePage, list[MadeFile]]:
    game, maps = one.game, list[MadeFile]()
    press = public_press(judge, one)
    moments = moments_of(one)
    corrected = corrections_of(one)
    phases = []
    for event in one.phases:
        played = read_out(event, game)
        shown = _orders_map(pictures, game, event, played)
        maps.append(shown)
        results = judge.pressroom.do(lambda printer, event=event: printer.spoken(plain(results_of(event, game))))[0]  # type: ignore[misc]
        title = results["title"]
        phases.append(
            PhasePage(
                code=event.phase,
                title=title,
                season=season_of(game, event.phase),
                published=moments[event.phase][0],
                updated=moments[event.phase][1],
                results=results,
                map=os.path.basename(shown.path),
                alt=f"Map of {title}. {results['pictured']}",
                corrected=tuple(map(_corrected, corrected.get(event.phase, ()))),
                press=press.get(event.phase, ()),
            )
        )
    assert game.position is not None, "public games have begun"
    now = _position_map(pictures, game, game.position)
    maps.append(now)
    over = game.stage is Stage.ENDED
    page = GamePage(
        key=game.key,
        heading=game_entry(one).heading,
        variant=labelled(game),
        gm=one.name(game.gm) if game.gm else "",
        state=str(game.stage),
        sentence=standing(judge, one),
        began=one.began,
        phases=tuple(phases),
        statistics=game_statistics(game, one.events, one.name),
        number=one.number,
        ended=one.ended,
        now=os.path.basename(now.path),
        now_title="final position" if over else f"before {game.phase_title}",
        units=tuple(plain(final_positions(game.position))),
        closing=_closing(judge, one) if over else Closing(),
        record=games_json(judge, [one]),
    )
    return page, maps


def _corrected(event: PositionCorrected) -> str:
    why = f" ({' '.join(event.reason.split())})" if event.reason else ""
    return f"The position was put right afterwards{why}: {'; '.join(event.changes)}."


def _closing(judge: Judge, one: PublicGame) -> Closing:
    rows = judge.pressroom.do(lambda printer: printer.spoken(plain(finishers(one.game, one.cast))))[0]
    return Closing(tuple(rows), public_statements(judge, one))


# --- maps -----------------------------------------------------------------------------------------------------------


def _orders_map(pictures: BoardPictures, game: Game, event: PhaseAdjudicated, played: PlayedPhase) -> MadeFile:
    outcomes = tuple(result.outcome for result in played.results)
    caption = Caption(game.key, game.calendar.title(played.phase), event.version)

    def draw() -> Picture:
        before = played.before
        return orders_picture(pictures(before.board), before, outcomes, caption, CODES, game.rules.extras(before))

    mark = _mark([event.before, outcomes_to_json(outcomes), event.version])
    return MadeFile(f"games/{game.key}/{event.phase}-{mark}.png", mark, lambda as_file: as_file(draw()))


def _position_map(pictures: BoardPictures, game: Game, position: Position) -> MadeFile:
    over = game.stage is Stage.ENDED
    title = "Final position" if over else f"Before {game.phase_title}"
    caption = Caption(game.key, title, game.results_version)

    def draw() -> Picture:
        return position_picture(pictures(position.board), position, caption, NAMES, game.rules.extras(position))

    mark = _mark([position_to_json(position), title])
    return MadeFile(f"games/{game.key}/now-{mark}.png", mark, lambda as_file: as_file(draw()))


def _mark(told: Any) -> str:
    """A few letters for what a picture shows: another picture has others."""
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:10]


# --- writing --------------------------------------------------------------------------------------------------------


def write(archive: GatheredArchive, folder: Path, templates: Iterable[Path], draw: Draw) -> int:
    """Write all of it; returns how many files it has. A reader never meets half a file; of what is written, the names
    are kept before it is. Raises OSError, and TemplateError.
    """
    public_folder(folder)
    before = _names_kept(folder)
    pages = dict(files(archive.site, *templates))
    made = {one.path: one for one in archive.made}
    _keep_names(folder, {**dict.fromkeys([*pages, *made], ""), **before})
    for path, contents in pages.items():
        _put(folder / path, contents)
    for path, one in made.items():
        if before.get(path) != one.mark or not (folder / path).is_file():
            _put(folder / path, one.make(draw))
    _take_away(folder, before.keys() - pages.keys() - made.keys())
    _keep_names(folder, {**dict.fromkeys(pages, ""), **{path: one.mark for path, one in made.items()}})
    return len(pages) + len(made)


def _names_kept(folder: Path) -> dict[str, str]:
    """Path -> mark of all that the last export wrote."""
    known = folder / LIST
    lines = known.read_text("utf-8").splitlines() if known.is_file() else []
    return {path: mark for path, _, mark in (line.partition("\t") for line in lines)}


def _keep_names(folder: Path, marks: Mapping[str, str]) -> None:
    _put(folder / LIST, "".join(f"{path}\t{mark}\n" for path, mark in sorted(marks.items())).encode())


def _put(path: Path, contents: bytes) -> None:
    public_folder(path.parent)
    beside = public_file(path.with_name(f".{path.name}.new"))
    beside.write_bytes(contents)
    beside.replace(path)


def _take_away(folder: Path, names: Iterable[str]) -> None:
    """Files that earlier exports wrote; files of others stay, and so does a folder that has any."""
    for name in names:
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            continue
        path.unlink(missing_ok=True)
        if path.parent != folder and path.parent.is_dir() and not any(path.parent.iterdir()):
            path.parent.rmdir()
