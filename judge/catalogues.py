"""The catalogues of the languages in which letters can be had: `templates/languages/CODE/*.po`."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.messages.pofile import read_po

from judge.languages import ENGLISH, Language
from judge.wordbook import folder


@lru_cache(maxsize=32)
def language_of(code: str) -> Language:
    """The language of a code; English where there is no such catalogue. Read once in a process."""
    home = folder() / code
    if code == ENGLISH.code or not code.isalpha() or not home.is_dir():
        return ENGLISH
    messages: dict[str, str] = {}
    plurals: dict[str, tuple[str, str]] = {}
    for path in sorted(home.glob("*.po")):
        with path.open("rb") as file:
            for one in read_po(file, locale=code):
                if not one.id or not one.string or one.fuzzy:
                    continue
                if isinstance(one.id, str):
                    messages[one.id] = str(one.string)
                elif all(one.string):
                    plurals[one.id[0]] = (one.string[0], one.string[-1])
                    messages.setdefault(one.id[0], one.string[0])
    return Language(code, own_name(code), messages, plurals)


def own_name(code: str) -> str:
    """What a language calls itself: "Deutsch"."""
    try:
        return (Locale.parse(code).display_name or code).capitalize()
    except (UnknownLocaleError, ValueError):
        return code


def shipped() -> tuple[str, ...]:
    """The codes of all languages in which letters can be had, English first."""
    home = folder()
    others = sorted(path.name for path in home.iterdir() if any(path.glob("*.po"))) if home.is_dir() else []
    return (ENGLISH.code, *others)


def named(text: str) -> Language | None:
    """The language that somebody names by its code, its own name or its English one; None for none of ours.

    >>> named("English").code
    'en'
    """
    wanted = " ".join(text.casefold().split())
    for code in shipped():
        locale = Locale.parse(code)
        if wanted in (code, (locale.display_name or "").casefold(), (locale.english_name or "").casefold()):
            return language_of(code)
    return None
