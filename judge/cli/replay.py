"""`judge replay`: rebuild every game from its events, or adjudicate every phase again and report drift."""

from __future__ import annotations

import click

from judge.cli.common import house, json_option, say_json
from judge.service.turning.replaying import Replayed, adjudicate_again, rebuild_all


@click.command("replay")
@click.option("--rebuild", is_flag=True, help="Rebuild each game from zero and compare it with its index card.")
@click.option("--adjudicate", is_flag=True, help="Adjudicate each stored phase again and compare the results.")
@click.argument("games", nargs=-1)
@json_option
@click.pass_context
def replay_command(
    context: click.Context, *, rebuild: bool, adjudicate: bool, games: tuple[str, ...], as_json: bool
) -> None:
    """Replay GAMES (default: all). Exit 1 if anything differs."""
    if not rebuild and not adjudicate:
        raise click.UsageError("say what to do: --rebuild or --adjudicate")
    findings: list[Replayed] = []
    with house(context) as home:
        if rebuild:
            findings += rebuild_all(home, games)
        if adjudicate:
            findings += adjudicate_again(home, games)
    for finding in findings:
        if as_json:
            say_json({"game": finding.game, "phases": finding.phases, "drift": list(finding.drift)})
        else:
            click.echo(
                f"{finding.game}: {finding.phases} {finding.unit}, {'as recorded' if not finding.drift else 'DRIFT'}"
            )
            for line in finding.drift:
                click.echo(f"  {line}")
    if any(finding.drift for finding in findings):
        context.exit(1)
