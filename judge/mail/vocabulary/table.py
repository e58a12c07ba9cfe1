"""The one table of verbs, and finding a line's verb in it: by name, by a unique beginning, or as a near miss."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import ModuleType

from judge import subjects
from judge.board.spelling import allowance, opposes, slips
from judge.game.core.commands import Role
from judge.mail.vocabulary import (
    account,
    anyone,
    assembly,
    founding,
    gm,
    gmdesk,
    participants,
    planning,
    player,
    reading,
    sandbox,
    schedule,
    tournament,
)
from judge.mail.vocabulary.model import BodyRule, Clause, Match, Reading, Verb

VERB_MODULES: tuple[ModuleType, ...] = (
    player, planning, assembly, schedule, sandbox, tournament, founding, gm, gmdesk, anyone,
    account, participants, reading, *subjects.modules("verbs"),
)  # fmt: skip


def _read_first(verb: Verb) -> Verb:
    """The verb, whose line a subject may read first: `ALSO` in its `verbs.py` says, by the verb's name, what does; None
    leaves the line to the verb.
    """
    first = [module.ALSO[verb.name] for module in VERB_MODULES if verb.name in getattr(module, "ALSO", ())]
    if not first:
        return verb

    def read(clause: Clause) -> Reading:
        return next(filter(None, (each(clause) for each in first)), None) or verb.read(clause)

    return replace(verb, read=read)


def _in_order(verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """Each verb where its row stands, or behind the one that it says."""
    found: list[Verb] = []
    for verb in verbs:
        place = 1 + next(at for at, one in enumerate(found) if one.name == verb.after) if verb.after else len(found)
        found.insert(place, verb)
    return tuple(found)


_ROWS = (
    *(verb for module in VERB_MODULES for verb in module.VERBS),
    *filter(None, (one.verb for one in subjects.acts())),
)

VERBS: tuple[Verb, ...] = _in_order(map(_read_first, _ROWS))
"""All verbs, in the order in which help prints them."""

BY_NAME: Mapping[str, Verb] = {verb.name: verb for verb in VERBS}

_SHORTEST = 3
_TOKEN = re.compile(r"[^\s:=,;!?.\"()\[\]]+")
_POLITE = frozenset({"please", "pls", "plz", "kindly"})


def _names(verbs: Iterable[Verb]) -> dict[tuple[str, ...], Verb]:
    found: dict[tuple[str, ...], Verb] = {}
    for verb in verbs:
        for name in verb.words:
            words = tuple(name.split())
            if words in found:
                raise AssertionError(f"two verbs are called {name!r}")
            found[words] = verb
    return found


_BY_WORDS = _names(VERBS)
_MEANT = {count: [(words, "".join(words)) for words in _BY_WORDS if len(words) == count] for count in (1, 2)}
_MOST_WORDS = max(len(words) for words in _BY_WORDS)


def may_use(verb: Verb, role: Role) -> bool:
    """Whether somebody in this role may use a verb; whose role nobody knows yet may try them all."""
    return role in verb.roles or role is Role.STRANGER


def find_verb(line: str) -> Match | None:
    """The verb whose name begins a line, the longest name first; "please" before it is let pass.

    >>> find_verb("SET NOWAIT").verb.name, find_verb("Vote: aye 12").rest, find_verb("A Par - Bur")
    ('ready', 'aye 12', None)
    """
    tokens = _leading(line)
    for count in range(len(tokens), 0, -1):
        verb = _BY_WORDS.get(tuple(word for word, _ in tokens[:count]))
        if verb is not None:
            return _match(verb, line, tokens, count)
    return None


def find_abbreviated(line: str, role: Role) -> Match | None:
    """The only verb for this role whose name begins with a line's first word; none that cannot be taken back."""
    tokens = _leading(line)[:1]
    if not tokens or len(tokens[0][0]) < _SHORTEST:
        return None
    near = [verb for words, verb in _BY_WORDS.items() if len(words) == 1 and words[0].startswith(tokens[0][0])]
    verbs = {verb.name: verb for verb in near if may_use(verb, role)}
    if len(verbs) != 1:
        return None
    verb = verbs.popitem()[1]
    return None if verb.risky or verb.whole else _match(verb, line, tokens, 1)


def find_near(line: str, role: Role) -> tuple[Match, ...]:
    """The verbs that a line's first word, or its first two, may be a misspelling of, nearest first; never two slips
    in a short word.
    """
    tokens = _leading(line)[:2]
    near = _near_names(tuple(word for word, _ in tokens))
    usable = [
        (distance, words) for distance, words in near if may_use(_BY_WORDS[words], role) and not _BY_WORDS[words].whole
    ]
    found: dict[str, Match] = {}
    for distance, words in usable:
        verb = _BY_WORDS[words]
        if distance == usable[0][0]:
            match = Match(verb, " ".join(words), _rest(verb, line, tokens[len(words) - 1][1]))
            found.setdefault(verb.name, match)
    return tuple(found.values())


@lru_cache(maxsize=1024)
def _near_names(tokens: tuple[str, ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Names of verbs that the first of these words may be slips of, each with its distance, nearest first.

    Each word must be a slip of its own ("show orders" is not "same orders"), and none may say the opposite.
    """
    found = []
    for count in range(1, len(tokens) + 1):
        typed = "".join(tokens[:count])
        most = allowance(typed)
        for words, meant in _MEANT[count] if len(typed) > _SHORTEST else ():
            distance = slips(typed, meant, most)
            if distance is not None and all(map(_may_be, tokens, words)):
                found.append((distance, words))
    return tuple(sorted(found, key=lambda one: one[0]))


def _may_be(typed: str, meant: str) -> bool:
    """Whether one word may be a slip of another; "unstart" is none of "start", nor "wait" of "nowait"."""
    return slips(typed, meant, allowance(typed)) is not None and not opposes(typed, meant)


def _leading(line: str) -> list[tuple[str, int]]:
    """The first words of a line in lower case, each with where it ends; an order mark between them ends the search."""
    tokens: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(line[:200].replace("’", "'")):
        word = token[0].lower()
        if tokens and line[tokens[-1][1] : token.start()].strip():
            break
        if not tokens and word in _POLITE:
            continue
        tokens.append((word, token.end()))
        if len(tokens) == _MOST_WORDS:
            break
    return tokens


def _match(verb: Verb, line: str, tokens: list[tuple[str, int]], count: int) -> Match:
    rest = _rest(verb, line, tokens[count - 1][1])
    if verb.fills is not None and verb.fills.search(rest):
        verb = replace(verb, body=BodyRule.TEXT, verbatim=True)
    return Match(verb, " ".join(word for word, _ in tokens[:count]), rest)


def _rest(verb: Verb, line: str, end: int) -> str:
    """What follows a verb, without punctuation around it ("vote: aye", "process!"). Verbs that take prose keep it,
    since a colon means something there.
    """
    if verb.body in (BodyRule.TEXT, BodyRule.PARAGRAPH):
        return line[end:].strip()
    return re.sub(r"^[\s:=,;!?.]+", "", line[end:]).rstrip()
