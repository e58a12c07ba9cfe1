"""`judge run`: the daemon."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType

import click

from judge.browser.app import Browser
from judge.cli.common import check_boards, configured, set_up
from judge.clock import CorrectedClock
from judge.config import Config, ConfigError, secrets_missing
from judge.daemon.continuity import Alone, NotAlone, lock_of
from judge.daemon.demo import Demo
from judge.daemon.running import ROLES, Daemon
from judge.daemon.watching import of_this_process
from judge.game.settings.bundles import PRESETS
from judge.mail.headers import HeaderInjectionError, self_test
from judge.resources import folder
from judge.service.core.judge import open_judge
from judge.service.upkeep.wellbeing import narrow_own
from judge.store import StoreError, check_soundness, upgrade
from judge.store.engine import file_of, parse
from judge.transport.listener import CannotListen


@click.command("run")
@click.option(
    "--clock-file", type=click.Path(path_type=Path), hidden=True, help="Read the time from a file (rehearsals)."
)
@click.option(
    "--demo",
    is_flag=False,
    flag_value="standard",
    metavar="[PRESET]",
    help="Set up a demo game in an empty database, of a preset such as european.",
)
@click.option(
    "--only",
    default="",
    metavar="ROLES",
    help="On PostgreSQL, beside other daemons: what this one does, of receive, work, turn, send and draw, with commas.",
)
@click.pass_context
def run_command(context: click.Context, clock_file: Path | None, demo: str | None, only: str) -> None:
    """Run the judge until it is told to stop (SIGTERM or Ctrl-C)."""
    config = configured(context)
    manager = of_this_process()
    set_up(config.log)
    check_boards(config.maps or folder("maps"))
    try:
        self_test()
        _check_secrets(config)
        alone = Alone(lock_of(config))
        alone.take()
        manager.starting("reading the database through")
        daemon = _daemon(config, clock_file, _roles(config, only))
        robots = Demo(daemon, _preset(demo)) if demo or config.demo else None
        page = _browser(daemon, robots)
        address = page.start() if page is not None else ""
        _on_signals(daemon)
        daemon.start()
    except (StoreError, CannotListen, ConfigError, HeaderInjectionError, NotAlone) as error:
        raise click.ClickException(str(error)) from error
    for name, endpoint in daemon.wires.endpoints.items():
        click.echo(f"Listening for {_HEARD.get(name, 'mail')}: {name} on {endpoint}")
    if robots is not None:
        click.echo(robots.start(address))
    elif address:
        click.echo(f"Mailboxes and games: {address}")
    manager.ready(_doing(daemon))
    daemon.wait(lambda: manager.watch(daemon.alive))
    manager.stopping()
    try:
        click.echo("Stopping ...")
    finally:  # whoever read our output may be gone
        if robots is not None:
            robots.stop()
        if page is not None:
            page.stop()
        daemon.stop()
        alone.free()


def _doing(daemon: Daemon) -> str:
    """What this judge does, in a line for the person who asks the service manager."""
    places = [f"{name} on {endpoint}" for name, endpoint in daemon.wires.endpoints.items()]
    return f"taking mail: {', '.join([*places, *(source.name for source in daemon.wires.sources)]) or 'from nowhere'}"


_HEARD = {"http": "clicks", "health": "questions of monitoring"}
"""Name of a wire -> what comes by it, where it is not mail."""


def _preset(name: str | None) -> str:
    """The preset of a demo game that is made now."""
    if name is not None and name not in PRESETS:
        raise click.BadParameter(f"there is no preset {name!r}; there are {', '.join(PRESETS)}", param_hint="--demo")
    return name or "standard"


def _browser(daemon: Daemon, robots: Demo | None) -> Browser | None:
    """The page with the local mailboxes, None where letters go elsewhere, or nobody asks for it."""
    config = daemon.judge.config
    listen = config.browser_listen or ("127.0.0.1:0" if robots is not None else "")
    if config.relay.host or not listen:
        return None
    first, waits_for = (robots.visitor, robots.waits_for) if robots is not None else ("", str)
    return Browser(
        daemon.judge, listen, smtp=lambda: daemon.wires.endpoints.get("smtp"), first=first, waits_for=waits_for
    )


def _check_secrets(config: Config) -> None:
    if wrong := secrets_missing(config):
        raise ConfigError("\n".join(wrong))


def _roles(config: Config, only: str) -> frozenset[str]:
    """What this daemon does."""
    named = frozenset(filter(None, (word.strip() for word in only.split(","))))
    if wrong := ", ".join(sorted(named - ROLES)):
        known = ", ".join(sorted(ROLES))
        raise click.BadParameter(f"there is no role {wrong}; there are {known}", param_hint="--only")
    if named and named != ROLES and file_of(parse(config.database)) is not None:
        raise click.BadParameter("an SQLite file has one daemon, which does everything", param_hint="--only")
    return named or ROLES


def _daemon(config: Config, clock_file: Path | None, roles: frozenset[str]) -> Daemon:
    """The daemon on a sound database; for a rehearsal one whose time stands in a file."""
    upgrade(config.database, migrations=folder("migrations"))
    check_soundness(config.database)
    narrow_own(config)
    if clock_file is None:
        clock = CorrectedClock() if file_of(parse(config.database)) is None else None
        return Daemon(open_judge(config, clock=clock, upgrade=True), roles=roles)
    from judge.testing.rehearsed_daemon import rehearsal_daemon

    return rehearsal_daemon(config, clock_file)


def _on_signals(daemon: Daemon) -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        daemon.ask_to_stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
