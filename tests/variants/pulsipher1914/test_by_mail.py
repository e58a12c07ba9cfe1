"""Games of 1914 that robots play by mail, with business of every kind; and what holds in each phase of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from judge.adjudicate import adjudicate
from judge.board.phase import ADJUSTMENTS
from judge.daemon.robots import think_of_business, think_of_turn, write
from judge.game.core import events as ev
from judge.game.core.model import Running, Stage
from judge.game.filing.standing import told_of
from judge.game.filing.submitting import deeds_from_json
from judge.history import played_phase
from judge.report.played.results import counting
from judge.rules.business import Deed
from judge.service.core.keeper import thaw_all
from judge.service.upkeep.moving import drift_of
from judge.testing.casting import scenery_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import read_transcript
from judge.testing.under_test import as_answer
from judge.variants.pulsipher1914.state import GREATS, MINORS, CountryState
from tests.variants.pulsipher1914.test_laws import check_board, check_season, check_winter

SCENE = """now 1913-12-01T12:00Z
game war   preset 1914   deadline 1913-12-08T12:00Z   end_after {end}
"""


def some_business(game: Running, power: str, chance: Random) -> list[str]:
    """What a robot tries, and some other lines that its power could send."""
    business = game.rules.business()
    lines = [line for one in business.values() if one.example and (line := one.example(game.position, power))]
    found = think_of_business(game, power)
    for line in chance.sample(lines, min(3, len(lines))):
        word = next(each for each in business if line.startswith(f"{each} "))
        deed = Deed(power, word, tuple(line[len(word) :].split()))
        if word != "capital" and not business[word].fault(game.position, deed):
            found.append(line)
    return found


def everybody_writes(under_test: LocalJudge, game: Running, chance: Random) -> None:
    """A mail of each player, for their own units and those of the minor countries that they lead."""
    for seat in game.active_seats:
        lines: list[str] = []
        for power in seat.powers:
            text = write(think_of_turn(game, power, chance), game.board, chance)
            lines += ["", f"for {game.board.powers[power].name}:", text] if len(seat.powers) > 1 else [text]
        lines += ["", f"for {game.board.powers[seat.powers[0]].name}:"] if len(seat.powers) > 1 else []
        lines += some_business(game, seat.powers[0], chance)
        letter = under_test.inbox(f"{seat.powers[0].lower()}@players.test")[-1]
        under_test.perform(as_answer([], letter), "\n".join(lines), to=letter.reply_to)


def check_secrets(game: Running, letters: list[tuple[str, str]]) -> None:
    """Nobody reads a line of somebody else's business before its phase is played, but for whom it is told."""
    for power, deeds in game.deeds.items():
        for deed in deeds:
            told = {power, *told_of(game, deed)}
            readers = {seat.powers[0] for seat in game.active_seats if told & set(seat.powers)}
            for to, text in letters:
                reader = to.partition("@")[0].upper()
                if reader in GREATS and reader not in readers:
                    others = [str(each) for each in game.deeds.get(reader, ())]
                    assert str(deed) not in text or str(deed) in others, (to, str(deed))


def check_log(under_test: LocalJudge, game: Running) -> int:
    """Each phase of the log obeys the laws, and the same comes out when it is adjudicated again."""
    with under_test.judge.store.read() as view:
        events = thaw_all(view.events.load("war"))
    assert drift_of(events, game) == ()
    phases = 0
    for event in counting(events, game.calendar):
        if not isinstance(event, ev.PhaseAdjudicated):
            continue
        phases += 1
        played = played_phase(event, game.board)
        fit = game.rules.kinds().standing_in(played.phase.kind)
        given = [one.order for one in played.results if one.given and isinstance(one.order, fit)]
        result = adjudicate(played.before, given, game.rules, deeds=deeds_from_json(event.deeds))
        check_board(result)
        if played.phase.kind is ADJUSTMENTS:
            check_winter(result, [])
            check_control(CountryState(played.before), CountryState(played.after), played.before.phase.year)
        else:
            check_season(result)
    return phases


def check_control(before: CountryState, after: CountryState, year: int) -> None:
    """Nobody leads a minor country that had not the factors for it, together with who helped."""
    for minor in MINORS:
        player = after.controller(minor)
        if not player or before.controller(minor) == player:
            continue
        helped = after.get(minor, "partner")
        both = sum(after.factors(each, minor) for each in (player, helped) if each)
        others = [after.factors(each, minor) for each in GREATS if each not in (player, helped)]
        assert both >= before.level(minor, year) + max(others), minor
        assert MINORS[minor].barred != player


def play(folder: Path, end: str, seed: str) -> int:
    """A game to its end; how many phases were played."""
    chance = Random(seed)
    scenery, _ = scenery_of(read_transcript(SCENE.format(end=end), "robots"))
    under_test = LocalJudge(folder, start=scenery.now)
    try:
        scenery.build(under_test)
        under_test.begin()
        game = under_test.game("war")
        while isinstance(game, Running) and game.stage is Stage.RUNNING:
            seen, phase = len(under_test.everything()), game.phase
            everybody_writes(under_test, game, chance)
            game = under_test.game("war")
            if isinstance(game, Running) and game.phase == phase:
                new = under_test.everything()[seen:]
                check_secrets(game, [(letter.to, "\n".join(letter.lines)) for letter in new])
            assert game.deadline is not None
            under_test.advance(to=game.deadline.at, until=lambda: under_test.game("war").phase != phase)  # noqa: B023
            game = under_test.game("war")
        return check_log(under_test, game)  # type: ignore[arg-type]
    finally:
        under_test.close()


def test_robots_play_a_year_by_mail(tmp_path: Path) -> None:
    assert play(tmp_path, "F1914", "by mail") >= 4


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_robots_play_by_mail_to_the_end(tmp_path: Path, seed: int) -> None:
    assert play(tmp_path, "F1921", f"to the end {seed}") > 5
