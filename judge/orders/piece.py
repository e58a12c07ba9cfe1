"""Reads one line: cuts it into orders, looks again where that fails, and says for each piece what became of it.

Answers a line that is no order as it stands, with the most precise reason that can be found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from judge.board.model import province_of
from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.cutting import (
    Cut,
    before_column,
    cuts_of,
    ends_whole,
    has_verb,
    is_chatter,
    is_outcome_column,
    may_lead,
    names_another_season,
    unknown_words,
)
from judge.orders.grammar import Tile, tile
from judge.orders.kept import SIGNS, said_of_others, unit_kept, units_idle
from judge.orders.lexer import (
    Lexed,
    Named,
    corrections,
    rejoined,
    shared_words,
    trimmed,
    untrimmed_front,
    with_coasts,
    without_breaks,
)
from judge.orders.model import Convoy, Hold, Misorder, Move
from judge.orders.moving import find_ways, no_subject
from judge.orders.numbers import Called, by_name
from judge.orders.prose import SPOKEN, is_orderly, is_prose, is_spoken_of, named_abroad, reads_as_prose, without_excuses
from judge.orders.reading import CHATTER, KEPT, Problem, Reading
from judge.orders.scene import Scene
from judge.orders.verdicts import (
    ALL_KEEP,
    Blanket,
    LineInWork,
    Piece,
    is_fine,
    is_noted,
    noted,
    order_of,
    read_parts,
    refused,
    slug_of,
    verdict_of,
)
from judge.orders.words import COMMENT, fold, is_struck, strip_marks, token_spans, tokens_of

LONG = 60
"""Words; a longer line that is no row of orders is read piece by piece only."""


def abroad(line: LineInWork, lexed: Lexed) -> Piece:
    """The answer to a line without the shape of an order. If it orders a unit in some place ("Army in Lapland ..."):
    what is wrong with the order if the unit exists, else that the board has no such place. Any other line is no order.
    """
    name = named_abroad(line.text)
    if not name:
        return refused(line, problems.not_an_order(line.text), None)
    if (subject := _subject_tile(lexed)) is not None and line.scene.subject(lexed, subject).units:
        return unread(line, lexed)
    kind = "A" if line.text[:1] in "aA" else "F"
    return refused(line, problems.no_such_place(name, line.scene.board, units=line.scene.mine(kind)), None)


def unit_of(line: LineInWork, lexed: Lexed) -> Unit | None:
    """The one unit that a line is for, as far as its beginning tells; None where it may be several or none."""
    subject = _subject_tile(lexed)
    units = line.scene.subject(lexed, subject).units if subject else ()
    return units[0] if len(units) == 1 else None


def _subject_tile(lexed: Lexed) -> Tile | None:
    """The unit and place with which a line begins, as the part of an order; None where it begins otherwise."""
    match = re.match(r"[NZ,]*(?:(U)N?(P)|(P)(U)|(P))", lexed.shape)
    if match is None:
        return None
    unit = max(match.start(1), match.start(4))
    at = max(match.start(2), match.start(3), match.start(5))
    return Tile("bare", 0, match.end(), -1, unit, at)


def _unfinished(line: LineInWork, unit: Unit | None) -> Piece:
    scene = line.scene
    return refused(line, problems.unfinished(unit, scene.board, scene.kind, scene.options.known), unit)


def unread(line: LineInWork, lexed: Lexed) -> Piece:
    """The answer to a line that was meant as an order and is none, with the most precise reason that can be found."""
    subject = _subject_tile(lexed)
    if subject is None:
        return _unfinished(line, None)
    units = line.scene.subject(lexed, subject).units
    if not units:
        verdict = no_subject(line.scene, lexed, subject)
        assert verdict.problem is not None
        return refused(line, verdict.problem, None)
    if subject.end == len(lexed.shape):
        return _unfinished(line, units[0])
    for end in range(min(len(lexed.shape), LONG) - 1, subject.end, -1):
        parts = tile(lexed.shape[:end], line.scene.kind)
        if parts is not None and len(parts) == 1:
            verdict = verdict_of(line.scene, lexed, parts[0])
            spans = token_spans(line.folded)
            rest = line.text[spans[lexed.tokens[end]][0] :]
            candidates = (verdict.order,) if verdict.order is not None else ()
            return refused(line, problems.left_over(line.text, rest, candidates), units[0])
    return _unfinished(line, units[0])


_BEGINS = frozenset("UPNZO")
"""How an order of its own begins: with a unit, a place, a name or "all"."""

_NOTABLE = SIGNS | SPOKEN | {"con", "coast"}
"""Words that have a line looked at before its shape; most lines have none of them."""

_INNER_NUMBER = re.compile(r"(?<=[\w)!.,;])\s+\(?\d{1,2}[.):]\s+(?=(?:a|f|army|fleet)\b)", re.IGNORECASE)
""" "1) A Par - Bur 2) A Mar - Spa": the number of an order behind another."""
_PAIRS = re.compile("P-P(?:,*P-P)+,*")
_BREAK = re.compile(r"[,;.&]\s*$")
_UNIT_THEN_PLACE = re.compile("UP|X.*P")
_JOINTS_BEFORE = re.compile(
    r"^(?:[\s,;:.!()–—-]|(?:and|but|with|while|except(?: for| that)?|apart from|besides|other than|only)\b)*", re.I
)
_JOINTS_BEHIND = re.compile(
    r"(?:[\s,;:(–—-]|\b(?:and|but|with|while|except(?: for| that)?|apart from|besides|other than|only))*$", re.I
)
_NO_RETREAT = re.compile(r"\bno retreat\b", re.IGNORECASE)
""" "Fleet Ankara: no retreat, scuttle it"."""
_UNIT_ALONE = re.compile("[,#]*N?(?:UP|PU)")
_TWICE_NAMED = re.compile("PPN?U?P[-P]")
""" "F Aeg con A Bul - Smy" and "F Aeg con Bul Smy", with "con" taken for a place."""


def read_piece(text: str, number: int, scene: Scene) -> list[Piece | Blanket]:
    """All readings of one line."""
    if scene.board.not_played and (problem := _for_nobody(text, scene)) is not None:
        return [refused(LineInWork(number, text.strip(), fold(text.strip()), scene), problem, None)]
    for ask in scene.options.known.misread:
        if (problem := ask(text, scene)) is not None:
            return [refused(LineInWork(number, text.strip(), fold(text.strip()), scene), problem, None)]
    if not scene.ground.numbers:
        return _read_named(text, number, scene)
    called = by_name(text, scene)
    if called.problem is not None:
        return [refused(LineInWork(number, text.strip(), fold(text.strip()), scene), called.problem, called.unit)]
    pieces = _read_named(called.text, number, scene)
    return pieces if called.text == text else [_as_written(piece, text.strip(), called) for piece in pieces]


def _for_nobody(text: str, scene: Scene) -> Problem | None:
    """What to say to an order that names a power which is not played: "Turkish A Con - Bul"."""
    tokens = tokens_of(fold(text))
    named = next((power for token in tokens if (power := scene.lexicon.gazetteer.not_played(token))), None)
    if named is None:
        return None
    lexed = scene.lexicon.lex(tokens)
    return problems.not_played(named) if "U" in lexed.shape or is_orderly(lexed) else None


def _as_written(piece: Piece | Blanket, text: str, called: Called) -> Piece | Blanket:
    """The piece with the words of its author, who called units by their numbers."""
    if isinstance(piece, Blanket) or piece.reading is None:
        return piece
    reading = piece.reading._replace(text=text)
    if reading.problem is not None:
        sentence = called.as_written(text, reading.problem.sentence)
        reading = reading._replace(problem=replace(reading.problem, sentence=sentence))
    return piece._replace(reading=reading)


def _read_named(text: str, number: int, scene: Scene) -> list[Piece | Blanket]:
    if "//" in text or "#" in text:
        text = _with_orders_behind(text, scene)
    if not (stripped := strip_marks(text)):
        return []
    if "2" in stripped:
        stripped = _INNER_NUMBER.sub("; ", stripped)
    if stripped[0] == "+" and scene.kind is not ADJUSTMENTS:
        stripped = stripped.lstrip("+ ") or stripped  # a bullet; in the adjustments it builds
    struck = ("~~" in stripped or "<" in stripped or "\u0336" in stripped) and is_struck(stripped)
    if struck and not fold(stripped).strip(" .,;"):
        return [Piece(Reading(number, stripped, problem=problems.struck_out(stripped)))]
    kind, folded = scene.kind, fold(stripped)
    minus = kind is ADJUSTMENTS and text.lstrip()[:1] in "-–—−"
    if kind is RETREATS and "retreat" in folded:
        folded = _NO_RETREAT.sub("disband   ", folded)
    line = LineInWork(number, stripped, folded, scene)
    pieces = _read_line(line, minus=minus)
    if len(pieces) > 1:
        pieces = _hanging_together(line, pieces)
    if scene.options.permissive and _is_for_another(scene, scene.lexicon.lex(tokens_of(line.folded))):
        pieces = [_without_misorder(piece) for piece in pieces]
    if struck and pieces:
        pieces[0] = noted(pieces[0], "words-ignored")
    return [_asked(piece) for piece in pieces] if stripped.endswith("?") else pieces


def _with_orders_behind(text: str, scene: Scene) -> str:
    """ "A Par - Bur // F Bre - Mid": where another order stands behind the marks, they begin no comment."""
    match = COMMENT.search(text)
    if match is None or not strip_marks(text[: match.start()]):
        return text
    behind = match[0].strip("/# \t")
    if _UNIT_THEN_PLACE.search(scene.lexicon.lex(tokens_of(fold(behind))).shape) is None:
        return text
    return f"{text[: match.start()]}; {behind}"


def _hanging_together(line: LineInWork, pieces: list[Piece | Blanket]) -> list[Piece | Blanket]:
    """ "A Bur - Mun backed by Par": what follows an order without a break, and is not an order, may belong to it."""
    for before, piece in pairwise(pieces):
        reading = piece.reading if isinstance(piece, Piece) else None
        if reading is None or reading.problem is None or not is_fine(before) or order_of(before) is None:
            continue
        begins = line.text.rfind(reading.text)
        shape = line.scene.lexicon.lex(tokens_of(fold(reading.text))).shape
        if begins > 0 and shape[:1] not in _BEGINS and not _BREAK.search(line.text[:begins]):
            problem = problems.left_over(line.text, reading.text)
            return [refused(line, problem, getattr(order_of(before), "unit", None))]
    return pieces


def _is_for_another(scene: Scene, lexed: Lexed) -> bool:
    """Whether a line stands below, or begins with, the name of a power that is not the reading one."""
    named = lexed.values[0] if lexed.shape[:1] in ("N", "Z") else ()
    return scene.power is not None and bool(scene.away or (named and scene.power not in named))


def _without_misorder(piece: Piece | Blanket) -> Piece | Blanket:
    """The piece without its `Misorder`, if any: a line meant for another power's unit makes no own unit stand."""
    if isinstance(piece, Blanket) or piece.reading is None or not isinstance(piece.reading.order, Misorder):
        return piece
    return piece._replace(reading=piece.reading._replace(order=None))


def _asked(piece: Piece | Blanket) -> Piece | Blanket:
    """ "A Par - Bur?" is a question, and not followed as an order."""
    if isinstance(piece, Blanket) or piece.reading is None or piece.reading.problem is not None:
        return piece
    problem = problems.question(piece.reading.text, [piece.reading.order] if piece.reading.order else [])
    return piece._replace(reading=piece.reading._replace(order=None, problem=problem))


def _read_line(line: LineInWork, *, minus: bool = False) -> list[Piece | Blanket]:
    scene = line.scene
    tokens = tokens_of(line.folded)
    if notable := not _NOTABLE.isdisjoint(tokens):
        if "coast" in tokens and (joined := with_coasts(line.folded, scene.lexicon.gazetteer)) != line.folded:
            line, tokens = line._replace(folded=joined), tokens_of(joined)
        if not SIGNS.isdisjoint(tokens) and (left := _left_as_it_is(line)):
            return left
    if (kind := scene.kind) is ADJUSTMENTS:
        _in_winter(tokens)
    lexed = scene.lexicon.lex(tokens)
    if not lexed.shape:
        return []
    if notable and not SPOKEN.isdisjoint(tokens) and is_spoken_of(tokens, lexed) and not _is_excused(line):
        several = sum("P" in part for part in lexed.shape.split(",")) > 1
        problem = problems.left_over(line.text, line.text) if several else problems.spoken_of(line.text)
        return [refused(line, problem, None)]
    if notable and "con" in tokens and (found := _as_convoy(line, tokens, lexed)):
        return found
    parts = tile(lexed.shape, kind)
    if parts is None:
        return _on_bare_coasts(line) or _second_look(line, tokens, lexed)
    if minus and len(parts) == 1 and parts[0].form == "bare" and scene.subject(lexed, parts[0]).units:
        parts = (parts[0]._replace(form="minus"),)
    found = read_parts(line, lexed, parts)
    if (len(found) == 1 and is_fine(found[0])) or all(map(is_fine, found)):
        return found
    return _on_bare_coasts(line) or _in_pairs(line, lexed) or found


def _in_pairs(line: LineInWork, lexed: Lexed) -> list[Piece | Blanket]:
    """ "War-Gal. Mos-Ukr. Sev-Bla": moves of own units, none of which begins where another ends, so that they cannot be
    one way; nothing for any other line.
    """
    if line.scene.kind is not MOVES or _PAIRS.fullmatch(lexed.shape) is None:
        return []
    starts = [at for at, kind in enumerate(lexed.shape) if kind == "P" and lexed.shape[at + 1 : at + 2] == "-"]
    spans = token_spans(line.folded)
    edges = [*(spans[lexed.tokens[at]][0] for at in starts), len(line.text)]
    texts = [line.text[start:end].strip(" ,;.") for start, end in pairwise(edges)]
    found = [piece for text in texts for piece in _read_line(LineInWork(line.number, text, fold(text), line.scene))]
    orders = [order for piece in found if isinstance(order := order_of(piece), Move) and is_fine(piece)]
    reach = line.scene.ground.reach
    if len(orders) < len(starts) or not all(reach.can_go(order.unit, order.to) for order in orders):
        return []
    froms, tos = {province_of(order.unit.at) for order in orders}, {province_of(order.to) for order in orders}
    return found if len(froms) == len(starts) and froms.isdisjoint(tos) else []


def _in_winter(tokens: list[str]) -> None:
    """Change words that build or waive by themselves to those that do: "W", "new army in Munich"."""
    if len(tokens) <= 2 and tokens[:1] == ["w"]:
        tokens[0] = "waive"
    elif tokens[:1] == ["new"] and tokens[1:2] in (["army"], ["fleet"]):
        tokens[0] = "build"


def _on_bare_coasts(line: LineInWork) -> list[Piece | Blanket]:
    """ "F Con - Bul, east": an order only if the direction is a coast; nothing for any other line."""
    if (joined := with_coasts(line.folded, line.scene.lexicon.gazetteer, bare=True)) == line.folded:
        return []
    found = _read_line(line._replace(folded=joined))
    return found if all(map(is_fine, found)) else []


def _is_excused(line: LineInWork) -> bool:
    """Whether a sentence of the line only excuses its author."""
    return without_excuses(line.text, line.scene.lexicon) != line.text


def _left_as_it_is(line: LineInWork) -> list[Piece | Blanket]:
    """ "A Lvp - Edi, the rest stays as it is", "A Mun as before"; nothing for any other line."""
    if (unit := unit_kept(line.folded)) and line.scene.kind is MOVES:
        whole = f"{unit} H"
        found = _read_line(LineInWork(line.number, whole, whole, line.scene))
        if found and all(isinstance(order_of(piece), Hold) for piece in found):
            return [noted(_quoted(piece, line.text), KEPT) for piece in found]
    said = said_of_others(line.folded)
    if said is None:
        return []
    form = ALL_KEEP if not said.hold else "all-hold" if line.scene.kind is MOVES else ""
    blanket = Blanket(line.number, line.text[said.start : said.end].strip(), form, "", line.scene.power)
    before, behind = _part_of(line, 0, said.start), _part_of(line, said.end, len(line.text))
    pieces = [*(_read_line(before) if before.text else ()), *(_read_line(behind) if behind.text else ())]
    return [*pieces, blanket] if form else []


def _part_of(line: LineInWork, start: int, end: int) -> LineInWork:
    """What stands between two places of a line, without the marks and words that joined it to the rest."""
    text = line.text[start:end]
    begin = len(text) - len(_JOINTS_BEFORE.sub("", text))
    stop = len(_JOINTS_BEHIND.sub("", text))
    return line._replace(text=text[begin:stop], folded=line.folded[start:end][begin:stop])


def _quoted(piece: Piece | Blanket, text: str) -> Piece | Blanket:
    """The piece under the words that its author wrote."""
    if isinstance(piece, Blanket) or piece.reading is None:
        return piece
    return piece._replace(reading=piece.reading._replace(text=text))


def _as_convoy(line: LineInWork, tokens: list[str], lexed: Lexed) -> list[Piece | Blanket]:
    """ "F Aeg con A Bul - Smy": a convoy, though the word is short for a place too. Asked back where it can be both."""
    if _TWICE_NAMED.search(lexed.shape) is None:
        return []
    scene = line.scene
    for at in (place for place, token in enumerate(tokens) if token == "con"):
        look = scene.lexicon.lex([*tokens[:at], "convoy", *tokens[at + 1 :]])
        parts = tile(look.shape, scene.kind)
        if parts and any(part.form == "convoy" for part in parts):
            found = read_parts(line, look, parts)
            called = [lexed.values[place] for place, token in enumerate(lexed.tokens) if token == at]
            moves = _moves_instead(scene, found, called[0]) if called else []
            if moves:
                return [refused(line, problems.two_meanings([*_convoys(found), *moves]), moves[0].unit)]
            return found if "-" in lexed.shape or _by_carriers(scene, found) else []
    return []


def _convoys(found: Sequence[Piece | Blanket]) -> list[Convoy]:
    return [order for order in map(order_of, found) if isinstance(order, Convoy)]


def _by_carriers(scene: Scene, found: Sequence[Piece | Blanket]) -> bool:
    """Whether all convoys among the orders are those of fleets; "A Smy con" without anything else is a move."""
    return all(convoy.unit.kind in scene.board.carriers for convoy in _convoys(found))


def _moves_instead(scene: Scene, found: Sequence[Piece | Blanket], called: object) -> list[Move]:
    """The moves of the fleets of these convoys to the place for which the word is short, Constantinople."""
    places = called.found.places if isinstance(called, Named) else ()
    fleets = [convoy.unit for convoy in _convoys(found) if convoy.unit.kind in scene.board.carriers]
    ways = find_ways(scene, fleets, called) if places and isinstance(called, Named) else []
    return [Move(way.unit, way.to) for way in ways if scene.ground.reach.can_go(way.unit, way.to)]


def _second_look(line: LineInWork, tokens: list[str], lexed: Lexed) -> list[Piece | Blanket]:
    """The shape is no order: other letters, then a closer look, unless it is prose."""
    if (joined := with_coasts(line.folded, line.scene.lexicon.gazetteer)) != line.folded:
        return _read_line(line._replace(folded=joined))
    if found := _respelled(line, tokens, lexed) or _as_hold(line):
        return found
    if is_prose(line.text, tokens, lexed) or not (line.scene.patience.lasts() or is_orderly(lexed)):
        return [refused(line, problems.not_an_order(line.text), None)]
    if line.scene.patience.left < 0:
        return [unread(line, lexed)]
    found = _looked_closer(line, tokens, lexed)
    known = any(isinstance(piece, Piece) and piece.unit for piece in found)
    if not any(map(is_fine, found)) and reads_as_prose(line.text, tokens, lexed, line.scene.lexicon, known=known):
        return [refused(line, problems.not_an_order(line.text), None)]
    return found


def _looked_closer(line: LineInWork, tokens: list[str], lexed: Lexed) -> list[Piece | Blanket]:
    """The line up to an outcome column, a typing slip, its pieces; excuses around it are passed over."""
    if (text := without_excuses(line.text, line.scene.lexicon)) != line.text:
        rest = LineInWork(line.number, text, fold(text), line.scene)
        return [noted(piece, "words-ignored") for piece in _read_line(rest)]
    if "X" in lexed.shape and is_orderly(lexed) and not is_outcome_column(line, lexed):
        return [refused(line, problems.condition(line.text), unit_of(line, lexed))]
    if is_orderly(lexed) and names_another_season(line.scene.season, lexed):
        return [refused(line, problems.other_season(line.text), unit_of(line, lexed))]
    short = len(tokens) <= LONG
    if short and (found := before_column(line, sure=True)):
        return found
    corrected = _corrected(line, lexed) if short else []
    if corrected and all(map(is_fine, corrected)):
        return corrected
    if short and (found := before_column(line, sure=False)):
        return found
    return _in_pieces(line, lexed) or _repaired(line, lexed, corrected)


def _respelled(line: LineInWork, tokens: list[str], lexed: Lexed) -> list[Piece | Blanket]:
    """The line in other letters, if one of them makes it an order without any slip."""
    plain = line.scene.lexicon.lex(tokens, prefer_places=True)
    looks = [
        plain,
        *rejoined(lexed, line.scene.lexicon),
        *shared_words(lexed),
        *without_breaks(lexed),
        *without_breaks(plain),
    ]
    for look in looks:
        if (parts := tile(look.shape, line.scene.kind)) is not None:
            return read_parts(line, look, parts)
    return []


def _as_hold(line: LineInWork) -> list[Piece | Blanket]:
    """ "A Par does nothing", "Army Paris does not move", "A Par and A Mar sit tight"."""
    if not (units := units_idle(line.folded)):
        return []
    whole = f"{units} hold"
    parts = tile(line.scene.lexicon.lex(tokens_of(whole)).shape, line.scene.kind) or ()
    named = bool(parts) and all(part.form == "hold" and part.unit >= 0 for part in parts)
    found = _read_line(LineInWork(line.number, whole, whole, line.scene))
    if not found or not (named or all(isinstance(order_of(piece), Hold) for piece in found)):
        return []
    return [_quoted(piece, line.text) for piece in found]


def _in_pieces(line: LineInWork, lexed: Lexed) -> list[Piece | Blanket]:
    """The line at its breaks, each piece by itself; chatter among orders is passed over with a note, and a word that
    may belong to an order has the whole line asked back. Nothing if there are no breaks.
    """
    cuts = list(cuts_of(line, lexed))
    if len(cuts) < 2:
        return []
    found: list[Piece | Blanket] = []
    passed, whole, lost = False, True, _cut_apart(cuts)
    scene = line.scene
    for number, cut in enumerate(cuts):
        pieces = [piece for piece in _read_line(cut.line._replace(scene=scene)) if slug_of(piece) != CHATTER]
        heading = next((piece.heading for piece in pieces if isinstance(piece, Piece) and piece.heading), "")
        scene = scene.under(heading) if heading else scene
        if not pieces and cut.lexed.shape.strip(","):
            idle = _is_idle(cut)
            lost = lost or ("" if idle else cut.line.text)
            passed, whole = True, not number and may_lead("", cut.lexed.values)
            continue
        lost = lost or ("" if cut.free or (whole and has_verb(cut.lexed)) else cut.line.text)
        lost = lost or (cut.line.text if _may_go_on(cut) and not all(map(is_fine, found[-1:])) else "")
        whole = ends_whole(cut.lexed, fine=all(map(is_fine, pieces)) and not any(map(is_noted, pieces)))
        found += pieces
    meant = any(isinstance(piece, Blanket) or piece.reading for piece in found) or is_orderly(lexed)
    if lost and meant:
        return [refused(line, problems.left_over(line.text, lost), unit_of(line, lexed))]
    if not found or not meant:
        return [refused(line, problems.not_an_order(line.text), None)]
    return [noted(found[0], "words-ignored"), *found[1:]] if passed else found


def _cut_apart(cuts: Sequence[Cut]) -> str:
    """What would be lost of "A Ven and A Rom - Tus": a unit without a word of what it does, before another order."""
    if cuts[0].line.scene.kind is ADJUSTMENTS:
        return ""
    bare = (cut for cut in cuts[:-1] if _UNIT_ALONE.match(cut.lexed.shape) and not has_verb(cut.lexed))
    return next((cut.line.text for cut in bare), "")


def _may_go_on(cut: Cut) -> bool:
    """Whether a part that begins with a place may belong to the one before it, if that is not understood."""
    return cut.lexed.shape.lstrip(",")[:1] == "P"


def _is_idle(cut: Cut) -> bool:
    """Whether words among orders say nothing about them."""
    if not is_chatter(cut.lexed) or names_another_season(cut.line.scene.season, cut.lexed):
        return False
    return not cut.line.text.endswith(":") or may_lead(cut.line.text, unknown_words(cut.lexed))


def _corrected(line: LineInWork, lexed: Lexed) -> list[Piece | Blanket]:
    """The line with unknown words taken for slips: the first look without a problem, else the first whole one."""
    best: list[Piece | Blanket] = []
    if "X" in lexed.shape or not (is_orderly(lexed) or lexed.shape[0] in "?P"):
        return best
    for look in corrections(lexed, line.scene.lexicon):
        parts = tile(look.shape, line.scene.kind)
        if parts is None:
            continue
        found = read_parts(line, look, parts)
        if all(map(is_fine, found)):
            return found
        best = best or found
    return best


def _repaired(line: LineInWork, lexed: Lexed, corrected: list[Piece | Blanket]) -> list[Piece | Blanket]:
    """One order with something wrong in it."""
    for less in (trimmed(lexed), _untrimmed(line, lexed)):
        parts = tile(less.shape, line.scene.kind) if less is not None and less.shape else None
        if less is not None and parts and _complete(less, parts):
            return [noted(piece, "words-ignored") for piece in read_parts(line, less, parts)]
    if not is_orderly(lexed):
        return [abroad(line, lexed)]
    unit = unit_of(line, lexed)
    if corrected and (unit is None or any(isinstance(piece, Piece) and piece.unit == unit for piece in corrected)):
        return corrected
    return [unread(line, lexed)]


def _untrimmed(line: LineInWork, lexed: Lexed) -> Lexed | None:
    less = untrimmed_front(lexed)
    if less is None or not less.shape:
        return None
    before = line.text[: token_spans(line.folded)[less.tokens[0]][0]]
    return less if may_lead(before, unknown_words(lexed)[: lexed.shape.index(less.shape[0])]) else None


def _complete(lexed: Lexed, parts: tuple[Tile, ...]) -> bool:
    """Whether nothing could be missing at the end: "A Mar S A Par brug" must not become a support in place."""
    last = parts[-1]
    if last.form == "support":
        return bool(last.to) or lexed.shape[last.end - 1] == "H"
    if last.form in ("move", "retreat"):
        return "-" in lexed.shape[last.start : last.end] or "R" in lexed.shape[last.start : last.end]
    return last.form not in ("bare", "convoy-nowhere", "heading", "all-hold", "all-disband", "waive", "build-somewhere")
