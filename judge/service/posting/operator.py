"""Who is told when something needs a human being: the operator of this judge, or the Gamemaster of a game.

Each matter is told once, and not more than so many matters of one kind in a day: the log has all of them. Mail to
postmaster@ and abuse@ reaches the operator as a letter; its sender gets no answer from us.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from judge.config import Config
from judge.game.core.commands import GM_SEAT
from judge.languages import speak, tell
from judge.mail.envelope import Envelope
from judge.report.core.letter import Kind, seat_title
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.directory import member
from judge.service.core.judge import Judge, topic_of_list
from judge.service.posting.outgoing import put
from judge.store import Transaction
from judge.store.rows import Delivery, LetterRow, Mail

log = logging.getLogger("judge.post")

STANDING_ADDRESSES = frozenset({"postmaster", "abuse"})
"""What every mail domain has to answer (RFC 5321, 4.5.1; RFC 2142)."""

A_DAY = 20
"""Letters about one kind of matter in a day."""

LONGEST_QUOTE = 60
"""Lines of a forwarded mail that the operator gets to see."""


def tell_operator(
    judge: Judge, unit: Transaction, key: str, *, subject: str, items: Sequence[str], quoted: Sequence[str] = ()
) -> bool:
    """A letter to the operator about a matter like "quarantine/17". False if no operator is named, or they were told
    already, or often enough today.
    """
    to = judge.config.operator
    whole = f"judge/operator/{key}"
    if not to or unit.letters.by_key(whole) is not None or not _allowed(judge, unit, to, key):
        return False
    letter = alert(NOBODY, judge.office, key=whole, subject=subject, items=items, quoted=quoted, address=to)
    return put(judge, unit, letter, judge.clock.now())


Words = Callable[[], tuple[str, Sequence[str]]]
"""Subject and sentences of a letter, to be told in the language of its reader."""


def tell_gm(judge: Judge, unit: Transaction, game: str, key: str, words: Words, *, quoted: Sequence[str] = ()) -> bool:
    """A letter to a game's Gamemaster about a matter like "bounce/9"; to the operator where there is no such game."""
    found = judge.keeper.load(unit, game) if game else None
    if found is None:
        with speak(judge.language()):
            subject, items = words()
        return tell_operator(judge, unit, key, subject=subject, items=items, quoted=quoted)
    whole = f"{game}/gm/{key}"
    if unit.letters.by_key(whole) is not None or not _allowed(judge, unit, f"gm:{game}", key):
        return False
    reader = member(unit, found.gm)
    with speak(judge.language(reader.language)):
        subject, items = words()
        letter = alert(
            reader, judge.office, key=whole, subject=subject, items=items, quoted=quoted, game=game, seat=GM_SEAT
        )
    return put(judge, unit, letter, judge.clock.now())


def report_flaws(judge: Judge, unit: Transaction, flaws: Mapping[str, str]) -> None:
    """Templates that were passed over: what is wrong -> kind of letter. Each is told once a day."""
    day = judge.clock.now().date().isoformat()
    for flaw, kind in flaws.items():
        log.error("a template is broken", extra={"kind": kind, "error": flaw.partition(":")[0]})
        tell_operator(
            judge, unit, f"template/{day}/{sha256(flaw.encode()).hexdigest()[:16]}",
            subject=f"a template of {kind} letters is broken",
            items=(flaw[:300], "Until it is mended the letters go out as the judge's own templates have them."),
        )  # fmt: skip


def report_broken(judge: Judge, unit: Transaction, letter: LetterRow, error: str) -> None:
    """Tell the operator of a letter that is set aside because it cannot be composed."""
    if is_ours(letter):
        return
    tell_operator(
        judge, unit, f"letter/{letter.id}", subject=f"letter {letter.id} cannot be written",
        items=(
            f"Letter {letter.id} ({letter.kind}, game {letter.game or 'none'}) is set aside: {error[:300]}",
            "Nothing else is held up by it. When its template is mended, or after an upgrade: judge outbox retry --all",
        ),
    )  # fmt: skip


def report_given_up(judge: Judge, unit: Transaction, delivery: Delivery) -> None:
    """Tell the game's Gamemaster of a delivery that was tried for days; of one to the Gamemaster, the operator."""
    letter = unit.letters.get(delivery.letter_id)
    if is_ours(letter) or topic_of_list(letter.game or ""):
        return  # of what goes to many subscribers their own desk hears in one list
    game = judge.keeper.load(unit, letter.game) if letter.game else None

    def words() -> tuple[str, Sequence[str]]:
        who = seat_title(game, letter.seat or "") if game else tell("a player")
        tried = tell(
            "The {kind} letter to {who} was tried for days and could not be delivered.", kind=letter.kind, who=who
        )
        return tell("a letter to {who} could not be delivered", who=who), (tried,)

    tell_gm(judge, unit, "" if letter.seat == GM_SEAT else letter.game or "", f"given-up/{delivery.id}", words)


def is_ours(letter: LetterRow) -> bool:
    """Whether a letter is one to the operator: trouble with it is reported to nobody, since a report could fail
    alike.
    """
    return letter.kind == Kind.ALERT and letter.idem_key.startswith("judge/operator/")


def _allowed(judge: Judge, unit: Transaction, whom: str, key: str) -> bool:
    matter = key.partition("/")[0]
    return unit.contacts.allow(whom, f"alert/{matter}", judge.clock.now().date(), A_DAY)


def to_operator_alone(config: Config, mail: Mail, envelope: Envelope) -> bool:
    """Whether a mail went to postmaster@ or abuse@ and not to the judge as well; the wire knows that best."""
    domain = config.domain.lower()
    if mail.rcpts:
        parts = (full_address(address, domain).rpartition("@") for address in mail.rcpts)
        names = {local.partition("+")[0] for local, _, host in parts if host == domain}
    else:
        names = {name for name, _ in envelope.addressed_to(domain)}
    return config.local_part.lower() not in names and not names.isdisjoint(STANDING_ADDRESSES)


def full_address(recipient: str, domain: str) -> str:
    """A recipient in lower case. Postmaster needs no domain: whoever has no other address of ours may write there
    (RFC 5321, 4.1.1.3).

    >>> full_address("Postmaster", "judge.test"), full_address("Judge@judge.test", "judge.test")
    ('postmaster@judge.test', 'judge@judge.test')
    """
    name = recipient.strip().lower()
    return f"postmaster@{domain.lower()}" if name == "postmaster" else name
