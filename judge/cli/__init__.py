"""The command line: `judge run`, `judge feed` and their companions. Each command lives in a file of its own and is
imported only when it is used, so that the small ones start fast.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any

import click

_COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("judge.cli.init", "init_command"),
    "run": ("judge.cli.run", "run_command"),
    "play": ("judge.cli.play", "play_command"),
    "feed": ("judge.cli.feed", "feed_command"),
    "mail": ("judge.cli.letterbox", "mail_command"),
    "inbox": ("judge.cli.letterbox", "inbox_command"),
    "game": ("judge.cli.game", "game_group"),
    "gm": ("judge.cli.game", "gm_group"),
    "person": ("judge.cli.game", "person_group"),
    "outbox": ("judge.cli.queues", "outbox_group"),
    "quarantine": ("judge.cli.queues", "quarantine_group"),
    "adjudicate": ("judge.cli.adjudicate", "adjudicate_command"),
    "map": ("judge.cli.map", "map_group"),
    "rehearse": ("judge.cli.rehearse", "rehearse_command"),
    "faults": ("judge.cli.rehearse", "faults_command"),
    "gallery": ("judge.cli.rehearse", "gallery_command"),
    "backup": ("judge.cli.db", "backup_command"),
    "restore": ("judge.cli.db", "restore_command"),
    "manual": ("judge.cli.manual", "manual_command"),
    "translate": ("judge.cli.translate", "translate_command"),
    "zine": ("judge.cli.zine", "zine_group"),
    "replay": ("judge.cli.db", "replay_command"),
    "db": ("judge.cli.db", "db_group"),
    "health": ("judge.cli.health", "health_command"),
    "doctor": ("judge.cli.doctor", "doctor_command"),
    "dns": ("judge.cli.init", "dns_command"),
    "files": ("judge.cli.init", "files_command"),
    "completion": ("judge.cli.manual", "completion_command"),
    "man": ("judge.cli.manual", "man_command"),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Words that are no text are refused here; `feed` takes what a mail server says, whatever it is."""
        if "feed" not in args and any("\0" in word or _has_bytes(word) for word in args):
            raise click.UsageError("an argument is no text in UTF-8", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what is wrong with files, database or configuration is told in a sentence, exit code 1."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            sentence = _sentence(error)
            if not sentence:
                raise
            raise click.ClickException(sentence) from error


def _has_bytes(word: str) -> bool:
    """Whether a word holds bytes that are no UTF-8."""
    return any("\ud800" <= char <= "\udfff" for char in word)


def _sentence(error: Exception) -> str:
    """What to tell the operator of an error that is nobody's mistake in this program; "" for all others."""
    from judge.wordbook import WrongWordsError

    if isinstance(error, WrongWordsError):
        return str(error)  # and whatever reads words cannot be imported

    from judge.board.sheet import BoardError
    from judge.config import ConfigError
    from judge.store import StoreError

    if isinstance(error, (StoreError, ConfigError, BoardError)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return ""


def _say_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click's
    if asked and not context.resilient_parsing:
        from judge.release import release

        click.echo(f"judge {release()}")
        context.exit()


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    metavar="PATH",
    help="The configuration file (else $JUDGE_CONFIG, ./var/judge.toml or /etc/judge/judge.toml).",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Version, commit, and whether it is compiled.",
)
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """A play-by-mail judge for the game of Diplomacy."""
    context.obj = config


def main() -> None:
    """The entry point; usage errors exit with 2, what went wrong with 1."""
    sys.exit(cli.main(standalone_mode=True))
