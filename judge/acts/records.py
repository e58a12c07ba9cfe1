"""Questions about one game: how it stands and what was played; a player's own orders, what they try, their diary.

Those about letters that a person has had stay in `judge.service.hearing`, because they look into the store.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.acts.declared import STRANGER, Ask, MayAsk, Seen
from judge.game.clock.clockwork import early_moment
from judge.game.core.commands import GM_SEAT, ChangeSettings, OrderLine, Refusal
from judge.game.core.model import Game, Stage
from judge.game.table.speculation import PER_DAY as TRIES_PER_DAY
from judge.game.table.speculation import speculate
from judge.game.talk.epilogue import pages_of
from judge.languages import moment_mark, tell
from judge.mail.queries import AboutGame
from judge.mail.vocabulary.anyone import ShowStatus
from judge.mail.vocabulary.assembly import PAGE
from judge.mail.vocabulary.clauses import alone, missing, no_more, of_game, plain, read_game, read_stretch
from judge.mail.vocabulary.model import BodyRule, Clause, Reading, Unclear, Verb, VerbOfAll, named
from judge.mail.vocabulary.planning import lines_of
from judge.orders.spelled import listed
from judge.report.core.letter import Enclosure, powers_of_seat
from judge.report.core.letter import plain as as_json
from judge.report.core.naming import Said, say
from judge.report.played.results import BIG, DARK, PART
from judge.report.reply.archive import archive_enclosure, archive_view, export_view, public_record
from judge.report.reply.inquiries import history_view, hopefuls_said, map_view, speculation_view, status_view
from judge.report.seat.desk import term

RECORDS_PER_DAY = 20
"""So many archives a day and person, and so many exports: they are the largest letters that can be asked for."""

# --- how it stands --------------------------------------------------------------------------------------------------

_PLAYS = re.compile(r"(?:is|are|plays|has|leads|controls)\b", re.IGNORECASE)
""" "who is Germany"."""


def _read_status(clause: Clause) -> Reading:
    if no_more(clause.rest) or (clause.word == "who" and _PLAYS.match(clause.rest) and clause.around.game):
        return ShowStatus(game=clause.around.game)
    game = read_game(clause.rest.removeprefix("of "), clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game=game)


def _how_it_stands(seen: Seen, _: ShowStatus) -> Enclosure:
    """The asker's own orders are in it only if they are proved."""
    game, cast = seen.game, seen.cast()
    seat = seen.actor.seat if seen.proved else ""
    waiting = (*hopefuls_said(game, cast), *seen.invited()) if seat == GM_SEAT else ()
    return status_view(game, seat, cast, seen.actor.person if seen.proved else 0, waiting)


@dataclass(frozen=True, slots=True)
class ShowDue(AboutGame, once=True, public=True):
    """By when the orders of the turn are due, in a sentence."""


def _due(seen: Seen, _: ShowDue) -> str:
    game = seen.game
    if game.ending is not None or game.stage is Stage.ENDED:
        return tell("{game} is over; nothing is due any more.", game=game.key)
    if game.phase is None or game.stage is not Stage.RUNNING:
        return tell("{game} has not begun; you are told when orders are due.", game=game.key)
    if game.held_since is not None:
        if game.held_until is None:
            return tell(
                "{game} is on hold, and no deadline runs. You are told the next one when it goes on.", game=game.key
            )
        return tell(
            "{game} is on hold until {until}, and no deadline runs. You are told the next one when it goes on.",
            game=game.key,
            until=moment_mark(game.held_until),
        )
    if game.deadline is None:
        return tell(
            "{phase_title} have no deadline at the moment; you are told when one is set.", phase_title=game.phase_title
        )
    return f"{game.phase_title} {_when_due(game, seen.now, plays=bool(seen.actor.seat))}"


def _when_due(game: Game, now: datetime, *, plays: bool) -> str:
    """The deadline as what a phase has or had; to who `plays`, also whether all orders are in, and when they are
    carried out then.
    """
    assert game.deadline is not None
    at, early, called = moment_mark(game.deadline.at), early_moment(game), game.deadline.called
    if not plays:
        return tell("were due {at}.", at=at) if called else tell("are due by {at}.", at=at)
    if early is not None:
        when = tell("now") if early <= now else tell("on {day}", day=moment_mark(early))
        return (
            tell("were due {at}; all orders are in, and they are carried out {when}.", at=at, when=when)
            if called
            else tell("are due {at}; all orders are in, and they are carried out {when}.", at=at, when=when)
        )
    if not called:
        return tell("are due by {at}.", at=at)
    end = term(game)
    if end is None:
        return tell("were due {at}; the game waits for what is missing.", at=at)
    return tell("were due {at}; what is missing still counts until {end}.", at=at, end=moment_mark(end))


@dataclass(frozen=True, slots=True)
class ShowGoal(AboutGame, once=True, public=True):
    """How many centres win the game, in a sentence."""


def _read_goal(clause: Clause) -> Reading:
    """`centres to win`; with a number it is the setting, which the Gamemaster may change."""
    number = re.fullmatch(
        r"[\s:=]*(?:(?:is|to|at)\s+)?(\d{1,3})(?: *cent(?:re|er)s)?[\s.]*", clause.rest, re.IGNORECASE
    )
    return ChangeSettings("victory", number[1]) if number else alone(ShowGoal(), "centres to win")(clause)


def _centres(seen: Seen, _: ShowGoal) -> Said:
    """Or units, where the rules count those."""
    rules = seen.game.rules
    return say("centres-to-win", needed=rules.needed(seen.game.board), what=rules.won_by, game=seen.game.key)


# --- what was played ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class History(AboutGame, enclosed=True, once=True, public=True):
    """Results of past phases. `since` and `until` are phase codes or years ("S1901M", "1903"); empty: open ended."""

    since: str = ""
    until: str = ""


def _read_history(clause: Clause) -> Reading:
    game, rest = _leading_game(clause)
    bounds = read_stretch(rest, clause.around.calendar)
    return bounds if isinstance(bounds, Unclear) else History(*bounds, game=game)


def _leading_game(clause: Clause) -> tuple[str, str]:
    word, _, rest = clause.rest.strip().partition(" ")
    game = read_game(word, clause.around, "history") if word else Unclear("", "")
    return (clause.around.game, clause.rest) if isinstance(game, Unclear) else (game, rest)


@dataclass(frozen=True, slots=True)
class ShowMap(AboutGame, enclosed=True, once=True, public=True):
    """Maps of a phase: its orders and what became of them, and where everything stood after it. Without a phase: of the
    last turn, and of the position now. `form`: "png", "svg" or "pdf"; `extent`: "big", "part" for the asker's part of
    the board, "" for the whole.
    """

    phase: str = ""
    form: str = "png"
    printed: bool = False
    extent: str = ""
    face: str = ""
    """"dark" for one on dark ground; "" for that which the asker usually gets."""


_FORMS: Mapping[str, str] = {"png": "png", "gif": "png", "svg": "svg", "pdf": "pdf", "ps": "pdf"}
"""Words for forms of a picture, those of older judges among them."""
_PRINTED = re.compile(r"\b(?:bw|b/w|b&w|black(?: and |-and-| & )white|for print(?:ing)?)(?!\w)", re.IGNORECASE)
_BIG = frozenset(("big", "bigger", "large", "larger", "huge", "zoom", "zoomed", "enlarged", "hires"))
_DARK = frozenset(("dark", "night", "darkmode"))
_MINE = re.compile(
    r"\b(?:mine|(?:of )?(?:my|our) (?:own )?(?:part|corner|side|area|region|units|sector)(?: of the (?:board|map))?"
    r"|around (?:me|us|my units)|near (?:me|us)|close ?up)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:of|for|the|as|in|an?|please|pls|plz|now|current|last|latest|phase|turn|to me)\b", re.IGNORECASE
)


def _form_in(text: str) -> tuple[str, bool] | None:
    """The form of a picture and whether it is black and white, where a line names nothing else; None otherwise.

    >>> _form_in("bw"), _form_in("as PDF please"), _form_in("A Par - Bur"), _form_in("")
    (('png', True), ('pdf', False), None, None)
    """
    rest, printed = _PRINTED.subn(" ", text)
    words = plain(_FILLER.sub(" ", rest)).lower().split()
    if not text.strip() or any(word not in _FORMS for word in words) or not (words or printed):
        return None
    return _FORMS[words[-1]] if words else "png", bool(printed)


def _read_map(clause: Clause) -> Reading:
    rest, printed = _PRINTED.subn(" ", clause.rest)
    rest, part = _MINE.subn(" ", rest)
    form, game, extent = "png", clause.around.game, PART if part else ""
    others, face = list[str](), ""
    for word in plain(_FILLER.sub(" ", rest)).split():
        if word.lower() in _FORMS:
            form = _FORMS[word.lower()]
        elif word.lower() in _BIG:
            extent = extent or BIG
        elif word.lower() in _DARK:
            face = DARK
        elif not others and not isinstance(found := read_game(word, clause.around, "map"), Unclear):
            game = found
        else:
            others.append(word)
    if not others:
        return ShowMap("", form, bool(printed), extent, face, game=game)
    said = " ".join(others)
    phase = clause.around.phase_in(said)
    if phase is None:
        return Unclear("no-phase", tell('"{said}" is not a phase; write one like F1901.', said=said), ("map",))
    return ShowMap(phase, form, bool(printed), extent, face, game=game)


def _maps(seen: Seen, asked: ShowMap) -> Enclosure | Refusal:
    game = seen.game
    if not seen.person:
        sentence = tell("I send maps only to registered people; `history` tells all that they would show.")
        return Refusal("who", sentence, mend="register")
    if game.stage in (Stage.FORMING, Stage.OPEN) or game.position is None:
        return Refusal(
            "not-begun", tell("{game} has not begun; there is nothing on its map yet.", game=game.key), mend="status"
        )
    if not seen.pictures:
        return Refusal("no-pictures", tell("This judge sends no maps; `history` tells all that they would show."))
    extent = "" if asked.form == "pdf" else asked.extent  # a page for the printer is the whole board, as large as it is
    powers = powers_of_seat(game, seen.actor.seat) if extent == PART and seen.proved else ()
    face = "" if asked.printed or asked.form == "pdf" else asked.face
    found = map_view(
        game, seen.story(), asked.phase, asked.form,
        printed=asked.printed, extent=extent, powers=powers, face=face,
    )  # fmt: skip
    name = game.calendar.label(asked.phase) if found is None else ""
    return found or Refusal("not-played", tell("{game} has no {name} to show.", game=game.key, name=name), mend="map")


@dataclass(frozen=True, slots=True)
class Archive(AboutGame, enclosed=True, once=True):
    """The whole record of a game that is over, as files."""


def _archived(seen: Seen, _: Archive) -> Enclosure | Refusal:
    game = seen.game
    if not seen.person:
        return STRANGER
    if game.stage is not Stage.ENDED or game.practice is not None:
        sentence = tell(
            "{game} is not over; you can have its archive when it is. What was played so far is its history.",
            game=game.key,
        )
        return Refusal("not-over", sentence, mend=f"history {game.key}")
    if not seen.allowed("archive", RECORDS_PER_DAY):
        return Refusal(
            "enough-today",
            tell("That makes {records_per_day} archives today; ask again tomorrow.", records_per_day=RECORDS_PER_DAY),
        )
    return archive_enclosure(archive_view(game, seen.story(), seen.cast()))


@dataclass(frozen=True, slots=True)
class Export(AboutGame, enclosed=True, once=True, public=True):
    """What was played of a game, for programs. `form`: one of FORMS, "" for all."""

    form: str = ""


FORMS = ("json", "diplomacy", "datc")
"""Formats of an export: ours, a saved game of the Python package, cases as in DATC files."""


def _read_export(clause: Clause) -> Reading:
    """`export`, `export baltic`, `export datc`, `export baltic as json`."""
    game, form = clause.around.game, ""
    for word in re.sub(r"\b(?:of|as|in|the|game|format|please)\b", " ", plain(clause.rest), flags=re.I).split():
        if word.lower() in FORMS:
            form = word.lower()
            continue
        found = read_game(word, clause.around, "export")
        if isinstance(found, Unclear):
            forms = listed(FORMS, "or")
            sentence = tell(
                '"{word}" is not a game that I know, and no format; those are {forms}.', word=word[:60], forms=forms
            )
            return Unclear("no-such-game", sentence, found.candidates)
        game = found
    return Export(form, game=game)


def _exported(seen: Seen, asked: Export) -> Enclosure | Refusal:
    """Of a game that runs only what everybody has seen on the board; one that is over whole."""
    game = seen.game
    if game.position is None and asked.form not in ("", "json"):
        sentence = tell(
            "{game} has not begun, so nothing has been played of it; `export {game} json` says so much.", game=game.key
        )
        return Refusal("not-begun", sentence, mend=f"status {game.key}")
    if not seen.allowed("export", RECORDS_PER_DAY):
        return Refusal(
            "enough-today",
            tell("That makes {records_per_day} exports today; ask again tomorrow.", records_per_day=RECORDS_PER_DAY),
        )
    events = seen.story()
    over = game.stage is Stage.ENDED
    record = as_json(archive_view(game, events, seen.cast()))["record"] if over else public_record(game, events)
    return export_view(game, events, record, asked.form)


# --- a player's own -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShowOrders(AboutGame):
    """The author's own orders: on file, kept for later, standing, and what is still to be put right."""


_SHOW = named("show, list, see, print, display, view, check, send me, show me, give me")
_ORDERS = named("orders, my orders, the orders, all my orders, my current orders, orders on file, my orders on file")
_HAVE = named("do you have, have you, have you got, did you get, are there")
_MY_ORDERS = (
    *_ORDERS,
    *named("current orders, my current orders on file, what are my orders, what orders are on file, what is on file"),
    *named("what's on file, what do you have on file, what do you have on file for me, which orders are on file"),
    *(f"{verb} {what}" for verb in _SHOW for what in _ORDERS),
    *(f"{what} {have} {whose} me" for what in ("what", "what orders", "which orders") for have in _HAVE
      for whose in ("from", "of", "for")),
    *(f"{what} {have}" for what in ("what orders", "which orders") for have in _HAVE),
)  # fmt: skip


def _own_orders(seen: Seen, _: ShowOrders) -> str | Refusal:
    """Every receipt of a running game lists them."""
    if seen.game.stage is not Stage.RUNNING or seen.actor.seat not in seen.game.seats:
        return Refusal("no-orders", tell("You have no orders in {game}.", game=seen.game.key), mend="status")
    return tell("What is on file is listed above.")


@dataclass(frozen=True, slots=True)
class WhatIf(AboutGame, enclosed=True):
    """The outcome that these orders, own ones and guesses, would have. Only the author is told; nothing is kept.
    `form`, `printed`: of its maps, where they were `asked` for.
    """

    lines: tuple[str, ...]
    form: str = "png"
    printed: bool = False
    asked: bool = False


_MAP_WHAT_IF = tuple(f"{word}{of}what if" for word in ("map", "maps") for of in (" ", " of ", " for "))


def _read_what_if(clause: Clause) -> Reading:
    rest = clause.rest.strip(" :")
    form = _form_in(rest)
    lines = lines_of("" if form else rest, clause.body)
    if not lines:
        return Unclear("incomplete", tell("Write the orders to try below `what if`, yours and your guesses."), ())
    return WhatIf(lines, *(form or ("png", False)), asked=form is not None or "map" in clause.word)


def _tried(seen: Seen, asked: WhatIf) -> Enclosure | Refusal:
    """A dry run with own and guessed orders; so many a day and person."""
    game, seat = seen.game, seen.game.seats.get(seen.actor.seat)
    if seat is None:
        return Refusal("no-seat", tell("Only the players of {game} try orders out.", game=game.key))
    # The lines of the request are the first line of the command itself, where it holds an order, and those below.
    first = 0 if len(seen.lines) == len(asked.lines) else 1
    numbers = (*seen.lines[first:], *[seen.lines[0]] * len(asked.lines))
    lines = tuple(OrderLine(number, text) for number, text in zip(numbers, asked.lines, strict=False))
    found = speculate(game, lines, seat.powers)
    if isinstance(found, Refusal):
        return found
    if not seen.allowed("what-if", TRIES_PER_DAY):
        return Refusal(
            "enough-today",
            tell(
                "That was your {tries_per_day}th dry run today; I try more for you tomorrow.",
                tries_per_day=TRIES_PER_DAY,
            ),
        )
    return speculation_view(game, found, asked.form, printed=asked.printed, asked=asked.asked)


@dataclass(frozen=True, slots=True)
class ReadDiary(AboutGame):
    """The pages of one's own diary: a list of them, or one page by its number."""

    page: int = 0


def _read_page(clause: Clause) -> Reading:
    if not plain(clause.rest):
        return ReadDiary()
    match = PAGE.fullmatch(plain(clause.rest))
    return ReadDiary(int(match[1])) if match else missing(tell("The number of the page"), "diary read 1")


def _pages(seen: Seen, asked: ReadDiary) -> str | Refusal:
    """A list of its pages, or one of them."""
    game, seat = seen.game, seen.actor.seat
    if seat not in game.seats:
        return Refusal("no-seat", tell("Only the players of {game} have a diary.", game=game.key))
    if seen.actor.deputy:
        return Refusal("substitute", tell("A diary is the player's own; a substitute does not read it."))
    pages = pages_of(game, seat)
    if asked.page == 0:
        listed = "; ".join(f'{n} ({page.phase}) "{_begin(page.text)}"' for n, page in enumerate(pages, start=1))
        return tell("Your diary has {listed}.", listed=listed) if pages else tell("Your diary has no pages yet.")
    if not 1 <= asked.page <= len(pages):
        return Refusal(
            "no-page", tell("Your diary has no page {page}; `diary list` shows those that it has.", page=asked.page)
        )
    page = pages[asked.page - 1]
    return f'Page {asked.page}, {page.phase}: "{page.text}"'


_BEGINNING = 50
"""Letters of a page as a list of pages shows it."""


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _BEGINNING else f"{words[:_BEGINNING].rstrip()} ..."


ACTS = (
    Ask(
        ShowStatus,
        _how_it_stands,
        VerbOfAll(
            "status",
            words=("status", "stat", "who", "whogame"),
            summary="The phase, the deadline and your orders on file.",
            usage=("status", "status GAME"),
            example="status",
            read=_read_status,
            names_game=True,
            topic="reading",
            after="list",
        ),
        MayAsk.SHARED,
    ),
    Ask(
        ShowDue,
        _due,
        VerbOfAll(
            "due",
            words=("due", "due date", "when due", "next deadline"),
            summary="By when orders are due, in a sentence.",
            usage=("due",),
            example="due",
            read=alone(ShowDue(), "due"),
            whole=True,
            topic="reading",
            after="status",
        ),
        MayAsk.SHARED,
    ),
    Ask(
        ShowGoal,
        _centres,
        VerbOfAll(
            "centres to win",
            words=("centres to win", "centers to win", "victory"),
            summary="How many centres win the game, in a sentence.",
            usage=("centres to win", "victory NUMBER"),
            example="centres to win",
            read=_read_goal,
            topic="reading",
            after="due",
        ),
        MayAsk.SHARED,
    ),
    Ask(
        History,
        lambda seen, asked: history_view(seen.game, seen.story(), asked.since, asked.until),
        VerbOfAll(
            "history",
            words=("history", "summary"),
            summary="The results of past phases.",
            usage=("history", "history PHASE to PHASE"),
            example="history S1901 to F1903",
            read=_read_history,
            names_game=True,
            topic="reading",
            after="centres to win",
        ),
        MayAsk.SHARED,
    ),
    Ask(
        ShowMap,
        _maps,
        VerbOfAll(
            "map",
            words=("map", "maps", "send map", "send me the map", "show map"),
            summary="The map of the last turn and of the position, or of any past phase; also large, of your part.",
            usage=("map", "map PHASE", "map big", "map mine", "map bw", "map svg", "map pdf"),
            example="map F1902",
            read=_read_map,
            names_game=True,
            topic="reading",
            after="resend",
        ),
        MayAsk.SHARED,
    ),
    Ask(
        Export,
        _exported,
        VerbOfAll(
            "export",
            words=("export", "download"),
            summary="What was played, as files for programs: positions, orders and results of every phase processed.",
            usage=("export", "export GAME", "export GAME json", "export GAME diplomacy", "export GAME datc"),
            example="export datc",
            read=_read_export,
            topic="reading",
            names_game=True,
            after="ratings",
        ),
    ),
    Ask(
        Archive,
        _archived,
        VerbOfAll(
            "archive",
            words=("archive", "send archive"),
            summary="The record of a game that is over, attached as files: one to read, one for programs.",
            usage=("archive", "archive GAME"),
            example="archive",
            read=of_game(Archive, "archive"),
            names_game=True,
            topic="reading",
            after="export",
        ),
        MayAsk.ANYBODY,
    ),
    Ask(
        ShowOrders,
        _own_orders,
        Verb(
            "orders",
            words=_MY_ORDERS,
            summary="Your orders on file, for this turn and for later ones, and what is still to be put right.",
            usage=("orders",),
            example="orders",
            read=alone(ShowOrders(), "orders"),
            whole=True,
            topic="changing",
            after="clear",
        ),
        MayAsk.ANYBODY,
    ),
    Ask(
        WhatIf,
        _tried,
        Verb(
            "what if",
            words=("what if", "whatif", "what-if", "speculate", "forecast", *_MAP_WHAT_IF),
            summary="What would come of these orders, yours and your guesses? Private, and nothing is kept.",
            usage=("what if ORDER", "what if", "map what if", "map what if bw"),
            example="what if A Paris - Burgundy",
            read=_read_what_if,
            body=BodyRule.ORDERS,
            ends=("end what if", "endwhatif", "end speculation"),
            risky=True,
            topic="trying",
        ),
        MayAsk.ANYBODY,
    ),
    Ask(
        ReadDiary,
        _pages,
        Verb(
            "diary list",
            words=("diary list", "list diary", "diary read", "read diary", "diary show", "show diary"),
            summary="The pages of your diary, or one of them.",
            usage=("diary list", "diary read NUMBER"),
            example="diary list",
            read=_read_page,
            topic="diary",
            after="diary",
        ),
        MayAsk.ANYBODY,
    ),
)
"""The questions; where help prints each, its verb says."""
