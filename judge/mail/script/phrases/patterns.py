"""Phrases that stand within a sentence, or open and end it, as patterns."""

from __future__ import annotations

import re

_POLITE = r"(?:(?:hi|hello|dear|judge|gm|please|sorry|and|but|so|also|ok)\b[\s,.!]*)*"

ADDRESS = re.compile(r"[^\s@,;:<>()\"]+@[^\s@,;:<>()\"]+\.[^\s@,;:<>()\"]*\w")

GAMEMASTER = r"(?:gm|g\.m\.|game ?-?master|master|moderator|referee|ref)"

FETCHES = re.compile(
    rf"{_POLITE}(?:(?:can|could|would|will|may|might)\s+(?:you|i|we)\s+(?:please\s+|kindly\s+|just\s+)*)?"
    r"(?:(?:send|show|mail|give|get|have|see)\s+(?:(?:me|us)\s+)?)(?P<what>.+?)"
    r"(?:\s+(?:again|once more|please|to me|now|for me|anew))*[\s?.!]*",
    re.IGNORECASE,
)

ASKS_DUE = re.compile(
    rf"{_POLITE}(?:when|what|till when|until when|by when)\b.{{0,40}}\b(?:deadline|due|turn end|orders in)\b"
    r".{0,30}\?",
    re.IGNORECASE,
)

ASKS_HELP = re.compile(
    rf"{_POLITE}(?:(?P<how>how\s+(?:do|does|can|could|should|may|must|would)\s+(?:i|we|one|you|a player)\b|how\s+to\b"
    r"|how\s+(?:is|are)\b(?! (?:we|things|i|you)\b))|how\s+do(?:es)?\s+(?=(?:a |an |the )?[\w-]+(?: [\w-]+)? works?\b)"
    r"|what(?:'s|\s+(?:is|are|does|happens))\b|where\s+(?:is|are|do i|can i)\b|when\s+(?:is|are|do i|does)\b)",
    re.IGNORECASE,
)

HERE = re.compile(r"\s+(?:in this game|here|in diplomacy|on this board)(?=[\s?.!]*$)", re.IGNORECASE)

ASKS_WAYS = re.compile(
    r"where (?:can|could|may|might|will|does|do) (?:my |the |a |an )?(?:army|fleet|unit|a|f)? ?(?:in |at |of |from )?"
    r"(?P<place>[\w .()/-]+?) (?:go|move|reach|attack|get|sail|march)(?: to| from there| next)?",
    re.IGNORECASE,
)

ASKS_FOR_OWN = re.compile(
    r"(?:(?:please|judge|hi|hello|dear judge|sorry|and|so|but)[\s,]+)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)?(?:"
    r"(?:tell|show|send|give|remind)\s+me\s+(?:again\s+|once more\s+|of\s+)?(?:what|which|my|the)\b.*"
    r"|(?:what|which)\b.*"
    r"|(?:did|have)\s+you\s+(?:get|got|receive|received|have)\s+(?:all\s+)?(?:of\s+)?my\b.*"
    r"|(?:are|is)\s+(?:all\s+)?(?:of\s+)?my\b.*)",
    re.IGNORECASE,
)

OF_WHAT_WAS_SENT = re.compile(
    r"\b(?:orders?|moves?)\b.*\b(?:on file|did i|have i|do you|did you|you have|i sent|in|there|safe|arrived?)\b"
    r"|\bon file\b|\b(?:i|i've|have i|did i)\s+(?:have\s+)?(?:sent?|ordered?|submit(?:ted)?|wrote|written)\b"
    r"|\bmy\s+(?:current\s+|present\s+)?(?:orders|moves)\b",
    re.IGNORECASE,
)

CONDITION = re.compile(r"\b(?:if|unless)\b", re.IGNORECASE)

AWAY_FROM = re.compile(
    r"\b(?:from|between|starting|until|till|on the|is|are|away|holidays?|vacation|abroad|offline|town)\b "
    r"(?:from |between )?(?:the )?",
    re.IGNORECASE,
)
""" "away from the", "between": what follows may be the first day."""

TO_A_DAY = re.compile(
    r"(?P<a>.+?) ?(?:\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|-|–) ?(?:the )?(?P<b>[^,;(]+).*", re.IGNORECASE
)
""" "3 March to 10 March, no internet there"."""

NEXT_WEEK = re.compile(r"\bnext week\b", re.IGNORECASE)

FOR_A_WHILE = re.compile(r"\b(?:week|today|tonight|tomorrow|until|till|weekend|month|days?|right now)\b", re.IGNORECASE)

UNTIL = re.compile(r"\b(?:until|till|up to|through)\s+", re.IGNORECASE)

STARTING = re.compile(
    r"\b(?:from|starting|beginning|as of|on)\s+(?:on\s+)?(?=\d|the\s+\d|(?-i:[A-Z])|to(?:day|morrow|night))",
    re.IGNORECASE,
)
""" "from Thursday", "starting on the 3rd": what follows may be a day."""

FOR_SO_LONG = re.compile(
    r"\bfor\s+(?:the\s+)?(?:(?:next|coming|whole|whole\s+of|full)\s+)?(?P<span>(?:\d+|[a-z]+)\s+(?:days?|weeks?))\b",
    re.IGNORECASE,
)
""" "for two weeks", "for the next 10 days"."""

MESSAGE = re.compile(
    r"(?:(?:please|and|but|so|also|judge)[\s,]+)*(?:(?:can|could|would|will)\s+(?:you|somebody|someone)\s+)?"
    r"(?:(?:please|kindly|also)\s+)*(?:(?:tell|inform|remind|warn|let|ask|pass on to)\s+"
    r"|(?:say|write|reply|answer)\s+(?:this\s+)?to\s+|dear\s+|message\s+(?:to|for)\s+)"
    r"(?P<name>(?:all\s+)?(?:the\s+)?[^\W\d_][\w-]*)\b.*",
    re.IGNORECASE,
)

HEADED = re.compile(r"[\s*_-]*(?:@|(?:to|for|an|für|à|pour)\s)\s*(?P<names>[^:]{1,60}):.*", re.IGNORECASE)
""" "To Turkey: shall we bounce?", "To Turkey and Austria:": words to whoever stands before the colon."""

AND = re.compile(r"\s*(?:,|&|\+|/|\band\b|\bund\b|\bet\b)\s*", re.IGNORECASE)

CALLED = re.compile(
    r"(?P<name>[^\W\d_]{5,}(?:-[^\W\d_]+)?)\s*[:,]\s+"
    r"(?=.*(?:\?|\b(?i:you|yours?|we|us|ours?|let['’]?s|i|me|my|please|thanks)\b))\S+\s+\S+\s+\S.*"
)
""" "Germany: shall we keep out of Burgundy?": words to whoever is called by their name. A list, and a line of a letter
of ours, speaks of nobody as you or I.
"""

FOR_ALL = re.compile(
    r"\b(?:propos(?:e|ing|al)|suggest|vote|for (?:all|everybody|everyone|the whole)|all of us|we all|us all)\b",
    re.IGNORECASE,
)
""" "I propose an extension of 7 days for everybody": more time that all vote upon."""

A_SPAN = re.compile(r"\b(?:\d+\s*|(?:an?|one|two|three)\s+)(?:hours?|h|days?|d|weeks?|w)\b", re.IGNORECASE)

OPENS_ONLY = re.compile(r"\W*(?:ok|okay|alright|all right|right|fine|good|great|sure|well|agreed)\b", re.IGNORECASE)
""" "Ok then!": how a mail begins that asks for something further down."""

CHOICE = re.compile(
    r"(?P<lead>(?:(?:yes|ok|okay|sorry|well|please)\b[\s,.!:]*)*"
    r"(?:(?:i|we)\s+(?:mean|meant|choose|chose|take|pick|want|would\s+like)\s+|(?:it|that)(?:['’]s|\s+is|\s+was)\s+"
    r"|make\s+(?:it|that)\s+)?(?:the\s+)?)(?:choice|option|answer|number|no\.|nr\.?)?\s*[#(]?(?P<number>\d{1,2})\b[.):]?"
    r"(?P<rest>(?:[\s,.;:!–—-].*)?)",
    re.IGNORECASE,
)
""" "1", "Number 1 is right.", "I meant 2, thanks": an answer by number, and what stands behind it."""

CHOSEN = re.compile(
    r"\W{0,5}(?:(?:is|was|it is|would be|please|right|correct|fine|good|ok|okay|yes|thanks|thank you|thx|the one"
    r"|that one|what i (?:mean|meant|want|wanted)|i (?:mean|meant)|of course|indeed|for me|then"
    r"|is the one)\W{1,5}){0,6}",
    re.IGNORECASE,
)
""" "... is what I meant, please": what may stand behind the number of an answer without changing it."""

PREFERS = re.compile(
    r"\b(?:would (?:like|love|prefer|enjoy)|i['’]?d (?:like|love|prefer|enjoy)|prefer(?:ably|red)?|favou?rites?"
    r"|(?:first|second|third) choice|(?:want|hope|hoping|like|love|happy|glad) (?:to )?(?:play|be|have|get|with)"
    r"|would be (?:nice|great|fine|lovely|good|my)|wish for|rather)\b",
    re.IGNORECASE,
)
""" "I'd like", "my favourite is": with the name of a power, a wish for when powers are dealt."""

PREFERS_NOT = re.compile(
    r"\b(?:not|no|never|nothing|nobody|any(?:thing)? but|except|avoid|hate|dislike|instead|if|without|against|beside"
    r"|next to|last|plays?ing|other than|rather than|who|whoever)\b|n['’]t\b",
    re.IGNORECASE,
)
""" "Anything but Austria": what a list of preferences cannot say as it stands."""

EVERYBODY = re.compile(
    r"(?:all )?(?:the )?(?:others?|everybody|everyone|all|players|powers|rest|world|other (?:players|powers))",
    re.IGNORECASE,
)

LETS_WIN = re.compile(r"let\b.*\b(?:win|victory|solo)\b", re.IGNORECASE)
""" "Let England have the win" is no message to England."""

_CLAUSE = r"(?:^|[.,;!?–—-]\s*|\b(?:so|and|but|because|therefore|then)\s+)"

_SOFT = r"(?:\s+(?:please|kindly|possibly|perhaps|maybe|really|also|just|all))*"

_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|a few|some|a couple of"

_TIME = (
    r"(?:(?:an?|some|the|one|my|one of my|a short|a little|a bit of|a bit|another|any)\s+)*"
    r"(?:(?:free|first|second|small|longer|more|extra|additional|further|little)\s+)*"
    rf"(?:extensions?(?:\s+(?:of|by|for)\s+((?:{_COUNT})\s+(?:days?|hours?|weeks?)))?|time"
    rf"|((?:{_COUNT}|more|extra)\s+(?:(?:more|extra)\s+)?(?:days?|hours?|weeks?)))\b"
)

TIME_ASKED = re.compile(
    rf"{_CLAUSE}(?:please\s+|hi\s+|hello\s+)?(?:can|could|may|might)\s+(?:i|we){_SOFT}\s+"
    rf"(?:have|get|be given|be granted|request|ask for|take){_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)

TIME_WISHED = re.compile(
    rf"{_CLAUSE}(?:i|we)(?:'d|’d| would| do| must| have to| really)?{_SOFT}\s+"
    rf"(?:like|need|want|request|ask(?: for)?|am asking for|are asking for|beg for)"
    rf"(?:\s+to\s+(?:have|get|request|ask for|take))?{_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)

TIME_GRANTED = re.compile(
    rf"{_CLAUSE}(?:please{_SOFT}\s+(?:grant|give|allow)\s+(?:me|us)|would it be possible to (?:have|get)"
    rf"|is it possible to (?:have|get)){_SOFT}\s+{_TIME}",
    re.IGNORECASE,
)

TIME_IN_SHORT = re.compile(
    rf"(?:(?:sorry|please|hi|hello|judge|dear gm)[\s,!.]+)*(?:(?:still|really|just)\s+)?"
    rf"(?:need|needing|requesting|request for|asking for|looking for|hoping for)\s+{_TIME}"
    r"(?=\s*(?:[.,;!]|$|please|because|as\b|since\b|sorry|for\b))",
    re.IGNORECASE,
)
""" "Need more time, sorry!": no subject, but nobody else's."""

DEADLINE_PUSHED = re.compile(
    rf"{_CLAUSE}(?:(?:please|kindly|judge|hi|hello|dear gm)[\s,]+)*"
    rf"(?:(?:can|could|would|will|may|might)\s+(?:you|i|we){_SOFT}\s+)?"
    r"(?:move|extend|delay|postpone|defer|push|shift|put)\s+(?:back\s+|off\s+)?"
    r"(?:it|(?:the|this|our|my|next)\s+(?:deadline|turn|phase|date))"
    rf"(?:\s+(?:back|off|on))?(?:\s+(?:by|for)\s+((?:{_COUNT})(?:\s+more)?\s+(?:days?|hours?|weeks?)))?"
    r"(?=\s*(?:[.,;!?]|$|please|because|as\b|since\b))",
    re.IGNORECASE,
)
""" "I can't make the deadline, could you move it by a day?"; one to a date is the Gamemaster's to set."""

MORE = re.compile(r"\b(?:extension|more|extra|additional|another|longer)", re.IGNORECASE)

NOT_WANTED = re.compile(
    r"^(?:if|unless|when|should) (?:you|they|he|she|it|anybody|anyone|somebody)\b"
    r"|\b(?:no|not|never|without|nobody|nor|against|instead|refuse|already|thanks for|thank you for)\b|n['’]t\b",
    re.IGNORECASE,
)

NEAR_TIME = re.compile(
    r"\b(?:extensions?|(?:more|extra|additional|longer) time|(?:more|extra) (?:days?|hours?)|extend|postpone)\b",
    re.IGNORECASE,
)

ATTACHED = re.compile(
    r"(?=.*\b(?:orders?|moves?|builds?|retreats?|sheet)\b).*\b(?:attached|enclosed|attachment|in (?:the|a) file)\b",
    re.IGNORECASE,
)

ASKS_RETREATS = re.compile(
    r"where (?:can|could|may|might|do|does|must|shall|should) (?:i|we|it|(?:my |the )?(?:army|fleet|unit))"
    r"\b[\w ]{0,40}?(?:go|move|retreat|withdraw|escape)(?: to)?|(?:what|which) (?:retreats|places|options)\b.{0,40}",
    re.IGNORECASE,
)

NEXT_GAME = re.compile(
    r"(?:when|where|how soon)\b.{0,30}\b(?:next|another|new) (?:game|match|one)\b.{0,20}\b(?:start|begin|open|join)",
    re.IGNORECASE,
)

OF_UNITS = re.compile(r"\b(?:arm(?:y|ies)|fleets?|builds?|units?)\b", re.IGNORECASE)

TO_GAMEMASTER = re.compile(
    rf"(?:(?:hi|hello|hey|dear|to|for"
    r"|(?:a |my |one |another |quick )*question (?:to|for)|ask|tell|inform|remind|let|sorry)\s+"
    rf"(?:the\s+|our\s+|mr\.? )?{GAMEMASTER}\b"
    rf"|@?{GAMEMASTER}\s*[:,]).*",
    re.IGNORECASE,
)

OF_RULES = re.compile(
    r"(?:.*[,;:.!]\s+)?(?:am i|are we|may i|may we|can i|can we|could i|must i|should i|do i|did i|is it|is there"
    r"|is this"
    r"|are there|does|do (?:we|all|both)|what (?:happens|if|is|are|does)|why|which|who is|has the"
    r"|have the|will the)\b.*",
    re.IGNORECASE,
)

YOU = re.compile(r"\b(?:you|your|yours|we|us|our)\b", re.IGNORECASE)

TO_SOMEBODY = re.compile(r"(?:dear|hi|hello|hey)\s+\w+\s*,\s*\S", re.IGNORECASE)

_HELLO = r"hi|hello|hey|dear|good (?:morning|day|evening|afternoon)"

OPENING = re.compile(
    rf"(?:(?:{_HELLO}|guten (?:tag|morgen|abend)|hallo|bonjour|hola|ciao)"
    r"(?: (?:judge|sir|all|there|everybody|everyone))?|please|pls|sorry|excuse me|judge|and|but|so"
    r"|(?:great|perfect|excellent|super|brilliant|wonderful|lovely|cool|fine|good)(?=[,!–—-])"
    r"|also|ok|well|oh|now|then|by the way|btw|besides|one more thing|another question|one question|a question"
    r"|quick question|question|just wondering|tell me|can you tell me"
    r"|could you tell me|do you know|unfortunately|sadly"
    r"|tell (?:everybody|everyone|all|the others)(?: that)?)\b[\s,:!–—-]*",
    re.IGNORECASE,
)

ENDING = re.compile(
    r"[\s,]*\b(?:please|pls|thanks?|thank you|thx|again|now|judge|then|sorry|everyone|everybody)$", re.IGNORECASE
)

IN_FULL = (
    (re.compile(r"\b(i|we|they|you)'m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\b(i|we|they|you)'(?:ll)\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(i|we|they|you)'d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(what|who|where|when|it|this|that)'s\b", re.IGNORECASE), r"\1 is"),
)

AS_WRITTEN = tuple(
    (re.compile(rf"\b{short}\b", re.IGNORECASE), whole)
    for short, whole in {
        r"(do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|ca|wo)nt": r"\1n't",
        r"im": "I'm", r"(you|they)re": r"\1're", r"(i|we|you|they)ve": r"\1've", r"id (?=like|love|rather)": "I'd ",
        r"(what|who|when|where|how|that)s": r"\1's", r"^lets": "let's",
        r"wat": "what", r"plz": "please", r"thx": "thanks", r"ur": "your", r"u": "you",
        r"wanna": "want to", r"gonna": "going to", r"gotta": "have to",
    }.items()
)  # fmt: skip

JOINT = re.compile(r",\s(?:and |but |so |therefore )?|\s(?:and|but|so|therefore)\s", re.IGNORECASE)

GREETED = re.compile(
    rf"(?:{_HELLO})(?: (?:there|sir|(?:mr\.? )?judge))?\s*,\s+(?=\S)",
    re.IGNORECASE,
)
"""A greeting with which a sentence begins; one to other players may begin words to them."""

TO_A_GM_OPENING = re.compile(
    r"(?:(?:hi|hello|hey|dear|judge|oops|sorry|please|kindly|and|so|but|also|ok|now|then|well|just)\b[\s,.!:–—-]*"
    r"|(?:can|could|would|will) you (?:please |kindly |also |just )*|(?:i|we)(?:'d| would) like (?:you )?to "
    r"|(?:i|we) (?:want|need|wish|have|must|should|shall|will)(?: you)?(?: to)? |i'm going to |i am going to "
    r"|(?:let us|let's) |(?:the judge|it) should )",
    re.IGNORECASE,
)

TO_A_GM_ENDING = re.compile(r"[\s,]+(?:please|thanks|thank you|now)$", re.IGNORECASE)


def with_apostrophes(sentence: str) -> str:
    """A sentence as its author would have written it with more time.

    >>> with_apostrophes("im lost, whens the deadline and why wont u tell me")
    "I'm lost, when's the deadline and why won't you tell me"
    """
    for short, whole in AS_WRITTEN:
        sentence = short.sub(whole, sentence)
    return sentence


ASKS = re.compile(r"(?:please |hi |hello )?(?:who|what|when|where|which|how|is|are|can|may)\b", re.IGNORECASE)

ASKS_ON = r",? and (?=(?:who|when|what|how|where|which|can|may|is)\b)"

A_PLAYER = re.compile(
    r"(?:(?:to|with|for|as|of|between|the game to)\s+)*(?P<name>[^\s@]+@[^\s@]+|[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?)\W*"
)
