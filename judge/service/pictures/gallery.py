"""Pictures ready to hang in letters: each drawn once for its game, phase, version and kind, and kept.

Letters never wait in line for a drawing: what is not there yet is asked for and drawn beside everything else, and the
letter is looked at again in a moment. One whose pictures do not come goes without them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.languages import tell
from judge.mail.letters.mime import encoded
from judge.service.core.judge import Judge, LastFew
from judge.service.pictures.artist import Artist, CannotDraw, GivenUp, Rank, WaitingLine
from judge.service.pictures.sketch import PICTURED, Shown, asked_for, shown_in, sketch_of
from judge.store import StoreTrouble, Transaction, View
from judge.store.rows import LetterRow, PictureRow

log = logging.getLogger("judge.pictures")

TYPES: Mapping[str, str] = {"png": "image/png", "pdf": "application/pdf", "svg": "image/svg+xml"}

PATIENCE = timedelta(minutes=4, seconds=30)
"""How long letters wait for a picture since the first of them asked for it; then they go without. For one that nobody
asked for this counts where it is a letter's first.
"""
_FOR_MORE = timedelta(seconds=30)
"""How long letters wait for a further one. One that would not be there by then is not asked for: on a busy evening it
would keep others' first ones waiting.
"""
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

    Without `hands` everything is drawn at once by whoever asks; with them, by the threads that run `work`, so many.
    Without an artist nothing is: what is missing is waited for, until a process that has one draws it. `elsewhere`:
    whether a process lives that draws for others; then only what nobody else can see is drawn here.
    """

    def __init__(
        self,
        judge: Judge,
        artist: Artist | None,
        tell: Tell,
        *,
        hands: int = 0,
        ready: Callable[[str], object] = lambda _: None,
        elsewhere: Callable[[], bool] = lambda: False,
    ) -> None:
        self._judge, self._artist, self._tell, self._hands, self._ready = judge, artist, tell, hands, ready
        self._elsewhere = elsewhere
        self._recent: LastFew[bytes] = LastFew(_RECENT)
        self._tried: LastFew[bytes] = LastFew(_RECENT)
        self._line: WaitingLine[Which] = WaitingLine(max(1, hands))
        self._in_work: set[Which] = set()
        self._since: LastFew[datetime] = LastFew(10_000)
        self._attempts: LastFew[int] = LastFew(1000)
        self._failed: LastFew[datetime] = LastFew(1000)
        self._lock = threading.Lock()
        self._closed = False

    def hang(
        self,
        view: View,
        game: str,
        shown: Iterable[Shown],
        *,
        asked: bool = False,
        answer: bool = False,
        again: bool = False,
    ) -> Hung:
        """What there is for a letter; what there is not is asked for, unless it will not come in a fair time. `asked`:
        its reader has asked for them; `answer`: the letter answers a mail; `again`: it has waited already, and takes
        up nothing new to wait for.
        """
        found: list[tuple[Shown, bytes]] = []
        waits: dict[str, timedelta] = {}
        missing = 0
        for number, one in enumerate(shown):
            which = (one.game or game, one)
            if (data := self.get(view, which)) is not None:
                found.append((one, data))
                continue
            missing += 1
            rank = Rank.ANSWER if asked or answer or one.tried else Rank.MORE if one.extent else Rank.LETTER
            first = asked or number == 0
            if again and not first and not self._is_under_way(which):
                continue
            left = self._await(which, rank, first=first)
            if (data := self._at_hand(which)) is not None:  # without hands, and drawn just now
                missing -= 1
                found.append((one, data))
            elif left > timedelta():
                waits[_key(which)] = left
        return Hung(tuple(found), min(waits.values(), default=None), frozenset(waits), missing)

    def get(self, view: View | Transaction, which: Which) -> bytes | None:
        """A picture, None if it is not drawn yet or cannot be drawn."""
        data = self._at_hand(which)
        if data is None and (row := view.pictures.get(which[0], which[1].phase, which[1].kind)) is not None:
            data = row.data
            self._recent.keep(_key(which), data)
        return data

    def work(self, stop: Callable[[], bool]) -> None:
        """Draw what is asked for, one picture after the other, until `stop` and a call of `wake`."""
        while not stop():
            which = self._take()
            if which is not None and not stop():
                begun = time.monotonic()
                self._finish(which)
                self._line.took(timedelta(seconds=time.monotonic() - begun))

    def _take(self) -> Which | None:
        which = self._line.take()
        with self._lock:
            if which is not None:
                self._in_work.add(which)
        return which

    def wake(self) -> None:
        """Let `work` look whether it is to stop."""
        self._line.wake()

    def close(self) -> None:
        """No more pictures are wanted; one that is being drawn is nobody's fault."""
        self._closed = True
        self.wake()
        if self._artist is not None:
            self._artist.close()

    def _at_hand(self, which: Which) -> bytes | None:
        return self._tried.get(_key(which)) if which[1].tried else self._recent.get(_key(which))

    def _await(self, which: Which, rank: Rank, *, first: bool) -> timedelta:
        """Ask for a picture; how long a letter, of which it is the `first` one or not, still waits for it: not at all
        where it cannot be drawn, or not in a fair time.
        """
        if self._artist is None:
            return _NOW_AND_THEN
        key, now = _key(which), self._judge.clock.now()
        if self._is_given_up(key):
            return timedelta()
        if not first and self._line.wait(which, rank) > _FOR_MORE and which not in self._in_work:
            return timedelta()
        if now - self._since.get(key, now - _AFRESH) >= _AFRESH:
            self._since.keep(key, now)
        left = (PATIENCE if first else _FOR_MORE) - (now - self._since.get(key, now))
        if self._elsewhere() and not which[1].tried:
            return min(left, _NOW_AND_THEN)
        if left > timedelta() or rank is Rank.ANSWER:
            self._ask(which, rank)
        elif not first:
            self._line.drop(which, rank)
        return timedelta() if self._is_given_up(key) else left  # without hands it was tried just now

    def _is_given_up(self, key: str) -> bool:
        """Whether it could not be drawn, so short a time ago that there is no sense in trying."""
        given_up = self._failed.get(key)
        return given_up is not None and self._judge.clock.now() - given_up < _AFRESH

    def _is_under_way(self, which: Which) -> bool:
        with self._lock:
            return which in self._in_work or which in self._line

    def _ask(self, which: Which, rank: Rank) -> None:
        with self._lock:
            if which in self._in_work:
                return
            if self._hands:
                self._line.put(which, rank)
                return
            self._in_work.add(which)
        self._finish(which)

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
                self._in_work.discard(which)
            self._ready(_key(which))

    def _draw(self, which: Which) -> None:
        assert self._artist is not None
        game, shown = which
        with self._judge.store.read() as view:
            sketch = sketch_of(view, self._judge.keeper, game, shown)
        if sketch is None:
            raise CannotDraw("the game has no such phase")
        data = self._artist.draw(sketch)
        if shown.tried:
            self._tried.keep(_key(which), data)
            return
        with self._judge.store.write(shared=True) as unit:
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
        self._failed.keep(_key(which), self._judge.clock.now())
        try:
            with self._judge.store.write() as unit:
                self._tell(
                    self._judge, unit, f"picture/{game}/{shown.phase}/{shown.kind}",
                    subject=f"a map of {game} cannot be drawn",
                    items=(f"{game}, {shown.name}: {why[:300]}", tell("Its letters go without it.")),
                )  # fmt: skip
        except StoreTrouble as trouble:
            log.warning("the operator is not told of it: %s", trouble)


def hung_for(
    gallery: Gallery | None,
    view: View,
    letter: LetterRow,
    stored: Mapping[str, Any],
    *,
    unasked: bool,
    answer: bool,
    again: bool,
    face: str = "",
) -> Hung:
    """What there is for a letter, whose view this is (`stored`); with `unasked` also what its reader has not asked for;
    `face`: the one in which they want what is in colour.
    `answer`, `again`: see `Gallery.hang`. Trouble with pictures is never trouble with the letter, and no letter says
    that there are pictures with it that are not.
    """
    if letter.kind not in PICTURED or not letter.person_id:  # strangers, who may be anybody, get words alone
        return Hung()
    asked: tuple[Shown, ...] = ()
    try:
        part = stored.get("frame", {}).get("part")
        asked = asked_for(letter.kind, stored)
        shown = asked or (shown_in(letter.kind, stored, part) if unasked else ())
        if face:
            shown = tuple(replace(one, face=face) if one.coloured else one for one in shown)
        if gallery is not None:
            return gallery.hang(view, letter.game or "", shown, asked=bool(asked), answer=answer, again=again)
    except Exception:
        log.exception("a letter goes without pictures", extra={"letter": letter.id, "kind": letter.kind})
    return Hung(missing=len(asked))


def _key(which: Which) -> str:
    game, shown = which
    return f"{game}/{shown.phase}/{shown.kind}"


# -- letters are kept without their pictures ------------------------------------------------------------------------


_MARK = b"\0picture:%s\0"
"""A mail of ours holds no NUL, so that nobody's words can be such a mark."""


def mark_of(shown: Shown, game: str) -> bytes:
    """What stands in a stored mail in place of a picture: seven letters need not keep one picture seven times. Nothing
    for one that is kept nowhere else.
    """
    return b"" if shown.tried else _MARK % _key((shown.game or game, shown)).encode()


def fold(mime: bytes, data: bytes, key: str) -> bytes:
    """A mail with a mark in place of one file of it, which is kept under `key` (game, phase and kind with strokes
    between).
    """
    return mime.replace(encoded(data), _MARK % key.encode(), 1)


def unfolded(mime: bytes, view: View | Transaction, seen: dict[bytes, bytes] | None = None) -> bytes:
    """The mail as it was composed, octet by octet. `seen`: octets by mark, of mails before this one. Raises LookupError
    for a picture that is gone.
    """
    if b"\0" not in mime:
        return mime
    seen = {} if seen is None else seen
    parts = mime.split(b"\0")
    for place in range(1, len(parts), 2):
        mark = parts[place]
        if mark not in seen:
            game, phase, kind = mark.decode().removeprefix("picture:").split("/", 2)
            row = view.pictures.get(game, phase, kind)
            if row is None:
                raise LookupError(f"the picture {phase} {kind} of {game} is gone")
            seen[mark] = encoded(row.data)
        parts[place] = seen[mark]
    return b"".join(parts)


def filled(mime: bytes, game: str, pictures: Iterable[tuple[Shown, bytes]]) -> bytes:
    """As `unfolded`, with the pictures at hand."""
    for shown, data in pictures:
        if mark := mark_of(shown, game):
            mime = mime.replace(mark, encoded(data), 1)
    return mime
