"""Our own letters and earlier mails repeated below an answer without quotation marks: where they begin and end.

Only facts count: the forms of our own lines, and the line by which a mail program says who wrote what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.phrases import names_earlier_mail
from judge.mail.script.blocks import Typed
from judge.mail.script.model import Unasked

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
    r"|Not every map could be drawn;",
)
"""Lines that stand at the head of our letters or of their sections, and that nobody else writes."""
_RULED = re.compile(r"(?<=\S) -{5,}$")
"""The line across the page that a heading begins; older letters have it above."""

_ROW = re.compile(r" {0,3}\d{1,3} {2,}\S| {4,}\S|  -  \S|  sha256 [0-9a-f]{16}")
_LABEL = re.compile(r"(?:Deadline|Waiting for others|Others|Proof|Flag): ")
_GAME = re.compile(r"[\w-]{1,40} - [^()]{2,80} \([\w .-]{1,30}\s+rules\)(?: - .{1,60})?")
_RULES = re.compile(r"Rules that differ from (?:\d{4}|those of this kind of game): ")
_PHRASE = re.compile(r"Your check phrase: \S")
_HELP = re.compile(r'Help: write "help" to\b')


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
    if lines[end - 1][1].rstrip().endswith('"help" to') and end < len(lines):
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
        self._feet = any(word in text for word in ("rules", "Rules that", "check phrase", "Help:"))
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
