"""Letters out by SMTP: a few connections to each relay, kept and reused, and a fate for every recipient.

Built on smtplib's single commands, because `sendmail` throws answers away. A relay that offers PIPELINING (RFC 2920)
hears MAIL, RCPT and DATA of a letter in one go. The stored bytes go out as they are, only line ends are made CRLF. What
the relay says decides the fate: 2yz sent, 4yz deferred, 5yz refused. What cannot be known (the line breaks after the
final dot) counts as deferred: the letter may then arrive twice, with one Message-ID. What is said against *us* pauses
the queue instead of burning every letter in it.
"""

import logging
import math
import re
import smtplib
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import length_hint
from queue import SimpleQueue
from typing import Literal

from judge.transport.ports import NO_CODE, Deferred, Fate, Handed, Parcel, PauseQueue, Refused, Sent

Tls = Literal["none", "starttls", "tls"]
_LINE_END = re.compile(rb"\r\n|\r|\n")
POLICY = re.compile(r"^5\.7\.\d+\b")
_ABOUT_US = frozenset({530, 534, 535, 538})
_NO_RELAYING = re.compile(r"^5\.7\.(?:0|8|9|11|13|14)\b|relay", re.IGNORECASE)
_STALE_AFTER = 1.0


@dataclass(frozen=True)
class RelayServer:
    """A server that takes our letters. Without `user` nobody logs in; `context` is for private authorities."""

    host: str
    port: int = 587
    user: str = ""
    password: str = ""
    tls: Tls = "starttls"
    timeout: float = 30.0
    context: ssl.SSLContext | None = None


class OutOfService(Exception):
    """This relay cannot be used for the rest of the batch; `fate` says how that looks to each letter."""

    def __init__(self, fate: Deferred | PauseQueue) -> None:
        super().__init__(fate)
        self.fate = fate


class SmtpLine:
    """The connection to one relay, opened when first needed and again when it has gone stale."""

    def __init__(self, relay: RelayServer, helo: str, per_connection: int, tick: Callable[[], float]) -> None:
        self._relay = relay
        self._helo = helo
        self._left = self._per_connection = per_connection
        self._tick = tick
        self._well_at = -math.inf
        self._smtp: smtplib.SMTP | None = None
        self.smtputf8: bool | None = None
        """Whether the relay offered SMTPUTF8 when it was last greeted."""

    def hand_over(self, parcel: Parcel, recipients: list[str]) -> dict[str, Fate]:
        """One mail transaction; raises `OutOfService` when the relay cannot be used at all."""
        odd = [address for address in (parcel.mail_from, *recipients) if _unsafe(address)]
        if odd:
            return dict.fromkeys(recipients, Refused(NO_CODE, "553 5.1.3 the envelope holds a malformed address"))
        smtp = self._ready()
        self._left -= 1
        try:
            fates = _transaction(smtp, parcel, recipients)
            self._well_at = self._tick() if _all_sent(fates) else -math.inf
            return fates
        except _Broken as broken:
            self.drop()
            return dict.fromkeys(recipients, Deferred(broken.code, broken.text)) | broken.known

    def close(self) -> None:
        """Send QUIT if the connection still works."""
        if self._smtp is None:
            return
        try:
            self._smtp.quit()
        except (smtplib.SMTPException, OSError):
            self._smtp.close()
        self._smtp = None

    def _ready(self) -> smtplib.SMTP:
        if self._smtp is not None and self._left <= 0:
            self.close()
        # A letter accepted a moment ago proves the line alive and leaves nothing to reset.
        doubtful = self._tick() - self._well_at > _STALE_AFTER
        if self._smtp is not None and doubtful and not _answers(self._smtp):
            self.drop()
        if self._smtp is None:
            self._smtp = _open(self._relay, self._helo)
            self._left = self._per_connection
            self.smtputf8 = self._smtp.has_extn("smtputf8")
        return self._smtp

    def drop(self) -> None:
        """Close the connection without QUIT."""
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


class _Broken(Exception):
    """The line broke in the middle of a transaction; `known` holds fates that were settled before."""

    def __init__(self, code: int, text: str, known: dict[str, Fate] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.known = known or {}


def _open(relay: RelayServer, helo: str) -> smtplib.SMTP:
    try:
        smtp = _greet(relay, helo)
    except smtplib.SMTPAuthenticationError as error:
        raise OutOfService(_login_fate(error)) from error
    except smtplib.SMTPNotSupportedError as error:
        raise OutOfService(PauseQueue(f"the relay {relay.host} does not offer what is configured: {error}")) from error
    except UnicodeError as error:
        text = f"host, user or password of the relay {relay.host} hold letters beyond ASCII, which SMTP cannot carry"
        raise OutOfService(PauseQueue(text)) from error
    except ssl.SSLCertVerificationError as error:
        text = f"the certificate of {relay.host} is not valid: {error.verify_message}"
        raise OutOfService(PauseQueue(text, passes=True)) from error  # others renew it
    except smtplib.SMTPResponseException as error:
        raise OutOfService(Deferred(error.smtp_code, _text(error.smtp_error))) from error
    except (smtplib.SMTPException, OSError) as error:
        raise OutOfService(Deferred(NO_CODE, f"cannot reach {relay.host}: {error}")) from error
    return smtp


def _greet(relay: RelayServer, helo: str) -> smtplib.SMTP:
    context = None if relay.tls == "none" else relay.context or ssl.create_default_context()
    smtp: smtplib.SMTP
    if relay.tls == "tls":
        smtp = smtplib.SMTP_SSL(relay.host, relay.port, local_hostname=helo, timeout=relay.timeout, context=context)
    else:
        smtp = smtplib.SMTP(relay.host, relay.port, local_hostname=helo, timeout=relay.timeout)
    try:
        if relay.tls == "starttls":
            smtp.starttls(context=context)
        smtp.ehlo_or_helo_if_needed()
        if relay.user:
            smtp.login(relay.user, relay.password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _login_fate(error: smtplib.SMTPAuthenticationError) -> Deferred | PauseQueue:
    text = _text(error.smtp_error)
    if 400 <= error.smtp_code < 500:
        return Deferred(error.smtp_code, text)
    return PauseQueue(f"the relay rejects our login: {error.smtp_code} {text}")


def _answers(smtp: smtplib.SMTP) -> bool:
    """Whether a kept connection still lives; RSET clears whatever the last letter left."""
    try:
        code, _ = smtp.rset()
    except (smtplib.SMTPException, OSError):
        return False
    return code == 250


def _transaction(smtp: smtplib.SMTP, parcel: Parcel, recipients: list[str]) -> dict[str, Fate]:
    """MAIL, RCPT for each, DATA. Raises `_Broken` when the line breaks."""
    fates: dict[str, Fate] = {}
    try:
        options = _options(smtp, parcel, recipients)
        if options is None:
            return dict.fromkeys(recipients, Refused(NO_CODE, "553 5.6.7 the relay takes no addresses beyond ASCII"))
        if len(recipients) == 1 and smtp.has_extn("pipelining"):
            return _in_one_go(smtp, parcel, recipients[0], options)
        code, answer = smtp.mail(parcel.mail_from, options)
        if code != 250:
            return dict.fromkeys(recipients, _fate(code, answer, about_us=POLICY))
        for recipient in recipients:
            code, answer = smtp.rcpt(recipient)
            if code not in (250, 251):
                fates[recipient] = _fate(code, answer, about_us=_NO_RELAYING)
        open_ones = [recipient for recipient in recipients if recipient not in fates]
        if open_ones and not _paused(fates):
            fates |= _hand_data(smtp, parcel.data, open_ones, fates)
        elif open_ones:
            fates |= dict.fromkeys(open_ones, Deferred(NO_CODE, "not tried: the relay rejects us"))
    except (smtplib.SMTPException, OSError) as error:
        raise _Broken(NO_CODE, f"the line broke: {error}", fates) from error
    return fates


def _in_one_go(smtp: smtplib.SMTP, parcel: Parcel, recipient: str, options: list[str]) -> dict[str, Fate]:
    """MAIL, RCPT and DATA together, to one recipient: a relay that refuses one and wants the text all the same is left,
    since every text that we could send now would be a letter.
    """
    commands = " ".join((f"MAIL FROM:<{parcel.mail_from}>", *options)), f"RCPT TO:<{recipient}>", "DATA"
    smtp.send("".join(f"{command}\r\n" for command in commands))
    fate: Fate | None = None
    for wanted, about_us in (((250,), POLICY), ((250, 251), _NO_RELAYING)):
        code, answer = smtp.getreply()
        if fate is None and code not in wanted:
            fate = _fate(code, answer, about_us=about_us)
    code, answer = smtp.getreply()
    if fate is None:
        return _hand_text(smtp, parcel.data, [recipient], {}) if code == 354 else _data_fates(code, answer, [recipient])
    if code == 354:
        raise _Broken(NO_CODE, "", {recipient: fate})
    return {recipient: fate}


def _hand_data(smtp: smtplib.SMTP, data: bytes, recipients: list[str], known: dict[str, Fate]) -> dict[str, Fate]:
    code, answer = smtp.docmd("DATA")
    if code != 354:  # the letter has not been sent
        return _data_fates(code, answer, recipients, known)
    return _hand_text(smtp, data, recipients, known)


def _hand_text(smtp: smtplib.SMTP, data: bytes, recipients: list[str], known: dict[str, Fate]) -> dict[str, Fate]:
    try:
        smtp.send(_as_sent(data))
        code, answer = smtp.getreply()
    except (smtplib.SMTPException, OSError) as error:
        text = f"the line broke while the letter was handed over, it may have arrived: {error}"
        raise _Broken(NO_CODE, text, known) from error
    return _data_fates(code, answer, recipients, known)


def _data_fates(
    code: int, answer: bytes, recipients: list[str], known: dict[str, Fate] | None = None
) -> dict[str, Fate]:
    if code == 250:
        return dict.fromkeys(recipients, Sent(code, _text(answer)))
    if code == 421:
        raise _Broken(code, _text(answer), known)
    return dict.fromkeys(recipients, _fate(code, answer, about_us=None))


def _as_sent(data: bytes) -> bytes:
    """The text as DATA carries it (RFC 5321, 4.5.2): CRLF, dots at the beginning of lines doubled, a dot at the end.

    >>> _as_sent(b".one\\ntwo")
    b'..one\\r\\ntwo\\r\\n.\\r\\n'
    """
    if not data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r"):  # letters of ours have nothing else
        data = _LINE_END.sub(b"\r\n", data)
    if b"\n." in data or data.startswith(b"."):
        data = (b"\n" + data).replace(b"\n.", b"\n..")[1:]
    return data + (b".\r\n" if data.endswith(b"\r\n") else b"\r\n.\r\n")


def _fate(code: int, answer: bytes, *, about_us: re.Pattern[str] | None) -> Fate:
    text = _text(answer)
    if code == 421:
        raise _Broken(code, text)
    if 400 <= code < 500:
        return Deferred(code, text)
    if code in _ABOUT_US or (about_us is not None and code >= 500 and POLICY.match(text) and about_us.search(text)):
        return PauseQueue(f"the relay rejects us: {code} {text}")
    return Refused(code, text)


def _options(smtp: smtplib.SMTP, parcel: Parcel, recipients: list[str]) -> list[str] | None:
    """The parameters of MAIL, or None where an address needs SMTPUTF8 and the relay has none."""
    options = []
    if smtp.has_extn("size"):
        options.append(f"size={len(parcel.data)}")
    if smtp.has_extn("8bitmime") and not parcel.data.isascii():
        options.append("body=8bitmime")
    if all(address.isascii() for address in (parcel.mail_from, *recipients)):
        return options
    if not smtp.has_extn("smtputf8"):
        return None
    smtp.command_encoding = "utf-8"  # as smtplib's own sendmail does
    return [*options, "smtputf8"]


def _all_sent(fates: dict[str, Fate]) -> bool:
    return all(isinstance(fate, Sent) for fate in fates.values())


def _paused(fates: dict[str, Fate]) -> bool:
    return any(isinstance(fate, PauseQueue) for fate in fates.values())


def _unsafe(address: str) -> bool:
    return any(char in "<>" or char.isspace() or not char.isprintable() for char in address)


def _text(answer: bytes | str) -> str:
    return " ".join(_bytes(answer).decode("utf-8", "replace").split())[:500]


def _bytes(answer: bytes | str) -> bytes:
    return answer.encode() if isinstance(answer, str) else answer


log = logging.getLogger("judge.transport")

_POLICY_STREAK = 3
_WORTH_A_CONNECTION = 8
"""Letters at the least for which one more connection is opened: greeting a relay takes longer than a few letters do."""
_TURNED_AWAY = 60.0
"""Seconds after which a further connection is tried again where the relay has refused it."""


class SmtpCourier:
    """Hands parcels to the relay that `relay_for` names for a recipient's domain.

    `helo` is the name we greet with, `pace` is called before each parcel (see `judge.transport.pace`), `per_connection`
    letters go over one connection before a fresh one is opened. Where many letters wait up to so many `connections`
    carry them side by side; those to one recipient go one after the other, in their order. `deliver` is not for use by
    several threads at once.
    """

    def __init__(
        self,
        relay_for: Callable[[str], RelayServer],
        *,
        helo: str,
        pace: Callable[[], None] = lambda: None,
        per_connection: int = 50,
        connections: int = 1,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        policy = _Policy()
        self._tick = tick
        self._lanes = [_Lane(relay_for, helo, pace, per_connection, tick, policy) for _ in range(connections)]

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """See `judge.transport.ports.Courier`. A relay that cannot be reached is tried once per batch."""
        wanted = -(-length_hint(batch, 1) // _WORTH_A_CONNECTION)
        usable = [lane for lane in self._lanes[1:] if self._tick() >= lane.turned_away_until]
        lanes = [self._lanes[0], *usable][: max(1, wanted)]
        shared = _SharedParcels(iter(batch), len(lanes))
        if len(lanes) == 1:
            yield from lanes[0].carry(shared)
        else:
            yield from _side_by_side(lanes, shared)

    def close(self) -> None:
        """Close all connections to relays."""
        for lane in self._lanes:
            lane.close()


def _side_by_side(lanes: "list[_Lane]", shared: "_SharedParcels") -> Iterator[Handed]:
    """What several lanes hand over, as it is done. What a lane raises is raised when the others have ended."""
    done: SimpleQueue[Handed | None] = SimpleQueue()
    raised: list[Exception] = []

    def carry(lane: _Lane) -> None:
        try:
            for handed in lane.carry(shared):
                done.put(handed)
        except Exception as error:
            raised.append(error)
        finally:
            done.put(None)

    threads = [threading.Thread(target=carry, args=(lane,), name="relay", daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    try:
        left = len(lanes)
        while left:
            if (handed := done.get()) is None:
                left -= 1
            else:
                yield replace(handed, more=not done.empty())
        if raised:
            raise raised[0]
    finally:
        shared.stop()
        for thread in threads:
            thread.join()


class _SharedParcels:
    """The parcels of a batch, for several lanes: whichever has the first to a reader gets the next ones to them, too,
    so that none overtakes another.
    """

    def __init__(self, parcels: Iterator[Parcel], lanes: int) -> None:
        self.down: dict[RelayServer, Deferred] = {}
        self.well = False
        """Whether the relay was reached in this batch."""
        self._parcels = parcels
        self._lanes = lanes
        self._behind: dict[tuple[str, ...], deque[Parcel]] = {}
        self._returned: deque[Parcel] = deque()
        self._stopped = False
        self._lock = threading.Lock()

    def take(self, last: Parcel | None) -> Parcel | None:
        """The next one for a lane that is done with its `last`; None if there is none for it."""
        with self._lock:
            found = None if self._stopped else self._next(last)
            self._lanes -= found is None
            return found

    def _next(self, last: Parcel | None) -> Parcel | None:
        if last is not None:
            if behind := self._behind[_readers(last)]:
                return behind.popleft()
            del self._behind[_readers(last)]
        if self._returned:
            return self._returned.popleft()
        for parcel in self._parcels:
            if (before := self._behind.get(_readers(parcel))) is None:
                self._behind[_readers(parcel)] = deque()
                return parcel
            before.append(parcel)
        return None

    def leave(self, parcel: Parcel) -> bool:
        """A lane that cannot connect gives its parcel back and ends: to the other lanes, or untouched to whoever gave
        us the batch. False where it is to say that the relay cannot be reached: nobody reaches it.
        """
        with self._lock:
            if self._lanes == 1 and not self.well:
                return False
            self._lanes -= 1
            self._returned.append(parcel)
            return True

    def stop(self) -> None:
        """Nothing more is handed over."""
        with self._lock:
            self._stopped = True


def _readers(parcel: Parcel) -> tuple[str, ...]:
    return tuple(recipient.lower() for recipient in parcel.rcpt_to)


class _Policy:
    """Pauses the queue when several letters in a row are refused by policy (5.7.x): then it is not the letters."""

    def __init__(self) -> None:
        self._streak = 0
        self._lock = threading.Lock()

    def watch(self, fates: dict[str, Fate]) -> dict[str, Fate]:
        """The fates, one of them a pause where it is time for it."""
        with self._lock:
            if any(isinstance(fate, Sent) for fate in fates.values()):
                self._streak = 0
            for recipient, fate in fates.items():
                if not (isinstance(fate, Refused) and POLICY.match(fate.text)):
                    continue
                self._streak += 1
                if self._streak >= _POLICY_STREAK:
                    self._streak = 0
                    fates[recipient] = PauseQueue(f"{_POLICY_STREAK} letters in a row refused by policy: {fate.text}")
            return fates


class _Lane:
    """One connection to each relay."""

    def __init__(
        self,
        relay_for: Callable[[str], RelayServer],
        helo: str,
        pace: Callable[[], None],
        per_connection: int,
        tick: Callable[[], float],
        policy: _Policy,
    ) -> None:
        self._relay_for, self._helo, self._pace, self._per_connection = relay_for, helo, pace, per_connection
        self._tick, self._policy = tick, policy
        self._lines: dict[RelayServer, SmtpLine] = {}
        self._smtputf8: bool | None = None
        self.turned_away_until = -math.inf

    def carry(self, batch: _SharedParcels) -> Iterator[Handed]:
        """Hand over what waits, until there is no more, the queue is paused, or others go on alone."""
        last = None
        while (parcel := batch.take(last)) is not None:
            last = parcel
            fates = self._deliver(parcel, batch)
            if fates is None:
                return
            if _paused(fates):
                batch.stop()
            yield Handed(parcel, fates, self._smtputf8)

    def close(self) -> None:
        """Close all connections."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    def _deliver(self, parcel: Parcel, batch: _SharedParcels) -> dict[str, Fate] | None:
        """None: the relay takes no further connection, others carry this one."""
        fates: dict[str, Fate] = {}
        for relay, recipients in self._by_relay(parcel.rcpt_to).items():
            if relay in batch.down:
                fates.update(dict.fromkeys(recipients, batch.down[relay]))
                continue
            self._pace()
            try:
                fates.update(self._over(relay, parcel, recipients))
                batch.well = True
            except OutOfService as outage:
                if isinstance(outage.fate, Deferred):
                    if not fates and batch.leave(parcel):
                        self.turned_away_until = self._tick() + _TURNED_AWAY
                        return None
                    batch.down[relay] = outage.fate
                fates.update(dict.fromkeys(recipients, outage.fate))
            except Exception as error:
                # A server may say anything and a library stumble over it: one letter waits, the others go on.
                log.exception("a letter stumbled on its way out", extra={"delivery": parcel.id})
                self._lines.pop(relay).drop()
                fates.update(dict.fromkeys(recipients, Deferred(NO_CODE, f"it stumbled here: {type(error).__name__}")))
        return fates

    def _by_relay(self, recipients: tuple[str, ...]) -> dict[RelayServer, list[str]]:
        groups: dict[RelayServer, list[str]] = {}
        for recipient in recipients:
            groups.setdefault(self._relay_for(recipient.rpartition("@")[2].lower()), []).append(recipient)
        return groups

    def _over(self, relay: RelayServer, parcel: Parcel, recipients: list[str]) -> dict[str, Fate]:
        line = self._lines.get(relay)
        if line is None:
            line = self._lines[relay] = SmtpLine(relay, self._helo, self._per_connection, self._tick)
        fates = line.hand_over(parcel, recipients)
        self._smtputf8 = line.smtputf8
        return self._policy.watch(fates)
