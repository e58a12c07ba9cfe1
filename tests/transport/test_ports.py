"""What wires and judge agree on: trouble has one name, and nobody is not the same as unknown."""

from concurrent.futures import Future

import pytest

from judge.transport.ports import Arrival, TemporaryTrouble, known_sender, store_all
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE


def arrival(key: str) -> Arrival:
    return Arrival(b"", "smtp", key, "", (), MOMENT, "")


@pytest.mark.parametrize(
    ("source", "mail_from", "known"),
    [
        ("smtp", "", ""),
        ("lmtp", "", ""),
        ("imap:main", "", None),
        ("maildir", "", None),
        ("pipe", "", None),
        ("pipe", "anna@x.test", "anna@x.test"),
    ],
)
def test_only_a_wire_with_a_dialogue_knows_the_null_sender(source: str, mail_from: str, known: str | None) -> None:
    assert known_sender(source, mail_from) == known


def test_every_mail_has_a_verdict_of_its_own() -> None:
    tray = Tray()
    tray.trouble_for = lambda mail: mail.transport_key == "b"
    verdicts = store_all(tray, [arrival(key) for key in "abc"])
    assert [type(verdict) for verdict in verdicts] == [bool, TemporaryTrouble, bool]
    assert [mail.transport_key for mail in tray.arrivals] == ["a", "c"]


def test_a_key_that_was_taken_before_is_told_apart() -> None:
    assert store_all(Tray(), [arrival(key) for key in "aba"]) == [True, True, False]


def test_all_mails_are_begun_before_the_first_is_waited_for() -> None:
    class Group(Tray):
        """Commits when the third mail has come."""

        def __init__(self) -> None:
            super().__init__()
            self.futures: list[Future[bool]] = []

        def take(self, mail: Arrival, /) -> Future[bool]:  # type: ignore[override]  # as the protocol allows
            self.futures.append(Future())
            if len(self.futures) == 3:
                for future in self.futures:
                    future.set_result(True)
            return self.futures[-1]

    assert store_all(Group(), [arrival(key) for key in "abc"], timeout=PATIENCE) == [True, True, True]


@pytest.mark.parametrize("how", ["raised", "set"])
def test_any_exception_is_temporary_trouble_without_details(how: str) -> None:
    class Broken(Tray):
        def take(self, mail: Arrival, /) -> Future[bool]:  # type: ignore[override]  # as the protocol allows
            if how == "raised":
                raise RuntimeError("secret")
            future: Future[bool] = Future()
            future.set_exception(RuntimeError("secret"))
            return future

    (trouble,) = store_all(Broken(), [arrival("a")])
    assert isinstance(trouble, TemporaryTrouble) and "secret" not in str(trouble)


def test_a_store_that_never_answers_is_trouble() -> None:
    class Mute(Tray):
        def take(self, mail: Arrival, /) -> Future[bool]:  # type: ignore[override]  # as the protocol allows
            return Future()

    (trouble,) = store_all(Mute(), [arrival("a")], timeout=0.01)
    assert isinstance(trouble, TemporaryTrouble)
