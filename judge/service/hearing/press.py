"""Press on its way through the service: how much of it one player may send, whether it gives its author away, whom it
does not reach; and words of observers and editors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from judge.game.core.commands import Colour, Decision, Refusal, Role, SendPress
from judge.game.core.events import Event, PressSent
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat
from judge.game.talk.press import ALL, GM, edits
from judge.languages import speak, tell, together, told_later
from judge.orders.spelled import listed
from judge.people.leaks import contacts, giveaways, is_ours
from judge.report.core.letter import seat_title
from judge.report.reply.unproved import alert
from judge.service.core.directory import topic_of
from judge.service.posting.operator import tell_gm
from judge.service.trust.heard import HeardMail, Result

# --- how much one player may send, and whom it does not reach -------------------------------------------------------


def too_much(heard: HeardMail, game: Game) -> Refusal | None:
    """Why no more press is taken from who speaks; None if it is, and for the Gamemaster always."""
    bounds, person = heard.judge.config.bounds, heard.speaker.acting
    if person is None or heard.actor(game).role is not Role.PLAYER:
        return None
    if heard.done.pressed >= bounds.press_a_mail:
        return _refusal(
            tell("One mail carries {press_a_mail} pieces of press", press_a_mail=bounds.press_a_mail),
            tell("send it in another mail"),
        )
    now = heard.now
    kinds = (_of_day(game), _of_hour(heard, game))
    of_day, of_hour = heard.unit.contacts.counts(f"person:{person.id}", kinds, now.date())
    if of_day >= bounds.press_a_day:
        said = tell(
            "{press_a_day} pieces of press of yours went out in {game} today",
            press_a_day=bounds.press_a_day,
            game=game.key,
        )
        return _refusal(said, tell("send it again after midnight (UTC)"))
    if of_hour >= bounds.press_an_hour:
        said = tell(
            "{press_an_hour} pieces of press of yours went out in {game} within this hour",
            press_an_hour=bounds.press_an_hour,
            game=game.key,
        )
        return _refusal(said, tell("send it again after {now:%H}:00 (UTC)", now=now + timedelta(hours=1)))
    return None


def count(heard: HeardMail, game: Game) -> None:
    """One piece more has gone out."""
    heard.done.pressed += 1
    if (person := heard.speaker.acting) is not None:
        kinds = (_of_day(game), _of_hour(heard, game))
        heard.unit.contacts.count_more(f"person:{person.id}", kinds, heard.now.date())


def not_delivered(heard: HeardMail, game: Game, events: Sequence[Event]) -> str:
    """A word about readers whose mailbox sends letters back; none in an anonymous game, where it would tell whose."""
    if game.settings.anonymous:
        return ""
    to = [power for event in events if isinstance(event, PressSent) and not event.postal for power in event.to]
    waiting = [seat for seat in game.seats.values() if _reads(seat, to) and _suspended(heard, seat)]
    if not waiting:
        return ""
    names = listed(seat_title(game, seat.id) for seat in waiting)
    whose, until = ("mailbox sends", "mailbox") if len(waiting) == 1 else ("mailboxes send", "mailboxes")
    return tell(
        "{names}'s {whose} my letters back at present: your press waits until a mail comes from their {until}.",
        names=names,
        whose=whose,
        until=until,
    )


def _reads(seat: Seat, to: Sequence[str]) -> bool:
    return seat.person is not None and (ALL in to or any(power in to for power in seat.powers))


def _suspended(heard: HeardMail, seat: Seat) -> bool:
    address = heard.ledger.members[seat.person or 0].address
    return bool(address and heard.unit.people.suspended({address}))


def _of_day(game: Game) -> str:
    return f"press/{game.key}"


def _of_hour(heard: HeardMail, game: Game) -> str:
    return f"press/{game.key}/{heard.now:%H}"


def _refusal(said: str, mend: str) -> Refusal:
    return Refusal("too-much-press", tell("{said}; this piece was not sent. Please {mend}.", said=said, mend=mend))


# --- press that gives its author away -------------------------------------------------------------------------------


def leak(heard: HeardMail, game: Game, press: SendPress) -> Refusal | None:
    """Why this press is asked back; None if it may go."""
    anonymous = press.colour is not Colour.WHITE or game.settings.anonymous
    person = heard.speaker.acting
    if person is None:
        return None
    if is_ours(press.text, person.check_phrase, heard.judge.config.address):
        return _OURS
    if not anonymous or heard.actor(game).role is Role.GM:
        return None
    addresses = [row.address for row in heard.ledger.members.addresses(person.id)]
    if heard.envelope.from_address:
        addresses.append(heard.envelope.from_address)
    names = [person.name, heard.envelope.from_name]
    found = giveaways(f"{press.text}\n{press.dateline}", names, dict.fromkeys(addresses))
    found += tuple(one for one in contacts(press.text, _names(game)) if one not in found)
    if not found or not _first_time(heard, game, press):
        return None
    named = listed(f'"{word}"' for word in found)
    return Refusal(
        "names-author",
        tell(
            "This press is unsigned, but it contains {named}, which may give you away. It was not "
            "sent. Take that out, or send the very same press again if you mean it.",
            named=named,
        ),
    )


_OURS = Refusal(
    "our-letter",
    told_later(
        "This press contains part of a letter of mine that is for you alone: your check phrase, a receipt, or your "
        "reply address. It was not sent. Take that out and send it again."
    ),
)


def _names(game: Game) -> list[str]:
    """What powers are called, and their adjectives: names under which a player signs in character."""
    powers = game.board.powers.values()
    return [word for power in powers for word in (power.name, power.adjective) if word]


def _first_time(heard: HeardMail, game: Game, press: SendPress) -> bool:
    words = f"{game.key}\0{press.to}\0{press.colour}\0{' '.join(press.text.split())}"
    key = f"press:{hashlib.sha256(words.encode()).hexdigest()}"
    return heard.unit.contacts.allow(key, "leak", heard.now.date(), 1)


# --- words of observers and editors: to the Gamemaster always, to the players where the house rules allow it --------


A_DAY = 5
"""Letters of one onlooker about one game in a day."""
LONGEST = 200
"""Lines of one."""


@dataclass(frozen=True, slots=True)
class _Onlooker:
    """Somebody who only looks on: as an editor, or as an observer."""

    name: str
    game: str
    edits: bool

    def subject(self) -> str:
        """Of a letter that passes on what they write."""
        if self.edits:
            return tell("{name}, an editor, writes", name=self.name)
        return tell("{name}, who observes, writes", name=self.name)

    def writes(self, *, answered: bool = True) -> str:
        """Who writes, and the command that answers them, where there is one."""
        if self.edits:
            who = tell("{name} is an editor of {game} and writes to you.", name=self.name, game=self.game)
            answer = tell("`press to editors` answers; all editors read it.")
        else:
            who = tell("{name} observes {game} and writes to you.", name=self.name, game=self.game)
            answer = tell("`press to observers` answers; they all read it.")
        return together(who, answer if answered else "")


def from_onlooker(heard: HeardMail, game: Game, command: SendPress) -> Result | None:
    """What becomes of press from somebody who only looks on; None for everybody else."""
    person = heard.speaker.acting
    if person is None or heard.actor(game).role is not Role.STRANGER:
        return None
    if all(row.topic != topic_of(game.key) for row in heard.unit.lists.subscriptions(person.id)):
        return None
    who = _Onlooker(person.name, game.key, edits(game, person.id))
    if (refusal := _forbidden(game, command, person.id)) is not None:
        return refusal
    if not heard.unit.contacts.allow(f"person:{person.id}", f"onlooker/{game.key}", heard.now.date(), A_DAY):
        return Refusal(
            "enough-today",
            tell(
                "You have written {a_day} letters about {game} today; please go on tomorrow.",
                a_day=A_DAY,
                game=game.key,
            ),
        )
    if command.to == (GM,):
        return _to_gm(heard, game, who, command.text)
    return _to_players(heard, game, who, command)


def _forbidden(game: Game, command: SendPress, person: int) -> Refusal | None:
    if game.stage is Stage.FORMING:
        return Refusal("not-open", tell("{game} is not open yet.", game=game.key))
    if not command.text.strip():
        return Refusal("empty-press", tell("There is no text to pass on. Write it below the line that says press."))
    if command.colour is not Colour.WHITE:
        return Refusal("observers-sign", tell("Observers and editors sign what they write."), mend="press to gm")
    if command.to == (GM,):
        return None
    if edits(game, person):
        allowed, clause = game.settings.press_from_editors, "press_from_editors"
        sentence = tell("In {game} editors write to the Gamemaster alone.", game=game.key)
    else:
        allowed, clause = game.settings.press_from_observers, "press_from_observers"
        sentence = tell("In {game} observers write to the Gamemaster alone.", game=game.key)
    return None if allowed else Refusal("observers-off", sentence, mend="press to gm", clause=clause)


def _to_gm(heard: HeardMail, game: Game, who: _Onlooker, text: str) -> Result:
    tell_gm(
        heard.judge, heard.unit, game.key, f"onlooker/{heard.mail.id}/{len(heard.done.commands)}",
        lambda: (who.subject(), (who.writes(),)), quoted=text.splitlines()[:LONGEST],
    )  # fmt: skip
    return Decision(said=tell("Your letter goes to the Gamemaster."))


def _to_players(heard: HeardMail, game: Game, who: _Onlooker, command: SendPress) -> Result:
    """To the players of the powers that are named, or to all; the Gamemaster reads what goes to all."""
    wanted = set(command.to) if not command.everyone else set(game.board.powers) - set(command.but)
    readers = {seat.id: seat.person for seat in game.seats.values() if seat.person and wanted.intersection(seat.powers)}
    if not readers:
        return Refusal(
            "no-recipient", tell("Nobody plays what you named; say to whom, or to all."), mend="press to all"
        )
    for seat, person in readers.items():
        reader = heard.ledger.members[person]
        with speak(heard.judge.language(reader.language)):
            letter = alert(
                reader, heard.judge.office,
                key=f"{game.key}/onlooker/{heard.mail.id}/{len(heard.done.commands)}/{seat}",
                subject=who.subject(), quoted=command.text.splitlines()[:LONGEST],
                items=(who.writes(answered=game.settings.observer_press),), game=game.key, seat=seat,
            )  # fmt: skip
        heard.send(letter)
    if command.everyone:
        _to_gm(heard, game, who, command.text)
    return Decision(said=tell("Your letter goes to {readers} players.", readers=len(readers)))
