"""Where the reading of a mail stands: its lines, the heading that holds, and what was written down so far.

A yes or a no to a vote: in answer to its call, or as a plain line of its own where one vote is open.

Only a word that is a whole line of the author's counts. A question, a denial, a yes beside a no, or a
word that may answer something else casts no vote; it is asked back with the lines that would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.game.core.commands import Clear, Create, Doubt, Note, Role, SendPress, Wait
from judge.game.core.parts import NOT_OUR_WORDS, TAKES_BACK
from judge.game.settings.table import find_setting
from judge.game.table.vacancies import Claim
from judge.game.talk.ballots import Vote
from judge.game.talk.epilogue import Diary, Statement
from judge.languages import tell, told_later
from judge.mail.assent import Word, begins_as_voice, is_plain_voice, takes_back, voice_of
from judge.mail.queries import PersonRequest, Query, Request
from judge.mail.quoting import LineKind, TextLine, strip_quote
from judge.mail.script.bidding import about_order
from judge.mail.script.blocks import orders_all
from judge.mail.script.builder import ScriptBuilder
from judge.mail.script.copies import Typed, is_courtesy, is_order, plain_line, signatures
from judge.mail.script.doubtful import unsays
from judge.mail.script.headings import HeadingKind, UnreadableHeading, ask_about_heading, belongs_below
from judge.mail.script.model import Ignored, ScriptContext, Unasked
from judge.mail.script.phrases import is_question
from judge.mail.script.phrases import ordering as phrases
from judge.mail.vocabulary import (
    Around,
    BodyRule,
    Clause,
    Heading,
    Match,
    Reading,
    Secret,
    Unclear,
    Verb,
    may_use,
)
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.gmdesk import NOTHING_TRIED
from judge.mail.vocabulary.player import JoinGame

_PRINTED = re.compile(r"(?:(?:reply|or) with\s*:\s*)?(?P<word>aye|nay)\s+(?P<number>\d{1,6})[.!]?", re.IGNORECASE)
"""A ballot as the call of a vote prints it."""


class Voting:
    """What the words of one mail say to the votes that are open for its author."""

    def __init__(self, context: ScriptContext, typed: Iterable[str]) -> None:
        self._context = context
        said = {voice_of(plain_line(text)) for text in typed}
        self._both = {Word.YES, Word.NO} <= said

    def read(self, line: str) -> Vote | Unclear | None:
        """A line as a ballot, or what to ask about it; None where it is neither."""
        votes, called = self._context.votes, self._context.called
        if not votes or (called and called not in votes):
            return self._to_a_closed_one(line)
        if called and is_question(line):
            return self._asked() if voice_of(line.rstrip(" ?!")) else None
        if (chosen := self._choice(line)) is not None:
            return chosen
        voice = voice_of(line)
        if called and voice is None and begins_as_voice(line):
            return self.unheard()
        if voice is None or not (called or (self._context.free and is_plain_voice(line))):
            return None
        if self._both:
            return Unclear(
                "two-voices", tell("Your mail has both a yes and a no, so I counted neither."), self.ballots()
            )
        if len(votes) > 1:
            return self._which(voice)
        return Vote(aye=voice is Word.YES, vote=votes[0])

    def _to_a_closed_one(self, line: str) -> Vote | None:
        """A yes or a no to the call of a vote that has ended: the game says how it did."""
        voice = voice_of(line) if self._context.called and not is_question(line) else None
        return None if voice is None else Vote(aye=voice is Word.YES, vote=self._context.called)

    def _choice(self, line: str) -> Vote | None:
        """One of the choices of the poll whose call is answered, alone on a line."""
        begins, said = f"vote {self._context.called} ", line.casefold().strip(" .!")
        for ballot in self._context.ballots if self._context.called in self._context.votes else ():
            if ballot.startswith(begins) and ballot.removeprefix(begins).casefold() == said:
                return Vote(aye=True, vote=self._context.called, choice=ballot.removeprefix(begins))
        return None

    def ballots(self, *words: str) -> tuple[str, ...]:
        """The lines that vote, for every vote that is open, or those with these words."""
        if not words and self._context.ballots:
            return tuple(re.sub("^(?:AYE|NAY)", lambda word: word[0].lower(), line) for line in self._context.ballots)
        return tuple(f"{word} {number}" for number in self._context.votes for word in words or ("aye", "nay"))

    def _asked(self) -> Unclear:
        return Unclear("question", tell("A question casts no vote. To vote, write one of these."), self.ballots())

    def _which(self, voice: Word) -> Unclear:
        word = "aye" if voice is Word.YES else "nay"
        numbers = ", ".join(map(str, self._context.votes))
        sentence = tell(
            "Several votes are open ({numbers}), so nothing was counted. Please name the one you mean.", numbers=numbers
        )
        return Unclear("which-vote", sentence, self.ballots(word))

    def unheard(self) -> Unclear | None:
        """What to say to an answer to the call of a vote that asks for nothing at all."""
        if not self._context.called or not self._context.votes:
            return None
        sentence = tell("That is not a plain yes or no, so no vote was cast. To vote, write one of these.")
        return Unclear("no-voice", sentence, self.ballots())

    def unsaid(self, number: int, lines: Sequence[tuple[int, str]], said: Collection[int]) -> Unclear | None:
        """What to say to a vote on a line where the author's next words take it back: "aye", and below it "Wait, no" or
        "But only if Italy agrees". `said`: the lines that ask for something.
        """
        below = next((one for one in lines if one[0] > number and one[1].strip()), None)
        if below is None or below[0] in said or not (takes_back(below[1]) or unsays(below[1].strip())):
            return None
        sentence = tell(
            "The words below it may take your vote back, so it was not counted. To vote, write one of these alone."
        )
        return Unclear("two-voices", sentence, self.ballots())

    def left_in(self, lines: Sequence[TextLine]) -> tuple[int, str, Vote] | None:
        """The one ballot that was left of those that the call prints: (line, text, vote). The other one was cut out,
        so that more of the letter stands below it, or nothing else does; nothing but courtesies was written.
        """
        called = self._context.called
        if not called or self._context.votes != (called,):
            return None
        found, others = [], []
        signed = signatures((line.number, line.text) for line in lines if line.kind is LineKind.OWN)
        for line in lines:
            text = " ".join(strip_quote(line.text)[1].split())
            match = _PRINTED.fullmatch(text)
            if match and int(match["number"]) == called and line.kind in (LineKind.OWN, LineKind.QUOTED):
                found.append((line, text, match["word"].lower()))
            elif text and line.kind is LineKind.OWN and not (is_courtesy(text) or line.number in signed):
                return None
            elif text and line.kind is LineKind.QUOTED:
                others.append(line.number)
        if len({word for _, _, word in found}) != 1:
            return None
        line, text, word = found[-1]
        cut_off = bool(others) and max(others) < line.number
        return None if cut_off else (line.number, text, Vote(aye=word == "aye", vote=called))


HEADING_VERBS = {"sign on": HeadingKind.GAME, "order as": HeadingKind.POWER}
"""Verbs that say for what the lines below are; one that cannot be read stops them."""

_UNTIMED = (SendPress, Note, Diary, Statement)
_MOST_GUESSES = 50
"""Unknown lines of a mail for which we look for what may have been meant."""

_BROKEN = 40
"""Characters of a line that may be too long for the next word."""

_WITHDRAWS = frozenset(("clear", "undo"))
_BESIDE_ORDERS = told_later(
    "Nothing was taken back by that. The orders of this mail take the place of earlier ones for their units; those for "
    "other units stay on file. `clear`, on a line above the orders, withdraws all earlier ones first."
)


_SEALED = re.compile(r"(?P<rest>[\w-]+)@(?P<game>[\w-]+)\s+\S+")
"""`resign POWER@GAME PASSWORD`, as the older judges have it."""


class LineToRead(NamedTuple):
    """What one reader is asked about: a line, a sentence of it, or what either comes to in our words.

    `number` and `text`: of the line, as it was typed. `line`: what is read. `notes`: what was done to it before.
    """

    number: int
    text: str
    line: str
    notes: tuple[str, ...]


Readers = Sequence[tuple[str, Callable[["Cursor", LineToRead], bool]]]
"""Readers of a line by what they take it for: each says whether it has taken the line, and has then written down what
came of it.
"""


def not_for_you(verb: Verb) -> Unclear:
    """The answer to somebody who uses a verb that is not for their role."""
    who = tell("the Gamemaster") if Role.GM in verb.roles else tell("players")
    return Unclear("not-for-you", tell("Only {who} may write `{verb}`.", who=who, verb=verb.name), ("help",))


class Cursor:
    """One passage through the lines of a mail. What headings say holds until the next heading; below one that cannot be
    read nothing is done.

    - `lines`: what was typed; `at`: the index of the first that is not read yet.
    - `heading`, `around`: for what the lines are that come now, and what is known there.
    - `unreadable`: the heading that could not be read, for which they are.
    - `speaks_for_power`: whether they are a Gamemaster's in a power's name, whatever else is known of the author here.
    - `subject`: the subject, where its author wrote it and it asks for nothing.
    - `unknown`: how many lines no reader knew; `time_asked`: whether more time was asked for in plain words.
    - `answered`: lines that were no command and asked a question of ours in plain words.
    """

    def __init__(self, script: ScriptBuilder, context: ScriptContext, lines: Sequence[Typed], readers: Readers) -> None:
        self.script = script
        self.context = context
        self.lines = lines
        self.at = 0
        self.heading = Heading()
        self.around = context.around()
        self.unreadable: UnreadableHeading | None = None
        self.speaks_for_power = False
        self.subject = ""
        self.unknown = 0
        self.time_asked = False
        self.answered: list[Ignored] = []
        self._readers = readers

    # -- what is known here -------------------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The game for which the lines are that come now."""
        return self.heading.game or self.context.game

    @property
    def position(self) -> Position | None:
        """How the game stands for which the lines are, where that is known."""
        return self.context.position if self.around.game == self.context.game else None

    @property
    def is_about_game(self) -> bool:
        """Whether the mail went to the address of a game in which its author has a seat."""
        seated = self.around.role in (Role.PLAYER, Role.GM)
        return seated and bool(self.context.game) and self.context.addressed

    @property
    def is_for_now(self) -> bool:
        """Whether the lines are a player's, for the phase that is played."""
        return self.around.role is Role.PLAYER and not self.heading.turn and not self.heading.amends

    @property
    def may_guess(self) -> bool:
        """Whether it is still guessed at what a line of no known form may ask for: few mails of a person have many."""
        return self.unknown <= _MOST_GUESSES

    @cached_property
    def voting(self) -> Voting:
        """What the words of the mail say to the votes that are open."""
        return Voting(self.context, (text for _, text in self.lines))

    @cached_property
    def signed(self) -> frozenset[int]:
        """The numbers of the lines with which the author signs."""
        return signatures(self.lines)

    def is_order(self, line: str) -> bool:
        """Whether a line is meant as an order, in the game for which it is."""
        return is_order(line, self.around.board)

    def goes_on(self, text: str) -> bool:
        """Whether a line goes on with the sentence of the line above it, as prose does that a mail program breaks."""
        before = self.lines[self.at - 2][1].rstrip() if self.at > 1 else ""
        return text.lstrip()[:1].islower() and len(before) > _BROKEN and (before[-1].isalnum() or before[-1] == ",")

    # -- headings -----------------------------------------------------------------------------------------------------

    def turn_to(
        self, *, game: str = "", power: str = "", turn: str = "", replace_all: bool = False, amends: bool = False
    ) -> None:
        """A heading: what it does not say stays, unless it turns to another game."""
        before = Heading() if game and game != self.game else self.heading
        amends = amends or (before.amends and power in ("", before.power))
        self.heading = Heading(
            game or before.game, power or before.power, turn or before.turn, replace=replace_all, amends=amends
        )
        self.around = self.context.around(self.heading.game)
        named = {HeadingKind.GAME: game, HeadingKind.POWER: game or power, HeadingKind.TURN: game or turn}
        if self.unreadable and named.get(self.unreadable.kind, game or power or turn):
            self.unreadable = None

    def stop_at(self, heading: UnreadableHeading) -> None:
        """A heading that cannot be read: it is asked back, and so is what stands below it, down to the next one."""
        self.script.question((heading.line,), heading.text, ask_about_heading(heading))
        self.unreadable = heading

    def aim(self, match: Match) -> tuple[str, str, Around]:
        """(game, arguments, what is known) of a command: its first argument may name the game."""
        game, rest = self.game, match.rest
        if not match.verb.names_game:
            word, _, after = rest.partition(" ")
            named = known_game(word.strip("[]:,"), self.around)
            if named and not (match.verb.name == "set" and find_setting(word)):
                return named, after.strip(), self.context.around(named)
            sealed = _SEALED.fullmatch(rest) if match.verb.name == "leave" else None
            if (behind := sealed or phrases.GAME_BEHIND.fullmatch(rest)) and (
                named := self._named_behind(match, behind)
            ):
                return named, behind["rest"].strip(), self.context.around(named)
        return game, rest, self.around

    def _named_behind(self, match: Match, behind: re.Match[str]) -> str:
        """ "claim Italy in tannenburg", "takeover ITALY@tannenburg": the game that is named last, in no prose."""
        prose = match.verb.body is not BodyRule.NONE or match.verb.name in ("set", "poll", "amend rule", "headline")
        return "" if prose else known_game(behind["game"], self.around)

    # -- going on -----------------------------------------------------------------------------------------------------

    def read(self, number: int, text: str, line: str, notes: tuple[str, ...] = ()) -> None:
        """One sentence, or what a line comes to in our words, for the first reader that knows it."""
        one = LineToRead(number, text, line, notes)
        at = self.script.readers_of(number)
        for name, reads in self._readers:
            if reads(self, one):
                return self.script.read_by(number, at, name)

    def read_as(self, number: int, text: str, ours: str, here: str, notes: tuple[str, ...] = ()) -> None:
        """Read a line as `ours`, another one, which the answer shows with the words of `here`."""
        begun = self.script.written
        self.read(number, text, ours, notes)
        self.script.explain(begun, here)

    def pass_over(self, one: LineToRead) -> bool:
        """Take a line as words that ask for nothing."""
        self.script.ignore(one.number, one.text, Unasked.CHATTER)
        return True

    def drop_rest(self, why: Unasked) -> None:
        """Read no more lines."""
        for number, text in self.lines[self.at :]:
            self.script.ignore(number, text, why if text.strip() else Unasked.BLANK)
        self.at = len(self.lines)

    # -- writing down -------------------------------------------------------------------------------------------------

    def follow(self, match: Match, clause: Clause, game: str) -> Reading:
        """What the verb reads, if it may be used here at all."""
        found = match.verb.read(clause)
        if isinstance(found, Unclear):
            return found
        if not may_use(match.verb, clause.around.role):
            return not_for_you(match.verb)
        needs_game = not (isinstance(found, PersonRequest) and found.beside)
        if needs_game and not game and not any(place.value == "judge" for place in match.verb.places):
            names = self.context.offered()
            lines = tuple(f"{match.word} {name} {match.rest}".strip() for name in names)
            return Unclear("which-game", tell("Please say for which game: `{word} GAME`.", word=match.word), lines)
        return found

    def write(
        self, numbers: Sequence[int], text: str, match: Match, found: Reading, game: str, notes: tuple[str, ...] = ()
    ) -> None:
        """What a command comes to."""
        if isinstance(found, Unclear):
            if match.verb.name in HEADING_VERBS:
                self.unreadable = UnreadableHeading(numbers[0], text, HEADING_VERBS[match.verb.name])
                found = replace(found, sentence=tell("{sentence} Nothing below it was done.", sentence=found.sentence))
            self.ask(numbers, text, found, match.verb.name)
            return self.drop_rest(Unasked.UNTRIED) if found.reason == NOTHING_TRIED else None
        if isinstance(found, Secret):
            self.script.keep(found.value)
            return self.script.ignore(numbers[0], text, Unasked.PASSWORD)
        if isinstance(found, Heading):
            if found.secret:
                self.script.keep(found.secret)
            self.turn_to(
                game=found.game, power=found.power, turn=found.turn, replace_all=found.replace, amends=found.amends
            )
            if found.power or found.game:
                self.speaks_for_power = match.verb.name == "order as"
            if (arrives := found.then or self._takes_over(found)) is not None:
                return self.script.say(arrives, numbers, text, match.verb.name, game=found.game, notes=notes)
            return self.script.ignore(numbers[0], text, Unasked.HEADING)
        if self.unreadable and self._stopped(self.unreadable, found):
            return self.script.question(numbers, text, belongs_below(self.unreadable), match.verb.name)
        if isinstance(found, Clear):
            self.script.close_orders()
        if isinstance(found, Wait):
            found = replace(found, turn=self.heading.turn)
        if isinstance(found, Create):
            self.turn_to(game=found.key)
            game = ""  # it is about no game that there is already
        if isinstance(found, JoinGame) and not self.context.game:
            self.turn_to(game=found.game)  # wishes may follow
            game = ""  # it names its own
        self.script.say(found, numbers, text, match.verb.name, game=game, notes=notes)

    def _takes_over(self, heading: Heading) -> Claim | None:
        """Whoever has no seat in a game and signs on as a power that nobody plays there claims it."""
        vacant = self.context.vacant_in(heading.game) if heading.power and heading.game else ()
        return Claim(heading.power) if heading.power in vacant else None

    def _stopped(self, heading: UnreadableHeading, found: Request) -> bool:
        """Whether a request below an unreadable heading must not be carried out. Questions may be, and below an
        unreadable phase also requests that depend on no phase, such as letters.
        """
        harmless = isinstance(found, Query) and found.once
        return not harmless and (heading.kind is not HeadingKind.TURN or not isinstance(found, _UNTIMED))

    def ask(self, numbers: Sequence[int], text: str, unclear: Unclear, verb: str = "") -> None:
        """Ask a line back. Below an unreadable heading no lines are offered, since they would act for another game or
        turn.
        """
        self.script.question(numbers, text, replace(unclear, candidates=()) if self.unreadable else unclear, verb)

    def ask_back(self, number: int, text: str, unclear: Unclear) -> None:
        """A question to the author: about an order of this phase if that is what the line may be."""
        if unclear.reason == TAKES_BACK or not _WITHDRAWS.isdisjoint(unclear.candidates):
            ordered = self._ordered_besides(number)
            moves = self.around.phase is not None and self.around.phase.kind is PhaseKind.MOVES
            if moves and orders_all(ordered, self.around, self.position):
                return self.script.ignore(number, text, Unasked.REPLACED)
            unclear = Unclear(TAKES_BACK, tell(_BESIDE_ORDERS)) if ordered else unclear
        if unclear.reason in (NOT_OUR_WORDS, TAKES_BACK) and self.is_for_now:
            return self.order(number, text, notes=(), doubt=Doubt(unclear.reason, unclear.sentence, unclear.candidates))
        return self.ask((number,), text, unclear)

    def _ordered_besides(self, number: int) -> list[str]:
        """The lines of a player's mail that are orders for the turn that is played, but for one."""
        if self.position is None or not self.is_for_now:
            return []
        lines = (plain_line(text) for other, text in self.lines if other != number)
        return [line for line in lines if self.is_order(line)]

    def order(self, number: int, text: str, *, notes: tuple[str, ...], doubt: Doubt | None = None) -> None:
        """A line of orders."""
        here = self.heading.game in ("", self.context.game)
        if is_question(text) and not self.unreadable:
            return self.script.question((number,), text, about_order(text.strip()))
        if self.unreadable:
            order = text.strip() if here and self.context.game else ""
            unclear = belongs_below(self.unreadable, order)
            if not order or self.unreadable.kind not in (HeadingKind.TURN, HeadingKind.CASE) or not self.is_for_now:
                return self.script.question((number,), text, unclear)
            doubt = Doubt(unclear.reason, unclear.sentence, unclear.candidates)
        self.script.order(
            number,
            text,
            game=self.heading.game or self.context.game,
            power=self.heading.power,
            turn=self.heading.turn or (self.context.turn if here else ""),
            replace=self.heading.replace,
            amends=self.heading.amends,
            notes=notes,
            doubt=doubt,
        )
        if self.heading.replace:
            self.heading = replace(self.heading, replace=False)
