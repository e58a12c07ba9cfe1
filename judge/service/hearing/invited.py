"""The answers to invitations: a reply to the letter, and `decline`.

A reply to the letter itself seats whoever reads the invited address: it proves the address, and a person is made if
there is none yet. From another address it seats nobody, for the letter may have been passed on; a machine's answer is
none (`judge.mail.assent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.table.inviting import Decline
from judge.game.table.places import is_full
from judge.game.table.tickets import is_invited
from judge.game.table.vacancies import Claim, vacant_seats
from judge.mail.assent import Word
from judge.mail.queries import Query
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.gathering import DeclineInvitation
from judge.mail.vocabulary.player import JoinGame
from judge.report.core.alerts import alert
from judge.report.core.frame import Member
from judge.report.core.letter import Kind
from judge.report.reply.doorstep import NOBODY
from judge.service.core.persons import enrol
from judge.service.hearing.invited_words import answer_of_invited
from judge.service.hearing.seating_invited import says_besides, says_instead, sits_down
from judge.service.people import door
from judge.service.people.door import INVITATION
from judge.service.posting.mailbag import CONFIRM
from judge.service.posting.operator import tell_gm
from judge.service.trust import errands
from judge.service.trust.errands import Errand
from judge.service.trust.handlers import Result, answers
from judge.service.trust.reading import read_requests
from judge.service.trust.replies import goes_on_behind, is_from
from judge.service.trust.sitting import Sitting, Taken

_NO_MORE = "You get no more invitations from this judge, whoever sends them."
_MOST_PASSED_ON = 40
"""Lines of a reply that the Gamemaster gets to read."""


@errands.answered(INVITATION)
def answered(sitting: Sitting, errand: Errand) -> Taken | Sitting | None:
    """A reply to an invitation: who wrote it, and what they say."""
    game, address = sitting.game(str(errand.facts["game"])), str(errand.facts["address"])
    if game is None:
        return Taken("ignored", "an invitation to a game that is not here")
    if not _is_theirs(sitting, address):
        return _from_elsewhere(sitting, game, errand, address)
    sitting.speaker = replace(sitting.speaker, game=game.key)
    read_requests(sitting)
    word, never = answer_of_invited(sitting)
    if word is not None:
        door.heard_from(sitting, address, never=never)
    if word is Word.NO:
        return _no(sitting, game, errand, never=never)
    if not is_invited(game, errand.key, sitting.now):
        return None if _asks_for_more(sitting) and word is None else _over(sitting, game, errand)
    return _yes(sitting, game, address) if word is Word.YES else _unclear(sitting, game, errand)


def _asks_for_more(sitting: Sitting) -> bool:
    """Whether a reply asks for something by our words; sentences of its author's own are for the Gamemaster: "Count me
    in", "Who else plays?".
    """
    return any(not (one.here and isinstance(one.request, Query)) for one in sitting.script.said)


def _is_theirs(sitting: Sitting, address: str) -> bool:
    """Whether a mail comes from the invited address, or from another one of the person whose address that is."""
    owner = sitting.unit.people.by_address(address, verified=True)
    return is_from(sitting, sitting.ledger.members[owner.id] if owner is not None else NOBODY, address)


def _yes(sitting: Sitting, game: Game, address: str) -> Sitting:
    """Whoever reads the invited address is a person here from now on, and sits down; the rest of the mail is heard."""
    person = enrol(sitting.house, sitting.unit, address, called=sitting.envelope.from_name, verified=True)
    sitting.ledger.members.learn(person)
    sitting.speaker = replace(sitting.speaker, person=person, confirmed=True, holder=person, letter=False)
    sits_down(sitting, game)
    return sitting


def news_answered(sitting: Sitting) -> None:
    """An answer to the news that a game looks for players, in its author's own words, is read as one to an invitation;
    the letter's own line, "join GAME", says it itself.
    """
    game = sitting.game(sitting.answered_in) if sitting.answered == INVITATION else None
    wishes = (JoinGame, Claim, DeclineInvitation)
    if game is None or any(isinstance(one.request, wishes) for one in sitting.script.said):
        return
    vacant = vacant_seats(game)
    open_to = game.stage is Stage.OPEN or (game.stage is Stage.RUNNING and len(vacant) == 1)
    word, _ = answer_of_invited(sitting)
    if word is Word.YES and open_to:
        sits_down(sitting, game)
    elif word is Word.NO and not sitting.actor(game).seat:
        says_instead(sitting, DeclineInvitation(game.key), "decline", game=game.key)


def _no(sitting: Sitting, game: Game, errand: Errand, *, never: bool) -> Taken | Sitting | None:
    """Noted, and told to the Gamemaster. Whoever sits already is told how to give the seat up."""
    known = game.gathering.invitations.get(errand.key)
    if known is not None and known.state == "accepted" and not never:
        sentence = f"You have accepted already. To give your seat up, send: leave {game.key}"
        return _once(sitting, game, errand, "accepted", "you play already", (sentence,))
    if known is not None and known.state == "declined" and not never:
        return _once(
            sitting,
            game,
            errand,
            "declined",
            "you do not play",
            ("You have said no already; you need not answer again.",),
        )
    sitting.speaker = replace(sitting.speaker, confirmed=True)
    says_instead(sitting, DeclineInvitation(game.key, errand.key, never), "decline", game=game.key)
    return sitting


def _over(sitting: Sitting, game: Game, errand: Errand) -> Taken | None:
    """The invitation counts no more: why."""
    known = game.gathering.invitations.get(errand.key)
    state = known.state if known is not None else "over"
    owner = sitting.unit.people.by_address(str(errand.facts["address"]), verified=True)
    if owner is not None and (seat := game.seat_held_by(owner.id)) is not None:
        powers = f": {game.named(seat.powers)}" if seat.powers else ""
        sentence = f"You have a seat in {game.key} already{powers}. You need not answer again."
        return _once(sitting, game, errand, "seated", "you play already", (sentence,))
    why = {
        "declined": "You have said no to this invitation.",
        "withdrawn": "The Gamemaster has taken this invitation back.",
        "accepted": "This invitation was used; you have left your seat since.",
    }.get(state, "This invitation was good for 30 days, which are over.")
    items = (f"{why} Nobody was seated.", "If you would like to play after all, ask the Gamemaster for another one.")
    return _once(sitting, game, errand, state, "the invitation no longer counts", items)


def _unclear(sitting: Sitting, game: Game, errand: Errand) -> Taken | None:
    """Neither yes nor no: what to write, once; words that are a person's go to the Gamemaster. None for a mail that
    asks for something else, which is heard too.
    """
    more = _asks_for_more(sitting)
    if more and not says_besides(sitting):
        return None
    words = sitting.envelope.own_text.strip()
    passed_on = bool(words) and tell_gm(
        sitting.house, sitting.unit, game.key, f"invitation/{errand.key}/{sitting.mail.id}",
        subject="words in answer to your invitation",
        items=(f"{errand.facts['address']} has answered your invitation, with neither yes nor no:",),
        quoted=words.split("\n")[:_MOST_PASSED_ON],
    )  # fmt: skip
    items = (
        f"I cannot take that as a yes or as a no to the invitation to {game.key}. You have no seat yet."
        + (" Your words went to the Gamemaster." if passed_on else ""),
        *(
            ("All seats are taken by now; whoever accepts is on the reserve list.",)
            if game.stage is Stage.OPEN and is_full(game)
            else ()
        ),
        "If you want to play, reply to this letter with one word on its first line: accept",
        "If you do not: no",
    )
    written = _write(sitting, game, errand, "unclear", "do you play?", items)
    if more:
        return None
    if not written:
        return Taken("ignored", "its invitation was answered so already (unclear)")
    return Taken("processed", "an answer to an invitation: unclear", letters=sitting.letters)


def _from_elsewhere(sitting: Sitting, game: Game, errand: Errand, address: str) -> Taken:
    """From another address: it may be passed on, or forged. The invited address hears of it, once; so does whoever
    wrote, if our server vouches for them.
    """
    if sitting.envelope.noise.is_noise:
        return Taken("ignored", "a machine's answer to an invitation")
    forged = sitting.envelope.auth == "fail"
    how = "in a mail that does not come from where it says" if forged else "from another address"
    items = (
        f"Somebody answered your invitation to {game.key} {how}. It is for you alone, so nobody was seated.",
        "If that was you, answer from this address: reply with the word accept. Or ask the Gamemaster to invite your "
        "other address.",
    )
    _write(sitting, game, errand, "elsewhere", "your invitation was answered from elsewhere", items)
    wrote, today = sitting.envelope.from_address or "", sitting.now.date()
    if sitting.envelope.auth == "pass" and sitting.unit.contacts.allow(wrote, "not-invited", today, 1):
        letter = alert(
            sitting.ledger.members[sitting.speaker.person.id] if sitting.speaker.person else NOBODY,
            sitting.house.office, key=f"judge/mail/{sitting.mail.id}/not-invited", address=wrote,
            subject="that invitation is for another address",
            items=("The invitation that you answered is for another address, and seats nobody else.",
                   "If it is yours too, answer from there. Else ask the Gamemaster for an invitation of your own."),
        )  # fmt: skip
        sitting.send(letter)
    return Taken("processed", "an invitation answered from another address", letters=sitting.letters)


def _once(
    sitting: Sitting, game: Game, errand: Errand, matter: str, subject: str, items: Sequence[str]
) -> Taken | None:
    """A letter about what the answer comes to; None where the mail says more, and is told so at its line."""
    if goes_on_behind(sitting, " ".join(items)):
        return None
    if not _write(sitting, game, errand, matter, subject, items):
        return Taken("ignored", f"its invitation was answered so already ({matter})")
    return Taken("processed", f"an answer to an invitation: {matter}", letters=sitting.letters)


def _write(sitting: Sitting, game: Game, errand: Errand, matter: str, subject: str, items: Sequence[str]) -> bool:
    """One letter about a matter and an invitation, to the invited address; False if it was written before."""
    idem = f"judge/invitation/{errand.key}/{len(errand.facts['sent'])}/{matter}"
    if sitting.unit.letters.by_key(idem) is not None:
        return False
    address = str(errand.facts["address"])
    person = sitting.unit.people.by_address(address, verified=True)
    reader: Member = sitting.ledger.members[person.id] if person else NOBODY
    letter = alert(
        reader, sitting.house.office, key=idem, subject=f"[{game.key}] {subject}", items=items, address=address,
        reply_as=CONFIRM + errand.key,
    )  # fmt: skip
    return sitting.send(letter)


def no_more_boards(sitting: Sitting) -> Taken | None:
    """`never` in answer to the letter that shows a board: no more such letters; None for any other mail."""
    address = sitting.envelope.from_address
    if (
        sitting.answered != Kind.SHOWN
        or address is None
        or not answer_of_invited(sitting)[1]
        or sitting.envelope.auth == "fail"
    ):
        return None
    if goes_on_behind(sitting, _NOTHING_MORE):
        read_requests(sitting)
    door.heard_from(sitting, address, never=True)
    if sitting.word_taken:
        return None
    person = sitting.speaker.person
    reader = sitting.ledger.members[person.id] if person is not None else NOBODY
    letter = alert(
        reader, sitting.house.office, key=f"judge/mail/{sitting.mail.id}/never", address=address,
        subject="no more such letters", items=(_NOTHING_MORE,),
    )  # fmt: skip
    sitting.send(letter)
    return Taken("processed", "wants to be shown no boards", letters=sitting.letters)


_NOTHING_MORE = "You are shown no boards and invited to no games by this judge any more, whoever asks for it."


def unsubscribed(sitting: Sitting, errand: Errand) -> str:
    """Whoever reads the invited address has pressed Unsubscribe, which says the same as the reply `never`; returns
    what was done, for the log.
    """
    address, game = str(errand.facts["address"]), sitting.game(str(errand.facts["game"]))
    door.heard_from(sitting, address, never=True)
    if game is None:
        return "no more invitations"
    if is_invited(game, errand.key, sitting.now) and isinstance(sitting.tell(game, Decline(errand.key)), Decision):
        _tell_of_no(sitting, game, errand)
    _write(sitting, game, errand, "never", "no more invitations", (_NO_MORE,))
    return "no more invitations"


def _tell_of_no(sitting: Sitting, game: Game, errand: Errand) -> None:
    address = errand.facts["address"]
    tell_gm(
        sitting.house, sitting.unit, game.key, f"declined/{errand.key}", subject=f"{address} does not play",
        items=(f"{address} has said no to your invitation; {_seats_free(game)}",),
    )  # fmt: skip


@answers
def decline(sitting: Sitting, said: ReadRequest, request: DeclineInvitation) -> Result:
    """No, in answer to the letter itself or from an address that is known here."""
    game, person = sitting.game(request.game or said.game), sitting.speaker.acting
    if game is None:
        return Refusal("which-game", "Say which game you were invited to: decline GAME", mend="list")
    ticket = request.ticket or (door.ticket_of(sitting, game, person.id) if person is not None else "")
    if not ticket and sitting.answered == INVITATION:
        return Decision(said=f"You have no seat in {game.key}, and get none; you need not do anything.")
    result = sitting.tell(game, Decline(ticket))
    if isinstance(result, Decision) and (errand := errands.find(sitting.unit, ticket)) is not None:
        _tell_of_no(sitting, game, errand)
    if request.never:
        return Decision(said=_NO_MORE if isinstance(result, Refusal) else f"{result.said} {_NO_MORE}")
    return result


def _seats_free(game: Game) -> str:
    """How full the table is, as the end of a sentence."""
    if game.stage is not Stage.OPEN:
        return f"{len(vacant_seats(game))} powers are vacant."
    return f"{len(game.seats)} of {game.settings.players} have joined."
