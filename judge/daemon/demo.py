"""The demo: a game in an empty database, France for whoever came, the other powers played by robots that mail orders.

The robots read their letters from the local Maildirs and send their mail to the judge's own listener
(`judge.daemon.robots`). The robot that is the Gamemaster gives the visitor another power on request. What the game
waits for stands in a sentence in var/waiting.json, for `judge inbox`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

from judge.board.phase import PhaseKind
from judge.daemon.robots import RobotMail, local_part, owing, think, think_of_business, wanted_power
from judge.daemon.running import Daemon
from judge.game.clock.clockwork import processing_moment
from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Assign,
    Context,
    Create,
    Decision,
    Join,
    Open,
    Process,
    Role,
    Start,
    Vacate,
)
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.game.settings.bundles import bundle
from judge.game.settings.table import settings_from_text
from judge.orders.spelled import order_words
from judge.report.core.naming import short
from judge.service.core.keeper import GameChange
from judge.service.core.persons import enrol
from judge.service.posting.outgoing import post_letters
from judge.store.files import private_file
from judge.store.rows import DeliveryState, LetterState, MailState
from judge.transport.writing import send

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

_GOING = (DeliveryState.READY, DeliveryState.LEASED, DeliveryState.DEFERRED)


class Demo:
    """Sets the demo game up and lets its robots play while the daemon runs."""

    def __init__(
        self, daemon: Daemon, preset: str = "standard", *, pause: float = 1.0, seed: int | None = None
    ) -> None:
        """`preset`: of the game that is made in an empty database; its board must have a France."""
        self._daemon = daemon
        self._preset = preset
        self._judge = daemon.judge
        self._pause = pause
        self._robots = RobotMail(
            daemon.judge, KEY, lambda mail: send(mail, daemon.wires.endpoints["smtp"]), Random(seed), pause=pause
        )
        self._stop = threading.Event()
        self._waiting = daemon.judge.config.var / "waiting.json"
        self._noted = ""
        self._thread = threading.Thread(target=self._play, name="robots", daemon=True)

    @property
    def visitor(self) -> str:
        """The address of whoever came."""
        return self._address(YOU)

    def start(self, page: str = "") -> str:
        """Make the game if the database is empty and wake the robots; returns what to tell whoever started us. `page`:
        where they read and write in a browser.
        """
        if self._judge.config.relay.host:
            return "The demo needs local mail; it is off because a relay is configured."
        with self._judge.store.read() as view:
            empty = not view.games.list()
            there = view.games.find(KEY) is not None
        if empty:
            system = self._judge.shelf(settings_from_text(bundle(self._preset)))
            if any(len(hand) > 1 for hand in system.rules.seats(system.board)) or YOURS not in system.board.powers:
                return f"There is no demo of {self._preset}: it needs a France, and one power for each player."
            self._create()
        elif not there:
            return ""
        self._thread.start()
        return self._say(page)

    def stop(self) -> None:
        """Stop the robots."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._waiting.unlink(missing_ok=True)

    def _say(self, page: str = "") -> str:
        judge = sys.argv[0] if "/" in sys.argv[0] else "judge"
        with contextlib.suppress(ValueError):
            judge = str(Path(judge).resolve().relative_to(Path.cwd()))
        you = f"{YOU}@{self._judge.config.domain}"
        game = self._game()
        mine = self._yours(game) if game is not None else ""
        here = f"Open this page in a browser on this machine:\n\n  {page}\n\nOr, in" if page else "In"
        if game is None or not mine:
            return (
                f"\nA demo game is on, but you play in it no more. {here} another terminal, from this folder:\n\n"
                f'  {judge} mail --from {you} "status {KEY}"\n'
                f"  {judge} inbox {you}\n\n"
                "For a game from its beginning start the judge in an empty folder. Stop it with Ctrl-C.\n"
            )
        return (
            f"\nA demo game is on: robots play, {game.named([mine]).upper()} is yours. {here} another terminal, from "
            "this folder:\n\n"
            f"  {judge} inbox {you}\n"
            f"  {judge} mail --from {you} --reply 0 {_example(game, mine)}\n"
            f"  {judge} inbox {you}\n\n"
            "The first line reads your letter, the second answers it with orders, the third reads the receipt; the\n"
            "results follow as soon as every order is in. Stop the judge with Ctrl-C; the game goes on next time.\n"
            f"Ten short letters show you the rest:  {judge} mail --from {you} --reply 0 tour\n"
        )

    def _game(self) -> Game | None:
        with self._judge.store.read() as view:
            return self._judge.keeper.load(view, KEY)

    def _yours(self, game: Game) -> str:
        """The power that whoever came plays now, "" if none."""
        with self._judge.store.read() as view:
            person = view.people.by_address(self._address(YOU))
        seat = game.seat_held_by(person.id) if person is not None else None
        return seat.powers[0] if seat is not None and seat.powers else ""

    # --- setting up ---------------------------------------------------------------------------------------------

    def _create(self) -> None:
        judge, now = self._judge, self._judge.clock.now()
        with judge.store.write() as unit:
            gm = enrol(judge, unit, self._address(GM), name="The demo's Gamemaster", verified=True)
            made = create(
                Create(KEY, self._preset, SETTINGS), Context(Actor(Role.GM, GM_SEAT, gm.id), now, systems=judge.shelf)
            )
            assert isinstance(made, Decision)
            change = judge.keeper.create(made.events[0])  # type: ignore[arg-type]
            self._decide(change, Open(), Actor(Role.GM, GM_SEAT, gm.id))
            given = change.after.rules.for_players(change.after.board)
            for power in map(change.after.board.powers.__getitem__, given):
                mine = power.key == YOURS
                name = "You" if mine else f"Robot {power.name}"
                person = enrol(
                    judge, unit, self._address(YOU if mine else local_part(power.key)), name=name, verified=True
                )
                self._decide(change, Join(((power.key,),)), Actor(Role.STRANGER, person=person.id))
            self._decide(change, Start(), Actor(Role.GM, GM_SEAT, gm.id))
            if change.after.position is not None and change.after.position.phase.kind is PhaseKind.TALKS:
                self._decide(change, Process(str(change.after.position.phase)), Actor(Role.GM, GM_SEAT, gm.id))
            judge.keeper.save(unit, change, now, judge.entropy)
            post_letters(judge, unit, change, now)
        judge.keeper.settle(change)
        self._daemon.wake_post()

    def _decide(self, change: GameChange, command: object, actor: Actor) -> None:
        judge = self._judge
        decision = decide(change.after, command, Context(actor, judge.clock.now(), judge.lot, judge.shelf))  # type: ignore[arg-type]
        assert isinstance(decision, Decision), decision
        judge.keeper.apply(change, decision.events)

    def _address(self, local: str) -> str:
        return f"{local}@{self._judge.config.domain}"

    # --- playing ------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        while not self._stop.wait(self._pause):
            try:
                self.look()
            except Exception:
                log.exception("a robot stumbled")

    def look(self) -> None:
        """Let the robots read their press, let one that lacks orders write, and note what the game waits for."""
        game = self._game()
        if isinstance(game, Running):
            mine = self._yours(game)
            self._talk(game, mine)
            self._robots.write_orders(game)
        self._note(self.waits_for)

    def _talk(self, game: Running, mine: str) -> None:
        """Let each robot answer its new press, of press to several the first; the Gamemaster's gives seats away."""
        said: set[str] = set()
        for power, letter, words in self._robots.new_press(game):
            if not mine or power == mine or words in said:
                continue
            said.add(words)
            if power:
                self._robots.answer_press(game, power, letter, mine)
            else:
                self._reseat(game, mine, words)

    # --- what it waits for ----------------------------------------------------------------------------------------

    def waits_for(self) -> str:
        """What the game waits for and whose turn it is, in sentences; "" where there is no game."""
        game = self._game()
        if game is None:
            return ""
        if game.stage is Stage.ENDED:
            return f"The game {KEY} is over. For another start the judge in an empty folder."
        if under_way := self._under_way():
            return under_way
        if not isinstance(game, Running):
            return f"The game {KEY} has not begun."
        if game.held_since is not None:
            return f"The game is on hold: {game.held_reason}." if game.held_reason else "The game is on hold."
        return self._orders_missing(game) or self._all_in(game)

    def _under_way(self) -> str:
        """What is between whoever came and the judge."""
        you = self._address(YOU)
        with self._judge.store.read() as view:
            unread = view.inbox.list(states=[MailState.NEW])
            set_aside = view.inbox.list(states=[MailState.QUARANTINED])
            coming = view.outbox.list(address=you, letter_states=[LetterState.COMPOSING], limit=1)
            coming += view.outbox.list(address=you, states=_GOING, letter_states=[LetterState.READY], limit=1)
        if any(mail.envelope_from.lower() == you for mail in unread):
            return "The judge is still reading your mail. Look again in a moment."
        if coming:
            return "A letter to you is on its way; a map takes some seconds to draw. Look again in a moment."
        if set_aside:
            return f"The judge could not read mail {set_aside[0].id}. See: judge quarantine list"
        return ""

    def _orders_missing(self, game: Running) -> str:
        mine, lacking = self._yours(game), owing(game)
        robots = [power for power in self._robots.lacking(game) if power != mine]
        vacant = [power for power in lacking if (seat := game.seat_of(power)) is not None and not seat.filled]
        sentences = []
        if mine in lacking:
            sentences.append(
                f"The game waits for your orders for {game.phase_title}. Answer your last letter with them."
            )
        if robots:
            also = "also " if sentences else ""
            one = "robot, which has" if len(robots) == 1 else "robots, which have"
            sentences.append(f"The game {also}waits for {game.named(robots)}: {one} still to write.")
        sentences += [
            f'Nobody plays {game.named([power])}, and the game waits for somebody to mail "join {KEY} {power.lower()}".'
            for power in vacant
        ]
        return " ".join(sentences)

    def _all_in(self, game: Running) -> str:
        """Why a turn is not played although all orders are there."""
        if findings := self._daemon.findings():
            return f"Every order is in, but the judge does not go on: {'; '.join(findings)}."
        moment = processing_moment(game)
        at = short(moment, game.settings.zone) if moment is not None else ""
        waiting = [power for seat in game.active_seats if seat.wait for power in seat.powers]
        if waiting:
            return (
                f"Every order is in. {game.named(waiting)} waits for the deadline, {at}; a mail with `ready` ends that."
            )
        if moment is None or moment <= self._judge.clock.now():
            return "Every order is in; the turn is being played. Look again in a moment."
        return f"Every order is in; the turn is played at {at}."

    def _note(self, waits_for: Callable[[], str]) -> None:
        """Leave for `judge inbox` what the game waits for. The file is dated by the moment before the question, so that
        it knows of every letter that is older.
        """
        draft = private_file(self._waiting.with_suffix(".tmp"))
        draft.touch()
        asked = draft.stat().st_mtime_ns
        sentence = waits_for()
        if sentence != self._noted or not self._waiting.exists():
            noted = {"address": self._address(YOU), "waits_for": sentence}
            draft.write_text(json.dumps(noted), encoding="utf-8")
            draft.replace(self._waiting)
            self._noted = sentence
        os.utime(self._waiting, ns=(asked, asked))

    def _reseat(self, game: Running, mine: str, words: str) -> None:
        """Give whoever came the power that they name in press to the Gamemaster; its robot takes theirs."""
        wanted = wanted_power(words, game.board)
        if not wanted or wanted == mine or (held := game.seat_of(wanted)) is None or game.seat_of(mine) is None:
            return
        judge, now = self._judge, self._judge.clock.now()
        with judge.store.write() as unit:
            loaded = judge.keeper.load(unit, KEY)
            assert loaded is not None
            change = GameChange(loaded, loaded)
            you = enrol(judge, unit, self._address(YOU), verified=True)
            robot = enrol(
                judge, unit, self._address(local_part(mine)), name=f"Robot {game.named([mine])}", verified=True
            )
            gm = Actor(Role.GM, GM_SEAT, game.gm)
            if held.filled:
                self._decide(change, Vacate(wanted, "somebody else would like to play it"), gm)
            self._decide(change, Vacate(mine, "another power was asked for"), gm)
            self._decide(change, Assign(wanted, you.id), gm)
            self._decide(change, Assign(mine, robot.id), gm)
            judge.keeper.save(unit, change, now, judge.entropy)
            post_letters(judge, unit, change, now)
        judge.keeper.settle(change)
        self._daemon.wake_post()


def _example(game: Game, power: str = YOURS) -> str:
    """Orders that a power can give now, quoted for a shell: at the start of the usual game those of the README."""
    lines = EXAMPLE
    usual = (game.board.key, game.settings.rules, power) == ("standard", "1976", YOURS)
    if game.position is not None and not (usual and game.position.phase == game.board.first_phase):
        orders = think(game.position, power, game.rules, Random(1))
        lines = tuple(order_words(order, game.board) for order in orders)
        if not lines and isinstance(game, Begun):  # a phase without orders for units
            lines = tuple(think_of_business(game, power)) or ("ready",)
    return " ".join(f'"{line}"' for line in lines)
