"""Letters into the outbox: which follow from what happened, to which address, from which moment on, and what their
readers do not wish to get any more.

And in what form they wish to get the rest.

The token names person and topic, so that nothing has to be kept for it; whoever can write to it has read a letter
that we sent to that subscriber. It ends this one subscription and proves nothing else. Where the judge has an HTTP
address, one click does the same (RFC 8058): the click becomes a mail to that token, written by ourselves, and goes the
way of all mail.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import LadderStep
from judge.game.core.model import Game
from judge.game.filing.advance import OrdersKept
from judge.game.filing.kept import AlwaysChanged, PlanMade
from judge.game.table.substitutes import SubstituteSought, filed_by_proxy
from judge.game.talk.epilogue import PageDropped, PageWritten
from judge.game.talk.press import LEAST
from judge.languages import speak, tell
from judge.mail.letters import message_ids
from judge.mail.tokens import Purpose, mint, read_token
from judge.report.core.letter import Cast, Kind, Letter, frozen
from judge.report.mailing import letters_for
from judge.report.table.arrivals import TALKED, recent_results
from judge.report.table.calls import OF_MAIL
from judge.service.core.directory import Errand, Members, address_of, find_errand, topic_of
from judge.service.core.judge import Judge, topic_of_list
from judge.service.core.keeper import GameChange, thaw_all
from judge.store import NoSuchRow, Transaction, View
from judge.store.rows import LetterRow, NewLetter, SeatRow, Subscription
from judge.store.rows import LetterRow as Stored
from judge.transport.ports import Accept, Arrival

RESULTS = frozenset({Kind.STARTED, Kind.RESULTS, Kind.CORRECTED, Kind.ENDED})
"""What an observer gets who wants results alone."""


def unwanted(view: View | Transaction, letter: Letter) -> bool:
    """Whether the reader of a letter has said that they do not want its kind."""
    if not letter.person:
        return False
    if letter.kind is Kind.REMINDER and not letter.view.get("gm"):  # what a Gamemaster asks for is no clock's letter
        return not _options(view, letter.person).get("reminders", True)
    if letter.seat or not letter.game:
        return False
    wish = _observes(view, letter.person, letter.game)
    return wish == "digest" or (wish == "results" and letter.kind not in RESULTS)


def _options(view: View | Transaction, person: int) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads(view.people.get(person).options)
    except NoSuchRow:
        return {}
    return found


def _observes(view: View | Transaction, person: int, game: str) -> str:
    """What somebody wants to get of a game that they observe, "" if they do not observe it."""
    rows = [row for row in view.lists.subscriptions(person) if row.topic == topic_of(game)]
    return str(json.loads(rows[0].options).get("what", "report")) if rows else ""


# --- the form of letters ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Format:
    """What comes with the text of a letter, which comes always: the letter as a page, pictures, deadlines as a calendar
    file. Pictures without a page are files beside the text.
    """

    page: bool = True
    pictures: bool = True
    calendar: bool = True
    manner: str = ""
    """How the words are put: "spoken" for the ear, "terse" for those who know; "" as usual."""
    explain: bool = False
    """Whether reports say in sentences why orders failed, though the game does not ask for it."""
    njudge: bool = False
    """Whether reports hold their results in njudge's layout, too."""
    face: str = ""
    """"dark" for pictures on dark ground; "" for the usual ones."""
    language: str = ""
    """The code of the language in which letters are told; "" for the one that is usual here."""


def formats_of(view: View | Transaction, persons: Collection[int]) -> dict[int, Format]:
    """In what form these persons want their letters."""
    return {number: _format(person.options) for number, person in view.people.get_all(persons).items()}


def set_format(unit: Transaction, person: int, changes: Mapping[str, Any]) -> Format:
    """Note what somebody wants; what `changes` does not name stays as it is. Returns all of it."""
    row = unit.people.get(person)
    wanted = replace(_format(row.options), **changes)
    options = {**json.loads(row.options), "format": asdict(wanted)}
    unit.people.save(replace(row, options=json.dumps(options)))
    return wanted


def _format(options: str) -> Format:
    return Format(**json.loads(options).get("format", {})) if '"format"' in options else Format()


CONFIRM = "confirm:"
"""Prefix of a letter's `reply_as` that names a held mail's confirmation instead of a seat."""

_SILENT = (
    ev.OrdersFiled,
    ev.WaitChanged,
    ev.PreferencesChanged,
    OrdersKept,
    AlwaysChanged,
    PlanMade,
    PageWritten,
    PageDropped,
)
"""Events that nobody is written to about: the receipt says it all. They are by far the most."""


def _is_silent(game: Game, event: ev.Event) -> bool:
    """Orders that somebody else files are told to the player whose they are."""
    if isinstance(event, ev.OrdersFiled) and filed_by_proxy(game, event):
        return False
    return isinstance(event, _SILENT) and event.by not in (GM_SEAT, "judge")


OPENINGS = "openings"
"""The topic of those who wish to hear of every free seat."""
QUEUE = "queue:"
"""What begins the topic of those who wait for a game of a kind; its preset follows."""


def cast_of(
    judge: Judge,
    view: View | Transaction,
    game: Game,
    members: Members | None = None,
    *,
    vacancies: bool = False,
) -> Cast:
    """Everybody whom letters of a game may name or reach; observers are its subscribers.

    `vacancies`: whether somebody may have to be looked for, so that standbys are wanted too.
    """
    observers = tuple(row.person_id for row in view.lists.subscribers(topic_of(game.key)))
    standbys = tuple(row.person_id for row in view.lists.standbys(game.key)) if vacancies else ()
    openings = tuple(row.person_id for row in view.lists.subscribers(OPENINGS)) if vacancies else ()
    known = Members(view) if members is None else members
    seated = {seat.person for seat in game.seats.values() if seat.person is not None}
    known.gather({*seated, *observers, *([game.gm] if game.gm else [])})
    return Cast(known, judge.office, observers, standbys=standbys, openings=openings)


def post_letters(
    judge: Judge,
    unit: Transaction,
    change: GameChange,
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    writer: int = 0,
) -> tuple[Letter, ...]:
    """Put every letter that the events call for into the outbox; those that answer the sender come back unposted.

    `writer`: the person whose mail it was, who gets a receipt.
    """
    if all(_is_silent(change.after, event) for event in change.events):
        return ()
    wanted = any(isinstance(event, (ev.SeatVacated, LadderStep, SubstituteSought)) for event in change.events)
    members = Members(unit) if members is None else members
    cast = replace(cast_of(judge, unit, change.after, members, vacancies=wanted), writer=writer)
    letters = _in_their_languages(judge, change, cast, members, _since_report(unit, change))
    answers, others = [], []
    for letter in letters:
        letter = _confirming(unit, letter)
        if letter.answers and mail_id is not None:
            answers.append(letter)
        elif not unwanted(unit, letter):
            others.append(letter)
    put_all(judge, unit, others, now, mail_id=mail_id, noted=noted, members=members)
    return tuple(answers)


def _in_their_languages(
    judge: Judge, change: GameChange, cast: Cast, members: Members, since: Sequence[ev.Event]
) -> tuple[Letter, ...]:
    """The letters that the events call for, each made in the language of its reader: once for each language that
    anybody reads. That they are the same letters, in the same order, is what makes one of each.
    """

    def made(code: str) -> tuple[Letter, ...]:
        with speak(judge.language(code)):
            return tuple(letters_for(change.before, change.events, change.after, cast, since))

    usual = made("")
    codes = [members[letter.person].language if letter.person else "" for letter in usual]
    others = {code: made(code) for code in set(codes) if judge.language(code) is not judge.language()}
    if not others:
        return usual
    return tuple(others.get(code, usual)[at] for at, code in enumerate(codes))


def _confirming(unit: Transaction, letter: Letter) -> Letter:
    """A letter that asks for a word on a held mail, with the confirmation to which answers go."""
    if not letter.reply_as.startswith(OF_MAIL):
        return letter
    key = unit.inbox.get(int(letter.reply_as.removeprefix(OF_MAIL))).confirm_key
    return replace(letter, reply_as=f"{CONFIRM}{key}" if key else letter.seat)


def put(
    judge: Judge,
    unit: Transaction,
    letter: Letter,
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    also: str = "",
) -> bool:
    """One letter into the outbox; False if its reader has no address any more. `noted` gets a line about it.

    `also`: a second address that gets a copy.
    """
    return put_all(judge, unit, (letter,), now, mail_id=mail_id, noted=noted, members=members, also=also) == 1


def put_all(
    judge: Judge,
    unit: Transaction,
    letters: Sequence[Letter],
    now: datetime,
    *,
    mail_id: int | None = None,
    noted: list[dict[str, str]] | None = None,
    members: Members | None = None,
    also: str = "",
) -> int:
    """Letters into the outbox, in their order; returns how many have a reader with an address. As `put` for each."""
    members = Members(unit) if members is None else members
    addressed = [(letter, letter.address or members[letter.person].address) for letter in letters]
    going = [(letter, address) for letter, address in addressed if address]
    if not going:
        return 0
    if noted is not None:
        noted += [{"to": address, "subject": "", "kind": str(letter.kind)} for letter, address in going]
    views = frozen([letter for letter, _ in going])
    names = message_ids([letter.idem_key for letter, _ in going], judge.store.letter_key, judge.config.domain)
    unit.letters.add_all(
        [
            NewLetter(
                idem_key=letter.idem_key,
                message_id=name,
                kind=str(letter.kind),
                view=view,
                recipients=(address, also) if also and also != address else (address,),
                created_at=now,
                game=letter.game or None,
                seat=letter.seat or None,
                person_id=letter.person or None,
                mail_id=mail_id,
                not_before=_not_before(judge, letter, now),
            )
            for (letter, address), view, name in zip(going, views, names, strict=True)
        ]
    )
    return len(going)


def post_again(judge: Judge, unit: Transaction, letter: Stored, now: datetime, *, mail_id: int) -> None:
    """Send a stored letter's view once more, as a letter of its own, to the person's present address of record."""
    key = f"{letter.idem_key}/again/{mail_id}"
    unit.letters.add(
        NewLetter(
            idem_key=key,
            message_id=message_ids((key,), judge.store.letter_key, judge.config.domain)[0],
            kind=letter.kind,
            view=letter.view,
            recipients=(address_of(unit, letter.person_id or 0),),
            created_at=now,
            game=letter.game,
            seat=letter.seat,
            person_id=letter.person_id,
            mail_id=mail_id,
        )
    )


def _not_before(judge: Judge, letter: Letter, now: datetime) -> datetime | None:
    """When a letter may leave: some can be recalled for a while, some must not betray their author by their moment."""
    wait = letter.wait + (_veil(judge, letter.veil) if letter.veil else timedelta())
    return now + wait if wait else None


def _veil(judge: Judge, most: timedelta) -> timedelta:
    share = int.from_bytes(judge.entropy(4), "big") / 2**32
    return LEAST + (most - LEAST) * share


def _since_report(unit: Transaction, change: GameChange) -> Sequence[ev.Event]:
    """Events since the last report, whose broadcast press the next one repeats; since those of the last turns, where
    somebody takes a power over. Asked only when either letter is due.
    """
    if change.before is None:
        return ()
    key, upto = change.before.key, change.before.seq
    if any(isinstance(event, ev.PhaseAdjudicated) for event in change.events):
        reports = 0
    elif any(isinstance(event, ev.SeatFilled) for event in change.events):
        reports = len(recent_results(change.before, TALKED))
    else:
        return ()
    reported = upto + 1
    for _ in range(1 + reports):  # behind the report before the first of them
        reported = unit.events.last_of(key, ev.PhaseAdjudicated.__name__, upto_seq=reported - 1) if reported else 0
    return tuple(thaw_all(unit.events.load(key, after_seq=reported, upto_seq=upto)))


SeatOf = Callable[[str, str], SeatRow | None]
"""Who sits in a game's seat: `view.games.seat`, or what was read of it for many letters at once."""


def reply_address(
    judge: Judge, seat_of: SeatOf, reply_as: str, game: str, created_at: datetime, *, letter: int = 0
) -> str:
    """The address that a letter asks its reader to answer to: their seat's token, a confirmation's, the letter's own
    (`letter` is its number, 0 where its reader is nobody whom we know), or the judge's own.

    A letter written for a former tenure never carries the token of the present one.
    """
    local, domain = judge.config.local_part, judge.config.domain
    if reply_as.startswith(CONFIRM):
        return f"{local}+{mint(Purpose.CONFIRM, reply_as.removeprefix(CONFIRM), judge.store.secret)}@{domain}"
    seat = seat_of(game, reply_as) if reply_as and game else None
    if seat is None or seat.person_id is None or seat.since > created_at:
        if letter:
            return f"{local}+{mint(Purpose.LETTER, f'{letter:016x}', judge.store.secret)}@{domain}"
        return judge.office.game_address(game)
    return f"{local}+{mint(Purpose.SEAT, seat.nonce, judge.store.secret)}@{domain}"


_NEWS = (Kind.INVITATION, Kind.VACANCY)
"""Letters to those who wish to hear of games, and to those who wait for one."""

DIGEST = "digest"
"""The topic of those who wish one letter now and then about all the games that they observe."""


def ways_out(judge: Judge, view: View, letter: LetterRow) -> tuple[str, str]:
    """(address, link) that end the subscription which a letter came by, each "" where there is none.

    Onlookers can leave; whoever holds a seat cannot leave their game by a click. Whoever is invited asks for no more
    invitations so.
    """
    config, secret = judge.config, judge.store.secret
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
    errand = find_errand(view, reference)
    return errand if errand is not None and errand.do == Kind.INVITATION else None


class OneClick:
    """What the HTTP listener asks; see `judge.transport.web.Wishes`."""

    def __init__(self, judge: Judge, accept: Accept) -> None:
        self._judge = judge
        self._accept = accept

    def wish(self, token: str, /) -> Future[bool] | bool | None:
        """Put the wish into the inbox, if the token is genuine and there is a subscription for it to end.

        The wish is known by the subscription that it ends, down to its beginning: a hundred clicks are one mail, and
        whoever subscribes again can leave again. Raises StoreTrouble.
        """
        judge = self._judge
        found = read_token(token, judge.store.secret)
        if found is None or found.purpose is not Purpose.UNSUBSCRIBE:
            return None
        with judge.store.read() as view:
            known = _known(view, found.reference, judge.store.secret)
        if not known:
            return None
        return self._accept.take(
            Arrival(
                raw=b"Subject: unsubscribe\r\n\r\nOne click on the link in a letter's List-Unsubscribe.\r\n",
                source="http",
                transport_key=f"http:{known}",
                mail_from="",
                rcpt_to=(f"{judge.config.local_part}+{token}@{judge.config.domain}",),
                received_at=judge.clock.now(),
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
