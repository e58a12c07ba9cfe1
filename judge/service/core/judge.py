"""`Judge`: what the use cases need (store, clock, configuration, boards and rules, templates), passed in rather than
global.

What a subject that is a folder of its own (`judge.subjects`) adds to the running judge.

Printers of letters: which templates a letter is laid out with, and what is done where those are broken.

A site may have templates of its own, a game too; whatever they lack is taken from the ones that come with the judge. A
letter never waits for the mending of such a template: the judge's own is used in its place, and the operator told.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from judge import resources, subjects
from judge.board.load import load_board
from judge.board.model import Board
from judge.catalogues import language_of
from judge.clock import Clock, SystemClock
from judge.config import Config
from judge.game.core.model import System
from judge.game.settings.redrawn import without_players, won_with
from judge.game.settings.table import Settings
from judge.languages import Language, spoken
from judge.mail.envelope import Envelope, TrustedSite
from judge.mail.letters import Composed, Posting, Printer, compose
from judge.mail.letters.rendering import TemplateError
from judge.mail.noise import undetailed
from judge.report.core.letter import Office, plain
from judge.report.core.naming import Said
from judge.resources import Stamp, stamp
from judge.rules.model import Rules
from judge.service.core.directory import Directory
from judge.service.core.keeper import Keeper
from judge.store import Store, StoreTrouble, Transaction, View, open_store
from judge.store.files import private_folder
from judge.variants import rules_for

MOST = 64
"""Boards with their rules that are kept: more than a judge has games of different kinds. A first year of its own makes
another board, of 1 to 2 MB once it is played on, and Gamemasters have 8,000 years to choose from.
"""


class Shelf:
    """Boards and rules, each loaded once, and those that were asked for last kept as games want them. Call it with
    settings to get a System; ValueError names what is unknown.
    """

    def __init__(self, maps: Path) -> None:
        self._maps = maps
        self._board: Callable[[str], Board] = lru_cache(maxsize=None)(self._load)
        self._redrawn: Callable[[str, str, int, tuple[str, ...]], Board] = lru_cache(maxsize=MOST)(self._redraw)
        self._system = lru_cache(maxsize=MOST)(self._build)

    def __call__(self, settings: Settings) -> System:
        redrawn = settings.unplayed, settings.victory
        return self._system(settings.map, settings.rules, settings.first_year, settings.choices, *redrawn)

    def board(self, key: str) -> Board:
        """The board under maps/KEY. Raises ValueError with the names there are."""
        return self._board(key)

    def played(self, map_key: str, rules_key: str) -> Board:
        """The board under maps/KEY as rules want it; once for both, since boards are known by identity."""
        return self._redrawn(map_key, rules_key, 0, ())

    def boards(self) -> tuple[str, ...]:
        """The names of all boards."""
        return tuple(sorted(p.parent.name for p in self._maps.glob("*/board.toml")))

    def _load(self, key: str) -> Board:
        if key not in self.boards():
            raise ValueError(f'there is no board "{key}"; there are {", ".join(self.boards())}')
        return load_board(self._maps / key)

    def _redraw(self, map_key: str, rules_key: str, year: int, choices: tuple[str, ...]) -> Board:
        return _chosen(rules_for(rules_key), choices).board(self.board(map_key).begun_in(year))

    def _build(
        self,
        map_key: str,
        rules_key: str,
        year: int,
        choices: tuple[str, ...],
        unplayed: tuple[str, ...],
        victory: int,
    ) -> System:
        rules = _chosen(rules_for(rules_key), choices)
        shown = tuple(choice for choice in choices if _pair(choice)[0] in rules.on_board)
        board = without_players(self._redrawn(map_key, rules_key, year, shown), unplayed, rules)
        return System(won_with(board, victory, rules), rules)


def shelf_of(maps: Path) -> Shelf:
    """The shelf of a folder of boards: one for all who ask in this process, until a file of the folder changes."""
    return _shelf(maps, stamp(maps))


@lru_cache(maxsize=4)
def _shelf(maps: Path, _files: Stamp) -> Shelf:
    return Shelf(maps)


def _chosen(rules: Rules, choices: tuple[str, ...]) -> Rules:
    return rules.with_choices(dict(_pair(choice) for choice in choices)) if choices else rules


def _pair(choice: str) -> tuple[str, str]:
    name, sign, value = choice.partition("=")
    if not sign:
        raise ValueError(f'"{choice}" is not a choice; write one like paradox=szykman')
    return name.strip(), value.strip()


GAMES, MANNERS = "games", "manners"
"""Folders of templates for one game, and for letters that are told in another manner."""

SPOKEN = "spoken"
"""The manner for those who have their letters read out to them."""

_GAME_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}")
_MOST = 32
"""Printers that are kept at hand."""


Made = TypeVar("Made")


class Pressroom:
    """The printers of a judge, in the language that is spoken when one is asked for.

    `shipped`: the templates that come with it; `own`: those of the site, None for none.
    """

    def __init__(self, shipped: Path, own: Path | None = None) -> None:
        self._shipped, self._own = shipped, own
        self._printers: OrderedDict[tuple[Path | str, ...], Printer] = OrderedDict()

    def printer(self) -> Printer:
        """The printer of letters that belong to no game. Raises TemplateError where its sentences cannot be read."""
        return self._printer((*self._owned(""), self._shipped))

    def do(self, job: Callable[[Printer], Made], *, game: str = "", manner: str = "") -> tuple[Made, str]:
        """What a printer makes for a game, and what was wrong with the templates that it should have been made with, ""
        for nothing. Raises TemplateError where the ones that come with the judge do not make it either.
        """
        flaw = ""
        if owned := self._owned(game):
            try:
                return job(self._printer((*owned, self._shipped), manner)), flaw
            except TemplateError as error:
                flaw = str(error)
        return job(self._printer((self._shipped,), manner)), flaw

    def compose(
        self, kind: str, idem_key: str, stored: Mapping[str, Any], posting: Posting, *, game: str = "", manner: str = ""
    ) -> tuple[Composed, str]:
        """A letter, and what was wrong with its templates. Raises TemplateError where not even its text can be printed:
        one whose page is broken goes out as text.
        """
        try:
            return self.do(lambda press: compose(kind, idem_key, stored, posting, press), game=game, manner=manner)
        except TemplateError as error:
            plain = replace(posting, page=False)
            return compose(kind, idem_key, stored, plain, self._printer((self._shipped,))), str(error)

    def _owned(self, game: str) -> tuple[Path, ...]:
        """The folders of the site, the more special first."""
        if self._own is None:
            return ()
        of_game = self._own / GAMES / game if _GAME_KEY.fullmatch(game) else None
        return (*((of_game,) if of_game is not None and of_game.is_dir() else ()), self._own)

    def _printer(self, roots: tuple[Path, ...], manner: str = "") -> Printer:
        folders = (*(root / MANNERS / manner for root in roots if manner), *roots)
        language = spoken()
        found = self._printers.get((language.code, *folders))
        if found is None:
            try:
                found = _printer_of(folders, manner, language, tuple(stamp(folder) for folder in folders))
            except (ValueError, OSError) as error:
                raise TemplateError(str(error)) from error
            self._printers[language.code, *folders] = found
            if len(self._printers) > _MOST:
                self._printers.popitem(last=False)
        self._printers.move_to_end((language.code, *folders))
        return found


@lru_cache(maxsize=_MOST)
def _printer_of(folders: tuple[Path, ...], manner: str, language: Language, _files: tuple[Stamp, ...]) -> Printer:
    """One printer for all who ask in this process, until a template changes."""
    return Printer(*folders, aloud=manner == SPOKEN, own_pages=not manner, language=language)


V = TypeVar("V")


def _draw() -> int:
    return secrets.randbits(63)


class LastFew(OrderedDict[str, V]):
    """Remembers the last few things put in; safe to use from several threads, safe to lose."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: str, value: V) -> None:
        """Remember one more, forget the oldest."""
        self[key] = value
        while len(self) > self._most:
            self.popitem(last=False)


@dataclass(frozen=True)
class Judge:
    """One running judge. `lot` draws seeds; `entropy` makes nonces and keys."""

    config: Config
    store: Store
    clock: Clock
    shelf: Shelf
    pressroom: Pressroom
    keeper: Keeper
    lot: Callable[[], int] = _draw
    entropy: Callable[[int], bytes] = secrets.token_bytes
    site: TrustedSite = field(default_factory=TrustedSite)
    office: Office = field(default_factory=Office)
    envelopes: LastFew[Envelope] = field(default_factory=lambda: LastFew(500))
    """Envelopes that the door has read and the desk will want in a moment, by transport key."""

    dates: LastFew[datetime] = field(default_factory=lambda: LastFew(5000))
    """When the mails that filed orders say that they were written, by what the set calls its mail."""
    directory: Directory = field(default_factory=Directory)
    """Who writes and who sits where, as long as nobody changes it."""

    def language(self, code: str = "") -> Language:
        """A language by its code; "": the usual one here."""
        return language_of(code or self.config.language)

    def in_words(self, fact: Said) -> str:
        """A fact of a view in the words of the letters, for an answer that tells it."""
        return self.pressroom.do(lambda press: str(press.spoken(plain(fact))))[0]

    def close(self) -> None:
        """Close the database."""
        self.store.close()


def open_judge(
    config: Config,
    *,
    clock: Clock | None = None,
    lot: Callable[[], int] = _draw,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    upgrade: bool = False,
    careless: bool = False,
    instance: str | None = None,
) -> Judge:
    """Open a judge on its configuration. Raises what `open_store` raises.

    `instance` names the process in leases, for tests; by default each process has a name of its own, from which others
    can tell whether it still lives.
    `upgrade` makes or upgrades the database first. `careless` trades safety against loss of power for speed, for
    rehearsals in temporary folders.
    """
    try:
        private_folder(config.var)
    except OSError as error:
        raise StoreTrouble(f"paths.var: the folder {config.var} cannot be made ({error.strerror})") from error
    store = open_store(
        config.database,
        migrations=resources.folder("migrations"),
        instance=instance,
        upgrade=upgrade,
        synchronous="OFF" if careless else "FULL",
        entropy=entropy,
    )
    shelf = shelf_of(config.maps or resources.folder("maps"))
    return Judge(
        config=config,
        store=store,
        clock=clock or SystemClock(),
        shelf=shelf,
        pressroom=Pressroom(resources.folder("templates"), config.templates),
        keeper=Keeper(shelf),
        lot=lot,
        entropy=entropy,
        site=TrustedSite(
            authserv_id=config.authserv_id,
            trusted_mx=frozenset(config.trusted_mx),
            own_addresses=frozenset({config.address.lower(), *map(undetailed, config.aliases)}),
            instance=store.id,
            verdicts_below=config.verdicts == "below",
        ),
        office=Office(config.name, config.domain, config.address),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSubject:
    """One subject.

    `prefix` ("zine-") begins the plus-detail of its addresses, and the `game` of its letters; what follows is the key
    of one thing of this subject, which `known` knows. Letters with such a `game` came by the subscription "zine:KEY".
    `due` names what is due, asked with every sweep; `sweep` does that and returns how much was done. `bulk`: kinds of
    letters that go to many at once, and wait for all others. `places`: what a person is to its things, a line each;
    `forgotten`: what is to be done before they are erased; `unasked`: what is said to words that ask for nothing, and
    what to send instead, in a mail to one of its addresses or in answer to a letter of it.
    """

    prefix: str
    known: Callable[[View, str], bool]
    due: Callable[[View, datetime], Sequence[str]]
    sweep: Callable[[Judge, Sequence[str]], int]
    places: Callable[[View, int], Sequence[str]] = lambda view, person: ()
    bulk: tuple[str, ...] = ()
    forgotten: Callable[[Judge, Transaction, int], None] | None = None
    unasked: tuple[str, str] = ("", "")

    @property
    def topic(self) -> str:
        """What begins the topics of its subscriptions."""
        return self.prefix.removesuffix("-") + ":"


@cache
def all_subjects() -> tuple[JudgeSubject, ...]:
    """Every subject that there is."""
    return tuple(module.SUBJECT for module in subjects.modules("subject"))


def has_address(view: View, detail: str) -> bool:
    """Whether a plus-detail is the address of something of a subject."""
    return subject_at(view, detail) is not None


def subject_at(view: View, detail: str) -> JudgeSubject | None:
    """The subject to something of which a plus-detail is the address."""
    found = (one for one in all_subjects() if detail.startswith(one.prefix))
    return next((one for one in found if one.known(view, detail.removeprefix(one.prefix))), None)


def topic_of_list(game: str) -> str:
    """The topic by which letters with this `game` come; "" where it is a game's."""
    found = (one for one in all_subjects() if game.startswith(one.prefix))
    return next((one.topic + game.removeprefix(one.prefix) for one in found), "")
