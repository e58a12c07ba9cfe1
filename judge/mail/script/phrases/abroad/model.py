"""What a language has for the commands of players: a table that a translator fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tongue:
    """The words of one language. Rows are written as `judge.mail.script.phrases` has them; the first word of a row is
    never left out, and letters with accents are also read without.

    - `commands`: our line -> the rows for it. What a row takes over stands in the line by its name: `{powers}`,
      `{power}`, `{since}`, `{till}`, `{when}`, `{span}`, `{phase}` are read in this language, all others as they are.
    - `polite`: words with commas between them that may stand ahead of a command and behind it.
    - `greetings`: rows of what greets, thanks and wishes; `closings`: rows of what stands above a name.
    - `ends`: lines with commas between them that end press.
    - `headings`: words of headings that name nothing ("Befehle für ...").
    - `words`: English word of a date or a length of time -> what it is called.
    """

    code: str
    commands: Mapping[str, str]
    polite: str
    greetings: str
    closings: str
    ends: str
    headings: str
    words: Mapping[str, str]
