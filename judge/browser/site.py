"""The web site of the judge (`judge.zine.archive`) as it stands now, file by file and without a folder to write it to,
with pages of games too that are not public; and the log of a game, which the site does not show.

A picture is drawn when it is asked for, and kept as long as it would look the same. Pages are made again when any game
or zine has moved on.
"""

from __future__ import annotations

import mimetypes
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judge import resources
from judge.acts.looking import acts_view
from judge.game.core.events import GameStarted, PhaseAdjudicated
from judge.game.core.model import Stage
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.service.posting.outgoing import cast_of
from judge.store import View
from judge.zine.archive import MadeFile, MapPainter, gathered
from judge.zine.site import files

_BEGUN = (Stage.RUNNING, Stage.ENDED)
_PICTURES = 200
"""Pictures that are kept at hand."""


class GameSite:
    """What there is to read of the games of a house. Any thread may ask."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._boards = house.config.maps or resources.folder("maps")
        own = house.config.templates
        self.templates: tuple[Path, ...] = (*([own] if own else []), resources.folder("templates"))
        self._turn = threading.Lock()
        self._drawing = threading.Lock()
        self._painter = MapPainter()
        self._known: object = None
        self._pages: Mapping[str, bytes] = {}
        self._made: Mapping[str, MadeFile] = {}
        self._drawn: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def file(self, path: str) -> tuple[bytes, str] | None:
        """(contents, type) of a file of the site, None where it has none of that name; "": its front page."""
        path = path or "index.html"
        with self._turn:
            self._gather()
            contents, made = self._pages.get(path), self._made.get(path)
        if contents is None:
            if made is None:
                return None
            with self._drawing:  # nobody who reads on waits for a picture
                contents = self._picture(made)
        return contents, _KINDS.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"

    def games(self) -> list[tuple[str, bool]]:
        """(name, whether the site has pages of it) of every game."""
        house = self._house
        with house.store.read() as view:
            found = [house.keeper.load(view, row.key) for row in view.games.list()]
        return [(game.key, game.stage in _BEGUN and game.position is not None) for game in found if game is not None]

    def log(self, key: str) -> list[Mapping[str, Any]] | None:
        """What was done in a game, the newest first: `seq`, `when`, `who`, `what`; None where there is no such game.

        It is what a Gamemaster is told, without what players did since the last turn: nobody's orders are known before
        they are played.
        """
        house = self._house
        with house.store.read() as view:
            game = house.keeper.load(view, key)
            if game is None:
                return None
            events = list(enumerate(thaw_all(view.events.load(key)), 1))
            played = max(
                (seq for seq, event in events if isinstance(event, (GameStarted, PhaseAdjudicated))), default=0
            )
            events = [(seq, event) for seq, event in events if seq <= played or event.by not in game.seats]
            acts = acts_view(game, events, cast_of(house, view, game), everything=True).view["acts"]
        told: list[Mapping[str, Any]] = house.pressroom.do(lambda printer: printer.spoken(acts))[0]
        return told[::-1]

    def _gather(self) -> None:
        with self._house.store.read() as view:
            if (known := _state(view)) == self._known:
                return
            found = gathered(self._house, view, self._boards, shown=lambda _: True)
        self._pages = dict(files(replace(found.site, mailboxes=".."), *self.templates))
        self._made = {one.path: one for one in found.made}
        self._known = known

    def _picture(self, made: MadeFile) -> bytes:
        name = (made.path, made.mark)
        if name not in self._drawn:
            self._drawn[name] = made.make(self._painter.png)
            if len(self._drawn) > _PICTURES:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(name)
        return self._drawn[name]


_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".atom": "application/atom+xml",
    ".epub": "application/epub+zip",
}


def _state(view: View) -> object:
    """What is another when anything that the site shows is another."""
    games = tuple((row.key, view.events.last_seq(row.key)) for row in view.games.list())
    issues = tuple((row.key, one.number, one.chapter, one.state) for row in view.zines.all()
                   for one in view.zines.issues(row.key))  # fmt: skip
    return games, issues
