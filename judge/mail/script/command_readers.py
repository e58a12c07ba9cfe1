"""Readers of commands: with what stands below them, as settings, votes, or words of older judges, or cut short."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.game.core.commands import ChangeSettings, Role, SendPress
from judge.game.settings.table import TABLE
from judge.languages import tell, together
from judge.mail.script.bidding import ANSWERS, ANY_WORDS, asks_about, bids, is_small_talk, power_names
from judge.mail.script.blocks import (
    VerbBlock,
    ends_in_orders,
    inline_block,
    letter_below,
    registration,
    settings_block,
    text_block,
    wrapped_block,
)
from judge.mail.script.copies import plain_line
from judge.mail.script.cursor import HEADING_VERBS, Cursor, LineToRead, not_for_you
from judge.mail.script.headings import belongs_below
from judge.mail.script.phrases import abroad, is_question
from judge.mail.script.phrases import words as phrases
from judge.mail.script.plain_words import gm_wish_in, our_question, wish_by_its_ideas, wish_in, without_its_unit
from judge.mail.script.rewritten import by_their_powers
from judge.mail.script.sentence_readers import SET_OFF, bids_a_unit
from judge.mail.script.sentences import single_sentences
from judge.mail.vocabulary import (
    BY_NAME,
    Around,
    BodyRule,
    Clause,
    Match,
    Reading,
    Unclear,
    find_abbreviated,
    find_verb,
    may_use,
)
from judge.mail.vocabulary.clauses import known_game, no_more, without_thanks
from judge.mail.vocabulary.help import OVERVIEW, find_anywhere
from judge.mail.vocabulary.older import here_for
from judge.mail.vocabulary.settings_text import read_assignment, settings_in, split_setting

_PROSE = 8
"""A line of so many words that begins with a verb and makes no sense as a command may be chatter (`bidding.py`)."""

_SENTENCE = 4
"""A line of so many words may be a sentence that only begins like a command: "Give Russia a kick"."""

_UNSURE = frozenset(
    (
        *("too-much", "incomplete", "bad-name", "no-such-game", "no-such-power", "no-such-setting", "no-recipients"),
        *("no-phase", "no-power", "no-ballot", "no-span", "no-date", "no-proof", "no-zone", "no-password"),
    )
)
"""Reasons for which a long line is rather prose than a bad command."""

_UNIT = re.compile(r"[AF] +[A-Z]\w|(?:[Aa]rmy|[Ff]leet|build|remove|disband) ")

_QUOTES = '"“”„'


_BROKEN = 60
"""Characters of a line behind which a mail program may break a sentence."""

LONGEST_COMMAND = 400
"""Characters of a line that is a command; where prose or addresses follow, it may be longer."""

_EQUATION = re.compile(r"^[A-Za-z][\w -]{0,40}=")


def abroad_as_ours(cursor: Cursor, one: LineToRead) -> bool:
    """A command in another language than English, read as ours. "Meine Befehle:" heads orders, as "My orders:" does."""
    ours = "" if _ends_a_sentence(cursor) else abroad.command_in(one.line)
    match = find_verb(ours) if ours else None
    headed = one.line.rstrip().endswith(":")
    if match is None or (headed and match.verb.body is not BodyRule.TEXT and match.verb.name not in HEADING_VERBS):
        return False
    cursor.read(one.number, one.text, ours, one.notes)
    return True


def _ends_a_sentence(cursor: Cursor) -> bool:
    """Whether a line is the rest of a sentence that a mail program broke before its last words: "Ergebnisse."."""
    before = cursor.lines[cursor.at - 2][1].rstrip() if cursor.at > 1 else ""
    return len(before) > _BROKEN and (before[-1].isalnum() or before[-1] == ",") and not cursor.is_order(before)


def by_verb(cursor: Cursor, one: LineToRead) -> bool:
    """A line that begins with a verb of ours."""
    match = _verb_of(cursor, one.line)
    if match is None:
        return False
    if _commands_units(cursor, match):
        cursor.ask_back(one.number, one.text, without_its_unit(match.word))
        return True
    if match.verb.name == "set" and (unclear := bids_a_unit(cursor, one.line)) is not None:
        cursor.ask_back(one.number, one.text, unclear)  # "Change Paris to Picardy please"
        return True
    return _read_command(cursor, one.number, one.text, match, one.notes)


def _verb_of(cursor: Cursor, line: str) -> Match | None:
    """The verb that a line begins with; some words yield to orders."""
    match = find_verb(line) or _game_first(cursor, line)
    if match is None or SET_OFF.fullmatch(line):
        return None
    if match.verb.whole and (not no_more(match.rest) or line.rstrip().endswith(":")):
        return None
    return None if match.verb.after_orders and cursor.is_order(line) else match


def _game_first(cursor: Cursor, line: str) -> Match | None:
    """ "tannenburg: process S1901M" is `process tannenburg S1901M`."""
    word, _, rest = line.partition(" ")
    game = known_game(word.strip("[]:,"), cursor.around)
    match = find_verb(rest) if game else None
    if match is None or match.verb.body is not BodyRule.NONE:
        return None
    return replace(match, rest=f"{game} {match.rest}".strip())


def _commands_units(cursor: Cursor, match: Match) -> bool:
    """Whether a word of the Gamemaster that begins orders too is a player's about units: "hold", or "hold everything",
    and in retreats and adjustments "remove", unless a reason shows that a person is meant.
    """
    around, rest = cursor.around, match.rest.strip(" .!")
    if around.role is not Role.PLAYER or Role.PLAYER in match.verb.roles or around.board is None:
        return False
    adjusting = around.phase is not None and around.phase.kind in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
    everything = rest.lower() in ("", "everything", "everybody", "everyone", "them all")
    return everything if match.word == "hold" else match.word == "remove" and adjusting and '"' not in rest


def command_cut_short(cursor: Cursor, one: LineToRead) -> bool:
    """A command whose verb is abbreviated, where it makes sense."""
    short = None if SET_OFF.fullmatch(one.line) else find_abbreviated(one.line, cursor.around.role)
    if short is None:
        return False
    return _read_command(cursor, one.number, one.text, short, (*one.notes, "abbreviated"), only_good=True)


def for_own_power(cursor: Cursor, one: LineToRead) -> bool:
    """ "France: same again" from France."""
    own = _behind_own_power(cursor, one.line)
    if own:
        cursor.read(one.number, one.text, own, one.notes)
    return bool(own)


def _behind_own_power(cursor: Cursor, line: str) -> str:
    """What stands behind the name of the author's own power, where it is a command as it stands."""
    word, colon, rest = line.partition(":")
    board = cursor.around.board
    if not colon or board is None or cursor.around.role is not Role.PLAYER or not rest.strip():
        return ""
    found = gazetteer_of(board).power(word.strip())
    match = find_verb(rest.strip()) if len(found) == 1 and found[0] in cursor.around.powers else None
    if match is None or match.verb.body is not BodyRule.NONE or cursor.is_order(rest.strip()):
        return ""
    read = match.verb.read(Clause(match.word, match.rest, cursor.around))
    return "" if isinstance(read, Unclear) else rest.strip()


def for_a_player(cursor: Cursor, one: LineToRead) -> bool:
    """ "Concede to Anna": the power that Anna plays is meant, which the answer shows."""
    number, text, line, notes = one
    match = None if cursor.unreadable or is_question(line) else find_verb(line)
    if match is None:
        return False
    players_of = partial(cursor.context.players_of, cursor.around.game)
    found = by_their_powers(line, match, cursor.around, players_of)
    if found is None or here_for(line) is not None:
        return False
    if isinstance(found, Unclear):
        cursor.script.question((number,), text, found, match.verb.name)
        return True
    cursor.read_as(number, text, found, tell("Here that is `{found}`.", found=found), notes)
    return True


def older_word(cursor: Cursor, one: LineToRead) -> bool:
    """A line in the words of an older judge: read as our own, which the answer shows, or answered by what there
    is instead.
    """
    number, text, line, notes = one
    old = here_for(line)
    if old is None:
        return False
    said = tell(old.said) if old.said else ""
    shown = tell("Here that is {shown}.", shown=old.shown) if old.lines else ""
    if not old.read:
        cursor.ask((number,), text, Unclear("older-word", together(said, shown), old.lines))
        return True
    for ours in old.lines:
        cursor.read_as(number, text, ours, together(tell("Here that is {shown}.", shown=f"`{ours}`"), said), notes)
    return True


def ballot(cursor: Cursor, one: LineToRead) -> bool:
    """A yes or a no to a vote; in another game's part of the mail it is none."""
    number, text, line, notes = one
    if cursor.unreadable or cursor.heading.game not in ("", cursor.context.game):
        return False
    found = cursor.voting.read(line)
    if found is None:
        return False
    verb = "vote" if isinstance(found, Unclear) else "aye" if found.aye else "nay"
    cursor.write((number,), text, Match(BY_NAME[verb], verb, ""), found, cursor.context.game, notes)
    return True


def title_above(cursor: Cursor, one: LineToRead) -> bool:
    """ "Summary:", and "Summary" above orders, are what people write over them."""
    if one.line.lower().rstrip(" :.") != "summary":
        return False
    below = next((text for _, text in cursor.lines[cursor.at :] if text.strip()), "")
    return (one.line.endswith(":") or cursor.is_order(plain_line(below))) and cursor.pass_over(one)


def registration_form(cursor: Cursor, number: int, text: str) -> bool:
    """The lines from REGISTER to END, as the older judges have it."""
    if text.strip().lower() != "register" or (filled := registration(cursor.lines[cursor.at :])) is None:
        return False
    read, length = filled
    numbers = [number, *(line for line, _ in cursor.lines[cursor.at : cursor.at + length])]
    cursor.at += length
    if isinstance(read, Unclear):
        cursor.script.question(numbers, text, read, "register")
    else:
        cursor.script.say(read, numbers, text, "register", game="")
    return True


def setting(cursor: Cursor, one: LineToRead) -> bool:
    """NAME = VALUE from a Gamemaster is a setting, with or without `set`; so are several on one line, and one in
    plain words that is no command.
    """
    if cursor.around.role is not Role.GM:
        return False
    number, text, line, _ = one
    if _several_settings(cursor, number, text, line):
        return True
    if not _EQUATION.match(line):
        return False
    found = read_assignment(line)
    if not isinstance(found, tuple) or is_question(line):
        return False
    if cursor.unreadable:
        cursor.script.question((number,), text, belongs_below(cursor.unreadable), "set")
        return True
    block = wrapped_block(cursor.lines, cursor.at - 1, found[0])
    whole = read_assignment(f"{line} {block.body}") if block.body else found
    numbers = [number, *(other for other, _ in cursor.lines[cursor.at : block.after])]
    cursor.at = block.after
    if isinstance(whole, tuple):
        found = whole
    cursor.script.say(ChangeSettings(*found), numbers, text, "set", game=cursor.game)
    return True


def _several_settings(cursor: Cursor, number: int, text: str, line: str) -> bool:
    """ "private, moves 3d, zone Europe/Berlin", "victory 15"."""
    found = settings_in(line)
    match = find_verb(line)
    if not found or is_question(line) or (len(found) == 1 and (_EQUATION.match(line) or _reads(match, cursor.around))):
        return False
    if match is not None and match.verb.name == "set" and len(found) == 1:
        return False
    if cursor.unreadable:
        cursor.script.question((number,), text, belongs_below(cursor.unreadable), "set")
        return True
    game = cursor.game
    for pair in found:
        cursor.script.say(ChangeSettings(*pair), (number,), text, "set", game=game)
    return True


def _reads(match: Match | None, around: Around) -> bool:
    """Whether a line is a command as it stands."""
    if match is None or (match.verb.whole and match.rest):
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)


def _read_command(
    cursor: Cursor, number: int, text: str, match: Match, notes: tuple[str, ...], *, only_good: bool = False
) -> bool:
    """Whether the line was a command. A bad one is asked back, unless it is prose, or `only_good` ones count."""
    game, rest, around = cursor.aim(match)
    if len(text) > LONGEST_COMMAND and not _may_be_long(match, rest):
        return _too_long(cursor, number, text, match, Clause(match.word, rest[:LONGEST_COMMAND], around))
    if match.verb.name in ANY_WORDS and _is_talk(cursor, match, None):
        return False
    if is_question(text) and (asked := asks_about(match, Clause(match.word, rest, around))):
        return _answer_question(cursor, number, text, asked, match)
    if match.verb.body is BodyRule.TEXT:
        return not only_good and _letter(cursor, number, text, replace(match, rest=rest), (game, around))
    block, wrong = _block_below(cursor, match, rest)
    if match.verb.name == "set":
        rest = f"{rest} {block.body}".rstrip()
    refused = {line for line, _, _ in wrong}
    below = (line for line, _ in cursor.lines[cursor.at : block.after] if line not in refused)
    numbers = [number, *below]
    clause = Clause(match.word, rest, around, cursor.script.clean(block.body))
    found = cursor.follow(match, clause, game)
    if isinstance(found, Unclear) and (bare := without_thanks(rest)) != rest:
        again = cursor.follow(match, replace(clause, rest=bare), game)
        found = found if isinstance(again, Unclear) else again
    if isinstance(found, Unclear) and (only_good or _is_prose(cursor, text, match, found)):
        return False
    if isinstance(found, Unclear) and not may_use(match.verb, around.role):
        found = not_for_you(match.verb)  # whoever may not write it is not told how to
    if isinstance(found, Unclear):
        found = gm_wish_in(text, around) or wish_in(text, around) or _meant(cursor, text, match, found)
    cursor.at = block.after
    cursor.write(numbers, text, match, found, game, notes)
    for line, written, unclear in wrong:
        cursor.script.question((line,), written, unclear, "set")
    return True


def _block_below(cursor: Cursor, match: Match, rest: str) -> tuple[VerbBlock, list[tuple[int, str, Unclear]]]:
    """The lines below a command that belong to it, and those settings among them that are asked back."""
    lines, at, verb = cursor.lines, cursor.at, match.verb
    if verb.body is BodyRule.SETTINGS:
        return settings_block(lines, at)
    if verb.body is BodyRule.ORDERS:
        return text_block(lines, at, verb.ends, opens=partial(_is_command, cursor)), []
    if verb.name == "appeal":
        return text_block(lines, at, verb.ends, opens=partial(_ends_reason, cursor)), []
    if verb.body is BodyRule.PARAGRAPH:
        return inline_block(lines, at, verb.ends, stops=_ends_paragraph(cursor, match)), []
    if verb.name == "set" and isinstance(named := split_setting(rest), tuple):
        return wrapped_block(lines, at - 1, named[0]), []
    return VerbBlock("", at), []


def _may_be_long(match: Match, rest: str) -> bool:
    """Whether a command may be longer than a line usually is: prose follows, or the value of a setting that is free
    text.
    """
    if match.verb.body in (BodyRule.TEXT, BodyRule.PARAGRAPH):
        return True
    named = split_setting(rest) if match.verb.name == "set" else None
    return isinstance(named, tuple) and TABLE[named[0]].prose


def _meant(cursor: Cursor, text: str, match: Match, found: Unclear) -> Unclear:
    """What to ask of a bad command: what would be right in its place, else what the line is likely about."""
    offered = _offered(match, found, cursor.around.role)
    if match.verb.name in ANSWERS and (meant := wish_by_its_ideas(text, cursor.around)):
        return meant  # "OK, I take the draw" answers no question of ours
    if offered.candidates and (found.word or found.reason not in ("too-much", "not-for-you", "no-phase")):
        return offered
    if found.reason not in _UNSURE and len(text.split()) < _SENTENCE:
        return offered
    return wish_by_its_ideas(text, cursor.around) or offered


def _offered(match: Match, found: Unclear, role: Role) -> Unclear:
    """What to send instead as whole lines that their author may send: to "vacate Fance" it is "vacate France"."""
    lines = found.candidates
    if found.word:
        before, word, after = match.rest.partition(found.word)
        lines = tuple(f"{match.word} {before}{candidate}{after}" for candidate in lines) if word else ()
    allowed = (line for line in lines if (other := find_verb(line)) is None or may_use(other.verb, role))
    return replace(found, candidates=tuple(allowed), word="")


def _too_long(cursor: Cursor, number: int, text: str, match: Match, clause: Clause) -> bool:
    """Ask back what would be a command if it were shorter; prose that begins with such a word is no command."""
    if match.verb.whole or not may_use(match.verb, clause.around.role):
        return False
    if isinstance(match.verb.read(clause), Unclear):
        return False
    said = tell(
        "This line has {text} characters, and one with `{word}` may have {longest_command} at "
        "most; nothing of it was done. Please send it again in fewer words.",
        text=len(text.strip()),
        word=match.word,
        longest_command=LONGEST_COMMAND,
    )
    cursor.script.question((number,), text, Unclear("too-long", said), match.verb.name)
    return True


def _answer_question(cursor: Cursor, number: int, text: str, asked: Unclear, match: Match) -> bool:
    if len(text.split()) >= _PROSE or _is_talk(cursor, match, None):
        return False  # "Draw or not, who cares about that any more?" is chatter
    cursor.script.question((number,), text, asked, match.verb.name)
    return True


def _is_talk(cursor: Cursor, match: Match, found: Unclear | None) -> bool:
    """Whether a line in a game only happens to begin with a verb."""
    if not cursor.around.game or match.verb.name in HEADING_VERBS:
        return False
    if match.verb.name in ANSWERS and not cursor.context.free:
        return False
    if match.word == "help" and find_anywhere(match.rest, cursor.around.board) not in (None, OVERVIEW):
        return False
    return is_small_talk(match, found, cursor.around)


def _is_command(cursor: Cursor, text: str) -> bool:
    """Whether a line below orders that are not given is a command of its own."""
    line = plain_line(text)
    return find_verb(line) is not None and not cursor.is_order(line)


def _ends_reason(cursor: Cursor, text: str) -> bool:
    """Whether a line below an appeal is no more of its reason: a command as it stands, or an order in full."""
    line = plain_line(text)
    if (match := find_verb(line)) is not None:
        if match.verb.name == "appeal" or not match.rest:
            return True
        found = match.verb.read(Clause(match.word, match.rest, cursor.around, "text"))
        return not isinstance(found, Unclear) and not _is_talk(cursor, match, None)
    if any(our_question(one, cursor.around) for one in single_sentences(line)):
        return True
    return _UNIT.match(line) is not None and cursor.is_order(line)


def _ends_paragraph(cursor: Cursor, match: Match) -> Callable[[str], bool]:
    """Whether a line below one that goes on in its paragraph is something else: a command, an order, and below
    `invite` whatever holds no address and stands in no quotation.
    """
    quotes = sum(map(match.rest.count, _QUOTES))

    def stops(text: str) -> bool:
        nonlocal quotes
        if match.verb.name == "invite" and not quotes % 2 and "@" not in text and not any(map(text.count, _QUOTES)):
            return True
        quotes += sum(map(text.count, _QUOTES))
        return _is_command(cursor, text) or cursor.is_order(plain_line(text))

    return stops


def _is_prose(cursor: Cursor, text: str, match: Match, found: Unclear) -> bool:
    """Whether a line that makes no sense as a command is none."""
    if _is_remark(cursor, match, found) or _is_talk(cursor, match, found):
        return True
    if len(text.split()) >= _SENTENCE and not found.candidates and our_question(text, cursor.around):
        return True  # "Give me the story so far" gives nobody a power
    if len(text.split()) < _PROSE or text.rstrip().endswith(":"):
        return False
    allowed = may_use(match.verb, cursor.around.role)
    if found.reason not in _UNSURE:
        return not allowed and cursor.goes_on(text)
    return cursor.goes_on(text) or not (allowed and bids(match.word, match.rest, power_names(cursor.around)))


def _is_remark(cursor: Cursor, match: Match, found: Unclear) -> bool:
    """ "Orders as discussed" from a player: no power, nor anything like one, is named. "No, wait": no answer.
    "Change of mind:": nothing is to be changed.
    """
    if match.word == "no wait" and match.rest:
        return True  # "No wait, A Mar - Gas" says wait, and is no `ready`
    if match.verb.name == "confirm" and match.word in ("ok", "okay") and found.reason == "too-much":
        return True  # "OK Yorkshire it is"
    if match.verb.name == "ready" and match.rest.lower().startswith(("to ", "for ")):
        return True  # "Ready to settle for a draw"
    if match.word == "change" and match.rest.lower().startswith("of "):
        return True
    if match.verb.name == "confirm" and phrases.THAT.match(match.rest):
        return True  # "Please confirm that you got my moves" is no yes
    player = cursor.around.role is not Role.GM
    return match.verb.name == "no" or (player and match.word in ("orders as", "order for") and not found.candidates)


def _letter(cursor: Cursor, number: int, text: str, match: Match, where: tuple[str, Around]) -> bool:
    """Press or a note: the line, and the text that belongs to it."""
    game, around = where
    if not may_use(match.verb, around.role):
        return _for_others(cursor, number, text, match)
    trial = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if isinstance(trial, Unclear) and (
        _is_prose(cursor, text, match, trial) or (trial.reason == "no-recipients" and match.rest)
    ):
        return _short_of_recipients(cursor, number, text, match, trial)
    if match.verb.aside and (cursor.is_about_game or isinstance(trial, Unclear)):
        return _not_printed(cursor, number, text, match, trial)
    block = letter_below(match, cursor.lines, cursor.at, around, sure=not isinstance(trial, Unclear))
    numbers = [number, *(line for line, _ in cursor.lines[cursor.at : block.after])]
    found = cursor.follow(match, Clause(match.word, match.rest, around, cursor.script.clean(block.body)), game)
    below = not block.closed and ends_in_orders(block.body, around, cursor.context.position)
    if isinstance(found, SendPress) and below:
        found = replace(found, own_orders=True)
    if isinstance(found, SendPress) and cursor.heading.power and (around.role is Role.GM or cursor.speaks_for_power):
        found = Unclear(
            "from-whom",
            tell(
                "Below `order as` press would still come from you, the Gamemaster; nothing was sent. "
                "Write it above that line, in your own name."
            ),
        )
    if match.verb.aside and _may_be_orders(cursor, match, block.after):
        found = Unclear(
            "orders-below",
            tell(
                "Below `{word}` stands what might be orders of yours. Nothing of it was taken, to be "
                "printed or as orders. Please send orders in a letter of their own, and a text for a "
                "zine to the zine's address.",
                word=match.word,
            ),
        )
    cursor.at = block.after
    cursor.write(numbers, text, match, found, game, ())
    return True


def _not_printed(cursor: Cursor, number: int, text: str, match: Match, trial: Reading) -> bool:
    """A line for a zine that is not understood, or stands in a letter about a game: nothing below belongs to it."""
    if cursor.is_about_game and (len(text.split()) >= _PROSE or _is_talk(cursor, match, None)):
        return False  # "Article 5 of the house rules says that ..."
    about = tell(
        "This letter is about {game}; what is to be printed goes to judge@{domain}.",
        game=cursor.context.game,
        domain=cursor.context.domain,
    )
    unclear = trial if isinstance(trial, Unclear) else Unclear("elsewhere", about)
    cursor.script.question((number,), text, unclear, match.verb.name)
    return True


def _may_be_orders(cursor: Cursor, match: Match, end: int) -> bool:
    """Whether some of what a player would have printed, the lines down to `end`, may be orders of theirs."""
    if cursor.around.role is not Role.PLAYER or match.verb.names_game:
        return False
    return any(cursor.is_order(plain_line(line)) for _, line in cursor.lines[cursor.at : end])


def _for_others(cursor: Cursor, number: int, text: str, match: Match) -> bool:
    """A letter that this author cannot write: nothing below belongs to it, and "Note:" alone is a title."""
    if (text.rstrip().endswith(":") and no_more(match.rest.strip(" :"))) or _is_talk(cursor, match, None):
        return False
    cursor.script.question((number,), text, not_for_you(match.verb), match.verb.name)
    return True


def _short_of_recipients(cursor: Cursor, number: int, text: str, match: Match, trial: Unclear) -> bool:
    """ "press hello" is asked back; "Press on, everyone, and we shall win the day" is chatter."""
    if _is_prose(cursor, text, match, trial):
        return False
    cursor.script.question((number,), text, trial, match.verb.name)
    return True
