"""An issue made out of what lies on the desk: items, the register, what happened in the games, and what writes itself:
starts, numbers, statistics, ratings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.game.core.model import Game, Stage
from judge.languages import ENGLISH, speak, spoken, tell
from judge.mail.letters.layout import WIDTH
from judge.mail.letters.words import seasons
from judge.orders.spelled import listed
from judge.report.core.letter import variant_words
from judge.report.core.naming import many
from judge.service.core.directory import Members
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.store import Transaction, View
from judge.store.zines import ChapterRow, ZineGameRow, ZineItemRow, ZineRow
from judge.zine.desk import IssueState, address_of, day_words, last_day, makers, publisher_of, zone_of
from judge.zine.issue import (
    Byline,
    Epigraph,
    GameEntry,
    GameOpening,
    Issue,
    Item,
    ItemKind,
    Masthead,
    Report,
    StandbyWanted,
    Statistics,
    ZineChapter,
)
from judge.zine.items import NEW, facts_of, waiting_items
from judge.zine.numbers import read_number
from judge.zine.own import OwnNews, as_zines_write, in_order, news_of, reports_at
from judge.zine.public import (
    PublicGame,
    game_result,
    openings,
    public_games,
    rated_games,
    standby_names,
    standbys_wanted,
)
from judge.zine.register import results_elsewhere
from judge.zine.statistics import (
    RECOMMENDED,
    game_statistics,
    is_due,
    openings_table,
    ratings_block,
    ratings_of,
    results_table,
)
from judge.zine.text import too_broad
from judge.zine.tree import markup_of
from judge.zine.verbs import ItemSort


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """These parts of an issue, as `judge.zine.issue.Issue` has them. `years`: game -> the last year whose statistics
    are among them.
    """

    changed: tuple[str, ...]
    statistics: tuple[Statistics, ...]
    years: Mapping[str, int]
    openings: tuple[GameOpening, ...]
    wanted: tuple[StandbyWanted, ...]
    standbys: tuple[str, ...]


def reference_part(
    judge: Judge, view: View | Transaction, zine: ZineRow, since: datetime | None, years: Mapping[str, int]
) -> ReferencePart:
    """What is to be printed now. `since`: when the last issue was printed, None for none; `years`: game -> the last
    year whose statistics were.
    """
    members = Members(view)
    blocks = [block for chapter in view.zines.chapters(zine.key) for key in chapter.games
              if (block := _yearly(judge, view, key, years, members)) is not None]  # fmt: skip
    return ReferencePart(
        changed=tuple(_begun(view, since)),
        statistics=(*(block for block, _ in blocks), *_of_all_games(judge, view, since, members)),
        years={block.game: year for block, year in blocks},
        openings=tuple(openings(judge, view)),
        wanted=tuple(standbys_wanted(judge, view)),
        standbys=standby_names(view, lambda person: members[person].name),
    )


def _begun(view: View | Transaction, since: datetime | None) -> Iterator[str]:
    """Starts since the last issue, with the numbers that were given out."""
    for entry in view.zines.games():
        if since is not None and entry.since > since and not entry.external:
            number = tell("; it is {heading}", heading=read_number(entry.number).heading) if entry.number else ""
            yield tell("{entry} has begun{number}.", entry=entry.name.upper(), number=number)


def _yearly(
    judge: Judge, view: View | Transaction, key: str, years: Mapping[str, int], members: Members
) -> tuple[Statistics, int] | None:
    """The statistics of a game whose year is over, with that year."""
    game = judge.keeper.load(view, key)
    if game is None or game.practice is not None or not is_due(game, years.get(key, 0)):
        return None
    events = thaw_all(view.events.load(key))
    return game_statistics(game, events, lambda person: members[person].name), max(game.chart)


def _of_all_games(
    judge: Judge, view: View | Transaction, since: datetime | None, members: Members
) -> Iterator[Statistics]:
    """Ratings, results and openings, after each end of a rated game."""
    rated = rated_games(judge, view)
    if not any(since is None or one.score.at > since for one in rated):
        return
    games = tuple(public_games(judge, view))
    yield ratings_block(ratings_of(rated, lambda person: members[person].name, RECOMMENDED))
    yield _register(judge, view, games, members)


def _register(judge: Judge, view: View | Transaction, games: tuple[PublicGame, ...], members: Members) -> Statistics:
    elsewhere = results_elsewhere(view, lambda person: members[person].name)
    results = results_table([*(game_result(judge, one) for one in games), *elsewhere])
    moves = openings_table((one.game, one.events) for one in games)
    return Statistics(tell("The register of games"), (results, *([moves] if moves else [])))


_KINDS: Mapping[str, ItemKind] = {
    ItemSort.ARTICLE: ItemKind.ARTICLE, ItemSort.LETTER: ItemKind.LETTER, ItemSort.BIO: ItemKind.BIOGRAPHY,
    ItemSort.CLASSIFIED: ItemKind.CLASSIFIED, ItemSort.OPENING: ItemKind.OPENING, ItemSort.RULES: ItemKind.RULES,
    ItemSort.CARTOON: ItemKind.CARTOON, ItemSort.COMMENT: ItemKind.COMMENT,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game on the dashboard: how it stands, more about that, and whether its Gamemaster is to be reminded. The state
    comes first, so that no line begins as a heading of orders does.
    """

    game: str
    state: str
    more: str = ""
    late: bool = False

    def __str__(self) -> str:
        """
        >>> str(GameLine("HERO", "Not received", "nudge sent 2x"))
        'Not received: HERO (nudge sent 2x)'
        """
        return f"{self.state}: {self.game}{f' ({self.more})' if self.more else ''}"


@dataclass(frozen=True, slots=True)
class IssueDraft:
    """An issue as it would be printed now. `seqs`: up to which event each of our games is told; `years`: the last year
    whose statistics are in it; `items`: the numbers of those that are printed; `unseen`: those that nobody has looked
    at; `warnings`: what is wrong, a sentence each; `lines`: every game in a few words.
    """

    issue: Issue
    seqs: Mapping[str, int]
    years: Mapping[str, int]
    items: tuple[int, ...]
    unseen: tuple[int, ...]
    warnings: tuple[str, ...]
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class PrintedSoFar:
    """What the issues so far have printed: up to which event of each game, and the last year of statistics; `at`: when
    the last whole issue was approved.
    """

    seqs: Mapping[str, int]
    years: Mapping[str, int]
    at: datetime | None = None


def printed_before(view: View | Transaction, row: ZineRow) -> PrintedSoFar:
    """What was printed up to the last issue; chapters that went out by themselves, and corrections, count for their
    own games. A draft has printed nothing.
    """
    seqs: dict[str, int] = {}
    years: dict[str, int] = {}
    at = None
    for issue in view.zines.issue_cards(row.key):
        if issue.state == IssueState.DRAFT:
            continue
        facts = json.loads(issue.facts)
        for printed, found in ((seqs, facts.get("seqs", {})), (years, facts.get("years", {}))):
            printed.update({game: max(upto, printed.get(game, 0)) for game, upto in found.items()})
        at = at if issue.chapter else issue.at
    return PrintedSoFar(seqs, years, at)


def draft(judge: Judge, view: View | Transaction, row: ZineRow, number: int, now: datetime) -> IssueDraft:
    """The next issue as it stands; what is said of it to its editor is in the language that is spoken."""
    drafting = _Drafting(judge, view, row, number, now)
    with speak(ENGLISH):  # an issue is for all its readers, in the language of its templates
        return drafting.done()


class _Drafting:
    """Puts an issue together; collects what is wrong on its way."""

    def __init__(self, judge: Judge, view: View | Transaction, row: ZineRow, number: int, now: datetime) -> None:
        self._judge, self._view, self._row, self._number, self._now = judge, view, row, number, now
        self._before = printed_before(view, row)
        self._items = waiting_items(view, row.key)
        self._members = Members(view)
        self._people = [*makers(view, row.key), *(one.person_id or 0 for one in self._items)]
        self._members.gather({person for person in self._people if person})
        self._zone = zone_of(judge, row)
        self._desk = spoken()
        self._warnings: list[str] = []
        self._seqs: dict[str, int] = {}
        self._used: list[int] = []
        self._lines: list[GameLine] = []
        self._statements: dict[int, list[Item]] = {}

    def done(self) -> IssueDraft:
        chapters = tuple(self._chapter(chapter) for chapter in self._view.zines.chapters(self._row.key))
        epigraphs = [one for one in self._items if one.kind == ItemSort.EPIGRAPH]
        for one in epigraphs[:1]:
            self._used.append(one.id)
        part = reference_part(self._judge, self._view, self._row, self._before.at, self._before.years)
        today = self._now.astimezone(self._zone).date()
        editor = next(iter(makers(self._view, self._row.key)), 0)
        issue = Issue(
            masthead=Masthead(
                self._row.name, self._number, today, self._byline(editor), self._row.key,
                address_of(self._judge, self._row.key),
            ),
            chapters=chapters,
            epigraph=Epigraph(epigraphs[0].body, facts_of(epigraphs[0]).credit) if epigraphs else None,
            items=tuple(self._own_items(0)),
            changed=part.changed,
            openings=part.openings,
            wanted=part.wanted,
            standbys=part.standbys,
            statistics=part.statistics,
            notes=self._notes(),
        )  # fmt: skip
        if len(epigraphs) > 1:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "{epigraphs} epigraphs wait; this issue has the first, item {epigraphs2}.",
                        epigraphs=len(epigraphs),
                        epigraphs2=epigraphs[0].id,
                    )
                )
        unseen = tuple(one.id for one in self._items if one.state == NEW)
        if unseen:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "Nobody has looked at item {map} before; what you do not want you can hold or drop.",
                        map=listed(map(str, unseen)),
                    )
                    if len(unseen) == 1
                    else tell(
                        "Nobody has looked at items {map} before; what you do not want you can hold or drop.",
                        map=listed(map(str, unseen)),
                    )
                )
        return IssueDraft(
            issue, self._seqs, part.years, tuple(self._used), unseen, tuple(self._warnings), tuple(self._lines)
        )

    def _notes(self) -> tuple[str, ...]:
        address, key = address_of(self._judge, self._row.key), self._row.key
        return (
            tell("To get {row}, write to {address}: subscribe {key}", row=self._row.name, address=address, key=key),
            tell(
                "To send something in, write there: article, letter to the editor, bio, classified. "
                "Everything: help zine"
            ),
        )

    def _byline(self, person: int) -> Byline:
        member = self._members[person] if person else None
        if member is None:
            return Byline("nobody yet")
        return Byline(member.name, member.address)

    # -- chapters -----------------------------------------------------------------------------------------------------

    def _chapter(self, chapter: ChapterRow) -> ZineChapter:
        publisher = publisher_of(self._view, self._row.key, chapter.number)
        entries = [entry for key in chapter.games if (entry := self._entry(key, chapter)) is not None]
        items = (*self._statements.get(chapter.number, ()), *self._own_items(chapter.number))
        return ZineChapter(
            number=chapter.number,
            names=tuple(entry.game for entry in entries),
            publisher=self._byline(publisher) if publisher else None,
            title=str(json.loads(chapter.terms).get("title", "")),
            entries=tuple(entries),
            items=items,
        )

    def _entry(self, key: str, chapter: ChapterRow) -> GameEntry | None:
        known = self._view.zines.game(key)
        if known is not None and known.external:
            return self._external(known)
        news = news_of(self._judge, self._view, key, self._before.seqs.get(key, 0))
        if news is None:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "There is no game {key}, which stands in chapter {chapter}.",
                        key=key.upper(),
                        chapter=chapter.number,
                    )
                )
            return None
        return self._own(news, known, chapter.number)

    # -- games of this judge ------------------------------------------------------------------------------------------

    def _own(self, news: OwnNews, known: ZineGameRow | None, chapter: int) -> GameEntry:
        game = news.game
        self._seqs[game.key] = news.seq
        number = (known.number if known is not None else "") or ""
        if not number and game.stage is Stage.RUNNING:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "{game} has no number yet; a variant gets one by its place in the catalogue: zine "
                        "game {game2} designator rb32",
                        game=game.key.upper(),
                        game2=game.key,
                    )
                )
        gm = self._members[game.gm]
        if game.epilogue is not None and not game.epilogue.published and game.statements:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "The statements at the end of {game} are sealed until {until}; they are left out.",
                        game=game.key.upper(),
                        until=day_words(game.epilogue.until.astimezone(self._zone)),
                    )
                )
        for at, (whose, text) in enumerate(news.statements):
            self._statements.setdefault(chapter, []).append(
                Item(0, ItemKind.STATEMENT, text, title=f"{game.key.upper()}: {whose}" if at >= 0 else "")
            )
        season = _season_now(game)
        status = self._own_status(news)
        self._line(game.key, news, season)
        return GameEntry(
            game=game.key,
            number=number,
            miller=_is_miller(number),
            kind=tell("gunboat game") if game.settings.anonymous else "game",
            variant="" if game.settings.map == "standard" and not game.rules.differences() else variant_words(game),
            gm=Byline(gm.name, self._judge.office.game_address(game.key)),
            seasons=reports_at(news.reports) or ((season,) if season else ()),
            status=status,
            reports=news.reports,
            changes=news.changes,
        )

    def _own_status(self, news: OwnNews) -> str:
        game = news.game
        if game.stage is Stage.ENDED:
            return "" if news.reports else tell("The game is over.")
        if game.held_since is not None:
            return tell("On hold until {day}.", day=self._day(game.held_until)) if game.held_until else tell("On hold.")
        if game.stage is not Stage.RUNNING or game.deadline is None:
            return tell("Players are wanted; the game has not begun.")
        due = tell("Due {day}.", day=self._day(game.deadline.at, weekday=True))
        if news.reports:
            return due
        if news.replaced:
            return f"{_delayed(news.replaced)} {due}"
        if news.late:
            return tell("Not received: orders are late.")
        return tell("Nothing happened. {due}", due=due)

    def _line(self, key: str, news: OwnNews, season: str) -> None:
        with speak(self._desk):
            self._lines.append(self._line_of(key.upper(), news.game, news, season))

    def _line_of(self, name: str, game: Game, news: OwnNews, season: str) -> GameLine:
        if news.reports:
            return GameLine(name, tell("Received"), listed(reports_at(news.reports)))
        if game.held_since is not None:
            return self._held(name, game.held_until)
        if news.replaced:
            return GameLine(name, tell("Delayed"), _replaced(news.replaced))
        if news.late:
            return GameLine(name, tell("Late"), tell("{season}, orders are missing", season=season))
        if game.stage is not Stage.RUNNING:
            return GameLine(name, tell("Over") if game.stage is Stage.ENDED else tell("Not begun"))
        return GameLine(name, tell("Nothing happened"), season)

    def _held(self, name: str, until: datetime | None) -> GameLine:
        day = self._day(until, short=True)
        return GameLine(name, tell("On hold"), tell("until {day}", day=day) if day else "")

    # -- games that are run elsewhere ---------------------------------------------------------------------------------

    def _external(self, known: ZineGameRow) -> GameEntry:
        facts = json.loads(known.facts)
        person = self._members[known.person_id] if known.person_id else None
        gm = Byline(person.name, person.address) if person is not None else None
        rows = [one for one in self._items if one.kind == ItemSort.REPORT and one.game == known.key]
        reports = []
        for one in rows:
            season = as_zines_write(facts_of(one).season)
            if not season:
                with speak(self._desk):
                    self._warnings.append(
                        tell(
                            "The report of {known}, item {one}, does not say its season.",
                            known=known.name.upper(),
                            one=one.id,
                        )
                    )
            self._used.append(one.id)
            self._look_at(one)
            reports.append(Report(season=season, words=one.body, source=gm))
        if not known.number:
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "{known} has no number yet: zine game {known2} number 2027AB",
                        known=known.name.upper(),
                        known2=known.key,
                    )
                )
        reports = in_order(reports)
        with speak(self._desk):
            self._lines.append(self._external_line(known, reports, facts))
        kind = tell("gunboat game") if facts.get("gunboat") else "game"
        return GameEntry(
            game=known.key,
            number=known.number or "",
            miller=_is_miller(known.number or ""),
            kind=kind,
            variant=str(facts.get("variant", "")),
            gm=gm,
            seasons=tuple(filter(None, reports_at(reports))) or tuple(filter(None, (as_zines_write(known.season),))),
            status=self._external_status(known, reports, facts),
            reports=tuple(reports),
            changes=_listed(facts, "changes"),
        )

    def _external_status(self, known: ZineGameRow, reports: Sequence[Report], facts: Mapping[str, object]) -> str:
        """What the issue says below the title of a game that is run elsewhere."""
        if known.state == Stage.ENDED:
            return tell("The game is over: {facts}.", facts=facts.get("result", "it ended"))
        if self._on_hold(known):
            return tell("On hold until {day}.", day=self._day(known.hold_until))
        due = tell("Due {day}.", day=self._day(known.due_at, weekday=True)) if self._is_due(known) else ""
        if reports:
            return due
        if replaced := len(_listed(facts, "changes")):
            return f"{_delayed(replaced)} {due}".strip()
        return tell("Nothing happened. {due}", due=due) if due else tell("Not received.")

    def _external_line(self, known: ZineGameRow, reports: Sequence[Report], facts: Mapping[str, object]) -> GameLine:
        name = known.name.upper()
        if known.state == Stage.ENDED:
            return GameLine(name, tell("Over"))
        if self._on_hold(known):
            return self._held(name, known.hold_until)
        if reports:
            return GameLine(name, tell("Received"), listed(filter(None, reports_at(reports))))
        if replaced := len(_listed(facts, "changes")):
            return GameLine(name, tell("Delayed"), _replaced(replaced))
        if self._is_due(known):
            return GameLine(name, tell("Nothing happened"))
        nudges = int(str(facts.get("nudged", 0)))
        return GameLine(
            name, tell("Not received"), tell("nudge sent {nudges}x", nudges=nudges) if nudges else "", late=True
        )

    def _on_hold(self, known: ZineGameRow) -> bool:
        return known.hold_until is not None and known.hold_until > self._now

    def _is_due(self, known: ZineGameRow) -> bool:
        return known.due_at is not None and known.due_at > self._now

    # -- items --------------------------------------------------------------------------------------------------------

    def _own_items(self, chapter: int) -> Iterator[Item]:
        numbers = {one.number for one in self._view.zines.chapters(self._row.key)}
        for one in self._items:
            place = one.chapter if one.chapter in numbers else 0
            if place != chapter or one.kind not in _KINDS:
                continue
            self._used.append(one.id)
            self._look_at(one)
            yield self._item(one)

    def _item(self, one: ZineItemRow) -> Item:
        facts = facts_of(one)
        author = self._members[one.person_id].name if one.person_id else ""
        left = one.left or 1
        return Item(
            number=one.id,
            sort=_KINDS[one.kind],
            text=one.body,
            title=one.title,
            author=author,
            markup=markup_of(one.body),
            source=facts.source,
            copyright=facts.copyright,
            licence=facts.licence,
            picture=facts.picture,
            alt=facts.alt or one.title,
            credit=facts.credit,
            until=self._number + left - 1 if left > 1 else 0,
            seen=one.state != NEW,
        )

    def _look_at(self, one: ZineItemRow) -> None:
        """What is wrong with the words of an item."""
        if broad := too_broad(one.body, None if one.kind == ItemSort.REPORT else markup_of(one.body)):
            first = broad[0].strip()[:50]
            with speak(self._desk):
                self._warnings.append(
                    tell(
                        "Item {one} has {broad} over {width} columns, the first: {first}...",
                        one=one.id,
                        broad=many(len(broad), "line"),
                        width=WIDTH,
                        first=first,
                    )
                )
        if one.kind == ItemSort.RULES and not facts_of(one).source:
            with speak(self._desk):
                self._warnings.append(
                    tell("Item {one} reprints rules and does not say where they are from.", one=one.id)
                )

    # -- days ---------------------------------------------------------------------------------------------------------

    def _day(self, at: datetime | None, *, weekday: bool = False, short: bool = False) -> str:
        """A day as zines write it: "Thursday December 21", "January 20", "20 Jan"."""
        if at is None:
            return ""
        local = last_day(at, self._zone)
        if short:
            return tell("{day} {month}", day=local.day, month=tell(f"{local:%b}"))
        return f"{local:%A} {local:%B} {local.day}" if weekday else f"{local:%B} {local.day}"


_NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven"}


def _replaced(players: int) -> str:
    """What the dashboard says more where so many players were replaced and nothing else happened."""
    return tell("{players} replaced", players=many(players, "player"))


def _delayed(replaced: int) -> str:
    """What the status says when so many players were replaced and nothing else happened."""
    who = (
        tell("A player was")
        if replaced == 1
        else tell("{numbers} players were", numbers=_NUMBERS.get(replaced, str(replaced)))
    )
    return tell("{who} replaced, game delayed.", who=who)


def _listed(facts: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = facts.get(name, ())
    return tuple(map(str, found)) if isinstance(found, (list, tuple)) else ()


def _season_now(game: Game) -> str:
    if game.position is None or game.phase is None:
        return ""
    return seasons([{"code": str(game.phase), "title": game.calendar.title(game.phase)}])


def _is_miller(number: str) -> bool:
    return any(letter.islower() for letter in number)
