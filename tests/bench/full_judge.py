"""For the benchmarks: a judge with many running games, made through the game's own commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from judge.board.position import Position, position_to_json, start_position
from judge.board.unit import Unit
from judge.config import Config
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Actor, Command, Context, Create, Decision, Join, Open, Role, Start
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.service.core.judge import Judge, open_judge
from judge.service.core.persons import enrol
from judge.service.posting.outgoing import reply_address
from judge.store import Transaction

FIVE_UNITS = {
    "AUSTRIA": ("A VIE", "A BUD", "F TRI", "A BOH", "A GAL"),
    "ENGLAND": ("F LON", "F EDI", "A LVP", "F NTH", "A YOR"),
    "FRANCE": ("A PAR", "A MAR", "F BRE", "A BUR", "A GAS"),
    "GERMANY": ("A BER", "A MUN", "F KIE", "A RUH", "A SIL"),
    "ITALY": ("A ROM", "A VEN", "F NAP", "F ION", "A PIE"),
    "RUSSIA": ("A MOS", "A WAR", "F SEV", "F STP/SC", "A UKR"),
    "TURKEY": ("A CON", "A SMY", "F ANK", "F AEG", "A ARM"),
}


def five_each(judge: Judge) -> Position:
    """The standard board with five units for every power."""
    position = start_position(judge.shelf.board("standard"))
    lines = [(power, *line.split()) for power, five in FIVE_UNITS.items() for line in five]
    units = tuple(Unit(n, kind, at, power, at) for n, (power, kind, at) in enumerate(lines, start=1))
    return replace(position, units=units, next_id=len(units) + 1)


def open_full_judge(
    folder: Path, games: int, *, settings: tuple[tuple[str, str], ...] = (), config: Config | None = None
) -> Judge:
    """A judge in `folder`, or of a configuration, with so many running games, five units to a power."""
    judge = open_judge(config or Config(var=folder, smtp_listen="127.0.0.1:0"), upgrade=True)
    add_games(judge, [f"game{number}" for number in range(games)], settings)
    return judge


def add_games(judge: Judge, keys: Sequence[str], settings: tuple[tuple[str, str], ...] = ()) -> None:
    """These running games, five units to a power."""
    for first in range(0, len(keys), 50):
        with judge.store.write() as unit:
            for key in keys[first : first + 50]:
                _make(judge, unit, key, settings, judge.clock.now())


def _make(judge: Judge, unit: Transaction, key: str, settings: tuple[tuple[str, str], ...], now: datetime) -> None:
    gm = enrol(judge, unit, f"gm.{key}@players.test", verified=True)
    desk = Actor(Role.GM, GM_SEAT, gm.id)
    made = create(Create(key, "standard", settings), Context(desk, now, systems=judge.shelf))
    assert isinstance(made, Decision) and isinstance(made.events[0], ev.GameCreated)
    change = judge.keeper.create(made.events[0])

    def do(command: Command, actor: Actor) -> None:
        decision = decide(change.after, command, Context(actor, now, lambda: 1, judge.shelf))
        assert isinstance(decision, Decision), decision
        events = [
            replace(event, position=position_to_json(five_each(judge))) if isinstance(event, ev.GameStarted) else event
            for event in decision.events
        ]
        judge.keeper.apply(change, events)

    do(Open(), desk)
    for power in change.after.board.powers:
        person = enrol(judge, unit, player(key, power), verified=True)
        do(Join(((power,),)), Actor(Role.STRANGER, person=person.id))
    do(Start(), desk)
    judge.keeper.save(unit, change, now, judge.entropy)


def player(key: str, power: str) -> str:
    """The address of a player."""
    return f"{power.lower()}.{key}@players.test"


def seat_addresses(judge: Judge) -> list[tuple[str, str, str]]:
    """(player's address, token address, power) of every seat of every game."""
    found = []
    with judge.store.read() as view:
        for row in view.games.list():
            game = judge.keeper.load(view, row.key)
            assert game is not None
            for seat in game.seats.values():
                address = player(row.key, seat.powers[0])
                token = reply_address(judge, view.games.seat, seat.id, row.key, judge.clock.now())
                found.append((address, token, seat.powers[0]))
    return found


def order_mail(number: int, sender: str, recipient: str, lines: list[str]) -> bytes:
    """A plain order mail as a mail program writes it."""
    head = (
        f"Received: from pc (pc.players.test [192.0.2.7]) by mx.players.test; Fri, 1 Jan 2027 12:00:00 +0000\r\n"
        f"From: A Player <{sender}>\r\nTo: <{recipient}>\r\nSubject: Re: orders\r\n"
        f"Date: Fri, 1 Jan 2027 12:00:00 +0000\r\nMessage-ID: <bench.{number}@players.test>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n"
    )
    return (head + "\r\n".join(lines) + "\r\n").encode()
