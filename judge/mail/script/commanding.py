"""Commands, letters and notes among the lines of a mail: how much of the text belongs to each, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from judge.game.core.commands import Role, SendPress
from judge.game.settings.table import TABLE
from judge.mail.script.bidding import ANSWERS, ANY_WORDS, asks_about, bids, is_small_talk
from judge.mail.script.blocks import (
    VerbBlock,
    body_of,
    ends_in_orders,
    inline_block,
    orders_block,
    registration,
    settings_block,
    text_block,
    wrapped_block,
)
from judge.mail.script.gmwords import gm_wish_in
from judge.mail.script.inwords import our_question
from judge.mail.script.lines import is_question, plain_line
from judge.mail.script.ownwords import sentences, wish_by_its_ideas, wish_in
from judge.mail.script.stance import HEADING_VERBS, Stance, not_for_you
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, find_verb, may_use
from judge.mail.vocabulary.clauses import no_more, without_thanks
from judge.mail.vocabulary.help import OVERVIEW, find_anywhere
from judge.mail.vocabulary.model import Reading
from judge.mail.vocabulary.settings_text import split_setting

_PROSE = 8
"""A line of so many words that begins with a verb and makes no sense as a command may be chatter (`bidding.py`)."""

_SENTENCE = 4
"""A line of so many words may be a sentence that only begins like a command: "Give Russia a kick"."""

_UNSURE = frozenset(
    (
        *("too-much", "incomplete", "bad-name", "no-such-game", "no-such-power", "no-such-setting", "no-recipients"),
        *("no-phase", "no-power", "no-ballot", "no-span", "no-date", "no-proof", "no-zone", "no-password"),
    )
)
"""Reasons for which a long line is rather prose than a bad command."""

_UNIT = re.compile(r"[AF] +[A-Z]\w|(?:[Aa]rmy|[Ff]leet|build|remove|disband) ")

_QUOTES = '"“”„'

_THAT = re.compile(r"(?:that|whether|if|receipt|the receipt|you|when)\b", re.IGNORECASE)

_BROKEN = 40
"""Characters of a line that may be too long for the next word."""

_MIXED = "orders-below"
"""The reason of a text to be printed that holds orders."""

LONGEST_COMMAND = 400
"""Characters of a line that is a command; where prose or addresses follow, it may be longer."""


def _may_be_long(match: Match, rest: str) -> bool:
    """Whether a command may be longer than a line usually is: prose follows, or the value of a setting that is free
    text.
    """
    if match.verb.body in (BodyRule.TEXT, BodyRule.PARAGRAPH):
        return True
    named = split_setting(rest) if match.verb.name == "set" else None
    return isinstance(named, tuple) and TABLE[named[0]].prose


def _offered(match: Match, found: Unclear, role: Role) -> Unclear:
    """What to send instead as whole lines that their author may send: to "vacate Fance" it is "vacate France"."""
    lines = found.candidates
    if found.word:
        before, word, after = match.rest.partition(found.word)
        lines = tuple(f"{match.word} {before}{candidate}{after}" for candidate in lines) if word else ()
    allowed = (line for line in lines if (other := find_verb(line)) is None or may_use(other.verb, role))
    return replace(found, candidates=tuple(allowed), word="")


class Commanding(Stance):
    """The lines that begin with a verb, each with the block of text below that belongs to it."""

    def _command(
        self, number: int, text: str, match: Match, notes: tuple[str, ...], *, only_good: bool = False
    ) -> bool:
        """Whether the line was a command. A bad one is asked back, unless it is prose, or `only_good` ones count."""
        game, rest, around = self.aim(match)
        if len(text) > LONGEST_COMMAND and not _may_be_long(match, rest):
            return self._too_long(number, text, match, Clause(match.word, rest[:LONGEST_COMMAND], around))
        if match.verb.name in ANY_WORDS and self._is_talk(match, None):
            return False
        if is_question(text) and (asked := asks_about(match, Clause(match.word, rest, around))):
            return self._answer_question(number, text, asked, match)
        if match.verb.body is BodyRule.TEXT:
            return not only_good and self._letter(number, text, replace(match, rest=rest), (game, around))
        numbers, block = [number], VerbBlock("", self._at)
        wrong: list[tuple[int, str, Unclear]] = []
        if match.verb.body is BodyRule.SETTINGS:
            block, wrong = settings_block(self._lines, self._at)
            numbers += [
                line for line, _ in self._lines[self._at : block.after] if line not in {one[0] for one in wrong}
            ]
        if match.verb.body is BodyRule.ORDERS:
            block = orders_block(self._lines, self._at, match.verb.ends, stops=self._is_command)
            numbers += [line for line, _ in self._lines[self._at : block.after]]
        if match.verb.name == "appeal":
            block = text_block(self._lines, self._at, match.verb.ends, opens=self._ends_reason)
            numbers += [line for line, _ in self._lines[self._at : block.after]]
        elif match.verb.body is BodyRule.PARAGRAPH:
            block = inline_block(self._lines, self._at, match.verb.ends, stops=self._ends_paragraph(match))
            numbers += [line for line, _ in self._lines[self._at : block.after]]
        if match.verb.name == "set" and isinstance(named := split_setting(rest), tuple):
            block = wrapped_block(self._lines, self._at - 1, named[0])
            rest = f"{rest} {block.body}".rstrip()
            numbers += [line for line, _ in self._lines[self._at : block.after]]
        clause = Clause(match.word, rest, around, self.pen.clean(block.body))
        found = self._follow(match, clause, game)
        if isinstance(found, Unclear) and (bare := without_thanks(rest)) != rest:
            again = self._follow(match, replace(clause, rest=bare), game)
            found = found if isinstance(again, Unclear) else again
        if isinstance(found, Unclear) and (only_good or self._is_prose(text, match, found)):
            return False
        if isinstance(found, Unclear) and not may_use(match.verb, around.role):
            found = not_for_you(match.verb)  # whoever may not write it is not told how to
        if isinstance(found, Unclear):
            found = gm_wish_in(text, around) or wish_in(text, around) or self._meant(text, match, found)
        self._at = block.after
        self._write(numbers, text, match, found, game, notes)
        for line, written, unclear in wrong:
            self.pen.question((line,), written, unclear, "set")
        return True

    def _meant(self, text: str, match: Match, found: Unclear) -> Unclear:
        """What to ask of a bad command: what would be right in its place, else what the line is likely about."""
        offered = _offered(match, found, self._around.role)
        if match.verb.name in ANSWERS and (meant := wish_by_its_ideas(text, self._around)):
            return meant  # "OK, I take the draw" answers no question of ours
        if offered.candidates and (found.word or found.reason not in ("too-much", "not-for-you", "no-phase")):
            return offered
        if found.reason not in _UNSURE and len(text.split()) < _SENTENCE:
            return offered
        return wish_by_its_ideas(text, self._around) or offered

    def _too_long(self, number: int, text: str, match: Match, clause: Clause) -> bool:
        """Ask back what would be a command if it were shorter; prose that begins with such a word is no command."""
        if match.verb.whole or not may_use(match.verb, clause.around.role):
            return False
        if isinstance(match.verb.read(clause), Unclear):
            return False
        said = (
            f"This line has {len(text.strip())} characters, and one with `{match.word}` may have {LONGEST_COMMAND} at "
            "most; nothing of it was done. Please send it again in fewer words."
        )
        self.pen.question((number,), text, Unclear("too-long", said), match.verb.name)
        return True

    def _answer_question(self, number: int, text: str, asked: Unclear, match: Match) -> bool:
        if len(text.split()) >= _PROSE or self._is_talk(match, None):
            return False  # "Draw or not, who cares about that any more?" is chatter
        self.pen.question((number,), text, asked, match.verb.name)
        return True

    def _is_talk(self, match: Match, found: Unclear | None) -> bool:
        """Whether a line in a game only happens to begin with a verb."""
        if not self._around.game or match.verb.name in HEADING_VERBS:
            return False
        if match.verb.name in ANSWERS and not self._context.free:
            return False
        if match.word == "help" and find_anywhere(match.rest, self._around.board) not in (None, OVERVIEW):
            return False
        return is_small_talk(match, found, self._around)

    def _is_command(self, text: str) -> bool:
        """Whether a line below orders that are not given is a command of its own."""
        line = plain_line(text)
        return find_verb(line) is not None and not self._is_order(line)

    def _ends_reason(self, text: str) -> bool:
        """Whether a line below an appeal is no more of its reason: a command as it stands, or an order in full."""
        line = plain_line(text)
        if (match := find_verb(line)) is not None:
            if match.verb.name == "appeal" or not match.rest:
                return True
            found = match.verb.read(Clause(match.word, match.rest, self._around, "text"))
            return not isinstance(found, Unclear) and not self._is_talk(match, None)
        if any(our_question(one, self._around) for one in sentences(line)):
            return True
        return _UNIT.match(line) is not None and self._is_order(line)

    def _ends_paragraph(self, match: Match) -> Callable[[str], bool]:
        """Whether a line below one that goes on in its paragraph is something else: a command, an order, and below
        `invite` whatever holds no address and stands in no quotation.
        """
        quotes = sum(map(match.rest.count, _QUOTES))

        def stops(text: str) -> bool:
            nonlocal quotes
            if match.verb.name == "invite" and not quotes % 2 and "@" not in text and not any(map(text.count, _QUOTES)):
                return True
            quotes += sum(map(text.count, _QUOTES))
            return self._is_command(text) or self._is_order(plain_line(text))

        return stops

    def _is_prose(self, text: str, match: Match, found: Unclear) -> bool:
        """Whether a line that makes no sense as a command is none."""
        if self._is_remark(match, found) or self._is_talk(match, found):
            return True
        if len(text.split()) >= _SENTENCE and not found.candidates and our_question(text, self._around):
            return True  # "Give me the story so far" gives nobody a power
        if len(text.split()) < _PROSE or text.rstrip().endswith(":"):
            return False
        allowed = may_use(match.verb, self._around.role)
        if found.reason not in _UNSURE:
            return not allowed and self._goes_on(text)
        return self._goes_on(text) or not (allowed and bids(match.word, match.rest, self._powers))

    def _goes_on(self, text: str) -> bool:
        """Whether a line goes on with the sentence of the line above it, as prose does that a mail program breaks."""
        before = self._lines[self._at - 2][1].rstrip() if self._at > 1 else ""
        return text.lstrip()[:1].islower() and len(before) > _BROKEN and (before[-1].isalnum() or before[-1] == ",")

    @property
    def _powers(self) -> frozenset[str]:
        board = self._around.board
        return frozenset(power.name.split()[0].lower() for power in board.powers.values()) if board else frozenset()

    def _is_remark(self, match: Match, found: Unclear) -> bool:
        """ "Orders as discussed" from a player: no power, nor anything like one, is named. "No, wait": no answer.
        "Change of mind:": nothing is to be changed.
        """
        if match.word == "no wait" and match.rest:
            return True  # "No wait, A Mar - Gas" says wait, and is no `ready`
        if match.verb.name == "ready" and match.rest.lower().startswith(("to ", "for ")):
            return True  # "Ready to settle for a draw"
        if match.word == "change" and match.rest.lower().startswith("of "):
            return True
        if match.verb.name == "confirm" and _THAT.match(match.rest):
            return True  # "Please confirm that you got my moves" is no yes
        player = self._around.role is not Role.GM
        return match.verb.name == "no" or (player and match.word in ("orders as", "order for") and not found.candidates)

    def _letter(self, number: int, text: str, match: Match, where: tuple[str, Around]) -> bool:
        """Press or a note: the line, and the text that belongs to it."""
        game, around = where
        if not may_use(match.verb, around.role):
            return self._for_others(number, text, match)
        trial = match.verb.read(Clause(match.word, match.rest, around, "text"))
        if isinstance(trial, Unclear) and (
            self._is_prose(text, match, trial) or (trial.reason == "no-recipients" and match.rest)
        ):
            return self._short_of_recipients(number, text, match, trial)
        if match.verb.aside and self._is_about_game and (len(text.split()) >= _PROSE or self._is_talk(match, None)):
            return False  # "Article 5 of the house rules says that ..."
        block = body_of(match, self._lines, self._at, around, sure=not isinstance(trial, Unclear))
        numbers = [number, *(line for line, _ in self._lines[self._at : block.after])]
        if match.verb.aside and (kept := self._kept_from(match, trial, block)) is not None:
            whole = kept.reason == _MIXED
            self.pen.question(numbers if whole else (number,), text, kept, match.verb.name)
            self._at = block.after if whole else self._at
            return True
        found = self._follow(match, Clause(match.word, match.rest, around, self.pen.clean(block.body)), game)
        below = not block.closed and ends_in_orders(block.body, around, self._context.position)
        if isinstance(found, SendPress) and below:
            found = replace(found, own_orders=True)
        if isinstance(found, SendPress) and self._heading.power and (around.role is Role.GM or self._acting):
            found = Unclear(
                "from-whom",
                "Below `order as` press would still come from you, the Gamemaster; nothing was sent. Write it above "
                "that line, in your own name.",
            )
        self._at = block.after
        self._write(numbers, text, match, found, game, ())
        return True

    def _kept_from(self, match: Match, trial: Reading, block: VerbBlock) -> Unclear | None:
        """Why a text that is for no game takes nothing of what stands below it, which may be orders; None if it may."""
        if isinstance(trial, Unclear):
            return trial
        domain = self._context.domain
        if self._is_about_game:
            sentence = f"This letter is about {self._context.game}; what is to be printed goes to judge@{domain}."
            return Unclear("elsewhere", sentence)
        below = self._lines[self._at : block.after]
        if (
            self._around.role is not Role.PLAYER
            or match.verb.names_game
            or not any(self._is_order(plain_line(line)) for _, line in below)
        ):
            return None
        return Unclear(
            _MIXED,
            f"Below `{match.word}` stands what might be orders of yours. Nothing of it was taken, to be printed or "
            "as orders. Please send orders in a letter of their own, and a text for a zine to the zine's address.",
        )

    def _for_others(self, number: int, text: str, match: Match) -> bool:
        """A letter that this author cannot write: nothing below belongs to it, and "Note:" alone is a title."""
        if (text.rstrip().endswith(":") and no_more(match.rest.strip(" :"))) or self._is_talk(match, None):
            return False
        self.pen.question((number,), text, not_for_you(match.verb), match.verb.name)
        return True

    def _short_of_recipients(self, number: int, text: str, match: Match, trial: Unclear) -> bool:
        """ "press hello" is asked back; "Press on, everyone, and we shall win the day" is chatter."""
        if self._is_prose(text, match, trial):
            return False
        self.pen.question((number,), text, trial, match.verb.name)
        return True

    def _registration(self, number: int, text: str) -> bool:
        """The lines from REGISTER to END, as the older judges have it."""
        if text.strip().lower() != "register" or (filled := registration(self._lines[self._at :])) is None:
            return False
        read, length = filled
        numbers = [number, *(line for line, _ in self._lines[self._at : self._at + length])]
        self._at += length
        if isinstance(read, Unclear):
            self.pen.question(numbers, text, read, "register")
        else:
            self.pen.say(read, numbers, text, "register", game="")
        return True
