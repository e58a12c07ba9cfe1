"""Pictures ready to hang in letters: each drawn once for its game, phase, version and kind, and kept.

Letters never wait in line for a drawing: what is not there yet is asked for and drawn beside everything else, and the
letter is looked at again in a moment. One whose pictures do not come goes without them.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.mail.letters.mime import encoded
from judge.report.played.pictures import ORDERS
from judge.service.core.house import House, LastFew
from judge.service.pictures.artist import Artist, CannotDraw, GivenUp, WaitingLine
from judge.service.pictures.shown import PICTURED, Shown, asked_for, shown_in
from judge.service.pictures.sketch import sketch_of
from judge.store import StoreTrouble, Transaction, View
from judge.store.rows import LetterRow, PictureRow

log = logging.getLogger("judge.pictures")

TYPES: Mapping[str, str] = {"png": "image/png", "pdf": "application/pdf", "svg": "image/svg+xml"}

PATIENCE = timedelta(minutes=4, seconds=30)
"""How long letters wait for a picture since the first of them asked for it; then they go without. For one that nobody
asked for this counts where it is a letter's first.
"""
_FOR_MORE = timedelta(seconds=90)
"""How long letters wait for a further one, and not at all for one that will not be there by then."""
_AFRESH = timedelta(hours=1)
"""After which a picture that could not be drawn, or did not come, may be waited for again."""
_ATTEMPTS = 2
"""So often a picture is begun whose drawing was broken off from without."""
_NOW_AND_THEN = timedelta(seconds=60)
"""After how long a letter is looked at again whose pictures another process draws, of which nobody tells us."""
_RECENT = 60
"""Pictures that are kept at hand: the letters of one turn are composed one after the other. Those of what was only
tried, which one letter shows, are kept nowhere else.
"""

Tell = Callable[..., object]
"""`judge.service.posting.operator.tell_operator`."""

Which = tuple[str, Shown]
"""A game, and one of its pictures."""


@dataclass(frozen=True, slots=True)
class Hung:
    """What there is for one letter. `waits`: for how long it waits for more that is being drawn, None where it is to go
    as it is; `awaits`: the names of those pictures, as `Gallery` calls `ready` with them; `missing`: how many do not
    come with it.
    """

    pictures: tuple[tuple[Shown, bytes], ...] = ()
    waits: timedelta | None = None
    awaits: frozenset[str] = frozenset()
    missing: int = 0


class Gallery:
    """The pictures of all games. `artist` draws; `tell` is how the operator hears of trouble; `ready` is called with
    the name of each picture that was finished, broken off or given up.

    Without `beside` everything is drawn at once by whoever asks; with it, by whoever runs `work`. Without an artist
    nothing is: what is missing is waited for, until a process that has one draws it.
    """

    def __init__(
        self,
        house: House,
        artist: Artist | None,
        tell: Tell,
        *,
        beside: bool = False,
        ready: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._house, self._artist, self._tell, self._beside, self._ready = house, artist, tell, beside, ready
        self._recent: LastFew[bytes] = LastFew(_RECENT)
        self._tried: LastFew[bytes] = LastFew(_RECENT)
        self._line: WaitingLine[Which] = WaitingLine()
        self._asked: set[Which] = set()
        self._since: LastFew[datetime] = LastFew(10_000)
        self._attempts: LastFew[int] = LastFew(1000)
        self._failed: LastFew[datetime] = LastFew(1000)
        self._lock = threading.Lock()
        self._closed = False

    def hang(self, view: View, game: str, shown: Iterable[Shown], *, asked: bool = False) -> Hung:
        """What there is for a letter; what there is not is asked for. `asked`: its reader has asked for them."""
        found: list[tuple[Shown, bytes]] = []
        waits: dict[str, timedelta] = {}
        missing = 0
        for number, one in enumerate(shown):
            which = (one.game or game, one)
            data = self.get(view, which)
            if data is not None:
                found.append((one, data))
                continue
            missing += 1
            first = asked or number == 0
            left = self._patience_left(_key(which), PATIENCE if first else _FOR_MORE)
            if left > (timedelta() if first else self._line.wait(which)):
                waits[_key(which)] = left
        return Hung(tuple(found), min(waits.values(), default=None), frozenset(waits), missing)

    def get(self, view: View | Transaction, which: Which) -> bytes | None:
        """A picture, None if it is not drawn yet (it is asked for) or cannot be drawn."""
        key = _key(which)
        data = self._tried.get(key) if which[1].tried else self._recent.get(key)
        if data is None and (row := view.pictures.get(which[0], which[1].phase, which[1].kind)) is not None:
            data = row.data
            self._recent.keep(key, data)
        if data is None and self._artist is not None and not self._is_given_up(key):
            self._ask(which)
            data = self._tried.get(key) if which[1].tried else self._recent.get(key)
        return data

    def work(self, stop: Callable[[], bool]) -> None:
        """Draw what is asked for, one picture after the other, until `stop` and a call of `wake`."""
        while not stop():
            which = self._line.take()
            if which is not None and not stop():
                begun = time.monotonic()
                self._finish(which)
                self._line.took(timedelta(seconds=time.monotonic() - begun))

    def wake(self) -> None:
        """Let `work` look whether it is to stop."""
        self._line.wake()

    def close(self) -> None:
        """No more pictures are wanted; one that is being drawn is nobody's fault."""
        self._closed = True
        self.wake()
        if self._artist is not None:
            self._artist.close()

    def _patience_left(self, key: str, patience: timedelta) -> timedelta:
        """How long letters still wait for a picture that is not there; nothing or less: no longer."""
        if self._artist is None:
            return _NOW_AND_THEN
        now = self._house.clock.now()
        return timedelta() if self._is_given_up(key) else patience - (now - self._since.get(key, now))

    def _is_given_up(self, key: str) -> bool:
        """Whether it could not be drawn, so short a time ago that there is no sense in trying."""
        given_up = self._failed.get(key)
        return given_up is not None and self._house.clock.now() - given_up < _AFRESH

    def _ask(self, which: Which) -> None:
        key, now = _key(which), self._house.clock.now()
        with self._lock:
            if now - self._since.get(key, now - _AFRESH) >= _AFRESH:
                self._since.keep(key, now)
            if which in self._asked:
                return
            self._asked.add(which)
        if not self._beside:
            self._finish(which)
            return
        # What was fought comes first: on a busy evening every letter gets one picture before any gets two.
        one = which[1]
        self._line.put(which, urgent=(one.what == ORDERS and not one.extent) or bool(one.tried))

    def _finish(self, which: Which) -> None:
        """Draw it, whatever comes of it. What is not drawn now is asked for again by the letters that wait for it."""
        try:
            self._draw(which)
        except StoreTrouble as trouble:
            log.warning("a picture waits for the store: %s", trouble)
        except Exception as error:
            if not (self._closed or self._may_try_again(_key(which), error)):
                self._give_up(which, error)
        finally:
            with self._lock:
                self._asked.discard(which)
            self._ready(_key(which))

    def _draw(self, which: Which) -> None:
        assert self._artist is not None
        game, shown = which
        with self._house.store.read() as view:
            sketch = sketch_of(view, self._house.keeper, game, shown)
        if sketch is None:
            raise CannotDraw("the game has no such phase")
        data = self._artist.draw(sketch)
        if shown.tried:
            self._tried.keep(_key(which), data)
            return
        with self._house.store.write(shared=True) as unit:
            unit.pictures.put(PictureRow(game, shown.phase, shown.kind, TYPES[shown.form], data))
            kept = unit.pictures.get(game, shown.phase, shown.kind)  # another process may have been faster
        self._recent.keep(_key(which), kept.data if kept is not None else data)

    def _may_try_again(self, key: str, error: Exception) -> bool:
        """Whether the drawing was only broken off, and not yet too often."""
        if not isinstance(error, GivenUp):
            return False
        attempts = self._attempts.get(key, 0) + 1
        self._attempts.keep(key, attempts)
        log.warning("a drawing was broken off", extra={"picture": key, "attempt": attempts, "error": str(error)})
        return attempts < _ATTEMPTS

    def _give_up(self, which: Which, error: Exception) -> None:
        """Its letters go without it, and the operator is told, once."""
        game, shown = which
        why = str(error) if isinstance(error, CannotDraw) else f"{type(error).__name__}: {error}"
        log.error("cannot be drawn", extra={"game": game, "phase": shown.phase, "what": shown.kind, "error": why})
        self._attempts.pop(_key(which), None)
        self._failed.keep(_key(which), self._house.clock.now())
        try:
            with self._house.store.write() as unit:
                self._tell(
                    self._house, unit, f"picture/{game}/{shown.phase}/{shown.kind}",
                    subject=f"a map of {game} cannot be drawn",
                    items=(f"{game}, {shown.name}: {why[:300]}", "Its letters go without it."),
                )  # fmt: skip
        except StoreTrouble as trouble:
            log.warning("the operator is not told of it: %s", trouble)


def hung_for(gallery: Gallery | None, view: View, letter: LetterRow, *, unasked: bool) -> Hung:
    """What there is for a letter; with `unasked` also what its reader has not asked for. Trouble with pictures is never
    trouble with the letter, and no letter says that there are pictures with it that are not.
    """
    if letter.kind not in PICTURED or not letter.person_id:  # strangers, who may be anybody, get words alone
        return Hung()
    asked: tuple[Shown, ...] = ()
    try:
        stored = json.loads(letter.view)["view"]
        part = stored.get("frame", {}).get("part")
        asked = asked_for(letter.kind, stored)
        shown = asked or (shown_in(letter.kind, stored, part) if unasked else ())
        if gallery is not None:
            return gallery.hang(view, letter.game or "", shown, asked=bool(asked))
    except Exception:
        log.exception("a letter goes without pictures", extra={"letter": letter.id, "kind": letter.kind})
    return Hung(missing=len(asked))


def _key(which: Which) -> str:
    game, shown = which
    return f"{game}/{shown.phase}/{shown.kind}"


# -- letters are kept without their pictures ------------------------------------------------------------------------


_MARK = b"\0picture:%s\0"


def folded(mime: bytes, game: str, pictures: Iterable[tuple[Shown, bytes]]) -> bytes:
    """A mail with a mark in place of each of its pictures: seven letters need not keep one picture seven times.

    A mail of ours holds no NUL, so that nobody's words can be such a mark.
    """
    for shown, data in pictures:
        if not shown.tried:
            mime = fold(mime, data, _key((shown.game or game, shown)))
    return mime


def fold(mime: bytes, data: bytes, key: str) -> bytes:
    """A mail with a mark in place of one file of it, which is kept under `key` (game, phase and kind with strokes
    between).
    """
    return mime.replace(encoded(data), _MARK % key.encode(), 1)


def unfolded(mime: bytes, view: View | Transaction) -> bytes:
    """The mail as it was composed, octet by octet. Raises LookupError for a picture that is gone."""
    if b"\0" not in mime:
        return mime
    parts = mime.split(b"\0")
    for place in range(1, len(parts), 2):
        game, phase, kind = parts[place].decode().removeprefix("picture:").split("/", 2)
        row = view.pictures.get(game, phase, kind)
        if row is None:
            raise LookupError(f"the picture {phase} {kind} of {game} is gone")
        parts[place] = encoded(row.data)
    return b"".join(parts)
