"""What a mail says as a whole if its lines ask for nothing: a vote, a question to the Gamemaster, a need of help."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from judge.game.core.commands import SendPress
from judge.game.talk.ballots import Vote
from judge.mail.quoting import TextLine
from judge.mail.script.ballots import Voting
from judge.mail.script.copies import Form
from judge.mail.script.inwords import for_whom, of_others, speaks_to_gamemaster, to_gamemaster, unsent
from judge.mail.script.model import Ignored, ReadRequest, ScriptContext, Unasked
from judge.mail.script.ownwords import near_it, need_in, sentences, wish_by_its_ideas
from judge.mail.script.pen import Pen
from judge.mail.script.skipping import Skipping
from judge.mail.vocabulary import Unclear
from judge.mail.vocabulary.account import Confirm


def _is_filler(said: ReadRequest) -> bool:
    """ "Agreed." and "OK, this is it", where no question of ours is open."""
    return isinstance(said.request, Confirm) and not said.request.code and "confirm" not in said.text.lower()


def _lost(text: str) -> Unclear | None:
    """The help that whoever says "I am lost" beside something else may want."""
    ours = next(filter(None, map(need_in, sentences(text))), "")
    return Unclear("lost", "If you would like help with that, the line below brings it.", (ours,)) if ours else None


_FEW_LINES = 3
"""Lines of a mail in which somebody asks for something in words that are none of ours."""
_LETTER = 12
"""Lines of prose in which no wish is looked for any more: a letter, or a text of somebody else's."""


class WholeMail(Skipping):
    """The readers of a whole mail, used once all its lines were read."""

    def __init__(self, pen: Pen, context: ScriptContext, form: Form) -> None:
        super().__init__(pen, context, form)
        self._voting = Voting(context, ())
        self._answered: list[Ignored] = []
        """Lines that were no command and asked a question of ours in plain words."""
        self.subject = ""
        """The subject, where its author wrote it and it asks for nothing."""

    @abstractmethod
    def _read_words(self, number: int, text: str, line: str, notes: tuple[str, ...]) -> None:
        """Read `line`, which stands for what was typed."""

    def finish(self, lines: Sequence[TextLine]) -> None:
        """What the mail as a whole says, where its lines do not: a vote, or a question to the Gamemaster."""
        self._weigh_votes()
        if not self.pen.asked and self._context.called:
            self._vote_otherwise(lines)
        prose = self.pen.ignored_as(Unasked.CHATTER)
        greetings = [one.text for one in self.pen.ignored_as(Unasked.COURTESY)]
        if self._context.free and not self._context.votes:
            self.pen.set_aside(_is_filler)
        here = bool(self._context.game) and self._heading.game in ("", self._context.game) and not self._astray
        if here and to_gamemaster(prose, greetings, self._context.around()):
            return self._pass_on(prose)
        if here and self._answered and speaks_to_gamemaster([self.subject, *greetings], prose, self._context.around()):
            return self._pass_on((*prose, *self._answered))
        if self.pen.asked:
            return None if self._context.press else self._hear(prose)
        if unclear := of_others(self.pen.ignored_as(Unasked.FORWARDED), self._around):
            return self.pen.ask_about_forwarded(unclear)
        if self._context.press:
            return self.pen.ask_instead(unsent(self._context.press), "press")
        if here and (unclear := for_whom(prose, self._context.around())):
            return self.pen.ask_instead(unclear, "press")
        return self._hear(prose)

    def _weigh_votes(self) -> None:
        """A vote that its author takes back in the next words is none."""
        requests = self.pen.requests
        for one in requests:
            if isinstance(one.request, Vote) and one.game == self._context.game:
                others = {number for other in requests if other is not one for number in other.lines}
                if unclear := self._voting.unsaid(one.lines[-1], self._lines, others):
                    self.pen.retract(one, unclear)

    def _pass_on(self, words: Sequence[Ignored]) -> None:
        """Prose, and questions that were answered besides, as a letter to the Gamemaster."""
        self.pen.take_up(words)
        lines = sorted(words, key=lambda one: one.line)
        text, begun = self.pen.clean("\n".join(one.text for one in lines)), self.pen.written
        numbers = [one.line for one in lines]
        self.pen.say(SendPress(text, to=("GM",)), numbers, lines[0].text, "press", game=self._context.game)
        self.pen.explain(begun, "I took that for a question to the Gamemaster.")

    def _hear(self, prose: Sequence[Ignored]) -> None:
        """What lines wish in words that no table has: each is offered what does it, whatever else the mail asks. A
        mail that asks for nothing gets help where its author is lost. Beside questions help is offered to whoever is
        lost, and a question that nobody understands is told what it is near to, unless the mail has orders.
        """
        alone = not self.pen.asked
        for one in prose if alone else ():
            if ours := next(filter(None, map(need_in, sentences(one.text))), ""):
                self.pen.take_up((one,))
                begun = self.pen.written
                self._read_words(one.line, one.text, ours, ())
                return self.pen.explain(begun, f"I took that as `{ours}`.")
        if len(prose) > _LETTER or self._astray:
            return None
        numbers = {one.line for one in prose}
        for one in prose:
            if len(prose) > _FEW_LINES and numbers & {one.line - 1, one.line + 1}:
                continue  # part of a paragraph, whose sentences go on from line to line
            meant = wish_by_its_ideas(one.text.strip(), self._around)
            near = alone or (self.pen.requests and not self.pen.ordered)
            guess = near_it(one.text.strip(), self._around) or _lost(one.text) if near else None
            if (unclear := meant or guess) is not None:
                self.pen.take_up((one,))
                self.pen.question((one.line,), one.text, unclear)
        return None

    def _vote_otherwise(self, lines: Sequence[TextLine]) -> None:
        """An answer to the call of a vote that asks for nothing: the ballot that was left in it, or what to write."""
        if (left := self._voting.left_in(lines)) is not None:
            number, text, vote = left
            self.pen.say(vote, (number,), text, "aye" if vote.aye else "nay", game=self._context.game)
        elif (unclear := self._voting.unheard()) is not None:
            self.pen.ask_instead(unclear, "vote")
