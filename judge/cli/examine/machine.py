"""This machine: Python, boards, fonts, files and their rights, disk and clock."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from judge import resources
from judge.cli.examine.finding import Diagnosis, look, ok, wrong
from judge.config import Config
from judge.config_file import secrets_missing
from judge.mail.headers import self_test
from judge.service.core.privacy import open_to_others
from judge.service.core.systems import Shelf
from judge.service.upkeep.wellbeing import Usage, megabytes, room

_UNSYNCHRONISED = 5
"""What adjtimex(2) returns while nobody sets the clock."""


def python() -> Iterator[Diagnosis]:
    """The interpreter, and whether mails that it writes can be trusted."""
    yield ok("python", ".".join(str(part) for part in sys.version_info[:3]))
    try:
        self_test()
        yield ok("header injection", "an evil subject stays inside its line")
    except RuntimeError as error:
        yield wrong("header injection", str(error), "install another build of Python")


def boards(config: Config) -> Iterator[Diagnosis]:
    """Whether every board can be played."""
    maps = config.maps or resources.folder("maps")
    shelf = Shelf(maps)
    names = shelf.boards()
    for name in names:
        try:
            yield ok(f"board {name}", f"{len(shelf.board(name).provinces)} spaces")
        except Exception as error:
            yield wrong(f"board {name}", str(error), f"judge map lint {name}")
    if not names:
        yield wrong("boards", f"there are none in {maps}", "mend paths.maps")


def fonts() -> Iterator[Diagnosis]:
    """Whether maps will have names on them: a letter is drawn, and has to leave a mark."""
    from judge.draw.letters import FONTS, Type
    from judge.raster.render import render

    letter = f'<text x="4" y="32" {Type("title", 32).attributes()}{{}}>W</text>'
    mark = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{letter}</svg>'
    try:
        drawn, blank = (render(mark.format(style), 40).tobytes() for style in ("", ' fill="none"'))
    except Exception as error:
        yield wrong("fonts", f"nothing can be drawn: {error}", "install the judge again; or set mail.pictures = false")
        return
    if drawn == blank:
        yield wrong("fonts", f"letters leave no mark; the fonts in {FONTS} are not there", "install the judge again")
    else:
        yield ok("fonts", "names can be drawn on maps")


def files(config: Config) -> Iterator[Diagnosis]:
    """Secrets that can be read by us, and by nobody else; everything ours in one hand."""
    missing = secrets_missing(config)
    if missing:
        yield wrong("passwords", "; ".join(missing), "put each secret on the first line of its file")
    else:
        yield ok("passwords", "every file that is named can be read")
    bare = list(open_to_others(config))
    if bare:
        say = f"others may read or write {len(bare)} of our files, such as {bare[0]}"
        yield wrong("privacy", say, f"chmod -R go= {config.var}")
    else:
        yield ok("privacy", "nobody else may read our files")
    yield _owner(config)


def _owner(config: Config) -> Diagnosis:
    if not config.var.is_dir():
        return wrong("owner", f"there is no folder {config.var}", "judge init, or mend paths.var")
    owner = config.var.stat().st_uid
    watched = (config.var / config.maildir).resolve() if config.maildir else None
    strange = [path for path in _all(config.var, watched) if path.lstat().st_uid != owner]
    if strange:
        say = f"{len(strange)} files are another user's than {config.var}, such as {strange[0]}"
        return wrong("owner", say, f"chown -R --reference={config.var} {config.var}")
    if os.geteuid() not in (owner, 0):
        return wrong("owner", f"{config.var} is another user's", "run this as that user, or as root")
    return ok("owner", f"all of {config.var} is in one hand")


def _all(root: Path, but: Path | None) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        if but is not None and Path(folder).is_relative_to(but):
            folders.clear()
            continue
        yield from (Path(folder, name) for name in (*folders, *names) if os.path.lexists(os.path.join(folder, name)))


def disk(config: Config, *, usage: Usage = shutil.disk_usage) -> Diagnosis:
    """Whether there is room for mail, and for a copy of the database (a backup, an upgrade)."""
    found = room(config, usage=usage)
    mend = f"make room on the disk of {config.var}; what fills it: du -xh {config.var} | sort -h | tail"
    if found.short:
        return wrong("disk", found.short, mend)
    return look("disk", found.said, mend) if found.little else ok("disk", f"{megabytes(found.free)} are free")


def _kernel_says() -> int:
    """What the kernel thinks of its clock: adjtimex(2) asked, nothing set; -1 where it cannot be asked."""
    try:
        return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(1024)))
    except (OSError, AttributeError):
        return -1


def _in_container() -> bool:
    """Whether Docker or Podman runs us; each leaves its own file to say so."""
    return any(Path(sign).exists() for sign in ("/.dockerenv", "/run/.containerenv"))


def clock(*, asked: Callable[[], int] = _kernel_says, contained: Callable[[], bool] = _in_container) -> Diagnosis:
    """Whether anybody sets this machine's clock: a wrong clock is a wrong deadline."""
    if asked() == _UNSYNCHRONISED:
        where = "on the machine that runs this container: " if contained() else ""
        mend = f"{where}apt install systemd-timesyncd, and timedatectl status"
        return look("clock", "nobody sets this machine's clock", mend)
    return ok("clock", "it is set by a time server, as far as this machine can tell")
