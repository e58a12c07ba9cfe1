"""Votes called and cast. Proposers are public at once, ballots at the close.

Extension votes have their own time: see `judge.game.clock.extensions`; what comes of votes says `closing.py`.

Amendments of the house rules: proposed by any active player or the GM, carried by the majority of the active (9A).

An amendment is a setting with its new value, or a rule in words for the Gamemaster to keep. Whatever is carried holds
from the next turn on; every change raises the version of the house rules, which is printed with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role
from judge.game.core.events import Event, VoteCalled, VoteCast, VoteClosed
from judge.game.core.evolve import Feature, put, without
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Amendment, Ballot, EndedVote
from judge.game.filing.overtaken import vote_word
from judge.game.settings.redrawn import check_seasons
from judge.game.settings.table import find_setting, with_setting
from judge.game.settings.values import how_to_write
from judge.game.talk.closing import (
    AMENDMENT,
    CONCESSION,
    DRAW,
    EXTENSION,
    OWN_TIME,
    PAUSE,
    POLL,
    closing,
    decided,
    named_close,
    settles,
)
from judge.languages import moment_mark, tell, together, told_later

LONGEST_QUESTION = 1000


@dataclass(frozen=True, slots=True)
class ProposeDraw(Command):
    """Call a draw vote; `powers` empty: all survivors (DIAS)."""

    powers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vote(Command):
    """A ballot: `aye`, on vote number `vote` (0: the only one open)."""

    aye: bool = field(kw_only=True)
    vote: int = 0
    choice: str = ""
    """In a poll with choices of its own: one of them, by its text, its beginning or its number."""


@dataclass(frozen=True, slots=True)
class ProposeConcession(Command):
    """Call a vote on conceding the game to one power."""

    power: str


@dataclass(frozen=True, slots=True)
class ProposePoll(Command):
    """Ask the others a question that binds nobody: answered with aye or nay, or with one of its `choices`."""

    question: str
    choices: tuple[str, ...] = ()


def propose_draw(game: Game, command: ProposeDraw, context: Context) -> Decision | Refusal:
    """Call a draw vote; it closes with the results of this turn."""
    if (refusal := may_not_vote(game, context.actor) or _too_early(game)) is not None:
        return refusal
    shares = tuple(power for power in game.board.powers if power in (command.powers or game.sharers))
    if (refusal := _no_sharer(game, shares, tell("shares in no draw"))) is not None:
        return refusal
    if game.settings.dias and set(shares) != set(game.sharers):
        return Refusal("dias", tell("In this game a draw includes all survivors that have a player."), mend="draw")
    for ballot in game.votes.values():
        if ballot.kind == DRAW and set(ballot.powers) == set(shares):
            return vote(game, Vote(aye=True, vote=ballot.number), context)  # whoever proposes it is for it
    return call(game, DRAW, context, powers=shares)


def propose_concession(game: Game, command: ProposeConcession, context: Context) -> Decision | Refusal:
    """Call a vote that names the winner, or say aye to the one that is open for this power."""
    if (refusal := may_not_vote(game, context.actor)) is not None:
        return refusal
    if not game.settings.concessions:
        return Refusal(
            "no-concessions",
            tell("{game} is not conceded; it is played or drawn.", game=game.key),
            clause="concessions",
        )
    if (refusal := _too_early(game)) is not None:
        return refusal
    if (refusal := _no_sharer(game, (command.power,), tell("cannot be conceded to"))) is not None:
        return refusal
    for ballot in game.votes.values():
        if ballot.kind == CONCESSION and ballot.powers == (command.power,):
            return vote(game, Vote(aye=True, vote=ballot.number), context)
    return call(game, CONCESSION, context, powers=(command.power,))


def _no_sharer(game: Game, powers: tuple[str, ...], so: str) -> Refusal | None:
    """Why one of these powers has no part in the result: it is out of the game, or nobody plays it."""
    gone = next((power for power in powers if power not in game.sharers), None)
    if gone is None:
        return None
    name, out = game.board.powers[gone].told, gone not in game.survivors
    why = tell("{power} is out of the game", power=name) if out else tell("{power} has no player", power=name)
    return Refusal("no-survivor" if out else "no-player", tell("{why} and {so}.", why=why, so=so))


def propose_poll(game: Game, command: ProposePoll, context: Context) -> Decision | Refusal:
    """Open a poll; refused where the same question is open, and for a text that is empty or too long."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        return refusal
    question = " ".join(command.question.split())
    if not question or len(question) > LONGEST_QUESTION:
        return Refusal(
            "no-question",
            tell("A poll asks a question of at most {longest_question} letters.", longest_question=LONGEST_QUESTION),
            mend="poll: ...?",
        )
    for ballot in game.votes.values():
        if ballot.kind == POLL and ballot.text == question:
            return _open_already(ballot)
    return call(game, POLL, context, text=question, own_aye=False, choices=command.choices)


def vote(game: Game, command: Vote, context: Context) -> Decision | Refusal:
    """Cast or change a ballot; the last one before the close counts."""
    if (refusal := _ended(game, command, context.actor)) is not None:
        return refusal
    if (refusal := may_not_vote(game, context.actor)) is not None:
        return refusal
    if not game.votes:
        return Refusal("no-vote", tell("No vote is open."))
    found = _which_ballot(game, command)
    if isinstance(found, Refusal):
        return found
    ballot, chosen = found
    number = ballot.number
    word = f'"{chosen}"' if chosen else tell("aye") if command.aye else tell("nay")
    if (context.seat, "", vote_word(number)) in context.actor.later:
        return Refusal(
            "overtaken",
            tell(
                "Your {word} on vote {number} came too late: a mail that reached me after this one changed it, and "
                "that one stands.",
                word=word,
                number=number,
            ),
        )
    event = VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=command.aye, choice=chosen)
    return Decision((event,), said=_said_of_vote(game, _with_vote(ballot, event), word))


def _which_ballot(game: Game, command: Vote) -> tuple[Ballot, str] | Refusal:
    """The open ballot that is meant, and the choice on it, "" where it is answered with aye or nay."""
    meant = [command.vote] if command.vote else _answered_so(game, command)
    if len(meant) > 1:
        numbers = ", ".join(map(str, meant))
        lines = "\n".join(line for number in meant for line in _lines(game.votes[number], aye=command.aye))
        return Refusal(
            "which-vote", tell("Several votes are open: {numbers}. Name the one you mean.", numbers=numbers), mend=lines
        )
    number = meant[0]
    if number not in game.votes:
        return Refusal("no-such-vote", tell("Vote {number} is not open.", number=number))
    ballot = game.votes[number]
    chosen = _chosen(ballot, command.choice)
    if ballot.choices and not chosen:
        asked = tell(
            "Vote {number} is answered with one of: {choices}.", number=number, choices=", ".join(ballot.choices)
        )
        return Refusal("which-choice", asked, mend="\n".join(ballot.lines))
    if command.choice and not ballot.choices:
        return Refusal(
            "no-ballot",
            tell("Vote {number} is answered with aye or nay.", number=number),
            mend=f"aye {number}\nnay {number}",
        )
    return ballot, chosen


def _said_of_vote(game: Game, cast: Ballot, word: str) -> str:
    """What a vote that is counted comes to."""
    number = cast.number
    if cast.kind in OWN_TIME and (carried := settles(game, cast)) is not None:
        return (
            tell("Your {word} decides vote {number}: it is carried, and everybody is told.", word=word, number=number)
            if carried
            else tell("Your {word} decides vote {number}: it is lost, and everybody is told.", word=word, number=number)
        )
    if _ends_now(game, cast):
        return tell(
            "Your {word} on vote {number} is counted: all have said aye, and the game ends.", word=word, number=number
        )
    return tell(
        "Your {word} on vote {number} is counted; you may change it until the close. {when}",
        word=word,
        number=number,
        when=closing(game, cast.kind, cast.text),
    )


_ABOUT = {
    DRAW: told_later("a draw"),
    CONCESSION: told_later("a concession"),
    EXTENSION: told_later("more time"),
    PAUSE: told_later("a pause"),
    AMENDMENT: told_later("the rules"),
}


def _ended(game: Game, command: Vote, actor: Actor) -> Refusal | None:
    """How the vote ended on which a ballot comes too late: that number, or without one the last, where none is open."""
    number = command.vote
    if actor.role is not Role.PLAYER or (not number and game.votes) or not game.ended_votes:
        return None
    ended = game.ended_votes.get(number or max(game.ended_votes))
    if ended is None:
        return None
    still_open = "\n".join(line for one in game.votes.values() for line in _lines(one, aye=command.aye))
    if ended.kind == POLL:
        sentence = tell("The poll closed on {at}; your word came too late to count.", at=moment_mark(ended.at))
        return Refusal("vote-ended", sentence, mend=still_open)
    about, at = tell(_ABOUT[ended.kind]), moment_mark(ended.at)
    sentence = (
        tell("The vote on {about} passed on {at}; your word came too late to count.", about=about, at=at)
        if ended.passed
        else tell("The vote on {about} failed on {at}; your word came too late to count.", about=about, at=at)
    )
    return Refusal("vote-ended", sentence, mend=still_open)


def _answered_so(game: Game, command: Vote) -> list[int]:
    """The open votes that a ballot without a number may mean: a poll with choices of its own takes no aye."""
    numbers = sorted(game.votes)
    fitting = [number for number in numbers if bool(game.votes[number].choices) == bool(command.choice)]
    return fitting or numbers


def _lines(ballot: Ballot, *, aye: bool) -> tuple[str, ...]:
    return ballot.lines if ballot.choices else (f"{'aye' if aye else 'nay'} {ballot.number}",)


def _ends_now(game: Game, ballot: Ballot) -> bool:
    """Whether a ballot makes all want a draw or a concession for which nothing is waited any more."""
    after = altered(game, votes=put(game.votes, ballot.number, ballot))
    return game.deadline is not None and game.deadline.called and decided(after) is not None


def _chosen(ballot: Ballot, text: str) -> str:
    """The choice that a text means: by its number, its words, or the only one that begins so; "" for none."""
    word = " ".join(text.casefold().split())
    if word.isdigit() and 1 <= int(word) <= len(ballot.choices):
        return ballot.choices[int(word) - 1]
    same = [choice for choice in ballot.choices if choice.casefold() == word]
    near = [choice for choice in ballot.choices if word and choice.casefold().startswith(word)]
    return same[0] if same else near[0] if len(near) == 1 else ""


def call(
    game: Game,
    kind: str,
    context: Context,
    *,
    powers: tuple[str, ...] = (),
    text: str = "",
    own_aye: bool = True,
    choices: tuple[str, ...] = (),
) -> Decision:
    """Open a vote. A player who proposes something is for it until they say otherwise; the Gamemaster has no vote."""
    number = game.votes_called + 1
    called = VoteCalled(
        at=context.now, by=context.seat, number=number, kind=kind, powers=powers, text=text, choices=choices,
        until=named_close(game),
    )  # fmt: skip
    if context.actor.role is not Role.PLAYER or not own_aye:
        return Decision(
            (called,),
            said=tell(
                "{capitalize} vote {number} is called. {closing}",
                capitalize=kind.capitalize(),
                number=number,
                closing=closing(game, kind),
            ),
        )
    cast = VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=True)
    said = tell(
        "{capitalize} vote {number} is called; your own vote is counted as aye. {closing}",
        capitalize=kind.capitalize(),
        number=number,
        closing=closing(game, kind),
    )
    return Decision((called, cast), said=said)


def _open_already(ballot: Ballot) -> Refusal:
    return Refusal(
        "vote-open",
        tell("That vote is open already; vote on number {ballot}.", ballot=ballot.number),
        mend=f"aye {ballot.number}",
    )


def may_not_vote(game: Game, actor: Actor) -> Refusal | None:
    """Why this actor has no vote; None if they have one (B66a)."""
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running; there is nothing to vote on.", game=game.key))
    if game.practice is not None:
        return Refusal("alone", tell("{game} is a board for one person; there is nobody to vote with.", game=game.key))
    if actor.role is not Role.PLAYER or actor.seat not in {seat.id for seat in game.active_seats}:
        return Refusal("no-vote", tell("Only players whose power is still in the game vote."), clause="9B")
    return None


def may_not_propose(game: Game, actor: Actor) -> Refusal | None:
    """Amendments and polls come from any active player or the Gamemaster."""
    if actor.role is Role.GM and game.stage is Stage.RUNNING:
        return None
    return may_not_vote(game, actor)


def _too_early(game: Game) -> Refusal | None:
    if _late_enough(game):
        return None
    season = game.settings.draw_from
    return Refusal(
        "too-early",
        tell("Draws and concessions may be proposed only once {season} is over.", season=season),
        clause="draw_from",
    )


def _late_enough(game: Game) -> bool:
    """`draw_from` F1905: only once Fall 1905 is over (B61)."""
    named = game.settings.draw_from
    if not named or game.position is None:
        return True
    return game.calendar.is_over(named, game.position.phase)


def _vote_called(game: Game, event: VoteCalled) -> Game:
    ballot = Ballot(
        event.number, event.kind, event.by, event.powers, event.at, event.text, choices=event.choices, until=event.until
    )
    return altered(game, votes=put(game.votes, event.number, ballot), votes_called=event.number)


def _vote_cast(game: Game, event: VoteCast) -> Game:
    cast = _with_vote(game.votes[event.number], event)
    return altered(game, votes=put(game.votes, event.number, cast))


def _with_vote(ballot: Ballot, event: VoteCast) -> Ballot:
    cast = replace(ballot, votes=put(ballot.votes, event.seat, event.aye))
    return replace(cast, chosen=put(ballot.chosen, event.seat, event.choice)) if event.choice else cast


def _vote_closed(game: Game, event: VoteClosed) -> Game:
    ended = EndedVote(game.votes[event.number].kind, event.passed, event.at)
    return altered(
        game, votes=without(game.votes, event.number), ended_votes=put(game.ended_votes, event.number, ended)
    )


LONGEST = 1000
_EQUALS = " = "


@dataclass(frozen=True, slots=True)
class ProposeAmendment(Command):
    """Change a house rule: `name` and `value` of a setting, or a rule in words (`value` alone)."""

    value: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ObjectHeadlines(Command):
    """One objection ends the headlines of a game (8A)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAmended(Event, told="version,number,text"):
    """Vote `number` has carried this rule; `version` of the house rules since then. `setting`: whether it is one."""

    number: int
    version: int
    text: str
    setting: bool = False


def propose(game: Game, command: ProposeAmendment, context: Context) -> Decision | Refusal:
    """Put an amendment to the vote; a setting is looked up and its value read first."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        return refusal
    text = " ".join(command.value.split())
    if not text or len(text) > LONGEST:
        return Refusal(
            "no-rule",
            tell("Say what is to change: a setting and its value, or a rule in words."),
            "amend rule draw_from = F1905",
        )
    if command.name:
        found = _setting(game, command.name, text)
        if isinstance(found, Refusal):
            return found
        text = found
    for ballot in game.votes.values():
        if ballot.kind == AMENDMENT and ballot.text == text:
            return Refusal(
                "vote-open",
                tell("Vote {ballot} is about that already.", ballot=ballot.number),
                mend=f"aye {ballot.number}",
            )
    return call(game, AMENDMENT, context, text=text)


def _setting(game: Game, name: str, value: str) -> str | Refusal:
    """ "draw_from = F1905", or why that cannot be voted on."""
    setting = find_setting(name)
    if setting is None:
        return Refusal("no-setting", tell('There is no setting "{name}".', name=name), mend="help settings")
    if setting.frozen_after_start:
        return Refusal("frozen", tell("{setting} cannot change once the game has started.", setting=setting.name))
    try:
        changed = with_setting(game.settings, setting.name, value)
        check_seasons(changed, game.calendar)
    except ValueError as error:
        return Refusal(
            "bad-setting",
            together(
                f"{setting.name}: {str(error).rstrip('.')}.",
                how_to_write(error, f"amend rule {setting.name} = {setting.examples[0]}"),
            ),
        )
    new, old = (
        setting.form.show(getattr(changed, setting.name)),
        setting.form.show(getattr(game.settings, setting.name)),
    )
    if new == old:
        return Refusal("no-change", tell("{setting} is {value} already.", setting=setting.name, value=new))
    return f"{setting.name}{_EQUALS}{new}"


def carried(game: Game, closed: Sequence[Event], now: datetime) -> Iterable[Event]:
    """What the votes that have just closed change in the house rules. `game`: as it was when they were open."""
    version = game.rules_version
    for event in closed:
        ballot = game.votes.get(event.number) if isinstance(event, VoteClosed) and event.passed else None
        if ballot is None or ballot.kind != AMENDMENT:
            continue
        version += 1
        change = _change(game, ballot, now)
        yield RulesAmended(at=now, number=ballot.number, version=version, text=ballot.text, setting=change is not None)
        if change is not None:
            yield change


def _change(game: Game, ballot: Ballot, now: datetime) -> ev.SettingChanged | None:
    name, equals, value = ballot.text.partition(_EQUALS)
    setting = find_setting(name) if equals else None
    if setting is None or setting.name != name or setting.frozen_after_start:
        return None
    old = setting.form.show(getattr(game.settings, name))
    return ev.SettingChanged(at=now, name=name, old=old, new=value)


def object_to_headlines(game: Game, command: ObjectHeadlines, context: Context) -> Decision | Refusal:
    """Switch headlines off for this game; refused for those who have no vote, and where there are none."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        if refusal.slug == "no-vote":
            return replace(refusal, sentence=tell("Only players whose power is still in the game object to headlines."))
        return refusal
    if not game.settings.headlines:
        return Decision(said=tell("There are no headlines in this game any more."))
    event = ev.SettingChanged(at=context.now, by=context.seat, name="headlines", old="yes", new="no")
    return Decision((event,), said=tell("There will be no headlines any more; everybody is told."))


def _amended(game: Game, event: RulesAmended) -> Game:
    if event.setting:  # the change of the setting that follows raises the version
        return game
    amendments = (*game.amendments, Amendment(event.version, event.text))
    return replace(game, rules_version=event.version, amendments=amendments)


FEATURE = Feature(
    evolve={
        VoteCalled: _vote_called,
        VoteCast: _vote_cast,
        VoteClosed: _vote_closed,
        RulesAmended: _amended,
    },
    decide={
        ProposeDraw: propose_draw,
        Vote: vote,
        ProposeConcession: propose_concession,
        ProposePoll: propose_poll,
        ProposeAmendment: propose,
        ObjectHeadlines: object_to_headlines,
    },
)
