"""Games that are run elsewhere, as an editor enters them, and the reminders that their Gamemasters get."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Stage
from judge.languages import speak, tell
from judge.mail.dates import DateProblem, read_moment
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.report.core.letter import Letter, Member
from judge.report.reply.unproved import NOBODY
from judge.service.core.judge import Judge
from judge.service.core.persons import enrol
from judge.service.posting.outgoing import put
from judge.service.trust.heard import HeardMail, Result, not_to_see
from judge.store import Transaction
from judge.store.zines import ChapterRow, ZineGameRow, ZineRow
from judge.zine.desk import chapter_at, day_words, desk_letter, key_of, last_day, led, set_games, zone_of
from judge.zine.items import waiting_items
from judge.zine.numbers import GUNBOAT, read_designator, read_number
from judge.zine.register import free_number, keep_register, keep_rule, rule_of, tell_of_elsewhere, with_designator
from judge.zine.verbs import ZineAct

MOST_NUDGES = 2
"""Reminders that a Gamemaster gets for one issue, by themselves or because the editor asks."""

_FACTS = re.compile(
    r"(?<!\S)(?P<name>by|gm|number|numbered|designator|catalogue|chapter|hold\s+until|on\s+hold\s+until|hold"
    r"|goes\s+on|resume|due|season|variant|over|ended|replaced)(?=[\s:,.;]|$)",
    re.IGNORECASE,
)
_TO_THE_END = frozenset({"over", "ended", "replaced"})
"""What is told in any words."""


def enter(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine game HERO by ADDRESS number 2027AC chapter 2`: a game of another Gamemaster, or what is new of it."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    name, _, rest = request.words.strip().partition(" ")
    key = key_of(name.strip("\"'"))
    if not key:
        return Refusal("no-such-game", tell("Say which game."), mend="zine game hero by gm@example.org")
    game = heard.game(key)
    if game is not None and (refusal := not_to_see(heard, game)) is not None:
        return refusal
    own = game is not None
    known = heard.unit.zines.game(key)
    if known is None:
        first = name.strip("\"'").upper()
        known = ZineGameRow(key, first, None, not own, "running", "", None, None, heard.now)
    told: list[str] = []
    unread, facts = _facts_in(rest)
    if unread:
        sentence = tell('I do not know what "{unread}" says of a game.', unread=unread[:40])
        return Refusal("no-fact", sentence, mend=f"zine game {key}\nhelp editing")
    if own and (strange := next((what for what, _ in facts if what not in OF_OUR_OWN), "")):
        sentence = tell(
            "{known} is run here, so I know {known_here} without being told.",
            known=known.name,
            known_here=_KNOWN_HERE.get(strange, "that"),
        )
        return Refusal("own-game", sentence, mend=f"zine game {key}")
    for what, words in facts:
        done = SETTERS[what](heard, row, known, words)
        if isinstance(done, Refusal):
            return done
        known, sentence = done
        told.append(sentence)
    if known.external and known.person_id is None:
        sentence = tell("{known} is not known yet; say who runs it.", known=known.name)
        return Refusal("no-gm", sentence, mend=f"zine game {key} by gm@example.org")
    heard.unit.zines.put_game(known)
    if own:
        keep_register(heard.judge, heard.unit, heard.now)
        known = heard.unit.zines.game(key) or known
    else:
        gm = heard.ledger.members[known.person_id].name if known.person_id else ""
        tell_of_elsewhere(heard.judge, heard.unit, known, gm, heard.now)
    if all(key not in chapter.games for chapter in heard.unit.zines.chapters(row.key)):
        first_chapter = chapter_at(heard.unit, row.key, 1) or ChapterRow(row.key, 1)
        heard.unit.zines.put_chapter(replace(first_chapter, games=(*first_chapter.games, key)))
        told.append(tell("it stands in chapter {first_chapter}", first_chapter=first_chapter.number))
    return Decision(said=f"{known.name}: {'; '.join(told if facts else _as_it_stands(heard, row, known))}.")


def _as_it_stands(heard: HeardMail, row: ZineRow, game: ZineGameRow) -> list[str]:
    """What is known of a game of the register, where nothing new was said."""
    facts, zone = json.loads(game.facts), zone_of(heard.judge, row)
    chapters = [one.number for one in heard.unit.zines.chapters(row.key) if game.key in one.games]
    gm = heard.ledger.members[game.person_id] if game.person_id and game.external else None
    return [
        tell("its results are taken from {gm} <{address}>", gm=gm.name, address=gm.address)
        if gm
        else tell("it is run here"),
        tell("its number is {game}", game=game.number) if game.number else tell("it has no number yet"),
        *([tell("it stands in chapter {chapters}", chapters=chapters[0])] if chapters else []),
        *([tell("its variant is {variant}", variant=facts["variant"])] if facts.get("variant") else []),
        *([tell("its season is {season}", season=game.season)] if game.season else []),
        *(
            [tell("it is over: {result}", result=facts.get("result") or tell("it ended"))]
            if game.state == Stage.ENDED
            else []
        ),
        *(
            [tell("it is on hold until {day_words}", day_words=day_words(last_day(game.hold_until, zone)))]
            if game.hold_until
            else []
        ),
        *(
            [tell("its results are due by {day_words}", day_words=day_words(last_day(game.due_at, zone)))]
            if game.due_at
            else []
        ),
    ]


def _facts_in(text: str) -> tuple[str, list[tuple[str, str]]]:
    """(what stands before the first fact and says nothing, the facts: each with its words)."""
    found = list(_FACTS.finditer(text))
    before = text[: found[0].start() if found else len(text)]
    facts, told = [], len(text)
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        last = match["name"].lower() in _TO_THE_END
        words = text[match.end() : len(text) if last else end].strip(" ,;:.")
        facts.append((_SAME.get(name := " ".join(match["name"].lower().split()), name), words))
        if last:
            told = match.start()
            break
    if re.search(r"\bgunboat\b", text[:told], re.IGNORECASE):
        facts.append(("gunboat", ""))
    return " ".join(_SAYS_NOTHING.sub(" ", before).split()), facts


_SAYS_NOTHING = re.compile(r"\b(?:it|is|now|an?|the|game|gunboat|and|on)\b|[,;:.]", re.IGNORECASE)


_SAME = {
    "gm": "by", "catalogue": "designator", "numbered": "number", "hold until": "hold", "on hold until": "hold",
    "resume": "goes on", "ended": "over",
}  # fmt: skip
OF_OUR_OWN = frozenset({"number", "designator", "chapter"})
"""What is said of a game that is run here; all else its log tells."""
_KNOWN_HERE: Mapping[str, str] = {
    "by": "its Gamemaster", "over": "how it ended", "hold": "whether it rests", "goes on": "whether it rests",
    "due": "when it is due", "season": "its season", "variant": "its variant", "gunboat": "its variant",
    "replaced": "who was replaced",
}  # fmt: skip
Done = tuple[ZineGameRow, str] | Refusal
_Setter = Callable[[HeardMail, ZineRow, ZineGameRow, str], Done]


def _by(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    """Who runs it: from then on results are taken from them. A name that is said here serves for somebody unknown."""
    address = read_address(words.split()[0].strip("<>")) if words else None
    if address is None:
        return Refusal(
            "no-address",
            tell('"{words}" is not a mail address.', words=words[:60]),
            mend=f"zine game {game.key} by gm@example.org",
        )
    person = heard.unit.people.by_address(address)
    if person is None:
        person = enrol(heard.judge, heard.unit, address, called=" ".join(words.split()[1:]), verified=False)
        heard.ledger.members.learn(person)
    member = heard.ledger.members[person.id]
    if game.person_id != person.id:
        with speak(heard.judge.language(member.language)):
            heard.send(_accredited(heard, row, game, member))
    return replace(game, person_id=person.id), tell(
        "its results are taken from {member} <{address}>", member=member.name, address=address
    )


def _accredited(heard: HeardMail, row: ZineRow, game: ZineGameRow, member: Member) -> Letter:
    items = (
        tell("{row} prints the game {game}, and takes its results from you.", row=row.name, game=game.name),
        tell("After each season write to me, with the results below that line: report {game} Fall 1901", game=game.key),
        tell("They are printed word for word."),
    )
    return _to_gamemaster(
        heard.judge, heard.unit, row, member, about=f"gm-{game.key}-{heard.mail.id}",
        subject=tell("your results of {game}", game=game.name), items=items,
    )  # fmt: skip


def _to_gamemaster(
    judge: Judge, unit: Transaction, row: ZineRow, member: Member, *, about: str, subject: str, items: Sequence[str]
) -> Letter:
    """A letter to the Gamemaster of a game. Whom an editor alone has named is nobody until they write themselves."""
    unproved = bool(member.address) and unit.people.by_address(member.address, verified=True) is None
    reader, address = (NOBODY, member.address) if unproved else (member, "")
    return desk_letter(judge, row, reader, about=about, subject=subject, items=items, address=address)


def _numbered(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    """A number that somebody gave it, and that the judge gives to no other game; or the `next` one of our own rule."""
    if words.lower().split()[:1] == ["next"] and (given := _given(heard, game)) is not None:
        return given, tell("its number is {game}", game=given.number)
    try:
        number = read_number(words.split()[0] if words else "")
    except ValueError as error:
        return Refusal("no-number", f"{error}.", mend=f"zine game {game.key} number 2027AB")
    other = heard.unit.zines.numbered(str(number))
    if other is not None and other.key != game.key:
        return Refusal("number-taken", tell("{number} is the number of {other}.", number=number, other=other.name))
    keep_rule(heard.unit, rule_of(heard.unit).after(number))
    return replace(game, number=str(number)), tell("its number is {game}", game=number)


def _given(heard: HeardMail, game: ZineGameRow) -> ZineGameRow | None:
    designator = str(json.loads(game.facts).get("designator", ""))
    number = free_number(heard.unit, heard.now.year, designator)
    if number is None:
        return None
    keep_rule(heard.unit, rule_of(heard.unit).after(number))
    return _with_fact(replace(game, number=str(number)), "given", value=True)


def _over(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    """How a game elsewhere ended."""
    ended = _with_fact(replace(game, state=str(Stage.ENDED), hold_until=None), "result", words[:200] or "it ended")
    return _with_fact(ended, "ended", heard.now.date().isoformat()), tell("it is over")


def _designated(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    """Its place in the catalogue of variants: with it, it gets a Miller number."""
    try:
        return with_designator(game, words), tell(
            "its variant is {read_designator} of the catalogue", read_designator=read_designator(words)
        )
    except ValueError as error:
        return Refusal("no-designator", f"{error}.", mend=f"zine game {game.key} designator {GUNBOAT}")


def _chapter(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    chapter = chapter_at(heard.unit, row.key, int(words)) if words.isdecimal() else None
    if chapter is None:
        return Refusal(
            "no-chapter",
            tell("There is no chapter {words}.", words=words[:10]),
            mend=f"zine chapter {words[:2] or 2} games",
        )
    set_games(heard.unit, chapter, tuple(dict.fromkeys((*chapter.games, game.key))))
    return game, tell("it stands in chapter {chapter}", chapter=chapter.number)


def _when(heard: HeardMail, row: ZineRow, words: str) -> datetime | Refusal:
    found = read_moment(words, now=heard.now, zone=zone_of(heard.judge, row), default_time=None)
    return Refusal(found.reason, found.sentence) if isinstance(found, DateProblem) else found.at


def _hold(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    at = _when(heard, row, words)
    if isinstance(at, Refusal):
        return at
    return replace(game, hold_until=at), tell(
        "it is on hold until {day_words}", day_words=day_words(last_day(at, zone_of(heard.judge, row)))
    )


def _due(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    at = _when(heard, row, words)
    if isinstance(at, Refusal):
        return at
    return replace(game, due_at=at, hold_until=None), tell(
        "its results are due by {day_words}", day_words=day_words(last_day(at, zone_of(heard.judge, row)))
    )


def _goes_on(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    running = _with_fact(_with_fact(game, "result", ""), "ended", "") if game.state == Stage.ENDED else game
    return replace(running, state=str(Stage.RUNNING), hold_until=None), "it goes on"


def _season(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    return replace(game, season=words[:40]), f"its season is {words[:40]}"


def _variant(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    return _with_fact(game, "variant", words[:60]), f"its variant is {words[:60]}"


def _gunboat(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    return _with_fact(game, "gunboat", True), tell("it is a gunboat game")


def _replaced(heard: HeardMail, row: ZineRow, game: ZineGameRow, words: str) -> Done:
    """Who plays for whom now, as the next issue tells it."""
    if not words:
        line = f"zine game {game.key} replaced Italy: Ben Smith for Carl Jones"
        return Refusal("no-player", tell("Say who was replaced, and by whom."), mend=line)
    sentence = words[:200]
    changes = [*json.loads(game.facts).get("changes", ()), f"Replaced: {sentence}."]
    return _with_fact(game, "changes", changes), tell(
        "#{row} tells who was replaced: {sentence}", row=row.number + 1, sentence=sentence
    )


def _with_fact(game: ZineGameRow, name: str, value: object) -> ZineGameRow:
    return replace(game, facts=json.dumps({**json.loads(game.facts), name: value}))


SETTERS: Mapping[str, _Setter] = {
    "by": _by, "number": _numbered, "chapter": _chapter, "hold": _hold, "due": _due, "goes on": _goes_on,
    "season": _season, "variant": _variant, "gunboat": _gunboat, "designator": _designated,
    "over": _over, "replaced": _replaced,
}  # fmt: skip
"""What can be said of a game, and what does it."""


def print_news(unit: Transaction, games: Iterable[str]) -> None:
    """An issue has these games: reminders are counted from now on, and who was replaced is told."""
    for key in games:
        known = unit.zines.game(key)
        if known is None or not known.external:
            continue
        facts = json.loads(known.facts)
        left = {name: value for name, value in facts.items() if name not in ("nudged", "changes")}
        if left != facts:
            unit.zines.put_game(replace(known, facts=json.dumps(left)))


# --- reminders -------------------------------------------------------------------------------------------------------


def nudge(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine nudge HERO`: its Gamemaster is asked for results."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    key = key_of(request.words)
    game = heard.unit.zines.game(key)
    if game is None or not game.external:
        return Refusal("no-such-game", tell("Say a game that is run elsewhere."), mend="zine dashboard")
    if all(key not in chapter.games for chapter in heard.unit.zines.chapters(row.key)):
        return Refusal(
            "no-such-game",
            tell("{row} does not print {game}.", row=row.name, game=game.name),
            mend=f"zine game {key} chapter 1",
        )
    if why := _not_awaited(heard, row, game):
        return Refusal("not-late", tell("{why}, so nobody is reminded.", why=why), mend="zine dashboard")
    if nudges_of(game) >= MOST_NUDGES:
        return Refusal(
            "enough", tell("The Gamemaster of {game} was reminded twice already for this issue.", game=game.name)
        )
    member = heard.ledger.members[game.person_id or 0]
    if not remind(heard.judge, heard.unit, row, game, member, heard.now):
        return Refusal("no-gm", tell("{game} has no Gamemaster with an address.", game=game.name))
    return Decision(said=tell("{member} is asked for results of {game}.", member=member.name, game=game.name))


def _not_awaited(heard: HeardMail, row: ZineRow, game: ZineGameRow) -> str:
    """Why no results of a game are waited for; "" if they are."""
    if game.state == Stage.ENDED:
        return tell("{game} is over", game=game.name)
    if game.hold_until is not None and game.hold_until > heard.now:
        return tell(
            "{game} is on hold until {day_words}",
            game=game.name,
            day_words=day_words(last_day(game.hold_until, zone_of(heard.judge, row))),
        )
    if any(one.game == game.key for one in waiting_items(heard.unit, row.key)):
        return tell("The results of {game} are here already", game=game.name)
    return ""


def nudges_of(game: ZineGameRow) -> int:
    """How many reminders went out since the last issue."""
    return int(json.loads(game.facts).get("nudged", 0))


def may_be_reminded(game: ZineGameRow, most: int, now: datetime) -> bool:
    """Whether the clock may send another reminder: `most` are due by now, and none in the last day."""
    last = json.loads(game.facts).get("nudged_at")
    rested = last is None or now - datetime.fromisoformat(last) >= timedelta(days=1)
    return nudges_of(game) < min(most, MOST_NUDGES) and rested


def remind(judge: Judge, unit: Transaction, row: ZineRow, game: ZineGameRow, member: Member, now: datetime) -> bool:
    """One reminder to the Gamemaster of a game; False, and nothing is counted, if they have no address."""
    number = nudges_of(game) + 1
    with speak(judge.language(member.language)):
        items = (
            tell(
                "#{row} of {row2} is to be printed, and no results of {game} have come for it.",
                row=row.number + 1,
                row2=row.name,
                game=game.name,
            ),
            tell("To send them, write to me with the results below that line: report {game} Fall 1901", game=game.key),
        )
        letter = _to_gamemaster(
            judge, unit, row, member, about=f"nudge-{game.key}-{row.number + 1}-{number}",
            subject=tell("results of {game}?", game=game.name), items=items,
        )  # fmt: skip
    if not put(judge, unit, letter, now):
        return False
    unit.zines.put_game(_with_fact(_with_fact(game, "nudged", number), "nudged_at", now.isoformat()))
    return True
