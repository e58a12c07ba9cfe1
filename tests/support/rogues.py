"""Players with bad manners: robots that play sensibly and mail terribly, for soaks.

    for errand in misbehave(desk): ...      # the mails that one player means to send in one turn

Each habit is a function from a player's desk to mails with the time at which they are brought; the same `Random` gives
the same mails. A mail that is `sure` carries a complete set in plain words with proof: whoever's sure mail has arrived
in time may not be called late.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from judge.daemon.robots import think, write
from judge.game.core.model import Game
from judge.orders.model import Order
from judge.testing.transcript import ReceivedLetter

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Errand:
    """A mail that somebody means to send. `after`: how long from now; `copies`: so many times, the same bytes."""

    after: timedelta
    headers: Headers
    body: str
    to: str
    vouched: bool = True
    copies: int = 1
    sure: str = ""
    """The power for which a complete set is in it, beyond doubt."""
    undoes: bool = False
    """Whether it may take back what a sure mail gave."""
    dated: timedelta = timedelta()
    """What its Date adds to the moment of sending."""


@dataclass(frozen=True)
class Desk:
    """What a player has before him: his letters, the position, the time that is left until the deadline."""

    game: Game
    power: str
    address: str
    home: str
    """The judge's own address."""
    left: timedelta
    chance: Random
    letter: ReceivedLetter | None = None
    """The last letter that he had about this game."""
    old_address: str = ""
    """The token address of a former tenure, his own or another's."""
    other_game: str = ""
    return_path: str = ""
    """The envelope sender of the last letter to him."""

    @property
    def to(self) -> str:
        """Where he writes: mostly to the address that the last letter asks for."""
        plain = f"{self.home.replace('@', f'+{self.game.key}@')}"
        return self.letter.reply_to if self.letter is not None and self.chance.random() < 0.8 else plain

    @property
    def orders(self) -> list[Order]:
        """Sensible orders for this phase."""
        assert self.game.position is not None
        return think(self.game.position, self.power, self.game.rules, self.chance)

    def when(self, earliest: float = 0.05, latest: float = 0.9) -> timedelta:
        """A moment in this share of the time that is left."""
        return self.left * self.chance.uniform(earliest, latest)

    def mail(self, body: str, after: timedelta, *more: tuple[str, str], subject: str = "") -> Errand:
        """An ordinary mail of his."""
        heads = (("From", self.address), ("Subject", subject or f"Re: [{self.game.key}] my orders"), *more)
        return Errand(after, heads, body, self.to)


Habit = Callable[[Desk], Iterator[Errand]]


def misbehave(desk: Desk) -> Iterator[Errand]:
    """Everything that one player sends in one turn: orders in one way or another, and now and then more."""
    chance = desk.chance
    if desk.orders:
        yield from chance.choices(list(ORDERING), weights=list(ORDERING.values()))[0](desk)
    for habit, likelihood in ASIDES.items():
        if chance.random() < likelihood:
            yield from habit(desk)


# --- ways of ordering ---------------------------------------------------------------------------------------------


def neat(desk: Desk) -> Iterator[Errand]:
    """As one should."""
    yield _sure(desk, desk.when())


def handwritten(desk: Desk) -> Iterator[Errand]:
    """As people write, slips included."""
    yield desk.mail(write(desk.orders, desk.game.board, desk.chance), desk.when())


def late(desk: Desk) -> Iterator[Errand]:
    """After the deadline."""
    yield _sure(desk, desk.left + timedelta(minutes=desk.chance.randrange(1, 1200)))


def never(desk: Desk) -> Iterator[Errand]:
    """Not at all."""
    yield from ()


def twice(desk: Desk) -> Iterator[Errand]:
    """The same bytes two or three times."""
    yield replace(_sure(desk, desk.when()), copies=desk.chance.choice((2, 3)))


def same_name(desk: Desk) -> Iterator[Errand]:
    """Two different mails under one Message-ID."""
    name = ("Message-ID", f"<same.{desk.chance.randrange(10**9)}@players.test>")
    first = _sure(desk, desk.when(0.05, 0.4))
    second = _sure(desk, desk.when(0.5, 0.9))
    for errand in (first, second):
        yield replace(errand, headers=(*errand.headers, name))


def html_only(desk: Desk) -> Iterator[Errand]:
    """No plain text, as some web mailers send it."""
    rows = "".join(f"<div dir=ltr>{order}<br></div>" for order in desk.orders)
    body = f"<html><head><style>p {{color: red}}</style></head><body>{rows}<p>&nbsp;</p></body></html>"
    yield replace(desk.mail(body, desk.when(), ("Content-Type", "text/html; charset=utf-8")), sure=desk.power)


def encoded(desk: Desk) -> Iterator[Errand]:
    """Base64 or quoted-printable, in a charset of the old days."""
    charset = desk.chance.choice(("utf-8", "utf-16", "iso-8859-15", "koi8-r", "windows-1252", "us-ascii", "utf-7"))
    octets = _lines(desk.orders).encode(charset)
    if charset != "utf-16" and desk.chance.random() < 0.5:
        coding, body = "quoted-printable", quopri.encodestring(octets).decode("ascii")
    else:
        coding, body = "base64", base64.encodebytes(octets).decode("ascii")
    kind = ("Content-Type", f"text/plain; charset={charset}")
    yield replace(desk.mail(body, desk.when(), kind, ("Content-Transfer-Encoding", coding)), sure=desk.power)


def top_posted(desk: Desk) -> Iterator[Errand]:
    """Above the whole letter that he answers, form and all."""
    if desk.letter is None:
        return
    quoted = "\n".join(f"> {line}" for line in desk.letter.lines)
    body = f"{_lines(desk.orders)}\n\nOn Mon, 1 Jan 1901 the judge wrote:\n{quoted}\n"
    errand = desk.mail(body, desk.when(), ("In-Reply-To", desk.letter.message_id))
    yield replace(errand, to=desk.letter.reply_to, headers=(*errand.headers, ("References", desk.letter.message_id)))


def overtaking(desk: Desk) -> Iterator[Errand]:
    """The mail that was written first comes last."""
    first = desk.when(0.05, 0.5)
    yield _sure(desk, first)
    yield replace(_sure(desk, first + desk.left * 0.2), dated=-desk.left)


def piecemeal(desk: Desk) -> Iterator[Errand]:
    """One unit after the other, and second thoughts."""
    for share, order in enumerate(desk.orders, start=1):
        yield desk.mail(str(order), desk.left * min(0.95, share * 0.08))
    yield _sure(desk, desk.left * 0.97)


def mistyped(desk: Desk) -> Iterator[Errand]:
    """Letters in the wrong order, or orders for somebody else's units; put right later, by some."""
    spoilt = "\n".join(_spoilt(str(order), desk.chance) for order in desk.orders)
    yield desk.mail(f"{spoilt}\nA Nowhere - Elsewhere\nF Trieste S A Ven-Rom", desk.when(0.05, 0.4))
    if desk.chance.random() < 0.7:
        yield _sure(desk, desk.when(0.5, 0.9))


ORDERING: dict[Habit, float] = {
    neat: 8, handwritten: 4, late: 2, never: 1, twice: 2, same_name: 1, html_only: 2, encoded: 2, top_posted: 2,
    overtaking: 1, piecemeal: 1, mistyped: 2,
}  # fmt: skip
"""How often players order in which way."""


# --- what else they send ------------------------------------------------------------------------------------------


def vacation(desk: Desk) -> Iterator[Errand]:
    """A machine answers that he is away, and quotes an order."""
    yield desk.mail(
        "I am out of the office until Monday.\nA Paris - Burgundy\nleave\n", desk.when(0.0, 1.2),
        ("Auto-Submitted", "auto-replied"), subject="Automatic reply: your letter",
    )  # fmt: skip


def bounced(desk: Desk) -> Iterator[Errand]:
    """His provider says that it could not deliver a letter of ours, for good or for the moment."""
    if not desk.return_path:
        return
    action, status = desk.chance.choice((("failed", "5.1.1"), ("delayed", "4.2.2")))
    body = (
        "--zz\nContent-Type: text/plain\n\nSorry.\n--zz\nContent-Type: message/delivery-status\n\n"
        f"Reporting-MTA: dns; players.test\n\nFinal-Recipient: rfc822; {desk.address}\nAction: {action}\n"
        f"Status: {status}\n\n--zz--\n"
    )
    heads = (
        ("From", "MAILER-DAEMON@players.test"), ("Subject", "Undelivered mail"), ("Return-Path", "<>"),
        ("Content-Type", 'multipart/report; report-type=delivery-status; boundary="zz"'),
    )  # fmt: skip
    yield Errand(desk.when(), heads, body, desk.return_path, vouched=False)


def garbage(desk: Desk) -> Iterator[Errand]:
    """Bytes that mean nothing, under headers that promise something."""
    noise = "".join(chr(desk.chance.choice((0x20, 0x7E, 0xE9, 0x4E00, 0x1F600, 0x0, 0x1B, 0xDCFF))) for _ in range(300))
    kind = desk.chance.choice(("text/plain; charset=nonsense", "multipart/mixed; boundary=never", "image/png"))
    yield desk.mail(noise, desk.when(0, 1.2), ("Content-Type", kind))


def press(desk: Desk) -> Iterator[Errand]:
    """Words in every colour, to one, to some, to all."""
    others = [power for power in desk.game.board.powers if power != desk.power]
    to = ", ".join(desk.chance.sample(others, desk.chance.randrange(1, 4)))
    head = desk.chance.choice(
        (f"press to {to}", "press grey to all", f"press black as {others[0]} to {to}", "broadcast", "press to gm")
    )
    yield desk.mail(
        f"{head}\nA word about Burgundy — and nothing but the truth.\nA Par-Bur, says who?", desk.when(0, 1.3)
    )


def asks(desk: Desk) -> Iterator[Errand]:
    """Commands of every kind."""
    line = desk.chance.choice((
        "draw", "aye", "nay", "aye 1", "wait", "ready", "extension", "extension 3d", "vote extension", "help", "list",
        "status", "history", f"status {desk.game.key}", "away 3 days", "back", "staus", "concede", "prefer F E G",
    ))  # fmt: skip
    yield desk.mail(line, desk.when(0, 1.1), subject=desk.game.key)


def takes_back(desk: Desk) -> Iterator[Errand]:
    """Withdraws all, and orders again or not."""
    yield replace(desk.mail("clear orders", desk.when(0.5, 0.8)), undoes=True)
    if desk.chance.random() < 0.7:
        yield _sure(desk, desk.left * 0.95)


def forged(desk: Desk) -> Iterator[Errand]:
    """From an address that is not on file, to his own token; sometimes he says that it was he."""
    if desk.letter is None:
        return
    strange = replace(desk.mail(_lines(desk.orders), desk.when()), vouched=False, to=desk.letter.reply_to)
    yield replace(strange, headers=(("From", f"other.{desk.power.lower()}@elsewhere.test"), *strange.headers[1:]))


def unproved(desk: Desk) -> Iterator[Errand]:
    """From his own address, without anybody's word for it, to the game's address."""
    to = f"{desk.home.replace('@', f'+{desk.game.key}@')}"
    yield replace(desk.mail(_lines(desk.orders), desk.when()), vouched=False, to=to)


def lost_way(desk: Desk) -> Iterator[Errand]:
    """Orders to another game, or to a token that died with its tenure."""
    to = desk.home.replace("@", f"+{desk.other_game}@") if desk.other_game else desk.old_address
    for address in filter(None, (to, desk.old_address)):
        yield replace(desk.mail(_lines(desk.orders) or "status", desk.when(0, 1.2), subject="orders"), to=address)


def leaves(desk: Desk) -> Iterator[Errand]:
    """Has had enough."""
    yield replace(desk.mail("leave for good", desk.when(0.3, 1.0), subject=desk.game.key), undoes=True)


ASIDES: dict[Habit, float] = {
    vacation: 0.1, bounced: 0.06, garbage: 0.06, press: 0.15, asks: 0.25, takes_back: 0.05, forged: 0.05,
    unproved: 0.05, lost_way: 0.06, leaves: 0.01,
}  # fmt: skip
"""How likely each of these is, for one player in one turn."""


def _sure(desk: Desk, after: timedelta) -> Errand:
    orders = desk.orders
    return replace(desk.mail(_lines(orders), after), sure=desk.power if orders else "")


def _lines(orders: list[Order]) -> str:
    return "\n".join(str(order) for order in orders) + "\n"


def _spoilt(line: str, chance: Random) -> str:
    at = chance.randrange(2, max(3, len(line) - 1))
    return line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
