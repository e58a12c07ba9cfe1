"""Lines that nobody can follow, but that were hardly chatter.

Near misses of commands, orders in words not ours, and words with which people unsay what they have written: such a line
is asked back, with what was probably meant; nothing is done about it. Prose that mentions a place or two stays chatter:
a line is doubtful only where places and units are most of what it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from judge.board.model import Board, province_of
from judge.board.names import Gazetteer, gazetteer_of
from judge.board.position import Position
from judge.board.spelling import slips
from judge.game.core.commands import Leave, Role
from judge.game.core.parts import NOT_OUR_WORDS, TAKES_BACK
from judge.languages import tell, told_later
from judge.mail.script.bidding import is_small_talk, words_in
from judge.mail.script.copies import half_an_order, is_order
from judge.mail.script.headings import no_such_game
from judge.mail.script.phrases import ordering as phrases
from judge.mail.script.phrases.words import ORDINARY
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, find_near
from judge.orders.problems import not_played
from judge.orders.reader import read_line
from judge.orders.words import KEYWORDS


def unsays(line: str) -> bool:
    """Whether a line takes orders or a mail back.

    >>> unsays("Please ignore my last mail"), unsays("Vergiss meine letzten Befehle!"), unsays("Forget it")
    (True, True, False)
    """
    if phrases.TAKES_BACK.fullmatch(line):
        return True
    return any(verb.search(line) and thing.search(line) for verb, thing in phrases.UNSAID_ABROAD)


def means_otherwise(line: str) -> bool:
    """Whether a line says that something else was meant; what it is about, it names besides."""
    return phrases.MEANT_OTHERWISE.search(line) is not None


Aim = Callable[[Match], tuple[str, str, Around]]

_TAGGED = re.compile(
    r"(?P<tag>[^\W\d_][\w'-]*(?: [\w'-]+){0,2})\s*:\s*(?P<order>(?:[AFaf]|[Aa]rmy|[Ff]leet)\b.+)"
    r"|(?P<word>[^\W\d_][\w'-]*)\s+(?P<bare>[AF]\s.+)"
)

_TOKEN = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*|[-=]*>|[-–—→]")
UNKNOWN = "unknown-command"
"""The reason for which a line is asked back that is nothing that we know."""

_LONGEST = 90
_MOST_WORDS = 10

_UNDO = told_later(
    "Nothing was taken back or changed by that. To change an order, send another one for its unit; `undo` takes your "
    "last mail back, `clear` all orders."
)

_LONGEST_SENTENCE = 400
_PARTS = re.compile(r"(?<=[.!?;])\s+")
_STRICT = re.compile(
    r"(?<![\w'’])(?:[AF]|[Aa]rmy|[Ff]leet)\.? (?:in )?[A-Z][\w'.() ]{1,22}?\s*(?:[-=]*>|[-–—]|\b[SHC]\b)"
)
"""How an order is written and nothing else is: a unit and its place, then an arrow or a letter."""
_SENTENCE_END = re.compile(r"(?=[.!?;]+\)?(?:\s|$))|$")
AMONG_WORDS = told_later(
    "This line has an order among other words, and no order of it was taken. Write it on a line of its own."
)

WRITE_IT_SO = told_later(
    "If that was meant as an order, I could not read it. Please write it like this: A Paris - Burgundy."
)


def near_miss(line: str, around: Around, aim: Aim, *, about_game: bool) -> Unclear | None:
    """What to ask of a line that is almost a command. `about_game`: no command is meant that has to do with no game."""
    if line.partition(" ")[0].strip(".,!:").lower() in KEYWORDS:
        return None  # "Forget it" is not a slip of the pen
    candidates = []
    for match in find_near(line, around.role):
        if about_game and match.verb.aside:
            continue
        if _is_another_word(line, match) or is_small_talk(match, None, around):
            continue
        if f"{match.word} {match.rest}".casefold().split() == line.casefold().split():
            continue  # it was read as what it says, and is none
        _, rest, there = aim(match)
        body = "text" if match.verb.body is BodyRule.TEXT else ""
        found = match.verb.read(Clause(match.word, rest, there, body))
        if not isinstance(found, Unclear) and found != Leave(for_good=True):
            candidates.append(f"{match.word} {match.rest}".strip())
    if not candidates:
        return None
    sentence = tell("I do not know this command, though it is close to one that I know. Nothing was done.")
    return Unclear("near-miss", sentence, tuple(candidates[:3]))


def _is_another_word(line: str, match: Match) -> bool:
    """Whether a near miss is rather a word of its own: "That is all", or a short name or greeting alone on its line,
    with another letter in the place of one of ours ("John", "Moin," for `join`), as no slip of the fingers makes.
    """
    typed = words_in(line)
    if not typed or typed[0] in ORDINARY:
        return True
    alone = len(typed) == 1 and len(typed[0]) == len(match.word) <= _LONGEST_NAME
    return alone and sorted(typed[0]) != sorted(match.word)


_LONGEST_NAME = 4


def out_of_place(line: str, games: Iterable[str]) -> Unclear:
    """What to say to a line that is read where no game is known."""
    if phrases.BLIND_ORDER.match(line):
        sentence = tell("I cannot tell for which game these orders are; write its name on a line above them.")
        return Unclear("which-game", sentence, tuple(games))
    return Unclear(UNKNOWN, tell("I do not know this command; `help` lists all commands."), ("help",))


def unsaid_order(line: str, around: Around) -> Unclear | None:
    """What to say to a player who unsays an order in plain words: "Please ignore my last mail", "I meant Wales"."""
    board = around.board
    if board is None or around.role is not Role.PLAYER or line.rstrip().endswith("?"):
        return None
    parts = _PARTS.split(line) if len(line) <= _LONGEST_SENTENCE else ()
    if any(len(one) <= 2 * _LONGEST and unsays(one) for one in parts):
        return Unclear(TAKES_BACK, tell(_UNDO))
    if len(line) > _LONGEST or not means_otherwise(line):
        return None
    words = _TOKEN.findall(line)
    return Unclear(TAKES_BACK, tell(_UNDO)) if any(_places(words, gazetteer_of(board), guessing=False)) else None


_LONGEST_IN_WORDS = 160


def order_in_words(line: str, around: Around, position: Position | None) -> Unclear | None:
    """What to ask of words that mean a unit of the writer's to do something, in no form of an order: "On second
    thoughts let Paris go to Picardy", "Make Paris hold instead". Passed over they would leave another order on file.
    """
    if position is None or around.role is not Role.PLAYER or len(line) > _LONGEST_IN_WORDS or line[-1:] == "?":
        return None
    board, means = position.board, phrases.BIDS_A_UNIT.match(line) or phrases.OTHERWISE.search(line)
    if not (means or (phrases.MUST.search(line) and phrases.DEED.search(line)) or _acts(line, gazetteer_of(board))):
        return None
    places = [place for place, _ in _places(_TOKEN.findall(line), gazetteer_of(board), guessing=False)]
    held = {province_of(unit.at) for unit in position.units if unit.power in around.powers}
    own = next((place for place in places if province_of(place) in held), None)
    goals = list(dict.fromkeys(place for place in places if own and province_of(place) != province_of(own)))
    if own is None or not (goals or phrases.DEED.search(line)):
        return None
    moves = _meant("", [own, *goals], around, position, board) if not phrases.IS_NO_MOVE.search(line) else ()
    return Unclear(NOT_OUR_WORDS, tell(WRITE_IT_SO), moves)


def _acts(line: str, names: Gazetteer) -> bool:
    return any(names.places(one["unit"]) and names.places(one["goal"]) for one in phrases.ACTS.finditer(line))


def doubtful_order(line: str, around: Around, position: Position | None) -> Unclear | None:
    """What to ask of a line that seems to be an order; None for chatter, and for anybody but a player in their game."""
    board = around.board
    if board is None or around.role is Role.GM or len(line) > _LONGEST:
        return None
    if tagged := _TAGGED.fullmatch(line):
        tag, order = (tagged["tag"], tagged["order"]) if tagged["tag"] else (tagged["word"], tagged["bare"])
        if tag.lower() in phrases.CONDITIONS:
            return Unclear("condition-unclear", tell(_CONDITION))
        if tag.lower() not in KEYWORDS and (meant := _order_word(tag)):
            return Unclear(NOT_OUR_WORDS, tell(WRITE_IT_SO), (f"{meant} {order}",))
        if is_order(order, board) and tag.lower() not in KEYWORDS:
            out = gazetteer_of(board).not_played(tag)
            return Unclear("power-not-played", not_played(out).sentence) if out else no_such_game(tag, order)
    if half := half_an_order(line, board):
        return half
    if position is None or line.rstrip().endswith("?"):
        return None
    return _in_other_words(line, around, position)


_CONDITION = told_later(
    "I cannot follow that condition, so nothing was done. One looks like this: if France in Burgundy then A Munich H. "
    "What a unit does that is dislodged is asked of you when it is."
)


def _order_word(word: str) -> str:
    """The word of an order that a word in front of a unit is almost: "biuld" is "build"."""
    typed = word.lower()
    return next((one for one in phrases.ORDER_WORDS if typed != one and slips(typed, one, 2) is not None), "")


def within_a_sentence(line: str, around: Around, position: Position | None) -> Unclear | None:
    """An order for a unit of the writer's own among other words: "On second thought, A Par - Pic", "F Bre - Mid. Did
    it arrive?". It is offered again; where those words may turn it round it is not, and nobody waits for it to be put
    right. One that is asked about ("Is A Par - Bur wise?") is none.
    """
    if position is None or around.role is not Role.PLAYER or len(line) > _LONGEST_SENTENCE:
        return None
    match = _STRICT.search(line)
    if match is None:
        return None
    order = _orders_ahead(line[match.start() :], around, position)
    end = match.start() + len(order)
    if not order or order == line.strip() or _is_asked(line[end:]):
        return None
    if may_turn_round(line[: match.start()]) or may_turn_round(line[end:]):
        return Unclear("order-among-words", tell(AMONG_WORDS))
    return Unclear(NOT_OUR_WORDS, tell(AMONG_WORDS), (order.rstrip(" .;!"),))


def _orders_ahead(text: str, around: Around, position: Position) -> str:
    """As many of the sentences that a text begins with as are nothing but orders of the writer's own; else the whole
    text if an order is in it, else "".
    """
    found = begun = 0
    for match in _SENTENCE_END.finditer(text):
        if not is_understood(text[begun : match.start()].lstrip(" .!?;)"), around, position):
            break
        found = begun = match.start()
    if found:
        return text[:found]
    readings = [one for power in around.powers for one in read_line(text.strip(), position, power)]
    return text.strip() if any(one.understood for one in readings) else ""


def is_understood(text: str, around: Around, position: Position) -> bool:
    """Whether a text is nothing but orders of the writer's own that can be filed."""
    readings = [one for power in around.powers for one in read_line(text, position, power)]
    return bool(readings) and all(one.understood for one in readings)


def may_turn_round(words: str) -> bool:
    """Whether words beside an order may mean that it is none."""
    return phrases.REVERSING.search(words) is not None


def _is_asked(rest: str) -> bool:
    """Whether the sentence goes on as a question behind the order."""
    return rest.lstrip(" \"'”’)").startswith("?")


def _in_other_words(line: str, around: Around, position: Position) -> Unclear | None:
    """ "Armee Warschau nach Galizien", "Paris nach Burgundy": a unit or two places, and little else."""
    board, names = position.board, gazetteer_of(position.board)
    piece = phrases.PIECE.match(line)
    tokens = _TOKEN.findall(line[piece.end() :] if piece else line)
    if len(tokens) > _MOST_WORDS:
        return None
    found = list(_places(tokens, names, guessing=piece is not None))
    places, used = [place for place, _ in found], sum(taken for _, taken in found)
    words = [token for token in tokens if token[0].isalpha()]
    if piece is None and (len(places) < 2 or len(words) - used > len(places)):
        return None
    if piece is not None and not places and not _goes_somewhere(tokens):
        return None
    kind = ("A" if piece["army"] else "F") if piece else ""
    return Unclear(NOT_OUR_WORDS, tell(WRITE_IT_SO), _meant(kind, places, around, position, board))


def _places(tokens: list[str], names: Gazetteer, *, guessing: bool) -> Iterator[tuple[str, int]]:
    """(place, words that it takes) for each place of the board; with `guessing`, slips of the pen too."""
    at = 0
    while at < len(tokens):
        whole = names.split_place(tokens, at) if tokens[at][0].isupper() and len(tokens[at]) > 2 else []
        near = names.fuzzy(tokens[at])[:1] if guessing and not whole and tokens[at][0].isupper() else ()
        if whole and whole[0][1].places:
            yield whole[0][1].places[0], whole[0][0] - at
        elif near:
            yield near[0].place, 1
        at = whole[0][0] if whole else at + 1


def _goes_somewhere(tokens: list[str]) -> bool:
    """Whether a name and a word for moving follow the unit: "Warschau nach"."""
    return bool(tokens) and tokens[0][0].isupper() and any(token.lower() in phrases.GOES for token in tokens[1:3])


def _meant(kind: str, places: list[str], around: Around, position: Position, board: Board) -> tuple[str, ...]:
    """The move between the two places that are named, if a unit of the writer's stands on the first."""
    if len(places) != 2:
        return ()
    start, goal = places
    own = [
        unit for unit in position.units if unit.power in around.powers and province_of(unit.at) == province_of(start)
    ]
    if not own or kind not in ("", own[0].kind):
        return ()
    name, other = board.spelled[province_of(start)], board.spelled[province_of(goal)]
    return (f"{own[0].kind} {name} - {other}",)
