"""What if: own orders and guesses on the public position; nothing is kept."""

from judge.game.core.commands import OrderLine, Refusal
from judge.game.table.speculation import Speculation, speculate
from judge.history import played_phase
from tests.support.builders import Table


def tried(table: Table, *lines: str) -> Speculation | Refusal:
    return speculate(table.game, [OrderLine(number, text) for number, text in enumerate(lines, 1)], ("FRANCE",))


def ends(table: Table, found: Speculation) -> dict[str, list[str]]:
    results = played_phase(found.outcome, table.game.board).results
    return {str(result.order): [str(word) for word in result.results] for result in results}


def test_own_orders_and_guesses_are_played_together(table: Table) -> None:
    found = tried(table, "A Par - Bur", "GERMANY A Mun - Bur")
    assert isinstance(found, Speculation)
    results = ends(table, found)
    assert results["A PAR - BUR"] == ["bounced"] == results["A MUN - BUR"]


def test_orders_on_file_are_not_looked_at(table: Table) -> None:
    table.orders("GERMANY", "A Mun - Bur")
    found = tried(table, "A Par - Bur")
    assert isinstance(found, Speculation)
    assert ends(table, found)["A PAR - BUR"] == ["ok"]


def test_lines_that_cannot_be_tried_are_named(table: Table) -> None:
    found = tried(table, "A Par - Bur", "A Xanadu - Mun")
    assert isinstance(found, Speculation) and found.verdicts[1].sentence
    nothing = tried(table, "hello")
    assert isinstance(nothing, Refusal) and nothing.slug == "nothing-to-try"
