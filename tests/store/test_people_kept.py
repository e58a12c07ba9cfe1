"""Persons, their addresses and secrets, the lists they stand on, and the limits of what we send to an address."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from judge.store import NoSuchRow, Store, Transaction
from judge.store.people import check_password, hash_password
from judge.store.rows import SeatRow
from tests.support.stores import NOON

DAY = timedelta(days=1)
TODAY = date(2026, 3, 1)


def add(unit: Transaction, name: str = "Ada", address: str = "ada@players.test") -> int:
    """A person with a proved address of record."""
    person = unit.people.add(name, zone="Europe/Berlin", check_phrase="copper heron 41", now=NOON)
    assert unit.people.add_address(person.id, address, NOON, verified=True, primary=True)
    return person.id


class TestPersons:
    def test_a_person_is_known_by_any_address_domain_in_any_case(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            unit.people.add_address(ada, "ada@WORK.test", NOON)
            found = unit.people.by_address("ada@work.TEST")
            assert found is not None and found.id == ada
            assert unit.people.by_address("ada@work.test", verified=True) is None
            assert unit.people.by_address("nobody@players.test") is None
            assert unit.people.count() == 1

    def test_mail_programs_write_the_local_part_in_any_case(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            found = unit.people.by_address("Ada@players.test", verified=True)
            assert found is not None and found.id == ada
            unit.people.bounced("ADA@players.test", NOON, hard=True)
            kept = unit.people.address("aDa@players.test")
            assert kept is not None and (kept.address, kept.bounce_hard) == ("ada@players.test", 1)

    def test_where_two_differ_in_case_alone_only_the_exact_one_is_meant(self, store: Store) -> None:
        with store.write() as unit:
            ada, bob = add(unit), add(unit, "Bob", "ADA@players.test")
            for address, owner in (("ada@players.test", ada), ("ADA@players.test", bob)):
                found = unit.people.by_address(address)
                assert found is not None and found.id == owner
            assert unit.people.by_address("Ada@players.test") is None

    def test_an_address_belongs_to_one_person(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            bob = add(unit, "Bob", "bob@players.test")
            assert not unit.people.add_address(bob, "ada@players.test", NOON)
            owner = unit.people.by_address("ada@players.test")
            assert owner is not None and owner.id == ada

    def test_an_address_is_proved_later(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            unit.people.add_address(ada, "ada@work.test", NOON)
            assert unit.people.verify("ada@work.test", NOON + DAY)
            proved = unit.people.address("ada@work.test")
            assert proved is not None and proved.verified_at == NOON + DAY
            assert not unit.people.verify("stranger@work.test", NOON)

    def test_there_is_one_address_of_record_and_it_comes_first(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            unit.people.add_address(ada, "ada@work.test", NOON + DAY, verified=True, primary=True)
            listed = [(each.address, each.primary) for each in unit.people.addresses(ada)]
            assert listed == [("ada@work.test", True), ("ada@players.test", False)]
            with pytest.raises(NoSuchRow):
                unit.people.make_primary("nobody@players.test")
            assert unit.people.remove_address("ada@work.test")
            assert not unit.people.remove_address("ada@work.test")

    def test_facts_change(self, store: Store) -> None:
        with store.write() as unit:
            ada = unit.people.get(add(unit))
            unit.people.save(replace(ada, name="Ada L.", zone="UTC"))
            assert [each.name for each in unit.people.list()] == ["Ada L."]
            with pytest.raises(NoSuchRow):
                unit.people.save(replace(ada, id=99))

    def test_an_erased_person_leaves_the_seat_and_nothing_else(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            unit.people.set_secret(ada, "password", "hash", NOON)
            unit.lists.subscribe(ada, "openings", NOON)
            unit.games.put_seat(SeatRow("g17", "france", "nonce", NOON, ada))
            unit.people.erase(ada)
        with store.read() as view:
            seat = view.games.seat("g17", "france")
            assert seat is not None and seat.person_id is None
            assert view.people.by_address("ada@players.test") is None
            assert view.people.secret(ada, "password") is None
            assert view.lists.subscribers("openings") == ()


class TestBounces:
    def test_bounces_are_counted_by_kind_until_a_sign_of_life(self, store: Store) -> None:
        with store.write() as unit:
            add(unit)
            unit.people.bounced("ada@players.test", NOON, hard=False)
            counted = unit.people.bounced("ada@players.test", NOON + DAY, hard=True)
            assert counted is not None
            assert (counted.bounce_soft, counted.bounce_hard, counted.bounced_at) == (1, 1, NOON + DAY)
            assert unit.people.suspend("ada@players.test", NOON + DAY)
            unit.people.delivered("ada@players.test")
            well = unit.people.address("ada@players.test")
            assert well is not None and (well.bounce_soft, well.bounce_hard, well.suspended_at) == (0, 0, None)

    def test_a_bounce_of_an_unknown_address_is_nobodys(self, store: Store) -> None:
        with store.write() as unit:
            assert unit.people.bounced("gone@players.test", NOON, hard=True) is None


class TestSecrets:
    def test_a_secret_is_replaced_and_forgotten(self, store: Store) -> None:
        with store.write() as unit:
            ada = add(unit)
            unit.people.set_secret(ada, "password", "one", NOON)
            unit.people.set_secret(ada, "password", "two", NOON)
            assert unit.people.secret(ada, "password") == "two"
            assert unit.people.drop_secret(ada, "password")
            assert not unit.people.drop_secret(ada, "password")
            assert unit.people.secret(ada, "password") is None

    def test_a_password_is_kept_as_a_hash_only(self) -> None:
        kept = hash_password("copper heron", salt=bytes(range(16)))
        assert "copper" not in kept
        assert check_password("copper heron", kept)
        assert not check_password("copper herring", kept)
        assert kept != hash_password("copper heron", salt=bytes(range(1, 17)))

    @pytest.mark.parametrize("kept", ["", "plain", "md5$1$1$1$AA$AA", "scrypt$x$8$1$AA$AA", "scrypt$3$8$1$AA$AA"])
    def test_a_text_that_is_no_hash_fits_no_password(self, kept: str) -> None:
        assert not check_password("anything", kept)

    def test_a_short_salt_is_a_mistake_of_ours(self) -> None:
        with pytest.raises(ValueError, match="16 bytes"):
            hash_password("copper heron", salt=b"short")


class TestLists:
    def test_subscriptions_by_topic_and_by_person(self, store: Store) -> None:
        with store.write() as unit:
            ada, bob = add(unit), add(unit, "Bob", "bob@players.test")
            unit.lists.subscribe(bob, "openings", NOON)
            unit.lists.subscribe(ada, "openings", NOON + DAY, options='{"format": "text"}')
            unit.lists.subscribe(ada, "game/g17", NOON)
            assert [each.person_id for each in unit.lists.subscribers("openings")] == [bob, ada]
            assert [each.topic for each in unit.lists.subscriptions(ada)] == ["game/g17", "openings"]
            assert unit.lists.unsubscribe(ada, "openings")
            assert not unit.lists.unsubscribe(ada, "openings")

    def test_a_games_own_standbys_come_before_those_for_any_game(self, store: Store) -> None:
        with store.write() as unit:
            ada, bob = add(unit), add(unit, "Bob", "bob@players.test")
            unit.lists.stand_by(ada, NOON)
            unit.lists.stand_by(bob, NOON + DAY, game="g17")
            unit.lists.stand_by(bob, NOON, game="g18")
            assert [each.person_id for each in unit.lists.standbys("g17")] == [bob, ada]
            assert unit.lists.stand_down(ada)
            assert not unit.lists.stand_down(ada, game="g17")


class TestContacts:
    def test_the_limit_holds_per_address_kind_and_day(self, store: Store) -> None:
        with store.write() as unit:
            allowed = [unit.contacts.allow("x@strange.test", "help", TODAY, 2) for _ in range(4)]
            assert allowed == [True, True, False, False]
            assert unit.contacts.count("x@STRANGE.test", "help", TODAY) == 2
            assert unit.contacts.allow("y@strange.test", "help", TODAY, 2)
            assert unit.contacts.allow("x@strange.test", "confirm", TODAY, 2)
            assert unit.contacts.allow("x@strange.test", "help", TODAY + DAY, 2)
            assert not unit.contacts.allow("z@strange.test", "help", TODAY, 0)
            assert unit.contacts.forget_counts(TODAY + DAY) == 3

    def test_we_remember_when_somebody_wrote(self, store: Store) -> None:
        with store.write() as unit:
            assert unit.contacts.get("x@strange.test") is None
            unit.contacts.heard("x@strange.test", NOON)
            unit.contacts.heard("x@strange.test", NOON + DAY)
            known = unit.contacts.get("x@STRANGE.test")
            assert known is not None
            assert (known.first_at, known.last_at) == (NOON, NOON + DAY)
