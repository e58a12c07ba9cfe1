"""Settings in mails: lines NAME = VALUE, and an attached TOML file that says the same."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.board.spelling import allowance, opposes, slips, unsaid
from judge.game.settings.bundles import PRESETS
from judge.game.settings.table import TABLE, find_setting
from judge.game.settings.values import Setting, how_to_write
from judge.languages import tell, together
from judge.mail.vocabulary.model import Unclear
from judge.orders.spelled import listed

_ASSIGNMENT = re.compile(r"\s*(?:set\s+)?([A-Za-z][A-Za-z0-9 _-]{0,40}?)\s*[=:]\s*(\S.*?)\s*", re.IGNORECASE)
_INLINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(\"[^\"]*\"|\S+)")

_PLAIN = 3
"""Words of the longest line that can be meant as a setting, whatever its value is."""

_LONGEST = 2000
"""Characters of a line that can be a setting; how long a value may be, the setting says."""

Pairs = tuple[tuple[str, str], ...]


def read_assignment(line: str) -> tuple[str, str] | Unclear | None:
    """(name, value) of "NAME = VALUE"; Unclear for a name that is no setting; None for a line of another form."""
    match = _ASSIGNMENT.fullmatch(line)
    if match is None or len(line) > _LONGEST:
        return None
    setting = find_setting(match[1])
    return (setting.name, _unquoted(match[2])) if setting else no_such_setting(match[1], _unquoted(match[2]))


def is_assignment(line: str) -> bool:
    """Whether a line has the form NAME = VALUE."""
    return _ASSIGNMENT.fullmatch(line) is not None


def read_below(line: str) -> tuple[str, str] | Unclear | None:
    """A line below `create`: "NAME = VALUE", or "NAME VALUE" where the name is written out and the value fits it."""
    return read_assignment(line) or _read_plain(re.sub(r"^set\s+", "", line.strip(), flags=re.IGNORECASE))


def read_all_below(line: str) -> Pairs:
    """All settings of a line below `create`: one, or several one behind another."""
    found = read_below(line)
    if not isinstance(found, tuple):
        return settings_in(line)
    setting = TABLE.get(found[0])
    return ((setting is None or not setting.prose) and settings_in(line)) or (found,)


def _read_plain(line: str) -> tuple[str, str] | Unclear | None:
    """ "extension_cap 7d". A value that does not fit is asked back, unless the line is prose."""
    words = line.split()
    name = next((name for name in (" ".join(words[:count]) for count in (3, 2, 1)) if _is_name(name)), "")
    value = line[len(name) :].strip() if name and line.startswith(name) else " ".join(words[len(name.split()) :])
    setting = find_setting(name) if name else None
    if setting is None:
        return no_such_setting(words[0], " ".join(words[1:])) if len(words) > 1 and "_" in words[0] else None
    if not value:
        return None
    if setting.prose or (setting.form.read is str.strip and len(value.split()) > 1):
        return None
    try:
        setting.form.read(_unquoted(value))
    except ValueError as error:
        prose = "_" not in name and len(words) > _PLAIN
        return None if prose else Unclear("bad-value", f"{setting.name}: {error}.", _examples(setting))
    return setting.name, _unquoted(value)


_IN_A_WORD = {
    "private": ("access", "invitation"), "by invitation": ("access", "invitation"), "public": ("access", "open"),
    "by approval": ("access", "approval"), "anonymous": ("anonymous", "yes"), "gunboat": ("anonymous", "yes"),
    "no press": ("press", "none"), "nopress": ("press", "none"), "unlisted": ("listed", "no"),
}  # fmt: skip
"""Words that say a setting and its value at once."""

_WORDS = re.compile(r'"[^"]*"|[^\s,;]+|[,;]')
_LONGEST_LIST = 400


def settings_in(line: str) -> Pairs:
    """Settings one behind another, as "private, moves 3d, zone Europe/Berlin" or "players 6 no press": a line of
    nothing else, in which every name is written out and every value fits it. () for any other line.

    >>> settings_in("private, press white, grey; moves Friday 24:00")
    (('access', 'invitation'), ('press', 'white, grey'), ('moves', 'Friday 24:00'))
    >>> settings_in("moves are slow here"), settings_in("private lessons")
    ((), ())
    """
    text = re.sub(r"^\s*(?:set|with)\s+", "", line, flags=re.IGNORECASE).strip().rstrip(".")
    words = _WORDS.findall(text) if len(text) <= _LONGEST_LIST else []
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        if words[at] in (",", ";") or (found and words[at].lower() in ("and", "with")):
            at += 1
            continue
        taken = _said_at(words, at)
        if taken is None:
            return ()
        pair, at = taken
        found.append(pair)
    return tuple(found)


def _said_at(words: list[str], at: int) -> tuple[tuple[str, str], int] | None:
    """The setting that begins at a word, with all of the words behind it that its value can be, and where it ends."""
    for count in (2, 1):
        if (pair := _IN_A_WORD.get(" ".join(words[at : at + count]).lower())) is not None:
            return pair, at + count
    count = next((count for count in (3, 2, 1) if _is_name(" ".join(words[at : at + count]).rstrip(":="))), 0)
    setting = find_setting(" ".join(words[at : at + count]).rstrip(":=")) if count else None
    if setting is None or setting.prose:
        return None
    start = at + count + (words[at + count : at + count + 1] in (["="], [":"], ["is"], ["to"], ["at"]))
    for end in range(_next_name(words, start), start, -1):
        value = _unquoted(re.sub(r" (?=[,;])", "", " ".join(words[start:end]).rstrip(" ,;")))
        if value and _plainly_fits(setting, value):
            return (setting.name, value), end
    return None


def _next_name(words: list[str], start: int) -> int:
    """Where the next setting begins behind a value that begins at `start`."""
    for at in range(start + 1, len(words)):
        if words[at - 1].isdigit():
            continue  # "2 days" is a span, and no setting called "days"
        said = (" ".join(words[at : at + count]) for count in (3, 2, 1))
        if any(one.lower() in _IN_A_WORD or _is_name(one.rstrip(":=")) for one in said):
            return at
    return len(words)


def _plainly_fits(setting: Setting, value: str) -> bool:
    """Whether a value is one of a setting, by itself: one that takes any word takes no more than that."""
    if setting.form.read is str.strip:
        return len(value.split()) == 1
    try:
        setting.form.read(value)
    except (ValueError, OverflowError):
        return False
    return True


def _is_name(words: str) -> bool:
    """Whether these words are the whole name of a setting, and no mere beginning of one."""
    name, setting = re.sub(r"[\s-]+", "_", words.lower()), find_setting(words)
    return setting is not None and (name == setting.name or name in setting.synonyms)


def _examples(setting: Setting) -> tuple[str, ...]:
    return tuple(f"set {setting.name} {value}" for value in setting.examples)


def read_inline(text: str) -> tuple[str, Pairs | Unclear]:
    """What is left of a line without its NAME=VALUE words, and these."""
    pairs = []
    for match in _INLINE.finditer(text):
        setting = find_setting(match[1])
        if setting is None:
            return text, no_such_setting(match[1], _unquoted(match[2]))
        pairs.append((setting.name, _unquoted(match[2])))
    return _INLINE.sub(" ", text), tuple(pairs)


def split_setting(text: str) -> tuple[str, str] | Unclear:
    """(name, value) of what follows `set`: "press white", "first moves = 14d", "choices paradox=szykman"."""
    name, equals, value = text.partition("=")
    if equals and (setting := find_setting(name.rstrip(" :")[:40])):
        return (setting.name, _unquoted(value)) if value.strip() else _no_value(setting)
    words = text.split()
    for count in (3, 2, 1):
        name = " ".join(words[:count]).rstrip(":")
        if len(words) > count and len(name) <= 40 and (setting := find_setting(name)):
            value = " ".join(words[count:])
            return setting.name, _unquoted(re.sub(r"^(?:to\s+|is\s+|[=:]\s*)+", "", value, flags=re.IGNORECASE))
    if flag := _flag(" ".join(words)):
        return flag
    if words and (setting := find_setting(" ".join(words)[:40])):
        return _no_value(setting)
    return no_such_setting(words[0] if words else "", " ".join(words[1:]))


def _no_value(setting: Setting) -> Unclear:
    """A setting alone: an example is shown, but no value is offered that nobody wrote."""
    shown = listed((f"`set {setting.name} {value}`" for value in setting.examples), "or")
    return Unclear(
        "incomplete",
        tell("A value for {setting} is missing; write it like {shown}.", setting=setting.name, shown=shown),
    )


def _flag(words: str) -> Unclear | None:
    """ "headlines", "noheadlines", "not headlines": a setting of yes and no by its name alone, which is asked back."""
    word = words.lower().rstrip(" .!")
    for name, value in ((word, "yes"), (unsaid(word), "no")):
        setting = find_setting(name[:40])
        if setting is not None and setting.name in TABLE and setting.example in ("yes", "no"):
            line = f"set {setting.name} {value}"
            return Unclear("older-word", tell("Here that is `{line}`. Nothing was changed.", line=line), (line,))
    return None


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What an attached file says: a preset ("" for none), and the settings that differ from it."""

    preset: str
    pairs: Pairs


def read_toml(text: str) -> SettingsFile | Unclear:
    """All settings of a TOML file, tables flattened, and its `preset`.

    Unclear for bad TOML, a name that is no setting, a value that cannot be read: with its line, and what to write.
    """
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        sentence = tell(
            'The attached file is no TOML: {error}. A line looks like `moves = "Friday 24:00"`.', error=str(error)[:120]
        )
        return Unclear("bad-toml", sentence)
    preset, pairs = "", []
    waiting: list[tuple[str, object]] = list(document.items())
    while waiting:
        name, value = waiting.pop(0)
        if isinstance(value, dict):
            waiting += value.items()
            continue
        found = _toml_setting(name, _toml_text(value))
        if isinstance(found, Unclear):
            where = _line_of(name, text)
            return replace(found, sentence=f"{where}{found.sentence}")
        if found[0] == _PRESET:
            preset = found[1]
        else:
            pairs.append(found)
    return SettingsFile(preset, tuple(pairs))


_PRESET = "preset"


def _toml_setting(name: str, value: str) -> tuple[str, str] | Unclear:
    """One line of a file, its value looked at too."""
    if name.strip().lower() == _PRESET:
        known = tuple(f'preset = "{each}"' for each in PRESETS)
        word = value.strip().lower()
        return (
            (_PRESET, word)
            if word in PRESETS
            else Unclear("no-preset", tell('There is no preset "{word}".', word=word[:40]), known)
        )
    setting = find_setting(name)
    if setting is None:
        found = no_such_setting(name, value)
        return replace(found, candidates=tuple(_as_toml(line) for line in found.candidates))
    try:
        setting.form.read(value)
    except ValueError as error:
        line = f'{setting.name} = "{setting.examples[0]}"'
        return Unclear("bad-setting", together(f"{setting.name}: {str(error).rstrip('.')}.", how_to_write(error, line)))
    return setting.name, value


def _as_toml(line: str) -> str:
    """ "set moves 7d" as a line of a file."""
    name, _, value = line.removeprefix("set ").partition(" ")
    return f'{name} = "{value}"' if line.startswith("set ") else line


def _line_of(name: str, text: str) -> str:
    """ "line 3: ", where a name stands in a file; "" where it is not found."""
    mark = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*=""")
    return next((f"line {number}: " for number, line in enumerate(text.splitlines(), 1) if mark.match(line)), "")


def no_such_setting(name: str, value: str = "") -> Unclear:
    """What to answer to a name that is no setting: a slip of the pen is offered with the value that was written."""
    word = re.sub(r"[\s-]+", "_", name.strip().lower())[:40]
    near = _near(word)
    lines = tuple(f"set {other} {value}" for other in near if value and _fits(other, value))
    sentence = tell(
        'There is no setting "{word}".'
        if lines
        else 'There is no setting "{word}"; did you mean {near}?'
        if near
        else 'There is no setting "{word}"; `help settings` lists them all.',
        word=word,
        near=listed(near, "or"),
    )
    return Unclear("no-such-setting", sentence, lines)


@lru_cache(maxsize=1024)
def _near(word: str) -> tuple[str, ...]:
    """The settings of whose names a word may be a slip, nearest first; none that says the opposite."""
    most = allowance(word)
    found = ((slips(word, name, most), name) for name in TABLE if not opposes(word, name))
    near = sorted((distance, name) for distance, name in found if distance is not None)
    return tuple(name for distance, name in near if distance == near[0][0])[:3]


def _fits(name: str, value: str) -> bool:
    try:
        TABLE[name].form.read(value)
    except (ValueError, KeyError, OverflowError):
        return False
    return True


def _toml_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_toml_text(item) for item in value) or "none"
    return str(value)


def _unquoted(value: str) -> str:
    text = value.strip()
    if text[:1] == "[" and text[-1:] == "]":
        return ", ".join(part.strip().strip("\"'") for part in text[1:-1].split(",") if part.strip()) or "none"
    text = {"true": "yes", "false": "no"}.get(text, text)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
