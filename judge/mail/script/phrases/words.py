"""Words and sayings by which ordinary speech, courtesies and passwords are told from what is meant for a judge.

Words by which a line that begins like a command is told to be one, a question about one, or small talk.
"""

from __future__ import annotations

import re

from judge.mail.script.phrases import Phrases, listed
from judge.mail.script.phrases.tongues import TABLES
from judge.wordbook import any_of

IDIOMS = Phrases("""
    - (hold | hold on to) (your|my|the) (horses|breath|hats|hat|tight) ...
    - hold on ...
    - press on ...
    - drop me|us a line ...
    - correct me if (i am | i'm) wrong ...
    - stop me|us (if|before) ...
    - leave (it|that) to ...
    - (wait and see | wait till|until you see) ...
    - wait (a|one) (minute|moment|second|bit|sec) ... ...
    - wait for it ...
    - back from (a|an|the|my|our) ... ...
    - ready when you are ...
    - ready or not ...
    - ready steady go
    - join the (club|party|fun|army|navy) ...
    - (watch this space | watch your back | watch out) ...
    - start (the|your) (clock|clocks|engines|day|week|car) ...
    - (end of story | the end) ...
    - (message|order|orders) (received|understood|is clear) ...
    - set sail ...
    - (draw|drawing) your own conclusions ...
    - (go ahead | come on) (make my day | do your worst) ...
    - help is on its|the way ...
    - note to (self|myself) ...
    - support your local ...
    - (okay|ok|yes|no) (this|that|it) is|was ...
    - play it again ...
    - set phasers ...
    - accept no substitutes
    - [please] (give|send) my|our (regards|love|best|best wishes|thanks|compliments) ...
    - (okay|ok) enough ...
    - fleet (street|footed) ...
    - fleet-footed ...
    - army life ...
    - edit (typo|fixed|corrected|added|spelling) ...
    - vote early ...
    - save our souls ...
    - name one|me ...
    - process of elimination ...
    - list of my ...
    """)
"""Sayings that begin with the word of a command or of an order, and command nothing."""

ORDINARY = listed("""
    a an the this that these those such what whatever which who whose whom it its itself he him his she her hers
    they them their theirs we our ours you your yours i my mine myself yourself one ones is are am was were be been
    being do does did done has have had having can could may might must shall should will would of in on at by for
    from with without into onto over under about after before between through to and or but nor not no none nothing
    nobody never ever so as if when while where why how than then there here some any each both few more most much
    many other another same own only just even still yet again once twice always often too very quite rather well
    also really enough down up out off away back regardless early long hola""")
"""Words of ordinary speech: beside them stands a sentence, and no argument of a command."""

CALENDAR = listed("""
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december week weeks weekend day days hour hours month months""")
"""Words of dates, which games and small talk share."""

OF_THE_GAME = CALENDAR | listed("""
    game games match table order orders ordered move moves turn turns phase phases season seasons spring summer fall
    autumn winter retreat retreats build builds removal removals disband unit units army armies fleet fleets convoy
    deadline deadlines due draw draws vote votes ballot poll proposal proposals concession concede victory solo
    press letter letters map maps picture pictures report reports result results seat seats power powers player
    players gm gamemaster moderator observer observers standby standbys substitute deputy tournament centre centres
    center centers position positions setting settings house rules extension absence holiday holidays vacation
    reminder reminders address password zone timezone preset variant everybody everyone survivors aye nay yea sandbox
    practice history status commands command file files archive invitation wait game's""")
"""What a judge has to do with."""

SOMEBODY = listed("""
    him her them me us ally allies capital border front neighbour neighbor neighbours everything both two all""")
"""Words of ordinary speech for people and things that have a name in a game."""

STOP_WORDS = frozenset(
    {"end", "signoff", "sign off", "sign-off", "endorders", "end orders", "end of orders", "stop", "eof", "bye", "--"}
)
"""A line that is nothing but one of these ends the mail."""

COURTESY = re.compile(
    r"(?:(?:hi|hello|hey|hallo|dear|greetings|good (?:morning|day|afternoon|evening))\b[^:;?]{0,40}"
    r"|(?:many |best |kind |warm )?(?:thanks|thank you|thx|cheers|regards|wishes|greetings|best)\b[^:;?]{0,40}"
    r"|(?:yours(?: sincerely| truly| faithfully)?|sincerely|ciao|tia|mfg|see you|take care|good luck)\b[^:;]{0,30}"
    r"|(?:here are |these are |here come |below are )?my (?:orders|moves)\b[^:;]{0,40}:?"
    r"|(?:on|am|le|el|op)\b.{0,90}\b(?:wrote|writes|schrieb|a écrit|escribió|schreef) ?:"
    r"|(?:happy (?:new year|birthday|holidays|easter|christmas)|merry (?:christmas|xmas)|season's greetings"
    r"|congratulations|congrats|well (?:played|done)|good game|nice (?:game|move|to meet you)|have (?:a|fun)"
    r"|all the best|enjoy|welcome|no (?:problem|worries)|sorry for the (?:delay|trouble|noise)"
    r"|(?:i )?hope (?:you|this|all|everybody|everyone))\b"
    r"[^:;?]{0,50}"
    r"|sent from my [^:;]{0,40}|get outlook for [^:;]{0,20})[,.!\s-]*",
    re.IGNORECASE,
)

CLOSING = re.compile(
    r"(?:(?:many |best |kind |warm |warmest |with )?(?:thanks|thank you|thx|cheers|regards|wishes|greetings|best|love)"
    r"|yours|sincerely|ciao|tia|see you|take care|good luck|bye|so long"
    rf"|{any_of(TABLES, 'courtesies', 'farewell')})\b.{{0,40}}",
    re.IGNORECASE,
)


COMMANDS = listed("""
    adjudicate advertise amend announce appoint ask assign ban begin call cancel carry change claim clear close
    concede continue count create decline delete disqualify download drop end erase exclude export extend finish
    forget give hand hold import invite join kick leave list make message move name nudge observe open pause
    postpone process propose prod proxy publish quit recall register reinstate remind remove reopen repeat
    replace request resend reset resign restart resume retract reveal revive revoke roll rollback rollforward
    search send set share show split start step stop submit subscribe swap switch take undo unobserve
    unsubscribe use vacate verify vote wait watch withdraw
    """)
"""English verbs with which people tell somebody what to do."""

FACTS = listed("absence absent away back civil deadline default deputy draw extension ready same")
"""Words of verbs that are no English verbs, and yet begin many a wish."""

FOLLOWS = listed("""
    a again all an as at aye because before between both by during each every everybody everyone everything for
    from her him his if in it me my nay no not now of our please should since sending that the their them these
    this those till to until us what with without yes your you
    """)
"""Words that go on after such a word, where it is meant; commas, "or" and "on" tell of prose."""

OF_ONESELF = re.compile(
    r"i (?:resign|quit|claim|take over|request|withdraw|concede|give up|need|want|would like|must|have to)\b", re.I
)

AMOUNT = re.compile(r"\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:to)?(?:day|morrow)\b|next\b", re.I)

SAYS_OF_IT = re.compile(r"\s*(?:is|was|are|were|will|would|has|had|can|could|may|might|sounds|seems|looks)\b", re.I)
"""What makes the word the subject of a sentence: "Wait is what I do"."""

AS_SUBJECT = re.compile(
    r"(?:the|my|our) \S+ (?!(?:please|pls|this|yes|as|of|and|is)\b)[a-z]{3,}s\b(?! (?:please|pls))", re.IGNORECASE
)
""" "The tour passes through Burgundy": an article makes the word the subject of a sentence."""

HELD = re.compile(
    r"(?:hold|pause|stop) (?:(?:my|your|our|his|her|the) (?:\S+ )?\S+[.! ]*$|(?:tight|fast|firm|steady|still)\b"
    r"|for (?:\S+ )?(?:effect|thought|breath|applause|breakfast|lunch|dinner|tea|coffee)\b)",
    re.IGNORECASE,
)
""" "Hold my beer", "Pause for dramatic effect"; whatever else is held is a game."""

BOUGHT = re.compile(
    r"\border(?:ed|ing)? (?:a|an|another|some|this) (?!(?:new|last|old|own) )"
    r"(?!(?:turn|phase|season|move|one|unit|arm|fleet)\w*\b)\w+",
    re.IGNORECASE,
)
""" "I would like to order a coffee", "Who ordered this weather?"."""

GIVES_UP = re.compile(r"(?:i )?(?:resign|quit|give up|surrender|drop out|step down|withdraw|leave)", re.IGNORECASE)

ADDRESSED = re.compile(r"(?i:press|message|letter)\s+(?i:to)\s+(?:[A-Z]{1,7}|(?i:all|everybody|gm))\b")

ENDS = re.compile(r"\s*(?:[,.;!]|$|sorry\b)", re.IGNORECASE)
"""Behind the wish to give up: "Resign. Too much to do." is meant, "Quit smoking years ago" is not."""

WISHED = re.compile(r"^(?:for|with) (?:me|us|him|her|them|all|now)\b|\bbecause\b|\b(?:please|pls|plz)\b", re.IGNORECASE)

ASKS_POLITELY = re.compile(
    r"(?:please|kindly|pls|(?:can|could|would|will) (?:you|the judge|somebody|someone)"
    r"|(?:i|we) (?:want|would like|need)(?: you| the judge)? to|i'd like(?: you)? to)\s+"
    r"(?:please |kindly |just |also )?"
    r"(?!(?:don't |do not )?(?:find|consider|excuse|note|notify|forgive|be\b|bear|see\b|accept|ignore|believe|remember"
    r"|think|thank|say\b"
    r"|play\b|win\b|let\b|help|understand|guess|imagine|do\b(?! not)|know|hear|meet|talk|apologi)).*"
    r"|(?!(?:my|your|his|her|their|our|the|this|that|these|those|here|there|all|some|please|a|an)\b)[^\W\d_]+ "
    r"(?:the|my|this|our|all) [^,;:.!?]{1,60}\b(?:please|pls|plz)[.! ]*",
    re.IGNORECASE,
)
"""A wish in a sentence, and "frobnicate the game please"."""

ASKS_WHETHER = re.compile(
    r"(?:(?:but|so|and|well|hi|hello|judge|please|sorry|then|also)[, ]+)*"
    r"(?:how|when|where|why|what if|whether)?\s*"
    r"(?:may|might|can|could|should|shall|must|do|does|did|would|will|am|(?:is|would) it (?:be )?(?:possible|allowed))"
    r"(?: (?:i|we|you|one|players?|a player|it))?"
    r"(?: (?:please|still|also|now|just|really|perhaps|ever|be|allowed|able|like|want|have|need|to|ask for|ask))*"
    r" ",
    re.IGNORECASE,
)

THAT = re.compile(r"(?:that|whether|if|receipt|the receipt|you|when)\b", re.IGNORECASE)

LINK = re.compile(r"https?:|www\.|<https?|\b[\w-]+\.(?:com|org|net|example|io)\b", re.IGNORECASE)
