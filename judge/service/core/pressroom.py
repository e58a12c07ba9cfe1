"""Printers of letters: which templates a letter is laid out with, and what is done where those are broken.

A site may have templates of its own, a game too; whatever they lack is taken from the ones that come with the judge. A
letter never waits for the mending of such a template: the judge's own is used in its place, and the operator told.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from judge.languages import Language, spoken
from judge.mail.letters import Composed, Posting, Printer, compose
from judge.mail.letters.rendering import TemplateError
from judge.resources import Stamp, stamp

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
