"""Verbs of the assembly and the archive: concessions, amendments, polls, headlines; recalled press, diaries."""

from __future__ import annotations

import re

from judge.game.settings.table import find_setting
from judge.game.talk.ballots import ObjectHeadlines, ProposeAmendment, ProposeConcession, ProposePoll
from judge.game.talk.epilogue import Diary, DropPage, Statement
from judge.game.talk.press import RecallPress
from judge.languages import tell, told_later
from judge.mail.vocabulary.clauses import alone, missing, plain
from judge.mail.vocabulary.model import GMS, PLAYERS, BodyRule, Clause, Reading, Unclear, Verb, named
from judge.mail.vocabulary.powers import read_power

_ASSIGNMENT = re.compile(r"(?:set\s+)?([A-Za-z][\w -]{0,40}?)\s*(?:=|\bto\b|:)\s*(\S.*)", re.IGNORECASE)
PAGE = re.compile(r"(?:page|no\.?|number|#|\s)*(\d{1,4})", re.IGNORECASE)
_NUMBER = re.compile(r"(?:press|no\.?|number|#|\s)*(\d{1,6})?", re.IGNORECASE)


def _concede(clause: Clause) -> Reading:
    rest = re.sub(r"^(?:the\s+game\s+)?(?:to\s+)?", "", plain(clause.rest), flags=re.IGNORECASE)
    if not rest:
        return missing(tell("The winner"), "concede to England")
    power = read_power(rest, clause.around.board)
    return power if isinstance(power, Unclear) else ProposeConcession(power)


def _amend(clause: Clause) -> Reading:
    """`amend rule SETTING = VALUE`, or a rule in words."""
    rest = clause.rest.strip(" :")
    if not rest:
        return missing(tell("The amendment"), "amend rule draw_from = F1905")
    match = _ASSIGNMENT.fullmatch(rest)
    setting = find_setting(match[1]) if match else None
    if match and setting:
        return ProposeAmendment(plain(match[2]), setting.name)
    return ProposeAmendment(rest)


def _poll(clause: Clause) -> Reading:
    """`poll QUESTION`, or with choices of its own behind the question: `poll Which day? Friday / Sunday`."""
    question = clause.rest.strip(" :")
    if clause.word == "ask all" and "?" not in question:
        return Unclear("no-question", tell(_NO_QUESTION))  # "Ask all three to wait" is a wish, in the words of a poll
    match = _CHOICES.fullmatch(question)
    choices = (
        tuple(dict.fromkeys(" ".join(one.split()) for one in re.split(r"[/;|]", match["choices"]))) if match else ()
    )
    if match and len(choices) > 1 and all(0 < len(one) <= _LONGEST_CHOICE for one in choices) and len(choices) <= _MOST:
        return ProposePoll(match["question"].strip(), choices)
    return (
        ProposePoll(question)
        if question
        else missing(tell("The question"), tell("poll: Shall we pause over Christmas?"))
    )


_NO_QUESTION = told_later(
    "Nothing was asked of anybody. For a poll write `poll` and the question, as in `poll: Shall we pause over "
    "Christmas?`; to write to the others, begin with `press to all`, and write your words below it."
)
_CHOICES = re.compile(r"(?P<question>.+?\?)\s*[:–-]?\s*(?P<choices>[^?]+[/;|][^?]+)")
_LONGEST_CHOICE, _MOST = 60, 9


def _recall(clause: Clause) -> Reading:
    match = _NUMBER.fullmatch(plain(clause.rest))
    if match is None:
        return Unclear("too-much", tell("`recall` takes the number of your press and nothing else."), ("recall",))
    return RecallPress(int(match[1] or 0))


def _text(clause: Clause) -> str:
    return "\n".join(part for part in (clause.rest.strip(" :"), clause.body) if part).strip("\n")


def _diary(clause: Clause) -> Reading:
    text = _text(clause)
    return Diary(text) if text.strip() else missing(tell("The text"), tell("diary: Germany has not answered yet."))


def _drop_page(clause: Clause) -> Reading:
    match = PAGE.fullmatch(plain(clause.rest))
    return (
        DropPage(int(match[1]))
        if match
        else Unclear("incomplete", tell("Which page? `diary list` shows their numbers."))
    )


def _statement(clause: Clause) -> Reading:
    text = _text(clause)
    return Statement(text) if text.strip() else missing(tell("The text"), "statement: It was a pleasure.")


VERBS: tuple[Verb, ...] = (
    Verb(
        "concede",
        words=named(
            "concede, i concede, we concede, i want to concede, i would like to concede, propose concession, "
            "concession, set concede, vote concession"
        ),
        summary="Propose to concede the game to one power.",
        usage=("concede to POWER",),
        example="concede to England",
        read=_concede,
        risky=True,
        topic="votes",
    ),
    Verb(
        "amend rule",
        words=("amend rule", "amend rules", "amend house rules", "amendment", "propose amendment", "propose rule"),
        summary="Propose another house rule; the majority of the active players decides.",
        usage=("amend rule SETTING = VALUE", "amend rule WORDS"),
        example="amend rule draw_from = F1905",
        read=_amend,
        roles=PLAYERS | GMS,
        risky=True,
        topic="votes",
    ),
    Verb(
        "poll",
        words=("poll", "ask all"),
        summary="Ask the others a question, with choices of its own if you like; the answer binds nobody.",
        usage=("poll QUESTION", "poll QUESTION? CHOICE / CHOICE"),
        example="poll: Shall we pause over Christmas?",
        read=_poll,
        roles=PLAYERS | GMS,
        risky=True,
        topic="votes",
    ),
    Verb(
        "object headlines",
        words=("object headlines", "object to headlines", "object to the headlines", "no headlines"),
        summary="No more headlines in this game; one objection is enough.",
        usage=("object headlines",),
        example="object headlines",
        read=alone(ObjectHeadlines(), "object headlines"),
        roles=PLAYERS,
        risky=True,
        topic="rules",
    ),
    Verb(
        "recall",
        words=("recall", "recall press"),
        summary="Take back press that has not left yet.",
        usage=("recall", "recall NUMBER"),
        example="recall 12",
        read=_recall,
        roles=PLAYERS | GMS,
        risky=True,
        topic="press",
    ),
    Verb(
        "diary",
        words=("diary", "diary record", "dear diary"),
        summary="A page for your diary, opened when the game ends. It ends at ENDDIARY, or where your mail ends.",
        usage=("diary TEXT", "diary"),
        example="diary: Germany has not answered yet.",
        read=_diary,
        body=BodyRule.TEXT,
        ends=("enddiary", "end diary"),
        risky=True,
        topic="diary",
    ),
    Verb(
        "diary delete",
        words=("diary delete", "diary remove", "delete diary"),
        summary="Take a page out of your diary.",
        usage=("diary delete NUMBER",),
        example="diary delete 2",
        read=_drop_page,
        risky=True,
        topic="diary",
    ),
    Verb(
        "statement",
        words=("statement", "final statement", "end of game statement", "eog", "my last words", "last words"),
        summary="Your last word on the game, sealed until all are in. It ends at ENDSTATEMENT or with your mail.",
        usage=("statement TEXT", "statement"),
        example="statement: It was a pleasure.",
        read=_statement,
        roles=PLAYERS | GMS,
        body=BodyRule.TEXT,
        ends=("endstatement", "end statement"),
        risky=True,
        topic="statements",
    ),
    Verb(
        "no statement",
        words=("no statement", "no final statement"),
        summary="You have nothing to say about the game that is over: nobody waits for a statement of yours.",
        usage=("no statement",),
        example="no statement",
        read=alone(Statement(none=True), "no statement"),
        topic="statements",
    ),
)
"""The rows, in the order in which help prints them."""
