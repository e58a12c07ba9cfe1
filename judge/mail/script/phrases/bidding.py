"""Words by which a line that begins like a command is told to be one, a question about one, or small talk."""

from __future__ import annotations

import re

from judge.mail.script.phrases import listed

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
