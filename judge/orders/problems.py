"""The problems of lines that are no orders: a slug, and a sentence that says how to put it right.

Slugs: not-an-order, words-left-over, unfinished, condition, question, two-meanings, which-coast, which-kind,
no-such-place, impassable, no-such-unit, not-your-unit, not-dislodged, wrong-phase, wrong-unit-letter, no-such-order,
railway-not-named, no-railway, convoy-needs-destination, convoy-needs-army, more-than-one-step, no-way-over-sea,
which-place, nationality-missing, name-not-spelled-out, no-blanket-orders, out-of-reach, which-power, for-another-power,
not-your-power, power-not-played, two-orders (`judge.orders.filing`).

Did you mean: what a unit could do that is nearest to what was written.

Nearest is near in writing first ("Bug" for Burgundy), then near on the board: who cannot reach Brest may have meant
the sea before it. Whether an order is legal here and now is for those who know the rules (`judge.game.filing.judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from judge.board.model import COAST_NAMES, Board, Location, Power, province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS, TALKS, PhaseKind
from judge.board.position import Position
from judge.board.spelling import slips
from judge.board.unit import Unit
from judge.languages import tell, together, told_later
from judge.orders.kinds import UNSAID, Kinds
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.orders.reading import AWAY, CHATTER, Problem
from judge.orders.scene import Reach, ground_of
from judge.orders.spelled import listed, order_words, unit_text

_FAR = 20
"""Further than any two places of a board, in steps, or than any two of their names in slips."""


def reachable_moves(reach: Reach, units: Sequence[Unit]) -> list[Order]:
    """Every move by its own way of one unit; nothing for several units."""
    return [Move(units[0], to) for to in reach.walk(units[0])] if len(units) == 1 else []


def nearest(orders: Iterable[Order], wanted: str, board: Board) -> tuple[Order, ...]:
    """Orders, those first whose places are written most like a word that names none of the board."""

    def far(order: Order) -> int:
        return sum(_slips(board, province_of(place), wanted) for place in _places_of(order))

    return tuple(sorted(orders, key=far))


def _places_of(order: Order) -> list[Location]:
    units = [getattr(order, name, None) for name in ("unit", "of")]
    named = [getattr(order, name, None) for name in ("to", "at")]
    return [*(unit.at for unit in units if unit is not None), *(place for place in named if place)]


def units_that_could(reach: Reach, units: Iterable[Unit], places: Iterable[Location]) -> list[Order]:
    """Moves into one of the places by units that can go there by their own way."""
    provinces = {province_of(place) for place in places}
    return [Move(unit, to) for unit in units for to in reach.walk(unit) if province_of(to) in provinces]


def suggest(
    order: Order, position: Position, is_possible: Callable[[Order], bool] = lambda order: True
) -> Iterator[Order]:
    """Possible orders for the same unit or build, the most alike first: of the same kind, else of another.

    For answers to well-formed orders that are refused: "A PAR - ROM" -> A PAR - BUR, ... No order is applied by this.
    """
    reach = ground_of(position).reach
    if isinstance(order, Move) and province_of(order.to) == province_of(order.unit.at):
        yield Hold(order.unit)
    for kind in (_alike(order, position, reach), _otherwise(order, reach)):
        ranked = sorted(enumerate(kind), key=lambda found: (_unlike(found[1][0], order, reach.board), found[0]))
        choices = dict.fromkeys(choice for _, (_, choice) in ranked if choice != order and is_possible(choice))
        yield from choices
        if choices and not isinstance(order, Retreat):
            return


def _alike(order: Order, position: Position, reach: Reach) -> list[tuple[Location, Order]]:
    if isinstance(order, Move):
        return [(to, Move(order.unit, to)) for to in reach.walk(order.unit)]
    if isinstance(order, Support):
        return _supports(order, reach)
    if isinstance(order, Convoy):
        ports = sorted(reach.convoy(order.of))
        return [(to, Convoy(order.unit, order.of, to)) for to in ports if reach.can_carry(order.unit, order.of, to)]
    if isinstance(order, Retreat):
        options = next((beaten.options for beaten in position.dislodged if beaten.unit == order.unit), ())
        return [(to, Retreat(order.unit, to)) for to in options]
    return _builds(order, position) if isinstance(order, Build) else []


def _otherwise(order: Order, reach: Reach) -> list[tuple[Location, Order]]:
    """Orders of another kind for the same unit: its moves and, last, to hold; for a dislodged unit, to disband."""
    if isinstance(order, Retreat):
        return [(order.unit.at, Disband(order.unit))]
    if isinstance(order, (Move, Support, Convoy)):
        stays: tuple[Location, Order] = (order.unit.at, Hold(order.unit))
        return [*((to, Move(order.unit, to)) for to in reach.walk(order.unit)), stays]
    return []


def _builds(order: Build, position: Position) -> list[tuple[Location, Order]]:
    """Units of the same kind, then of any, in the vacant home centres that the power still owns."""
    board = position.board
    homes = [home for home in board.powers[order.power].homes if position.owners.get(home) == order.power]
    sites = [
        (kind, place)
        for home in homes
        if not position.at(home)
        for kind in board.kinds
        for place in dict.fromkeys((home, *board.provinces[home].locations()))
        if board.can_stand(kind, place)
    ]
    alike = [site for site in sites if site[0] == order.kind] or sites
    return [(place, Build(order.power, kind, place)) for kind, place in alike]


def _supports(order: Support, reach: Reach) -> list[tuple[Location, Order]]:
    """Supports of the same unit into places that both can reach, or where it stands."""
    both = reach.walk_provinces(order.unit)
    found: list[tuple[Location, Order]] = [
        (to, Support(order.unit, order.of, to)) for to in sorted(both) if reach.can_enter(order.of, to)
    ]
    if province_of(order.of.at) in both:
        found.append((order.of.at, Support(order.unit, order.of)))
    return found


def _unlike(place: Location, order: Order, board: Board) -> tuple[int, int]:
    """How far a place is from the one that an order names: in typing slips, then in steps."""
    wanted = order.at if isinstance(order, Build) else getattr(order, "to", None)
    if wanted is None:
        return 0, 0
    here, there = province_of(place), province_of(wanted)
    near = slips(here.casefold(), there.casefold(), 1)
    return _FAR if near is None else near, _steps(board, there).get(here, _FAR)


def _slips(board: Board, province: str, wanted: str) -> int:
    """Slips between what was written and the name or code of a province, however many."""
    typed = wanted.casefold()[:_FAR]
    near = [slips(name.casefold(), typed, _FAR) for name in (province, board.provinces[province].name)]
    return min((distance for distance in near if distance is not None), default=_FAR)


@lru_cache(maxsize=512)
def _steps(board: Board, origin: str) -> dict[str, int]:
    """How many borders lie between a province and each other one, whatever unit crosses them."""
    found, border = {origin: 0}, [origin]
    while border:
        around = [place for here in border for place in _around(board).get(here, ())]
        border = [place for place in dict.fromkeys(around) if place not in found]
        found |= dict.fromkeys(border, 1 + max(found.values()))
    return found


@lru_cache(maxsize=16)
def _around(board: Board) -> dict[str, tuple[str, ...]]:
    around: dict[str, dict[str, None]] = {}
    for edge in board.borders:
        here, there = province_of(edge.a), province_of(edge.b)
        around.setdefault(here, {})[there] = None
        around.setdefault(there, {})[here] = None
    return {place: tuple(others) for place, others in around.items()}


_MOST_CANDIDATES = 8
_PHASE_WORDS = {
    MOVES: told_later("moves"),
    RETREATS: told_later("retreats"),
    ADJUSTMENTS: told_later("builds and removals"),
    TALKS: told_later("negotiations"),
}
_PHASE_CLAUSES = {MOVES: "VII.1", RETREATS: "XI.2", ADJUSTMENTS: "XIII.2"}
_PHASE_ORDERS = {
    MOVES: told_later("a unit may {orders}"),
    RETREATS: told_later("a dislodged unit may {orders}"),
    ADJUSTMENTS: told_later("you may {orders}"),
}
_SAID_FIRST = ("move", "hold")
"""Of the kinds of order, those that are named before all others."""


def what_may_be_ordered(phase: PhaseKind, kinds: Kinds) -> str:
    """What a kind of phase is for, of the kinds of order that the rules know: "a unit may move, hold or support"."""
    known = [kind for kind in kinds if phase in kind.phases and kind.said != UNSAID]
    known.sort(key=lambda kind: _SAID_FIRST.index(kind.name) if kind.name in _SAID_FIRST else len(_SAID_FIRST))
    said = listed([tell(kind.said or kind.name) for kind in known], "or")
    return tell(_PHASE_ORDERS[phase], orders=said) if known else tell("no unit is ordered")


def kind_word(kind: str | None, board: Board) -> str:
    """ "army", "fleet", and the names of the board's other kinds; "unit" for None."""
    known = board.kinds.get(kind or "")
    return known.name.lower() if known else "unit"


def unit_words(unit: Unit, board: Board) -> str:
    """ "fleet in St Petersburg (south coast)"."""
    return tell("{unit} in {place}", unit=tell(kind_word(unit.kind, board)), place=board.place_name(unit.at))


def _did_you_mean(slug: str, sentence: str, orders: Iterable[Order], clause: str) -> Problem:
    """A problem with the orders that may have been meant; the sentence alone if there are none."""
    candidates = tuple(dict.fromkeys(orders))[:_MOST_CANDIDATES]
    return Problem(slug, sentence, candidates, clause, guessed=True)


def with_guesses(problem: Problem, board: Board) -> str:
    """The sentence of a problem where nothing can be chosen from: what may have been meant is named in it."""
    lines = [each if isinstance(each, str) else order_words(each, board) for each in problem.candidates]
    return (
        tell("{sentence} Did you mean {lines}?", sentence=problem.sentence, lines=listed(lines, "or"))
        if lines
        else problem.sentence
    )


def two_meanings(orders: Iterable[Order]) -> Problem:
    """An order with two meanings is not followed."""
    candidates = tuple(dict.fromkeys(orders))[:_MOST_CANDIDATES]
    return Problem("two-meanings", tell("This can mean more than one order."), candidates, "VII.4")


def which_coast(unit: Unit, at: str, board: Board, orders: Iterable[Order], named: str = "") -> Problem:
    """The coast decides and was not named, or one was that the place does not have (`named`: "NC")."""
    place = board.place_name(province_of(at))
    sentence = tell(
        "The {unit_words} can reach more than one coast of {place}; please name it.",
        unit_words=unit_words(unit, board),
        place=place,
    )
    return Problem("which-coast", _no_such_coast(at, board, named) or sentence, tuple(orders), "VII.3b")


def build_coast(at: str, board: Board, orders: Iterable[Order], named: str = "") -> Problem:
    """A fleet built in a centre of several coasts needs its coast. `named`: as in `which_coast`."""
    place = board.place_name(province_of(at))
    sentence = tell("A fleet in {place} stands on one coast; please name it.", place=place)
    return Problem("which-coast", _no_such_coast(at, board, named) or sentence, tuple(orders), "XIII.2")


_A_COAST = {
    "NC": told_later("a north coast"),
    "SC": told_later("a south coast"),
    "EC": told_later("an east coast"),
    "WC": told_later("a west coast"),
}


def _no_such_coast(at: str, board: Board, named: str) -> str:
    """ "Bulgaria has no north coast; it has an east coast and a south coast."; "" where nothing else was named."""
    province = board.provinces[province_of(at)]
    if not named or named in province.coasts:
        return ""
    coasts = [tell(_A_COAST[coast]) for coast in province.coasts]
    return tell(
        "{province} has no {coast_names}; it has {coasts}.",
        province=board.spelled[province.code],
        coast_names=tell(COAST_NAMES[named]),
        coasts=listed(coasts),
    )


def which_place(kind: str, board: Board, orders: Iterable[Order]) -> Problem:
    """A unit is built somewhere; `orders`: wherever that could be."""
    name = board.kinds[kind].name.lower()
    sentence = tell("Where is the {name} to be built? Please name the place.", name=name)
    return Problem("which-place", sentence, tuple(orders), "XIII.2", guessed=True)


def which_kind(place: str, orders: Iterable[Order]) -> Problem:
    """Army or fleet must be said in a coastal centre."""
    return Problem("which-kind", tell("Army or fleet in {place}?", place=place), tuple(orders), "XIII.2")


def no_such_place(text: str, board: Board, orders: Iterable[Order] = (), units: Sequence[Unit] = ()) -> Problem:
    """No place of the board is written so. `units`: where it named a unit, and no order is near, those there are."""
    orders = nearest(orders, text, board)
    sentence = tell('No place on this board is called "{text}".', text=text)
    if units and not orders:
        sentence = together(sentence, tell("You have {units}.", units=listed(unit_text(unit, board) for unit in units)))
    return _did_you_mean("no-such-place", sentence, orders, "VII.1")


def impassable(sentence: str) -> Problem:
    """The place is on the board and closed to everybody."""
    return Problem("impassable", sentence, (), "VII.1")


YOU_HAVE_NO = told_later("You have no {unit}."), told_later("You have no {unit} in {place}.")
THERE_IS_NO = told_later("There is no {unit}."), told_later("There is no {unit} in {place}.")
THERE_IS_NONE_OF = told_later("There is no {nation} {unit}."), told_later("There is no {nation} {unit} in {place}.")
NOBODY_BUILDS = told_later("Nobody can build a {unit}."), told_later("Nobody can build a {unit} in {place}.")
"""Who is not there, without a place and with one."""


def no_such_unit(
    where: str, kind: str | None, missing: tuple[str, str], board: Board, orders: Iterable[Order] = (), nation: str = ""
) -> Problem:
    """Nobody stands there: an illegal order, which is not followed. `missing`: `YOU_HAVE_NO` and the like; `nation`:
    the power that was named, "" for none.
    """
    words = tell(board.powers[nation].adjective) if nation else ""
    sentence = tell(missing[bool(where)], unit=tell(kind_word(kind, board)), place=where, nation=words)
    return _did_you_mean("no-such-unit", sentence, orders, "VII.4")


def not_your_unit(unit: Unit, board: Board, orders: Iterable[Order] = (), *, played: bool = True) -> Problem:
    """A unit takes orders from its own power only; from nobody where nobody plays that."""
    owner: Power = board.powers[unit.power]
    if not played:
        sentence = tell(
            "The {unit_words} belongs to {owner}, which nobody plays; it holds.",
            unit_words=unit_words(unit, board),
            owner=owner.told,
        )
        return _did_you_mean("not-your-unit", sentence, orders, "VII.1")
    who = tell("nobody") if owner.minor else tell("only {owner}", owner=owner.told)
    sentence = tell(
        "The {unit_words} belongs to {owner}; {who} can order it.",
        unit_words=unit_words(unit, board),
        owner=owner.name,
        who=who,
    )
    return _did_you_mean("not-your-unit", sentence, orders, "VII.1")


def not_your_power(power: Power) -> Problem:
    """Builds and waived builds are written by their own power only."""
    return Problem("not-your-unit", tell("Only {power} can give orders for {power}.", power=power.told), (), "XIII.2")


def for_another(power: Power) -> Problem:
    """Whoever plays several powers gives each its orders under its name."""
    return Problem(AWAY, tell("This is for {power}.", power=power.told))


def not_played(power: Power) -> Problem:
    """A line for a power, or about a unit of one, that is out of this game."""
    return Problem(
        "power-not-played", tell("{power} is not played in this game, so nothing of it was taken.", power=power.told)
    )


def names_another(named: Power, own: Power, orders: Sequence[Order] = ()) -> Problem:
    """A line for a power that its author does not order: not theirs, though one of their units could follow it."""
    sentence = tell(
        "This names {named}, not {own}, so nothing of it was taken. If it is meant for {own}, "
        "send it without that name.",
        named=named.name,
        own=own.name,
    )
    return Problem("not-your-power", sentence, tuple(orders), "VII.1", guessed=True)


def whose(sentence: str, lines: Sequence[Order | str]) -> Problem:
    """A line that several powers of one player can follow."""
    return Problem("which-power", sentence, tuple(lines), guessed=True)


def not_dislodged(unit: Unit, board: Board) -> Problem:
    """In a retreat phase only dislodged units take orders."""
    return Problem(
        "not-dislodged",
        tell("The {unit_words} was not dislodged and needs no order now.", unit_words=unit_words(unit, board)),
        (),
        "XI",
    )


def stands_elsewhere(unit: Unit, text: str, board: Board, orders: Iterable[Order]) -> Problem:
    """A unit that is to hold in a place where it does not stand."""
    sentence = tell(
        '{unit} does not stand in "{text}", so it cannot hold there.', unit=unit_text(unit, board), text=text
    )
    return _did_you_mean("words-left-over", sentence, [*orders, Hold(unit)], "VII.4")


def nothing_to_keep(unit: Unit, board: Board) -> Problem:
    """A dislodged unit for which "the rest stays as it is" leaves an order on file, and none is."""
    sentence = tell(
        "Nothing is on file that could stay for {unit}; without an order it is disbanded.", unit=unit_text(unit, board)
    )
    return Problem("unfinished", sentence, (), "XI")


def wrong_phase(what: str, phase: PhaseKind, kinds: Kinds) -> Problem:
    """An order of another phase. `kinds`: those that the rules know."""
    sentence = tell(
        "This phase is for {phase_words}: {what_may_be_ordered}. {what}",
        phase_words=tell(_PHASE_WORDS[phase]),
        what_may_be_ordered=what_may_be_ordered(phase, kinds),
        what=what,
    )
    clause = _PHASE_CLAUSES.get(phase, "")
    return Problem("wrong-phase", sentence, (), clause)


def wrong_letter(unit: Unit, board: Board, order: Order | None) -> Problem:
    """A wrong letter for a unit is asked back in a no-mistakes game."""
    sentence = tell("Your unit there is the {unit_words}.", unit_words=unit_words(unit, board))
    if order is None:
        return Problem("wrong-unit-letter", sentence, (), "VII.4")
    return _did_you_mean("wrong-unit-letter", sentence, (order,), "VII.4")


def no_such_order(word: str, phase: PhaseKind, kinds: Kinds) -> Problem:
    """A kind of order that the rules of this game do not know."""
    may = what_may_be_ordered(phase, kinds)
    return Problem(
        "no-such-order", tell('No unit has the order "{word}" in this game; in this phase {may}.', word=word, may=may)
    )


def railway_not_named(order: Order) -> Problem:
    """An army that could get there by rail alone, and whose order does not say so."""
    sentence = tell("These two places have no border; an army travels there by rail if its order says so.")
    return _did_you_mean("railway-not-named", sentence, (order,), "")


def no_railway(board: Board, orders: Iterable[Order]) -> Problem:
    """An order to travel by rail where no line leads."""
    lines = [" - ".join(board.spelled[place] for place in line) for line in board.railways[::2]]
    sentence = (
        tell("No railway leads there; there is {lines}.", lines=listed(lines, "or"))
        if lines
        else tell("There are no railways on this board.")
    )
    return _did_you_mean("no-railway", sentence, orders, "")


def needs_destination(unit: Unit, of: Unit, board: Board, orders: Iterable[Order]) -> Problem:
    """The fleet's order names where the army goes."""
    candidates = tuple(orders)[:_MOST_CANDIDATES]
    line = f"{unit_text(unit, board)} C {unit_text(of, board)} - ..."
    sentence = tell("A convoy order says where the army goes, such as {line} ; yours names no destination.", line=line)
    return Problem("convoy-needs-destination", sentence, candidates, "XII.1")


def needs_army(unit: Unit, board: Board, orders: Iterable[Order]) -> Problem:
    """A convoy without the army that is carried."""
    candidates = tuple(orders)[:_MOST_CANDIDATES]
    line = f"{unit_text(unit, board)} C A ... - ..."
    sentence = tell("A convoy order names the army and where it goes, such as {line} ; yours names no army.", line=line)
    return Problem("convoy-needs-army", sentence, candidates, "XII.1")


def more_than_one_step(unit: Unit, board: Board, orders: Iterable[Order], kinds: Kinds) -> Problem:
    """Several places after one unit that are no convoy route. `kinds`: those that the rules know."""
    candidates = tuple(dict.fromkeys(orders))
    over_sea = tell(", or be convoyed over seas") if unit.kind in board.carried and "convoy" in kinds else ""
    sentence = tell(
        "{unit} can take one step{over_sea}; please name one destination.",
        unit=unit_text(unit, board),
        over_sea=over_sea,
    )
    return Problem("more-than-one-step", sentence, candidates, "VII.1")


def no_way_over_sea(unit: Unit, seas: Sequence[str], to: str, board: Board, orders: Iterable[Order]) -> Problem:
    """Seas on the way of an army that hang together neither with where it stands nor with where it goes."""
    named = listed([board.place_name(sea) for sea in seas], "and")
    goal = board.place_name(province_of(to))
    sentence = tell(
        "{unit} does not pass {named} on its way to {goal}; name all seas between, or none.",
        unit=unit_text(unit, board),
        named=named,
        goal=goal,
    )
    return Problem("no-way-over-sea", sentence, tuple(dict.fromkeys(orders)), "VII.4")


def one_way(orders: Iterable[Order]) -> Problem:
    """A sea behind a comma: ordered itself, or on the way of an army."""
    sentence = tell(
        "This can be one way over sea, or two orders. Write a way with dashes, and each order on its own line."
    )
    return Problem("two-meanings", sentence, tuple(dict.fromkeys(orders))[:_MOST_CANDIDATES], "VII.4", guessed=True)


def nationality_missing(order: Support | Convoy, board: Board, line: str) -> Problem:
    """House rules demand the nationality of a foreign unit."""
    whose = tell(
        "{of} is {adjective}", of=unit_text(order.of, board), adjective=tell(board.powers[order.of.power].adjective)
    )
    return Problem("nationality-missing", tell("{whose}; this game wants that said.", whose=whose), (line,), "VII.7")


def not_spelled_out(text: str, name: str) -> Problem:
    """A code is not enough in this game."""
    sentence = tell(
        'This game wants names spelled out, or enough of them for every reader: not "{text}" but {name}.',
        text=text,
        name=name,
    )
    return Problem("name-not-spelled-out", sentence, (), "VII.7")


def no_blanket() -> Problem:
    """Where the game refuses orders for all units at once."""
    return Problem(
        "no-blanket-orders", tell("This game wants an order for each unit by itself, no order for all at once.")
    )


def condition(text: str) -> Problem:
    """A word that makes the order depend on something, and no form of it that is understood."""
    sentence = tell(
        '"{text}" depends on a condition or takes something back; please send plain orders, one for each unit.',
        text=text,
    )
    return Problem("condition", sentence)


def other_season(text: str) -> Problem:
    """An order with the name of a season in it that is not played now."""
    return Problem(
        "other-season",
        tell('"{text}" names another season; please send the order without it, if it is for now.', text=text),
    )


def question(text: str, orders: Iterable[Order]) -> Problem:
    """A question mark at the end of what would be an order."""
    sentence = tell('"{text}" ends with a question mark. If it is an order, please send it without.', text=text)
    return Problem("question", sentence, tuple(orders), guessed=True)


def left_over(text: str, rest: str, orders: Iterable[Order] = ()) -> Problem:
    """Part of the line is an order, the rest cannot be placed."""
    return _did_you_mean(
        "words-left-over", tell('I cannot place "{rest}" in "{text}".', rest=rest, text=text), orders, "VII.4"
    )


def out_of_reach(sentence: str) -> Problem:
    """What the line can mean, the unit cannot do; `sentence` is the reason of the rules."""
    return Problem("out-of-reach", sentence, (), "VII.1", guessed=True)


def unfinished(unit: Unit | None, board: Board, phase: PhaseKind, kinds: Kinds) -> Problem:
    """A unit is named and nothing that it could do."""
    who = tell("{unit} is named, but", unit=unit_text(unit, board)) if unit else tell("There is")
    sentence = tell(
        "{who} no order that I understand; in this phase {what_may_be_ordered}.",
        who=who,
        what_may_be_ordered=what_may_be_ordered(phase, kinds),
    )
    return Problem("unfinished", sentence)


def not_an_order(text: str) -> Problem:
    """No unit and no place in it."""
    return Problem(CHATTER, tell('"{text}" names no unit of this game that I know.', text=text))


def spoken_of(text: str) -> Problem:
    """An opinion of an order."""
    return Problem(CHATTER, tell('"{text}" speaks of an order and gives none.', text=text))


def struck_out(text: str) -> Problem:
    """What its author struck out."""
    return Problem(CHATTER, tell('"{text}" is struck out.', text=text))


def place_names(places: Iterable[str], board: Board) -> str:
    """ "Norway or the North Sea" for a sentence."""
    return listed([board.place_name(place) for place in dict.fromkeys(map(province_of, places))], "or")
