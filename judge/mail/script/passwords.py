"""Passwords in a mail: which words are one, in how our lines and those of older judges have them, and how they are made
unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from judge.game.settings.table import TABLE
from judge.mail.script.phrases.words import OF_THE_GAME, ORDINARY

_SECRET = re.compile(
    r"^[\s>|*-]*(?:my\s+)?(?:p[aoe]?s+w?o?r?d|passwo?rt|passwd|pass\s?word|pswd|pw|pin(?:\s?code)?)"
    r"(?:\s+is)?\s*[:=]?\s+(\S+)\s*$|^[\s>|*-]*(?:my\s+)?(?:password|passwd|pw|pin)\s*[:=]\s*(\S+)\s*$",
    re.IGNORECASE,
)

_SIGN_ON = re.compile(r"^[\s>|*-]*(?:sign\s?on|log\s?in)\s+\S+\s+(\S+)\s*$", re.IGNORECASE)

_NEW_SECRET = re.compile(
    r"^[\s>|*-]*(?:set|change|new|please)[\s\w]{0,20}?\b(?:password|passwd|pw|pin)\b\s*(?:[:=]|to\b|is\b)?\s*(\S+)\s*$",
    re.IGNORECASE,
)

_SIGNED = re.compile(
    r"^[\s>|*-]*(?:(?P<any>sign\s?on|log\s?in)|create(?: game)?|observe|watch|monitor|subscribe|join(?: game)?|resign"
    r"|withdraw|leave|claim|take\s?over|adopt|invest|revive|dummy|(?P<greets>hello)|register)\s+(?P<target>\S+)\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
"""How the older judges' lines with a password in them begin: a verb, a game or POWER@GAME, the password, more words."""

_OPEN_WORDS = """
    preset standard zone timezone name prefer preferences preference results report reports digest good weekly
    everything with game games only every because reason please thanks until from this that france england germany
    italy russia turkey austria austria-hungary hungary spain called named power ever forever orders seat vote
    editor pdf epub html text notice letter booklet ascii"""
_OPEN = frozenset(_OPEN_WORDS.split())
"""Words of our own forms of these lines, which are shown as they are; so are the names of settings, and what is said of
them.
"""

_SETTINGS = frozenset(word for name, one in TABLE.items() for words in (name, *one.synonyms) for word in words.split())

_FREE = frozenset({"prefer", "preference", "preferences", "name", "reason", "because"})
"""Behind these everything is the author's own words."""

_NAMES_NEXT = frozenset({"in", "of", "for"})
"""Behind these a game is named: "claim France in baltic"."""

_ARTICLES = frozenset({"a", "an", "the", "my", "our", "me", "us", "it", "this", "that", "new", "some", "game"})
"""Where these stand in the place of a game or a power, the line is a sentence of ours, and no older judge's."""

_NAMED_SECRET = re.compile(r"\b(?:password|passwd|pw|pin)\b(?:\s+(?:is|of))?\s*[:=]?\s+(\S+)", re.IGNORECASE)

_VALUES = frozenset(
    ["private", "public", "open", "closed", "approval", "invitation", "gunboat", "anonymous", "white", "grey", "alone"]
)
"""Settings that are said by their value alone, and the word that ends "leave me alone"."""

_SAID_OF_ONESELF = frozenset({"name", "zone", "timezone"})
"""Behind these, in `register`, is no password."""

HIDDEN = "****"


def secret_in(text: str) -> str:
    """The password on a password line, however the word is spelled; "" on any other line."""
    match = _SECRET.match(text) if len(text) <= 300 else None
    return (match[1] or match[2] or "") if match else ""


def secrets_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Every password in a mail, quoted or typed: none of them may be shown or passed on."""
    found: dict[str, None] = {}
    for text in texts:
        if value := secret_in(text):
            found[value] = None
        elif len(text) <= 300 and (match := _SIGN_ON.match(text) or _NEW_SECRET.match(text)):
            found[match[1]] = None
    return tuple(found)


def named_secret(text: str) -> str:
    """The word behind "password" within a line: "create baltic private password heron-41"; "" where none is."""
    match = _NAMED_SECRET.search(text) if len(text) <= 300 else None
    return match[1] if match and len(match[1].strip(AROUND)) > 3 else ""


def signed_with(text: str) -> frozenset[str]:
    """The words of a line that may be a password, as the older judges have it in sign-ons, `create`, `observe` ..."""
    match = _SIGNED.match(text) if len(text) <= 300 else None
    if match is None or match["target"].lower() in ("tournament", "zine"):  # which the older judges do not know
        return frozenset()
    found, before, words = set(), match["target"].lower(), match["rest"].split()
    if before.strip(AROUND) in _ARTICLES and not match["any"]:
        named = named_secret(match["rest"])
        return frozenset({named, named.strip(AROUND)}) if named else frozenset()
    if match["greets"] and (len(words) > 1 or before[-1] in AROUND):
        return frozenset()  # "Hello judge, I am lost"
    if before.startswith("?"):
        words = words[:1]  # "create ?game PASSWORD variant": what follows is none
    if len(words) == 1 and before in _SAID_OF_ONESELF:
        return frozenset()
    if len(words) == 1 and words[0].strip(AROUND).lower() not in _OPEN | _FREE | _VALUES and "=" not in words[0]:
        return frozenset({words[0], words[0].strip(AROUND)})
    for word in words:
        bare, before, last = word.strip(AROUND), word.lower(), before
        if last in _NAMES_NEXT or (match["any"] is None and (bare.lower() in _SETTINGS or last in _SETTINGS)):
            continue
        if match["any"] is None and bare.lower() in _FREE:
            break
        plain = bare.lower() in _OPEN | _VALUES | ORDINARY | OF_THE_GAME or "=" in bare or len(bare) < 4
        if match["any"] or not plain:
            found |= {word, bare}
    return frozenset(found)


def without_secrets(texts: Sequence[str]) -> tuple[str, ...]:
    """Lines of a mail, its subject among them, fit for other eyes: no password that any of them has stands in one.

    >>> without_secrets(["password heron-41", "A Par - Bur", "(heron-41)"])
    ('password ****', 'A Par - Bur', '(****)')
    """
    words = secret_words(texts)
    return tuple(hide(_value_hidden(text), words) for text in texts)


def secret_words(texts: Sequence[str]) -> frozenset[str]:
    """Every word of these lines that is a password or may be one, with and without the marks around it."""
    found = {form for value in secrets_of(texts) for form in (value, value.strip(AROUND)) if len(form) >= 4}
    return frozenset(found).union(*(signed_with(text) for text in texts))


def _value_hidden(text: str) -> str:
    value = secret_in(text)
    return text.replace(value, HIDDEN) if value else text


_WORD = re.compile(r"\S+")

AROUND = ",;:.!?\"'()<>[]`*_"


def hide(text: str, secrets: frozenset[str]) -> str:
    """A text with every password in it made unreadable, also where marks stand around it."""
    if not secrets:
        return text
    return _WORD.sub(lambda word: _hidden(word[0], secrets), text)


def _hidden(word: str, secrets: frozenset[str]) -> str:
    bare = word.strip(AROUND)
    if word in secrets:
        return HIDDEN
    return word.replace(bare, HIDDEN) if bare in secrets else word
