"""The sentences of a line, as people part them, and the core of a sentence, without greeting and thanks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.mail.script.copies import is_courtesy
from judge.mail.script.phrases import patterns
from judge.mail.script.phrases.patterns import with_apostrophes
from judge.mail.vocabulary import BodyRule, find_verb

_LONGEST = 200

LONGEST_LINE = 400

_END = re.compile(r"(?<!\b[AFaf])(?<!\b[Ss]t)[.!?]+\)?\s+(?=\S)")
"""Where a sentence ends: not behind "A." and "St."."""


_SENTENCE = re.compile(rf"(?:(?!{patterns.ASKS_ON})[^.!?]|\.(?=\w))+(?:[.!?]+|{patterns.ASKS_ON}|$)", re.IGNORECASE)


def sentences_of(line: str) -> tuple[str, ...]:
    """The sentences of a line; a point inside an address or a date ends none.

    >>> sentences_of("Replace France by bob@friends.test. Thanks!")
    ('Replace France by bob@friends.test.', 'Thanks!')
    """
    return tuple(filter(None, (one.strip() for one in _END.sub(r"\g<0>\n", line).split("\n"))))


def courtesies_apart(line: str) -> tuple[str, ...]:
    """A line whose first or last sentences only greet or thank, in pieces: those, and the rest between them as one.
    Nothing for a line that is not of that kind. Thanks behind the words of a letter belong to the letter.

    >>> courtesies_apart("Hi judge. Extend by 2 days. Sorry! Thanks!")
    ('Hi judge.', 'Extend by 2 days. Sorry!', 'Thanks!')
    >>> courtesies_apart("Hello judge, press to England: Let us ally. Thanks!")
    ('Hello judge,', 'press to England: Let us ally. Thanks!')
    """
    if len(line) > LONGEST_LINE or not (_END.search(line) or patterns.GREETED.match(line)):
        return ()
    sentences = sentences_of(patterns.GREETED.sub(r"\g<0>\n", line))
    polite = [is_courtesy(one) for one in sentences]
    if all(polite) or not (polite[0] or polite[-1]):
        return ()
    first, last = polite.index(False), len(polite) - polite[::-1].index(False)
    verb = find_verb(sentences[first])
    if verb is not None and verb.verb.body is not BodyRule.NONE:
        last = len(sentences)
    return (*sentences[:first], " ".join(sentences[first:last]), *sentences[last:]) if first or sentences[last:] else ()


def single_sentences(line: str) -> Iterator[str]:
    """The sentences of a line with their closing marks; none of a line that is too long for that."""
    if len(line) <= 2 * _LONGEST:
        found = (re.sub(r",? and\s*$", "", match[0]).strip() for match in _SENTENCE.finditer(line))
        yield from filter(None, found)


def core(sentence: str) -> str:
    """A sentence without greeting, thanks and marks, for comparison.

    >>> core("Hello judge, when’s the deadline, please?"), core("Sorry, but I quit!")
    ('when is the deadline', 'I quit')
    """
    text = " ".join(with_apostrophes(sentence.replace("’", "'")).split()).strip(' .!?,;:"()*_-')
    while (match := patterns.OPENING.match(text)) and match.end() < len(text):
        text = text[match.end() :]
    while (match := patterns.ENDING.search(text)) and match.start():
        text = text[: match.start()]
    for short, whole in patterns.IN_FULL:
        text = short.sub(whole, text)
    return text if len(text) <= _LONGEST else ""


def tails(text: str) -> Iterator[str]:
    """A sentence, and what stands behind each of its joints: "I'm sorry but work is wild and I have to quit"."""
    yield text
    yield from (text[match.end() :] for match in patterns.JOINT.finditer(text))
