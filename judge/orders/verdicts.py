"""From the shape of a line to readings: calls the reader of each form of order, and adds what the receipt needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from judge.board.model import province_of
from judge.board.phase import MOVES, RETREATS
from judge.board.unit import Unit
from judge.languages import tell, told_later
from judge.orders import problems
from judge.orders.canonical import read_plain
from judge.orders.grammar import Tile, tile
from judge.orders.kinds import is_kind, kind_named, kind_of_form
from judge.orders.lexer import Lexed, Named, Slip
from judge.orders.model import Build, Misorder, Order, Waive, power_of
from judge.orders.reading import Problem, Reading
from judge.orders.scene import Meaning, Scene
from judge.orders.spelled import listed
from judge.orders.winter import waived_builds
from judge.orders.words import BREAK, UNIT, token_spans


class Piece(NamedTuple):
    """A reading, the unit it is about as far as known, or the power of a heading (then without a reading)."""

    reading: Reading | None
    unit: Unit | None = None
    heading: str = ""


ALL_KEEP = "all-keep"
"""The form of "the rest stays as it is"."""


class Blanket(NamedTuple):
    """ "All others hold", "waive the rest": expanded when the whole text is known. `kind`: only armies or fleets."""

    line: int
    text: str
    form: str
    kind: str = ""
    power: str | None = None


class LineInWork(NamedTuple):
    """One line under way."""

    number: int
    text: str
    folded: str
    scene: Scene


_OF_NO_UNIT = frozenset({"build", "bare", "waive", "all-hold", "all-disband"})
"""Forms of order that do not say whose they are by the unit that they name."""
_WRONG = {
    "convoyed-retreat": told_later("Nobody is convoyed in a retreat."),
    "all-hold": told_later("No unit can hold now."),
}
"""Forms of no kind of order: what somebody is told who writes them in the wrong phase."""
_AFTER_RETREATS = told_later("Builds have their own deadline, after the retreats; send them then.")


def read_parts(line: LineInWork, lexed: Lexed, parts: tuple[Tile, ...]) -> list[Piece | Blanket]:
    """The readings of a line cut into orders; headings change whose orders follow."""
    pieces: list[Piece | Blanket] = []
    scene = line.scene
    several = len(parts) > 1
    spans = token_spans(line.folded) if several else []
    behind = _named_behind(scene, lexed, parts) if several else ""
    alone = len(parts) == 2 and parts[0].form == "heading"
    for number, part in enumerate(parts):
        if part.form == "break":
            continue
        if part.form == "heading":
            powers = lexed.values[part.start]
            if len(powers) == 1:
                pieces.append(Piece(None, None, powers[0]))
                scene = scene.under(powers[0])
            continue
        text = _words_of(line, spans, lexed, part) if spans else line.text
        if number > 1 and (way := _one_way(scene, lexed, parts[: number + 1])) is not None:
            before = next(one for one in reversed(parts[:number]) if one.form != "break")
            text = _words_of(line, spans, lexed, Tile("", before.start, part.end))
            pieces[-1:] = [refused(line._replace(text=text), way, getattr(pieces[-1], "unit", None))]
            continue
        if scene.power is not None and (named := scene.named_instead(lexed, part) or behind):
            said = line.text if alone else text
            pieces.append(_names_another(line, said, scene, named, verdict_of(scene, lexed, part)))
            continue
        if scene.away and part.form in _OF_NO_UNIT:
            elsewhere = problems.for_another(scene.board.powers[scene.away])
            pieces.append(Piece(Reading(line.number, text, problem=elsewhere)))
            continue
        if part.form in ("all-hold", "all-disband") and (part.form == "all-hold") == (scene.kind is MOVES):
            inside = range(part.start, part.end)
            units = [lexed.values[at] for at in inside if lexed.shape[at] == UNIT]
            pieces.append(Blanket(line.number, text, part.form, units[0] if len(units) == 1 else "", scene.power))
            continue
        verdict = verdict_of(scene, lexed, part)
        if part.form == "waive" and isinstance(verdict.order, Waive):
            count = waived_builds(lexed, part)
            if count is None:
                pieces.append(Blanket(line.number, text, "all-waive", "", verdict.order.power))
                continue
            pieces += [_dressed(line, text, lexed, part, verdict)] * count
            continue
        pieces.append(_dressed(line, text, lexed, part, verdict))
    return pieces


def _one_way(scene: Scene, lexed: Lexed, parts: Sequence[Tile]) -> Problem | None:
    """What to ask of the last two of these parts, as in "A Wal - Eng, Nth - Hol" and "F Nwg S A Edi, Nth - Nwy": a sea
    behind a comma may be ordered, or be on the way of the army before it. None for orders that are clearly two.
    """
    after = parts[-1]
    if parts[-2].form != "break" or after.form != "move" or max(after.unit, after.nation) >= 0 or after.at < 0:
        return None
    before = next((part for part in reversed(parts[:-1]) if part.form != "break"), parts[-2])
    helps = before.form in ("support", "convoy", "convoy-nowhere")
    if not (helps or before.form == "move") or not _is_sea(scene, lexed, after.at):
        return None
    goes = scene.others(lexed, before) if helps else scene.subject(lexed, before)
    if not any(unit.kind in scene.board.carried for unit in goes.units):
        return None
    if before.to and not _is_sea(scene, lexed, before.to[-1]):
        return None
    keep = [index for index in range(before.start, after.end) if lexed.shape[index] != BREAK]
    shape = "".join(lexed.shape[index] for index in keep)
    look = Lexed(shape, [lexed.values[index] for index in keep], [lexed.tokens[index] for index in keep])
    whole = [verdict_of(scene, look, one) for one in tile(shape, scene.kind) or ()]
    meant = [one.order for one in (*whole, verdict_of(scene, lexed, after)) if one.order is not None]
    return problems.one_way(meant)


def _is_sea(scene: Scene, lexed: Lexed, index: int) -> bool:
    named = lexed.values[index]
    seas = scene.ground.reach.seas
    return isinstance(named, Named) and any(province_of(place) in seas for place in named.found.places)


def _named_behind(scene: Scene, lexed: Lexed, parts: tuple[Tile, ...]) -> str:
    """The power that stands behind the one order of a line, "A Lvp - Wal Germany", where it is not the reading one."""
    if [part.form == "heading" for part in parts] != [False, True] or scene.power is None:
        return ""
    powers = lexed.values[parts[1].start]
    return "" if not powers or scene.power in powers else str(powers[0])


def _names_another(line: LineInWork, text: str, scene: Scene, named: str, meant: Meaning) -> Piece:
    """The answer to an order for a power that its author does not order; never a `Misorder`, which would bind an own
    unit.
    """
    powers = scene.board.powers
    if "wrong-unit-letter" in meant.notes:  # an own fleet stands where the foreign army does that it carries
        meant = Meaning()
    orders = (meant.order,) if meant.order is not None else ()
    problem = problems.names_another(powers[named], powers[scene.power or ""], orders)
    if meant.problem is not None and meant.problem.slug == "not-your-unit":
        problem = replace(problem, sentence=meant.problem.sentence)
    return Piece(Reading(line.number, text, power=scene.power, problem=problem, about=meant.unit), meant.unit)


def verdict_of(scene: Scene, lexed: Lexed, part: Tile) -> Meaning:
    """What one order means, by the reader of its form; a problem if it belongs to another phase, or the rules have no
    such order.
    """
    known, phase = scene.options.known, scene.kind
    reader = known.readers.get((phase, part.form))
    if reader is not None:
        plainly = phase is MOVES and part.form in known.plain
        if plainly and (order := read_plain(scene, lexed, part)) is not None:
            return Meaning(order, unit=getattr(order, "unit", None))
        meaning: Meaning = reader(scene, lexed, part)
        return meaning
    kind = kind_of_form(part.form)
    if is_kind(kind) and kind not in known:
        return Meaning(problem=problems.no_such_order(kind, scene.kind, known))
    what = _WRONG.get(part.form, kind_named(kind).wrong if is_kind(kind) else "")
    if scene.kind is RETREATS and part.form in ("build", "waive"):
        what = _AFTER_RETREATS
    problem = problems.wrong_phase(tell(what) if what else "", scene.kind, known)
    if part.form in ("build", "waive"):
        return Meaning(problem=problem)
    units = scene.subject(lexed, part).units
    return Meaning(problem=problem, unit=units[0] if len(units) == 1 else None)


def _dressed(line: LineInWork, text: str, lexed: Lexed, part: Tile, verdict: Meaning) -> Piece:
    scene, order, problem = line.scene, verdict.order, verdict.problem
    if order is not None and scene.options.spelled_names:
        problem = _not_spelled(scene, lexed, part)
        order = order if problem is None else None
    corrected = (
        tell('you wrote "{text}"', text=text)
        if order is not None and (verdict.guessed or _slipped(lexed, part))
        else ""
    )
    unit = verdict.unit
    power = power_of(order) if order is not None else scene.power or (unit.power if unit else None)
    if problem is not None and unit is not None and scene.options.permissive and scene.kind is MOVES:
        order = Misorder(unit, text, problem.slug)
    notes = (*verdict.notes, "words-ignored") if lexed.aside and order is not None else verdict.notes
    about: Unit | str | None = unit
    if problem is not None:
        about, problem = unit or _site_of(problem), _quoting(problem, text)
    return Piece(Reading(line.number, text, order, power, corrected, notes, problem, about), unit)


_QUOTED = re.compile(r'(?<=")[^"]{1,60}(?=")')


def _quoting(problem: Problem, text: str) -> Problem:
    """The problem with what it quotes of a line as its author wrote it: names are looked up in small letters."""

    def written(match: re.Match[str]) -> str:
        words = r"\W+".join(map(re.escape, match[0].split()))
        found = None if match[0] in text else re.search(words, text, re.IGNORECASE)
        return found[0] if found else match[0]

    return replace(problem, sentence=_QUOTED.sub(written, problem.sentence)) if '"' in problem.sentence else problem


def _site_of(problem: Problem) -> str:
    """Where the build is that the lines of a problem offer in different ways."""
    sites = {province_of(build.at) if isinstance(build, Build) else "" for build in problem.candidates}
    return sites.pop() if len(sites) == 1 else ""


def _slipped(lexed: Lexed, part: Tile) -> bool:
    return Slip in map(type, lexed.values[part.start : part.end])


def _not_spelled(scene: Scene, lexed: Lexed, part: Tile) -> Problem | None:
    """ "Bel" is refused, "Belg" is not."""
    board = scene.ground.position.board
    for value in lexed.values[part.start : part.end]:
        if isinstance(value, Named) and len("".join(filter(str.isalpha, value.text.partition("/")[0]))) < 4:
            places = value.found.exact or value.found.prefix
            names = [board.spelled[province_of(place)] for place in places]
            if all(len(name) > 3 for name in names):
                return problems.not_spelled_out(value.text, listed(names, "or"))
    return None


def _words_of(line: LineInWork, spans: list[tuple[int, int]], lexed: Lexed, part: Tile) -> str:
    """The words of one order among several."""
    start = spans[lexed.tokens[part.start]][0]
    end = spans[lexed.tokens[part.end]][0] if part.end < len(lexed.tokens) else len(line.text)
    return line.text[start:end].strip(" ,;&([")


def is_fine(piece: Piece | Blanket) -> bool:
    """Whether the piece is understood."""
    return isinstance(piece, Blanket) or piece.reading is None or piece.reading.problem is None


def noted(piece: Piece | Blanket, note: str) -> Piece | Blanket:
    """The piece with one more thing for the receipt to show."""
    if isinstance(piece, Blanket) or piece.reading is None:
        return piece
    return piece._replace(reading=piece.reading._replace(notes=(*piece.reading.notes, note)))


def refused(line: LineInWork, problem: Problem, unit: Unit | None) -> Piece:
    """A piece that is no order; in a permissive game a misorder of its unit."""
    order = Misorder(unit, line.text, problem.slug) if unit and line.scene.options.permissive else None
    power = line.scene.power or (unit.power if unit else None)
    return Piece(Reading(line.number, line.text, order, power, problem=problem, about=unit), unit)


def order_of(piece: Piece | Blanket) -> Order | None:
    """The order that a piece was read as, if it is one."""
    return piece.reading.order if isinstance(piece, Piece) and piece.reading else None


def is_noted(piece: Piece | Blanket) -> bool:
    """Whether words of a piece were passed over."""
    reading = piece.reading if isinstance(piece, Piece) else None
    return reading is not None and "words-ignored" in reading.notes


def slug_of(piece: Piece | Blanket) -> str:
    """The slug of what is wrong with a piece; "" for nothing."""
    reading = piece.reading if isinstance(piece, Piece) else None
    return reading.problem.slug if reading and reading.problem else ""
