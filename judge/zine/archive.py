"""What the static archive shows, gathered from the store, and how it is written into a folder.

Maps are drawn once: the name of a picture is made of what it shows, and one that is there is not drawn again. What the
last export wrote and this one does not (a game that is no longer public) is taken away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from judge.adjudicate.outcome import outcomes_to_json
from judge.board.position import Position, position_to_json
from judge.draw import CODES, NAMES, BoardPictures, Caption, Picture, orders_picture, position_picture
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.model import Game, Stage
from judge.history import PlayedPhase, read_out
from judge.report.core.frame import labelled
from judge.report.core.letter import plain
from judge.report.played.endings import finishers
from judge.report.played.results import final_positions, results_of
from judge.service.core.house import House
from judge.service.core.members import Members
from judge.store import View
from judge.store.files import public_file, public_folder
from judge.zine.exports import games_csv, games_json, ratings_csv, ratings_json
from judge.zine.public import (
    PublicGame,
    game_entry,
    game_result,
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
from judge.zine.ratings import ratings_block, ratings_of
from judge.zine.site import ArchiveSite, Closing, GamePage, PhasePage, PrintedPress, ZinePage, files
from judge.zine.statistics import game_statistics, openings_table, results_table, season_of

LIST = ".judge-archive"
"""The file in which an export keeps the names of all that it wrote."""
WIDTH = 1100
"""Pixels across a map, for a page that is 1000 units wide."""


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveMap:
    """A map that is shown: the path of its file, and how it is drawn."""

    path: str
    draw: Callable[[], Picture]


@dataclass(frozen=True, slots=True, eq=False)
class GatheredArchive:
    """Everything that is to be written."""

    site: ArchiveSite
    maps: tuple[ArchiveMap, ...]


def gathered(house: House, view: View, boards: Path, base: str = "") -> GatheredArchive:
    """The archive of a judge as it stands. `boards`: the folder of the boards; `base`: where it will stand on the web,
    "" where nobody has said.
    """
    pictures = BoardPictures(boards)
    games = tuple(public_games(house, view))
    pages, maps = [], []
    for one in games:
        page, shown = _game_page(house, one, pictures)
        pages.append(page)
        maps += shown
    members = Members(view)
    public = {one.game.key: one.game for one in games}
    ratings = ratings_of(rated_games(house, view, public), lambda person: members[person].name)
    site = ArchiveSite(
        judge=house.office.name,
        domain=house.office.domain,
        zines=tuple(_zine_pages(house, view, public)),
        games=tuple(pages),
        results=results_table(game_result(house, one) for one in games),
        ratings=ratings_block(ratings),
        openings=tuple(openings(house, view)),
        wanted=tuple(standbys_wanted(house, view)),
        standbys=standby_names(view, lambda person: members[person].name),
        first_moves=openings_table((one.game, one.events) for one in games),
        downloads={
            "games.csv": games_csv(games), "games.json": games_json(house, games),
            "ratings.csv": ratings_csv(ratings), "ratings.json": ratings_json(ratings),
        },
        base=base,
    )  # fmt: skip
    return GatheredArchive(site, tuple(maps))


# --- zines ----------------------------------------------------------------------------------------------------------


def _zine_pages(house: House, view: View, public: Mapping[str, Game]) -> Iterator[ZinePage]:
    for row in view.zines.all():
        games = [key for chapter in view.zines.chapters(row.key) for key in chapter.games if key in public]
        yield ZinePage(row.key, row.name, "", row.created_at.date(), games=tuple(games))


# --- games ----------------------------------------------------------------------------------------------------------


def _game_page(house: House, one: PublicGame, pictures: BoardPictures) -> tuple[GamePage, list[ArchiveMap]]:
    game, maps = one.game, []
    press = tuple(public_press(house, one))
    moments = moments_of(one)
    phases = []
    for event in one.phases:
        played = read_out(event, game)
        shown = _orders_map(pictures, game, event, played)
        maps.append(shown)
        results = house.pressroom.do(lambda printer, event=event: printer.spoken(plain(results_of(event, game))))[0]  # type: ignore[misc]
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
                alt=f"Map: the orders of {title} and what became of them, as they are listed",
                press=tuple(PrintedPress(p.colour, p.source, p.text) for p in press if p.phase == event.phase),
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
        sentence=standing(house, one),
        began=one.began,
        phases=tuple(phases),
        statistics=game_statistics(game, one.events, one.name),
        number=one.number,
        ended=one.ended,
        now=os.path.basename(now.path),
        now_title="final position" if over else f"before {game.phase_title}",
        units=tuple(plain(final_positions(game.position))),
        closing=_closing(house, one) if over else Closing(),
    )
    return page, maps


def _closing(house: House, one: PublicGame) -> Closing:
    rows = house.pressroom.do(lambda printer: printer.spoken(plain(finishers(one.game, one.cast))))[0]
    return Closing(tuple(rows), public_statements(house, one))


# --- maps -----------------------------------------------------------------------------------------------------------


def _orders_map(pictures: BoardPictures, game: Game, event: PhaseAdjudicated, played: PlayedPhase) -> ArchiveMap:
    outcomes = tuple(result.outcome for result in played.results)
    caption = Caption(game.key, game.calendar.title(played.phase), event.version)

    def draw() -> Picture:
        before = played.before
        return orders_picture(pictures(before.board), before, outcomes, caption, CODES, game.rules.extras(before))

    told = [event.before, outcomes_to_json(outcomes), event.version]
    return ArchiveMap(f"games/{game.key}/{event.phase}-{_mark(told)}.png", draw)


def _position_map(pictures: BoardPictures, game: Game, position: Position) -> ArchiveMap:
    over = game.stage is Stage.ENDED
    title = "Final position" if over else f"Before {game.phase_title}"
    caption = Caption(game.key, title, game.results_version)

    def draw() -> Picture:
        return position_picture(pictures(position.board), position, caption, NAMES, game.rules.extras(position))

    return ArchiveMap(f"games/{game.key}/now-{_mark([position_to_json(position), title])}.png", draw)


def _mark(told: Any) -> str:
    """A few letters for what a picture shows: another picture has others."""
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:10]


# --- writing --------------------------------------------------------------------------------------------------------


def write(archive: GatheredArchive, folder: Path, templates: Iterable[Path], draw: Callable[[Picture], bytes]) -> int:
    """Write all of it; returns how many files it has. A reader never meets half a file; of what is written, the names
    are kept before it is. Raises OSError.
    """
    public_folder(folder)
    pages = dict(files(archive.site, *templates))
    maps = {shown.path: shown for shown in archive.maps}
    _keep_names(folder, {*_names_kept(folder), *pages, *maps})
    for path, contents in pages.items():
        _put(folder / path, contents)
    for path, shown in maps.items():
        if not (folder / path).is_file():
            _put(folder / path, draw(shown.draw()))
    _take_away(folder, _names_kept(folder) - pages.keys() - maps.keys())
    _keep_names(folder, {*pages, *maps})
    return len(pages) + len(maps)


def _names_kept(folder: Path) -> set[str]:
    known = folder / LIST
    return {*known.read_text("utf-8").splitlines()} if known.is_file() else set()


def _keep_names(folder: Path, names: Iterable[str]) -> None:
    _put(folder / LIST, "".join(f"{name}\n" for name in sorted(names)).encode())


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
