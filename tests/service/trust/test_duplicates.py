"""One mail acts once, whatever its routes; arrival decides what is in force, and who was overtaken is told."""

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import RawMail, build, resent
from tests.service.conftest import filed, last_mail

FRANCE = player_of("FRANCE")


def orders(stage: LocalJudge, text: str, *, written: str = "", message_id: str = "<one@players.test>") -> RawMail:
    """A mail of France's as it comes off the wire."""
    headers = [("From", FRANCE), ("Subject", "baltic"), ("Message-ID", message_id)]
    headers += [("Date", written)] if written else []
    return build(headers, text, now=stage.now, number=1, to=stage.address, vouched=True)


def test_the_same_mail_by_two_routes_acts_once(table: LocalJudge) -> None:
    mail = orders(table, "A Par - Bur")
    table.offer(mail)
    before = len(table.inbox(FRANCE))
    table.offer(resent(mail, by="mx2.judge.test"))
    assert last_mail(table).state == "duplicate" and last_mail(table).first_id == 1
    assert (len(table.inbox(FRANCE)), table.game("baltic").sheets["FRANCE"].number) == (before, 1)


def test_a_message_id_with_other_words_is_a_new_mail_and_flagged(table: LocalJudge) -> None:
    table.offer(orders(table, "A Par - Bur"))
    table.offer(orders(table, "A Par - Pic"))
    assert filed(table, "FRANCE") == ["A PAR - PIC"]
    assert "bears the Message-ID of mail 1" in " ".join(table.inbox(FRANCE)[-1].text.split())


def test_an_older_mail_that_comes_later_counts_and_its_author_is_warned(table: LocalJudge) -> None:
    table.offer(orders(table, "A Par - Bur", written="Fri, 01 Mar 1901 11:50:00 +0000"))
    late = orders(table, "A Par - Pic", written="Fri, 01 Mar 1901 11:40:00 +0000", message_id="<two@players.test>")
    table.offer(late)
    text = " ".join(table.inbox(FRANCE)[-1].text.split())
    assert filed(table, "FRANCE") == ["A PAR - PIC"]
    assert "before the mail that filed set 1" in text and "set 2 is in force" in text


def test_the_warning_survives_a_restart(table: LocalJudge) -> None:
    table.offer(orders(table, "A Par - Bur", written="Fri, 01 Mar 1901 11:50:00 +0000"))
    table.restart()
    late = orders(table, "A Par - Pic", written="Fri, 01 Mar 1901 13:40:00 +0200", message_id="<two@players.test>")
    table.offer(late)
    assert "before the mail that filed set 1" in " ".join(table.inbox(FRANCE)[-1].text.split())


def test_mails_in_their_order_are_not_warned_of(table: LocalJudge) -> None:
    table.offer(orders(table, "A Par - Bur", written="Fri, 01 Mar 1901 11:50:00 +0000"))
    table.offer(
        orders(table, "A Par - Pic", written="Fri, 01 Mar 1901 13:51:00 +0200", message_id="<two@players.test>")
    )
    assert "You wrote this at" not in table.inbox(FRANCE)[-1].text
