"""Reads whether somebody comes to play, in answer to an invitation or to the news that a game looks for players.

The sentence of its author that says something decides, and only if each of its clauses is understood: "I'm in if Bob
plays" and "I'm in Berlin until Monday" are neither a yes nor a no, and are asked back.
"""

from __future__ import annotations

import re
import unicodedata

from judge.mail.assent import AGREES, BESIDE, GREETING, REFUSES, Word

_PLAY = r"(?:play|join|join in|take part|participate|be in|do it|accept)"
_IT = r"(?: (?:it|this|that|you|with you|in|this one|(?:in |for )?(?:this|the|your|that) (?:game|one)))?"
_PLAYS = _PLAY + _IT
_FOR = r"(?: (?:for|to) (?:it|this|that|this one|(?:the|this|a|your) (?:game|seat|list|place)))?"
_AFTER = r"(?: (?:please|pls|thanks|then|too|again|gladly|happily|with pleasure|for sure|definitely|as well))?"
_BEFORE = r"(?:(?:yes|yeah|yep|ok|okay|sure|of course|absolutely|great|thanks|so|then|and|oh|well|please) )*"
_SURELY = r"(?:gladly |happily |definitely |certainly |of course |really |dearly |all )?"

_GLAD = (
    rf"(?:id|i would|we would|i should) {_SURELY}(?:love|like|be (?:happy|glad|delighted|pleased)) to {_PLAYS}",
    rf"(?:i am |im )?(?:happy|glad|delighted|pleased|honou?red) to {_PLAYS}",
    rf"(?:ill|i will|i shall|will) {_SURELY}(?:be there|come|{_PLAYS})",
    rf"(?:please )?(?:count|deal|sign|put|add|include|write|pencil) me(?: in| up| down)?{_FOR}",
    rf"(?:i am|im) {_SURELY}(?:in|game|on board|aboard|up for (?:it|this)|playing|coming)",
    rf"i (?:do )?want (?:in|to {_PLAYS})",
    rf"(?:i )?{_SURELY}accept(?:ed)?(?: (?:it|this|(?:the|your|this)(?: kind)? invitation))?",
    rf"(?:i )?{_SURELY}(?:play|join){_IT}",
    "lets (?:do it|do this|go|play)|with (?:great )?pleasure|gladly|absolutely|definitely|certainly|by all means",
    "you bet|sure thing|sure|of course|yes|please do|(?:id |i would |would )?love to|in",
)
_YES = re.compile(f"{_BEFORE}(?:{'|'.join(_GLAD)}){_AFTER}")

_NOW = (
    r"(?: (?:on |of |in )?(?:this (?:time|one|game|year|round)|now|right now|just now|at the moment|at present|today"
    r"|for now|it|this|currently|any ?more|i fear))*"
)
_REGRET = r"(?:(?:no|sorry|unfortunately|so|then|and|thanks|oh|well|alas|sadly|im afraid|i am afraid|i think) )*"
_MUST = r"(?:(?:i|ill|i will|i shall|id better|i have to|i must|i need to|ill have to|i will have to) )?"
_UNABLE = "cant|can not|cannot|wont|will not|dont want to|do not want to|am unable to|would not like to|dont wish to"
_AWAY = (
    "(?:count|leave|deal) me out",
    f"{_MUST}(?:pass|decline|skip|bow out|(?:sit|give) (?:it|this|this one) (?:out|a miss))",
    "not (?:this time|this one|for me|interested|now|today|this year)",
    f"(?:im|i am) (?:not (?:interested|in|playing|coming|available|free|able|going)(?: to {_PLAY})?|out|too busy)",
    f"(?:id|i would) (?:rather|prefer) not(?: to)?(?: {_PLAY})?",
    f"i (?:{_UNABLE})(?: {_PLAY})?",
    "(?:(?:i )?(?:have|got) |ive got )?no time",
    "i (?:dont have|do not have|havent got) (?:the |any |enough )?time|too busy",
    "(?:maybe |perhaps )?(?:another|next|some other) (?:time|game)|no(?: thanks| thank you| sorry)?",
    "(?:please )?(?:dont|do not) (?:count|sign|deal|put|add|include) me(?: in| up| down)?",
)
_NO = re.compile(f"{_REGRET}(?:{'|'.join(_AWAY)}){_NOW}(?: (?:thanks|thank you|sorry|please))?")

_ONLY_WISHED = re.compile(r"(?:id|i would|would) (?:really |dearly )?(?:love|like) to.*|love to")
"""What is no yes above a "but I can't"."""
_PRAISE = "great|good|fun|lovely|interesting|nice|excellent|perfect|wonderful|fantastic|cool|splendid|brilliant|super"
_KIND = (
    r"(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:so much|a lot|very much))?"
    r"(?: for (?:the |your |this )?(?:kind )?(?:invitation|invite|asking|inviting me|thinking of me|offer))?(?: \w+)?",
    f"(?:(?:that |this |it )?(?:sounds?|looks?|is)(?: like)? )?(?:{_PRAISE})(?: idea)?",
    r"as i (?:said|wrote)|as (?:said|told)|sorry \w+",
    "hooray|yay|wow|cant wait|what fun",
    r"(?:im |i am )?(?:really |very much )?looking forward(?: to (?:it|this|that|the game))?",
    "unfortunately|sadly|alas|im afraid|i am afraid|well|oh|ah|hm|friends|all|everybody|everyone|folks|gamemaster|gm",
    "(?:have fun|good luck|enjoy)(?: (?:everybody|everyone|all|to all|to everybody|with it|with the game))?",
)
_KINDLY = re.compile("|".join(_KIND))
_ENDS = re.compile(r"(?<=[.!?])\s+|\n")
_CLAUSES = re.compile(r"[.,;:!()\"“”…–—/]+|\s-+\s|-{2,}|\bbut\b")
_TURNS = re.compile(r"\b(?:but|if|unless|except|only|until|not|cant|cannot|wont|however|though)\b")
"""Words of a later sentence that may take a yes back."""
_HANGS = re.compile(r"\b(?:still|seat|room|place|too late)\b.*\?")
"""A later question on whose answer a yes hangs: "Is there still a seat?"."""
_LONGEST = 200


def comes(text: str) -> Word | None:
    """Whether somebody who was asked comes: what the text of their answer, or one line of it, says; None for neither.

    >>> [comes(text) for text in ("Count me in!", "Sounds great, I'm in. Who else plays?", "I'll pass, thanks")]
    [<Word.YES: 'yes'>, <Word.YES: 'yes'>, <Word.NO: 'no'>]
    >>> [comes(text) for text in ("I'm in if Bob plays", "Count me in?", "Sorry Bob, I'd love to but have no time")]
    [None, None, <Word.NO: 'no'>]
    """
    sentences = [one for one in _ENDS.split(_plain(text)[:_LONGEST]) if one.strip(" .!")]
    kind = [one for one in sentences if not _beside(one)]
    if not kind:
        return None
    said = _said(kind[0])
    if said is Word.YES and any(_HANGS.search(one) for one in kind[1:]):
        return None
    if said is Word.YES and any(_TURNS.search(one) for one in kind[1:] if "?" not in one):
        return Word.NO if all(_said(one) is Word.NO for one in kind[1:]) and _ONLY_WISHED.fullmatch(kind[0]) else None
    return said


def _plain(text: str) -> str:
    """Small letters, without apostrophes and pictures."""
    text = unicodedata.normalize("NFC", text).casefold().replace("’", "").replace("'", "")
    return "".join(letter for letter in text if unicodedata.category(letter) not in ("So", "Sk", "Cf", "Mn"))


def _said(sentence: str) -> Word | None:
    if "?" in sentence:
        return None
    clauses = [part for part in (" ".join(one.split()) for one in _CLAUSES.split(sentence)) if part]
    said = [(one, _word(one)) for one in clauses if not _courtesy(one)]
    words = {word for _, word in said}
    if words == {Word.YES, Word.NO} and all(_ONLY_WISHED.fullmatch(one) for one, word in said if word is Word.YES):
        return Word.NO
    return words.pop() if len(words) == 1 else None


def _word(clause: str) -> Word | None:
    if _YES.fullmatch(clause) or clause in AGREES:
        return Word.YES
    return Word.NO if _NO.fullmatch(clause) or clause in REFUSES else None


def _courtesy(clause: str) -> bool:
    return clause in BESIDE or bool(_KINDLY.fullmatch(clause) or GREETING.fullmatch(clause))


def _beside(sentence: str) -> bool:
    clauses = (" ".join(one.split()) for one in _CLAUSES.split(sentence))
    return all(not one or _courtesy(one) for one in clauses)
