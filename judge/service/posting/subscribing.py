"""Ending a subscription by its own address: every letter to a subscriber carries one in List-Unsubscribe.

The token names person and topic, so that nothing has to be kept for it; whoever can write to it has read a letter
that we sent to that subscriber. It ends this one subscription and proves nothing else. Where the judge has an HTTP
address, one click does the same (RFC 8058): the click becomes a mail to that token, written by ourselves, and goes the
way of all mail.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from concurrent.futures import Future

from judge.languages import tell
from judge.mail.tokens import Purpose, mint, read_token
from judge.report.core.letter import Kind
from judge.service.core.directory import topic_of
from judge.service.core.errands import Errand, find
from judge.service.core.house import House, topic_of_list
from judge.service.posting.outgoing import CONFIRM, OPENINGS, QUEUE
from judge.store import Transaction, View
from judge.store.rows import LetterRow, Subscription
from judge.transport.ports import Accept, Arrival

_NEWS = (Kind.INVITATION, Kind.VACANCY)
"""Letters to those who wish to hear of games, and to those who wait for one."""

DIGEST = "digest"
"""The topic of those who wish one letter now and then about all the games that they observe."""


def ways_out(house: House, view: View, letter: LetterRow) -> tuple[str, str]:
    """(address, link) that end the subscription which a letter came by, each "" where there is none.

    Onlookers can leave; whoever holds a seat cannot leave their game by a click. Whoever is invited asks for no more
    invitations so.
    """
    config, secret = house.config, house.store.secret
    reference = _ticket(letter) or _subscribed(view, letter, secret)
    if not reference:
        return "", ""
    token = mint(Purpose.UNSUBSCRIBE, reference, secret)
    link = f"{config.http_url}/u/{token}" if config.http_url else ""
    return f"{config.local_part}+{token}@{config.domain}", link


def _ticket(letter: LetterRow) -> str:
    """The ticket of an invitation, which stands for its address; "" for any other letter."""
    if letter.kind != Kind.INVITATION:
        return ""
    reply_as = str(json.loads(letter.view).get("reply_as", ""))
    return reply_as.removeprefix(CONFIRM) if reply_as.startswith(CONFIRM) else ""


def _subscribed(view: View, letter: LetterRow, secret: bytes) -> str:
    """Names the subscription by which a letter came, "" if it came by none."""
    if letter.seat or not letter.person_id or not (letter.game or letter.kind == Kind.DIGEST):
        return ""
    topics = [row.topic for row in view.lists.subscriptions(letter.person_id)]
    wanted = [topic_of_list(letter.game or "") or (topic_of(letter.game) if letter.game else DIGEST)]
    if letter.kind in _NEWS:
        wanted = [OPENINGS, *(topic for topic in topics if topic.startswith(QUEUE)), *wanted]
    topic = next((topic for topic in wanted if topic in topics), "")
    return _reference(letter.person_id, topic, secret) if topic else ""


def invitation_of(view: View | Transaction, reference: str) -> Errand | None:
    """The invitation that a token names, if it is remembered."""
    errand = find(view, reference)
    return errand if errand is not None and errand.do == Kind.INVITATION else None


class OneClick:
    """What the HTTP listener asks; see `judge.transport.http_in.Wishes`."""

    def __init__(self, house: House, accept: Accept) -> None:
        self._house = house
        self._accept = accept

    def wish(self, token: str, /) -> Future[bool] | bool | None:
        """Put the wish into the inbox, if the token is genuine and there is a subscription for it to end.

        The wish is known by the subscription that it ends, down to its beginning: a hundred clicks are one mail, and
        whoever subscribes again can leave again. Raises StoreTrouble.
        """
        house = self._house
        found = read_token(token, house.store.secret)
        if found is None or found.purpose is not Purpose.UNSUBSCRIBE:
            return None
        with house.store.read() as view:
            known = _known(view, found.reference, house.store.secret)
        if not known:
            return None
        return self._accept.take(
            Arrival(
                raw=b"Subject: unsubscribe\r\n\r\nOne click on the link in a letter's List-Unsubscribe.\r\n",
                source="http",
                transport_key=f"http:{known}",
                mail_from="",
                rcpt_to=(f"{house.config.local_part}+{token}@{house.config.domain}",),
                received_at=house.clock.now(),
                peer="",
            )
        )


def _known(view: View, reference: str, secret: bytes) -> str:
    """What a token ends, down to its beginning; "" if there is nothing for it to end."""
    if (errand := invitation_of(view, reference)) is not None:
        return f"{errand.do}:{errand.key}:{len(errand.facts['sent'])}"
    rows = subscription_of(view, reference, secret)
    return "".join(f"{row.person_id}:{row.topic}:{row.since.isoformat()}" for row in rows)


def letters_of(topic: str) -> str:
    """What a subscriber gets, as the end of a sentence that begins with "no more"."""
    if topic == OPENINGS:
        return tell("news of games that look for players")
    if topic.startswith(QUEUE):
        return tell("news of games, and wait for one no longer")
    return "digests" if topic == DIGEST else tell("letters about {partition}", partition=topic.partition(":")[2])


def subscription_of(view: View, reference: str, secret: bytes) -> list[Subscription]:
    """The subscription that a token names, if there still is one."""
    person = int(reference[:8], 16)
    rows = view.lists.subscriptions(person)
    return [row for row in rows if hmac.compare_digest(_reference(person, row.topic, secret), reference)][:1]


def _reference(person: int, topic: str, secret: bytes) -> str:
    """Eight hex digits of the person, eight of the topic."""
    mark = hmac.digest(secret, f"subscription\0{person}\0{topic}".encode(), hashlib.sha256).hex()[:8]
    return f"{person:08x}{mark}"
