"""Results once more, as a zine prints them: to whoever asks for themselves, and to an address that an editor names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import PhaseAdjudicated, PhaseSkipped
from judge.languages import tell
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.report.core.audience import Batch
from judge.report.core.letter import plain
from judge.report.played.results import printed
from judge.report.reply.unproved import NOBODY
from judge.report.table.turns import told_to_all
from judge.rules.calendar import read_phase
from judge.service.core.house import House
from judge.service.posting.outgoing import cast_of, put
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import Transaction, View
from judge.store.zines import ZineRow
from judge.zine.asked import ResendResults
from judge.zine.desk import ZineOffice, ZineState, desk_letter, key_of
from judge.zine.items import facts_of
from judge.zine.offices import WHO
from judge.zine.own import batches
from judge.zine.public import is_public
from judge.zine.verbs import ItemSort

PER_ADDRESS = 5
"""Such letters to one address in a day."""


@answers
def resend_results(heard: HeardMail, said: ReadRequest, request: ResendResults) -> Result:
    """`resend tannenburg F1901 to me`, `... to ADDRESS`."""
    person = heard.speaker.acting
    if person is None:
        return WHO
    zine = _zine_of(heard, person.id)
    to, member = "", heard.ledger.members[person.id]
    if request.to:
        if zine is None:
            return Refusal("editor-only", tell("Editors of zines have results sent to others; for yourself: ... to me"))
        address = read_address(request.to.strip("<>"))
        if address is None:
            return Refusal("no-address", tell('"{to}" is not a mail address.', to=request.to[:60]))
        known = heard.unit.people.by_address(address, verified=True)
        to, member = address, heard.ledger.members[known.id] if known is not None else NOBODY
    key = key_of(request.game)
    title_text = _own(heard.house, heard.unit, key, request.phase) or _sent_in(heard, key, request.phase)
    if isinstance(title_text, Refusal):
        return title_text
    if not heard.unit.contacts.allow(to or f"person:{person.id}", "reprint", heard.now.date(), PER_ADDRESS):
        return Refusal("enough-today", tell("Results were sent there often enough today; ask again tomorrow."))
    title, text = title_text
    row = zine or ZineRow("results", heard.house.office.name, ZineState.RUNNING, 0, None, heard.now)
    letter = desk_letter(
        heard.house, row, member, about=f"results-{key}-{heard.mail.id}-{said.lines[0]}", subject=title,
        table=text.splitlines(), address=to,
    )  # fmt: skip
    put(heard.house, heard.unit, letter, heard.now, mail_id=heard.mail.id, noted=heard.done.letters)
    return Decision(said=tell("{title} goes to {to} once more.", title=title, to=to or member.address))


def _zine_of(heard: HeardMail, person: int) -> ZineRow | None:
    """A zine that somebody makes."""
    offices = (one for one in heard.unit.zines.offices(person) if one.role in tuple(ZineOffice))
    rows = (heard.unit.zines.get(one.zine) for one in offices)
    return next((row for row in rows if row is not None and row.state == ZineState.RUNNING), None)


def _own(house: House, view: View | Transaction, key: str, phase: str) -> tuple[str, str] | Refusal | None:
    """(title, text) of a phase of a game that is run here; None if none is."""
    game = house.keeper.load(view, key)
    if game is None or not is_public(game):
        return None
    code = read_phase(phase, game.calendar, game.phase)
    if code is None:
        return Refusal("no-phase", tell('"{phase}" is not a phase; write one like F1901.', phase=phase[:40]))
    cast = cast_of(house, view, game)
    found: Batch | None = None
    for batch in batches(house, view, key, cast):
        played = [event.phase for event in batch.events if isinstance(event, (PhaseAdjudicated, PhaseSkipped))]
        found = batch if code in played or (len(code) == 5 and f"{code}M" in played) else found
    if found is None:
        return Refusal(
            "no-phase", tell("{phase} of {key} is not played yet.", phase=phase[:40], key=key), mend=f"history {key}"
        )
    played = [event.phase for event in found.events if isinstance(event, (PhaseAdjudicated, PhaseSkipped))]
    number = view.zines.game(key)
    frame = {"game": key, "number": (number.number if number is not None else "") or ""}
    facts: Mapping[str, Any] = {
        **told_to_all(found),
        "frame": frame,
        "printed": plain(printed(found.after, cast, played)),
    }
    text, _ = house.pressroom.do(lambda press: press.sheet("results/print.txt", facts))
    return f"{key.upper()}, {found.after.calendar.title(played[0])}", text


def _sent_in(heard: HeardMail, key: str, phase: str) -> tuple[str, str] | Refusal:
    """The same of a game that is run elsewhere: the last report of this season, word for word."""
    wanted = "".join(sign for sign in phase.lower() if sign.isalnum())
    for row in heard.unit.zines.all():
        reports = [
            one
            for state in ("printed", "seen", "new")
            for one in heard.unit.zines.items(row.key, state)
            if one.kind == ItemSort.REPORT and one.game == key
        ]
        for one in reversed(reports):
            season = facts_of(one).season
            if wanted in "".join(sign for sign in season.lower() if sign.isalnum()):
                return f"{key.upper()}, {season}", one.body
    return Refusal(
        "no-phase", tell("There are no results of {key} for {phase}.", key=key[:40], phase=phase[:40]), mend="zines"
    )
