"""Who may come in: the figures of somebody who asks for a seat, their invitation, the pass phrase."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from judge.game.core.commands import GM_SEAT, Bearing, Decision, Join, Refusal
from judge.game.core.model import Game, Stage
from judge.game.table.vacancies import is_invited
from judge.languages import tell
from judge.mail.vocabulary.player import JoinGame
from judge.report.core.letter import Kind
from judge.service.core.directory import Errand, find_errand, record_of
from judge.service.core.judge import Judge
from judge.service.posting.operator import tell_gm
from judge.service.trust.heard import HeardMail
from judge.store import Transaction, View
from judge.store.people import check_password, folded, hash_password

GUESSES = 5
"""Wrong pass phrases of one address for one game in a day."""
GUESSES_OF_ALL = 50
"""Wrong pass phrases of everybody for one game in a day."""


def hashed(heard: HeardMail, words: str) -> str:
    """A pass phrase as it is kept; "" for none."""
    return hash_password(_plain(words), salt=heard.judge.entropy(16)) if words else ""


def _plain(words: str) -> str:
    """Case, punctuation and blanks make no other phrase."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in words.casefold()).split())


def guessed_too_often(heard: HeardMail, game: Game, phrase: str) -> Refusal | None:
    """Why no pass phrase is looked at any more today; None if it is."""
    if not phrase or game.settings.access != "phrase":
        return None
    contacts, today = heard.unit.contacts, heard.now.date()
    own = contacts.count(_guesser(heard), _of(game), today)
    if own < GUESSES and contacts.count("everybody", _of(game), today) < GUESSES_OF_ALL:
        return None
    sentence = (
        tell("You have sent a wrong pass phrase five times today")
        if own >= GUESSES
        else tell("There were too many wrong pass phrases today")
    )
    return Refusal(
        "guessed",
        tell(
            "{sentence}, so I check no more of them before midnight (UTC). Ask the Gamemaster of {game} for it.",
            sentence=sentence,
            game=game.key,
        ),
    )


def asking(heard: HeardMail, game: Game, request: JoinGame) -> Join:
    """The game command of somebody who joins; they are a person here by now."""
    person = heard.speaker.acting or heard.speaker.person
    if person is None:
        return Join(request.preferences)
    kept = game.gathering.phrase
    known = bool(request.phrase and kept) and check_password(_plain(request.phrase), kept)
    return Join(
        request.preferences,
        bearing=_bearing(heard, person.id),
        ticket=ticket_of(heard, game, person.id),
        phrase=known if request.phrase else None,
    )


def answered(heard: HeardMail, game: Game, result: Decision | Refusal) -> Decision | Refusal:
    """The answer of the game, with a wrong phrase counted."""
    if not isinstance(result, Refusal) or result.slug != "wrong-phrase":
        return result
    contacts, today = heard.unit.contacts, heard.now.date()
    contacts.allow("everybody", _of(game), today, GUESSES_OF_ALL)
    contacts.allow(_guesser(heard), _of(game), today, GUESSES)
    left = GUESSES - contacts.count(_guesser(heard), _of(game), today)
    if left:
        tries = tell("once more") if left == 1 else tell("{left} times more", left=left)
        return Refusal(
            result.slug,
            tell(
                "{sentence} Case and punctuation do not matter; you may try {tries} today.",
                sentence=result.sentence,
                tries=tries,
            ),
        )
    person = heard.speaker.acting
    name = person.name if person is not None and not game.settings.anonymous else ""
    key = f"phrase/{today.isoformat()}/{person.id if person else 0}"
    tell_gm(heard.judge, heard.unit, game.key, key, partial(_words_on_guesses, name))
    sentence = tell(
        "{sentence} That was the fifth time: I check no more of yours before midnight (UTC).", sentence=result.sentence
    )
    return Refusal(
        result.slug, tell("{sentence} Ask the Gamemaster of {game} for it.", sentence=sentence, game=game.key)
    )


def _words_on_guesses(name: str) -> tuple[str, Sequence[str]]:
    return tell("wrong pass phrases"), (
        tell(
            "{who} has named a wrong pass phrase {guesses} times today. I check no more of theirs before midnight.",
            who=name or tell("Somebody"),
            guesses=GUESSES,
        ),
        tell("If it is a friend of yours, tell them the right one; to have another one: pass phrase WORDS"),
    )


def _bearing(heard: HeardMail, person: int) -> Bearing:
    """Turns, and games that are open or run and are no practice."""
    record = record_of(heard.unit.people.get(person))
    games = sum(
        seat != GM_SEAT and game.stage in (Stage.OPEN, Stage.RUNNING) and game.practice is None
        for game, seat in heard.games_of(person)
    )
    return Bearing(record.turns, record.counted, record.on_time, games)


def _guesser(heard: HeardMail) -> str:
    return heard.speaker.address or ""


def _of(game: Game) -> str:
    return f"phrase/{game.key}"


INVITATION = Kind.INVITATION.value
"""The errand of an invitation's letter: game and address, when it was sent, until when a yes to it counts."""

GOOD_FOR = timedelta(days=30)
"""How long a yes to an invitation seats."""
REMEMBERED = timedelta(days=90)
"""How long answers that come later are told so."""
BETWEEN = timedelta(days=3)
"""A second letter about the same game goes out after that at the earliest; there is no third."""
LETTERS_A_GAME = 2
UNANSWERED = 3
"""Invitations that an address gets which answers none of them, over all games, while they are remembered."""


def ticket_for(judge: Judge, game: str, address: str) -> str:
    """The ticket of an address in a game: it names the errand, and can be made by nobody else."""
    said = f"invitation\0{game}\0{folded(address)}".encode()
    return hmac.digest(judge.store.secret, said, hashlib.sha256).hex()[:16]


def ticket_of(heard: HeardMail, game: Game, person: int) -> str:
    """The ticket that is good for one of a person's proved addresses, "" if none is."""
    proved = [row.address for row in heard.ledger.members.addresses(person) if row.verified_at]
    tickets = (ticket_for(heard.judge, game.key, address) for address in proved)
    return next((one for one in tickets if is_invited(game, one, heard.now)), "")


def sent(errand: Errand) -> list[datetime]:
    """When letters of this invitation left, oldest first."""
    return [datetime.fromisoformat(one) for one in errand.facts["sent"]]


def of_game(judge: Judge, view: View | Transaction, game: Game) -> Iterator[tuple[str, Errand]]:
    """Every invitation of a game that is remembered, with how it stands: a state of its ticket, "came back" or
    "over".
    """
    for ticket, one in game.gathering.invitations.items():
        errand = find_errand(view, ticket)
        if errand is None or errand.do != INVITATION:
            continue
        state = one.state
        if state == "open":
            state = (
                "over" if one.until < judge.clock.now() else tell("came back") if errand.facts.get("back") else "open"
            )
        yield state, errand


# --- how often somebody may be written to -------------------------------------------------------------------------


def _whom(address: str) -> str:
    return f"invited:{folded(address)}"


def _never(judge: Judge, address: str) -> str:
    """The setting that remembers who wants no invitations, and not the address itself."""
    return "uninvited." + hmac.digest(judge.store.secret, _whom(address).encode(), hashlib.sha256).hex()[:32]


def unanswered(heard: HeardMail, address: str) -> int:
    """How many letters of invitation an address got lately and never answered."""
    return len(_lately(heard, address))


def _lately(heard: HeardMail, address: str) -> list[str]:
    kept: list[str] = json.loads(heard.unit.contacts.patience(_whom(address)) or "[]")
    return [one for one in kept if datetime.fromisoformat(one) > heard.now - REMEMBERED]


def wants_none(heard: HeardMail, address: str) -> bool:
    """Whether whoever reads this address has asked for no more invitations."""
    return heard.unit.meta.get(_never(heard.judge, address)) is not None


def may_be_written(heard: HeardMail, address: str) -> bool:
    """Whether an address that somebody names may get a letter: it is not ours, letters to it do not come back, and its
    reader neither wants none nor leaves them unanswered.
    """
    config = heard.judge.config
    local, _, domain = address.partition("@")
    ours = domain == config.domain and local.partition("+")[0] == config.local_part
    if ours or heard.unit.people.suspended([address]) or wants_none(heard, address):
        return False
    return unanswered(heard, address) < UNANSWERED


def count_letter(heard: HeardMail, address: str) -> None:
    """One letter more has left."""
    dates = json.dumps([*_lately(heard, address), heard.now.isoformat()])
    heard.unit.contacts.be_patient(_whom(address), dates, heard.now)


def heard_from(heard: HeardMail, address: str, *, never: bool = False) -> None:
    """Somebody has answered: they may be invited again, or never more if that is what they wish."""
    heard.unit.contacts.be_patient(_whom(address), "[]", heard.now)
    if never:
        heard.unit.meta.set(_never(heard.judge, address), heard.now.date().isoformat())
    else:
        heard.unit.meta.unset(_never(heard.judge, address))
