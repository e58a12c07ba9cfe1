"""Verbs of players: joining, preferences, flags, press, votes, leaving. Orders need no verb."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from judge.game.core.commands import Clear, Colour, Leave, Prefer, SendPress, Wait
from judge.game.filing.advance import ClearKept
from judge.game.table.vacancies import Claim
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.languages import tell, told_later
from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.account import read_person
from judge.mail.vocabulary.clauses import NO, YES, alone, known_game, missing, no_more, plain, read_game
from judge.mail.vocabulary.gm import read_assign
from judge.mail.vocabulary.model import (
    ANYONE,
    GMS,
    PLAYERS,
    Around,
    BodyRule,
    Clause,
    Heading,
    Reading,
    Unclear,
    Verb,
    VerbOfAll,
    named,
)
from judge.mail.vocabulary.powers import CORRESPONDENTS, is_power_word, read_power, read_powers, read_preferences

_COLOURS = {
    "white": Colour.WHITE,
    "grey": Colour.GREY,
    "gray": Colour.GREY,
    "black": Colour.BLACK,
    "fake": Colour.BLACK,
}
_EVERYBODY = re.compile(r"(?:to\s+)?(?:all|everybody|everyone|the world)(?:\s+(?:but|except)\s+(.+))?", re.IGNORECASE)
_AS = re.compile(r"\b(?:as|from)\s+(.+?)(?=\s+to\b|\s*$)", re.IGNORECASE)
_SENDER = frozenset({"as", "from"})
_FAKED = re.compile(r"\bfake\s+(?:broadcast|to|all)\b", re.IGNORECASE)
_NO_FAKE = Unclear(
    "faked",
    told_later(
        "Recipients are never faked here: everybody who gets press reads to whom it went. It was not sent. `press "
        "black to LIST` hides who writes."
    ),
)
_FLAGS = re.compile(r"\s*(?:to|but|except|white|gr[ea]y|black|as|from)\b", re.IGNORECASE)
_NEEDS_TO = Unclear(
    "no-recipients",
    told_later("Press needs recipients: nothing was sent. Name them, or write `broadcast` for everybody."),
    ("press to England", "press to all"),
)


def read_press(clause: Clause) -> Reading:
    """`press [white|grey|black] [as NAME] to LIST`, `press to all but LIST`, `broadcast`; the body follows."""
    head, inline = split_inline(clause)
    if _FAKED.search(head):
        return _NO_FAKE
    body = "\n".join(part for part in (inline, clause.body) if part).strip("\n")
    words = [*(word for word in clause.word.split() if word in _COLOURS), *head.split()]
    colour = Colour.WHITE
    while words and words[0].lower() in _COLOURS:
        colour = _COLOURS[words.pop(0).lower()]
    while words and words[-1].lower() in _COLOURS and (len(words) == 1 or words[-2].lower() not in _SENDER):
        colour = _COLOURS[words.pop().lower()]
    head, dateline = " ".join(words), ""
    if match := _AS.search(head):
        dateline, head = plain(match[1]).strip("\"'"), f"{head[: match.start()]} {head[match.end() :]}".strip()
        if dateline.lower() in _COLOURS:  # "from white" is how the press is signed, and nobody's name
            colour, dateline = _COLOURS[dateline.lower()], ""
        elif _is_own(dateline, clause.around):  # DPjudge's FROM with one's own power is a signature
            dateline = ""
    postal = "postal" in clause.word or bool(re.search(r"\bpostal\b", head, re.IGNORECASE))
    head = re.sub(r"\bpostal\b\s*", "", head, flags=re.IGNORECASE)
    if clause.word.startswith(("broadcast", "postal")) and not head.lower().startswith("to "):
        head = f"to all {head}".strip()
    address = _addressees(head, clause)
    if isinstance(address, Unclear):
        return address
    to, everyone, but = address
    if dateline and colour is Colour.WHITE:
        colour = Colour.BLACK
    if not body.strip():
        return Unclear(
            "no-text",
            tell("The press has no text: write it on the lines below."),
            (f"{clause.word} {clause.rest}".strip(),),
        )
    return SendPress(body, to, everyone, but, colour, dateline, postal)


def _is_own(name: str, around: Around) -> bool:
    """Whether a name is that of a power of the author's own."""
    return around.board is not None and is_power_word(name, around.board) in around.powers


def split_inline(clause: Clause) -> tuple[str, str]:
    """(recipients, text on the same line) of a press line; "press: to England" and "broadcast hello" are let pass."""
    if clause.word.startswith(("broadcast", "postal")) and not _FLAGS.match(clause.rest):
        return "", clause.rest.lstrip(": ")
    head, _, inline = clause.rest.partition(":")
    if not plain(head) and _FLAGS.match(inline):
        head, _, inline = inline.partition(":")
    return plain(head), inline.strip()


def _addressees(head: str, clause: Clause) -> tuple[tuple[str, ...], bool, tuple[str, ...]] | Unclear:
    board = clause.around.board
    if match := _EVERYBODY.fullmatch(head):
        but = read_powers(match[1], board, others=CORRESPONDENTS) if match[1] else ()
        return but if isinstance(but, Unclear) else ((), True, but)
    if not head.lower().startswith("to "):
        return _NEEDS_TO
    to = read_powers(head[3:], board, others=CORRESPONDENTS)
    if isinstance(to, Unclear):
        return Unclear(
            to.reason,
            tell("{sentence} Nothing was sent.", sentence=to.sentence),
            tuple(f"press to {name}" for name in to.candidates),
        )
    return to, False, ()


_DRAW_FILLERS = re.compile(r"^(?:(?:vote|proposal|between|among|by|with|of|for)\b|:|=|\s)+", re.IGNORECASE)


def _draw(clause: Clause) -> Reading:
    rest = _DRAW_FILLERS.sub("", plain(clause.rest))
    if no_more(rest) or rest.lower() in ("all", "all survivors", "survivors", "dias", "everybody", "everyone"):
        return ProposeDraw()
    if rest.lower() in YES or rest.lower() in NO:
        return Vote(aye=rest.lower() in YES)
    powers = read_powers(rest, clause.around.board)
    if isinstance(powers, Unclear):
        return Unclear(
            "no-power", tell('"{rest}" names no powers; `draw` alone means all survivors.', rest=rest[:60]), ("draw",)
        )
    return ProposeDraw(powers)


_BALLOT = re.compile(
    r"(?:(?:on|vote|no\.?|number|#|in|to|for|the|this|a|draw|concession|proposal|it|please|and|with|many|thanks|thank"
    r"|you|all|everybody|everyone)\b[\s,.!]*|#\s*)*(\d{1,6})?",
    re.IGNORECASE,
)
"""What may stand beside an aye or a nay: fillers, and the number of the vote."""


_CHOICE = re.compile(r"(?:on\s+|no\.?\s*|#\s*)?(\d{1,6})\s*[:,]?\s+(?:for\s+|choice\s+)?(\S.{0,59})", re.IGNORECASE)
"""One of the choices of a poll: "12 Friday"."""


def _ballot(clause: Clause) -> Reading:
    """`vote aye 12`, `vote 12 no`, `vote yes on 12`."""
    text = plain(clause.rest.lower())
    if text in ("draw", "for draw", "for a draw"):
        return ProposeDraw()
    for words, aye in ((YES, True), (NO, False)):
        for word in sorted(words, key=len, reverse=True):
            for pattern in (rf"{word}\b(.*)", rf"(.*?)\b{word}"):
                match = re.fullmatch(pattern, text)
                if match and (number := _BALLOT.fullmatch(plain(match[1]))):
                    return Vote(aye=aye, vote=int(number[1] or 0))
    if choice := _CHOICE.fullmatch(plain(clause.rest)):
        return Vote(aye=True, vote=int(choice[1]), choice=choice[2])
    return Unclear("no-ballot", tell("A vote says aye or nay, and its number where several are open."), ("aye", "nay"))


def _voice(*, aye: bool, word: str) -> Verb:
    def read(clause: Clause) -> Reading:
        if number := _BALLOT.fullmatch(plain(clause.rest)):
            return Vote(aye=aye, vote=int(number[1] or 0))
        return Unclear("too-much", tell("`{word}` takes the number of a vote and nothing else.", word=word), (word,))

    names = (
        ("aye", "yea", "i vote aye", "i vote yes", "i vote for", "i am for", "i'm for")
        if aye
        else (
            *("nay", "set no draw", "no draw", "set no concede", "no concede", "i vote nay", "i vote no"),
            *("i vote against", "i am against", "i'm against"),
        )
    )
    summary = tell("Vote for") if aye else tell("Vote against")
    return Verb(
        word,
        words=names,
        summary=f"{summary}; the last vote before the close counts.",
        usage=(word, f"{word} NUMBER"),
        example=f"{word} 12",
        read=read,
        topic="votes",
    )


@dataclass(frozen=True, slots=True)
class JoinGame(PersonRequest):
    """Join, with what it says about the person too: game command `Join(preferences)` once the person is known."""

    game: str
    preferences: tuple[tuple[str, ...], ...] = ()
    zone: str = ""
    name: str = ""
    phrase: str = ""


_DETAILS = re.compile(
    r"\b(?:prefer(?:ences?|ring)?|name|zone|time ?zone|(?:with\s+)?(?:the\s+)?pass ?phrase|phrase)\b", re.IGNORECASE
)


def _join(clause: Clause) -> Reading:
    """`join GAME [prefer LIST] [zone ZONE] [name NAME]`; without a game, the one of the address."""
    start = _DETAILS.search(clause.rest)
    head = plain(clause.rest[: start.start()] if start else clause.rest)
    tail = clause.rest[start.start() :] if start else ""
    if not head and not clause.around.game:
        return missing(tell("The game"), "join tannenburg")
    game = read_game(head, clause.around, "join") if head else clause.around.game
    if isinstance(game, Unclear):
        return _join_as(head, tail, clause) or _join_with_password(head, clause.around) or game
    wishes, phrase, person_text = _split_details(tail)
    person = read_person(person_text)
    if isinstance(person, Unclear):
        return person
    board = clause.around.games.get(game) or clause.around.board
    preferences = read_preferences(wishes, board) if wishes else ()
    if isinstance(preferences, Unclear):
        return preferences
    return JoinGame(game, preferences, zone=person[1], name=person[0], phrase=phrase)


_WISH = re.compile(r"(?P<word>as|for|with|to play)?\s*(?P<what>.+)", re.IGNORECASE)
_A_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}")


def _join_as(head: str, tail: str, clause: Clause) -> Reading | None:
    """ "join tannenburg as France": powers are drawn by lot, so what is meant is a wish; the welcome names it so.
    "join tannenburg as Fred Davis" says how the player is called.
    """
    word, _, rest = head.partition(" ")
    around = clause.around
    named = known_game(word.strip("[]:,"), around)
    game, match = named or around.game, _WISH.fullmatch(rest.strip() if named else head)
    if not game or match is None:
        return None
    board = around.games.get(game) or around.board
    if not isinstance(read_preferences(match["what"], board), Unclear):
        return _join(replace(clause, rest=f"{game} prefer {match['what']} {tail}"))
    if named and match["word"] == "as" and _A_NAME.fullmatch(match["what"]):
        return _join(replace(clause, rest=f"{game} name {match['what']} {tail}"))
    return None


def _join_with_password(head: str, around: Around) -> JoinGame | None:
    """ "JOIN tannenburg word", as DPjudge has it: the pass phrase, where the game asks for one."""
    first, *rest = head.split()
    named = known_game(first.strip("[]:,?"), around)
    return JoinGame(named, phrase=rest[0]) if named and len(rest) == 1 and rest[0].lower() not in _NO_PASSWORD else None


_NO_PASSWORD = frozenset(("as", "for", "with", "and", "now", "not", "or", "too"))


def _split_details(text: str) -> tuple[str, str, str]:
    """("F E [GA]", "copper kettle", "zone Europe/Berlin") of "zone Europe/Berlin prefer F E [GA] phrase copper kettle",
    in whatever order they stand.
    """
    wishes, phrase, others = "", "", []
    marks = list(_DETAILS.finditer(text))
    for mark, end in zip(marks, [*(following.start() for following in marks[1:]), len(text)], strict=False):
        what, said = mark[0].lower(), plain(text[mark.end() : end]).lstrip(":= ")
        if what.startswith("prefer"):
            wishes = said
        elif what.endswith("phrase"):
            phrase = " ".join(re.sub(r"^is\b", "", said).strip(" \"'“”").split())
        else:
            others.append(text[mark.start() : end])
    return wishes, phrase, " ".join(others)


def _claim(clause: Clause) -> Reading:
    """`claim`, `claim France`, `claim as France`."""
    rest = re.sub(r"^(?:as|for)\b\s*", "", plain(clause.rest), flags=re.IGNORECASE)
    if no_more(rest):
        return Claim()
    power = read_power(rest, clause.around.board)
    return power if isinstance(power, Unclear) else Claim(power)


def _prefer(clause: Clause) -> Reading:
    wishes = re.sub(r"^(?:are|is|to play|playing)\b", "", plain(clause.rest), flags=re.IGNORECASE)
    preferences = read_preferences(wishes.lstrip("=: "), clause.around.board)
    return preferences if isinstance(preferences, Unclear) else Prefer(preferences)


def _clear(clause: Clause) -> Reading:
    rest = re.sub(r"\b(?:all|my|orders?|everything|for|of|the|please)\b", " ", clause.rest, flags=re.IGNORECASE)
    if no_more(rest):
        return Clear()
    if phase := clause.around.phase_in(plain(rest)):
        here = clause.around.phase
        return Clear() if here is not None and phase == str(here) else ClearKept(phase)
    power = read_power(plain(rest), clause.around.board)
    if isinstance(power, Unclear):
        return Unclear("too-much", tell("`clear` withdraws all orders; write it alone on a line."), ("clear",))
    return Clear(power)


def _replace(clause: Clause) -> Reading:
    """`replace all` of my orders; `replace FRANCE with ADDRESS` is the Gamemaster's, who gives a power away."""
    if "@" in clause.rest:
        return read_assign(clause)
    return alone(Heading(replace=True), "replace all")(clause)


_FOR_GOOD = re.compile(r"(?:for good|for ever|forever)", re.IGNORECASE)


def _leave(clause: Clause) -> Reading:
    if _FOR_GOOD.fullmatch(plain(clause.rest)):
        return Leave(for_good=True)
    named = read_power(plain(clause.rest), clause.around.board) if plain(clause.rest) else ""
    if isinstance(named, str) and named and named in clause.around.powers:
        return Leave()
    found = alone(Leave(), "leave")(clause)
    return replace(found, candidates=()) if isinstance(found, Unclear) else found


_WITHDRAW = tuple(
    f"{verb} {what}" for verb in ("withdraw", "cancel") for what in ("orders", "my orders", "all my orders")
)
_RESIGN = ("i resign", "i quit", "quit", "quit game", "quit the game", "i want to resign", "i would like to resign",
           "i must resign", "i have to resign", "i am resigning", "i'm resigning")  # fmt: skip


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "join",
        words=("join", "join game", "sign up for", "accept", "accept invitation", "accept the invitation"),
        summary="Take a seat, with the powers you like best.",
        usage=("join GAME", "join GAME prefer F E [GA] zone ZONE name NAME", "join GAME phrase WORDS"),
        example="join tannenburg prefer F E [GA] zone Europe/Berlin",
        read=_join,
        names_game=True,
        topic="joining",
    ),
    Verb(
        "prefer",
        words=("prefer", "preference", "preferences", "set preference", "set preferences", "my preferences"),
        summary="Change your list of powers before they are drawn.",
        usage=("prefer LIST",),
        example="prefer E[FG][AT]*",
        read=_prefer,
        topic="joining",
    ),
    Verb(
        "wait",
        words=("wait", "set wait", "not ready", "set not ready"),
        summary="Do not process this turn before its deadline, even if all orders are in.",
        usage=("wait",),
        example="wait",
        read=alone(Wait(on=True), "wait"),
        topic="ready",
    ),
    Verb(
        "ready",
        words=named("ready, nowait, no wait, set nowait, set no wait, set ready, i am ready, i'm ready, do not wait"),
        summary="I need not wait for you any longer.",
        usage=("ready",),
        example="ready",
        read=alone(Wait(on=False), "ready"),
        topic="ready",
    ),
    Verb(
        "replace",
        words=("replace all", "replace", "replace orders", "replace my orders"),
        summary="The orders below take the place of all that are on file.",
        usage=("replace all",),
        example="replace all",
        read=_replace,
        roles=PLAYERS | GMS,
        topic="changing",
    ),
    Verb(
        "clear",
        words=("clear", "clear orders", "clear my orders", "clear all", *_WITHDRAW),
        summary="Withdraw all your orders for this turn, or those kept for a phase to come.",
        usage=("clear", "clear PHASE"),
        example="clear",
        read=_clear,
        roles=PLAYERS | GMS,
        risky=True,
        topic="changing",
    ),
    Verb(
        "press",
        words=named(
            "press, broadcast, broadcast press, postal press, message, white press, grey press, gray press, black press"
        ),
        summary="Send words to others. They end at ENDPRESS, or where your mail ends.",
        usage=named(
            "press to LIST, press to all but LIST, press grey to LIST, press black as NAME to LIST, broadcast, "
            "postal press"
        ),
        example="press to England: Shall we leave the Channel empty?",
        read=read_press,
        roles=PLAYERS | GMS,
        body=BodyRule.TEXT,
        ends=("endpress", "end press", "endbroadcast", "end broadcast"),
        risky=True,
        topic="press",
    ),
    Verb(
        "draw",
        words=named("draw, propose draw, propose a draw, set draw, call draw, vote draw, vote for a draw, draw vote"),
        summary="Propose a draw of all survivors, or of the powers named.",
        usage=("draw", "draw LIST"),
        some_games=("draw LIST",),
        example="draw",
        read=_draw,
        risky=True,
        topic="votes",
    ),
    Verb(
        "vote",
        words=("vote", "ballot", "my vote"),
        summary="Vote by number.",
        usage=("vote aye NUMBER", "vote nay NUMBER"),
        example="vote aye 12",
        read=_ballot,
        topic="votes",
    ),
    _voice(aye=True, word="aye"),
    _voice(aye=False, word="nay"),
    Verb(
        "claim",
        words=("claim", "takeover", "take over", "i claim", "i take over"),
        summary="Take a vacant power of a game that runs.",
        usage=("claim", "claim POWER", "claim GAME POWER"),
        example="claim France",
        read=_claim,
        roles=ANYONE,
        topic="seats",
    ),
    Verb(
        "leave",
        words=("leave", "resign", "withdraw", "leave game", "leave the game", "give up my seat", *_RESIGN),
        summary="Give up your seat. I ask once more, unless you say that it is for good.",
        usage=("leave", "leave for good"),
        example="leave",
        read=_leave,
        risky=True,
        after_orders=True,
        topic="seats",
    ),
)
"""The rows, in the order in which help prints them."""
