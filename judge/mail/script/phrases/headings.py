"""Words of headings, which say for which game, power or phase the lines below are, and of what only looks like one."""

from __future__ import annotations

import re

from judge.mail.script.phrases import listed

SILENT = listed("""
    orders order moves move for from of my our the this here are is in game turn phase season power player set
    please and current present now name spiel partie""")
"""Words of a heading that name nothing."""

SPOKEN = listed("is are in here this please")
"""Words of a sentence: "Winter is here" is not a heading."""

NOW = listed("current present now")

TURNS = listed("turn phase season")

BEGINS_ORDERS = re.compile(r"(?:a|f|army|fleet)\b\.?\s*[^\W\d_]{2}", re.IGNORECASE)

FOR = re.compile(
    r"(?:(?:and|now|also|next|then)\s+)?"
    r"(?:(?:my |the |our )?(?:orders?|moves?|builds?|retreats?) (?:for|in)|for)(?: (?:the |my )?game)?\b",
    re.IGNORECASE,
)

NAMED = re.compile(
    r"\s*(?:(?:(?:(?:my |the |our )?(?:orders?|moves?) )?(?:for|in) )?(?:(?:the|my|our)\s+)?(?:game|spiel|partie)"
    r"(?:\s+name)?\s*[:=#]?\s+(?P<name>[^\W\d_][\w-]{1,39})|(?:(?:orders|moves) (?:for|in) )?(?:the )?"
    r"(?P<before>(?!other|second|third|next|last|first|same|my|this|our|whole|new|old)[a-z][a-z0-9-]{2,31})"
    r"\s+(?:game|spiel|partie)\s*:)[\s.:]*",
    re.IGNORECASE,
)

ANOTHER = re.compile(
    r"(?:(?:and |now )?(?:(?:my |the )?(?:orders|moves) )?(?:for|in) )?(?:(?:the|my|our) )?"
    r"(?:(?:other|second|third|next) game|game\s*(?:#|no\.?|number)?\s*\d{1,3})\s*:?",
    re.IGNORECASE,
)
""" "For the other game:", "Game 2"."""

ANY_TAG = re.compile(
    r"(?:(?:subject|betreff|objet|asunto|oggetto|re|aw|fwd?|wg)\s*:\s*)*\[(?P<name>[^\[\]]{2,40})\]\s*(?P<rest>[^:].*)?:?",
    re.IGNORECASE,
)
""" "[tagos]", as in the subjects of our letters."""

PRESS = re.compile(r"(?:to|@|an|für|fuer|à|para|aan)\s*:?\s*(?P<name>\S.{1,30}?)\s*:", re.IGNORECASE)
""" "To Germany:" above words that were hardly for the judge."""

NO_TAG = listed("""
    snip cut sic end begin start orders order moves move draft final new ext external extern internal spam bulk
    secure encrypted confidential public image photo logo picture attachment attached smile grin joke done note
    update updated corrected correction edit edited thanks please quote text truncated deleted removed redacted
    signed signature unsigned yes none list
    """)

WHEN = listed("next last previous following coming later year years")

CASE = re.compile(
    r"(?:(?:and|but|only|even|or|so)\s+)?"
    r"(?:if|unless|else|otherwise|in case|provided|assuming|should|when|suppose)\b.*:",
    re.IGNORECASE,
)

TURN_WORDS = listed("turn phase season year moves")

COUNTED = re.compile(r"(?:(?:orders|moves) for )?(?:turn|season|zug|tour|turno)\s*(?:#|no\.?)?\s*\d{1,5}\s*:?", re.I)

SEASONS_ABROAD = listed("""
    frühjahr frühling fruehjahr sommer herbst printemps été automne hiver primavera verano otoño otono invierno
    estate autunno inverno voorjaar lente zomer herfst najaar
    """)

NOBODY = listed("""
    you today tonight tomorrow me us all everyone everybody judge review sure reference example instance clarity
    info information completeness safety processing
    """)

AFTER_SEASON = listed("moves move movement retreats retreat builds build adjustments removals")

GAME_BEHIND = re.compile(
    r"(?P<rest>.*?)(?:\s*@|(?:^|\s)(?:in|of|for|from)\s+(?:the\s+)?(?:game\s+)?)(?P<game>[\w-]+)[.!]?"
)
