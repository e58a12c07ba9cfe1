"""What is written canonically is read back to the same order, by the fast way and by the grammar."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.board.load import available_boards, load_board
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Dislodged, Unit
from judge.orders.canonical import is_plainly_order
from judge.orders.family import FAMILY, RAIL
from judge.orders.model import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.orders.reader import canonical, canonical_readers, looks_like_order, read_line, read_orders
from judge.orders.reading import ReadOptions
from judge.orders.scene import Reach
from judge.resources import folder
from tests.support.tangles import crowded, tangled

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@st.composite
def positions(draw: st.DrawFn, board: Board) -> Position:
    """Up to thirty units of all powers anywhere on the board, one a province."""
    provinces = draw(st.lists(st.sampled_from(sorted(board.provinces)), min_size=4, max_size=30, unique=True))
    units: list[Unit] = []
    for number, province in enumerate(provinces, start=1):
        places = [
            (kind, place)
            for kind in "AF"
            for place in (province, *board.provinces[province].locations())
            if board.can_stand(kind, place)
        ]
        kind, place = draw(st.sampled_from(sorted(set(places))))
        units.append(Unit(number, kind, place, draw(st.sampled_from(POWERS))))
    return Position(board, Phase.read("S1901M"), tuple(units), {})


def possible_orders(position: Position) -> list[Order]:
    """Every order that could be carried out, whatever others do."""
    reach = Reach(position)
    orders: list[Order] = []
    for unit in position.units:
        orders.append(Hold(unit))
        orders += [Move(unit, to) for to in reach.walk(unit)]
        orders += [Move(unit, to, True) for to in sorted(reach.convoy(unit))]
        near = reach.walk_provinces(unit)
        for other in position.units:
            if other == unit:
                continue
            if province_of(other.at) in near:
                orders.append(Support(unit, other))
            orders += [Support(unit, other, to) for to in sorted(near) if reach.can_enter(other, to)]
            ports = sorted(reach.convoy(other))
            orders += [Convoy(unit, other, to) for to in ports if reach.can_carry(unit, other, to)]
    return [
        order
        for order in orders
        if not (isinstance(order, Support) and order.to is not None and order.to == province_of(order.of.at))
    ]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_possible_order_reads_back(board: Board, data: st.DataObject) -> None:
    position = data.draw(positions(board))
    for order in possible_orders(position):
        line = canonical(order)
        for text in (line, line.lower(), line.replace(" ", "  ")):
            assert [reading.order for reading in read_line(text, position, None)] == [order], text


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_names_in_full_read_back(board: Board, data: st.DataObject) -> None:
    position = data.draw(positions(board))
    orders = possible_orders(position)[:200]
    for order in orders:
        readings = read_line(in_full(order, board), position, None)
        assert [reading.order for reading in readings] == [order], in_full(order, board)


def _anything(random: Random, unit: Unit, position: Position) -> Iterator[str]:
    """Orders to go, support and convoy to near and far, to where one stands, with coasts that are none, by rail."""
    places = [*position.board.locations(), "SPA/NC", "PAR/SC", "XYZ"]
    for _ in range(8):
        other = random.choice(position.units)
        near = random.choice(
            [province_of(other.at), *position.board.reach("A", unit.at), *position.board.reach("F", unit.at)]
        )
        goal = random.choice([near, random.choice(places)])
        yield from (f"{unit} - {goal}", f"{unit} - {goal} VIA", f"{unit} {random.choice('SC')} {other} - {goal}")
        yield f"{unit} S {other}"
    for line in position.board.railways:
        yield from (f"{unit} - {stop}" for stop in line if unit.at in line)


def _with_armies_at_railways(position: Position) -> Position:
    """With an army at every stop of a railway at which nobody stands."""
    taken = {province_of(unit.at) for unit in position.units}
    stops = sorted({stop for line in position.board.railways for stop in line} - taken)
    first = max(unit.id for unit in position.units) + 1
    armies = (Unit(number, "A", stop, position.units[0].power) for number, stop in enumerate(stops, first))
    return Position(position.board, position.phase, (*position.units, *armies), position.owners)


def test_on_every_board_the_fast_way_reads_what_the_grammar_reads() -> None:
    """Where it answers at all, the reader that looks at each word (more blanks send a line there) gives the same
    order.
    """
    random, home = Random(20), folder("maps")
    for name in available_boards(home):
        board = load_board(home / name)
        options = ReadOptions(kinds=FAMILY.having(RAIL)) if board.railways else ReadOptions()
        read = answered = 0
        for _ in range(6):
            position = _with_armies_at_railways(crowded(random, board, 14))
            lines = [canonical(order) for order in tangled(random, position)]
            lines += [line for unit in position.units for line in _anything(random, unit, position)]
            for power in (None, position.units[0].power):
                fast = canonical_readers(position, options)(power)
                for line in lines:
                    read += 1
                    if (order := fast(line)) is not None:
                        answered += 1
                        found = [
                            reading.order
                            for reading in read_line(line.replace(" ", "  "), position, power, options=options)
                        ]
                        assert found == [order], (name, line, power)
        assert answered > read / 4, f"{name}: {answered} of {read}"


def test_on_every_board_what_is_plainly_an_order_is_meant_as_one() -> None:
    """The mail reader takes such a line for an order before it looks for anything else in it."""
    random, home = Random(11), folder("maps")
    for name in available_boards(home):
        board = load_board(home / name)
        seen = plain = 0
        for _ in range(3):
            position = crowded(random, board, 14)
            for order in tangled(random, position):
                for text in (canonical(order), canonical(order).lower(), in_full(order, board)):
                    seen += 1
                    if is_plainly_order(text, board):
                        plain += 1
                        assert looks_like_order(text, board), (name, text)
        assert plain > seen / 2, name


def test_on_every_board_orders_read_back_in_small_letters_and_in_full() -> None:
    """A code of two meanings is asked back; nothing else is read as anything but the order."""
    random, home = Random(7), folder("maps")
    for name in available_boards(home):
        board = load_board(home / name)
        for _ in range(4):
            position = crowded(random, board, 14)
            for order in tangled(random, position):
                line = canonical(order)
                for text in (line.lower(), line.title(), in_full(order, board)):
                    (found,) = read_line(text, position, None)
                    asked = found.problem is not None and found.problem.slug == "two-meanings"
                    assert found.order == order or asked, (name, text)


def in_full(order: Order, board: Board) -> str:
    """ "Army Marseilles supports Army Paris to Burgundy"."""

    def unit_in_full(unit: Unit) -> str:
        return f"{board.kinds[unit.kind].name} {board.place_name(unit.at)}"

    match order:
        case Hold(unit):
            return f"{unit_in_full(unit)} holds"
        case Move(unit, to, via):
            return f"{unit_in_full(unit)} moves to {board.place_name(to)}{' via convoy' if via else ''}."
        case Support(unit, of, None):
            return f"{unit_in_full(unit)} supports {board.powers[of.power].adjective} {unit_in_full(of)} holding"
        case Support(unit, of, str() as to):
            return f"{unit_in_full(unit)} supports {unit_in_full(of)} to {board.place_name(to)}"
        case Convoy(unit, of, to):
            return f"{unit_in_full(unit)} convoys {unit_in_full(of)} to {board.place_name(to)}"
    raise AssertionError(order)


def test_a_move_that_nobody_could_make_is_still_that_move(start: Position) -> None:
    readings = read_line("A PAR - MOS", start, "FRANCE")
    assert [str(reading.order) for reading in readings] == ["A PAR - MOS"]


def test_retreats_builds_and_removals_read_back(board: Board) -> None:
    fleet, army = Unit(1, "F", "MAO", "ENGLAND"), Unit(2, "A", "BUR", "FRANCE")
    beaten = (Dislodged(fleet, ("SPA/NC", "SPA/SC", "POR")), Dislodged(army, ("GAS",)))
    retreats = Position(board, Phase.read("F1902R"), (), {}, beaten)
    for order in (Retreat(fleet, "SPA/NC"), Retreat(fleet, "POR"), Disband(fleet), Retreat(army, "GAS")):
        assert [reading.order for reading in read_line(canonical(order), retreats, None)] == [order]
    winter = Position(board, Phase.read("W1902A"), (army,), {"PAR": "FRANCE", "STP": "RUSSIA"})
    builds: list[tuple[Order, str]] = [
        (Disband(army), "FRANCE"),
        (Build("FRANCE", "F", "BRE"), "FRANCE"),
        (Build("RUSSIA", "F", "STP/SC"), "RUSSIA"),
        (Waive("RUSSIA"), "RUSSIA"),
    ]
    for built, power in builds:
        assert [reading.order for reading in read_line(canonical(built), winter, power)] == [built]


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=80))
def test_no_text_raises(start: Position, text: str) -> None:
    for reading in read_orders(text, start, None):
        assert (reading.order is None) == (reading.problem is not None)


VOCABULARY = """
    a f army fleet par mar bur nor tyr liv bre mid stp sc nc spa ( ) / - -> , ; . and s c h to via convoy holds supports
    french english turkish england: the if not all others hold waive build remove retreats xyzzy 2 # : english channel
    north sea gulf of lyon st petersburg south coast swi moon"""
WORDS = VOCABULARY.split()


@settings(max_examples=400, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12), kind=st.sampled_from("MRA"))
def test_no_heap_of_order_words_raises(start: Position, words: list[str], kind: str) -> None:
    beaten = tuple(Dislodged(unit, ()) for unit in start.units) if kind == "R" else ()
    position = Position(start.board, Phase.read(f"F1901{kind}"), start.units, start.owners, beaten)
    for power in (None, "FRANCE"):
        for reading in read_orders(" ".join(words), position, power):
            assert (reading.order is None) == (reading.problem is not None)
            assert reading.problem is None or reading.problem.sentence
