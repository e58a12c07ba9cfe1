"""`judge game`, `person` and `gm`: the games on this judge, what is kept about one person, and who may create games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from judge.board.model import Board
from judge.board.position import position_to_json
from judge.cli.common import json_option, judge, say_json, table
from judge.game.core import events as ev
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat
from judge.game.settings.table import settings_to_text
from judge.history import played_phase
from judge.mail.letters import files_of
from judge.orders.spelled import unit_text
from judge.report.core.letter import Kind, plain
from judge.report.core.naming import deadline, order_text, power_name, written
from judge.report.reply.archive import archive_view
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.service.core.persons import GmExists, add_gm, list_gms
from judge.service.people.dossiers import NobodyKnown, StillWanted, dossier, erase, packed
from judge.service.posting.outgoing import cast_of
from judge.service.turning.orphans import CannotAdopt, give_to
from judge.service.upkeep.moving import CannotCarry, move_in, pack_game, unpack_game
from judge.store.files import private_file, public_file, public_folder
from judge.store.rows import GameRow


def portrait(game: Game) -> Iterator[str]:
    """The lines of `judge game show`."""
    zone = game.settings.zone
    yield f"{game.key}: {_state(game)}"
    if game.deadline is not None:
        yield f"Deadline: {deadline(game.deadline.at, zone)}"
    if game.held_since is not None:
        yield f"On hold since {written(game.held_since, zone)}"
    yield from _section("Seats", [_seat(seat, game) for seat in game.seats.values()])
    yield from _section("Centres", _centres(game))
    yield from _section("Units", _units(game))
    yield from _section("Orders on file", _orders(game))
    yield from _section("Settings", [f"{name} = {value}" for name, value in settings_to_text(game.settings).items()])


def _state(game: Game) -> str:
    return f"{game.stage}, {game.phase_title}" if game.phase else str(game.stage)


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _seat(seat: Seat, game: Game) -> str:
    powers = ", ".join(power_name(power, game.board) for power in seat.powers)
    taken = "taken" if seat.filled else "vacant"
    return f"{seat.id:<4} {powers or '(no power yet)':<24} {taken}{', asks to wait' if seat.wait else ''}"


def _centres(game: Game) -> list[str]:
    if game.position is None:
        return []
    owned = {power: game.position.centres(power) for power in game.board.powers}
    return [f"{power_name(power, game.board):<18} {len(codes):>2}" for power, codes in owned.items()]


def _units(game: Game) -> list[str]:
    if game.position is None:
        return []
    board, lines = game.board, []
    for power in board.powers:
        units = ", ".join(unit_text(unit, board) for unit in game.position.of(power))
        if units:
            lines.append(f"{power_name(power, board):<18} {units}")
    for each in game.position.dislodged:
        lines.append(f"{power_name(each.unit.power, board):<18} {unit_text(each.unit, board)} must retreat")
    return lines


def _orders(game: Game) -> list[str]:
    return [
        f"{power_name(power, game.board):<18} {order_text(line.order, game.board)}"
        for power, sheet in game.sheets.items()
        for line in sheet.lines
    ]


T = TypeVar("T")


@click.group("game")
def game_group() -> None:
    """The games: list, show one, its history, export, archive, give one to another Gamemaster."""


@game_group.command("list")
@json_option
@click.pass_context
def list_command(context: click.Context, *, as_json: bool) -> None:
    """All games."""
    with judge(context) as home, home.store.read() as view:
        rows = view.games.list()
    if as_json:
        for row in rows:
            say_json(_card(row))
        return
    if not rows:
        click.echo("There are no games yet. A Gamemaster makes one by mail: create NAME")
        return
    cells = [(r.key, r.state, r.phase or "", str(_card(r)["deadline"] or ""), f"{r.map}, {r.rules}") for r in rows]
    table(cells, ("game", "state", "phase", "deadline", "board and rules"))


@game_group.command("show")
@click.argument("key")
@json_option
@click.pass_context
def show_command(context: click.Context, key: str, *, as_json: bool) -> None:
    """One game: settings, seats, position, deadline."""
    with judge(context) as home:
        game = _load(home, key)
    if as_json:
        say_json(_facts(game))
        return
    for line in portrait(game):
        click.echo(line)


@game_group.command("history")
@click.argument("key")
@json_option
@click.pass_context
def history_command(context: click.Context, key: str, *, as_json: bool) -> None:
    """Every phase that was adjudicated, with the orders and what became of them."""
    with judge(context) as home, home.store.read() as view:
        board = _load(home, key).board
        events = thaw_all(view.events.load(key))
    for event in events:
        if isinstance(event, ev.PhaseAdjudicated):
            _print_phase(event, board, as_json=as_json)


@game_group.command("export")
@click.argument("key")
@click.option("--whole", is_flag=True, help="As a file that `judge game import` takes on another judge.")
@click.option("--addresses", is_flag=True, help="With --whole: persons travel with their addresses.")
@click.pass_context
def export_command(context: click.Context, key: str, *, whole: bool, addresses: bool) -> None:
    """All events of a game, one JSON object per line: enough to rebuild it.

    Orders of this turn, secret votes and press are among them: nothing for a player's eyes.
    """
    with judge(context) as home, home.store.read() as view:
        if whole:
            click.echo(_carried(lambda: pack_game(home, view, key, addresses=addresses)), nl=False)
            return
        _load(home, key)
        for stored in view.events.load(key):
            say_json({"seq": stored.seq, "kind": stored.kind, "version": stored.version, **json.loads(stored.data)})


@game_group.command("import")
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--as", "key", metavar="NAME", default="", help="Its name here, if not that of the file.")
@click.option(
    "--address", "given", metavar="WHO=ADDRESS", multiple=True, help="Where to write to a person of the file."
)
@click.pass_context
def import_command(context: click.Context, file: TextIO, key: str, given: tuple[str, ...]) -> None:
    """Take a game in that another judge exported whole; it is on hold until its Gamemaster resumes it.

    WHO is a name in the file, or gm. A player without an address loses the seat. Who names an address answers for it.
    """
    addresses = dict(one.partition("=")[::2] for one in given)
    with judge(context, upgrade=True) as home:
        done = _carried(lambda: move_in(home, unpack_game(home, file.read(), key=key.lower()), addresses))
    click.echo(f"{done.key} is here, {done.stage}: of its persons {done.known} known before, {done.enrolled} new.")
    if done.stage == Stage.RUNNING:
        click.echo("It is on hold, and everybody is told; its Gamemaster lets it go on with: resume")
    if done.vacant:
        click.echo(f"Vacant, since nobody knows where to write: {', '.join(done.vacant)}")


def _carried(act: Callable[[], T]) -> T:
    try:
        return act()
    except CannotCarry as error:
        raise click.ClickException(str(error)) from error


@game_group.command("archive")
@click.argument("key")
@click.option("--folder", type=click.Path(path_type=Path), default=Path(), help="Where the files go; here by default.")
@click.pass_context
def archive_command(context: click.Context, key: str, *, folder: Path) -> None:
    """The record of a game as files to keep and to pass on: KEY.txt to read, KEY.json for programs.

    Only what was published is in them; `export` is the whole log.
    """
    with judge(context) as home, home.store.read() as view:
        game = _load(home, key)
        record = plain(archive_view(game, thaw_all(view.events.load(key)), cast_of(home, view, game)))
        files, _ = home.pressroom.do(lambda press: files_of(Kind.ARCHIVE, record, press), game=key)
    public_folder(folder)
    for file in files:
        public_file(folder / file.name).write_text(file.text, encoding="utf-8", newline="\n")
        click.echo(str(folder / file.name))


def _print_phase(event: ev.PhaseAdjudicated, board: Board, *, as_json: bool) -> None:
    if as_json:
        say_json({"phase": event.phase, "version": event.version, "outcomes": event.outcomes, "after": event.after})
        return
    click.echo(f"{event.phase}")
    for result in played_phase(event, board).results:
        click.echo(f"  {result.power:<10} {result.order!s:<28} {', '.join(result.results)}")


def _load(home: Judge, key: str) -> Game:
    with home.store.read() as view:
        game = home.keeper.load(view, key)
        if game is None:
            known = ", ".join(row.key for row in view.games.list()) or "none"
            raise click.ClickException(f"there is no game {key}; there are: {known}")
    return game


@game_group.command("adopt")
@click.argument("key")
@click.argument("address")
@click.pass_context
def adopt_command(context: click.Context, key: str, address: str) -> None:
    """Give a game that lost its Gamemaster to another one, who must be registered."""
    with judge(context) as home:
        try:
            give_to(home, key, address)
        except CannotAdopt as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"{address} is the Gamemaster of {key} now; everybody is told.")


def _card(row: GameRow) -> dict[str, object]:
    summary = json.loads(row.summary)
    return {
        "game": row.key, "state": row.state, "phase": row.phase, "map": row.map, "rules": row.rules,
        "next_due_at": row.next_due_at.isoformat() if row.next_due_at else None, **summary,
    }  # fmt: skip


def _facts(game: Game) -> dict[str, object]:

    return {
        "game": game.key,
        "stage": str(game.stage),
        "phase": str(game.phase) if game.phase else None,
        "deadline": game.deadline.at.isoformat() if game.deadline else None,
        "held": game.held_since is not None,
        "seats": {s.id: {"powers": list(s.powers), "filled": s.filled, "wait": s.wait} for s in game.seats.values()},
        "centres": {p: len(game.position.centres(p)) for p in game.board.powers} if game.position else {},
        "position": position_to_json(game.position) if game.position else None,
        "sets": {
            power: {"number": s.number, "orders": [ln.order for ln in s.lines]} for power, s in game.sheets.items()
        },
        "settings": settings_to_text(game.settings),
    }


@click.group("person")
def person_group() -> None:
    """A person's data: show it, hand it out, erase it. They can do most of it by mail: my account, forget me."""


@person_group.command("show")
@click.argument("address")
@json_option
@click.pass_context
def show_person(context: click.Context, address: str, *, as_json: bool) -> None:
    """What is kept about the person behind ADDRESS."""
    with judge(context) as home:
        facts: Any = _known(lambda: dossier(home, address))
    if as_json:
        say_json(facts)
        return
    click.echo(f"{facts['name']}, person {facts['person']}, known since {facts['known_since'][:10]}")
    for row in facts["addresses"]:
        marks = [
            "of record" if row["of_record"] else "",
            "proved" if row["proved_at"] else "not proved",
            "SUSPENDED after bounces" if row["suspended_at"] else "",
        ]
        click.echo(f"  {row['address']}  ({', '.join(filter(None, marks))})")
    for place in facts["games"]:
        click.echo(f"  {place['as']} in {place['game']}, {place['stage']}")
    click.echo(f"  check phrase: {facts['check_phrase']}; password: {'set' if facts['password'] else 'none'}")
    click.echo(f"  {facts['record']}")
    click.echo(f"  {facts['mails']} mails from them, {facts['letters']} letters to them")


@person_group.command("export")
@click.argument("address")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export_person(context: click.Context, address: str, file: Path) -> None:
    """All of it with every mail and letter, as a ZIP file to hand to them. Passwords are not in it.

    Make sure that it is they who ask: mail the file to the address of record, and to no other.
    """
    if file.exists():
        raise click.ClickException(f"{file} is there already; give another name")
    with judge(context) as home:
        data = _known(lambda: packed(home, address))
    private_file(file).write_bytes(data)
    click.echo(f"{file}: a zip of {len(data) / 1e3:,.0f} kB")


@person_group.command("erase")
@click.argument("address")
@click.option("--leave-games", is_flag=True, help="Vacate their seats first; every table is told.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def erase_command(context: click.Context, address: str, *, leave_games: bool, yes: bool) -> None:
    """Erase the person behind ADDRESS, as `forget me` by mail does. Games keep what was played, without them."""
    with judge(context) as home:
        facts: Any = _known(lambda: dossier(home, address))
        if not yes:
            click.confirm(f"Erase {facts['name']}, {facts['mails']} mails, {facts['letters']} letters?", abort=True)
        done = _known(lambda: erase(home, address, leave_games=leave_games))
    left = f" Vacant for it: {', '.join(done.left)}." if done.left else ""
    click.echo(f"Person {done.person} is erased; what is still on its way to them is within a day after it went.{left}")


def _known(ask: Any) -> Any:
    try:
        return ask()
    except NobodyKnown as error:
        raise click.ClickException(str(error)) from error
    except StillWanted as error:
        raise click.ClickException(f"nothing was erased:\n{error}") from error


@click.group("gm")
def gm_group() -> None:
    """Gamemasters: add one, list them."""


@gm_group.command("add")
@click.argument("address")
@click.option("--name", default="", help="The name that players read.")
@click.option("--zone", default="", help="The GM's own time zone.")
@click.option("--reset", is_flag=True, help="Give a new password to somebody who is a GM already.")
@json_option
@click.pass_context
def add_command(context: click.Context, address: str, name: str, zone: str, *, reset: bool, as_json: bool) -> None:
    """Let ADDRESS create games; prints a password, once."""
    with judge(context, upgrade=True) as home:
        try:
            added = add_gm(home, address, name=name, zone=zone, reset=reset)
        except (ValueError, GmExists) as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        say_json({"address": added.address, "password": added.password})
        return
    click.echo(f"{added.address} may create and run games.")
    click.echo(f"Password (shown this once): {added.password}")
    click.echo("It goes on a line of its own in a mail:  password " + added.password)


@gm_group.command("list")
@json_option
@click.pass_context
def list_gms_command(context: click.Context, *, as_json: bool) -> None:
    """Everybody who may create games."""
    with judge(context) as home:
        gms = list_gms(home)
    for address in gms:
        say_json({"address": address}) if as_json else click.echo(address)
