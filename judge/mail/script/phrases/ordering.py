"""Words around orders: they take orders back, turn them round, set a condition, or tell a unit in no form of an order
what to do. Those of other languages are read beside the English ones (`tongues.py`).

Words of headings, which say for which game, power or phase the lines below are, and of what only looks like one.
"""

from __future__ import annotations

import re

from judge.mail.script.phrases import listed
from judge.mail.script.phrases.abroad import HEADING_WORDS
from judge.mail.script.phrases.tongues import TABLES
from judge.wordbook import any_of

_POLITE = r"(?:(?:oh|no|oops|sorry|please|kindly|and|but|hi|hello|so|ok|wait|well|judge|dear)\b[\s,.!:;-]*)*"

_UNSAYS = (
    r"(?:ignore|disregard|forget|cancel|scratch|scrap|strike|revoke|rescind|retract|withdraw|undo|discard|void"
    r"|never ?mind)"
)

_WHICH = r"(?:(?:all|both|any|of|my|our|the|th(?:at|is|ese|ose)|last|previous|prior|earlier|first|old|whole|for)\s+)*"

_THINGS = r"(?:orders?|(?:e-?)?mails?|messages?|sets?|lines?|moves?|supports?|instructions?|submission|above)"

_ALL_OF_IT = r"everything|all of (?:it|this|that)|what(?:ever)? i (?:said|wrote|sent|ordered)"

TAKES_BACK = re.compile(
    rf"{_POLITE}{_UNSAYS}\s+(?:about\s+)?{_WHICH}(?:(?:[\w.'’-]+\s+){{0,2}}{_THINGS}|that|{_ALL_OF_IT})\b.*",
    re.IGNORECASE,
)

UNSAID_ABROAD = tuple(
    (re.compile(rf"\b(?:{verbs})\b", re.IGNORECASE), re.compile(rf"\b(?:{things})\b", re.IGNORECASE))
    for verbs, things in (
        (any_of([table], "asked-back", "takes-back"), any_of([table], "asked-back", "things")) for table in TABLES
    )
)
"""For each other language the verbs, and what they are about."""

MEANT_OTHERWISE = re.compile(
    r"\b(?:i (?:meant|mean)|make (?:that|it)|changed my mind|change of mind|instead of|rather than"
    rf"|{any_of(TABLES, 'asked-back', 'otherwise')})\b",
    re.IGNORECASE,
)

_ARMIES = any_of(TABLES, "asked-back", "army", also="army")

_FLEETS = any_of(TABLES, "asked-back", "fleet", also="fleet")

_ARTICLES = any_of(TABLES, "asked-back", "articles").replace("'", "['’]")

PIECE = re.compile(rf"(?:(?:{_ARTICLES}) ?)?(?:(?P<army>{_ARMIES})|(?P<fleet>{_FLEETS}))\b", re.I)

GOES = listed("- > -> => to").union(*(table.words("asked-back", "towards") for table in TABLES))

REVERSING = re.compile(
    r"\b(?:if|unless|not|never|no|nor|without|instead|except|but|than|cancel|ignore|forget|drop|wrong|mistake|would|could"
    r"|should|might|may|maybe|perhaps|told|tells?|said|says?|asked|asks?|wants?|hopes?|was|were)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words ahead of an order that may turn it round: it is never proposed then."""

BIDS_A_UNIT = re.compile(
    r"(?:(?:on second thoughts?|oh|no|oops|sorry|please|kindly|and|but|hi|hello|so|ok|wait|well|judge|actually|then"
    r"|now|better|rather|everything stays|keep everything|i want|i'?d like|i would like|you should|to|can you"
    r"|could you|let us|let['’]s)\b[\s,.!:;–—-]*)*"
    r"(?:let|make|have(?! (?:you|we|i|they|fun|a)\b)|send|move|change|switch|put|order|keep|turn|redirect|bring|stop"
    r"|tell|leave|attack|take|grab|invade|occupy|conquer|seize|use|pull|withdraw|advance)\b",
    re.IGNORECASE,
)

ACTS = re.compile(
    r"(?<!\w)(?P<unit>[A-Z][\w.'’-]+)\s+(?!(?:is|was|has|does|looks|seems|sounds|says)\b)[a-z]+s\s+(?:[a-z]+\s+){0,3}"
    r"(?P<goal>[A-Z][\w.'’-]+)"
)
""" "Marseilles grabs Spain", where both are places."""

OTHERWISE = re.compile(r"\b(?:instead|after all|on second thoughts?|rather)\b", re.IGNORECASE)

MUST = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthey )\b(?:should|shall|must|ought to|has to|is to)\b", re.IGNORECASE
)

IS_NO_MOVE = re.compile(r"\b(?:support\w*|covers?|holds?|stays?|stands?|not|never|stop)\b|n['’]t\b", re.IGNORECASE)

DEED = re.compile(
    r"\b(?:holds?|stays?|stands?|supports?|supporting|cover|covers|go(?:es)?|moves?|attacks?|sails?|retreats?)\b",
    re.IGNORECASE,
)

CONDITIONS = listed("if unless when should once provided")

ORDER_WORDS = ("build", "remove", "retreat", "disband", "support", "convoy")

CONDITIONAL = re.compile(
    r"\s*(?:else|else\s*:|endif|end if|otherwise\s*:?|if\s+\S.{0,200}\b(?:then|dislodged)\b.*)[\s.;]*", re.IGNORECASE
)

ELSE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]*", re.IGNORECASE)
"""What begins a line that belongs to the condition above it."""

IF_THEN = re.compile(r"\s*if\b(?P<case>.{0,200}?)\bthen\b(?P<deed>.*)", re.IGNORECASE)

STATED = re.compile(
    r"\W*(?:i|we|you|he|she|it|they|everybody|everyone|somebody|nobody|there|this|that|so|my|your|at|by)\b",
    re.IGNORECASE,
)
"""How what follows "then" begins where it says something and orders nothing."""

ORDERING = listed("hold holds move moves support supports convoy convoys stand stands stay stays")

CONDITION = re.compile(r"\b(?:if|unless|when)\b", re.IGNORECASE)

BESIDE = re.compile(
    r"(?:\s*[,;.–—(]|\s-|\s(?=and\b|but\b|also\b))\s*(?:(?:and|but|also|then|so)\b[\s,]*)*"
    r"(?=(?:i|i['’](?:d|m|ll|ve)|we|could|can|may|please|who|when|what|how|is|give|send|let)\b)",
    re.IGNORECASE,
)
"""Where a wish or a question may begin behind an order."""

BUT = re.compile(
    r"[\s,;:.–—-]*(?:but|except(?:ing)?|save|only|with|and|apart from|other than)\b"
    r"(?: (?:for|that|with|this|now))?[\s,:]+"
    r"(?P<order>.+?)(?:,? instead| this time)?[.!]*",
    re.IGNORECASE,
)

END_IF = re.compile(r"\W*end ?if\W*", re.IGNORECASE)

TITLE = re.compile(
    r"(?:(?:and|also|then|now|so|here|these|below|are|come|follow)\s+)*(?:(?:my|our|the|own)\s+)*(?:orders?|moves?)\b"
    r"(?:\s+(?:for|of|this|the|now|turn|phase|season|year|are|as|follows?|judge|spring|fall|autumn|winter|summer|below"
    r"|retreats?|builds?|[FSWfsw]?\d{2,4}\w?))*\s*(?:[:.–—-]\s*|$)",
    re.IGNORECASE,
)
""" "My orders:", alone on its line or before the first order."""

BLIND_ORDER = re.compile(
    r"^(?:a|f|army|fleet)\.?\s+\S.*(?:-|\b(?:to|h|s|c|holds?|supports?|convoys?)\b)", re.IGNORECASE
)


SILENT = (
    listed("""
    orders order moves move for from of my our the this here are is in game turn phase season power player set
    please and current present now name spiel partie""")
    | HEADING_WORDS
)
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
    rf"(?:(?:{any_of(TABLES, 'headings', 'subject', also='subject|re|fwd?')})\s*:\s*)*"
    r"\[(?P<name>[^\[\]]{2,40})\]\s*(?P<rest>[^:].*)?:?",
    re.IGNORECASE,
)
""" "[tagos]", as in the subjects of our letters."""

PRESS = re.compile(
    rf"(?:{any_of(TABLES, 'headings', 'to', also='to|@')})\s*:?\s*(?P<name>\S.{{1,30}}?)\s*:", re.IGNORECASE
)
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

_TURNS = any_of(TABLES, "headings", "turn", also="turn|season")

COUNTED = re.compile(rf"(?:(?:orders|moves) for )?(?:{_TURNS})\s*(?:#|no\.?)?\s*\d{{1,5}}\s*:?", re.I)

NOBODY = listed("""
    you today tonight tomorrow me us all everyone everybody judge review sure reference example instance clarity
    info information completeness safety processing
    """)

AFTER_SEASON = listed("moves move movement retreats retreat builds build adjustments removals")

GAME_BEHIND = re.compile(
    r"(?P<rest>.*?)(?:\s*@|(?:^|\s)(?:in|of|for|from)\s+(?:the\s+)?(?:game\s+)?)(?P<game>[\w-]+)[.!]?"
)
