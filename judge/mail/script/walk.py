"""Goes through what the author typed, line by line, and hands each line to the first reader that knows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.game.core.commands import Extend, Role
from judge.game.filing.deeds import Do
from judge.mail.script.ballots import Voting
from judge.mail.script.bidding import is_idiom, not_known, sentence_about
from judge.mail.script.blocks import condition_block, in_one_line
from judge.mail.script.copies import (
    Copies,
    Form,
    PastedResults,
    has_blanks,
    is_report_title,
    is_unfilled,
    without_blanks,
)
from judge.mail.script.doubtful import doubtful_order, near_miss, out_of_place, takes_back, within_a_sentence
from judge.mail.script.headings import belongs_below
from judge.mail.script.inwords import asks_help, for_a_power
from judge.mail.script.lines import Typed, is_comment, is_courtesy, is_question, is_stop, plain_line, signatures
from judge.mail.script.mixed import courtesies_apart, pieces_of, sentences_of
from judge.mail.script.model import Ignored, ScriptContext, Unasked
from judge.mail.script.ownwords import (
    named_near,
    order_without_unit,
    perhaps_orders,
    question_in,
    sentences,
    wish_by_its_ideas,
    without_its_unit,
)
from judge.mail.script.pen import Pen
from judge.mail.script.plainwords import asks_for_own_orders, more_time, near_more_time
from judge.mail.script.rewritten import by_their_powers, chosen
from judge.mail.script.speaking import Speaking
from judge.mail.vocabulary import BY_NAME, BodyRule, Clause, Match, Unclear, find_abbreviated, find_verb
from judge.mail.vocabulary.clauses import no_more
from judge.mail.vocabulary.older import here_for
from judge.rules.business import begun
from judge.rules.questions import NO_BUSINESS

_MOST_FAILURES = 5
_MOST_GUESSES = 50
"""Unknown lines of a mail for which we look for what may have been meant."""

_SET_OFF = re.compile(r"(?P<mark>[=*~#_-])(?P=mark)+ *[^=*~#]{2,60}? *(?P=mark){2,}:?")
""" "==== Summary ====": what a program or a person puts above something."""
_UNIT_FIRST = re.compile(r"[AaFf] +[A-Za-z]{2}")
_ASKS = re.compile(r"(?:please |hi |hello )?(?:who|what|when|where|which|how|is|are|can|may)\b", re.IGNORECASE)
_OTHERWISE = ("else", "otherwise")
_BUT = re.compile(
    r"[\s,;:.–—-]*(?:but|except(?:ing)?|save|only|with|and|apart from|other than)\b"
    r"(?: (?:for|that|with|this|now))?[\s,:]+"
    r"(?P<order>.+?)(?:,? instead| this time)?[.!]*",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"^(?:choice|option|answer|number)?\s*[#(]?(\d{1,2})[.)]?$", re.IGNORECASE)


class LineToRead(NamedTuple):
    """What one reader is asked about: a line, a sentence of it, or what either comes to in our words.

    `number` and `text`: of the line, as it was typed. `line`: what is read. `notes`: what was done to it before.
    """

    number: int
    text: str
    line: str
    notes: tuple[str, ...]


class Walk(Speaking):
    """One passage through a mail."""

    def __init__(self, pen: Pen, context: ScriptContext, form: Form) -> None:
        super().__init__(pen, context, form)
        self._pasted = PastedResults()
        self._unknown_lines = 0
        self._time_asked = False
        self._signed: frozenset[int] = frozenset()

    # -- going through ------------------------------------------------------------------------------------------------

    def read(self, lines: Sequence[Typed]) -> None:
        """All lines, each accounted for once."""
        self._lines = lines
        self._copies = Copies(lines)
        self._voting = Voting(self._context, (text for _, text in lines))
        self._signed = signatures(lines)
        while self._at < len(lines):
            number, text = lines[self._at]
            self._at += 1
            if self._registration(number, text):
                continue
            if is_stop(text):
                self._stop(number, text)
            elif is_report_title(text):
                self.pen.ignore(number, text, Unasked.REPORT)
                self._read_report()
            elif not self._copied():
                self._read_line(number, text)
                if self.pen.failures >= _MOST_FAILURES:
                    self._drop_rest(Unasked.AFTER_FAILURES)

    # -- one line -----------------------------------------------------------------------------------------------------

    def _read_line(self, number: int, text: str) -> None:
        if not text.strip():
            return self.pen.ignore(number, text, Unasked.BLANK)
        if is_comment(text):
            return self.pen.ignore(number, text, Unasked.COMMENT)
        if is_unfilled(text):
            return self.pen.ignore(number, text, Unasked.FORM)
        if has_blanks(text) and self._is_order(plain_line(filled := without_blanks(text))):
            text = filled
        line, notes = plain_line(text), ("form",) if number in self.pen.edited else ()
        if match := _CHOICE.match(" ".join(text.split()).rstrip(".!,")):
            return self._choose(number, text, int(match[1]))
        if self._pasted.is_of_others(text, self._around):
            return self.pen.ignore(number, text, Unasked.OTHERS)
        self._read_words(number, text, line, notes)

    def _read_words(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> None:
        """One sentence, or what a line comes to in our words, for the first reader that knows it."""
        one = LineToRead(number, text, line, notes)
        at = self.pen.readers_of(number)
        for name, reads in READERS:
            if reads(self, one):
                return self.pen.read_by(number, at, name)

    def _sentence_by_sentence(self, one: LineToRead) -> bool:
        pieces = None if self._astray else pieces_of(one.line, self._around, self._here)
        pieces = pieces if pieces is not None else courtesies_apart(one.line) or self._heard_apart(one.line) or None
        if pieces is None:
            return False
        self._piecewise(one.number, one.text, pieces, one.notes)
        return True

    def _of_a_unit(self, one: LineToRead) -> bool:
        """By far the most lines are these: no verb begins so."""
        return _UNIT_FIRST.match(one.line) is not None and self._as_order(one)

    def _as_order(self, one: LineToRead) -> bool:
        if not self._is_order(one.line):
            return False
        self._order(one.number, one.text, notes=one.notes)
        return True

    def _for_own_power(self, one: LineToRead) -> bool:
        own = self._behind_own_power(one.line)
        if own:
            self._read_words(one.number, one.text, own, one.notes)
        return bool(own)

    def _idiom(self, one: LineToRead) -> bool:
        return is_idiom(one.line) and self._wish(one.line) is None and self._passed_over(one)

    def _passed_over(self, one: LineToRead) -> bool:
        self.pen.ignore(one.number, one.text, Unasked.CHATTER)
        return True

    def _question(self, one: LineToRead) -> bool:
        """A question in plain words, with what stands beside it."""
        if not self._asks_ours(one.line):
            return False
        self._order_among(one.number, one.text, one.line)
        self._in_own_words(one.number, one.text, one.line)
        return True

    def _cry_for_help(self, one: LineToRead) -> bool:
        line = one.line
        if not (self._may_guess and asks_help(line)) or asks_for_own_orders(line):
            return False
        helped = Match(BY_NAME["help"], "help", line)
        found = helped.verb.read(Clause("help", line, self._around))
        self._answered.append(Ignored(one.number, one.text, Unasked.CHATTER))
        self._order_among(one.number, one.text, " ".join(part for part in sentences_of(line) if not asks_help(part)))
        self._write((one.number,), one.text, helped, found, self._around.game, one.notes)
        return True

    def _own_orders(self, one: LineToRead) -> bool:
        """A player's "What have I ordered so far"."""
        if self._around.role is not Role.PLAYER or self._is_order(one.line) or not asks_for_own_orders(one.line):
            return False
        shown = Match(BY_NAME["orders"], "orders", "")
        asked = shown.verb.read(Clause("orders", "", self._around))
        self._write((one.number,), one.text, shown, asked, self._heading.game or self._context.game, one.notes)
        return True

    def _title(self, one: LineToRead) -> bool:
        return self._is_title(one.line) and self._passed_over(one)

    def _wish_as_question(self, one: LineToRead) -> bool:
        wish = self._wish(one.line) if is_question(one.line) and self._may_guess else None
        if wish is not None:
            self._ask_back(one.number, one.text, wish)
        return wish is not None

    def _by_verb(self, one: LineToRead) -> bool:
        match = self._verb_of(one.line)
        if match is None:
            return False
        if self._commands_units(match):
            self._ask_back(one.number, one.text, without_its_unit(match.word))
            return True
        return self._command(one.number, one.text, match, one.notes)

    def _by_heading(self, one: LineToRead) -> bool:
        number, text, line, notes = one
        return self._heading_line(number, text, line) or self._headed_orders(number, line, notes)

    def _order_at_last(self, one: LineToRead) -> bool:
        return self._is_order(one.line) and not self._asks_plainly(one.line) and self._as_order(one)

    def _by_short_verb(self, one: LineToRead) -> bool:
        short = None if _SET_OFF.fullmatch(one.line) else find_abbreviated(one.line, self._around.role)
        if short is None:
            return False
        return self._command(one.number, one.text, short, (*one.notes, "abbreviated"), only_good=True)

    def _behind_own_power(self, line: str) -> str:
        """ "France: same again" from France: what stands behind the name, where it is a command as it stands."""
        word, colon, rest = line.partition(":")
        board = self._around.board
        if not colon or board is None or self._around.role is not Role.PLAYER or not rest.strip():
            return ""
        found = gazetteer_of(board).power(word.strip())
        match = find_verb(rest.strip()) if len(found) == 1 and found[0] in self._around.powers else None
        if match is None or match.verb.body is not BodyRule.NONE or self._is_order(rest.strip()):
            return ""
        read = match.verb.read(Clause(match.word, match.rest, self._around))
        return "" if isinstance(read, Unclear) else rest.strip()

    def _for_a_player(self, one: LineToRead) -> bool:
        """ "Concede to Anna": the power that Anna plays is meant, which the answer shows."""
        number, text, line, notes = one
        match = None if self._astray or is_question(line) else find_verb(line)
        if match is None:
            return False
        players_of = partial(self._context.players_of, self._around.game)
        found = by_their_powers(line, match, self._around, players_of)
        if found is None or here_for(line) is not None:
            return False
        if isinstance(found, Unclear):
            self.pen.question((number,), text, found, match.verb.name)
            return True
        begun = self.pen.written
        self._read_words(number, text, found, notes)
        self.pen.explain(begun, f"Here that is `{found}`.")
        return True

    def _repeated_but(self, one: LineToRead) -> bool:
        """ "Same again, but A Par - Pic instead": the orders of the last turn, and this one in place of its unit's."""
        number, text, line, notes = one
        match = find_verb(line)
        if match is None or match.verb.name != "same again" or self._astray or is_question(line):
            return False
        but = _BUT.fullmatch(match.rest)
        if but is None or not self._is_order(but["order"]):
            return False
        self._read_words(number, text, "same again", notes)
        self._order(number, but["order"], notes=notes)
        return True

    def _asks_ours(self, line: str) -> bool:
        """Whether a sentence of a line is a question of ours, and none of it a wish."""
        if self._astray or not ("?" in line or _ASKS.match(line)):
            return False
        return any(question_in(one, self._around) for one in sentences(line)) and self._wish(line) is None

    def _asks_plainly(self, line: str) -> bool:
        """Whether a line that might be an order is a wish of some other kind: "Scrap all my orders", and from a
        Gamemaster who orders for nobody "Put the Italian army back to Rome".
        """
        if not self._may_guess:
            return False
        if self._around.role is Role.GM and not self._acting:
            return wish_by_its_ideas(line, self._around) is not None
        return self._around.role is Role.PLAYER and self._wish(line) is not None

    def _ballot(self, one: LineToRead) -> bool:
        """A yes or a no to a vote; in another game's part of the mail it is none."""
        number, text, line, notes = one
        if self._astray or self._heading.game not in ("", self._context.game):
            return False
        found = self._voting.read(line)
        if found is None:
            return False
        verb = "vote" if isinstance(found, Unclear) else "aye" if found.aye else "nay"
        self._write((number,), text, Match(BY_NAME[verb], verb, ""), found, self._context.game, notes)
        return True

    def _older(self, one: LineToRead) -> bool:
        """A line in the words of an older judge: read as our own, which the answer shows, or answered by what there
        is instead.
        """
        number, text, line, notes = one
        old = here_for(line)
        if old is None:
            return False
        shown = f"Here that is {old.shown}." if old.lines else ""
        if not old.read:
            self._ask((number,), text, Unclear("older-word", f"{old.said} {shown}".strip(), old.lines))
            return True
        for ours in old.lines:
            begun = self.pen.written
            self._read_words(number, text, ours, notes)
            self.pen.explain(begun, f"Here that is `{ours}`. {old.said}".strip())
        return True

    def _deed(self, one: LineToRead) -> bool:
        """A line whose first word is business of the game's own (`judge.rules.business`)."""
        number, text, line, notes = one
        game = self._heading.game or self._context.game
        known = self._context.business_of(game) if game and self._around.role is Role.PLAYER else NO_BUSINESS
        found = begun(line, known) if known else None
        if found is None or is_question(text):
            return False
        word, rest = found
        below = self._branches_below() if word.startswith("if ") else ()
        numbers = (number, *(each for each, _ in below))
        rest = in_one_line(rest, [each for _, each in below]) if below else rest
        deed = Do(word, rest.strip().rstrip(".!"), self._heading.power)
        if self._astray:
            self.pen.question(numbers, text, belongs_below(self._astray), word)
        else:
            self.pen.say(deed, numbers, text, word, game=game, notes=notes)
        return True

    def _branches_below(self) -> tuple[Typed, ...]:
        """The lines below one with a condition that belong to it: down to ENDIF, or those that begin with "else"."""
        block = condition_block(self._lines[self._at - 1 :])[1:]
        if not block:
            rest = ((number, plain_line(text)) for number, text in self._lines[self._at :])
            block = list(takewhile(lambda each: each[1].lower().startswith(_OTHERWISE), rest))
        self._at += len(block)
        return tuple((number, text) for number, text in block if text)

    def _condition(self, one: LineToRead) -> bool:
        """A condition over several lines, down to its ENDIF: all of it is orders, whatever it looks like."""
        line = one.line
        block = condition_block(self._lines[self._at - 1 :]) if line[:2].lower() == "if" and self._around.board else ()
        for number, text in block:
            self._order(number, text, notes=()) if text else self.pen.ignore(number, text, Unasked.BLANK)
        self._at += max(0, len(block) - 1)
        return bool(block)

    def _verb_of(self, line: str) -> Match | None:
        """The verb that a line begins with; some words yield to orders."""
        match = find_verb(line) or self._game_first(line)
        if match is None or _SET_OFF.fullmatch(line):
            return None
        if match.verb.whole and (not no_more(match.rest) or line.rstrip().endswith(":")):
            return None
        return None if match.verb.after_orders and self._is_order(line) else match

    def _commands_units(self, match: Match) -> bool:
        """Whether a word of the Gamemaster that begins orders too is a player's about units: "hold" with nothing behind
        it, and in retreats and adjustments "remove", unless a reason shows that a person is meant.
        """
        around, rest = self._around, match.rest.strip(" .!")
        if around.role is not Role.PLAYER or Role.PLAYER in match.verb.roles or around.board is None:
            return False
        adjusting = around.phase is not None and around.phase.kind in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
        return not rest if match.word == "hold" else match.word == "remove" and adjusting and '"' not in rest

    def _asks_for_time(self, one: LineToRead) -> bool:
        """An extension in plain words, once in a mail: who asks twice in one letter means one."""
        number, text, line, notes = one
        asked = more_time(line) if self._around.role is Role.PLAYER else None
        if asked is None:
            return False
        if self._time_asked:
            self.pen.ignore(number, text, Unasked.CHATTER)
            return True
        self._time_asked = True
        match = Match(BY_NAME["extend"], "extension", "")
        self._write((number,), text, match, Extend(*asked), self._heading.game or self._context.game, notes)
        self._order_among(number, text, line)
        return True

    def _perhaps_time(self, line: str) -> Unclear | None:
        """A player's words near an extension that do not ask for one beyond doubt."""
        return near_more_time(line) if self._around.role is Role.PLAYER else None

    def _is_title(self, line: str) -> bool:
        """ "Summary:", and "Summary" above orders, are what people write over them."""
        if line.lower().rstrip(" :.") != "summary":
            return False
        below = next((text for _, text in self._lines[self._at :] if text.strip()), "")
        return line.endswith(":") or self._is_order(plain_line(below))

    def _choose(self, number: int, text: str, choice: int) -> None:
        """An answer by number is the line that it stands for."""
        if not self._context.choices:
            return self.pen.ignore(number, text, Unasked.CHATTER)
        line = chosen(choice, self._context.choices, self.aim)
        if isinstance(line, Unclear):
            return self.pen.question((number,), text, line)
        self._read_words(number, line, plain_line(line), ("choice",))

    # -- other lines --------------------------------------------------------------------------------------------------

    def _unknown(self, one: LineToRead) -> bool:
        """Nothing that is followed: courtesy, a near miss that is asked back, or chatter."""
        self._other(one.number, one.text, one.line)
        return True

    def _other(self, number: int, text: str, line: str) -> None:
        polite = number in self._signed or (is_courtesy(line) and not takes_back(line, self._around))
        if polite and not self._says_more(line):
            return self.pen.ignore(number, text, Unasked.COURTESY)
        if _SET_OFF.fullmatch(line):
            return self.pen.ignore(number, text, Unasked.CHATTER)
        if not self._astray and self._may_guess and self._in_own_words(number, text, line):
            return self._order_among(number, text, line)
        self._unknown_lines += 1
        if self._may_guess and (unclear := self._doubt(line)):
            self.pen.failures += not self._around.game
            return self._ask_back(number, text, unclear)
        if self._around.game or self._around.board:
            return self.pen.ignore(number, text, Unasked.CHATTER)
        self.pen.failures += 1
        self.pen.question((number,), text, out_of_place(line, self._context.offered()))

    @property
    def _may_guess(self) -> bool:
        """Whether it is still guessed at what a line of no known form may ask for: few mails of a person have many."""
        return self._unknown_lines <= _MOST_GUESSES

    def _nearly(self, line: str) -> Unclear | None:
        """What to ask of a line that is nearly a command, unless it is a wish in words of its own."""
        found = near_miss(line, self._around, self.aim, about_game=self._is_about_game)
        return found and (wish_by_its_ideas(line, self._around) or found)

    def _not_known(self, line: str) -> Unclear | None:
        """A wish that no reader knows, with the commands that have to do with its words."""
        found = None if self._goes_on(line) else not_known(line, self._around)
        if found is not None and (meant := wish_by_its_ideas(line, self._around)) is not None:
            return meant
        near = named_near(line, self._around) if found is not None else ""
        return replace(found, sentence=f"{found.sentence} {near}") if found is not None and near else found

    def _doubt(self, line: str) -> Unclear | None:
        """What to ask of a line that is neither a command nor an order, but was hardly chatter."""
        here = self._here
        if is_question(line):
            return (
                within_a_sentence(line, self._around, here)
                or self._wish(line)
                or for_a_power(line, self._around)
                or wish_by_its_ideas(line, self._around)
                or sentence_about(line, self._around.role)
                or self._perhaps_time(line)
                or self._not_known(line)
            )
        bids = self._around.role is Role.GM and not self._acting  # units are then put right, and not ordered
        bids = bids or not (self._around.game or self._around.board)
        return (
            self._wish(line)
            or (wish_by_its_ideas(line, self._around) if bids else None)
            or self._perhaps_time(line)
            or for_a_power(line, self._around)
            or takes_back(line, self._around)
            or self._nearly(line)
            or doubtful_order(line, self._around, here)
            or within_a_sentence(line, self._around, here)
            or order_without_unit(line, self._around)
            or perhaps_orders(line, self._around)
            or self._not_known(line)
        )


READERS: tuple[tuple[str, Callable[[Walk, LineToRead], bool]], ...] = (
    ("several sentences", Walk._sentence_by_sentence),
    ("an order", Walk._of_a_unit),
    ("a line for your own power", Walk._for_own_power),
    ("the last orders again, with changes", Walk._repeated_but),
    ("a player named for a power", Walk._for_a_player),
    ("an idiom", Walk._idiom),
    ("a vote", Walk._ballot),
    ("a word of other judges", Walk._older),
    ("the game's own business", Walk._deed),
    ("a question", Walk._question),
    ("a call for help", Walk._cry_for_help),
    ("a setting", lambda walk, one: walk._setting(one.number, one.text, one.line)),
    ("a condition over several lines", Walk._condition),
    ("a condition that I do not know", lambda walk, one: walk._lost_case(one.number, one.text, one.line)),
    ("a wish for more time", Walk._asks_for_time),
    ("a question about your own orders", Walk._own_orders),
    ("a title", Walk._title),
    ("a wish put as a question", Walk._wish_as_question),
    ("a command", Walk._by_verb),
    ("a heading", Walk._by_heading),
    ("an order", Walk._order_at_last),
    ("a command cut short", Walk._by_short_verb),
    ("words that are neither command nor order", Walk._unknown),
)  # fmt: skip
"""Every reader of a line, by what it takes a line for, in their order: the first that knows a line takes it. Where two
could, the order decides.
"""
