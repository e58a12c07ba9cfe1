"""Proxies: who may give one, what its holder may do with it, what he never sees, and how it ends by itself."""

import pytest

from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, OrderLine, Refusal
from judge.game.core.evolve import rebuild
from judge.game.table.substitutes import GiveProxy, OrderByProxy, holds_proxy
from tests.support.builders import Table


@pytest.fixture
def proxied(table: Table) -> Table:
    """A game with proxies in which Germany holds that of France."""
    table.tell(cmd.ChangeSettings("proxy", "yes"), table.gm)
    assert isinstance(table.tell(GiveProxy("GERMANY"), table.player("FRANCE")), Decision)
    return table


def slug(result: Decision | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.slug


def for_france(*lines: str, replace: bool = False, turn: str = "") -> OrderByProxy:
    numbered = tuple(OrderLine(number, text) for number, text in enumerate(lines, 1))
    return OrderByProxy("FRANCE", numbered, replace, turn)


def on_file(table: Table) -> set[str]:
    sheet = table.game.sheets.get("FRANCE")
    return {line.order for line in sheet.lines} if sheet else set()


def test_without_the_setting_nobody_gives_a_proxy(table: Table) -> None:
    assert not table.game.settings.proxy
    assert slug(table.tell(GiveProxy("GERMANY"), table.player("FRANCE"))) == "no-proxies"


def test_a_proxy_is_given_to_another_who_plays(proxied: Table) -> None:
    france = proxied.player("FRANCE")
    assert slug(proxied.tell(GiveProxy("FRANCE"), france)) == "own-power"
    proxied.tell(cmd.Vacate("ITALY"), proxied.gm)
    assert slug(proxied.tell(GiveProxy("ITALY"), france)) == "vacant"
    assert slug(proxied.tell(GiveProxy("ITALY"), proxied.gm)) == "no-seat"


def test_its_holder_files_under_his_own_name_and_nobody_else_may(proxied: Table) -> None:
    proxied.tell(for_france("A Par - Bur"), proxied.player("GERMANY"))
    [filed] = proxied.last
    assert isinstance(filed, ev.OrdersFiled)
    assert (filed.power, filed.by) == ("FRANCE", proxied.player("GERMANY").seat)
    assert slug(proxied.tell(for_france("A Mar H"), proxied.player("ITALY"))) == "no-proxy"
    assert on_file(proxied) == {"A PAR - BUR"}


def test_the_last_that_names_a_unit_counts(proxied: Table) -> None:
    proxied.orders("FRANCE", "A Par - Pic", "A Mar - Spa")
    proxied.tell(for_france("A Par - Bur"), proxied.player("GERMANY"))
    assert on_file(proxied) == {"A PAR - BUR", "A MAR - SPA"}
    proxied.orders("FRANCE", "A Par - Gas")
    assert on_file(proxied) == {"A PAR - GAS", "A MAR - SPA"}


def test_what_is_on_file_does_not_show_in_the_answer(proxied: Table) -> None:
    germany = proxied.player("GERMANY")
    before = proxied.tell(for_france("all others hold"), germany)
    proxied.orders("FRANCE", "A Par - Pic", "A Mar - Spa")
    after = proxied.tell(for_france("all others hold"), germany)
    assert isinstance(before, Decision) and isinstance(after, Decision)
    assert (before.verdicts, before.said) == (after.verdicts, after.said)
    assert on_file(proxied) == {"A PAR - PIC", "A MAR - SPA", "F BRE H"}


def test_the_same_order_as_the_owners_is_answered_like_any_other(proxied: Table) -> None:
    germany = proxied.player("GERMANY")
    fresh = proxied.tell(for_france("A Par - Pic"), germany)
    same = proxied.tell(for_france("A Par - Pic"), germany)
    assert fresh.said == same.said  # type: ignore[union-attr]


def test_his_slips_are_no_faults_of_the_owner(proxied: Table) -> None:
    germany = proxied.player("GERMANY")
    answer = proxied.tell(for_france("A Par - Moon"), germany)
    assert isinstance(answer, Decision) and not answer.events
    proxied.tell(for_france("A Par - Moon", "A Mar - Spa"), germany)
    assert proxied.game.sheets["FRANCE"].faults == ()


def test_it_is_for_the_present_phase_alone(proxied: Table) -> None:
    germany = proxied.player("GERMANY")
    assert slug(proxied.tell(for_france("A Par - Bur", turn="F1901M"), germany)) == "wrong-phase"
    proxied.process()
    assert slug(proxied.tell(for_france("A Par - Bur"), germany)) == "no-proxy"


def test_its_giver_takes_it_back(proxied: Table) -> None:
    france = proxied.player("FRANCE")
    proxied.tell(for_france("A Par - Bur"), proxied.player("GERMANY"))
    assert isinstance(proxied.tell(GiveProxy(), france), Decision)
    assert slug(proxied.tell(for_france("A Mar H"), proxied.player("GERMANY"))) == "no-proxy"
    assert on_file(proxied) == {"A PAR - BUR"}
    assert slug(proxied.tell(GiveProxy(), france)) == "no-proxy"


@pytest.mark.parametrize("power", ["FRANCE", "GERMANY"])
def test_it_ends_with_the_tenure_of_either(proxied: Table, power: str) -> None:
    proxied.tell(cmd.Assign(power, 8), proxied.gm)
    assert not holds_proxy(proxied.game, proxied.player("GERMANY"), "FRANCE")


def test_it_ends_when_the_house_rule_does(proxied: Table) -> None:
    proxied.tell(cmd.ChangeSettings("proxy", "no"), proxied.gm)
    assert slug(proxied.tell(for_france("A Par - Bur"), proxied.player("GERMANY"))) == "no-proxy"


def test_frozen_orders_are_frozen_for_the_holder_too(proxied: Table) -> None:
    proxied.tell(cmd.ChangeSettings("freeze_others", "yes"), proxied.gm)
    proxied.orders("FRANCE", "A Par H", "A Mar H", "F Bre H")
    assert proxied.game.deadline is not None
    proxied.tick(proxied.game.deadline.at)
    assert slug(proxied.tell(for_france("A Par - Bur"), proxied.player("GERMANY"))) == "frozen"


def test_the_events_alone_rebuild_it(proxied: Table) -> None:
    rebuilt = rebuild(proxied.events, proxied.systems)
    assert rebuilt.seats == proxied.game.seats
    assert holds_proxy(rebuilt, proxied.player("GERMANY"), "FRANCE")
