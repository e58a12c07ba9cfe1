"""What the service knows of somebody who asks for a seat: their figures, an invitation, the pass phrase.

A phrase is kept as a hash, and guessed at five times a day at most: then its Gamemaster hears of it.
"""

from __future__ import annotations

from judge.game.core.commands import GM_SEAT, Bearing, Join
from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.mail.vocabulary.player import JoinGame
from judge.service.core.records import record_of
from judge.service.people import invitations
from judge.service.posting.operator import tell_gm
from judge.service.trust.sitting import Sitting
from judge.store.people import check_password, hash_password

GUESSES = 5
"""Wrong pass phrases of one address for one game in a day."""
GUESSES_OF_ALL = 50
"""Wrong pass phrases of everybody for one game in a day."""


def hashed(sitting: Sitting, words: str) -> str:
    """A pass phrase as it is kept; "" for none."""
    return hash_password(_plain(words), salt=sitting.house.entropy(16)) if words else ""


def _plain(words: str) -> str:
    """Case, punctuation and blanks make no other phrase."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in words.casefold()).split())


def guessed_too_often(sitting: Sitting, game: Game, phrase: str) -> Refusal | None:
    """Why no pass phrase is looked at any more today; None if it is."""
    if not phrase or game.settings.access != "phrase":
        return None
    contacts, today = sitting.unit.contacts, sitting.now.date()
    own = contacts.count(_whom(sitting), _of(game), today)
    if own < GUESSES and contacts.count("everybody", _of(game), today) < GUESSES_OF_ALL:
        return None
    sentence = (
        "You have sent a wrong pass phrase five times today"
        if own >= GUESSES
        else "There were too many wrong pass phrases today"
    )
    return Refusal(
        "guessed",
        f"{sentence}, so I check no more of them before midnight (UTC). Ask the Gamemaster of {game.key} for it.",
    )


def asking(sitting: Sitting, game: Game, request: JoinGame) -> Join:
    """The game command of somebody who joins; they are a person here by now."""
    person = sitting.speaker.acting or sitting.speaker.person
    if person is None:
        return Join(request.preferences)
    kept = game.gathering.phrase
    known = bool(request.phrase and kept) and check_password(_plain(request.phrase), kept)
    return Join(
        request.preferences,
        bearing=_bearing(sitting, person.id),
        ticket=invitations.ticket_of(sitting, game, person.id),
        phrase=known if request.phrase else None,
    )


def answered(sitting: Sitting, game: Game, result: Decision | Refusal) -> Decision | Refusal:
    """The answer of the game, with a wrong phrase counted."""
    if not isinstance(result, Refusal) or result.slug != "wrong-phrase":
        return result
    contacts, today = sitting.unit.contacts, sitting.now.date()
    contacts.allow("everybody", _of(game), today, GUESSES_OF_ALL)
    contacts.allow(_whom(sitting), _of(game), today, GUESSES)
    left = GUESSES - contacts.count(_whom(sitting), _of(game), today)
    if left:
        tries = "once more" if left == 1 else f"{left} times more"
        return Refusal(result.slug, f"{result.sentence} Case and punctuation do not matter; you may try {tries} today.")
    person = sitting.speaker.acting
    who = person.name if person is not None and not game.settings.anonymous else "Somebody"
    tell_gm(
        sitting.house, sitting.unit, game.key, f"phrase/{today.isoformat()}/{person.id if person else 0}",
        subject="wrong pass phrases",
        items=(f"{who} has named a wrong pass phrase {GUESSES} times today. I check no more of theirs before midnight.",
               "If it is a friend of yours, tell them the right one; to have another one: pass phrase WORDS"),
    )  # fmt: skip
    sentence = f"{result.sentence} That was the fifth time: I check no more of yours before midnight (UTC)."
    return Refusal(result.slug, f"{sentence} Ask the Gamemaster of {game.key} for it.")


def _bearing(sitting: Sitting, person: int) -> Bearing:
    """Turns, and games that are open or run and are no practice."""
    record = record_of(sitting.unit.people.get(person))
    games = sum(
        seat != GM_SEAT and game.stage in (Stage.OPEN, Stage.RUNNING) and game.practice is None
        for game, seat in sitting.games_of(person)
    )
    return Bearing(record.turns, record.counted, record.on_time, games)


def _whom(sitting: Sitting) -> str:
    return sitting.speaker.address or ""


def _of(game: Game) -> str:
    return f"phrase/{game.key}"
