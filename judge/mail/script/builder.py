"""Builds the script: every line once, orders gathered into blocks, passwords hidden.

Passwords in a mail: which words are one, in how our lines and those of older judges have them, and how they are made
unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from judge.game.core.commands import Doubt, OrderLine, Submit
from judge.game.filing.submitting import SameAgain
from judge.game.settings.table import TABLE
from judge.languages import tell
from judge.mail.queries import Request
from judge.mail.script.doubtful import UNKNOWN
from judge.mail.script.model import SUBJECT, Ignored, LineTaken, ReadRequest, Script, Unasked, Unread
from judge.mail.script.phrases.words import OF_THE_GAME, ORDINARY
from judge.mail.vocabulary import Unclear

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

_IN_WORDS = re.compile(rf"\b(?:{'|'.join(name.replace('_', ' ') for name in TABLE if '_' in name)})\b", re.IGNORECASE)
"""Settings of several words, as people write them: "hide late yes"."""

_FREE = frozenset({"prefer", "preference", "preferences", "name", "reason", "because"})
"""Behind these everything is the author's own words."""

_NAMES_NEXT = frozenset({"in", "of", "for", "preset"})
"""Behind these a game or a preset is named: "claim France in baltic", "create avalon preset 1958"."""

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
    """The words of a line that may be a password, as the older judges have it in sign-ons, `create`, `observe` ...

    >>> signed_with("create baltic private, hide late yes, spelled names yes")
    frozenset()
    """
    match = _SIGNED.match(text) if len(text) <= 300 else None
    if match is None or match["target"].lower() in ("tournament", "zine"):  # which the older judges do not know
        return frozenset()
    rest = _IN_WORDS.sub(lambda named: named[0].replace(" ", "_"), match["rest"])
    found, before, words = set(), match["target"].lower(), rest.split()
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


_MOST_PASSWORDS = 3
"""The most passwords that are checked; checking one is slow on purpose."""

_LONGEST_TEXT = 500
"""Of a line as it is shown back."""

_UNSAID = ("", None, ())
"""What stands in a request for what nobody has said."""


@dataclass(slots=True)
class _Orders:
    """A block of orders under way."""

    game: str
    power: str
    turn: str
    replace: bool
    amends: bool
    lines: list[OrderLine] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)


def _remark(unread: Unread) -> Ignored:
    return Ignored(unread.line, unread.text, Unasked.CHATTER)


def _adds(fuller: ReadRequest, other: ReadRequest) -> bool:
    """Whether a request says all that another one of its kind says, and leaves nothing out that the other says."""
    more, less = fuller.request, other.request
    if type(more) is not type(less):
        return False
    names = [one.name for one in fields(cast(Any, more))]  # each request is a dataclass; the features' type says less
    pairs = [(getattr(more, one), getattr(less, one)) for one in names]
    return all(first == then or then in _UNSAID for first, then in pairs)


class ScriptBuilder:
    """Collects what the lines of one mail come to."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        self._passwords: dict[str, None] = {}
        self._hidden = frozenset(form for value in secrets for form in (value, value.strip(AROUND)) if len(form) >= 4)
        self._said: list[ReadRequest | _Orders] = []
        self._unread: list[Unread] = []
        self._ignored: list[Ignored] = []
        self._open: dict[tuple[str, str, str, bool], _Orders] = {}
        self.edited: list[int] = []
        self._readers: dict[int, list[str]] = {}
        self.failures = 0
        """Lines in a row that could not be read."""

    def readers_of(self, number: int) -> int:
        """How many readers have taken something of a line so far."""
        return len(self._readers.get(number, ()))

    def read_by(self, number: int, at: int, reader: str) -> None:
        """Note who took a line, before those to whom that reader handed its parts (they are noted from `at` on)."""
        self._readers.setdefault(number, []).insert(at, reader)

    @property
    def asked(self) -> bool:
        """Whether anything was asked for so far, understood or not."""
        return bool(self._said or self._unread)

    @property
    def ordered(self) -> bool:
        """Whether there are any orders so far."""
        return any(isinstance(one, _Orders) for one in self._said)

    @property
    def last_order(self) -> int:
        """The number of the last line that is an order so far, 0 if none is."""
        return max((line.number for one in self._said if isinstance(one, _Orders) for line in one.lines), default=0)

    def say(
        self, request: Request, lines: Iterable[int], text: str, verb: str, *, game: str, notes: Iterable[str] = ()
    ) -> None:
        """Add a request. One that repeats the subject's, or the one just above, is not added again. If subject and text
        ask for the same thing and one of them says more, that one is kept.
        """
        self.failures = 0
        new = ReadRequest(request, tuple(lines), self.hide(text), verb, game, tuple(notes))
        for at, one in enumerate(self._said):
            if not isinstance(one, ReadRequest) or one.game != game:
                continue
            subject = SUBJECT in one.lines
            if subject and (one.request == request or _adds(one, new)):
                self._said[at] = replace(one, lines=(*one.lines, *new.lines))
                return
            if one.request == request and at == len(self._said) - 1:
                return self._repeated(new)
            if subject and _adds(new, one):
                self._said[at] = replace(new, lines=(*new.lines, *one.lines))
                return
        if isinstance(request, SameAgain):
            return self._before_orders(new)
        self._said.append(new)

    def _before_orders(self, again: ReadRequest) -> None:
        """The orders of the last turn are for the units of which the mail says nothing else, wherever it says so."""
        orders = (at for at, one in enumerate(self._said) if one in self._open.values() and one.game == again.game)
        self._said.insert(next(orders, len(self._said)), again)

    def _repeated(self, again: ReadRequest) -> None:
        """Name the lines that ask for what was asked just above."""
        for number in again.lines:
            self.ignore(number, again.text, Unasked.REPEATED)

    def explain(self, begun: int, here: str) -> None:
        """Say of every request since `begun` (see `written`) what it is in our words."""
        for at, one in enumerate(self._said[begun:], begun):
            if isinstance(one, ReadRequest):
                self._said[at] = replace(one, here=here)

    @property
    def written(self) -> int:
        """How many requests there are so far."""
        return len(self._said)

    def order(
        self,
        number: int,
        text: str,
        *,
        game: str,
        power: str,
        turn: str,
        replace: bool,
        amends: bool,
        notes: Iterable[str] = (),
        doubt: Doubt | None = None,
    ) -> None:
        """A line of orders. Those for one game, power and turn make one block, wherever they stand in the mail."""
        key = (game, power, turn, amends)
        if replace or key not in self._open:
            self._open[key] = _Orders(game, power, turn, replace, amends)
            self._said.append(self._open[key])
        self._open[key].lines.append(OrderLine(number, text.strip(), doubt=doubt))
        self._open[key].notes |= dict.fromkeys(notes)
        self.failures = 0

    def close_orders(self) -> None:
        """End the open blocks of orders, because a command that changes the orders on file stands below them: later
        lines begin new blocks.
        """
        self._open.clear()

    def question(self, lines: Iterable[int], text: str, unclear: Unclear, verb: str = "") -> None:
        """Lines that were meant as a command and are asked back."""
        behind = signed_with(text)
        candidates = tuple(self.hide(hide(line, behind)) for line in unclear.candidates)
        if (secret := named_secret(text)) and any(secret in line for line in candidates):
            candidates = ()  # "create sunrise-private-password-tiger"
        sentence = self.hide(hide(tell(unclear.sentence), behind))
        self._unread.append(Unread(tuple(lines), self.hide(text), unclear.reason, sentence, candidates, verb))

    def retract(self, said: ReadRequest, unclear: Unclear) -> None:
        """Ask about a line that was taken for a request, and is none."""
        self._said.remove(said)
        self.question(said.lines, said.text, unclear, said.verb)

    @property
    def requests(self) -> tuple[ReadRequest, ...]:
        """What was asked for so far, but for orders."""
        return tuple(one for one in self._said if isinstance(one, ReadRequest))

    def ask_instead(self, unclear: Unclear, verb: str) -> None:
        """Ask about the first line of prose, where the mail as a whole was to say something and says nothing."""
        said = next((one for one in self._ignored if one.why is Unasked.CHATTER and one.line != SUBJECT), None)
        if said is not None:
            self._ignored.remove(said)
            self.question((said.line,), said.text, unclear, verb)

    def ask_about_forwarded(self, unclear: Unclear) -> None:
        """Ask about the first line of what was forwarded."""
        said = self.ignored_as(Unasked.FORWARDED)[0]
        self._ignored.remove(said)
        self.question((said.line,), said.text, unclear)

    def set_aside(self, is_filler: Callable[[ReadRequest], bool]) -> None:
        """A yes that answers no question of ours, beside what asks for something."""
        fillers = [one for one in self._said if isinstance(one, ReadRequest) and is_filler(one)]
        if len(fillers) == len(self._said):
            return
        for one in fillers:
            self._said.remove(one)
            self._ignored += [Ignored(number, one.text, Unasked.UNASKED) for number in one.lines]

    def ignored_as(self, why: Unasked) -> tuple[Ignored, ...]:
        """The lines of the text that ask for nothing, for this reason, in their order."""
        return tuple(sorted((one for one in self._ignored if one.why is why and one.line), key=lambda one: one.line))

    def take_up(self, lines: Iterable[Ignored]) -> None:
        """Lines that were left aside, and are something after all."""
        gone = set(lines)
        self._ignored = [one for one in self._ignored if one not in gone]

    def ignore(self, number: int, text: str, why: Unasked) -> None:
        """A line that asks for nothing."""
        shown = text
        if value := secret_in(text):
            shown = text.replace(value, "****")
        self._ignored.append(Ignored(number, self.hide(shown), why))

    def keep(self, value: str) -> None:
        """A password that the author typed, to be shown nowhere."""
        self._passwords[value] = None
        self._hidden |= {value}

    def hide(self, text: str) -> str:
        """A text fit to be shown: passwords made unreadable, and cut if it is long."""
        return hide(text, self._hidden | signed_with(text))[:_LONGEST_TEXT].rstrip()

    def clean(self, body: str) -> str:
        """A text fit to be sent to others: passwords made unreadable."""
        return hide(body, self._hidden)

    def script(self) -> Script:
        """The finished script."""
        said = tuple(self._finished(one) if isinstance(one, _Orders) else one for one in self._said)
        ignored = tuple(sorted(self._ignored, key=lambda one: one.line))
        if said:  # beside what was asked for, a line of prose is a greeting and no failed command
            prose = [one for one in self._unread if one.reason == UNKNOWN]
            ignored = tuple(sorted((*ignored, *(_remark(one) for one in prose)), key=lambda one: one.line))
            self._unread = [one for one in self._unread if one.reason != UNKNOWN]
        unread = tuple(sorted(self._unread, key=lambda one: one.line))
        passwords = tuple(self._passwords)[:_MOST_PASSWORDS]
        script = Script(said, unread, ignored, passwords, tuple(self.edited))
        became = sorted(script.accounts().items())
        read = (LineTaken(line, tuple(self._readers.get(line, ())), what) for line, what in became)
        return replace(script, read=tuple(one for one in read if one.by or one.became in ("said", "unread")))

    def _finished(self, orders: _Orders) -> ReadRequest:
        submit = Submit(tuple(orders.lines), orders.power, orders.replace, orders.turn, orders.amends)
        numbers = tuple(line.number for line in orders.lines)
        text = self.hide("\n".join(line.text for line in orders.lines))
        return ReadRequest(submit, numbers, text, "orders", orders.game, tuple(orders.notes))
