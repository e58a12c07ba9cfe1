"""`judge doctor`: is everything as it should be on this machine, in its database, and on the ways of its mail? Each
finding says what to do. Exit 1 if something is wrong.

Of the machine: Python, boards, fonts, files and their rights, disk and clock. Of the database: schema, pages, queues,
the last sign of life, the last backup.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import click

from judge import resources
from judge.cli import mailways
from judge.cli.common import configured, json_option, say_json
from judge.cli.mailways import Diagnosis, Health, look, ok, wrong
from judge.config import Config, secrets_missing
from judge.daemon.continuity import MOST_OFF, running_since
from judge.mail.headers import self_test
from judge.service.core.judge import Judge, Shelf, open_judge
from judge.service.upkeep.backups import HEARTBEAT, trust_database
from judge.service.upkeep.wellbeing import Usage, megabytes, open_to_others, room
from judge.store import MARKER_FILE, SchemaState, StoreError, check, check_soundness, marker_state
from judge.store.backup import TAKEN_AT
from judge.store.rows import DeliveryState, LetterState, MailState

_OLD = timedelta(days=2)
"""A backup that is older than this does not save today's orders."""
_QUIET = timedelta(minutes=3)
"""A judge that runs notes the time with each sweep, twice a minute."""
_STUCK = timedelta(hours=4)


def database(config: Config, *, trust: bool) -> Iterator[Diagnosis]:
    """Schema and soundness; and if the database can be opened, what is in it."""
    mend = "judge restore FILE puts a backup in its place; the page for it is in the RUNBOOK"
    try:
        schema = check(config.database, migrations=resources.folder("migrations"))
        if schema.state is not SchemaState.OK:
            yield wrong("database", str(schema.state), "judge db upgrade")
            return
        check_soundness(config.database, thorough=True)
        judge = open_judge(config)
    except StoreError as error:
        yield wrong("database", str(error), mend)
        return
    with closing(judge):
        yield ok("database", f"schema {schema.found}, every page is sound")
        yield _marker(judge, trust=trust)
        yield from _queues(judge)
        yield _life(judge)
        yield from _daemons(judge)
        if not judge.store.many:  # a server has its own backup
            yield _backup(judge)


def _marker(judge: Judge, *, trust: bool) -> Diagnosis:
    path = judge.config.var / MARKER_FILE
    if trust:
        trust_database(judge, path)
    if marker_state(judge.store, path).trusted:
        return ok("database marker", "of this judge")
    return wrong("database marker", "looks like a restored backup", "if it is right: judge doctor --trust-database")


def _queues(judge: Judge) -> Iterator[Diagnosis]:
    with judge.store.read() as view:
        mails = view.inbox.counts()
        letters, written = view.outbox.counts(), view.letters.counts()
        oldest = view.outbox.oldest_open()
        paused = view.outbox.paused()
    quarantined, held = mails.get(MailState.QUARANTINED, 0), mails.get(MailState.HELD, 0)
    if quarantined:
        yield wrong("quarantine", f"{quarantined} mails could not be read", "judge quarantine list")
    else:
        yield ok("quarantine", "empty")
    say = f"{held} wait to be confirmed"
    yield look("held mails", say, "judge quarantine list") if held else ok("held mails", say)
    if paused:
        yield wrong("outbox", f"paused: {paused}", "mend what the relay said, then: judge outbox resume")
    else:
        yield ok("outbox", "letters may go")
    if broken := written.get(LetterState.BROKEN, 0):
        mend = "judge outbox list; after an upgrade, or when the template is mended: judge outbox retry --all"
        yield wrong("unwritten letters", f"{broken} could not be written, and nobody has them", mend)
    waiting = sum(n for state, n in letters.items() if state not in (DeliveryState.SENT, DeliveryState.FAILED))
    if oldest is not None and judge.clock.now() - oldest > _STUCK:
        yield wrong("letters", f"{waiting} waiting, the oldest since {oldest:%a %H:%M} UTC", "judge outbox list")
    else:
        yield ok("letters", f"{waiting} waiting")


def _life(judge: Judge) -> Diagnosis:
    """Whether a judge runs, and sweeps."""
    with judge.store.read() as view:
        noted = view.meta.get(HEARTBEAT)
    last, now = datetime.fromisoformat(noted) if noted else None, judge.clock.now()
    started = running_since(judge.config)
    if last is not None and last > now + _QUIET:
        return wrong("heartbeat", f"the last sign of life is in the future: {last:%c} UTC", "set this machine's clock")
    if started is None:
        return look("heartbeat", "no judge runs on this database", "systemctl start judge, or judge run")
    if now - started <= _QUIET and (last is None or last < started):
        return ok("heartbeat", "a judge has just been started")
    if last is None or now - last > _QUIET:
        if now - started <= _QUIET:
            return ok("heartbeat", "a judge runs; it has just begun, and sweeps within half a minute")
        since = f"{last:%a %H:%M:%S} UTC" if last else "its start"
        return wrong("heartbeat", f"a judge runs, and has not swept since {since}", "systemctl restart judge")
    return ok("heartbeat", f"a judge runs; {max(0, int((now - last).total_seconds()))} s ago it noted that")


def _daemons(judge: Judge) -> Iterator[Diagnosis]:
    """Of a PostgreSQL: who works on it, and how far their clocks are off."""
    if not judge.store.many:
        return
    with judge.store.read() as view:
        living, known = view.daemons.others(""), view.daemons.all()
    for row in known:
        does = f"{', '.join(row.roles)}; {row.version}; last seen {row.seen_at:%a %H:%M:%S} UTC"
        off = abs(row.off) / 1e6
        if row not in living:
            yield look(f"daemon {row.place}", f"gone: {does}", "if it was not stopped, start it: systemctl start judge")
        elif off > MOST_OFF.total_seconds():
            yield wrong(f"daemon {row.place}", f"its clock is {off:.1f} s off, and it processes no turn: {does}",
                        "set that machine's clock; chrony or systemd-timesyncd keeps it right")  # fmt: skip
        elif row.trouble:
            yield wrong(f"daemon {row.place}", f"{row.trouble}: {does}", "turns may wait for it: judge doctor there")
        else:
            yield ok(f"daemon {row.place}", does)


def _backup(judge: Judge) -> Diagnosis:
    with judge.store.read() as view:
        noted = view.meta.get(TAKEN_AT)
    mend = "judge backup FILE, once a day; the RUNBOOK has a timer for it"
    if noted is None:
        return look("backup", "none was ever made", mend)
    age = judge.clock.now() - datetime.fromisoformat(noted)
    if age > _OLD:
        return wrong("backup", f"the last one is {age.days} days old", mend)
    return ok("backup", f"the last one is {int(age.total_seconds() // 3600)} hours old")


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
    from judge.raster import render

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


@click.command("doctor")
@click.option("--trust-database", is_flag=True, help="The restored database is the right one: go on with it.")
@click.option("--mail", "by_mail", is_flag=True, help="Send a mail to ourselves, too; it has to come back.")
@click.option("--patience", type=click.IntRange(1), default=120, show_default=True, help="Seconds to wait for it.")
@click.option("--offline", is_flag=True, help="Ask nobody: no name server, no relay, no mailbox.")
@click.option("--nameserver", default="", metavar="HOST[:PORT]", help="Ask this name server instead of the system's.")
@json_option
@click.pass_context
def doctor_command(
    context: click.Context,
    *,
    trust_database: bool,
    by_mail: bool,
    patience: int,
    offline: bool,
    nameserver: str,
    as_json: bool,
) -> None:
    """Check the machine, the files, the database, the queues, the DNS and how mail comes and goes.

    "look": nothing is broken, but you should know. "WRONG": mend it; the exit status is 1 then.
    """
    config = configured(context)
    findings = []
    for finding in (
        *_here(config, trust=trust_database),
        *(() if offline else _outside(config, nameserver)),
        *(_by_mail(config, patience) if by_mail else ()),
    ):
        findings.append(finding)
        _say(finding, as_json=as_json)
    if not all(finding.well for finding in findings):
        context.exit(1)


def _here(config: Config, *, trust: bool) -> Iterator[Diagnosis]:
    """What can be seen without asking anybody."""
    yield from python()
    yield from boards(config)
    yield from fonts()
    yield from files(config)
    yield disk(config)
    yield clock()
    yield from database(config, trust=trust)
    try:
        judge = open_judge(config)
    except StoreError:
        return  # said above
    with closing(judge):
        yield from mailways.verdicts(judge)


def _outside(config: Config, nameserver: str) -> Iterator[Diagnosis]:
    """What others say: name servers, relay, mailboxes."""
    yield from mailways.names(config, mailways.resolver(nameserver), anyway=bool(nameserver))
    yield mailways.relay(config)
    yield from mailways.mailboxes(config)


def _by_mail(config: Config, patience: int) -> Iterator[Diagnosis]:
    try:
        judge = open_judge(config)
    except StoreError:
        return
    with closing(judge):
        yield mailways.round_trip(judge, patience=timedelta(seconds=patience))


def _say(finding: Diagnosis, *, as_json: bool) -> None:
    if as_json:
        say_json(
            {
                "what": finding.what,
                "ok": finding.well,
                "health": str(finding.health).lower(),
                "say": finding.say,
                "mend": finding.mend,
            }
        )
        return
    click.echo(f"{finding.health:<5}  {finding.what}: {finding.say}")
    if finding.mend and finding.health is not Health.OK:
        click.echo(textwrap.indent(f"mend: {finding.mend}", " " * 7))
