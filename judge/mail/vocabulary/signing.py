"""Signing on, as the older judges have it: the game and the power that the lines below are for."""

from __future__ import annotations

from dataclasses import replace

from judge.board.model import Board
from judge.game.core.commands import Role
from judge.mail.vocabulary.clauses import known_game, missing, read_game
from judge.mail.vocabulary.model import Clause, Heading, Reading, Unclear, Verb, VerbOfAll
from judge.mail.vocabulary.participants import Observe
from judge.mail.vocabulary.powers import is_power_word, read_power


def _sign_on(clause: Clause) -> Reading:
    """`sign on FTANNENBURG word` and `sign on FRANCE@TANNENBURG word`: the older judges' way to say who one is."""
    name, _, secret = clause.rest.strip().partition(" ")
    around = clause.around
    power_word, at, game_word = name.partition("@")
    if not at and known_game(name.lstrip("?"), around):
        power_word, game_word = "", name
    elif not at:
        power_word, game_word = name[:1], name[1:]
    game = read_game(game_word or name, around, "status")
    board = None if isinstance(game, Unclear) else around.games.get(game)
    if isinstance(game, Unclear) or board is None:
        return replace(game, candidates=()) if isinstance(game, Unclear) else missing("The game", "status tannenburg")
    secret = secret.strip().partition(" ")[0]
    if power_word.lower() in _WATCHES and around.role is Role.STRANGER and not is_power_word(power_word, board):
        return Heading(game=game, secret=secret, then=Observe(game))
    power = _signing(power_word, board)
    return power if isinstance(power, Unclear) else Heading(game=game, power=power, secret=secret)


_WATCHES = ("o", "observer")


def _signing(word: str, board: Board) -> str | Unclear:
    """The power of a sign-on; "" for one that names none: observers, the Gamemaster, somebody who joins."""
    if word.lower() in ("", "?", "o", "observer", "m", "master", "gm"):
        return ""
    power = read_power(word, board)
    return replace(power, candidates=()) if isinstance(power, Unclear) else power


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "sign on",
        words=("sign on", "signon", "login", "log in"),
        summary="Name the game and the power that the lines below are for.",
        usage=("sign on POWER@GAME", "sign on LETTERGAME WORD"),
        example="sign on france@tannenburg",
        read=_sign_on,
        risky=True,
        names_game=True,
        topic="proof",
    ),
)
"""The rows, in the order in which help prints them."""
