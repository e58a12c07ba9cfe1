"""From a letter's stored view to the bytes that are sent: what its reader wishes, its pictures, its way of answering,
and our DKIM signature (RFC 6376).

`Composing` takes letters in hand after the commit that decided them, group by group, and keeps their bytes. A letter
that cannot be composed is set aside and the operator told; it holds up no other, and never rolls an order back.

A letter is signed once, when it is composed, and its signed bytes are stored: every attempt carries the same ones.
"""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from queue import SimpleQueue
from typing import Any

import msgspec

from judge.config import Config, ConfigError
from judge.languages import speak
from judge.mail.letters import Composed, Posting, TemplateError
from judge.mail.letters.mime import Image
from judge.service.core.judge import Judge
from judge.service.pictures.gallery import TYPES, Gallery, Hung, filled, fold, hung_for, mark_of
from judge.service.pictures.sketch import Shown
from judge.service.posting.operator import report_broken, report_flaws
from judge.service.posting.outgoing import Format, formats_of, reply_address, ways_out
from judge.store import Transaction, View
from judge.store.outbox import SendingOrder
from judge.store.rows import LetterRow, LetterState, SeatRow

Sign = Callable[[bytes], bytes]

SIGNED = (
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "List-Id", "List-Help", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
    "Content-Transfer-Encoding",
)  # fmt: skip
"""Header fields that a signature covers, as far as a letter has them (the ways to unsubscribe: RFC 8058, 4)."""


def make_signer(config: Config) -> Sign | None:
    """What signs a finished mail, None if we do not sign. Raises ConfigError when the key is missing."""
    relay = config.relay
    if not relay.dkim_selector:
        return None
    import dkim  # only those who sign pay for it

    read_key(config)
    key = (config.var / relay.dkim_key_file).read_bytes()
    selector, domain = relay.dkim_selector.encode("ascii"), config.domain.encode("ascii")

    def sign(mime: bytes) -> bytes:
        head = mime.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
        covered = [
            name.encode() for name in SIGNED if any(line.startswith(name.lower().encode() + b":") for line in head)
        ]
        signature: bytes = dkim.sign(
            mime, selector, domain, key, canonicalize=(b"relaxed", b"relaxed"), include_headers=covered
        )
        return signature + mime

    return sign


def read_key(config: Config) -> dict[str, int]:
    """The numbers of the RSA key that letters are signed with (modulus, publicExponent ...). Raises ConfigError."""
    import dkim

    file = config.var / config.relay.dkim_key_file
    try:
        key: dict[str, int] = dkim.parse_pem_private_key(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"relay.dkim_key_file: {file} cannot be read ({error.strerror})") from error
    except (dkim.KeyFormatError, dkim.crypto.UnparsableKeyError) as error:
        raise ConfigError(f"relay.dkim_key_file: {file} holds no RSA key in PEM form") from error
    return key


log = logging.getLogger("judge.post")

GROUP = 50
"""Letters at the most that are composed and kept together."""

FORESEEN = 1000
"""Letters at the most whose pictures are asked for ahead of their composing."""

Seats = Mapping[tuple[str, str], SeatRow]
"""The seats of the games in a batch of letters, by game and seat."""

Outcome = Composed | str
"""The finished letter, or why it cannot be finished."""


@dataclass(frozen=True, slots=True)
class Job:
    """A letter to be composed, its view (None for one that cannot be read), in what form its reader wants it, and its
    pictures.
    """

    letter: LetterRow
    stored: dict[str, Any] | None
    form: Format
    hung: Hung


class LettersAwaiting:
    """Which letters wait for which pictures. `came` may be called from any thread, the rest from one."""

    def __init__(self) -> None:
        self._came: SimpleQueue[str] = SimpleQueue()
        self._letters: dict[str, set[int]] = {}
        self._lacking: dict[int, set[str]] = {}
        self.waited: set[int] = set()
        """Letters that have waited, and are not composed yet."""

    def came(self, picture: str) -> None:
        """A picture is there, or will not come."""
        self._came.put(picture)

    def wait(self, jobs: Iterable[Job]) -> None:
        """These letters wait for what they lack."""
        for job in jobs:
            self._lacking[job.letter.id] = set(job.hung.awaits)
            self.waited.add(job.letter.id)
            for picture in job.hung.awaits:
                self._letters.setdefault(picture, set()).add(job.letter.id)

    def done(self, letters: Iterable[int]) -> None:
        """These wait no longer, whatever has come."""
        for letter in letters:
            self.waited.discard(letter)
            self._lacking.pop(letter, None)

    def complete(self) -> list[int]:
        """The letters for which everything has come since they were asked for last."""
        found = []
        while not self._came.empty():
            picture = self._came.get()
            for letter in self._letters.pop(picture, ()):
                lacking = self._lacking.get(letter, set())
                lacking.discard(picture)
                if not lacking and self._lacking.pop(letter, None) is not None:
                    found.append(letter)
        return sorted(found)


class Composer:
    """Composes batches of letters. `flaws`: what was wrong with templates that were passed over -> kind of letter."""

    def __init__(
        self, judge: Judge, order: SendingOrder, *, sign: Sign | None = None, gallery: Gallery | None = None
    ) -> None:
        self._judge = judge
        self._order = order
        self._sign = sign or make_signer(judge.config)
        self._gallery = gallery
        self.flaws: dict[str, str] = {}

    def jobs(self, view: View, batch: Iterable[LetterRow], *, waited: Collection[int] = ()) -> list[Job]:
        """Each letter with the wishes of its reader and its pictures, which may not be there yet (`Job.hung.waits`).
        `waited`: the numbers of those that have waited for some already.
        """
        batch = tuple(batch)
        formats = formats_of(view, {letter.person_id for letter in batch if letter.person_id})
        wishes = [(letter, formats.get(letter.person_id or 0, Format())) for letter in batch]
        return [self._job(view, letter, form, again=letter.id in waited) for letter, form in wishes]

    def _job(self, view: View, letter: LetterRow, form: Format, *, again: bool) -> Job:
        try:
            stored = msgspec.json.decode(letter.view, type=dict[str, Any])
        except msgspec.MsgspecError:  # its composing says so
            return Job(letter, None, form, Hung())
        answer = letter.mail_id is not None and letter.kind not in self._order.calls
        shown = stored.get("view", {})
        hung = hung_for(
            self._gallery, view, letter, shown, unasked=form.pictures, answer=answer, again=again, face=form.face
        )
        return Job(letter, stored, form, hung)

    def compose(self, view: View, jobs: Sequence[Job]) -> list[tuple[Job, Outcome]]:
        """Compose each letter; none of them is written to the store."""
        to = view.letters.addressees([job.letter.id for job in jobs])
        seats = view.games.seats_in({job.letter.game for job in jobs if job.letter.game})
        return [(job, self._compose(view, job, to.get(job.letter.id), seats)) for job in jobs]

    def _compose(self, view: View, job: Job, to: tuple[str, str] | None, seats: Seats) -> Outcome:
        letter = job.letter
        if to is None:
            return "it goes to nobody"
        try:
            stored, kept = _with_kept(view, job.stored or msgspec.json.decode(letter.view))
            answer = reply_address(
                self._judge, lambda *which: seats.get(which), stored["reply_as"], letter.game or "", letter.created_at,
                letter=letter.id if letter.person_id else 0,
            )  # fmt: skip
            posting = self._posting(view, job, answer, *to)
            if stored["view"].get("as_it_is"):
                posting = replace(posting, page=bool(stored["view"].get("page")))
            if figures := stored["view"].get("figures", ()):
                images = [*posting.images, *(_figure(one, kept) for one in figures)]
                posting = replace(posting, images=images)
            with speak(self._judge.language(job.form.language)):
                composed, flaw = self._judge.pressroom.compose(
                    letter.kind, letter.idem_key, stored, posting, game=letter.game or "", manner=job.form.manner
                )
            if flaw:
                self.flaws[flaw] = letter.kind
            mime = composed.mime
            if self._sign:  # what is sent is signed: the mail with its pictures
                whole = filled(mime, letter.game or "", job.hung.pictures)
                mime = self._sign(whole).removesuffix(whole) + mime
            for key, data in kept.items():
                mime = fold(mime, data, key)
            return replace(composed, mime=mime)
        except Exception as error:  # whatever a broken template or view does, it holds up this letter alone
            return f"{type(error).__name__}: {error}"

    def _posting(self, view: View, job: Job, answer: str, to: str, to_name: str) -> Posting:
        judge, letter, form = self._judge, job.letter, job.form
        address, link = ways_out(judge, view, letter)
        return Posting(
            to=to,
            to_name=to_name,
            from_address=judge.office.game_address(letter.game or ""),
            reply_to=answer,
            # A letter that was held back tells the moment of its sending, never that of its writing.
            date=letter.not_before or letter.created_at,
            domain=judge.config.domain,
            secret=judge.store.secret,
            identity=letter.message_id,
            instance=judge.store.id,
            judge=judge.config.name,
            unsubscribe=address,
            one_click=link,
            images=[_image(shown, data, letter.game or "") for shown, data in job.hung.pictures],
            unhung=job.hung.missing,
            page=form.page,
            calendar=form.calendar,
            explain=form.explain,
            njudge=form.njudge,
        )


class Composing:
    """Composes what waits for it, in the order of `order`. For one thread, but for `picture_came`."""

    def __init__(self, judge: Judge, order: SendingOrder, *, sign: Sign | None, gallery: Gallery | None) -> None:
        self._judge = judge
        self._order = order
        self._composer = Composer(judge, order, sign=sign, gallery=gallery)
        self._awaited = LettersAwaiting()
        self._owner = judge.store.owner
        self._in_hand: list[int] = []

    def prepare(self) -> None:
        """Make ready for deadlines: they bring the results of many games at once. What letters waited for in a process
        before this one is not known: they are looked at now.
        """
        with suppress(TemplateError):  # a letter will say so
            self._judge.pressroom.printer().learn("results")
        self.look_at_all()

    def look_at_all(self) -> None:
        """Whatever letters wait for, look at them now. May be called from any thread."""
        with self._judge.store.write(shared=True) as unit:
            unit.letters.wake_all(self._judge.clock.now())

    def picture_came(self, name: str) -> None:
        """A picture is there, or will not come: the letters that wait for it are composed with the next group. May be
        called from any thread.
        """
        self._awaited.came(name)

    def compose_all(self) -> int:
        """Compose every letter that waits for it; returns how many. Nothing is locked while it is laid out."""
        done = 0
        while some := self.compose_some():
            done += some
        return done

    def compose_some(self) -> int:
        """Compose the next group of letters; returns how many were looked at, 0 if none waits."""
        self.catch_up()
        self._wake()
        now = self._judge.clock.now()
        with self._judge.store.read() as view:
            batch = view.letters.in_turn(now, limit=GROUP, order=self._order)
            jobs = self._composer.jobs(view, batch, waited=self._awaited.waited)
        if not jobs:
            return 0
        if not (jobs := self._claim(jobs, now)):
            return len(batch)
        with self._judge.store.read() as view:
            composed = self._composer.compose(view, jobs)
        well = not self._composer.flaws and all(isinstance(result, Composed) for _, result in composed)
        with self._judge.store.write(shared=well) as unit:
            self._keep(unit, composed)
            report_flaws(self._judge, unit, self._composer.flaws)
        self._awaited.done(job.letter.id for job, _ in composed)
        self._in_hand, self._composer.flaws = [], {}
        return len(batch)

    def foresee(self) -> None:
        """Ask for the pictures of the letters that wait to be composed, whoever does that."""
        with self._judge.store.read() as view:
            self._composer.jobs(view, view.letters.list(states=[LetterState.COMPOSING], limit=FORESEEN))

    def catch_up(self) -> None:
        """What trouble of the store kept us from keeping waits again; while the trouble lasts, StoreTrouble."""
        if not self._in_hand:
            return
        with self._judge.store.write(shared=True) as unit:
            unit.letters.put_back(self._in_hand, owner=self._owner, now=self._judge.clock.now())
        self._in_hand = []

    def next_try(self) -> datetime | None:
        """When to look again."""
        with self._judge.store.read() as view:
            return view.letters.next_try()

    def break_exhausted(self) -> None:
        """Set aside letters that broke us. Nothing to do for others: a lease that lapsed is claimable again."""
        self._judge.store.together(self._break_exhausted)

    def _break_exhausted(self, unit: Transaction) -> None:
        for letter_id in unit.letters.break_exhausted(self._judge.clock.now()):
            log.error("letter broken", extra={"letter": letter_id})
            broken = unit.letters.get(letter_id)
            report_broken(self._judge, unit, broken, "the process ended each time while it wrote it")

    def _wake(self) -> None:
        if complete := self._awaited.complete():
            with self._judge.store.write(shared=True) as unit:
                unit.letters.wake(complete, self._judge.clock.now())

    def _claim(self, jobs: Sequence[Job], now: datetime) -> list[Job]:
        """Take in hand what can be composed, and put off what waits for its pictures until these have come, or their
        time is over.
        """
        later: dict[timedelta, list[int]] = {}
        for job in jobs:
            if job.hung.waits is not None:
                later.setdefault(job.hung.waits, []).append(job.letter.id)
        self._awaited.wait([job for job in jobs if job.hung.waits is not None])
        with self._judge.store.write(shared=True) as unit:
            for wait, letters in later.items():
                unit.letters.put_off(letters, now, now + wait)
            ready = [job.letter.id for job in jobs if job.hung.waits is None]
            taken = unit.letters.claim(ready, now, owner=self._owner)
        self._in_hand = [letter.id for letter in taken]
        return [job for job in jobs if job.letter.id in self._in_hand]

    def _keep(self, unit: Transaction, composed: Sequence[tuple[Job, Outcome]]) -> int:
        done: list[tuple[int, bytes, str | None]] = []
        for job, result in composed:
            letter = job.letter
            if isinstance(result, Composed):
                done.append((letter.id, result.mime, result.subject))
                continue
            unit.letters.broken(letter.id, result)
            error = result.partition(":")[0]  # what comes after may be words of the letter
            log.error("letter cannot be composed", extra={"letter": letter.id, "kind": letter.kind, "error": error})
            report_broken(self._judge, unit, letter, result)
        return unit.letters.composed_all(done)


def _with_kept(view: View, stored: dict[str, Any]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A stored view with what many letters have in common, which is kept once and named in them: `apart` says where a
    field's words are ({"text": [game, phase, kind]}), and so do a file, and a figure of a page. Second: the bytes of
    such files, which the composed letter does not keep either. Raises LookupError for what is gone.
    """
    letter, files = stored["view"], dict[str, bytes]()

    def read(where: Sequence[str]) -> bytes:
        row = view.pictures.get(*where)
        if row is None:
            raise LookupError(f"{'/'.join(where)} is gone")
        return row.data

    def filled(file: dict[str, Any]) -> dict[str, Any]:
        if "apart" not in file:
            return file
        data = files["/".join(file["apart"])] = read(file["apart"])
        return {**file, "base64": b64encode(data).decode()}

    if "apart" in letter:
        words = {name: read(where).decode() for name, where in letter["apart"].items()}
        letter = {**letter, **words}
    for figure in letter.get("figures", ()):
        files["/".join(figure["apart"])] = read(figure["apart"])
    if any("apart" in file for file in letter.get("files", ())):
        letter = {**letter, "files": [filled(file) for file in letter["files"]]}
    return {**stored, "view": letter}, files


def _figure(figure: Mapping[str, Any], kept: Mapping[str, bytes]) -> Image:
    """A picture of a page that came with its words, which names it."""
    name = figure["name"]
    return Image(name, TYPES["png"], kept["/".join(figure["apart"])], cid=name, facts={"what": name})


def _image(shown: Shown, data: bytes, game: str) -> Image:
    """A picture in the page; what no page can show goes along as a file."""
    facts = {
        "what": shown.what, "phase": shown.phase, "stamp": shown.stamp, "extent": shown.extent,
        "powers": " ".join(shown.powers), "face": shown.face,
    }  # fmt: skip
    return Image(shown.name, TYPES[shown.form], data, cid="map" if shown.form == "png" else "", facts=facts,
                 mark=mark_of(shown, game))  # fmt: skip
