"""What a mail repeats of earlier ones: our order form, changed or not, our reports and letters, and mails of others.

Only facts count: the forms of our own lines, and the line by which a mail program says who wrote what follows.

Single lines: courtesies, names below regards, stop words and comments, which are never commands; and orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.game.filing.conditional import bare_condition
from judge.languages import tell
from judge.mail.quoting import WROTE, names_earlier_mail
from judge.mail.script.model import Script, Unasked
from judge.mail.script.phrases import abroad, own_letters
from judge.mail.script.phrases import ordering as phrases
from judge.mail.script.phrases import words as known
from judge.mail.vocabulary import Around, Unclear
from judge.mail.vocabulary.powers import is_power_word
from judge.orders.reader import looks_like_order
from judge.orders.tongues import BUILD, DISBAND, words_abroad

Typed = tuple[int, str]
"""A line number and what its author typed."""

_COMMENT = re.compile(r"(?:^|\s)//.*$")
_BULLET = re.compile(r"^\s*(?:[*•·‣▪◦+-]\s+|\(?\d{1,3}[.)]\s+)")

_LONGEST_ORDERS = 2000


def plain_line(text: str) -> str:
    """A line without comment, bullet or number before it, and blanks around it."""
    return _BULLET.sub("", _COMMENT.sub("", text)).strip()


def is_comment(text: str) -> bool:
    """Whether a line is nothing but a comment."""
    return text.lstrip().startswith("//")


def is_stop(text: str) -> bool:
    """Whether a line ends what is to be read."""
    word = " ".join(text.lower().split()).rstrip(".!")
    return word in known.STOP_WORDS


def begins_copy(text: str) -> bool:
    """Whether a line says whose words stand below it, as mail programs do above an earlier mail.

    >>> begins_copy("On Tue, 7 Jan 2031, France <france@players.test> wrote:"), begins_copy("As I wrote: A Par - Bur")
    (True, False)
    """
    return text.rstrip().endswith((":", "：")) and WROTE.search(text) is not None


def is_courtesy(text: str) -> bool:
    """Whether a line is a greeting, thanks, or the like.

    >>> is_courtesy("Thanks, all"), is_courtesy("Hi Judge,"), is_courtesy("Bestest of plans: A Par - Bur")
    (True, True, False)
    """
    return len(text) <= 80 and (known.COURTESY.fullmatch(text.strip()) is not None or abroad.greets(text))


def is_order(text: str, board: Board | None) -> bool:
    """Whether a line is meant as an order, on a board that is known."""
    if board is None or len(text) > _LONGEST_ORDERS:
        return False
    if phrases.CONDITIONAL.fullmatch(text):
        return continues_condition(text, board)
    return looks_like_order(_TIME_OF_DAY.sub(" ", text), board) or continues_condition(text, board)


_TIME_OF_DAY = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.? ?m\b\.?", re.IGNORECASE)
""" "3 a.m.", which is no army."""


def _is_talk(text: str, board: Board) -> bool:
    """Whether "if ..., then ..." is a sentence among others: it orders nothing, and depends on no place of the board.

    "If I do exactly that, then Germany cannot complain" is one; "if Italy attacks Trieste then hold" is not.
    """
    match = phrases.IF_THEN.fullmatch(text)
    if match is None:
        return False
    case, deed = match["case"].strip(" ,"), match["deed"].strip(" ,:")
    if _names_place(case, board):
        return False
    return bool(phrases.STATED.match(deed)) or not (
        looks_like_order(deed, board) or _names_place(deed, board) or _orders(deed)
    )


def _orders(words: str) -> bool:
    return not phrases.ORDERING.isdisjoint(words.lower().split())


def _names_place(words: str, board: Board) -> bool:
    """Whether capitalised or coded words name a place."""
    names = gazetteer_of(board)
    return any(bool(names.find(word).exact) for word in re.findall(r"[A-Z][\w.'’-]{2,}", words))


def continues_condition(text: str, board: Board) -> bool:
    """Whether a line belongs to a condition written over several lines: it must never be passed over as chatter."""
    if len(text) > 400 or _is_talk(text, board):
        return False
    if phrases.CONDITIONAL.fullmatch(text) or bare_condition(text, board):
        return True
    return (other := phrases.ELSE.match(text)) is not None and looks_like_order(text[other.end() :], board)


_HALF_AN_ORDER = re.compile(
    r"(?P<from>[A-Z][\w'’.]+(?: [A-Z][\w'’.]+)?)\s*(?:->|=>|[-–—→])\s*"
    r"(?P<to>[A-Z][\w'’.()/]*(?: [A-Z][\w'’.()/]*){0,2})"
)


def half_an_order(text: str, board: Board | None) -> Unclear | None:
    """What to ask of a line such as "Lapland - Finland": the shape of a move, to a place of the board, from none."""
    match = _HALF_AN_ORDER.fullmatch(text.strip()) if board is not None else None
    if match is None or board is None:
        return None
    names = gazetteer_of(board)
    start, goal = match["from"], match["to"]
    if names.places(start) or names.power(start) or not names.places(goal):
        return None
    sentence = tell(
        'No place on this board is called "{start}", so I cannot read that as an order. If it was meant as one, '
        "please write it again; nothing else of yours waits for it.",
        start=start,
    )
    return Unclear("no-place", sentence)


_RULE = frozenset("|:+=- ")


def untabled(text: str) -> str:
    """A row of a table drawn with bars as one line, "" for a rule of it; any other line as it is.

    >>> untabled("| A Paris | - Burgundy |"), untabled("|------|:-----|"), untabled("| A Par - Bur")
    ('A Paris - Burgundy', '', '| A Par - Bur')
    """
    row = text.strip()
    if not row.startswith("|") or not row.endswith("|") or row.count("|") < 3:
        return text
    return "" if _RULE.issuperset(row) else " ".join(" ".join(row.split("|")).split())


_NAME = re.compile(r"[-–—~]{0,2}\s*[^\W\d_][\w.'’-]*(?: \(?[^\W\d_][\w.'’)-]*){0,3}")
_BELOW_CLOSING = 2


def signatures(lines: Iterable[tuple[int, str]]) -> frozenset[int]:
    """The numbers of lines that are a name below thanks or regards.

    >>> sorted(signatures([(1, "A Par - Bur"), (2, "Kind regards,"), (3, "Anna Berger"), (4, "Berlin")]))
    [3, 4]
    """
    found, left = set(), 0
    for number, text in lines:
        line = text.strip()
        if known.CLOSING.fullmatch(line) or abroad.closes(line):
            left = _BELOW_CLOSING
        elif left and _NAME.fullmatch(line) and line.lstrip("-–—~ ")[:1].isupper():
            found.add(number)
            left -= 1
        elif line:
            left = 0
    return frozenset(found)


_LONGEST = 200
_WRAPPED = 4
"""Lines over which a mail program spreads who wrote what follows."""
_FOOT = 8
"""Lines that the foot of a letter may take."""

_PHASE = r"(?:SPRING|SUMMER|FALL|AUTUMN|WINTER) \d{1,4} (?:MOVES|RETREATS|ADJUSTMENTS|BUILDS)"
_HEAD = re.compile(
    r"Received \w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d\b"
    r"|\[[\w-]{1,40}\] .{1,60} - POSITION CORRECTED\b"
    r"|(?:NEEDS CORRECTION|COMPLETE|PARTIAL|MISSING|NOTHING NEEDED) - "
    r"|(?:ON FILE FOR|STANDING ORDERS OF|KEPT FOR|ORDERS AHEAD FOR|YOUR DESK,|YOUR TASKS,) [A-Z]{3}"
    r"|YOUR MAIL, LINE BY LINE$|TO PUT RIGHT$|NOT DONE$|YOUR ACCOUNT$|WHAT CHANGED$"
    r"|HOW TO PLAY, IN FIVE LINES$|RETREATS DUE   "
    r"|ORDER FORM - keep the lines|(?:FINAL )?UNIT POSITIONS$"
    r"|CENTRES(?: AT THE START|, not yet counted| as counted last)\b"
    r"|THE HOUSE RULES\b.{0,60}$"
    rf"|{_PHASE}(?:   \( \) = failed|, in sentences$)|PRACTICE, phase \d+ of \d+: you play "
    r"|TOURNAMENT [A-Z0-9-]{2,21}: |TOURNAMENTS$|THE TOUR, \d+ (?:of|OF) \d+: |SANDBOX [\w-]{1,40}, [A-Za-z]"
    r"|(?:BLACK |GREY )?PRESS (?:from .{1,60} )?\(relayed by the judge|A LETTER FROM THE GAMEMASTER, "
    r"|PREVIEW - for the Gamemaster alone|SPECULATION - for you alone|WHAT I UNDERSTOOD - .{1,60} comes next"
    r"|(?:STILL )?TO BE DECIDED BEFORE |ACTS OF THE GAMEMASTER$|RATINGS AFTER \d|GAMES THAT LOOK FOR PLAYERS$"
    r"|(?:The lot has fallen|The powers have been drawn)\. You play [A-Z]{3}"
    r"|You take over [A-Z]{3}.{1,60}\. Thank you for stepping in!"
    r"|Something is still missing from you, and the clock|The deadline has passed (?:and your orders|without orders)"
    r"|A mail that speaks for you came from |The Gamemaster has (?:extended|changed) the deadline\."
    r"|Good day\. I am a judge: a program|HELP - [A-Z]"
    r"|[A-Z][\w-]{1,30} in [\w-]{1,40} needs a player\."
    r"|(?:THE )?(?:SETTINGS|EXPORT) OF [A-Z0-9-]{2,32}\b|HOW THE HOUSE RULES OF [A-Z0-9-]{2,32} HAVE CHANGED$"
    r"|THE GAME IN SHORT$|Appeal \d{1,4}: [A-Z].{1,60} doubts? what became of "
    r"|YOUR (?:PRESS|LETTERS) (?:WITH .{1,60} |ABOUT |IN )[A-Z0-9-]{2,32}\b"
    r"|What has happened in the games that you observe|The game ends (?:as|with) a "
    r"|Along with this letter (?:go|goes):$|The map of this game cannot be drawn at the moment;"
    r"|Not every map could be drawn;"
    rf"|{own_letters.PHASE}   \( \) = (?:{own_letters.FAILED})|(?:{'|'.join(own_letters.ORDER_FORMS)}) - "
    rf"|\[[\w-]{{1,40}}\] (?:{own_letters.TITLE})\b|{own_letters.HEADS}",
)
"""Lines that stand at the head of our letters or of their sections, and that nobody else writes."""
_RULED = re.compile(r"(?<=\S) -{5,}$")
"""The line across the page that a heading begins; older letters have it above."""

_ROW = re.compile(r" {0,3}\d{1,3} {2,}\S| {4,}\S|  -  \S|  sha256 [0-9a-f]{16}")
_LABEL = re.compile(rf"(?:Deadline|Waiting for others|Others|Proof|Flag|{own_letters.LABELS}): ")
_GAME = re.compile(r"[\w-]{1,40} - [^()]{2,80} \([\w .-]{1,30}\s+rules\)(?: - .{1,60})?")
_RULES = re.compile(
    rf"Rules that differ from (?:\d{{4}}|those of this kind of game): |(?:{'|'.join(own_letters.RULES)}).{{1,40}}: "
)
_PHRASE = re.compile(rf"(?:{'|'.join(('Your check phrase: ', *own_letters.CHECK_PHRASES))})\S")
_HELP_OPENS = ('Help: write "help" to', *own_letters.HELP)
_HELP = re.compile(rf"(?:{'|'.join(_HELP_OPENS)})\b")
_FOOT_WORDS = ("rules", "Rules that", "check phrase", "Help:", *own_letters.CHECK_PHRASES, *own_letters.HELP)


def is_foot(text: str) -> bool:
    """Whether a line stands in the foot of our letters: it names the game and its rules, the phrase, or the help.

    >>> is_foot("baltic - Diplomacy (1976 rules)"), is_foot("Baltic - Berlin (as agreed)")
    (True, False)
    """
    line = text.strip()
    if len(line) > _LONGEST:
        return False
    return bool(_GAME.fullmatch(line) or _RULES.match(line) or _PHRASE.match(line) or _HELP.match(line))


def foot_lines(lines: Sequence[Typed], at: int) -> int:
    """How many lines from `at` on are foot: one, or the line about the game broken in two; 0 for none."""
    text = lines[at][1].strip()
    if is_foot(text):
        return 1
    if " - " not in text or at + 1 == len(lines) or len(text) > _LONGEST:
        return 0
    return 2 if _GAME.fullmatch(f"{text} {lines[at + 1][1].strip()}") else 0


_STATUS = re.compile(r"[\w-]{1,40}: (?:Spring|Summer|Fall|Autumn|Winter) \d{1,4} (?:moves|retreats|adjustments|builds)")


def begins_letter(lines: Sequence[Typed], at: int) -> bool:
    """Whether a letter of ours begins at line `at`; the first line of `status` is a player's heading elsewhere."""
    if heads_letter(lines[at][1]):
        return True
    if _STATUS.fullmatch(lines[at][1].strip()) is None:
        return False
    below = next((text for _, text in lines[at + 1 : at + 4] if text.strip()), "")
    return below.startswith(("YOUR DESK,", "YOUR TASKS,"))


def heads_letter(text: str) -> bool:
    """Whether a line begins one of our letters, or a section of one."""
    return len(text) <= _LONGEST and _HEAD.match(_RULED.sub("", text.strip())) is not None


def after_letter(lines: Sequence[Typed], at: int) -> int | None:
    """The index after the foot of the letter in which line `at` stands; None if no foot follows."""
    feet = [here for here in range(at, len(lines)) if is_foot(lines[here][1])]
    sure = next((here for here in feet if not _GAME.fullmatch(lines[here][1].strip())), None)
    if not feet:
        return None
    end = (feet[0] if sure is None else sure) + 1
    for here in range(end, min(end + _FOOT, len(lines))):
        if is_foot(lines[here][1]):
            end = here + 1
        if _HELP.match(lines[here][1].strip()):
            break
    if lines[end - 1][1].rstrip().endswith(_HELP_OPENS) and end < len(lines):
        return end + 1  # the address on a line of its own
    return end


def torn_letter(lines: Sequence[Typed], at: int) -> int:
    """The index after the last line of our forms, of a letter that begins at `at` and whose foot is missing."""
    end = at + 1
    for here in range(end, len(lines)):
        text = lines[here][1]
        if not text.strip():
            continue
        if not (heads_letter(text) or _ROW.match(text) or _LABEL.match(text)):
            break
        end = here + 1
    return end


def attribution(lines: Sequence[Typed], at: int) -> int:
    """How many lines from `at` on say who wrote what follows, and when; 0 for none.

    >>> attribution([(1, "On Mon, 4 May 2026 at 19:00, Judge"), (2, "<judge@judge.test> wrote:"), (3, "A Par H")], 0)
    2
    """
    text = ""
    for here in range(at, min(at + _WRAPPED, len(lines))):
        line = lines[here][1].strip()
        if not line or len(text) + len(line) > 2 * _LONGEST:
            return 0
        text = f"{text} {line}".strip()
        if line.endswith((":", "：")):
            return here - at + 1 if names_earlier_mail(text) else 0
    return 0


class Copies:
    """Finds what is repeated in one mail, in one passage from its first line to its last."""

    def __init__(self, lines: Sequence[Typed]) -> None:
        self._lines = lines
        text = "\n".join(text for _, text in lines)
        self._feet = any(word in text for word in _FOOT_WORDS)
        self._introduced = ":" in text or "：" in text
        """Whether any line can say who wrote what follows: most mails hold neither this nor a foot."""
        self._footless = False
        """Where no foot was found once, none stands further down: a mail is searched once."""

    def begin(self, at: int, *, asked: bool) -> tuple[tuple[int, Unasked], ...]:
        """The spans that begin at line `at`, each with the index after it and what it is; none where a copy does not.

        Below a line that says who wrote what follows, all down to the foot of our letter is a copy; where no foot
        follows, all of it is, provided that its author `asked` for something above.
        """
        if self._feet and (foot := foot_lines(self._lines, at)):
            return ((at + foot, Unasked.FOOTER),)
        if begins_letter(self._lines, at):
            return ((self._end(at) or torn_letter(self._lines, at), Unasked.REPORT),)
        said_by = attribution(self._lines, at) if self._introduced else 0
        if not said_by:
            return ()
        below = at + said_by
        end = self._end(below) or (len(self._lines) if asked else below)
        return (below, Unasked.ATTRIBUTION), (end, Unasked.QUOTED)

    def _end(self, at: int) -> int | None:
        end = None if self._footless else after_letter(self._lines, at)
        self._footless = end is None
        return end


_BLANK = re.compile(r"_{2,}")
_AROUND = " -.:"
_COAST = re.compile(r"\s*\([^()]*\)?$")
_OPEN_END = re.compile(r"_{2,}[\s.:)(-]*$")
"""A blank at the end of a line, with whatever stops it."""
_MARKS = re.compile(r"^[\s>|]+")
_UNIT = re.compile(r"^(.+?)(?:\s+-+>?\s|\s+(?:S|C|H|R|D|B|holds?|supports?|convoys?|retreats?)\b|\s*_|\s*\(|$)", re.I)
_TITLE = re.compile(
    r"^\s*\[[\w-]{1,40}\]\s+(?:(?:SPRING|SUMMER|FALL|AUTUMN|WINTER)\s\d{4}\b.*\bRESULTS\b"
    rf"|(?:{own_letters.TITLE})\b)"
)
_ORDER_FORMS = ("ORDER FORM", *own_letters.ORDER_FORMS)
_CHECK_PHRASES = tuple(phrase.strip().casefold() for phrase in ("Your check phrase:", *own_letters.CHECK_PHRASES))
_KIND = re.compile(r"(?:army|fleet|[a-z])\s+(.+)")
_ADJUSTING = {"b": "build", "r": "remove", "d": "remove", "disband": "remove", "build": "build", "remove": "remove"}
_ADJUSTING |= {"w": "build", "waive": "build"}
_ADJUSTED = {"build", "remove"}
_ABROAD = {BUILD: "build", DISBAND: "remove"}
_ADJUSTING |= {word: _ABROAD[says] for word, says in words_abroad() if says in _ABROAD}
_BUILDING = {word for word, what in _ADJUSTING.items() if len(word) > 1 and word != "waive"}


def as_compared(text: str) -> str:
    """A line for comparison: no quotation marks, runs of blanks as one, case folded."""
    return " ".join(_MARKS.sub("", text).split()).casefold()


def has_blanks(text: str) -> bool:
    """Whether a line has blanks of a form in it, filled in or not."""
    return _BLANK.search(text) is not None


def without_blanks(text: str) -> str:
    """What is written on and around the blanks of a line, without the marks of quotation."""
    return " ".join(_BLANK.sub(" ", _MARKS.sub("", text)).split())


def is_unfilled(text: str) -> bool:
    """Whether a line has blanks of a form in it, and nothing is written in their place, before or behind them.

    >>> [is_unfilled(line) for line in ("A Paris - ____", "A Paris - ____ Bur", "A Paris - Bur____", "BUILD ____")]
    [True, False, False, True]
    """
    if not _OPEN_END.search(text):
        return has_blanks(text) and not without_blanks(text)
    rest = without_blanks(text).rpartition(": ")[2].lower().rstrip(_AROUND)
    rest = _COAST.sub("", rest)
    unit = _UNIT.match(rest)
    return rest in _ADJUSTING or (rest.partition(" ")[0] not in _BUILDING and (unit is None or unit.end() == len(rest)))


_WORDS = (Unasked.CHATTER, Unasked.STOP, Unasked.AFTER_STOP, Unasked.AFTER_FAILURES, Unasked.UNTRIED, Unasked.FORWARDED)
"""Lines in which the author says something of their own, understood or not."""


def came_back_unfilled(script: Script, form: Iterable[str]) -> bool:
    """Whether a mail brought lines of an order form as they were sent, and nothing besides but courtesy. `form`: the
    lines of the letter that it answers.
    """
    if not script.empty or any(one.why in _WORDS for one in script.ignored):
        return False
    sent = {as_compared(line) for line in form}
    return any(one.why is Unasked.FORM or as_compared(one.text) in sent for one in script.ignored)


_UNIT_NAMED = re.compile(r"(?:army|fleet|[af])\s*\d{0,2}\s+(?P<place>\S.*)", re.IGNORECASE)


class Form:
    """The order form of the letter replied to."""

    def __init__(self, lines: Iterable[str], board: Board | None) -> None:
        self._board = board
        self._lines = {as_compared(line) for line in lines if as_compared(line)}
        self._subjects = {subject for line in self._lines if (subject := self._subject(line))}
        self._bare = {without_blanks(line).rstrip(" -") for line in self._lines}
        """Its units alone, as other parts of our letters name them too, at the end of a list that was folded."""

    def edited(self, text: str) -> str:
        """The order on a form line that was changed; "" for any other line."""
        if not self._subjects or len(text) > _LONGEST:
            return ""
        line = as_compared(text)
        if line in self._lines or line.rstrip(" -") in self._bare or is_unfilled(line) or self._only_names(line):
            return ""
        order = without_blanks(text)
        if self._subject(as_compared(order)) not in self._subjects:
            return ""
        return order if is_order(order, self._board) else ""

    def _only_names(self, line: str) -> bool:
        """Whether a line names units and says nothing of them: "F1 St. Petersburg (sc), F2 Sevastopol", the end of a
        list of units that was folded.
        """
        names = gazetteer_of(self._board) if self._board is not None else None
        units = [_UNIT_NAMED.fullmatch(part.strip(" .-")) for part in line.split(",") if part.strip(" .-")]
        return names is not None and bool(units) and all(one and names.places(one["place"]) for one in units)

    def _subject(self, line: str) -> str:
        """What a line gives an order to: the province of "a burgundy - ______", or "build" and "remove", of one power
        where its reader has several.
        """
        whose, colon, rest = line.rpartition(": ")
        if colon and (subject := self._subject(rest)) in _ADJUSTED:
            return f"{whose}: {subject}"
        word = line.partition(" ")[0]
        match = _UNIT.match(line)
        unit = match[1].strip() if match else ""
        named = _KIND.fullmatch(unit)
        places = gazetteer_of(self._board).places(named[1] if named else unit) if self._board and unit else ()
        if places and (named or word not in _ADJUSTING):
            return province_of(places[0])
        return _ADJUSTING.get(word, unit)


class Printed:
    """Follows one of our reports through a mail: its results are no order form, though their lines look like one.

    >>> seen = Printed()
    >>> lines = ("> [baltic] FALL 1901 MOVES - RESULTS", "> FRANCE  A Paris H", "> ORDER FORM", "> A Paris - Bur")
    >>> [seen(line) for line in lines]
    [True, True, False, False]
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._inside = inside

    def __call__(self, text: str) -> bool:
        """Whether this line, the next one of the mail, stands among the results."""
        plain = _MARKS.sub("", text)
        if is_report_title(plain):
            self._inside = True
        elif plain.startswith(_ORDER_FORMS) or is_report_end(plain):
            self._inside = False
        return self._inside


def is_report_end(text: str) -> bool:
    """Whether a line is the last of our reports, which names the reader's check phrase."""
    return text.strip().casefold().startswith(_CHECK_PHRASES)


def is_report_title(text: str) -> bool:
    """Whether a line is the title of one of our reports ("[tannenburg] FALL 1902 - MOVE RESULTS")."""
    return len(text) <= 200 and _TITLE.match(text) is not None


_RESULT_ROW = re.compile(r"^\s{0,3}([A-Za-z][\w.-]{2,20}(?: [\w.-]{2,20})?):?\s{2,}\S")
_CONTINUED = 20
"""Columns by which the end of a row is set in where it runs on."""


@dataclass(slots=True)
class PastedResults:
    """Follows the lines of a mail; ask it about each of them in turn."""

    _row: str = ""
    """The power whose rows these are."""
    _wide: bool = False

    def is_of_others(self, text: str, around: Around) -> bool:
        """Whether a line is a row of a power that its author does not play, or runs on from an outcome column."""
        indent = len(text) - len(text.lstrip())
        if self._wide and indent >= _CONTINUED:
            return True
        board, match = around.board, _RESULT_ROW.match(text)
        if board and match and (power := is_power_word(match[1], board)):
            self._row = power
        elif indent < 4:
            self._row = ""
        self._wide = bool(self._row) and "  " in text.strip()
        return bool(self._row and around.powers and self._row not in around.powers)
