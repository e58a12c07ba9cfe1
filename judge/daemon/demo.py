"""The demo: a game in an empty database, France for whoever came, the other powers played by robots that mail orders.

The robots read their letters from the local Maildirs and send their mail to the judge's own listener. They answer press
with a sentence; the robot that is the Gamemaster gives the visitor another power on request.
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
from judge.daemon.robots import reply_to_press, think, think_of_turn, wanted_power, write
from judge.daemon.running import Daemon
from judge.game.core.commands import GM_SEAT, Actor, Assign, Create, Join, Open, Process, Role, Start, Vacate
from judge.game.core.decision import Context, Decision
from judge.game.core.model import Game, Running
from judge.game.decide import decide
from judge.game.filing.standing import State, standing
from judge.game.office.desk import create
from judge.game.settings.bundles import bundle
from judge.game.settings.table import settings_from_text
from judge.orders.spelled import order_words
from judge.report.core.letter import Kind
from judge.service.core.keeper import GameChange
from judge.service.core.persons import enrol
from judge.service.posting.mailbag import post_letters
from judge.transport.maildir_out import read_mailbox

log = logging.getLogger("judge.demo")

KEY = "demo"
YOU = "you"
GM = "gm"
YOURS = "FRANCE"
EXAMPLE: tuple[str, ...] = ("A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid")
SETTINGS = (
    ("moves", "4d"), ("retreats", "2d"), ("adjustments", "2d"), ("nmr", "wait"), ("early", "yes"),
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
        self._heard: dict[str, int] = {}
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
        mine = self._yours(game) if game is not None else ""
        if game is None or not mine:
            return (
                "\nA demo game is on, but you play in it no more. In another terminal, from this folder:\n\n"
                f'  {judge} mail --from {you} "status {KEY}"\n'
                f"  {judge} inbox {you}\n\n"
                "For a game from its beginning start the judge in an empty folder. Stop it with Ctrl-C.\n"
            )
        return (
            f"\nA demo game is on: robots play, {game.named([mine]).upper()} is yours. In another terminal, from this "
            "folder:\n\n"
            f"  {judge} inbox {you}\n"
            f"  {judge} mail --from {you} --reply 0 {_example(game, mine)}\n"
            f"  {judge} inbox {you}\n\n"
            "The first line reads your letter, the second answers it with orders, the third reads the receipt; the\n"
            "results follow as soon as every order is in. Stop the judge with Ctrl-C; the game goes on next time.\n"
            f"Ten short letters show you the rest:  {judge} mail --from {you} --reply 0 tour\n"
        )

    def _game(self) -> Game | None:
        with self._house.store.read() as view:
            return self._house.keeper.load(view, KEY)

    def _yours(self, game: Game) -> str:
        """The power that whoever came plays now, "" if none."""
        with self._house.store.read() as view:
            person = view.people.by_address(self._address(YOU))
        seat = game.seat_held_by(person.id) if person is not None else None
        return seat.powers[0] if seat is not None and seat.powers else ""

    # --- setting up ---------------------------------------------------------------------------------------------

    def _create(self) -> None:
        house, now = self._house, self._house.clock.now()
        with house.store.write() as unit:
            gm = enrol(house, unit, self._address(GM), name="The demo's Gamemaster", verified=True)
            made = create(
                Create(KEY, self._preset, SETTINGS), Context(Actor(Role.GM, GM_SEAT, gm.id), now, systems=house.shelf)
            )
            assert isinstance(made, Decision)
            change = house.keeper.create(made.events[0])  # type: ignore[arg-type]
            self._decide(change, Open(), Actor(Role.GM, GM_SEAT, gm.id))
            for power in change.after.board.powers.values():
                mine = power.key == YOURS
                name = "You" if mine else f"Robot {power.name}"
                person = enrol(house, unit, self._address(YOU if mine else _local(power.key)), name=name, verified=True)
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
                    mine = self._yours(game)
                    self._talk(game, mine)
                    self._one_robot(game, mine)
            except Exception:
                log.exception("a robot stumbled")

    def _one_robot(self, game: Running, mine: str) -> None:
        """Let the next robot that owes orders write one mail."""
        for power in game.board.powers:
            turn = (power, game.deadline.version)
            if power == mine or turn in self._mailed:
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
        orders = think_of_turn(game, power, self._chance)
        self._answer(_local(power), letters[-1].raw, write(orders, game.board, self._chance))
        return True

    def _answer(self, local: str, letter: bytes, text: str) -> None:
        """A robot's mail in answer to a letter."""
        answered = email.message_from_bytes(letter, policy=email.policy.default)
        message = EmailMessage()
        message["From"] = self._address(local)
        message["To"] = str(answered["Reply-To"])
        message["Subject"] = f"Re: {answered['Subject']}"
        message["In-Reply-To"] = str(answered["Message-ID"])
        message["Date"] = format_datetime(self._house.clock.now())
        message["Message-ID"] = make_msgid(domain=self._house.config.domain)
        message.set_content(f"{text}\n")
        self._send(message)

    # --- talking --------------------------------------------------------------------------------------------------

    def _talk(self, game: Running, mine: str) -> None:
        """Let the robots read the press that came since they looked last: each answers it once, of press to several
        the first.
        """
        if not mine:
            return
        said: set[str] = set()
        for power in (*game.board.powers, ""):
            local = _local(power) if power else GM
            letters = read_mailbox(self._house.config.var / "mail", self._address(local))
            first = self._heard.setdefault(local, len(letters))
            self._heard[local] = len(letters)
            for letter in letters[first:]:
                words = _press_in(letter.raw)
                if power == mine or not words or words in said:
                    continue
                said.add(words)
                if power:
                    line = f"press to {game.named([mine])}"
                    self._answer(local, letter.raw, f"{line}\n{reply_to_press(game, power, self._chance)}\nendpress")
                else:
                    self._reseat(game, mine, words)

    def _reseat(self, game: Running, mine: str, words: str) -> None:
        """Give whoever came the power that they name in press to the Gamemaster; its robot takes theirs."""
        wanted = wanted_power(words, game.board)
        if not wanted or wanted == mine or (held := game.seat_of(wanted)) is None or game.seat_of(mine) is None:
            return
        house, now = self._house, self._house.clock.now()
        with house.store.write() as unit:
            loaded = house.keeper.load(unit, KEY)
            assert loaded is not None
            change = GameChange(loaded, loaded)
            you = enrol(house, unit, self._address(YOU), verified=True)
            robot = enrol(house, unit, self._address(_local(mine)), name=f"Robot {game.named([mine])}", verified=True)
            gm = Actor(Role.GM, GM_SEAT, game.gm)
            if held.filled:
                self._decide(change, Vacate(wanted, "somebody else would like to play it"), gm)
            self._decide(change, Vacate(mine, "another power was asked for"), gm)
            self._decide(change, Assign(wanted, you.id), gm)
            self._decide(change, Assign(mine, robot.id), gm)
            house.keeper.save(unit, change, now, house.entropy)
            post_letters(house, unit, change, now)
        house.keeper.settle(change)
        self._daemon.wake_post()

    def _send(self, message: EmailMessage) -> None:
        place = self._daemon.wires.endpoints["smtp"]
        with smtplib.SMTP(place.host, place.port, timeout=30) as smtp:
            smtp.send_message(message, from_addr=str(message["From"]), to_addrs=[str(message["To"])])


def _local(power: str) -> str:
    """The local part of the address of the robot that plays a power."""
    return power.lower().replace(" ", "-")


def _press_in(raw: bytes) -> str:
    """The words of press in a letter, one line; "" in any other letter."""
    letter = email.message_from_bytes(raw, policy=email.policy.default)
    body = letter.get_body(("plain",)) if letter["X-Judge-Kind"] == Kind.PRESS else None
    lines = body.get_content().splitlines() if body is not None else []
    return " ".join(line.removeprefix("|").strip() for line in lines if line.startswith("|"))


def _example(game: Game, power: str = YOURS) -> str:
    """Orders that a power can give now, quoted for a shell: at the start of the usual game those of the README."""
    lines = EXAMPLE
    if (game.board.key != "standard" or power != YOURS) and game.position is not None:
        orders = think(game.position, power, game.rules, Random(1))
        lines = tuple(order_words(order, game.board) for order in orders)
    return " ".join(f'"{line}"' for line in lines)
