"""Reads "yes" and "no" in replies to our questions.

A yes must be beyond doubt: it is the first line that the author typed (a greeting does not count), as a whole one of
the phrases below, or exactly the subject. Thanks may stand beside it. Anything else is neither: a phrase that only
contains "yes" or "right", a yes and a no together, a reply whose text cannot be read, whatever bears a machine's mark,
and a yes beside which its author denies, disowns or asks, or a machine speaks: in the text, in its HTML version or in
the subject. One reader serves every question of ours.

What people write for yes and for no stands in `templates/languages/CODE/answers.toml`, that of English too, as whole
lines: lower case, without punctuation. Apostrophes fall away: "that's me" is "thats me".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum

from judge.mail.envelope.model import Envelope
from judge.mail.envelope.reader import topic_of
from judge.wordbook import Wordbook, any_of, wordbooks

_MEANING = {
    "yes": ("agrees", "sent", "votes"),
    "no": ("refuses", "not-sent", "votes"),
    "undo": ("lines",),
    "courtesies": ("beside",),
}
"""Sections of whole lines: none has a line of another."""
_TABLES = wordbooks(
    "answers",
    {
        "yes": (*_MEANING["yes"], "alone", "begins"),
        "no": (*_MEANING["no"], "alone", "begins"),
        "undo": _MEANING["undo"],
        "courtesies": (*_MEANING["courtesies"], "behind-a-vote", "greetings"),
        "doubts": ("denies", "denies-nothing", "disowns", "turns", "asks", "and"),
        "machines": ("numbered", "say"),
    },
)


_MARKS = re.compile(r"[.,;:!()\[\]{}\"“”„«»*_~/\\|…–—-]+")


def _lines(section: str, *rows: str) -> frozenset[str]:
    """What all languages have in some rows, as lines are compared."""
    return frozenset(map(_bare_of_marks, _all(section, *rows)))


def _all(section: str, *rows: str) -> Iterator[str]:
    for table in _TABLES:
        for row in rows:
            yield from table.words(section, row)


def _any_of(section: str, row: str) -> str:
    """A pattern for what any language has in a row, as lines are compared."""
    return _plain(any_of(_TABLES, section, row, gap=".{0,20}"))


def _bare_of_marks(line: str) -> str:
    """A line as it is compared: in lower case, without apostrophes and marks."""
    return " ".join(_MARKS.sub(" ", _plain(line)).split())


def _plain(line: str) -> str:
    """A line in lower case, without apostrophes."""
    return unicodedata.normalize("NFC", line).casefold().replace("’", "'").replace("'", "")


def check(tables: Iterable[Wordbook]) -> None:
    """Raise WrongWordsError for a line that means two things: a yes and a no, or a word beside them."""
    meant: dict[str, str] = {}
    for table in tables:
        for section, rows in _MEANING.items():
            for row in rows:
                for line in table.words(section, row):
                    if meant.setdefault(_bare_of_marks(line), section) != section:
                        raise table.wrong(section, row, f'"{line}" stands in [{meant[_bare_of_marks(line)]}] already')


check(_TABLES)

AGREES = _lines("yes", "agrees")
"""Whole lines that agree to what was asked; not Polish "tak", which is Danish for thanks."""

YES = _lines("yes", "agrees", "sent")
"""Whole lines that say yes, those about who wrote a mail among them."""

REFUSES = _lines("no", "refuses")
"""Whole lines that refuse what was asked."""

NO = _lines("no", "refuses", "not-sent")
"""Whole lines that say no, those about who wrote a mail among them."""

FOR = _lines("yes", "agrees", "votes")
"""Whole lines that are an aye in answer to the call of a vote."""

AGAINST = _lines("no", "refuses", "votes")
"""Whole lines that are a nay in answer to the call of a vote; that one did not write something is none."""

UNDO = _lines("undo", "lines")
"""Whole lines that take a change back."""

BESIDE = _lines("courtesies", "beside")
"""What may stand beside a yes or a no without changing it."""

GREETING = re.compile(rf"(?:{_any_of('courtesies', 'greetings')})(?: [\w.'-]+){{0,4}}", re.IGNORECASE)

NEGATION = _lines("doubts", "denies")
"""Words with which somebody says that something is not so: none of them stands beside a plain yes."""

DENIES_NOTHING = re.compile(rf"\b(?:{_any_of('doubts', 'denies-nothing')})\b", re.IGNORECASE)
"""Negations of which none takes anything back: somebody is new to it, or in no hurry."""

DISOWNS = re.compile(rf"\b(?:{_any_of('doubts', 'disowns')})\b", re.IGNORECASE)
"""Words with which somebody takes back what they said, or says that somebody else wrote. Apostrophes are left out."""

TURNS = re.compile(
    r"^\W*(?:(?:and|oh|well|sorry|hm{1,5}|er{1,3}m?|no|ok|please)\W{1,3}){0,3}"
    rf"(?:{_any_of('doubts', 'turns')})\b",
    re.IGNORECASE,
)
"""How a line begins that turns what was said above it, or hangs it on something."""

ASKS = re.compile(
    rf"[?？\u037e¿]|^\W*(?:(?:{_any_of('doubts', 'and')}) )?(?:{_any_of('doubts', 'asks')})\b", re.IGNORECASE
)
"""Lines that ask."""

MACHINE_SAYS = re.compile(
    rf"#\s?\d{{3,}}|\b(?:{_any_of('machines', 'numbered')})\b.{{0,30}}\d{{3,}}|\b(?:{_any_of('machines', 'say')})\b",
    re.IGNORECASE,
)
"""What answering programs of all kinds write: that something has come in, under which number, who is away."""

PLAIN = frozenset((*_all("yes", "alone"), *_all("no", "alone")))
"""Whole lines that are a vote where no call of one is answered; here an apostrophe stays."""

HALF = re.compile(rf"(?:{'|'.join(map(re.escape, (*_all('yes', 'begins'), *_all('no', 'begins'))))})\b", re.IGNORECASE)
"""How a line begins that is more than a yes or a no."""


class Word(StrEnum):
    """What a reply says to the question."""

    YES = "yes"
    NO = "no"


_UNREADABLE = frozenset({"encrypted", "signed-opaque", "winmail-dat", "text-from-attachment", "text-cut", "html-cut"})
"""Defects of a reply whose author may have written something that we do not see."""

_LONGEST = 100


def word_of(line: str) -> Word | None:
    """What a line says as a whole; None if it is neither a yes nor a no, or both.

    >>> [word_of(text) for text in ("Yes, that was me. Thanks!", "No, I didn't send that!", "ok")]
    [<Word.YES: 'yes'>, <Word.NO: 'no'>, <Word.YES: 'yes'>]
    >>> [word_of(text) for text in ("Das war ich nicht, ok?", "This is to confirm receipt", "right back on Monday")]
    [None, None, None]
    """
    found = _clauses(line)
    said = {Word.YES for clause in found if clause in YES} | {Word.NO for clause in found if clause in NO}
    plain = all(clause in YES or clause in NO or clause in BESIDE for clause in found)
    return said.pop() if plain and len(said) == 1 else None


def voice_of(line: str) -> Word | None:
    """What a line says, as a whole, to the call of a vote; None if it is neither an aye nor a nay.

    >>> [voice_of(text) for text in ("Aye please", "I agree!", "No, thank you.", "I did not send this", "Yes?")]
    [<Word.YES: 'yes'>, <Word.YES: 'yes'>, <Word.NO: 'no'>, None, None]
    """
    if len(line) > _LONGEST:
        return None
    found = [_bare(clause) for clause in _clauses(line, _VOICES)]
    said = {Word.YES for one in found if one in FOR} | {Word.NO for one in found if one in AGAINST}
    plain = all(one in FOR or one in AGAINST or one in BESIDE for one in found)
    return said.pop() if plain and len(said) == 1 else None


def is_plain_voice(line: str) -> bool:
    """Whether a line is an aye or a nay though no call of a vote is answered; "ok" and "sure" may be about anything."""
    return " ".join(line.lower().replace(",", " ").rstrip(" .!").split()) in PLAIN


def begins_as_voice(line: str) -> bool:
    """Whether a line begins with a yes or a no, and says more: "Yes, if Germany does"."""
    return HALF.match(line) is not None


_VOICES = FOR | AGAINST
_POLITE_END = re.compile(rf" (?:{_any_of('courtesies', 'behind-a-vote')})$")


def _bare(clause: str) -> str:
    """A clause without "please" or the like at its end, if what is left is an aye or a nay ("aye please"); else
    unchanged.
    """
    bare = _POLITE_END.sub("", clause)
    return bare if clause not in _VOICES and bare in _VOICES else clause


def is_undo(text: str) -> bool:
    """Whether the first line of a text, as a whole, takes a change back ("undo")."""
    found = _clauses(_first(text.split("\n")))
    return any(clause in UNDO for clause in found) and all(clause in UNDO or clause in BESIDE for clause in found)


def answer_of(envelope: Envelope, asked: Collection[str] = ()) -> Word | None:
    """What a reply says to the question of the letter that it answers; None if it is neither a yes nor a no. `asked`:
    the subjects of our letters about it, which are no words of its author.
    """
    if envelope.noise.is_noise or envelope.unsafe:
        return None
    typed = [line.text for line in envelope.own_lines]
    subject = own_topic(envelope, asked)
    body, headed = _said(typed), _as_whole(subject)
    if {body, headed} >= {Word.YES, Word.NO}:
        return None
    said = body or headed
    hidden = hides(envelope) or (not any(map(str.strip, typed)) and envelope.attachments)
    if said is Word.YES and (hidden or is_unsaid(envelope, asked)):
        return None
    return said


def own_topic(envelope: Envelope, asked: Collection[str] = ()) -> str:
    """The subject as far as it is its author's own; "" for that of a letter of ours."""
    ours = {"".join(topic_of(subject).split()) for subject in asked}
    return "" if "".join(envelope.topic.split()) in ours else envelope.topic


def is_unsaid(envelope: Envelope, asked: Collection[str] = (), *, beside: Collection[int] = ()) -> bool:
    """Whether something in a mail takes the certainty from a yes in it. `beside`: the numbers of lines that ask for
    something else, and so say nothing of the question.
    """
    typed = (line.text for line in envelope.own_lines if line.number not in beside)
    said = (*typed, *envelope.only_in_html, own_topic(envelope, asked))
    return any(_unsays(line) for line in said if _as_whole(line) is None)


def _unsays(line: str) -> bool:
    """Whether a line beside a yes takes the certainty from it: it denies, disowns or asks, or a machine wrote it."""
    text = _in_full(line)
    denies = not NEGATION.isdisjoint(re.findall(r"\w+", DENIES_NOTHING.sub(" ", text)))
    return denies or any(sign.search(text) for sign in (DISOWNS, ASKS, MACHINE_SAYS))


def _in_full(line: str) -> str:
    """A line in lower case without apostrophes, "don't" as "do not"."""
    return line.casefold().replace("’", "'").replace("n't", " not").replace("'", "")


def takes_back(line: str) -> bool:
    """Whether a line below an aye or a nay makes it none: it disowns it, takes it back, hangs it on a condition, or a
    machine wrote it. Other words below a vote, denials among them, are about something else.
    """
    text = _in_full(line)
    return any(sign.search(text) for sign in (DISOWNS, MACHINE_SAYS, TURNS)) or word_of(line) is Word.NO


def hides(envelope: Envelope) -> bool:
    """Whether the mail may hold text that could not be read."""
    return bool(_UNREADABLE & set(envelope.defects))


def typed_below(envelope: Envelope) -> bool:
    """Whether the author typed anything else than the yes or no, greetings and thanks."""
    typed = [line.text for line in envelope.own_lines]
    return any(text.strip() and _as_whole(text) is None and not _beside(text) for text in typed)


def begins_with_a_word(envelope: Envelope) -> bool:
    """Whether the first line that was typed begins with a yes or a no, whatever follows."""
    return begins_as_voice(_first(line.text for line in envelope.own_lines).strip())


def _said(typed: list[str]) -> Word | None:
    """What the lines say: the first one decides, unless a later one says the opposite."""
    first = _as_whole(_first(typed))
    later = {_as_whole(text) for text in typed}
    return first if first is None or not {Word.YES, Word.NO} <= later else None


def _first(typed: Iterable[str]) -> str:
    return next((text for text in typed if text.strip() and not greets(text)), "")


def _as_whole(line: str) -> Word | None:
    return word_of(line) if len(line) <= _LONGEST else None


_WORDS = YES | NO | UNDO


def _clauses(line: str, known: frozenset[str] = _WORDS) -> list[str]:
    """The clauses of a line in lower case, without punctuation and greetings. A clause that asks keeps its question
    mark, so that it equals none of the known phrases.
    """
    text = _plain(line)
    if (whole := " ".join(_MARKS.sub(" ", text).split())) in known:
        return [whole]
    parts = (" ".join(part.split()) for part in _MARKS.split(text))
    return [part for part in parts if part and not GREETING.fullmatch(part)]


def greets(line: str) -> bool:
    """Whether a line is a greeting, as a whole."""
    words = _MARKS.sub(" ", line).casefold().split()
    return GREETING.fullmatch(" ".join(words)) is not None and not (YES | NO | NEGATION) & set(words)


def _beside(line: str) -> bool:
    return all(clause in BESIDE for clause in _clauses(line))
