"""What a kind of order is: a value that says how it is written, read, stored and bound, in which phases it stands, and
what it does in a battle. A rule system knows the kinds that it brings (`judge.rules.questions.Questions.kinds`).

Those of 1976 are in `judge.orders.family`. What a kind does in a battle is not known here: `lower` and `tell` are
functions of whoever brings it (`judge/variants/README.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from judge.board.extras import Stroke
from judge.board.model import Board
from judge.board.phase import PhaseKind
from judge.board.position import NUMBERED, Position
from judge.board.unit import ANY, Unit, any_like
from judge.orders.model import Order

Units = Mapping[int, Unit]
"""Identity -> unit."""

Reader = Callable[..., Any]
"""(scene, lexed, tile) -> `judge.orders.scene.Meaning`; see `judge.orders.moving` for some."""


UNSAID = "-"
"""What a kind is called that is not named where it is said what may be ordered."""


def _say_nothing(order: Any, board: Board) -> str:
    return str(order)


def _nothing_to_try(position: Position, unit: Unit) -> Iterable[Order]:
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class OrderKind:
    """One kind of order."""

    name: str
    """As events store it and systems list it: "support"."""
    order: type[Any]
    """Its class: a frozen dataclass below `UnitOrder`, whose `str` is the canonical line."""
    phases: frozenset[PhaseKind]
    """Where it stands."""
    said: str = ""
    """What "in this phase a unit may ..." calls it; the name, if it says nothing else."""
    wrong: str = ""
    """What somebody is told who gives it in another phase."""
    plain: bool = False
    """Whether the common case of it is read by `judge.orders.canonical`."""
    gives_way: frozenset[str] = frozenset()
    """The kinds of which an order for the same unit counts instead of one of this kind, whichever stands first."""
    standing: bool = False
    """Whether it may always stand (`always A MUN H`)."""
    words: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Words that only this kind has -> the letter for which they stand in a line's shape (`judge.orders.grammar`); for
    one that says nothing "".
    """
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Form -> its shapes, in every phase; of those that `judge.orders.grammar` does not have."""
    readers: Mapping[str, Reader] = field(default_factory=lambda: MappingProxyType({}))
    """Form -> what reads it, in the phases of the kind."""
    canonical: Mapping[str, Callable[..., Any]] = field(default_factory=lambda: MappingProxyType({}))
    """Third word of a canonical line -> (unit, words, scene) -> the order, or None."""
    whole: Callable[[str, Any], Any] | None = None
    """(line, scene) -> the order of a line that only this kind understands, as a whole; None for any other line. It is
    asked before anything else, so that it has to be quick.
    """
    looks: Callable[[str], bool] | None = None
    """Whether a line is meant as one that is read as a `whole`, told without a position."""
    misread: Callable[[str, Any], Any] | None = None
    """(line, scene) -> the problem of a line that `whole` knows by its words and cannot follow; None for any other."""
    spelled: Callable[[Any, Board], str] = _say_nothing
    """The order with its places spelled out, as the reader takes it back."""
    told: Callable[[Any, Board], str] = _say_nothing
    """The order in full names, for a sentence about what became of it."""
    tries: Callable[[Position, Unit], Iterable[Order]] = _nothing_to_try
    """Orders of this kind that a unit could be given: what is offered instead of others, and what robots try."""
    sign: str = ""
    """The sign with which pictures show it at its unit (`judge.draw.glyphs.SIGNS`); "": none."""
    plain_form: Callable[[Any, Position], Order | None] | None = None
    """The order of 1976 as which pictures show it, in the position in which it was given; None: it is none of these."""
    strokes: Callable[[Any], tuple[Stroke, ...]] | None = None
    """The lines with which pictures show it; None: there are none."""
    lower: Callable[[Any, list[int]], None] | None = None
    """Enters the orders of this kind into a bout (`judge.adjudicate.bout`), the units being those that have one; None:
    the unit stands.
    """
    tell: Callable[[Any, int, int], Any] | None = None
    """(solver, unit, attacker or -1) -> the verdict (`judge.adjudicate.why`), where something is to be told."""

    def stored(self, order: Any) -> dict[str, Any]:
        """An order of this kind as plain JSON: units by their identity."""
        names = _fields_of(_key(self.order))
        vague = [name for name, unit in units_of_order(order).items() if unit.marks and unit.mark(ANY)]
        stored = {"kind": self.name} | {_stored_as(name): _plain(getattr(order, name)) for name in names}
        return stored | {"any": vague} if vague else stored

    def restored(self, data: Mapping[str, Any], units: Units) -> Order:
        """The inverse of `stored`. Raises KeyError for a unit that is not among `units`."""
        own = _units_in(_key(self.order))
        found: list[Any] = []
        for name in _fields_of(_key(self.order)):
            value = data[_stored_as(name)]
            if name in own:
                found.append(any_like(units[value]) if name in data.get("any", ()) else units[value])
            else:
                found.append(tuple(value) if isinstance(value, list) else value)
        return self.order(*found)  # type: ignore[no-any-return]


_KEPT = 256
"""Classes of orders whose fields are remembered: more than all rule systems together have."""


def _key(order: type) -> Hashable:
    return order


def _declared(order: Any) -> tuple[Field[Any], ...]:
    return fields(order)


@lru_cache(maxsize=_KEPT)
def _fields_of(order: Any) -> tuple[str, ...]:
    return tuple(each.name for each in _declared(order))


@lru_cache(maxsize=_KEPT)
def _units_in(order: Any) -> frozenset[str]:
    return frozenset(each.name for each in _declared(order) if each.type in ("Unit", Unit))


def _stored_as(name: str) -> str:
    return "of" if name == "kind" else name  # what a build is of; "kind" is the kind of order


def _plain(value: Any) -> Any:
    if type(value) is Unit:
        return value.id
    return list(value) if type(value) is tuple else value


def units_of_order(order: Order) -> dict[str, Unit]:
    """Field -> unit, of an order: whose it is, and those that it names."""
    return {
        name: getattr(order, name) for name in _fields_of(_key(type(order))) if name in _units_in(_key(type(order)))
    }


def with_units(order: Order, change: Callable[[Unit], Unit | None]) -> Order | None:
    """The order with its units changed; None where one of them comes to nothing."""
    changed: dict[str, Any] = {}
    for name, unit in units_of_order(order).items():
        new = change(unit)
        if new is None:
            return None
        new = any_like(new) if unit.marks and unit.mark(ANY) else new
        if new != unit:
            changed[name] = new
    return replace(order, **changed) if changed else order


class Kinds:
    """The kinds of order that a rule system knows, with what readers look up. Never changed."""

    __slots__ = (
        "all",
        "by_type",
        "canonical",
        "gives_way",
        "looks",
        "misread",
        "names",
        "plain",
        "readers",
        "whole",
        "words",
    )

    def __init__(self, kinds: Iterable[OrderKind]) -> None:
        self.all = tuple(kinds)
        self.names = frozenset(kind.name for kind in self.all)
        self.by_type: Mapping[type, OrderKind] = {kind.order: kind for kind in reversed(self.all)}
        self.gives_way: Mapping[type, frozenset[type]] = {
            kind.order: frozenset(each.order for each in self.all if each.name in kind.gives_way)
            for kind in self.all
            if kind.gives_way
        }
        """Class of orders -> those that count instead."""
        self.words: Mapping[str, str] = {word: letter for kind in self.all for word, letter in kind.words.items()}
        """Words beside those that all systems have."""
        self.readers: Mapping[tuple[PhaseKind, str], Reader] = {
            (phase, form): reader for kind in self.all for phase in kind.phases for form, reader in kind.readers.items()
        }
        self.whole = tuple(kind.whole for kind in self.all if kind.whole is not None)
        """What reads lines as a whole."""
        self.misread = tuple(kind.misread for kind in self.all if kind.misread is not None)
        """What says why a line cannot be read as a whole."""
        self.looks = tuple(kind.looks for kind in self.all if kind.looks is not None)
        """What tells such lines from chatter."""
        self.plain = frozenset(form for kind in self.all if kind.plain for form in kind.readers)
        """Forms that `judge.orders.canonical` may decide."""
        self.canonical: Mapping[str, Callable[..., Any]] = {
            word: read for kind in self.all for word, read in kind.canonical.items()
        }

    def __iter__(self) -> Iterator[OrderKind]:
        return iter(self.all)

    def __contains__(self, one: object) -> bool:
        return one in self.names or one in self.all

    def having(self, *kinds: OrderKind) -> Kinds:
        """These and some more; of two with one name the later."""
        new = {kind.name for kind in kinds}
        return Kinds((*(kind for kind in self.all if kind.name not in new), *kinds))

    def without(self, *names: str) -> Kinds:
        """These but for some."""
        return Kinds(kind for kind in self.all if kind.name not in names)

    def of(self, order: Order) -> OrderKind | None:
        """The kind of an order; None: the system knows none such."""
        return self.by_type.get(type(order))

    def standing_in(self, phase: PhaseKind) -> tuple[type, ...]:
        """The classes of the orders that a phase is for."""
        return tuple(kind.order for kind in self.all if phase in kind.phases)


_family: list[Kinds] = []


def family() -> Kinds:
    """The kinds of 1976 (`judge.orders.family`)."""
    return _family[0]


def join_family(kinds: Kinds) -> None:
    """Let these be what `family` answers."""
    _family[:] = [kinds]


_by_name: dict[str, OrderKind] = {}
_by_type: dict[type, OrderKind] = {}
_form_names: dict[str, str] = {}


ORDERS, NUMBERS = "orders", NUMBERED
"""Facts of a board that a rule system redraws: the key under which its kinds of order joined, and whether its units are
called by numbers. Whoever knows a board and no position learns from them what an order looks like.
"""

_systems: dict[str, Kinds] = {}


def system_of(board: Board) -> str:
    """The key of the rule system that drew a board; "" for those of 1976."""
    return str(board.facts.get(ORDERS, ""))


def kinds_on(board: Board) -> Kinds:
    """The kinds of order on a board: those of 1976, unless the rules that drew it say otherwise."""
    return _systems.get(system_of(board), family())


def join_kinds(kinds: Iterable[OrderKind], system: str = "") -> None:
    """Let the kinds of a rule system, called by its key, be read, written and stored. Raises ValueError for a name that
    is taken.
    """
    if system and isinstance(kinds, Kinds):
        _systems[system] = kinds
    for kind in kinds:
        held = _by_name.setdefault(kind.name, kind)
        if held.order is not kind.order:
            raise ValueError(f"two kinds of order are called {kind.name!r}")
        _by_type.setdefault(kind.order, kind)
        for form in (*kind.forms, *kind.readers):
            _form_names.setdefault(form, kind.name)


def is_kind(name: str) -> bool:
    """Whether any system has a kind of this name."""
    return name in _by_name


def how_many_kinds() -> int:
    """How many kinds have joined."""
    return len(_by_name)


def known_forms() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The forms that kinds have beside those of the grammar, with their shapes."""
    for kind in _by_name.values():
        yield from kind.forms.items()


def kind_of(order: Order) -> OrderKind:
    """The kind of any order; raises ValueError for one that is of no kind."""
    kind = _by_type.get(type(order))
    if kind is None:
        raise ValueError(f"{order} is of no kind of order; there are {', '.join(sorted(_by_name))}")
    return kind


def kind_named(name: str) -> OrderKind:
    """The kind with a name; raises ValueError, which lists those that there are."""
    if name not in _by_name:
        raise ValueError(f"there is no order of the kind {name!r}; there are {', '.join(sorted(_by_name))}")
    return _by_name[name]


def kind_of_form(form: str) -> str:
    """The name of the kind that a form of the grammar writes; the form itself, where no kind has it."""
    return _form_names.get(form, form)


def spelled_otherwise(order: Any, board: Board) -> str:
    """How an order of another system than that of 1976 is spelled out."""
    return kind_of(order).spelled(order, board)
