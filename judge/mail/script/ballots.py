"""A yes or a no to a vote: in answer to its call, or as a plain line of its own where one vote is open.

Only a word that is a whole line of the author's counts. A question, a denial, a yes beside a no, or a
word that may answer something else casts no vote; it is asked back with the lines that would."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from judge.game.talk.ballots import Vote
from judge.languages import tell
from judge.mail.assent import Word, begins_as_voice, is_plain_voice, takes_back, voice_of
from judge.mail.quoting import LineKind, TextLine, strip_quote
from judge.mail.script.doubtful import unsays
from judge.mail.script.lines import is_courtesy, plain_line, signatures
from judge.mail.script.model import ScriptContext
from judge.mail.script.phrases import is_question
from judge.mail.vocabulary import Unclear

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
