"""What an answer offers to send instead, tried first: a line that the game would refuse now is never offered.

Where nothing is left to offer, the answer says why the line that it had in mind would not help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from judge.game.core.commands import Question, Refusal, Status, Submit
from judge.languages import tell
from judge.mail.queries import Query
from judge.mail.quoting import LineKind, TextLine
from judge.mail.script import ReadRequest, read_script
from judge.mail.script.model import Script, Unread
from judge.mail.vocabulary import BodyRule, find_verb
from judge.report.core.answer import Answer
from judge.report.reply.lines import NOT_FOR_YOU
from judge.service.trust.heard import HeardMail, tried
from judge.service.trust.reading import context_of

_LINE_BELOW = re.compile(
    r"(?: yet)?\. (?:The line below does that|To do it, answer with the number, or send the line below"
    r"|Reply with the number of what you mean)\."
)
"""What announces lines, where none is left."""

MOST = 20
"""Lines of one mail that are tried; what stands beyond is offered as it is."""


def weigh_offers(heard: HeardMail) -> HeardMail:
    """The mail without those offers in its answers that would be refused, in the game as the mail leaves it."""
    unread = heard.script.unread
    trial = _OfferTrial(heard)
    weighed = replace(heard, script=replace(heard.script, unread=tuple(trial.unread(one) for one in unread)))
    heard.done.answers[:] = [trial.answer(one) for one in heard.done.answers]
    return weighed


@dataclass(slots=True)
class _OfferTrial:
    """Tries lines, each once, as if their author sent them in answer."""

    heard: HeardMail
    _known: dict[str, Refusal | None] = field(default_factory=dict)
    _by_game: bool = False
    """Whether a game offers the lines that are tried."""

    def unread(self, one: Unread) -> Unread:
        kept, why = self._sound(one.candidates)
        if kept == one.candidates:
            return one
        if not any(line.startswith(one.candidates) for line in kept):
            why = why or self._why(one.candidates[0])  # what comes first is another line, which does not do that
        told = _LINE_BELOW.sub(".", one.sentence) if why else one.sentence
        return replace(one, candidates=kept, sentence=f"{told}{why}")

    def answer(self, one: Answer) -> Answer:
        if one.status is Status.TAKEN or not one.mend:
            return one
        lines = tuple(one.mend.split("\n"))
        self._by_game = True
        kept, why = self._sound(lines)
        return one if kept == lines else replace(one, mend="\n".join(kept), sentence=f"{one.sentence}{why}")

    def _sound(self, lines: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """The lines that nothing speaks against, what is to be sent in place of others, and why there is none."""
        refused = {line: refusal for line in lines if (refusal := self._refused(line)) is not None}
        kept = dict.fromkeys(self._instead(lines, refused))
        if kept or not refused:
            return tuple(kept), ""
        return (), self._why(next(iter(refused)))

    def _why(self, line: str) -> str:
        refusal = self._refused(line)
        return (
            tell(" `{line}` would not help now: {sentence}", line=line, sentence=refusal.sentence)
            if refusal and refusal.sentence
            else ""
        )

    def _instead(self, lines: Iterable[str], refused: dict[str, Refusal]) -> Iterator[str]:
        for line in lines:
            if line not in refused:
                yield line
            else:
                mends = refused[line].mend.split("\n") if refused[line].mend else ()
                yield from (mend for mend in mends if self._refused(mend) is None)

    def _refused(self, line: str) -> Refusal | None:
        if line not in self._known:
            self._known[line] = self._tried(line) if len(self._known) < MOST else None
        return self._known[line]

    def _tried(self, line: str) -> Refusal | None:
        match = find_verb(line.partition(": ")[2] or line)
        texts = (line, "some words") if match and match.verb.body is BodyRule.TEXT else (line,)
        typed = [TextLine(number, text, LineKind.OWN) for number, text in enumerate(texts, 1)]
        script: Script = read_script(typed, subject="", context=context_of(self.heard))
        others = (Refusal(one.reason, one.sentence) for one in script.unread if one.reason == NOT_FOR_YOU)
        asked = (refusal for said in script.said if (refusal := self._told(said)) is not None)
        return next(chain(others, asked), None)

    def _told(self, said: ReadRequest) -> Refusal | None:
        if isinstance(said.request, Query) and not said.game:
            return None
        if isinstance(said.request, Submit) and self._by_game:
            return None  # what a game offers for orders it has tried itself
        result, _ = tried(self.heard, said)
        if isinstance(result, Question):
            return None
        if isinstance(result, Refusal):
            return result
        bad = (one for one in result.verdicts if one.status is not Status.TAKEN)
        return next((Refusal(one.reason, one.sentence if one.sentence.endswith(".") else "") for one in bad), None)
