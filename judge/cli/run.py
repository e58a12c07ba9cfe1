"""`judge run`: the daemon."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType

import click

from judge.cli.common import configured
from judge.cli.logs import set_up
from judge.config import Config, ConfigError
from judge.daemon.demo import Demo
from judge.daemon.running import Daemon
from judge.mail.headers import HeaderInjectionError, self_test
from judge.service.house import open_house
from judge.store import StoreError
from judge.transport.listener import CannotListen


@click.command("run")
@click.option(
    "--clock-file", type=click.Path(path_type=Path), hidden=True, help="Read the time from a file (rehearsals)."
)
@click.pass_context
def run_command(context: click.Context, clock_file: Path | None) -> None:
    """Run the judge until it is told to stop (SIGTERM or Ctrl-C)."""
    config = configured(context)
    set_up(config.log)
    try:
        self_test()
        daemon = _daemon(config, clock_file)
        demo = Demo(daemon) if config.demo else None
        _on_signals(daemon)
        daemon.start()
    except (StoreError, CannotListen, ConfigError, HeaderInjectionError) as error:
        raise click.ClickException(str(error)) from error
    for name, endpoint in daemon.wires.endpoints.items():
        click.echo(f"Listening for {'clicks' if name == 'http' else 'mail'}: {name} on {endpoint}")
    if demo is not None:
        click.echo(demo.start())
    daemon.wait()
    click.echo("Stopping ...")
    if demo is not None:
        demo.stop()
    daemon.stop()


def _daemon(config: Config, clock_file: Path | None) -> Daemon:
    """The daemon; for a rehearsal one whose time stands in a file."""
    if clock_file is None:
        return Daemon(open_house(config, upgrade=True, instance="daemon"))
    from judge.testing.clock import FileClock
    from judge.testing.understudy import Understudy

    clock = FileClock(clock_file)
    return Understudy(open_house(config, clock=clock, upgrade=True, instance="daemon"), clock)


def _on_signals(daemon: Daemon) -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        daemon.ask_to_stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
