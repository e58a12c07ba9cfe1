"""Subjects and thread identifiers, cleaned of what mail programs add."""

import re

from judge.mail.headers import clean_header
from judge.mail.raw.fields import Fields, decode_words
from judge.mail.raw.limits import LIMITS, ReadingLimits

_REPLY_WORDS = (
    "re|r|aw|antw|antwort|sv|vs|vá|ref|réf|res|rif|odp|ynt|bls|atb|отв|на|回复|答复|回覆|返信|답장"
    "|fw|fwd|wg|wtr|tr|rv|enc|i|doorst|vb|vl|vl|videresendt|pd|továbbítás|fs|ilt|i̇lt|пересл|转发|轉寄|転送|전달"
)
_PREFIX = re.compile(
    rf"(?:(?:{_REPLY_WORDS})(?:\s?[\[(^]\s?\d{{1,4}}\s?[\])]?)?\s?[:：]|\[(?:ext|extern|external)\]|\*{{2,10}}spam\*{{2,10}})\s*",
    re.IGNORECASE,
)
_ID = re.compile(r"<([^<>\s]{1,1000})>")
_SOUND_ID = re.compile(r"[!-;=?-~]+")


def read_subject(fields: Fields) -> str:
    """The Subject decoded, on one line, without control characters, capped."""
    return clean_header(decode_words(fields.first("subject")))


def topic_of(subject: str) -> str:
    """`subject` without the chain of reply and forward marks, in many languages.

    >>> topic_of("RE: AW: Re[2]: Fwd: tannenburg")
    'tannenburg'
    """
    topic = subject.strip()
    while match := _PREFIX.match(topic):
        topic = topic[match.end() :]
    return topic


def read_ids(value: str, limits: ReadingLimits = LIMITS) -> tuple[str, ...]:
    """The message identifiers in a field, with their angle brackets; those that are too long or not ASCII left out."""
    found = (match[0] for match in _ID.finditer(value))
    sound = (one for one in found if len(one) <= limits.message_id and _SOUND_ID.fullmatch(one[1:-1]))
    return tuple(dict.fromkeys(sound))[-limits.references :]


def read_message_id(fields: Fields, limits: ReadingLimits = LIMITS) -> tuple[str | None, tuple[str, ...]]:
    """(identifier, defects). Several different identifiers identify nothing."""
    values = fields.all("message-id")
    if not values:
        return None, ("no-message-id",)
    ids = {one for value in values for one in read_ids(value, limits)}
    if len(ids) == 1:
        return ids.pop(), ()
    return None, ("message-id-unusable",)
