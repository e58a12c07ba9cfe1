"""Goes through what the author typed, line by line, and hands each line to the first reader that knows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from judge.game.commands import Change, Clear, Create, End, Extend, Leave, Note, Press, Role, Vacate
from judge.game.deciding import TakePreset
from judge.game.diaries import Diary
from judge.game.epilogue import Statement
from judge.game.rulings import Disqualify, Reveal
from judge.game.settings import find_setting
from judge.mail.queries import DropAddress, ForgetMe, Help, History, ListGames, Ratings, Request, Status
from judge.mail.script.asking import about_order, asks_about, is_question, sentence_about
from judge.mail.script.astray import Astray, What, astray, belongs_below, question
from judge.mail.script.blocks import Block, Typed, condition_block, orders_block, settings_block
from judge.mail.script.doubtful import doubtful_order, near_miss, out_of_place
from judge.mail.script.forms import Form, Printed, is_report_end, is_report_title, is_unfilled
from judge.mail.script.headings import read_heading, split_heading
from judge.mail.script.letter import body_of, ends_in_orders
from judge.mail.script.lines import is_comment, is_courtesy, is_order, is_stop, plain_line
from judge.mail.script.model import ScriptContext, Why
from judge.mail.script.pen import Pen
from judge.mail.script.plainwords import more_time
from judge.mail.vocabulary import (
    BY_NAME,
    Around,
    Body,
    Clause,
    Heading,
    Match,
    Reading,
    Secret,
    Unclear,
    find_abbreviated,
    find_verb,
    may_use,
)
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.gmdesk import NOTHING_TRIED
from judge.mail.vocabulary.powers import is_power_word
from judge.mail.vocabulary.settings_text import read_assignment

_MOST_FAILURES = 5
_MOST_GUESSES = 50
"""Unknown lines of a mail for which we look for what may have been meant."""

_HEADING_VERBS = {"sign on": What.GAME, "order as": What.POWER}
"""Verbs that say for what the lines below are; one that cannot be read stops them."""

_HARMLESS = (Help, History, ListGames, Ratings, Status)
_UNTIMED = (Press, Note, Diary, Statement)

_WRITTEN_OUT = (Change, TakePreset, End, Leave, Vacate, Disqualify, ForgetMe, DropAddress, Reveal)
"""What an answer by number never does by itself."""

_LONGEST_COMMAND = 400
_PROSE = 8
"""A line of so many words that begins with a verb and makes no sense as a command is chatter."""

_UNIT_FIRST = re.compile(r"[AaFf] +[A-Za-z]{3}")
_CHOICE = re.compile(r"^(?:choice|option|answer|number)?\s*[#(]?(\d{1,2})[.)]?$", re.IGNORECASE)
_ROW = re.compile(r"^\s{0,3}([A-Za-z][\w.-]{2,20}(?: [\w.-]{2,20})?):?\s{2,}\S")
_EQUATION = re.compile(r"^[A-Za-z][\w -]{0,40}=")
_BEHIND = re.compile(r"(?P<rest>.*?)(?:\s*@|(?:^|\s)(?:in|of|for|from)\s+(?:the\s+)?(?:game\s+)?)(?P<game>[\w-]+)[.!]?")
_CONTINUED = 20
_UNSURE = frozenset(
    (
        *("too-much", "incomplete", "bad-name", "no-such-game", "no-such-power", "no-such-setting", "no-recipients"),
        *("no-phase", "no-power", "no-ballot", "no-span", "no-date", "no-proof", "no-zone", "no-password"),
    )
)
"""Reasons for which a long line is rather prose than a bad command."""


class Walk:
    """One passage through a mail. What headings say holds until the next heading."""

    def __init__(self, pen: Pen, context: ScriptContext, form: Form) -> None:
        self.pen = pen
        self._context = context
        self._form = form
        self._heading = Heading()
        self._around = context.around()
        self._lines: Sequence[Typed] = ()
        self._at = 0
        self._row = ""
        """The power whose rows of a pasted list of results these are."""
        self._wide = False
        self._astray: Astray | None = None
        """The heading that could not be read, for which the lines are that come now."""
        self._unknown_lines = 0
        self._time_asked = False

    # -- going through ------------------------------------------------------------------------------------------------

    def turn_to(self, *, game: str = "", power: str = "", turn: str = "", replace_all: bool = False) -> None:
        """A heading: what it does not say stays, unless it turns to another game."""
        before = Heading() if game and game != (self._heading.game or self._context.game) else self._heading
        self._heading = Heading(game or before.game, power or before.power, turn or before.turn, replace=replace_all)
        self._around = self._context.around(self._heading.game)
        named = {What.GAME: game, What.POWER: game or power, What.TURN: game or turn}
        self._astray = None if self._astray and named[self._astray.what] else self._astray

    def lose(self, heading: Astray) -> None:
        """A heading that cannot be read: it is asked back, and so is what stands below it, down to the next one."""
        self.pen.question((heading.line,), heading.text, question(heading))
        self._astray = heading

    def read(self, lines: Sequence[Typed]) -> None:
        """All lines, each accounted for once."""
        self._lines = lines
        while self._at < len(lines):
            number, text = lines[self._at]
            self._at += 1
            if is_stop(text):
                self._stop(number, text)
            elif is_report_title(text):
                self.pen.ignore(number, text, Why.REPORT)
                self._read_report()
            else:
                self._read_line(number, text)
                if self.pen.failures >= _MOST_FAILURES:
                    self._drop_rest(Why.AFTER_FAILURES)

    def _drop_rest(self, why: Why) -> None:
        for number, text in self._lines[self._at :]:
            self.pen.ignore(number, text, why if text.strip() else Why.BLANK)
        self._at = len(self._lines)

    def _stop(self, number: int, text: str) -> None:
        """Nothing is read below; but `end` as a Gamemaster's first word may mean the game, and is asked back."""
        first = not any(line.strip() for _, line in self._lines[: self._at - 1])
        if first and self._context.role is Role.GM and text.strip().lower().rstrip(".!") == "end":
            sentence = "`end` alone ends what I read of a mail. To close the game, write `end game`."
            return self.pen.question((number,), text, Unclear("two-readings", sentence, ("end game",)), "end")
        self.pen.ignore(number, text, Why.STOP)
        self._drop_rest(Why.AFTER_STOP)

    def _read_report(self) -> None:
        """A report sent back whole changes nothing, except where its order form was filled in."""
        printed = Printed(inside=True)
        while self._at < len(self._lines):
            number, text = self._lines[self._at]
            self._at += 1
            if not printed(text) and (order := self._form.edited(text)):
                self._order(number, order, notes=("form",))
            else:
                self.pen.ignore(number, text, Why.REPORT if text.strip() else Why.BLANK)
            if is_report_end(text):
                return

    # -- one line -----------------------------------------------------------------------------------------------------

    def _read_line(self, number: int, text: str) -> None:
        if not text.strip():
            return self.pen.ignore(number, text, Why.BLANK)
        if is_comment(text):
            return self.pen.ignore(number, text, Why.COMMENT)
        if is_unfilled(text):
            return self.pen.ignore(number, text, Why.FORM)
        line, notes = plain_line(text), ("form",) if number in self.pen.edited else ()
        if match := _CHOICE.match(" ".join(text.split()).rstrip(".!,")):
            return self._choose(number, text, int(match[1]))
        if self._belongs_to_others(text):
            return self.pen.ignore(number, text, Why.OTHERS)
        self._read_words(number, text, line, notes)

    def _read_words(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> None:
        if _UNIT_FIRST.match(line) and self._is_order(line):
            return self._order(number, text, notes=notes)  # by far the most lines are these: no verb begins so
        if self._setting(number, text, line) or self._condition(line):
            return
        if self._asks_for_time(number, text, line, notes):
            return
        if self._is_title(line):
            return self.pen.ignore(number, text, Why.CHATTER)
        match = self._verb_of(line)
        if match and self._command(number, text, match, notes):
            return
        if self._heading_line(number, text, line) or self._headed_orders(number, line, notes):
            return
        if self._is_order(line):
            return self._order(number, text, notes=notes)
        short = find_abbreviated(line, self._around.role)
        if short and self._command(number, text, short, (*notes, "abbreviated"), only_good=True):
            return
        self._unknown(number, text, line)

    def _condition(self, line: str) -> bool:
        """A condition over several lines, down to its ENDIF: all of it is orders, whatever it looks like."""
        block = condition_block(self._lines[self._at - 1 :]) if line[:2].lower() == "if" and self._around.board else ()
        for number, text in block:
            self._order(number, text, notes=()) if text else self.pen.ignore(number, text, Why.BLANK)
        self._at += max(0, len(block) - 1)
        return bool(block)

    def _verb_of(self, line: str) -> Match | None:
        """The verb that a line begins with; only prose may be long, and some words yield to orders."""
        match = find_verb(line) or self._game_first(line)
        if match is None or (len(line) > _LONGEST_COMMAND and match.verb.body is not Body.TEXT):
            return None
        return None if match.verb.after_orders and self._is_order(line) else match

    def _asks_for_time(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> bool:
        """An extension in plain words, once in a mail: who asks twice in one letter means one."""
        asked = more_time(line) if self._around.role is Role.PLAYER else None
        if asked is None:
            return False
        if self._time_asked:
            self.pen.ignore(number, text, Why.CHATTER)
            return True
        self._time_asked = True
        match = Match(BY_NAME["extend"], "extension", "")
        self._write((number,), text, match, Extend(*asked), self._heading.game or self._context.game, notes)
        return True

    def _is_title(self, line: str) -> bool:
        """ "Summary:", and "Summary" above orders, are what people write over them."""
        if line.lower().rstrip(" :.") != "summary":
            return False
        below = next((text for _, text in self._lines[self._at :] if text.strip()), "")
        return line.endswith(":") or self._is_order(plain_line(below))

    def _choose(self, number: int, text: str, choice: int) -> None:
        """An answer by number is the line that it stands for."""
        if 1 <= choice <= len(self._context.choices):
            line = self._context.choices[choice - 1]
            if grave := self._by_number(line):
                return self.pen.question((number,), text, grave)
            return self._read_words(number, line, plain_line(line), ("choice",))
        if not self._context.choices:
            return self.pen.ignore(number, text, Why.CHATTER)
        most = len(self._context.choices)
        self.pen.question(
            (number,), text, Unclear("no-such-choice", f"There are answers 1 to {most}, and no {choice}.")
        )

    def _by_number(self, line: str) -> Unclear | None:
        """An answer by number that changes the rules, ends the game or gives a seat up is asked for once more."""
        match = find_verb(line)
        if match is None:
            return None
        _, rest, around = self.aim(match)
        if not isinstance(match.verb.read(Clause(match.word, rest, around)), _WRITTEN_OUT):
            return None
        return Unclear("by-number", f"That is more than a number should do. To do it, write it out: `{line}`")

    def _belongs_to_others(self, text: str) -> bool:
        """Rows of other powers in a pasted list of results, and what runs on from their outcome columns."""
        indent = len(text) - len(text.lstrip())
        if self._wide and indent >= _CONTINUED:
            return True
        board, match = self._around.board, _ROW.match(text)
        if board and match and (power := is_power_word(match[1], board)):
            self._row = power
        elif indent < 4:
            self._row = ""
        self._wide = bool(self._row) and "  " in text.strip()
        return bool(self._row and self._around.powers and self._row not in self._around.powers)

    # -- commands -----------------------------------------------------------------------------------------------------

    def aim(self, match: Match) -> tuple[str, str, Around]:
        """(game, arguments, what is known) of a command: its first argument may name the game."""
        game, rest = self._heading.game or self._context.game, match.rest
        if not match.verb.names_game:
            word, _, after = rest.partition(" ")
            named = known_game(word.strip("[]:,"), self._around)
            if named and not (match.verb.name == "set" and find_setting(word)):
                return named, after.strip(), self._context.around(named)
            if (behind := _BEHIND.fullmatch(rest)) and (named := self._named_behind(match, behind)):
                return named, behind["rest"].strip(), self._context.around(named)
        return game, rest, self._around

    def _named_behind(self, match: Match, behind: re.Match[str]) -> str:
        """ "claim Italy in tannenburg", "takeover ITALY@tannenburg": the game that is named last, in no prose."""
        prose = match.verb.body is not Body.NONE or match.verb.name in ("set", "poll", "amend rule", "headline")
        return "" if prose else known_game(behind["game"], self._around)

    def _game_first(self, line: str) -> Match | None:
        """ "tannenburg: process S1901M" is `process tannenburg S1901M`."""
        word, _, rest = line.partition(" ")
        game = known_game(word.strip("[]:,"), self._around)
        match = find_verb(rest) if game else None
        if match is None or match.verb.body is not Body.NONE:
            return None
        return replace(match, rest=f"{game} {match.rest}".strip())

    def _command(
        self, number: int, text: str, match: Match, notes: tuple[str, ...], *, only_good: bool = False
    ) -> bool:
        """Whether the line was a command. A bad one is asked back, unless it is prose, or `only_good` ones count."""
        game, rest, around = self.aim(match)
        if is_question(text) and (asked := asks_about(match, Clause(match.word, rest, around))):
            return self._answer_question(number, text, asked, match.verb.name)
        if match.verb.body is Body.TEXT:
            return not only_good and self._letter(number, text, replace(match, rest=rest), (game, around))
        numbers, block = [number], Block("", self._at)
        wrong: list[tuple[int, str, Unclear]] = []
        if match.verb.body is Body.SETTINGS:
            block, wrong = settings_block(self._lines, self._at)
            numbers += [
                line for line, _ in self._lines[self._at : block.after] if line not in {one[0] for one in wrong}
            ]
        if match.verb.body is Body.ORDERS:
            block = orders_block(self._lines, self._at, match.verb.ends, stops=self._is_command)
            numbers += [line for line, _ in self._lines[self._at : block.after]]
        found = self._follow(match, Clause(match.word, rest, around, self.pen.clean(block.body)), game)
        if isinstance(found, Unclear) and (only_good or self._is_prose(text, found) or self._is_remark(match, found)):
            return False
        self._at = block.after
        self._write(numbers, text, match, found, game, notes)
        for line, written, unclear in wrong:
            self.pen.question((line,), written, unclear, "set")
        return True

    def _answer_question(self, number: int, text: str, asked: Unclear, verb: str) -> bool:
        if len(text.split()) >= _PROSE:
            return False  # "Draw or not, who cares about that any more?" is chatter
        self.pen.question((number,), text, asked, verb)
        return True

    def _follow(self, match: Match, clause: Clause, game: str) -> Reading:
        """What the verb reads, if it may be used here at all."""
        found = match.verb.read(clause)
        if isinstance(found, Unclear):
            return found
        if not may_use(match.verb, clause.around.role):
            who = "the Gamemaster" if Role.GM in match.verb.roles else "players"
            return Unclear("not-for-you", f"Only {who} may write `{match.verb.name}`.", ("help",))
        if not game and not any(place.value == "judge" for place in match.verb.places):
            names = tuple(islice(self._context.games, 3))
            lines = tuple(f"{match.word} {name} {match.rest}".strip() for name in names)
            return Unclear("which-game", f"Please say for which game: `{match.word} GAME`.", lines)
        return found

    def _write(
        self, numbers: Sequence[int], text: str, match: Match, found: Reading, game: str, notes: tuple[str, ...]
    ) -> None:
        if isinstance(found, Unclear):
            if match.verb.name in _HEADING_VERBS:
                self._astray = Astray(numbers[0], text, _HEADING_VERBS[match.verb.name])
                found = replace(found, sentence=f"{found.sentence} Nothing below it was done.")
            self._ask(numbers, text, found, match.verb.name)
            return self._drop_rest(Why.UNTRIED) if found.reason == NOTHING_TRIED else None
        if isinstance(found, Secret):
            self.pen.keep(found.value)
            return self.pen.ignore(numbers[0], text, Why.PASSWORD)
        if isinstance(found, Heading):
            if found.secret:
                self.pen.keep(found.secret)
            self.turn_to(game=found.game, power=found.power, turn=found.turn, replace_all=found.replace)
            return self.pen.ignore(numbers[0], text, Why.HEADING)
        if self._astray and self._stopped(self._astray, found):
            return self.pen.question(numbers, text, belongs_below(self._astray), match.verb.name)
        if isinstance(found, Clear):
            self.pen.close_orders()
        if isinstance(found, Create):
            self.turn_to(game=found.key)
        self.pen.say(found, numbers, text, match.verb.name, game=game, notes=notes)

    def _stopped(self, heading: Astray, found: Request) -> bool:
        """Whether a request below a lost heading is not done. Letters need no phase, and questions do no harm."""
        return not isinstance(found, _HARMLESS) and (heading.what is not What.TURN or not isinstance(found, _UNTIMED))

    def _ask(self, numbers: Sequence[int], text: str, unclear: Unclear, verb: str = "") -> None:
        """What is asked back below a lost heading offers nothing: it would be done for another game or turn."""
        self.pen.question(numbers, text, replace(unclear, candidates=()) if self._astray else unclear, verb)

    def _is_command(self, text: str) -> bool:
        """Whether a line below orders that are not given is a command of its own."""
        line = plain_line(text)
        return find_verb(line) is not None and not self._is_order(line)

    def _is_prose(self, text: str, found: Unclear) -> bool:
        return found.reason in _UNSURE and len(text.split()) >= _PROSE and not text.rstrip().endswith(":")

    def _is_remark(self, match: Match, found: Unclear) -> bool:
        """ "Orders as discussed" from a player: no power, nor anything like one, is named. "No, wait": no answer."""
        player = self._around.role is not Role.GM
        return match.verb.name == "no" or (player and match.word in ("orders as", "order for") and not found.candidates)

    # -- press and notes ----------------------------------------------------------------------------------------------

    def _letter(self, number: int, text: str, match: Match, where: tuple[str, Around]) -> bool:
        """Press or a note: the line, and the text that belongs to it."""
        game, around = where
        trial = match.verb.read(Clause(match.word, match.rest, around, "text"))
        if isinstance(trial, Unclear) and (
            self._is_prose(text, trial) or (trial.reason == "no-recipients" and match.rest)
        ):
            return self._short_of_recipients(number, text, match, trial)
        block = body_of(match, self._lines, self._at, around, sure=not isinstance(trial, Unclear))
        numbers = [number, *(line for line, _ in self._lines[self._at : block.after])]
        found = self._follow(match, Clause(match.word, match.rest, around, self.pen.clean(block.body)), game)
        if isinstance(found, Press) and not block.closed and ends_in_orders(block, around, self._context.position):
            found = Unclear(
                "orders-in-press",
                "The press ends in what look like your orders; nothing was sent and nothing ordered. "
                "Write ENDPRESS between the press and the orders, or after them if they belong to it.",
            )
        if isinstance(found, Press) and self._heading.power and around.role is Role.GM:
            found = Unclear(
                "from-whom",
                "Below `order as` press would still come from you, the Gamemaster; nothing was sent. Write it above "
                "that line, in your own name.",
            )
        self._at = block.after
        self._write(numbers, text, match, found, game, ())
        return True

    def _short_of_recipients(self, number: int, text: str, match: Match, trial: Unclear) -> bool:
        """ "press hello" is asked back; "Press on, everyone, and we shall win the day" is chatter."""
        if self._is_prose(text, trial):
            return False
        self.pen.question((number,), text, trial, match.verb.name)
        return True

    # -- other lines --------------------------------------------------------------------------------------------------

    def _setting(self, number: int, text: str, line: str) -> bool:
        """NAME = VALUE from a Gamemaster is a setting, with or without `set`."""
        if self._around.role is not Role.GM or not _EQUATION.match(line):
            return False
        found = read_assignment(line)
        if not isinstance(found, tuple) or is_question(line):
            return False
        if self._astray:
            self.pen.question((number,), text, belongs_below(self._astray), "set")
            return True
        self.pen.say(Change(*found), (number,), text, "set", game=self._heading.game or self._context.game)
        return True

    def _heading_line(self, number: int, text: str, line: str) -> bool:
        heading = read_heading(line, self._around)
        if heading is None:
            return self._lost_heading(number, text, line)
        self.turn_to(game=heading.game, power=heading.power, turn=heading.turn)
        self.pen.ignore(number, text, Why.HEADING)
        return True

    def _lost_heading(self, number: int, text: str, line: str) -> bool:
        heading = astray(number, line, self._around)
        if heading is None:
            return False
        self.lose(replace(heading, text=text))
        return True

    def _headed_orders(self, number: int, line: str, notes: tuple[str, ...]) -> bool:
        """ "for S1902: A Par - Bur": a heading for these orders alone."""
        found = split_heading(line, self._around)
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

    def _order(self, number: int, text: str, *, notes: tuple[str, ...]) -> None:
        here = self._heading.game in ("", self._context.game)
        if is_question(text) and not self._astray:
            return self.pen.question((number,), text, about_order(text.strip()))
        if self._astray:
            order = text.strip() if here and self._context.game else ""
            return self.pen.question((number,), text, belongs_below(self._astray, order))
        self.pen.order(
            number,
            text,
            game=self._heading.game or self._context.game,
            power=self._heading.power,
            turn=self._heading.turn or (self._context.turn if here else ""),
            replace=self._heading.replace,
            notes=notes,
        )
        if self._heading.replace:
            self._heading = replace(self._heading, replace=False)

    def _unknown(self, number: int, text: str, line: str) -> None:
        """Nothing that is followed: courtesy, a near miss that is asked back, or chatter."""
        if is_courtesy(line):
            return self.pen.ignore(number, text, Why.COURTESY)
        self._unknown_lines += 1
        if self._unknown_lines <= _MOST_GUESSES and (unclear := self._doubt(line)):
            self.pen.failures += not self._around.game
            return self._ask((number,), text, unclear)
        if self._around.game or self._around.board:
            return self.pen.ignore(number, text, Why.CHATTER)
        self.pen.failures += 1
        self.pen.question((number,), text, out_of_place(line, self._context.games))

    def _doubt(self, line: str) -> Unclear | None:
        """What to ask of a line that is neither a command nor an order, but was hardly chatter."""
        here = self._context.position if self._around.game == self._context.game else None
        if is_question(line):
            return sentence_about(line)
        return near_miss(line, self._around, self.aim) or doubtful_order(line, self._around, here)
