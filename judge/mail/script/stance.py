"""The game, power and turn for which the lines of a mail are, by the headings above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from judge.game.core.commands import ChangeSettings, Clear, Create, Doubt, Note, Role, SendPress, Wait
from judge.game.settings.table import find_setting
from judge.game.table.vacancies import Claim
from judge.game.talk.diaries import Diary
from judge.game.talk.epilogue import Statement
from judge.mail.queries import Query, Request
from judge.mail.script.bidding import about_order
from judge.mail.script.blocks import wrapped_block
from judge.mail.script.headings import (
    Astray,
    What,
    astray,
    belongs_below,
    case_above,
    question,
    read_heading,
    split_game,
    split_heading,
    tagged_game,
)
from judge.mail.script.lines import Typed, is_order, is_question
from judge.mail.script.model import ScriptContext, Unasked
from judge.mail.script.pen import Pen
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
    find_verb,
    may_use,
)
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.gmdesk import NOTHING_TRIED
from judge.mail.vocabulary.player import JoinGame
from judge.mail.vocabulary.settings_text import read_assignment, settings_in

HEADING_VERBS = {"sign on": What.GAME, "order as": What.POWER}
"""Verbs that say for what the lines below are; one that cannot be read stops them."""

_UNTIMED = (SendPress, Note, Diary, Statement)

_EQUATION = re.compile(r"^[A-Za-z][\w -]{0,40}=")
_BEHIND = re.compile(r"(?P<rest>.*?)(?:\s*@|(?:^|\s)(?:in|of|for|from)\s+(?:the\s+)?(?:game\s+)?)(?P<game>[\w-]+)[.!]?")

_SEALED = re.compile(r"(?P<rest>[\w-]+)@(?P<game>[\w-]+)\s+\S+")
"""`resign POWER@GAME PASSWORD`, as the older judges have it."""


def not_for_you(verb: Verb) -> Unclear:
    """The answer to somebody who uses a verb that is not for their role."""
    who = "the Gamemaster" if Role.GM in verb.roles else "players"
    return Unclear("not-for-you", f"Only {who} may write `{verb.name}`.", ("help",))


def _reads(match: Match | None, around: Around) -> bool:
    """Whether a line is a command as it stands."""
    if match is None or (match.verb.whole and match.rest):
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)


class Stance:
    """What headings say holds until the next heading; below one that cannot be read nothing is done."""

    def __init__(self, pen: Pen, context: ScriptContext) -> None:
        self.pen = pen
        self._context = context
        self._heading = Heading()
        self._around = context.around()
        self._lines: Sequence[Typed] = ()
        self._at = 0
        self._acting = False
        """Whether the lines below are a Gamemaster's in a power's name, whatever else is known of the author here."""
        self._astray: Astray | None = None
        """The heading that could not be read, for which the lines are that come now."""

    def turn_to(
        self, *, game: str = "", power: str = "", turn: str = "", replace_all: bool = False, amends: bool = False
    ) -> None:
        """A heading: what it does not say stays, unless it turns to another game."""
        before = Heading() if game and game != (self._heading.game or self._context.game) else self._heading
        amends = amends or (before.amends and power in ("", before.power))
        self._heading = Heading(
            game or before.game, power or before.power, turn or before.turn, replace=replace_all, amends=amends
        )
        self._around = self._context.around(self._heading.game)
        named = {What.GAME: game, What.POWER: game or power, What.TURN: game or turn}
        if self._astray and named.get(self._astray.what, game or power or turn):
            self._astray = None

    def lose(self, heading: Astray) -> None:
        """A heading that cannot be read: it is asked back, and so is what stands below it, down to the next one."""
        self.pen.question((heading.line,), heading.text, question(heading))
        self._astray = heading

    def _drop_rest(self, why: Unasked) -> None:
        for number, text in self._lines[self._at :]:
            self.pen.ignore(number, text, why if text.strip() else Unasked.BLANK)
        self._at = len(self._lines)

    def aim(self, match: Match) -> tuple[str, str, Around]:
        """(game, arguments, what is known) of a command: its first argument may name the game."""
        game, rest = self._heading.game or self._context.game, match.rest
        if not match.verb.names_game:
            word, _, after = rest.partition(" ")
            named = known_game(word.strip("[]:,"), self._around)
            if named and not (match.verb.name == "set" and find_setting(word)):
                return named, after.strip(), self._context.around(named)
            sealed = _SEALED.fullmatch(rest) if match.verb.name == "leave" else None
            if (behind := sealed or _BEHIND.fullmatch(rest)) and (named := self._named_behind(match, behind)):
                return named, behind["rest"].strip(), self._context.around(named)
        return game, rest, self._around

    def _named_behind(self, match: Match, behind: re.Match[str]) -> str:
        """ "claim Italy in tannenburg", "takeover ITALY@tannenburg": the game that is named last, in no prose."""
        prose = match.verb.body is not BodyRule.NONE or match.verb.name in ("set", "poll", "amend rule", "headline")
        return "" if prose else known_game(behind["game"], self._around)

    def _game_first(self, line: str) -> Match | None:
        """ "tannenburg: process S1901M" is `process tannenburg S1901M`."""
        word, _, rest = line.partition(" ")
        game = known_game(word.strip("[]:,"), self._around)
        match = find_verb(rest) if game else None
        if match is None or match.verb.body is not BodyRule.NONE:
            return None
        return replace(match, rest=f"{game} {match.rest}".strip())

    @property
    def _is_about_game(self) -> bool:
        """Whether the mail went to the address of a game in which its author has a seat."""
        seated = self._around.role in (Role.PLAYER, Role.GM)
        return seated and bool(self._context.game) and self._context.addressed

    def _follow(self, match: Match, clause: Clause, game: str) -> Reading:
        """What the verb reads, if it may be used here at all."""
        found = match.verb.read(clause)
        if isinstance(found, Unclear):
            return found
        if not may_use(match.verb, clause.around.role):
            return not_for_you(match.verb)
        if not game and not any(place.value == "judge" for place in match.verb.places):
            names = self._context.offered()
            lines = tuple(f"{match.word} {name} {match.rest}".strip() for name in names)
            return Unclear("which-game", f"Please say for which game: `{match.word} GAME`.", lines)
        return found

    def _write(
        self, numbers: Sequence[int], text: str, match: Match, found: Reading, game: str, notes: tuple[str, ...]
    ) -> None:
        if isinstance(found, Unclear):
            if match.verb.name in HEADING_VERBS:
                self._astray = Astray(numbers[0], text, HEADING_VERBS[match.verb.name])
                found = replace(found, sentence=f"{found.sentence} Nothing below it was done.")
            self._ask(numbers, text, found, match.verb.name)
            return self._drop_rest(Unasked.UNTRIED) if found.reason == NOTHING_TRIED else None
        if isinstance(found, Secret):
            self.pen.keep(found.value)
            return self.pen.ignore(numbers[0], text, Unasked.PASSWORD)
        if isinstance(found, Heading):
            if found.secret:
                self.pen.keep(found.secret)
            self.turn_to(
                game=found.game, power=found.power, turn=found.turn, replace_all=found.replace, amends=found.amends
            )
            if found.power or found.game:
                self._acting = match.verb.name == "order as"
            if (arrives := found.then or self._takes_over(found)) is not None:
                return self.pen.say(arrives, numbers, text, match.verb.name, game=found.game, notes=notes)
            return self.pen.ignore(numbers[0], text, Unasked.HEADING)
        if self._astray and self._stopped(self._astray, found):
            return self.pen.question(numbers, text, belongs_below(self._astray), match.verb.name)
        if isinstance(found, Clear):
            self.pen.close_orders()
        if isinstance(found, Wait):
            found = replace(found, turn=self._heading.turn)
        if isinstance(found, Create):
            self.turn_to(game=found.key)
            game = ""  # it is about no game that there is already
        if isinstance(found, JoinGame) and not self._context.game:
            self.turn_to(game=found.game)  # wishes may follow
            game = ""  # it names its own
        self.pen.say(found, numbers, text, match.verb.name, game=game, notes=notes)

    def _takes_over(self, heading: Heading) -> Claim | None:
        """Whoever has no seat in a game and signs on as a power that nobody plays there claims it."""
        vacant = self._context.vacant_in(heading.game) if heading.power and heading.game else ()
        return Claim(heading.power) if heading.power in vacant else None

    def _stopped(self, heading: Astray, found: Request) -> bool:
        """Whether a request below an unreadable heading must not be carried out. Questions may be, and below an
        unreadable phase also requests that depend on no phase, such as letters.
        """
        harmless = isinstance(found, Query) and found.once
        return not harmless and (heading.what is not What.TURN or not isinstance(found, _UNTIMED))

    def _ask(self, numbers: Sequence[int], text: str, unclear: Unclear, verb: str = "") -> None:
        """Ask a line back. Below an unreadable heading no lines are offered, since they would act for another game or
        turn.
        """
        self.pen.question(numbers, text, replace(unclear, candidates=()) if self._astray else unclear, verb)

    def _setting(self, number: int, text: str, line: str) -> bool:
        """NAME = VALUE from a Gamemaster is a setting, with or without `set`; so are several on one line, and one in
        plain words that is no command.
        """
        if self._around.role is not Role.GM:
            return False
        if self._settings(number, text, line):
            return True
        if not _EQUATION.match(line):
            return False
        found = read_assignment(line)
        if not isinstance(found, tuple) or is_question(line):
            return False
        if self._astray:
            self.pen.question((number,), text, belongs_below(self._astray), "set")
            return True
        block = wrapped_block(self._lines, self._at - 1, found[0])
        whole = read_assignment(f"{line} {block.body}") if block.body else found
        numbers = [number, *(other for other, _ in self._lines[self._at : block.after])]
        self._at = block.after
        if isinstance(whole, tuple):
            found = whole
        self.pen.say(ChangeSettings(*found), numbers, text, "set", game=self._heading.game or self._context.game)
        return True

    def _settings(self, number: int, text: str, line: str) -> bool:
        """ "private, moves 3d, zone Europe/Berlin", "victory 15"."""
        found = settings_in(line)
        match = find_verb(line)
        if (
            not found
            or is_question(line)
            or (len(found) == 1 and (_EQUATION.match(line) or _reads(match, self._around)))
        ):
            return False
        if match is not None and match.verb.name == "set" and len(found) == 1:
            return False
        if self._astray:
            self.pen.question((number,), text, belongs_below(self._astray), "set")
            return True
        game = self._heading.game or self._context.game
        for pair in found:
            self.pen.say(ChangeSettings(*pair), (number,), text, "set", game=game)
        return True

    def _heading_line(self, number: int, text: str, line: str) -> bool:
        heading = read_heading(line, self._around)
        heading = heading or self._pasted_tag(line)
        if heading is None:
            return self._lost_heading(number, text, line)
        self.turn_to(game=heading.game, power=heading.power, turn=heading.turn)
        self.pen.ignore(number, text, Unasked.HEADING)
        return True

    def _pasted_tag(self, line: str) -> Heading | None:
        """ "Re: [verdun] S1901 Moves: results", pasted into a mail for another game, with no order behind it."""
        game = tagged_game(line, self._around)
        if not game or game == (self._heading.game or self._context.game):
            return None
        return None if self._is_order(line.rpartition("]")[2].strip()) else Heading(game)

    def _lost_heading(self, number: int, text: str, line: str) -> bool:
        heading = astray(number, line, self._around)
        if heading is None:
            return False
        self.lose(replace(heading, text=text))
        return True

    def _lost_case(self, number: int, text: str, line: str) -> bool:
        """ "If Germany is in Belgium:" above orders, in no form that we know: they are not unconditional for that."""
        case = case_above(number, line) if self._around.role is Role.PLAYER else None
        if case is None:
            return False
        self.lose(replace(case, text=text))
        return True

    def _headed_orders(self, number: int, line: str, notes: tuple[str, ...]) -> bool:
        """ "for S1902: A Par - Bur": a heading for these orders alone."""
        found = split_heading(line, self._around)
        if found is None and (named := split_game(line, self._around))[0]:
            found = Heading(named[0]), named[1]
        if found is None:
            return self._lost_orders(number, line)
        before = self._heading, self._around, self._astray
        heading, orders = found
        self.turn_to(game=heading.game, power=heading.power, turn=heading.turn, replace_all=before[0].replace)
        ordered = self._is_order(orders)
        if ordered:
            self._order(number, orders, notes=notes)
        self._heading, self._around, self._astray = before
        return ordered

    def _lost_orders(self, number: int, line: str) -> bool:
        """ "for next year: A Par - Bur": a heading that cannot be read, for these orders alone."""
        before, colon, orders = line.partition(":")
        heading = astray(number, before + colon, self._around) if colon and self._is_order(orders.strip()) else None
        if heading is None:
            return False
        self.pen.question((number,), line, question(heading))
        return True

    def _is_order(self, line: str) -> bool:
        return is_order(line, self._around.board)

    def _is_for_now(self) -> bool:
        """Whether the lines are a player's, for the phase that is played."""
        return self._around.role is Role.PLAYER and not self._heading.turn and not self._heading.amends

    def _order(self, number: int, text: str, *, notes: tuple[str, ...], doubt: Doubt | None = None) -> None:
        here = self._heading.game in ("", self._context.game)
        if is_question(text) and not self._astray:
            return self.pen.question((number,), text, about_order(text.strip()))
        if self._astray:
            order = text.strip() if here and self._context.game else ""
            unclear = belongs_below(self._astray, order)
            if not order or self._astray.what not in (What.TURN, What.CASE) or not self._is_for_now():
                return self.pen.question((number,), text, unclear)
            doubt = Doubt(unclear.reason, unclear.sentence, unclear.candidates)
        self.pen.order(
            number,
            text,
            game=self._heading.game or self._context.game,
            power=self._heading.power,
            turn=self._heading.turn or (self._context.turn if here else ""),
            replace=self._heading.replace,
            amends=self._heading.amends,
            notes=notes,
            doubt=doubt,
        )
        if self._heading.replace:
            self._heading = replace(self._heading, replace=False)
