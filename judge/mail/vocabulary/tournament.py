"""Verbs of tournaments: announced and led by a director, entered by players, read by anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from judge.game.settings.bundles import PRESETS
from judge.game.settings.values import OTHER_NAMES, SYSTEM_NAMES
from judge.languages import tell, together
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import missing, no_more, plain, read_addresses
from judge.mail.vocabulary.model import BodyRule, Clause, HelpTopic, Part, Reading, Unclear, Verb, VerbOfAll
from judge.mail.vocabulary.settings_text import read_below, read_inline


@dataclass(frozen=True, slots=True)
class ShowTournament(Query, enclosed=True, once=True, public=True):
    """The page of a tournament; without a name, all of them."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class _OfATournament:
    name: str

    @property
    def about(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AnnounceTournament(_OfATournament, PersonRequest):
    """A new tournament, led by whoever announces it. `settings`: of its games."""

    rounds: int = 3
    scoring: str = "squares"
    preset: str = "standard"
    access: str = "open"
    top: bool = False
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EnterTournament(_OfATournament, PersonRequest):
    """Take part; `wishes`: powers as written, read with the tournament's board."""

    wishes: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawFromTournament(_OfATournament, PersonRequest):
    """Take part in no further round."""


@dataclass(frozen=True, slots=True)
class LeadTournament(_OfATournament, PersonRequest):
    """An act of a tournament's director: `act` is "seed", "swap", "start", "end" or "remove"; `who`: whom it is about,
    two names for "swap".
    """

    act: str
    who: str = ""

    @property
    def doing(self) -> str:
        return f"{self.name} {self.act}"


@dataclass(frozen=True, slots=True)
class InviteToTournament(_OfATournament, PersonRequest):
    """These addresses may enter, and each gets a letter."""

    addresses: tuple[str, ...]


_NAME = re.compile(r"[a-z][a-z0-9-]{0,20}")
_ACTS: Mapping[str, str] = {
    **dict.fromkeys(("seed", "seeding", "reseed", "draw", "pair"), "seed"),
    **dict.fromkeys(("start", "begin", "start round", "next round"), "start"),
    **dict.fromkeys(("end", "close", "finish"), "end"),
    **dict.fromkeys(("remove", "expel", "drop"), "remove"),
    **dict.fromkeys(("swap", "exchange", "switch"), "swap"),
}
_WHOM: Mapping[str, Callable[[str], tuple[str, str]]] = {
    "remove": lambda name: (tell("Who is to be removed"), f"tournament {name} remove Anna"),
    "swap": lambda name: (tell("Who is to change places"), f"tournament {name} swap Anna and Ben"),
}
"""Acts that are about somebody -> what is missing where nobody is named, and how it is written."""
_ENTER = frozenset({"enter", "join", "register", "sign up", "play"})
_LEAVE = frozenset({"withdraw", "leave", "quit", "drop out"})
_SAY = "create tournament autumn rounds 3 scoring squares preset standard"


def _tournament(clause: Clause) -> Reading:
    """`tournament NAME [ACT ...]`."""
    if "tournament" in clause.word and clause.word.split()[0] in ("create", "new", "announce"):
        return _announce(clause)
    words = plain(clause.rest).split()
    if not words:
        return ShowTournament()
    name, rest = words[0].lower(), " ".join(words[1:])
    if not _NAME.fullmatch(name):
        return _bad_name(name)
    return _act(name, rest)


_SHOW = frozenset(
    {
        "standings", "table", "status", "show", "page", "results", "result", "totals", "points", "scores", "score",
        "boards", "pairings", "draft", "round", "rounds", "ranking", "who", "rules", "terms",
    }
)  # fmt: skip
"""Words for the page, of which each of these is a part."""


_NEW = frozenset(("new", "create", "announce", "make", "open"))
""" "tournament new spring": how people would announce one."""


def _act(name: str, rest: str) -> Reading:
    two, one = " ".join(rest.lower().split()[:2]), rest.lower().partition(" ")[0]
    for said in (two, one):
        after = rest[len(said) :].strip(" :,")
        if said in _ENTER:
            return EnterTournament(name, re.sub(r"^(?:with|prefer(?:ring)?|as)\b\s*", "", after, flags=re.IGNORECASE))
        if said in _LEAVE:
            return WithdrawFromTournament(name) if no_more(after) else _too_much(name, said, after)
        if said == "invite":
            return _invite(name, after)
        if said in _ACTS:
            if no_more(after) and _ACTS[said] in _WHOM:
                return missing(*_WHOM[_ACTS[said]](name))
            if _ACTS[said] not in _WHOM and not _of_the_round(after):
                return _too_much(name, said, after)
            return LeadTournament(name, _ACTS[said], after if _ACTS[said] in _WHOM else "")
    if no_more(rest) or one in _SHOW:
        return ShowTournament(name)
    if name.lower() in _NEW:
        return Unclear(
            "no-act", tell("A tournament is announced with `create tournament NAME`."), (f"create tournament {rest}",)
        )
    lines = tuple(f"tournament {name} {act}".strip() for act in ("", "enter", "withdraw", "seed", "start"))
    return Unclear("no-act", tell('I do not know what "{rest}" is to do in a tournament.', rest=rest[:40]), lines)


_ROUND = re.compile(r"(?:the\s+)?(?:next\s+)?(?:round(?:\s+\d{1,2})?|tournament|boards?)?(?:\s+now)?", re.IGNORECASE)


def _of_the_round(after: str) -> bool:
    """Whether what stands behind an act says no more than the act itself: "seed the next round"."""
    return no_more(after) or _ROUND.fullmatch(plain(after)) is not None


def _too_much(name: str, said: str, after: str) -> Unclear:
    """An act that is about nothing else: "end masters-1a" is a board, and would have closed the whole tournament."""
    board = (
        tell("A board of it is closed like any game: end game {split}", split=after.split()[0])
        if _ACTS.get(said) == "end"
        else ""
    )
    sentence = tell(
        '`tournament {name} {said}` takes nothing after it, so I did nothing for "{after}".',
        name=name,
        said=said,
        after=after[:40],
    )
    return Unclear("too-much", together(sentence, board), (f"tournament {name} {said}",))


def _invite(name: str, text: str) -> Reading:
    words = [word.strip("<>()") for word in re.split(r"[\s,;]+", text) if word.strip("<>()") and word.lower() != "and"]
    good, wrong = read_addresses(words)
    if not words:
        return missing(tell("The address"), f"tournament {name} invite anna@example.org")
    if wrong:
        lines = (f"tournament {name} invite {', '.join(good)}",) if good else ()
        return Unclear("no-address", tell("{wrong}; nobody was invited.", wrong=wrong), lines)
    return InviteToTournament(name, good)


def _announce(clause: Clause) -> Reading:
    """`create tournament NAME rounds 3 scoring squares preset standard top board private`, settings below."""
    rest, inline = read_inline(clause.rest)
    if isinstance(inline, Unclear):
        return inline
    name, _, terms = re.sub(r"[\s,;:.]+", " ", plain(rest).lower()).strip().partition(" ")
    if not name:
        return missing(tell("The name of the tournament"), _SAY)
    if not _NAME.fullmatch(name):
        return _bad_name(name)
    below = [read_below(line) for line in clause.body.splitlines()]
    pairs = (*inline, *(pair for pair in below if isinstance(pair, tuple)))
    found: dict[str, str] = {}
    for term, pattern in _TERMS.items():
        if match := pattern.search(terms):
            found[term] = next(filter(None, match.groups()), "yes")
            terms = f"{terms[: match.start()]} {terms[match.end() :]}"
    if left := [word for word in re.split(r"[\s,]+", terms) if word and word not in _BETWEEN]:
        sentence = tell(
            'I do not know "{left}" in the terms of a tournament; write them like this: {say}',
            left=" ".join(left)[:40],
            say=_SAY,
        )
        return Unclear("no-term", sentence)
    # The systems of its boards, written as a setting, are the tournament's: its totals are of one.
    found.setdefault("scoring", dict(pairs).get("scoring", "squares"))
    pairs = tuple(pair for pair in pairs if pair[0] != "scoring")
    if (unclear := _wrong_term(found)) is not None:
        return unclear
    return AnnounceTournament(
        name,
        rounds=int(found.get("rounds", 3)),
        scoring=found.get("scoring", "squares"),
        preset=found.get("preset", "standard"),
        access="invitation" if "private" in found else "open",
        top="top" in found,
        settings=pairs,
    )


_TERMS: Mapping[str, re.Pattern[str]] = {
    "rounds": re.compile(r"\b(\d+)\s+rounds?\b|\brounds?\s*[=:]?\s*(\S+)"),
    "scoring": re.compile(r"\b(?:scoring|scored|score)\s*(?:by|system)?\s*[=:]?\s*([\w-]+)"),
    "preset": re.compile(r"\bpreset\s*[=:]?\s*([\w-]+)"),
    "top": re.compile(r"\btop\s*board\b"),
    "private": re.compile(r"\b(?:private|(?:by\s+)?invitation(?:\s+only)?)\b"),
}
_BETWEEN = frozenset({"with", "and", "a", "the", "in", "of", "public", "open", "please", "board", "games"})


def _wrong_term(found: dict[str, str]) -> Unclear | None:
    rounds = found.get("rounds", "3")
    if not rounds.isdecimal() or not 1 <= int(rounds) <= 12:
        return Unclear(
            "no-rounds", tell('"{rounds}" is not a number of rounds; there may be 1 to 12.', rounds=rounds[:20])
        )
    scoring = found["scoring"] = OTHER_NAMES.get(found.get("scoring", "squares"), found.get("scoring", "squares"))
    if scoring not in SYSTEM_NAMES:
        return Unclear(
            "no-scoring",
            tell(
                'I know no scoring "{scoring}"; there are {system_names}.',
                scoring=scoring[:40],
                system_names=", ".join(SYSTEM_NAMES),
            ),
        )
    preset = found.get("preset", "standard")
    if preset not in PRESETS:
        return Unclear(
            "no-preset",
            tell('There is no preset "{preset}"; there are {presets}.', preset=preset[:40], presets=", ".join(PRESETS)),
        )
    return None


def _bad_name(name: str) -> Unclear:
    sentence = tell(
        '"{name}" is not a name of a tournament: it is one word of up to 21 letters, digits and dashes.', name=name[:40]
    )
    return Unclear("bad-name", sentence, ("tournaments",))


TOPICS: tuple[HelpTopic, ...] = (
    HelpTopic(
        "tournaments",
        "Tournaments",
        Part.SEAT,
        asks="ladder, ladders, league, leagues, rounds, seeding, standings of a tournament, tournament director",
        more=("scoring", "joining"),
        paged=True,
    ),
    HelpTopic(
        "scoring",
        "What a finished game is worth",
        Part.SEAT,
        asks="scoring systems, sum of squares, carnage, calhamer, calhamer points, c-diplo, dixie, manorcon, dsi, "
        "draw size, hall of fame, points of a game",
        more=("tournaments", "ending"),
        paged=True,
    ),
)
"""Its page of help."""

VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "tournament",
        words=("tournament", "tournaments", "create tournament", "new tournament", "announce tournament"),
        summary="Tournaments: their page, entering, withdrawing; for directors: announcing, seeding, starting a round.",
        usage=(
            "tournament NAME",
            "tournament NAME enter [prefer POWERS]",
            "tournament NAME withdraw",
            "create tournament NAME rounds 3 scoring squares [top board] [private]",
            "tournament NAME invite ADDRESS, ADDRESS",
            "tournament NAME seed",
            "tournament NAME swap PLAYER and PLAYER",
            "tournament NAME start",
            "tournament NAME remove PLAYER",
            "tournament NAME end",
        ),
        example="tournament autumn enter",
        read=_tournament,
        body=BodyRule.SETTINGS,
        names_game=True,
        topic="tournaments",
    ),
)
"""The rows, in the order in which help prints them."""
