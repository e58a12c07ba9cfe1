"""Answers from the register: statistics of a game, results once more, and ratings and results of all as files for
programs, in shapes that stay.

`ratings.csv` has a line for each method and player, then a line for each replacement and system:

    method, title, part, rank, player, games, won, shared, survived, eliminated, left, points, game, power, since

`part` is "regular" or "replacement". A replacement has no rank: its line is one game, with `game`, `power` and `since`
("S1904", the phase from which it was played); these are empty for regular players. `left`: games that were given up.
`points`: as `reckoning` says in the JSON (a sum, an average, or a figure that moves).

`ratings.json`:

    {"format": "judge-ratings", "version": 1, "games": how many were rated,
     "methods": [{"method", "title", "source", "rule", "reckoning", "players": [
        {"rank", "player", "games", "won", "shared", "survived", "eliminated", "left", "points"}]}],
     "replacements": [{"player", "game", "powers", "since", "fate", "centres", "points": {system: points}}]}

`games.csv` has a line for each power of each game:

    game, number, irregular, variant, map, rules, gm, began, ended, result, how, year, power, player, centres, fate,
    opening

`games.json`:

    {"format": "judge-games", "version": 1, "since": the issue after which they changed (null: all games),
     "games": [{"game", "number", "irregular": [settings changed in mid-game], "variant", "map", "rules", "anonymous",
        "gm", "began", "ended", "result": {"how", "powers", "sentence"} or null,
        "years": {year: {power: centres}}, "owners": {year: {centre: power}},
        "powers": [{"power", "centres", "fate", "players": [{"player", "since", "until", "why"}]}],
        "openings": [{"power", "orders": [as in "A VEN H"], "name" ("" where it has none)}],
        "points": {system: {power: points}}}]}

`GAME-statistics.csv` has a line for each cell of the tables of `stats GAME`; `GAME-statistics.json` has the same:

    table, row, column, value

    {"format": "judge-statistics", "version": 1, "title", "tables": [{"title", "columns", "rows": [[cell]], "notes"}]}

`row` is the first cell of its line. Days are ISO dates, phases codes such as "F1901M", "" where there is none
(`since` "": from the start; `until` "": to the end, or until now); powers and centres are the board's keys. Who plays
a game without names is null until its end.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import GameEnded, GameStarted, PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game, Stage
from judge.game.settings.values import SYSTEM_NAMES
from judge.game.table.scoring import points_of, score_of, terms_of
from judge.languages import tell
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.report.core.audience import Batch
from judge.report.core.letter import labelled, plain
from judge.report.core.naming import many
from judge.report.played.results import counting, printed
from judge.report.reply.unproved import NOBODY
from judge.report.table.turns import told_to_all
from judge.rules.calendar import read_phase
from judge.service.core.judge import Judge
from judge.service.hearing.questions import which_game
from judge.service.posting.outgoing import cast_of, put
from judge.service.trust.heard import HeardMail, Result, answers, not_to_see
from judge.store import Transaction, View
from judge.store.zines import ZineRow
from judge.zine.asked import AskStatistics, ExportRatings, ExportResults, ResendResults
from judge.zine.desk import IssueState, ZineOffice, ZineState, desk_letter, key_of, led, shown, zine_meant
from judge.zine.issue import Statistics
from judge.zine.items import facts_of
from judge.zine.mailing import printer_of
from judge.zine.numbers import irregularities, read_number
from judge.zine.offices import WHO
from judge.zine.own import batches
from judge.zine.public import PublicGame, is_public, public_games, rated_games, standing
from judge.zine.register import keep_register, keep_rule, rule_of, told_of_numbers
from judge.zine.statistics import METHODS, HobbyRatings, first_moves, game_statistics, owners_by_year, ratings_of
from judge.zine.text import print_statistics
from judge.zine.verbs import ItemSort, ZineAct

VERSION = 1


def ratings_csv(ratings: HobbyRatings) -> str:
    """The ratings as CSV, shaped as above."""
    head = ("method", "title", "part", "rank", "player", "games", "won", "shared", "survived", "eliminated", "left",
            "points", "game", "power", "since")  # fmt: skip
    return _csv(head, _ratings_lines(ratings))


def _ratings_lines(ratings: HobbyRatings) -> Iterator[Sequence[object]]:
    for key, rows in ratings.rankings.items():
        for row in rows:
            yield (key, METHODS[key].title, "regular", row.rank, row.player, row.games, row.won, row.shared,
                   row.survived, row.eliminated, row.left, row.points, "", "", "")  # fmt: skip
    for one in ratings.replacements:
        fates = [int(one.fate == fate) for fate in ("won", "shared", "survived", "eliminated")]
        for system in SYSTEM_NAMES:
            if system in ratings.rankings:
                yield (system, METHODS[system].title, "replacement", "", one.player, 1, *fates, 0,
                       round(one.points[system], 4), one.game, " ".join(one.powers), one.since)  # fmt: skip


def ratings_json(ratings: HobbyRatings) -> str:
    """The ratings as JSON, shaped as above."""
    methods = [
        {"method": key, **asdict(METHODS[key]), "players": list(map(asdict, rows))}
        for key, rows in ratings.rankings.items()
    ]
    replacements = [
        {
            "player": one.player, "game": one.game, "powers": list(one.powers), "since": one.since, "fate": one.fate,
            "centres": one.centres, "points": {system: round(points, 4) for system, points in one.points.items()},
        }
        for one in ratings.replacements
    ]  # fmt: skip
    facts = {"games": ratings.games, "methods": methods, "replacements": replacements}
    return _json("judge-ratings", facts)


def games_csv(games: Iterable[PublicGame]) -> str:
    """The games as CSV, shaped as above."""
    head = ("game", "number", "irregular", "variant", "map", "rules", "gm", "began", "ended", "result", "how", "year",
            "power", "player", "centres", "fate", "opening")  # fmt: skip
    return _csv(head, (line for one in games for line in _game_lines(one)))


def _game_lines(one: PublicGame) -> Iterator[Sequence[object]]:
    game = one.game
    irregular = "yes" if irregularities(one.events) else "no"
    how, powers = (game.ending.how, " ".join(game.ending.powers)) if game.ending else ("", "")
    gm = one.name(game.gm) if game.gm else ""
    opened = {each.power: each.words for each in first_moves(one.game, one.phases)}
    for power in _powers(one):
        players = [term["player"] or "" for term in power["players"]]
        yield (game.key, one.number, irregular, labelled(game), game.settings.map, game.settings.rules, gm, one.began,
               one.ended or "", powers, how, max(game.chart, default=""), power["power"], " / ".join(players),
               power["centres"], power["fate"], opened.get(power["power"], ""))  # fmt: skip


def games_json(judge: Judge, games: Iterable[PublicGame], since: int | None = None) -> str:
    """The games as JSON, shaped as above. `since`: the number of the issue after which they changed."""
    return _json("judge-games", {"since": since, "games": [_game(judge, one) for one in games]})


def _game(judge: Judge, one: PublicGame) -> Mapping[str, Any]:
    game, ending = one.game, one.game.ending
    score = score_of(game)
    points = points_of(score.placings) if score is not None else {}
    return {
        "game": game.key,
        "number": one.number,
        "irregular": list(irregularities(one.events)),
        "variant": labelled(game),
        "map": game.settings.map,
        "rules": game.settings.rules,
        "anonymous": game.settings.anonymous,
        "gm": one.name(game.gm) if game.gm else "",
        "began": f"{one.began}",
        "ended": f"{one.ended}" if one.ended else "",
        "result": {"how": ending.how, "powers": list(ending.powers), "sentence": standing(judge, one)}
        if ending
        else None,
        "years": {str(year): dict(counts) for year, counts in sorted(game.chart.items())},
        "owners": {
            str(year): dict(owners)
            for year, owners in owners_by_year(game, counting(one.events, game.calendar)).items()
        },
        "powers": list(_powers(one)),
        "openings": list(map(asdict, first_moves(one.game, one.phases))),
        "points": {system: {power: round(each, 4) for power, each in of.items()} for system, of in points.items()},
    }


def _powers(one: PublicGame) -> Iterator[dict[str, Any]]:
    game = one.game
    over = game.stage is Stage.ENDED
    secret = game.settings.anonymous and not over
    for power in game.board.powers:
        seat = game.seat_of(power)
        if seat is None:
            continue
        yield {
            "power": power,
            "centres": len(game.position.centres(power)) if game.position else 0,
            "fate": _fate(game, power) if over else "",
            "players": [
                {
                    "player": None if secret else one.name(term.person), "since": term.since, "until": term.until,
                    "why": term.why,
                }
                for term in terms_of(seat)
            ],
        }  # fmt: skip


def _fate(game: Game, power: str) -> str:
    score = score_of(game)
    if score is not None:
        return next((placing.fate for placing in score.placings if placing.power == power), "")
    return "survived" if power in game.survivors else "eliminated"


def statistics_csv(block: Statistics) -> str:
    """The tables of some statistics as CSV, shaped as above."""
    lines = (
        (table.title, row[0], column, cell)
        for table in block.tables
        for row in table.rows
        for column, cell in zip(table.columns[1:], row[1:], strict=False)  # a row may end early
    )
    return _csv(("table", "row", "column", "value"), lines)


def statistics_json(block: Statistics) -> str:
    """The tables of some statistics as JSON, shaped as above."""
    tables = [
        {"title": one.title, "columns": one.columns, "rows": one.rows, "notes": one.notes} for one in block.tables
    ]
    return _json("judge-statistics", {"title": block.title, "tables": tables})


# --- files ----------------------------------------------------------------------------------------------------------


def _csv(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """RFC 4180, with a head. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in line] for line in lines)
    return file.getvalue()


def _harmless(cell: object) -> object:
    """
    >>> _harmless("=1+1"), _harmless(-3.5), _harmless("Ada")
    ("'=1+1", -3.5, 'Ada')
    """
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _json(kind: str, facts: Mapping[str, Any]) -> str:
    return json.dumps({"format": kind, "version": VERSION, **facts}, ensure_ascii=False, indent=1) + "\n"


PER_DAY = 20
"""So many exports a day and person."""
_TYPES: Mapping[str, str] = {"csv": "text/csv", "json": "application/json"}


@answers
def statistics(heard: HeardMail, said: ReadRequest, request: AskStatistics) -> Result:
    """`stats GAME`."""
    game = heard.game(request.game or said.game)
    if game is None:
        return which_game(said)
    if (refusal := not_to_see(heard, game)) is not None:
        return refusal
    if game.position is None:
        return Refusal(
            "not-begun", tell("{game} has not begun, so there is nothing to count.", game=game.key), mend="list"
        )
    cast = cast_of(heard.judge, heard.unit, game, heard.ledger.members)
    block = game_statistics(game, heard.story(game), lambda person: cast.member(person).name)
    text = print_statistics(replace(block, title=""), printer_of(heard.judge, ""))
    files = _files(f"{game.key}-statistics", {"csv": statistics_csv(block), "json": statistics_json(block)})
    return shown(heard, block.title, text.split("\n"), files)


@answers
def export_ratings(heard: HeardMail, said: ReadRequest, request: ExportRatings) -> Result:
    """`export ratings csv`."""
    if (refusal := _enough(heard)) is not None:
        return refusal
    rated = rated_games(heard.judge, heard.unit)
    ratings = ratings_of(rated, lambda person: heard.ledger.members[person].name)
    made = {"csv": ratings_csv(ratings), "json": ratings_json(ratings)}
    told = tell(
        "The ratings after {games}, by {rankings}.",
        games=many(ratings.games, "rated game"),
        rankings=many(len(ratings.rankings), "method"),
    )
    return _sent(heard, "Ratings", told, "ratings", made, request.form)


@answers
def export_results(heard: HeardMail, said: ReadRequest, request: ExportResults) -> Result:
    """`export games json since #90`."""
    since = _moment_of(heard, request) if request.since else None
    if isinstance(since, Refusal):
        return since
    if (refusal := _enough(heard)) is not None:
        return refusal
    games = [one for one in public_games(heard.judge, heard.unit) if since is None or _moved(one, since)]
    made = {"csv": games_csv(games), "json": games_json(heard.judge, games, request.since or None)}
    told = many(len(games), "public game")
    if request.since:
        told = tell("{games} in which something happened since #{since}", games=told, since=request.since)
    return _sent(heard, "Games", f"{told[0].upper()}{told[1:]}.", "games", made, request.form)


def numbers(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine numbers from 2027AB`, `zine numbers custodian ADDRESS`; alone it tells how they are given out."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    rule = rule_of(heard.unit)
    words = request.words.strip()
    if match := _FROM.fullmatch(words):
        try:
            rule = rule.starting(read_number(match[1]))
        except ValueError as error:
            return Refusal("no-number", f"{error}.", mend="zine numbers from 2027AB")
    elif match := _TO.fullmatch(words):
        address = "" if match[1].lower() in ("nobody", "none", "off") else read_address(match[1].strip("<>"))
        if address is None:
            sentence = tell('"{match}" is not a mail address.', match=match[1][:60])
            return Refusal("no-address", sentence, mend="zine numbers custodian numbers@example.org")
        rule = replace(rule, custodian=address)
    elif words:
        return Refusal(
            "no-act", tell("Say from which number they go on, or who is told."), mend="zine numbers from 2027AB"
        )
    keep_rule(heard.unit, rule)
    keep_register(heard.judge, heard.unit, heard.now)
    return Decision(said=told_of_numbers(heard.unit, heard.now.year))


_FROM = re.compile(r"(?:go\s+on\s+)?(?:from|at|with|begin\s+with)\s+(\S+)[\s.]*", re.IGNORECASE)
_TO = re.compile(r"(?:custodian|told\s+to|tell|report\s+to|to)?\s*(\S+@\S+|nobody|none|off)[\s.]*", re.IGNORECASE)


def _moment_of(heard: HeardMail, request: ExportResults) -> datetime | Refusal:
    """When an issue was approved."""
    row = zine_meant(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    issue = heard.unit.zines.issue(row.key, request.since)
    if issue is None or issue.state == IssueState.DRAFT:
        return Refusal(
            "no-number",
            tell("There is no #{since} of {row}.", since=request.since, row=row.name),
            mend="export games json",
        )
    return issue.at


def _moved(one: PublicGame, since: datetime) -> bool:
    kinds = (GameStarted, PhaseAdjudicated, GameEnded)
    return any(isinstance(event, kinds) and event.at > since for event in one.events)


def _enough(heard: HeardMail) -> Refusal | None:
    person = heard.speaker.acting
    whose = f"person:{person.id}" if person is not None else heard.envelope.from_address or ""
    if heard.unit.contacts.allow(whose, "export", heard.now.date(), PER_DAY):
        return None
    return Refusal("enough-today", tell("That makes {per_day} exports today; ask again tomorrow.", per_day=PER_DAY))


def _sent(heard: HeardMail, title: str, told: str, name: str, made: Mapping[str, str], form: str) -> Decision:
    """The files, below a sentence that says what is in them."""
    files = _files(name, {form: made[form]} if form else made)
    lines = (told, f"Enclosed: {' and '.join(each['name'] for each in files)}.")
    return shown(heard, title, lines, files)


def _files(name: str, made: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"name": f"{name}.{form}", "type": _TYPES[form], "text": text} for form, text in made.items()]


PER_ADDRESS = 5
"""Such letters to one address in a day."""


@answers
def resend_results(heard: HeardMail, said: ReadRequest, request: ResendResults) -> Result:
    """`resend tannenburg F1901 to me`, `... to ADDRESS`."""
    person = heard.speaker.acting
    if person is None:
        return WHO
    zine = _zine_of(heard, person.id)
    to, member = "", heard.ledger.members[person.id]
    if request.to:
        if zine is None:
            return Refusal("editor-only", tell("Editors of zines have results sent to others; for yourself: ... to me"))
        address = read_address(request.to.strip("<>"))
        if address is None:
            return Refusal("no-address", tell('"{to}" is not a mail address.', to=request.to[:60]))
        known = heard.unit.people.by_address(address, verified=True)
        to, member = address, heard.ledger.members[known.id] if known is not None else NOBODY
    key = key_of(request.game)
    title_text = _own(heard.judge, heard.unit, key, request.phase) or _sent_in(heard, key, request.phase)
    if isinstance(title_text, Refusal):
        return title_text
    if not heard.unit.contacts.allow(to or f"person:{person.id}", "reprint", heard.now.date(), PER_ADDRESS):
        return Refusal("enough-today", tell("Results were sent there often enough today; ask again tomorrow."))
    title, text = title_text
    row = zine or ZineRow("results", heard.judge.office.name, ZineState.RUNNING, 0, None, heard.now)
    letter = desk_letter(
        heard.judge, row, member, about=f"results-{key}-{heard.mail.id}-{said.lines[0]}", subject=title,
        table=text.splitlines(), address=to,
    )  # fmt: skip
    put(heard.judge, heard.unit, letter, heard.now, mail_id=heard.mail.id, noted=heard.done.letters)
    return Decision(said=tell("{title} goes to {to} once more.", title=title, to=to or member.address))


def _zine_of(heard: HeardMail, person: int) -> ZineRow | None:
    """A zine that somebody makes."""
    offices = (one for one in heard.unit.zines.offices(person) if one.role in tuple(ZineOffice))
    rows = (heard.unit.zines.get(one.zine) for one in offices)
    return next((row for row in rows if row is not None and row.state == ZineState.RUNNING), None)


def _own(judge: Judge, view: View | Transaction, key: str, phase: str) -> tuple[str, str] | Refusal | None:
    """(title, text) of a phase of a game that is run here; None if none is."""
    game = judge.keeper.load(view, key)
    if game is None or not is_public(game):
        return None
    code = read_phase(phase, game.calendar, game.phase)
    if code is None:
        return Refusal("no-phase", tell('"{phase}" is not a phase; write one like F1901.', phase=phase[:40]))
    cast = cast_of(judge, view, game)
    found: Batch | None = None
    for batch in batches(judge, view, key, cast):
        played = [event.phase for event in batch.events if isinstance(event, (PhaseAdjudicated, PhaseSkipped))]
        found = batch if code in played or (len(code) == 5 and f"{code}M" in played) else found
    if found is None:
        return Refusal(
            "no-phase", tell("{phase} of {key} is not played yet.", phase=phase[:40], key=key), mend=f"history {key}"
        )
    played = [event.phase for event in found.events if isinstance(event, (PhaseAdjudicated, PhaseSkipped))]
    number = view.zines.game(key)
    frame = {"game": key, "number": (number.number if number is not None else "") or ""}
    facts: Mapping[str, Any] = {
        **told_to_all(found),
        "frame": frame,
        "printed": plain(printed(found.after, cast, played)),
    }
    text, _ = judge.pressroom.do(lambda press: press.sheet("results/print.txt", facts))
    return f"{key.upper()}, {found.after.calendar.title(played[0])}", text


def _sent_in(heard: HeardMail, key: str, phase: str) -> tuple[str, str] | Refusal:
    """The same of a game that is run elsewhere: the last report of this season, word for word."""
    wanted = "".join(sign for sign in phase.lower() if sign.isalnum())
    for row in heard.unit.zines.all():
        reports = [
            one
            for state in ("printed", "seen", "new")
            for one in heard.unit.zines.items(row.key, state)
            if one.kind == ItemSort.REPORT and one.game == key
        ]
        for one in reversed(reports):
            season = facts_of(one).season
            if wanted in "".join(sign for sign in season.lower() if sign.isalnum()):
                return f"{key.upper()}, {season}", one.body
    return Refusal(
        "no-phase", tell("There are no results of {key} for {phase}.", key=key[:40], phase=phase[:40]), mend="zines"
    )
