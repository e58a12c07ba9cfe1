"""The answers to invitations: a reply to the letter, and `decline`; what a yes in many words, a no, a no for ever make
of the mail.

A reply to the letter itself seats whoever reads the invited address: it proves the address, and a person is made if
there is none yet. From another address it seats nobody, for the letter may have been passed on; a machine's answer is
none (`judge.mail.assent`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.game.core.commands import Decision, Prefer, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.parts import PERHAPS
from judge.game.table.filling import is_full
from judge.game.table.vacancies import Claim, Decline, is_invited, vacant_seats
from judge.languages import tell, together, told_later
from judge.mail.assent import Word, answer_of, hides, is_unsaid, word_of
from judge.mail.coming import comes
from judge.mail.queries import Query, Request
from judge.mail.script import ReadRequest
from judge.mail.script.model import Unasked, Unread
from judge.mail.vocabulary.account import Confirm, Deny
from judge.mail.vocabulary.founding import DeclineInvitation
from judge.mail.vocabulary.player import JoinGame
from judge.report.core.letter import Kind, Member
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.directory import Errand, find_errand
from judge.service.core.persons import enrol
from judge.service.people import applicants
from judge.service.people.applicants import INVITATION
from judge.service.posting.operator import tell_gm
from judge.service.posting.outgoing import CONFIRM
from judge.service.trust.heard import HeardMail, Ready, Result, Taken, answers, errand_answered, letter_answered
from judge.service.trust.reading import line_that_answers, read_requests
from judge.service.trust.replies import goes_on_behind, is_from, subjects_answered

# --- what an answer says: yes or no in many words, or no for ever ---------------------------------------------------


_NEVER = re.compile(r"never|no more(?: invitations)?|unsubscribe|stop", re.IGNORECASE)

_MOST = 12
"""Lines of a reply that are looked at."""

_POLITE = re.compile(r"^(?:(?:thanks|thank you|please|oh|well|hi|hello|dear judge)[\s,.!]+)+|[\s,.!]+$", re.IGNORECASE)


def _said(heard: HeardMail) -> str:
    """The first line of a reply that says something, or its subject, in small letters and without courtesies."""
    typed = (line.text.strip() for line in heard.envelope.own_lines)
    first = next((line for line in typed if line and not _is_greeting(line)), "") or heard.envelope.topic
    return _POLITE.sub("", re.split(r"[!.]\s|[!.]$|, thank|\bthanks\b|\bthank you\b", first, flags=re.I)[0]).strip()


def _is_greeting(line: str) -> bool:
    return re.fullmatch(r"(?:hi|hello|hey|dear|hallo|good \w+)\b[^.!?]{0,40}[,!.]?", line, re.IGNORECASE) is not None


def coming(heard: HeardMail) -> Word | None:
    """Whether the author comes, as their own words say: those of the subject where there are no others."""
    if heard.envelope.noise.is_noise or heard.envelope.unsafe or hides(heard.envelope):
        return None
    typed = [line.text.strip() for line in heard.envelope.own_lines]
    typed = [line for line in typed if line and not _is_greeting(line)]
    return comes("\n".join(typed[:_MOST]) or heard.envelope.topic)


def answer_of_invited(heard: HeardMail) -> tuple[Word | None, bool]:
    """(what a reply says to the invitation, whether they want none any more)."""
    if heard.envelope.noise.is_noise or heard.envelope.unsafe:
        return None, False
    said = _said(heard)
    if _NEVER.fullmatch(said):
        return Word.NO, True
    ours = subjects_answered(heard)
    word = answer_of(heard.envelope, ours) or word_of(said) or coming(heard)
    beside = {number for one in heard.script.said for number in one.lines}
    if word is Word.YES and is_unsaid(heard.envelope, ours, beside=beside):
        return None, False
    if word is None:
        requests = [one.request for one in heard.script.said if not one.here]
        if any(isinstance(one, DeclineInvitation) for one in requests):
            return Word.NO, False
        word = Word.YES if any(isinstance(one, (JoinGame, Prefer, Claim)) for one in requests) else None
    return word, False


# --- what the script of a mail becomes whose author comes to play: every other line is answered beside it -----------


_NOT = re.compile(r"\b(?:not|no|but|except|never|anything|anyone|any|n't)\b|n['’]t\b", re.IGNORECASE)


def sits_down(heard: HeardMail, game: Game) -> HeardMail:
    """The mail as a yes in it comes to: to sit down, and everything else that was written, each on its own line."""
    wish, script = _wish(heard, game), heard.script
    first = wish.lines[0]
    said = (wish, *(replace(_own(one), game=one.game or game.key) for one in script.said if _stays(one, wish)))
    unread = [one for one in script.unread if not one.reason.startswith(PERHAPS) and first not in one.lines]
    script = replace(
        script, said=said, unread=(*unread, *_unsaid_wishes(heard, game, said)),
        ignored=tuple(one for one in script.ignored if one.line != first),
    )  # fmt: skip
    return replace(heard, script=script)


def says_instead(heard: HeardMail, request: Request, verb: str, *, game: str = "") -> HeardMail:
    """The mail with the line that answers as what it means; every other stays, about the game if it names none."""
    number, text = line_that_answers(heard)
    script, said = heard.script, ReadRequest(request, (number,), text, verb, game=game)
    others = (one for one in script.said if number not in one.lines and not _repeats(one, request))
    script = replace(
        script, said=(said, *(replace(one, game=one.game or game) for one in others)),
        unread=tuple(one for one in script.unread if number not in one.lines and not one.reason.startswith(PERHAPS)),
        ignored=tuple(one for one in script.ignored if one.line != number),
    )  # fmt: skip
    return replace(heard, script=script)


def says_besides(heard: HeardMail) -> bool:
    """Whether a mail has words of its author's own beside what it asks for by ours."""
    return any(one.why is Unasked.CHATTER for one in heard.script.ignored) or any(
        one.here and isinstance(one.request, Query) for one in heard.script.said
    )


def _repeats(one: ReadRequest, request: Request) -> bool:
    """Whether a line says once more what the answer says."""
    return isinstance(one.request, (Confirm, Deny, type(request)))


def _stays(one: ReadRequest, wish: ReadRequest) -> bool:
    """Whether a request is carried out beside the yes: neither the yes itself nor a sentence that was read as a
    question; a wish that has its own line is answered there.
    """
    if isinstance(one.request, (Prefer, JoinGame)) and isinstance(wish.request, JoinGame):
        return one.lines[0] != wish.lines[0] and bool(one.request.preferences)
    if one.here and isinstance(one.request, Query) and one.lines[0] == wish.lines[0]:
        return False
    return not isinstance(one.request, (Confirm, Deny, JoinGame, Prefer, Claim))


def _own(one: ReadRequest) -> ReadRequest:
    """A second line that joins says again which powers its author would like."""
    if not isinstance(one.request, JoinGame):
        return one
    return replace(one, request=Prefer(one.request.preferences), verb="prefer")


def _unsaid_wishes(heard: HeardMail, game: Game, said: tuple[ReadRequest, ...]) -> Iterator[Unread]:
    """Lines in which powers are named in words that we do not follow, where no wish was understood: how it is said."""
    wished = any(isinstance(one.request, (JoinGame, Prefer)) and one.request.preferences for one in said)
    if game.stage is not Stage.OPEN or wished:
        return
    names = [game.board.powers[power].name for power in game.rules.for_players(game.board)]
    for line in heard.envelope.own_lines:
        found = [(at.start(), name) for name in names if (at := re.search(rf"\b{re.escape(name)}\b", line.text, re.I))]
        if found and not any(line.number in one.lines[1:] or line.number == one.lines[0] for one in said[1:]):
            wishes = f"prefer {', '.join(name for _, name in sorted(found))}"
            offered = () if _NOT.search(line.text) else (wishes,)
            how = (
                tell("do you mean this?")
                if offered
                else tell("to say it, write a line such as: {wishes}", wishes=wishes)
            )
            sentence = tell("I do not follow which powers you would like to play; {how}", how=how)
            yield Unread((line.number,), line.text.strip(), "wishes", sentence, offered, "prefer")
            return


def _wish(heard: HeardMail, game: Game) -> ReadRequest:
    """The request that a yes comes to, with the powers that it names."""
    wishes = [one for one in heard.script.said if isinstance(one.request, (JoinGame, Prefer, Claim))]
    number, text = line_that_answers(heard)
    joins = [one for one in wishes if not isinstance(one.request, Prefer)]
    lines = tuple(dict.fromkeys(line for one in joins for line in one.lines)) or (number,)
    if game.stage is Stage.RUNNING:
        named = [one.request.power for one in wishes if isinstance(one.request, Claim)]
        power = (named or [""])[0] or next((power for seat in vacant_seats(game) for power in seat.powers), "")
        return ReadRequest(Claim(power), lines, text, "claim", game=game.key)
    preferences = [one.request.preferences for one in wishes if isinstance(one.request, (JoinGame, Prefer))]
    asked = [one.request for one in wishes if isinstance(one.request, JoinGame)]
    name, zone = (next((getattr(one, what) for one in asked if getattr(one, what)), "") for what in ("name", "zone"))
    wanted = next((one for one in preferences if one), ())
    return ReadRequest(JoinGame(game.key, wanted, zone=zone, name=name), lines, text, "join", game=game.key)


# --- the answers ----------------------------------------------------------------------------------------------------


_NO_MORE = told_later("You get no more invitations from this judge, whoever sends them.")
_MOST_PASSED_ON = 40
"""Lines of a reply that the Gamemaster gets to read."""


@errand_answered(INVITATION)
def answered(heard: HeardMail, errand: Errand) -> Taken | Ready | HeardMail:
    """A reply to an invitation: who wrote it, and what they say."""
    game, address = heard.game(str(errand.facts["game"])), str(errand.facts["address"])
    if game is None:
        return heard.taken("ignored", "an invitation to a game that is not here")
    if not _is_theirs(heard, address):
        return _from_elsewhere(heard, game, errand, address)
    heard = read_requests(replace(heard, speaker=replace(heard.speaker, game=game.key)))
    word, never = answer_of_invited(heard)
    if word is not None:
        applicants.heard_from(heard, address, never=never)
    if word is Word.NO:
        return _no(heard, game, errand, never=never)
    if not is_invited(game, errand.key, heard.now):
        return heard if _asks_for_more(heard) and word is None else _over(heard, game, errand)
    return _yes(heard, game, address) if word is Word.YES else _unclear(heard, game, errand)


def _asks_for_more(heard: HeardMail) -> bool:
    """Whether a reply asks for something by our words; sentences of its author's own are for the Gamemaster: "Count me
    in", "Who else plays?".
    """
    return any(not (one.here and isinstance(one.request, Query)) for one in heard.script.said)


def _is_theirs(heard: HeardMail, address: str) -> bool:
    """Whether a mail comes from the invited address, or from another one of the person whose address that is."""
    owner = heard.unit.people.by_address(address, verified=True)
    return is_from(heard, heard.ledger.members[owner.id] if owner is not None else NOBODY, address)


def _yes(heard: HeardMail, game: Game, address: str) -> Ready:
    """Whoever reads the invited address is a person here from now on, and sits down; the rest of the mail is heard."""
    person = enrol(heard.judge, heard.unit, address, called=heard.envelope.from_name, verified=True)
    heard.ledger.members.learn(person)
    speaker = replace(heard.speaker, person=person, confirmed=True, holder=person, letter=False)
    return Ready(sits_down(replace(heard, speaker=speaker), game))


@letter_answered(INVITATION)
def news_answered(heard: HeardMail) -> HeardMail:
    """An answer to the news that a game looks for players, in its author's own words, is read as one to an invitation;
    the letter's own line, "join GAME", says it itself.
    """
    game = heard.game(heard.letter.called[0])
    wishes = (JoinGame, Claim, DeclineInvitation)
    if game is None or any(isinstance(one.request, wishes) for one in heard.script.said):
        return heard
    vacant = vacant_seats(game)
    open_to = game.stage is Stage.OPEN or (game.stage is Stage.RUNNING and len(vacant) == 1)
    word, _ = answer_of_invited(heard)
    if word is Word.YES and open_to:
        return sits_down(heard, game)
    if word is Word.NO and not heard.actor(game).seat:
        return says_instead(heard, DeclineInvitation(game.key), "decline", game=game.key)
    return heard


def _no(heard: HeardMail, game: Game, errand: Errand, *, never: bool) -> Taken | Ready | HeardMail:
    """Noted, and told to the Gamemaster. Whoever sits already is told how to give the seat up."""
    known = game.gathering.invitations.get(errand.key)
    if known is not None and known.state == "accepted" and not never:
        sentence = tell("You have accepted already. To give your seat up, send: leave {game}", game=game.key)
        return _once(heard, game, errand, "accepted", tell("you play already"), (sentence,))
    if known is not None and known.state == "declined" and not never:
        return _once(
            heard,
            game,
            errand,
            "declined",
            tell("you do not play"),
            (tell("You have said no already; you need not answer again."),),
        )
    heard = replace(heard, speaker=replace(heard.speaker, confirmed=True))
    return Ready(says_instead(heard, DeclineInvitation(game.key, errand.key, never), "decline", game=game.key))


def _over(heard: HeardMail, game: Game, errand: Errand) -> Taken | HeardMail:
    """The invitation counts no more: why."""
    known = game.gathering.invitations.get(errand.key)
    state = known.state if known is not None else "over"
    owner = heard.unit.people.by_address(str(errand.facts["address"]), verified=True)
    if owner is not None and (seat := game.seat_held_by(owner.id)) is not None:
        powers = f": {game.named(seat.powers)}" if seat.powers else ""
        sentence = tell(
            "You have a seat in {game} already{powers}. You need not answer again.", game=game.key, powers=powers
        )
        return _once(heard, game, errand, "seated", tell("you play already"), (sentence,))
    why = {
        "declined": tell("You have said no to this invitation."),
        "withdrawn": tell("The Gamemaster has taken this invitation back."),
        "accepted": tell("This invitation was used; you have left your seat since."),
    }.get(state, tell("This invitation was good for 30 days, which are over."))
    items = (
        tell("{why} Nobody was seated.", why=why),
        tell("If you would like to play after all, ask the Gamemaster for another one."),
    )
    return _once(heard, game, errand, state, tell("the invitation no longer counts"), items)


def _unclear(heard: HeardMail, game: Game, errand: Errand) -> Taken | HeardMail:
    """Neither yes nor no: what to write, once; words that are a person's go to the Gamemaster. A mail that
    asks for something else is heard too.
    """
    more = _asks_for_more(heard)
    if more and not says_besides(heard):
        return heard
    words = heard.envelope.own_text.strip()
    passed_on = bool(words) and tell_gm(
        heard.judge, heard.unit, game.key, f"invitation/{errand.key}/{heard.mail.id}",
        lambda: (
            tell("words in answer to your invitation"),
            (tell("{facts} has answered your invitation, with neither yes nor no:", facts=errand.facts['address']),),
        ),
        quoted=words.split("\n")[:_MOST_PASSED_ON],
    )  # fmt: skip
    items = (
        together(
            tell(
                "I cannot take that as a yes or as a no to the invitation to {game}. You have no seat yet.",
                game=game.key,
            ),
            tell("Your words went to the Gamemaster.") if passed_on else "",
        ),
        *(
            (tell("All seats are taken by now; whoever accepts is on the reserve list."),)
            if game.stage is Stage.OPEN and is_full(game)
            else ()
        ),
        tell("If you want to play, reply to this letter with one word on its first line: accept"),
        tell("If you do not: no"),
    )
    written = _write(heard, game, errand, "unclear", tell("do you play?"), items)
    if more:
        return heard
    if not written:
        return heard.taken("ignored", "its invitation was answered so already (unclear)")
    return heard.taken("processed", "an answer to an invitation: unclear")


def _from_elsewhere(heard: HeardMail, game: Game, errand: Errand, address: str) -> Taken:
    """From another address: it may be passed on, or forged. The invited address hears of it, once; so does whoever
    wrote, if our server vouches for them.
    """
    if heard.envelope.noise.is_noise:
        return heard.taken("ignored", "a machine's answer to an invitation")
    forged = heard.envelope.auth == "fail"
    how = tell("in a mail that does not come from where it says") if forged else tell("from another address")
    items = (
        tell(
            "Somebody answered your invitation to {game} {how}. It is for you alone, so nobody was seated.",
            game=game.key,
            how=how,
        ),
        tell(
            "If that was you, answer from this address: reply with the word accept. Or ask the "
            "Gamemaster to invite your other address."
        ),
    )
    _write(heard, game, errand, "elsewhere", tell("your invitation was answered from elsewhere"), items)
    wrote, today = heard.envelope.from_address or "", heard.now.date()
    if heard.envelope.auth == "pass" and heard.unit.contacts.allow(wrote, "not-invited", today, 1):
        letter = alert(
            heard.ledger.members[heard.speaker.person.id] if heard.speaker.person else NOBODY,
            heard.judge.office,
            key=f"judge/mail/{heard.mail.id}/not-invited",
            address=wrote,
            subject=tell("that invitation is for another address"),
            items=(
                tell("The invitation that you answered is for another address, and seats nobody else."),
                tell("If it is yours too, answer from there. Else ask the Gamemaster for an invitation of your own."),
            ),
        )
        heard.send(letter)
    return heard.taken("processed", "an invitation answered from another address")


def _once(
    heard: HeardMail, game: Game, errand: Errand, matter: str, subject: str, items: Sequence[str]
) -> Taken | HeardMail:
    """A letter about what the answer comes to; the mail where that says more, and is told so at its line."""
    if (behind := goes_on_behind(heard, " ".join(items))) is not None:
        return behind
    if not _write(heard, game, errand, matter, subject, items):
        return heard.taken("ignored", f"its invitation was answered so already ({matter})")
    return heard.taken("processed", f"an answer to an invitation: {matter}")


def _write(heard: HeardMail, game: Game, errand: Errand, matter: str, subject: str, items: Sequence[str]) -> bool:
    """One letter about a matter and an invitation, to the invited address; False if it was written before."""
    idem = f"judge/invitation/{errand.key}/{len(errand.facts['sent'])}/{matter}"
    if heard.unit.letters.by_key(idem) is not None:
        return False
    address = str(errand.facts["address"])
    person = heard.unit.people.by_address(address, verified=True)
    reader: Member = heard.ledger.members[person.id] if person else NOBODY
    letter = alert(
        reader, heard.judge.office, key=idem, subject=f"[{game.key}] {subject}", items=items, address=address,
        reply_as=CONFIRM + errand.key,
    )  # fmt: skip
    return heard.send(letter)


@letter_answered(Kind.SHOWN)
def no_more_boards(heard: HeardMail) -> Taken | HeardMail:
    """`never` in answer to the letter that shows a board: no more such letters. Any other mail stays as it is."""
    address = heard.envelope.from_address
    if address is None or not answer_of_invited(heard)[1] or heard.envelope.auth == "fail":
        return heard
    behind = goes_on_behind(heard, _NOTHING_MORE)
    applicants.heard_from(heard, address, never=True)
    if behind is not None:
        return read_requests(behind)
    if heard.consent.word_taken:
        return heard
    person = heard.speaker.person
    reader = heard.ledger.members[person.id] if person is not None else NOBODY
    letter = alert(
        reader, heard.judge.office, key=f"judge/mail/{heard.mail.id}/never", address=address,
        subject=tell("no more such letters"), items=(tell(_NOTHING_MORE),),
    )  # fmt: skip
    heard.send(letter)
    return heard.taken("processed", "wants to be shown no boards")


_NOTHING_MORE = told_later(
    "You are shown no boards and invited to no games by this judge any more, whoever asks for it."
)


def unsubscribed(heard: HeardMail, errand: Errand) -> str:
    """Whoever reads the invited address has pressed Unsubscribe, which says the same as the reply `never`; returns
    what was done, for the log.
    """
    address, game = str(errand.facts["address"]), heard.game(str(errand.facts["game"]))
    applicants.heard_from(heard, address, never=True)
    if game is None:
        return "no more invitations"
    if is_invited(game, errand.key, heard.now) and isinstance(heard.apply(game, Decline(errand.key)), Decision):
        _tell_of_no(heard, game, errand)
    _write(heard, game, errand, "never", "no more invitations", (tell(_NO_MORE),))
    return "no more invitations"


def _tell_of_no(heard: HeardMail, game: Game, errand: Errand) -> None:
    address = errand.facts["address"]
    tell_gm(
        heard.judge,
        heard.unit,
        game.key,
        f"declined/{errand.key}",
        lambda: (
            tell("{address} does not play", address=address),
            (
                tell(
                    "{address} has said no to your invitation; {seats_free}",
                    address=address,
                    seats_free=_seats_free(game),
                ),
            ),
        ),
    )


@answers
def decline(heard: HeardMail, said: ReadRequest, request: DeclineInvitation) -> Result:
    """No, in answer to the letter itself or from an address that is known here."""
    game, person = heard.game(request.game or said.game), heard.speaker.acting
    if game is None:
        return Refusal("which-game", tell("Say which game you were invited to: decline GAME"), mend="list")
    ticket = request.ticket or (applicants.ticket_of(heard, game, person.id) if person is not None else "")
    if not ticket and heard.letter.kind == INVITATION:
        return Decision(said=tell("You have no seat in {game}, and get none; you need not do anything.", game=game.key))
    result = heard.apply(game, Decline(ticket))
    if isinstance(result, Decision) and (errand := find_errand(heard.unit, ticket)) is not None:
        _tell_of_no(heard, game, errand)
    if request.never:
        return Decision(said=tell(_NO_MORE) if isinstance(result, Refusal) else together(result.said, tell(_NO_MORE)))
    return result


def _seats_free(game: Game) -> str:
    """How full the table is, as the end of a sentence."""
    if game.stage is not Stage.OPEN:
        return tell("{vacant_seats} powers are vacant.", vacant_seats=len(vacant_seats(game)))
    return tell("{seats} of {players} have joined.", seats=len(game.seats), players=game.settings.players)
