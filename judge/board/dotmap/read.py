"""Reads `.map` files: one word at the beginning of a line says what the line is about.

BEGIN SPRING 1901 MOVEMENT              the first phase
VICTORY 18                              centres that win
MAP other.map, USE other.map            everything of another file first
AUSTRIA (AUSTRIAN:A) BUD TRI VIE        a power, its adjective and letter, its home centres; units in lines below
A BUD                                   a unit of the power above
UNOWNED BEL BUL                         centres that are nobody's home
UNPLAYED ALL, DUMMY TURKEY              powers that are not there, or that nobody plays
Bulgaria (east coast) = bul/ec east+bulgaria     a name, its code, further names
COAST BUL/EC ABUTS BLA CON RUM          a space: WATER, LAND, COAST, PORT or SHUT, and where one goes from there
AMEND BUL ABUTS -RUM GRE                changes of a space that was described above
TURKEY -> OTTOMANS (OTTOMAN) CON        a power of the file above that is called otherwise here
Livonia -> Courland = cur               and a space; its new code, if it has one

A line that begins with another word is a power's only if it names an adjective, home centres that are not another's, or
stands above units. Whatever else it may be for (there are judges with directives of their own, alone or between
DIRECTIVES and END) is no fact of a board: it is named as not understood. What follows a "#" is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

TERRAINS = frozenset({"WATER", "LAND", "COAST", "PORT", "SHUT"})
_SPACES = TERRAINS | {"AMEND"}
_INCLUDES = frozenset({"MAP", "USE", "USES"})
_DIRECTIVES = frozenset({"DIR", "DIRECTIVE", "DIRECTIVES"})
_BEFORE = re.compile(r"\d+\s*B\.?\s*C\.?(?:E\.?)?(?=\s|$)")
_ERA = re.compile(r"(?<![A-Z])(?:A\.?\s*D\.?|C\.?E\.?)(?=\s|$)")
_POWER = re.compile(
    r"(?P<name>[^\s()](?:[^()]*[^\s()])?)\s*\(\s*(?P<spoken>[^\s():]+)\s*(?::\s*(?P<letter>[^\s():]{1,2})\s*)?\)(?P<homes>[^()]*)"
)
"""A power with its adjective: "AUSTRIA (AUSTRIAN:A) BUD TRI VIE"."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
_COAST = re.compile(r"\s*\(([A-Za-z]{2})\)")
_ALL_EXCEPT = re.compile(r"ALL(?:\s+EXCEPT\s+(.*))?", re.IGNORECASE)


class MapError(Exception):
    """A file that is no such map, with file, line and what is wrong."""


@dataclass
class MapPower:
    """A power: its adjective, letter ("": its first), homes, centres at the start (None: its homes), units."""

    adjective: str = ""
    letter: str = ""
    homes: list[str] = field(default_factory=list)
    owns: list[str] | None = None
    units: list[str] = field(default_factory=list)


@dataclass
class MapFile:
    """What a map and the files that it includes say. Codes are capitals, "BUL/EC" for a coast; `abuts` keeps the case
    in which neighbours are written, for it says who passes. Where a space has coasts, its own name is lower case.
    """

    name: str
    begins: str = ""
    victory: int = 0
    powers: dict[str, MapPower] = field(default_factory=dict)
    unowned: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """Code -> full name."""
    aliases: dict[str, list[str]] = field(default_factory=dict)
    terrain: dict[str, str] = field(default_factory=dict)
    abuts: dict[str, list[str]] = field(default_factory=dict)
    dummies: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What has no counterpart in our boards."""
    unread: list[str] = field(default_factory=list)
    """Lines that this reader could make nothing of, each with its file and number."""


def read_map(name: str, source: Callable[[str], str]) -> MapFile:
    """The map in a file such as "colonial.map"; `source` gives the text of a file by its name, KeyError if none is
    there. Raises MapError.
    """
    lines = _all_lines(name if name.endswith(".map") else f"{name}.map", source)
    reading = _MapReading(MapFile(name.removesuffix(".map")), lines)
    reading.read()
    if not reading.map.terrain:
        raise MapError(f"{name}: no line says which spaces there are (WATER, LAND, COAST ... ABUTS ...)")
    return reading.map


@dataclass(frozen=True)
class _SourceLine:
    """One line that says something: `file` and `number` are where it stands."""

    file: str
    number: int
    text: str

    def __str__(self) -> str:
        return f'{self.file}, line {self.number}: "{self.text.strip()[:60]}"'


def _all_lines(name: str, source: Callable[[str], str]) -> list[_SourceLine]:
    """The lines of a file, with those of every file that it includes in the place of the word; each file once."""
    found: list[_SourceLine] = []
    seen: set[str] = set()

    def include(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        try:
            text = source(name)
        except KeyError:
            raise MapError(f"{name}: there is no such file beside the map") from None
        for number, raw in enumerate(text.splitlines(), 1):
            line = _COMMENT.sub("", raw)
            words = line.split()
            if not words:
                continue
            if words[0].upper() in _INCLUDES and "=" not in line:
                for other in words[1:]:
                    include(other if "." in other else f"{other}.map")
                continue
            found.append(_SourceLine(name, number, line))

    include(name)
    return found


class _MapReading:
    """One passage through the lines of a map."""

    def __init__(self, found: MapFile, lines: Sequence[_SourceLine]) -> None:
        self.map = found
        self._lines = lines
        self._codes = {
            _base(words[1]) for line in lines if (words := _words(line.text))[0].upper() in _SPACES and words[1:]
        }
        self._power: MapPower | None = None
        self._nobody = False
        """Whether the line above is about centres that are nobody's."""
        self._at = 0
        self._unread = set(_directives(lines))
        self._begun: dict[str, int] = {}
        """Power -> the line that named it first."""

    def read(self) -> None:
        """Every line in its turn. Raises MapError with all those that cannot be what their first word says."""
        faults = []
        for at, line in enumerate(self._lines):
            self._at = at
            try:
                if at not in self._unread:
                    self._line(line.text, _words(line.text))
            except (ValueError, IndexError, KeyError) as wrong:
                faults.append(f'{line.file}, line {line.number}: cannot read "{line.text.strip()[:60]}" ({wrong})')
        if faults:
            raise MapError("\n".join(faults))
        self._leave_out_empty_powers()
        self.map.unread = [str(self._lines[at]) for at in sorted(self._unread)]

    def _leave_out_empty_powers(self) -> None:
        """A power without homes and units is none: one that never had any was another word all the time."""
        for key, power in list(self.map.powers.items()):
            if power.homes or power.units or power.owns:
                continue
            del self.map.powers[key]
            words = _power_words(self._lines[self._begun[key]].text)
            if words is not None and words["homes"].split():
                self._remark(f"{key} has neither homes nor units in the end: left out")
            else:
                self._unread.add(self._begun[key])

    def _line(self, line: str, words: Sequence[str]) -> None:
        head, rest = words[0].upper(), words[1:]
        known = self._KNOWN.get(head)
        if "=" in line:
            self._name(line)  # also of a space called "A Coruna" or "Port Arthur"
        elif "->" in words:
            self._rename_power(line)
        elif head in _SPACES:
            self._space(head, rest)
        elif known is not None:
            known(self, rest)
        elif self._is_power(line, words):
            self._new_power(line, words)
        else:
            self._unread.add(self._at)

    def _is_power(self, line: str, words: Sequence[str]) -> bool:
        """Whether a line that begins with no word of the format is about a power: one that is known already, or one
        with an adjective or home centres, or whose units stand below it. Units in the home centres of the power above
        are still that power's, and a word before home centres of others is a directive about them.
        """
        if "ABUTS" in line.upper().split():
            raise ValueError(f"{words[0]} is no kind of space; there are {', '.join(sorted(TERRAINS))}")
        named = _power_words(line)
        homes = [_base(code.lstrip("-")) for code in (_words(named["homes"]) if named else words[1:])]
        above = set(self._power.homes) if self._power is not None else set()
        below = {_base(place) for place in self._units_below()}
        if named is not None:
            return any(code in self._codes for code in homes) if homes else not below & above
        if not all(code in self._codes for code in homes):
            return False
        if words[0].upper() in self.map.powers:
            return True
        if not homes:
            return bool(below) and not below & above
        theirs = {code for power in self.map.powers.values() for code in power.homes}
        return not theirs >= set(homes) or (not above & set(homes) and bool(below & set(homes)))

    def _units_below(self) -> Iterator[str]:
        for line in self._lines[self._at + 1 :]:
            words = _words(line.text)
            if words[0].upper() not in ("A", "F") or len(words) != 2:
                return
            yield words[1]

    # -- lines by their first word ------------------------------------------------------------------------------------

    def _begin(self, rest: Sequence[str]) -> None:
        text = " ".join(rest).upper()
        before_christ = _BEFORE.search(text)
        if before_christ:
            self._remark(f"BEGIN {text}: years are counted upwards here; the first one is the year 1")
            text = _BEFORE.sub("1", text)
        self.map.begins = " ".join(_ERA.sub(" ", text).split())

    def _victory(self, rest: Sequence[str]) -> None:
        self.map.victory = int(rest[0])
        if len(rest) > 1:
            self._remark(f"VICTORY {' '.join(rest)}: another number of centres for later years; only {rest[0]} counts")

    def _rule(self, rest: Sequence[str]) -> None:
        for rule in rest:
            self._remark(f"RULE {rule.upper()}: rules are chosen with a game (create NAME rules ...), not by a board")

    def _unowned(self, rest: Sequence[str]) -> None:
        self._power, self._nobody = None, True
        centres = [code.upper() for code in rest]
        for power in self.map.powers.values():
            power.homes = [code for code in power.homes if code not in centres]
        self.map.unowned += [code for code in centres if code not in self.map.unowned]

    def _owns(self, rest: Sequence[str]) -> None:
        power = self._above("OWNS")
        power.owns = [*(power.owns if power.owns is not None else power.homes), *(code.upper() for code in rest)]

    def _centers(self, rest: Sequence[str]) -> None:
        if self._power is None:
            self._unowned(rest)
        else:
            self._power.owns = [code.upper() for code in rest]

    def _inhabits(self, rest: Sequence[str]) -> None:
        self._homes(self._above("INHABITS"), rest)

    def _home(self, rest: Sequence[str]) -> None:
        power = self._above("HOMES")
        power.homes = []
        self._homes(power, rest)

    def _units(self, _rest: Sequence[str]) -> None:
        self._above("UNITS").units = []

    def _army(self, rest: Sequence[str]) -> None:
        self._unit("A", rest)

    def _fleet(self, rest: Sequence[str]) -> None:
        self._unit("F", rest)

    def _dummy(self, rest: Sequence[str]) -> None:
        if not rest:
            self.map.dummies += [key for key, power in self.map.powers.items() if power is self._above("DUMMY")]
        else:
            self.map.dummies += self._named(rest)

    def _unplayed(self, rest: Sequence[str]) -> None:
        gone = self._named(rest) if rest else [k for k, p in self.map.powers.items() if p is self._power]
        for key in gone:
            del self.map.powers[key]
        self._power = None

    def _drop(self, rest: Sequence[str]) -> None:
        for code in rest:
            self._forget(code.upper())
            for near in self.map.abuts.values():
                near[:] = [each for each in near if _base(each) != code.upper()]

    _KNOWN = {
        "BEGIN": _begin, "VICTORY": _victory, "RULE": _rule, "RULES": _rule, "UNOWNED": _unowned, "NEUTRAL": _unowned,
        "OWNS": _owns, "CENTERS": _centers, "CENTRES": _centers, "INHABITS": _inhabits, "HOME": _home, "HOMES": _home,
        "UNITS": _units, "A": _army, "F": _fleet, "DUMMY": _dummy, "DUMMIES": _dummy, "UNPLAYED": _unplayed,
        "DROP": _drop,
    }  # fmt: skip

    # -- powers -------------------------------------------------------------------------------------------------------

    def _rename_power(self, line: str) -> None:
        """`OLD -> NEW (ADJECTIVE) HOMES`: what is said of the one above is said of the other from here on."""
        before, _, after = line.partition("->")
        old, new = "_".join(before.split()).upper(), _key(after)
        if old not in self.map.powers:
            raise ValueError(f"there is no power {old} to be given another name")
        if new in self.map.powers and new != old:
            raise ValueError(f"there is a power {new} already")
        self.map.powers = {new if key == old else key: power for key, power in self.map.powers.items()}
        self._begun[new] = self._begun.pop(old)
        self.map.dummies = [new if key == old else key for key in self.map.dummies]
        self.map.powers[new].adjective = self.map.powers[new].letter = ""
        self._new_power(after, _words(after))

    def _new_power(self, line: str, words: Sequence[str]) -> None:
        key, named = _key(line), _power_words(line)
        power = self._power = self.map.powers.setdefault(key, MapPower())
        self._begun.setdefault(key, self._at)
        if named is not None:
            power.adjective, power.letter = named["spoken"].replace("+", " "), (named["letter"] or "")[:1].upper()
        self._homes(power, _words(named["homes"]) if named is not None else words[1:])

    def _homes(self, power: MapPower, codes: Sequence[str]) -> None:
        """Homes are nobody else's; -CODE takes one away."""
        for code in (each.upper() for each in codes):
            for other in self.map.powers.values():
                if code.lstrip("-") in other.homes:
                    other.homes.remove(code.lstrip("-"))
            if not code.startswith("-"):
                power.homes.append(code)
                self.map.unowned = [each for each in self.map.unowned if each != code]

    def _unit(self, kind: str, rest: Sequence[str]) -> None:
        places = [place.upper() for place in rest]
        if not places or (places[1:] and not all(_base(place) in self._codes for place in places)):
            raise ValueError("a unit is A or F and the code of its space")
        for place in places:
            for power in self.map.powers.values():
                power.units = [unit for unit in power.units if _base(unit.split()[1]) != _base(place)]
            if self._power is None and self._nobody:
                self._remark(f"{kind} {place} is nobody's; here every unit is a power's: left out")
            else:
                self._above(f"{kind} {place}").units.append(f"{kind} {place}")

    def _above(self, what: str) -> MapPower:
        if self._power is None:
            raise ValueError(f"{what} belongs below a power")
        return self._power

    def _named(self, words: Sequence[str]) -> list[str]:
        """The powers of "ALL", "ALL EXCEPT ITALY" or "ITALY, TURKEY"."""
        text = " ".join(words)
        every = _ALL_EXCEPT.fullmatch(text)
        listed = re.findall(r"[^\s,]+", (every[1] or "" if every else text).upper())
        return [key for key in self.map.powers if (key in listed) != bool(every)]

    # -- spaces -------------------------------------------------------------------------------------------------------

    def _name(self, line: str) -> None:
        before, _, after = line.partition("=")
        code, *others = after.split()
        if "->" in before:
            old, _, before = before.partition("->")
            self._rename_space(old.strip(), code)
        self.map.names[code.upper()] = before.strip().replace("+", " ")
        plain = [other.replace("+", " ") for other in others if not re.search(r"[/()]", other)]
        self.map.aliases.setdefault(_base(code), []).extend(plain if "/" not in code else [])

    def _rename_space(self, old: str, new: str) -> None:
        """`Old Name -> New Name = new`: the space keeps what is said of it, under another code."""
        named = {name.upper(): _base(code) for code, name in self.map.names.items()}
        was, now = named.get(old.replace("+", " ").upper(), old.upper()), _base(new)
        if was not in named.values() and was not in self.map.terrain:
            raise ValueError(f"there is no space {old} to be given another name")

        def renamed(text: str) -> str:
            """The code with its coast, or "A BUD", in the case in which it was written."""
            head, place = ("", text) if " " not in text else (f"{text.partition(' ')[0]} ", text.partition(" ")[2])
            if _base(place) != was:
                return text
            mine, slash, coast = place.partition("/")
            written = now if mine.isupper() else now.lower() if mine.islower() else now.capitalize()
            return f"{head}{written}{slash}{coast}"

        found = self.map
        found.terrain = {renamed(code): word for code, word in found.terrain.items()}
        found.abuts = {renamed(code): [renamed(near) for near in found.abuts[code]] for code in found.abuts}
        found.names = {renamed(code): name for code, name in found.names.items() if _base(code) != was}
        found.aliases.pop(was, None)  # the names of what it was
        found.unowned = [renamed(code) for code in found.unowned]
        for power in found.powers.values():
            power.homes = [renamed(code) for code in power.homes]
            power.units = [renamed(unit) for unit in power.units]
            power.owns = None if power.owns is None else [renamed(code) for code in power.owns]
        self._codes.add(now)

    def _space(self, word: str, rest: Sequence[str]) -> None:
        code, near = rest[0].upper(), rest[2:] if rest[1:2] and rest[1].upper() == "ABUTS" else rest[1:]
        if len(near) == len(rest) - 1 and not all(_base(place.lstrip("-")) in self._codes for place in near):
            raise ValueError("ABUTS is missing, or misspelt")
        if word == "AMEND":
            if code not in self.map.terrain:
                raise ValueError(f"{code} was not described before it is amended")
        else:
            if rest[0].isupper() and "/" not in code:
                for coast in [place for place in self.map.terrain if place.startswith(f"{code}/")]:
                    del self.map.terrain[coast], self.map.abuts[coast]  # described again, without coasts
            self.map.terrain[code] = word
        if len(rest) > 1 and word != "AMEND":
            self.map.abuts[code] = []
        known = self.map.abuts.setdefault(code, [])
        for place in near:
            if place.startswith("-"):
                known[:] = [each for each in known if not each.upper().startswith(place[1:].upper())]
            else:
                known.append(place)

    def _forget(self, code: str) -> None:
        for table in (self.map.terrain, self.map.abuts, self.map.names):
            for place in [place for place in table if _base(place) == code]:
                del table[place]
        self.map.aliases.pop(code, None)
        self.map.unowned = [each for each in self.map.unowned if each != code]

    def _remark(self, text: str) -> None:
        if text not in self.map.remarks:
            self.map.remarks.append(text)


def _words(text: str) -> list[str]:
    """The words of a line without commas; "BUL (EC)" and "BUL(EC)" are BUL/EC."""
    return _COAST.sub(r"/\1", text).replace(",", " ").split()


def _power_words(line: str) -> re.Match[str] | None:
    """The parts of a line that names a power with its adjective."""
    return _POWER.fullmatch(line.strip())


def _key(line: str) -> str:
    """The key of the power that a line names: "GREAT BRITAIN (BRITISH) LON" and "GREAT_BRITAIN LON" mean one."""
    named = _power_words(line)
    return "_".join(named["name"].split() if named is not None else line.split()[:1]).upper()


def _directives(lines: Sequence[_SourceLine]) -> Iterator[int]:
    """Which lines stand between DIRECTIVES and END, these two included: what games on a map are to be like."""
    heads = [line.text.split()[0].upper() for line in lines]
    end = 0
    for at, head in enumerate(heads):
        if head in _DIRECTIVES and at >= end and "END" in heads[at:]:
            end = heads.index("END", at) + 1
            yield from range(at, end)


def _base(code: str) -> str:
    """The province of a code with or without a coast."""
    return code.upper().partition("/")[0]
