"""Goes through what the author typed, line by line, and hands each line to the first reader that knows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.game.core.commands import ChangeSettings, Doubt, EndGame, Extend, Leave, Process, Role, SendPress, Vacate
from judge.game.core.faults import NOT_OUR_WORDS, TAKES_BACK
from judge.game.filing.deeds import Do
from judge.game.office.rulings import Disqualify, Reveal
from judge.game.repair.reopening import Reopen
from judge.game.repair.rewriting import Amend, RollBack
from judge.game.table.deciding import TakePreset
from judge.game.talk.closing import CarryVote
from judge.mail.lines import TextLine
from judge.mail.script.asking import is_question, sentence_about
from judge.mail.script.astray import belongs_below
from judge.mail.script.ballots import Voting
from judge.mail.script.blocks import Typed, condition_block
from judge.mail.script.commanding import Commanding
from judge.mail.script.copies import Copies
from judge.mail.script.doubtful import doubtful_order, near_miss, out_of_place, takes_back, within_a_sentence
from judge.mail.script.forms import Form, Printed, is_report_end, is_report_title, is_unfilled
from judge.mail.script.inwords import asks_help, for_a_power, for_whom, our_question, to_gamemaster, unsent
from judge.mail.script.lines import is_comment, is_courtesy, is_stop, plain_line, signatures
from judge.mail.script.model import ScriptContext, Unasked
from judge.mail.script.pen import Pen
from judge.mail.script.plainwords import asks_for_own_orders, more_time, near_more_time
from judge.mail.vocabulary import (
    BY_NAME,
    BodyRule,
    Clause,
    Match,
    Unclear,
    find_abbreviated,
    find_verb,
)
from judge.mail.vocabulary.account import DropAddress, ForgetMe, Register
from judge.mail.vocabulary.clauses import no_more
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.identity import read_person
from judge.mail.vocabulary.older import Here, here_for
from judge.mail.vocabulary.powers import is_power_word

_MOST_FAILURES = 5
_MOST_GUESSES = 50
"""Unknown lines of a mail for which we look for what may have been meant."""

_WRITTEN_OUT = (
    ChangeSettings,
    TakePreset,
    EndGame,
    Leave,
    Vacate,
    VacateByAddress,
    Disqualify,
    ForgetMe,
    DropAddress,
    Reveal,
    RollBack,
    Amend,
    Reopen,
    CarryVote,
    Process,
)
"""What an answer by number never does by itself."""

_LONGEST_COMMAND = 400
_LONG = (BodyRule.TEXT, BodyRule.PARAGRAPH)
"""What may follow commands that are longer: prose, addresses."""
_UNIT_FIRST = re.compile(r"[AaFf] +[A-Za-z]{2}")
_CHOICE = re.compile(r"^(?:choice|option|answer|number)?\s*[#(]?(\d{1,2})[.)]?$", re.IGNORECASE)
_FIELD = re.compile(r"(\w[\w ]{0,30}):\s*(.*)")
_ROW = re.compile(r"^\s{0,3}([A-Za-z][\w.-]{2,20}(?: [\w.-]{2,20})?):?\s{2,}\S")
_CONTINUED = 20


class Walk(Commanding):
    """One passage through a mail."""

    def __init__(self, pen: Pen, context: ScriptContext, form: Form) -> None:
        super().__init__(pen, context)
        self._form = form
        self._row = ""
        """The power whose rows of a pasted list of results these are."""
        self._wide = False
        self._unknown_lines = 0
        self._time_asked = False
        self._copies = Copies(())
        self._voting = Voting(context, ())
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

    def _registration(self, number: int, text: str) -> bool:
        """REGISTER, lines of FIELD: VALUE, END, as the older judges have it: name and zone are taken from them."""
        if text.strip().lower() != "register":
            return False
        end = next((at for at, (_, line) in enumerate(self._lines) if at >= self._at and is_stop(line)), None)
        fields = [_FIELD.fullmatch(line.strip()) for _, line in self._lines[self._at : end] if line.strip()]
        if end is None or not fields or not all(fields):
            return False
        known = {match[1].lower().replace(" ", ""): match[2].strip() for match in fields if match}
        zone = known.get("timezone") or known.get("zone") or ""
        read = read_person(f"name {known.get('name', '')}" + (f" zone {zone}" if zone else ""))
        numbers = [number, *(line for line, _ in self._lines[self._at : end + 1])]
        self._at = end + 1
        if isinstance(read, Unclear):
            self.pen.question(numbers, text, read, "register")
        else:
            self.pen.say(Register(*read), numbers, text, "register", game="")
        return True

    def _stop(self, number: int, text: str) -> None:
        """Nothing is read below; but `end` as a Gamemaster's first word may mean the game, and is asked back."""
        first = not any(line.strip() for _, line in self._lines[: self._at - 1])
        if first and self._context.role is Role.GM and text.strip().lower().rstrip(".!") == "end":
            sentence = "`end` alone ends what I read of a mail. To close the game, write `end game`."
            return self.pen.question((number,), text, Unclear("two-readings", sentence, ("end game",)), "end")
        self.pen.ignore(number, text, Unasked.STOP)
        self._drop_rest(Unasked.AFTER_STOP)

    def _read_report(self) -> None:
        """A report sent back whole changes nothing, except where its order form was filled in."""
        printed = Printed(inside=True)
        while self._at < len(self._lines):
            number, text = self._lines[self._at]
            self._at += 1
            if not printed(text) and (order := self._form.edited(text)):
                self._order(number, order, notes=("form",))
            else:
                self.pen.ignore(number, text, Unasked.REPORT if text.strip() else Unasked.BLANK)
            if is_report_end(text):
                return

    def _copied(self) -> bool:
        """Whether a letter of ours, its foot, or an earlier mail begins here, sent back without marks."""
        start = self._at - 1
        spans = self._copies.begin(start, asked=self.pen.asked)
        for end, why in spans:
            self._pass_over(start, end, why)
            start = end
        return bool(spans)

    def _pass_over(self, start: int, end: int, why: Unasked) -> None:
        """Leave the lines of [start, end) unread, except what was changed in an order form."""
        printed = Printed(inside=True)
        for number, text in self._lines[start:end]:
            if not printed(text) and (order := self._form.edited(text)):
                self._order(number, order, notes=("form",))
            else:
                self.pen.ignore(number, text, why if text.strip() else Unasked.BLANK)
        self._at = end

    # -- one line -----------------------------------------------------------------------------------------------------

    def _read_line(self, number: int, text: str) -> None:
        if not text.strip():
            return self.pen.ignore(number, text, Unasked.BLANK)
        if is_comment(text):
            return self.pen.ignore(number, text, Unasked.COMMENT)
        if is_unfilled(text):
            return self.pen.ignore(number, text, Unasked.FORM)
        line, notes = plain_line(text), ("form",) if number in self.pen.edited else ()
        if match := _CHOICE.match(" ".join(text.split()).rstrip(".!,")):
            return self._choose(number, text, int(match[1]))
        if self._belongs_to_others(text):
            return self.pen.ignore(number, text, Unasked.OTHERS)
        self._read_words(number, text, line, notes)

    def _read_words(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> None:
        if _UNIT_FIRST.match(line) and self._is_order(line):
            return self._order(number, text, notes=notes)  # by far the most lines are these: no verb begins so
        if self._ballot(number, text, line, notes):
            return
        if (old := here_for(line)) is not None:
            return self._older(number, text, old, notes)
        if self._deed(number, text, line, notes):
            return
        if asks_help(line) and not asks_for_own_orders(line):
            helped = Match(BY_NAME["help"], "help", line)
            found = helped.verb.read(Clause("help", line, self._around))
            return self._write((number,), text, helped, found, self._around.game, notes)
        if self._setting(number, text, line) or self._condition(line) or self._lost_case(number, text, line):
            return
        if self._asks_for_time(number, text, line, notes):
            return
        if self._around.role is Role.PLAYER and not self._is_order(line) and asks_for_own_orders(line):
            shown = Match(BY_NAME["orders"], "orders", "")
            asked = shown.verb.read(Clause("orders", "", self._around))
            return self._write((number,), text, shown, asked, self._heading.game or self._context.game, notes)
        if self._is_title(line):
            return self.pen.ignore(number, text, Unasked.CHATTER)
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

    def _ballot(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> bool:
        """A yes or a no to a vote; in another game's part of the mail it is none."""
        if self._astray or self._heading.game not in ("", self._context.game):
            return False
        found = self._voting.read(line)
        if found is None:
            return False
        verb = "vote" if isinstance(found, Unclear) else "aye" if found.aye else "nay"
        self._write((number,), text, Match(BY_NAME[verb], verb, ""), found, self._context.game, notes)
        return True

    def finish(self, lines: Sequence[TextLine]) -> None:
        """What the mail as a whole says, where its lines do not: a vote, or a question to the Gamemaster."""
        if not self.pen.asked and self._context.called:
            self._vote_otherwise(lines)
        prose = self.pen.ignored_as(Unasked.CHATTER)
        greetings = [one.text for one in self.pen.ignored_as(Unasked.COURTESY)]
        here = self._heading.game in ("", self._context.game) and not self._astray
        if here and self._context.game and to_gamemaster(prose, greetings, self._context.around()):
            self.pen.take_up(prose)
            text, begun = self.pen.clean("\n".join(one.text for one in prose)), self.pen.written
            numbers = [one.line for one in prose]
            self.pen.say(SendPress(text, to=("GM",)), numbers, prose[0].text, "press", game=self._context.game)
            self.pen.explain(begun, "I took that for a question to the Gamemaster.")
        elif self._context.press and not self.pen.asked:
            self.pen.ask_instead(unsent(self._context.press), "press")
        elif (
            here and self._context.game and not self.pen.asked and (unclear := for_whom(prose, self._context.around()))
        ):
            self.pen.ask_instead(unclear, "press")

    def _vote_otherwise(self, lines: Sequence[TextLine]) -> None:
        """An answer to the call of a vote that asks for nothing: the ballot that was left in it, or what to write."""
        if (left := self._voting.left_in(lines)) is not None:
            number, text, vote = left
            self.pen.say(vote, (number,), text, "aye" if vote.aye else "nay", game=self._context.game)
        elif (unclear := self._voting.unheard()) is not None:
            self.pen.ask_instead(unclear, "vote")

    def _older(self, number: int, text: str, old: Here, notes: tuple[str, ...]) -> None:
        """A line in the words of an older judge: read as our own, which the answer shows, or answered by what there
        is instead.
        """
        shown = f"Here that is {old.shown}." if old.lines else ""
        if not old.read:
            return self._ask((number,), text, Unclear("older-word", f"{old.said} {shown}".strip(), old.lines))
        for line in old.lines:
            begun = self.pen.written
            self._read_words(number, text, line, notes)
            self.pen.explain(begun, f"Here that is `{line}`. {old.said}".strip())

    def _deed(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> bool:
        """A line whose first word is business of the game's own (`judge.rules.business`)."""
        game = self._heading.game or self._context.game
        word, _, rest = line.partition(" ")
        known = self._context.business_of(game) if game and self._around.role is Role.PLAYER else ()
        word = word.lower().rstrip(":,")
        if word not in known or is_question(text):
            return False
        deed = Do(word, rest.strip().rstrip(".!"), self._heading.power)
        if self._astray:
            self.pen.question((number,), text, belongs_below(self._astray), word)
        else:
            self.pen.say(deed, (number,), text, word, game=game, notes=notes)
        return True

    def _condition(self, line: str) -> bool:
        """A condition over several lines, down to its ENDIF: all of it is orders, whatever it looks like."""
        block = condition_block(self._lines[self._at - 1 :]) if line[:2].lower() == "if" and self._around.board else ()
        for number, text in block:
            self._order(number, text, notes=()) if text else self.pen.ignore(number, text, Unasked.BLANK)
        self._at += max(0, len(block) - 1)
        return bool(block)

    def _verb_of(self, line: str) -> Match | None:
        """The verb that a line begins with; only prose may be long, and some words yield to orders."""
        match = find_verb(line) or self._game_first(line)
        if match is None or (len(line) > _LONGEST_COMMAND and match.verb.body not in _LONG):
            return None
        if match.verb.whole and (not no_more(match.rest) or line.rstrip().endswith(":")):
            return None
        return None if match.verb.after_orders and self._is_order(line) else match

    def _asks_for_time(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> bool:
        """An extension in plain words, once in a mail: who asks twice in one letter means one."""
        asked = more_time(line) if self._around.role is Role.PLAYER else None
        if asked is None:
            return False
        if self._time_asked:
            self.pen.ignore(number, text, Unasked.CHATTER)
            return True
        self._time_asked = True
        match = Match(BY_NAME["extend"], "extension", "")
        self._write((number,), text, match, Extend(*asked), self._heading.game or self._context.game, notes)
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
        if 1 <= choice <= len(self._context.choices):
            line = self._context.choices[choice - 1]
            if grave := self._by_number(line):
                return self.pen.question((number,), text, grave)
            return self._read_words(number, line, plain_line(line), ("choice",))
        if not self._context.choices:
            return self.pen.ignore(number, text, Unasked.CHATTER)
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

    # -- other lines --------------------------------------------------------------------------------------------------

    def _unknown(self, number: int, text: str, line: str) -> None:
        """Nothing that is followed: courtesy, a near miss that is asked back, or chatter."""
        if is_courtesy(line) or number in self._signed:
            return self.pen.ignore(number, text, Unasked.COURTESY)
        if (ours := our_question(line, self._around)) and not self._astray:
            begun = self.pen.written
            self._read_words(number, text, ours, ())
            return self.pen.explain(begun, f"I took that as `{ours}`.")
        self._unknown_lines += 1
        if self._unknown_lines <= _MOST_GUESSES and (unclear := self._doubt(line)):
            self.pen.failures += not self._around.game
            if unclear.reason in (NOT_OUR_WORDS, TAKES_BACK) and self._is_for_now():
                doubt = Doubt(unclear.reason, unclear.sentence, unclear.candidates)
                return self._order(number, text, notes=(), doubt=doubt)
            return self._ask((number,), text, unclear)
        if self._around.game or self._around.board:
            return self.pen.ignore(number, text, Unasked.CHATTER)
        self.pen.failures += 1
        self.pen.question((number,), text, out_of_place(line, self._context.games))

    def _doubt(self, line: str) -> Unclear | None:
        """What to ask of a line that is neither a command nor an order, but was hardly chatter."""
        here = self._context.position if self._around.game == self._context.game else None
        if is_question(line):
            return sentence_about(line) or self._perhaps_time(line)
        return (
            self._perhaps_time(line)
            or for_a_power(line, self._around)
            or takes_back(line, self._around)
            or near_miss(line, self._around, self.aim)
            or doubtful_order(line, self._around, here)
            or within_a_sentence(line, self._around, here)
        )
