"""Press and notes: which lines are their text, and whether a player's own orders slipped into it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from judge.game.core.commands import Role, SendPress
from judge.mail.script.blocks import Typed, VerbBlock, inline_block, text_block
from judge.mail.script.copies import attribution, is_foot
from judge.mail.script.lines import is_order, plain_line
from judge.mail.vocabulary import Around, BodyRule, Clause, Match, Unclear, find_verb
from judge.mail.vocabulary.player import split_inline


def body_of(match: Match, lines: Sequence[Typed], at: int, around: Around, *, sure: bool) -> VerbBlock:
    """The lines of a letter whose verb stands above `at`: all up to its end word, or to the next letter.

    Prose that began on the verb's own line ends with its paragraph, unless an end word is written. With `sure` false
    (its recipients are not understood) no end word is looked for then, so that a mail is never searched over and over.
    """
    inline = _begins_inline(match, around)
    opens = partial(opens_letter, around=around)
    if match.verb.verbatim:
        return text_block(lines, at, match.verb.ends, opens=lambda _: False)  # pasted reports hold press of their own
    if sure or not inline:
        block = text_block(lines, at, match.verb.ends, opens=opens)
        if block.closed or not inline:
            return block if block.closed else _above_copy(lines, at, block)
    return inline_block(lines, at, match.verb.ends, stops=partial(_stops_letter, around=around))


def _above_copy(lines: Sequence[Typed], at: int, block: VerbBlock) -> VerbBlock:
    """A letter whose end is not written ends where a mail program repeats one of ours: its reader alone may see it."""
    foot = max((here for here in range(at, block.after) if is_foot(lines[here][1])), default=at)
    for here in range(at, foot):
        if attribution(lines, here):
            return VerbBlock("\n".join(text.rstrip() for _, text in lines[at:here]).strip("\n"), here)
    return block


def opens_letter(text: str, around: Around) -> bool:
    """Whether a line begins another letter: press with its recipients, or `note:`."""
    match = find_verb(plain_line(text))
    if match is None or match.verb.body is not BodyRule.TEXT:
        return False
    if match.verb.name == "note":
        return around.role is Role.GM and (not match.rest or match.rest.startswith(":"))
    found = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if isinstance(found, Unclear):
        return bool(found.candidates) and "to " in match.rest.lower()
    return isinstance(found, SendPress)


def _begins_inline(match: Match, around: Around) -> bool:
    """Whether prose begins on the verb's own line; a note needs no colon."""
    if match.verb.name == "import position":
        return False  # its line names the phase; the lists begin below
    if match.verb.name == "press":
        return bool(split_inline(Clause(match.word, match.rest, around))[1])
    return bool(match.rest.strip(" :"))


def _stops_letter(text: str, around: Around) -> bool:
    """Whether a line below prose that began inline is something else: a letter, an order, a sound command."""
    line = plain_line(text)
    if opens_letter(text, around) or is_order(line, around.board):
        return True
    match = find_verb(line)
    if match is None or match.verb.body is not BodyRule.NONE:
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)
