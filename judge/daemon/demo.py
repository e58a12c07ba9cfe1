"""The demo: a game in an empty database, France for whoever came, the other powers played by robots that mail orders.

The robots read their letters from the local Maildirs and send their mail to the judge's own listener.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import logging
import smtplib
import sys
import threading
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from random import Random

from judge.board.phase import PhaseKind
from judge.daemon.robots import think, think_of_turn, write
from judge.daemon.running import Daemon
from judge.game.core.commands import GM_SEAT, Actor, Create, Join, Open, Process, Role, Start
from judge.game.core.decision import Context, Decision
from judge.game.core.model import Game, Running
from judge.game.decide import decide
from judge.game.filing.standing import State, standing
from judge.game.office.desk import create
from judge.game.settings.bundles import bundle
from judge.game.settings.table import settings_from_text
from judge.orders.spelled import order_words
from judge.service.core.keeper import GameChange
from judge.service.core.persons import enrol
from judge.service.posting.mailbag import post_letters
from judge.transport.maildir_out import read_mailbox

log = logging.getLogger("judge.demo")

KEY = "demo"
YOU = "you"
YOURS = "FRANCE"
EXAMPLE: tuple[str, ...] = ("A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid")
SETTINGS = (
    ("moves", "1d"), ("retreats", "12h"), ("adjustments", "12h"), ("nmr", "wait"), ("early", "yes"),
    ("early_delay", "0m"), ("reminders", "none"), ("explain", "yes"), ("press", "white, grey, black"),
)  # fmt: skip


class Demo:
    """Sets the demo game up and lets its robots play while the daemon runs."""

    def __init__(
        self, daemon: Daemon, preset: str = "standard", *, pause: float = 1.0, seed: int | None = None
    ) -> None:
        """`preset`: of the game that is made in an empty database; its board must have a France."""
        self._daemon = daemon
        self._preset = preset
        self._house = daemon.house
        self._pause = pause
        self._chance = Random(seed)
        self._stop = threading.Event()
        self._mailed: set[tuple[str, int]] = set()
        self._thread = threading.Thread(target=self._play, name="robots", daemon=True)

    def start(self) -> str:
        """Make the game if the database is empty and wake the robots; returns what to tell whoever started us."""
        if self._house.config.relay.host:
            return "The demo needs local mail; it is off because a relay is configured."
        with self._house.store.read() as view:
            empty = not view.games.list()
            there = view.games.find(KEY) is not None
        if empty:
            system = self._house.shelf(settings_from_text(bundle(self._preset)))
            if any(len(hand) > 1 for hand in system.rules.seats(system.board)) or YOURS not in system.board.powers:
                return f"There is no demo of {self._preset}: it needs a France, and one power for each player."
            self._create()
        elif not there:
            return ""
        self._thread.start()
        return self._say()

    def stop(self) -> None:
        """Stop the robots."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _say(self) -> str:
        judge = sys.argv[0] if "/" in sys.argv[0] else "judge"
        with contextlib.suppress(ValueError):
            judge = str(Path(judge).resolve().relative_to(Path.cwd()))
        you = f"{YOU}@{self._house.config.domain}"
        game = self._game()
        seat = game.seat_of(YOURS) if game is not None else None
        if game is None or seat is None or not seat.filled:
            return (
                "\nA demo game is on, but FRANCE is not yours any more. In another terminal, from this folder:\n\n"
                f'  {judge} mail --from {you} "status {KEY}"\n'
                f"  {judge} inbox {you}\n\n"
                "For a game from its beginning start the judge in an empty folder. Stop it with Ctrl-C.\n"
            )
        return (
            "\nA demo game is on: robots play, FRANCE is yours. In another terminal, from this folder:\n\n"
            f"  {judge} inbox {you}\n"
            f"  {judge} mail --from {you} --reply 0 {_example(game)}\n"
            f"  {judge} inbox {you}\n\n"
            "The first line reads your letter, the second answers it with orders, the third reads the receipt; the\n"
            "results follow as soon as every order is in. Stop the judge with Ctrl-C; the game goes on next time.\n"
        )

    def _game(self) -> Game | None:
        with self._house.store.read() as view:
            return self._house.keeper.load(view, KEY)

    # --- setting up ---------------------------------------------------------------------------------------------

    def _create(self) -> None:
        house, now = self._house, self._house.clock.now()
        with house.store.write() as unit:
            gm = enrol(house, unit, self._address("gm"), name="The demo's Gamemaster", verified=True)
            made = create(
                Create(KEY, self._preset, SETTINGS), Context(Actor(Role.GM, GM_SEAT, gm.id), now, systems=house.shelf)
            )
            assert isinstance(made, Decision)
            change = house.keeper.create(made.events[0])  # type: ignore[arg-type]
            self._decide(change, Open(), Actor(Role.GM, GM_SEAT, gm.id))
            for power in change.after.board.powers.values():
                mine = power.key == YOURS
                name = "You" if mine else f"Robot {power.name}"
                person = enrol(house, unit, self._address(_local(power.key)), name=name, verified=True)
                self._decide(change, Join(((power.key,),)), Actor(Role.STRANGER, person=person.id))
            self._decide(change, Start(), Actor(Role.GM, GM_SEAT, gm.id))
            if change.after.position is not None and change.after.position.phase.kind is PhaseKind.TALKS:
                self._decide(change, Process(str(change.after.position.phase)), Actor(Role.GM, GM_SEAT, gm.id))
            house.keeper.save(unit, change, now, house.entropy)
            post_letters(house, unit, change, now)
        house.keeper.settle(change)
        self._daemon.wake_post()

    def _decide(self, change: GameChange, command: object, actor: Actor) -> None:
        house = self._house
        decision = decide(change.after, command, Context(actor, house.clock.now(), house.lot, house.shelf))  # type: ignore[arg-type]
        assert isinstance(decision, Decision), decision
        house.keeper.apply(change, decision.events)

    def _address(self, local: str) -> str:
        return f"{local}@{self._house.config.domain}"

    # --- playing ------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        while not self._stop.wait(self._pause):
            try:
                game = self._game()
                if isinstance(game, Running):
                    self._one_robot(game)
            except Exception:
                log.exception("a robot stumbled")

    def _one_robot(self, game: Running) -> None:
        """Let the next robot that owes orders write one mail."""
        for power in game.board.powers:
            turn = (power, game.deadline.version)
            if power == YOURS or turn in self._mailed:
                continue
            if standing(game, power).state in (State.COMPLETE, State.NOTHING_NEEDED):
                continue
            if self._write(game, power):
                self._mailed.add(turn)
            return

    def _write(self, game: Running, power: str) -> bool:
        letters = read_mailbox(self._house.config.var / "mail", self._address(_local(power)))
        if not letters:
            return False
        answered = email.message_from_bytes(letters[-1].raw, policy=email.policy.default)
        message = EmailMessage()
        message["From"] = self._address(_local(power))
        message["To"] = str(answered["Reply-To"])
        message["Subject"] = f"Re: {answered['Subject']}"
        message["In-Reply-To"] = str(answered["Message-ID"])
        message["Date"] = format_datetime(self._house.clock.now())
        message["Message-ID"] = make_msgid(domain=self._house.config.domain)
        orders = think_of_turn(game, power, self._chance)
        message.set_content(write(orders, game.board, self._chance) + "\n")
        self._send(message)
        return True

    def _send(self, message: EmailMessage) -> None:
        place = self._daemon.wires.endpoints["smtp"]
        with smtplib.SMTP(place.host, place.port, timeout=30) as smtp:
            smtp.send_message(message, from_addr=str(message["From"]), to_addrs=[str(message["To"])])


def _local(power: str) -> str:
    return YOU if power == YOURS else power.lower().replace(" ", "-")


def _example(game: Game) -> str:
    """Orders that France can give now, quoted for a shell: at the start of the usual game those of the README."""
    lines = EXAMPLE
    if game.board.key != "standard" and game.position is not None:
        orders = think(game.position, YOURS, game.rules, Random(1))
        lines = tuple(order_words(order, game.board) for order in orders)
    return " ".join(f'"{line}"' for line in lines)
