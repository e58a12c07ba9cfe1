"""What if: own orders and guesses on the public position; nothing is kept."""

from judge.game.commands import OrderLine
from judge.game.refusal import Refusal
from judge.game.speculation import Speculation, speculate
from judge.testing.builders import Table


def tried(table: Table, *lines: str) -> Speculation | Refusal:
    return speculate(table.game, [OrderLine(number, text) for number, text in enumerate(lines, 1)], ("FRANCE",))


def test_own_orders_and_guesses_are_played_together(table: Table) -> None:
    found = tried(table, "A Par - Bur", "GERMANY A Mun - Bur")
    assert isinstance(found, Speculation)
    results = {outcome["order"]: outcome["results"] for outcome in found.outcome.outcomes}
    assert results["A PAR - BUR"] == ["bounced"] == results["A MUN - BUR"]


def test_orders_on_file_are_not_looked_at(table: Table) -> None:
    table.orders("GERMANY", "A Mun - Bur")
    found = tried(table, "A Par - Bur")
    assert isinstance(found, Speculation)
    assert {o["order"]: o["results"] for o in found.outcome.outcomes}["A PAR - BUR"] == ["ok"]


def test_lines_that_cannot_be_tried_are_named(table: Table) -> None:
    found = tried(table, "A Par - Bur", "A Xanadu - Mun")
    assert isinstance(found, Speculation) and found.verdicts[1].sentence
    nothing = tried(table, "hello")
    assert isinstance(nothing, Refusal) and nothing.slug == "nothing-to-try"
