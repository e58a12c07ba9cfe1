"""Sentences in their author's own words: what a line of them asks of us is answered, what it wishes is asked back."""

from __future__ import annotations

from dataclasses import replace

from judge.board.position import Position
from judge.game.core.commands import Doubt, Role
from judge.game.core.parts import NOT_OUR_WORDS, TAKES_BACK
from judge.mail.script.bidding import is_command, not_known
from judge.mail.script.doubtful import within_a_sentence
from judge.mail.script.gmwords import gm_wish_in
from judge.mail.script.inwords import asks_help, for_a_power, our_question
from judge.mail.script.lines import is_courtesy, is_order, plain_line
from judge.mail.script.mixed import sentences_of
from judge.mail.script.model import Ignored, Unasked
from judge.mail.script.ownwords import (
    need_in,
    offered_to_anybody,
    order_without_unit,
    sentences,
    told_of,
    wish_by_its_ideas,
    wish_in,
    wish_of_a_player,
)
from judge.mail.script.plainwords import asks_for_own_orders, more_time, near_more_time
from judge.mail.script.whole import WholeMail
from judge.mail.vocabulary import BodyRule, Unclear, find_verb, may_use
from judge.mail.vocabulary.settings_text import settings_in


class Speaking(WholeMail):
    """The lines that are neither a command nor an order as a whole."""

    def _piecewise(self, number: int, text: str, pieces: tuple[str, ...] | Unclear, notes: tuple[str, ...]) -> None:
        """Orders and other sentences on one line: each by itself, or all of them asked back."""
        if isinstance(pieces, Unclear):
            self._ask_back(number, text, pieces)
            self._in_own_words(number, text, plain_line(text))
            return
        for piece in pieces:
            self._read_words(number, piece, plain_line(piece), notes)

    def _in_own_words(self, number: int, text: str, line: str) -> bool:
        """Whether sentences of a line ask questions of ours: each of them is answered."""
        if self._wish(line) is not None:
            return False
        asked = dict.fromkeys(filter(None, (our_question(one, self._around) for one in sentences(line))))
        for ours in asked:
            begun = self.pen.written
            self._read_words(number, text, ours, ())
            self.pen.explain(begun, f"I took that as `{ours}`.")
        if asked:
            self._answered.append(Ignored(number, text, Unasked.CHATTER))
        return bool(asked)

    def _heard_apart(self, line: str) -> tuple[str, ...]:
        """The sentences of a line in which two or more ask or wish something, each with the prose behind it: "Who plays
        Russia? I need more time." Nothing for any other line, such as one of orders or the words of a letter.
        """
        parts = sentences_of(line)
        verb = find_verb(line) if len(parts) > 1 else None
        if (
            len(parts) < 2
            or self._context.press
            or self._commands(line)
            or (verb is not None and verb.verb.body is not BodyRule.NONE)
        ):
            return ()
        if any(is_order(one, self._around.board) for one in parts):
            return ()
        found: list[str] = []
        for part in parts:
            if not found or self._is_heard(part) or self._commands(found[-1]):
                found.append(part)
            else:
                found[-1] += f" {part}"
        if len(found) > 1 and not self._is_heard(parts[0]):
            found[:2] = [" ".join(found[:2])]
        return tuple(found) if len(found) > 1 else ()

    def _is_heard(self, sentence: str) -> bool:
        """Whether a sentence by itself is answered, or told what does as it wishes."""
        return bool(
            our_question(sentence, self._around)
            or asks_help(sentence)
            or need_in(sentence)
            or asks_for_own_orders(sentence)
            or self._wish(sentence)
            or wish_by_its_ideas(sentence, self._around)
            or for_a_power(sentence, self._around)
            or not_known(sentence, self._around)
            or self._commands(sentence)
            or (self._around.role is Role.PLAYER and (more_time(sentence) or near_more_time(sentence)))
        )

    def _commands(self, sentence: str) -> bool:
        return not is_courtesy(sentence) and is_command(sentence, self._around)

    def _ask_back(self, number: int, text: str, unclear: Unclear) -> None:
        """A question to the author: about an order of this phase if that is what the line may be."""
        if unclear.reason in (NOT_OUR_WORDS, TAKES_BACK) and self._is_for_now():
            doubt = Doubt(unclear.reason, unclear.sentence, unclear.candidates)
            return self._order(number, text, notes=(), doubt=doubt)
        return self._ask((number,), text, unclear)

    def _order_among(self, number: int, text: str, line: str) -> None:
        """An order beside a question that is answered."""
        if unclear := within_a_sentence(line, self._around, self._here):
            self._ask_back(number, text, unclear)

    @property
    def _here(self) -> Position | None:
        return self._context.position if self._around.game == self._context.game else None

    def _says_more(self, line: str) -> bool:
        """Whether a line that greets or thanks says something besides: "Hello judge, I am lost"."""
        asks = any(our_question(one, self._around) or need_in(one) for one in sentences(line))
        wish = wish_by_its_ideas(line, self._around)
        wish = wish or self._wish(line) or order_without_unit(line, self._around)
        return asks or wish is not None

    def _wish(self, line: str) -> Unclear | None:
        """What to ask of a player's or a Gamemaster's wish; in an answer to press it is somebody else's to hear."""
        if self._context.press:
            return None
        if self._around.role is Role.GM:
            wishes = [gm_wish_in(one, self._around) for one in (line, *sentences_of(line))]
            wishes += [offered_to_anybody(line, self._around), told_of(line, self._around)]
            wishes += [wish_of_a_player(one, self._around) for one in sentences(line)]
        else:
            wishes = [wish_in(one, self._around) for one in sentences(line)]
            wishes += [self._of_the_gamemaster(line)]
        return next(filter(None, wishes), None)

    def _of_the_gamemaster(self, line: str) -> Unclear | None:
        """What to say to a player's line that only the Gamemaster may write: of settings, which players vote on, or a
        wish that is theirs to fulfil.
        """
        if self._around.role is not Role.PLAYER:
            return None
        if found := settings_in(line):
            name, value = found[0]
            told = "Only the Gamemaster changes settings; nothing was changed. Players vote on them, like this:"
            return Unclear("not-for-you", f"{told} amend rule {name} = {value}")
        wish = gm_wish_in(line, replace(self._around, role=Role.GM))
        verb = find_verb(wish.candidates[0]) if wish is not None and wish.candidates else None
        if wish is None or verb is None or may_use(verb.verb, Role.PLAYER):
            return None
        return Unclear(
            "not-for-you",
            f"That is for the Gamemaster to do (`{wish.candidates[0]}`); nothing was changed. To ask them, begin with "
            "`press to GM`, and write your words below it.",
        )
