"""What an answer to an invitation says: yes or no in many words, or no for ever."""

from __future__ import annotations

import re

from judge.game.core.commands import Prefer
from judge.game.table.vacancies import Claim
from judge.mail.assent import Word, answer_of, hides, is_unsaid, word_of
from judge.mail.coming import comes
from judge.mail.vocabulary.gathering import DeclineInvitation
from judge.mail.vocabulary.player import JoinGame
from judge.service.trust.replies import subjects_answered
from judge.service.trust.sitting import Sitting

_NEVER = re.compile(r"never|no more(?: invitations)?|unsubscribe|stop", re.IGNORECASE)

_MOST = 12
"""Lines of a reply that are looked at."""

_POLITE = re.compile(r"^(?:(?:thanks|thank you|please|oh|well|hi|hello|dear judge)[\s,.!]+)+|[\s,.!]+$", re.IGNORECASE)


def _said(sitting: Sitting) -> str:
    """The first line of a reply that says something, or its subject, in small letters and without courtesies."""
    typed = (line.text.strip() for line in sitting.envelope.own_lines)
    first = next((line for line in typed if line and not _is_greeting(line)), "") or sitting.envelope.topic
    return _POLITE.sub("", re.split(r"[!.]\s|[!.]$|, thank|\bthanks\b|\bthank you\b", first, flags=re.I)[0]).strip()


def _is_greeting(line: str) -> bool:
    return re.fullmatch(r"(?:hi|hello|hey|dear|hallo|good \w+)\b[^.!?]{0,40}[,!.]?", line, re.IGNORECASE) is not None


def coming(sitting: Sitting) -> Word | None:
    """Whether the author comes, as their own words say: those of the subject where there are no others."""
    if sitting.envelope.noise.is_noise or sitting.envelope.unsafe or hides(sitting.envelope):
        return None
    typed = [line.text.strip() for line in sitting.envelope.own_lines]
    typed = [line for line in typed if line and not _is_greeting(line)]
    return comes("\n".join(typed[:_MOST]) or sitting.envelope.topic)


def answer_of_invited(sitting: Sitting) -> tuple[Word | None, bool]:
    """(what a reply says to the invitation, whether they want none any more)."""
    if sitting.envelope.noise.is_noise or sitting.envelope.unsafe:
        return None, False
    said = _said(sitting)
    if _NEVER.fullmatch(said):
        return Word.NO, True
    ours = subjects_answered(sitting)
    word = answer_of(sitting.envelope, ours) or word_of(said) or coming(sitting)
    beside = {number for one in sitting.script.said for number in one.lines}
    if word is Word.YES and is_unsaid(sitting.envelope, ours, beside=beside):
        return None, False
    if word is None:
        requests = [one.request for one in sitting.script.said]
        if any(isinstance(one, DeclineInvitation) for one in requests):
            return Word.NO, False
        word = Word.YES if any(isinstance(one, (JoinGame, Prefer, Claim)) for one in requests) else None
    return word, False
