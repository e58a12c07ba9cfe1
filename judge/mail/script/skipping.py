"""Parts of a mail that are passed over whole: a report or a letter of ours sent back, an earlier mail, and what stands
below a stop. What was filled in on an order form in them is read all the same.
"""

from __future__ import annotations

from judge.game.core.commands import Role
from judge.mail.script.commanding import Commanding
from judge.mail.script.copies import Copies, Form, Printed, is_report_end
from judge.mail.script.model import ScriptContext, Unasked
from judge.mail.script.pen import Pen
from judge.mail.script.told import only_stop
from judge.mail.vocabulary import Unclear


class Skipping(Commanding):
    """Commands among parts that are passed over."""

    def __init__(self, pen: Pen, context: ScriptContext, form: Form) -> None:
        super().__init__(pen, context)
        self._form = form
        self._copies = Copies(())

    def _stop(self, number: int, text: str) -> None:
        """A stop word: no line below it is read. `end` as the first line of a Gamemaster's mail may mean the game, so
        it is asked back.
        """
        first = not any(line.strip() for _, line in self._lines[: self._at - 1])
        if first and self._context.role is Role.GM and text.strip().lower().rstrip(".!") == "end":
            sentence = "`end` alone ends what I read of a mail. To close the game, write `end game`."
            return self.pen.question((number,), text, Unclear("two-readings", sentence, ("end game",)), "end")
        below = any(line.strip() for _, line in self._lines[self._at :])
        if first and not below and text.strip().lower().rstrip(".!") == "stop":
            return self.pen.question((number,), text, only_stop(self._around))
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
