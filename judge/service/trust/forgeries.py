"""Mails that pretend to be ours: whoever gets one quotes it, and the Gamemaster and the operator hear of it.

Our letters show their reader's check phrase, and their words are on file: so a quotation says itself what it is.
"""

from __future__ import annotations

from judge.game.core.commands import Role
from judge.game.core.decision import Decision, Refusal
from judge.game.core.model import Game
from judge.mail.letters.words import capital
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import ReportForgery
from judge.report.core.frame import seat_title
from judge.service.posting.operator import LONGEST_QUOTE, tell_gm, tell_operator
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting

SHORTEST = 20
"""Characters of a quotation in which a check phrase could stand."""


@answers
def report(sitting: Sitting, said: ReadRequest, _: ReportForgery) -> Result:
    """File a report of a forgery, and say what the quotation shows."""
    person = sitting.speaker.acting
    if person is None:
        return Refusal("unknown-person", "I take reports only from registered people; send: register", mend="register")
    game = sitting.game(said.game)
    lines = _quoted(sitting)
    finding = _finding(lines, person.check_phrase)
    who = _who(sitting, game) if game is not None else person.name
    items = (f"{who} reports a forged mail (filed as mail {sitting.mail.id}).", finding)
    subject, key = "a forgery is reported", f"forgery/{sitting.mail.id}"
    told = game is not None and sitting.actor(game).role is not Role.GM
    if game is not None and told:
        tell_gm(sitting.house, sitting.unit, game.key, key, subject=subject, items=items, quoted=lines)
    tell_operator(sitting.house, sitting.unit, key, subject=subject, items=items, quoted=lines)
    whom = "the Gamemaster and the operator are" if told else "the operator is"
    return Decision(said=f"Filed as mail {sitting.mail.id}; {whom} told. {finding}")


def _quoted(sitting: Sitting) -> tuple[str, ...]:
    """The text of the mail but for the line of the command itself."""
    lines = [line.text for line in sitting.envelope.text_lines if line.text.strip()]
    return tuple(lines[1 : LONGEST_QUOTE + 1])


def _finding(lines: tuple[str, ...], phrase: str) -> str:
    text = " ".join(" ".join(lines).replace(">", " ").lower().split())
    if len(text) < SHORTEST:
        return "Nothing was quoted; please send it once more with the whole mail below, headers too if you can."
    if phrase.lower() in text:
        return "The quotation shows the right check phrase: it is a letter of mine, or a copy of one that was changed."
    return "The quotation does not show the check phrase, so it is no letter of mine."


def _who(sitting: Sitting, game: Game) -> str:
    """The seat by its powers; whoever has none stays an onlooker, by the name of the game alone."""
    seat = sitting.actor(game).seat
    return capital(seat_title(game, seat)) if seat else f"An onlooker of {game.key}"
