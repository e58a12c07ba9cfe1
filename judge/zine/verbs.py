"""What can be written to a zine: subscribing, sending in, and the desk of its editor, deputy and publishers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from judge.languages import tell
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import known_game, missing, no_more, plain
from judge.mail.vocabulary.model import BodyRule, Clause, HelpTopic, Part, Reading, Unclear, Verb, VerbOfAll
from judge.mail.vocabulary.participants import read_observe, read_unobserve
from judge.zine import asked

FORMS = ("ascii", "text", "html", "booklet", "letter", "a5", "pdf", "epub", "notice")
"""How a subscriber may get a zine: `ascii` is text of nothing else, `pdf` on A4, and `letter`, `a5`, `booklet` on other
papers; `notice`: only word that there is a new issue.
"""


class ItemSort(StrEnum):
    """What can be sent in."""

    REPORT = "report"
    ARTICLE = "article"
    LETTER = "letter"
    BIO = "bio"
    CLASSIFIED = "classified"
    OPENING = "opening"
    EPIGRAPH = "epigraph"
    RULES = "rules"
    CARTOON = "cartoon"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class SubscribeZine(PersonRequest):
    """Get a zine, or another form of it. `role`: "editor" from somebody who wants to make it; `form`: one of FORMS, ""
    as before; `most`: of one mail in KB, 0 as before. Empty `zine`: that of the address, or the only one.
    """

    beside: ClassVar[bool] = True
    zine: str = ""
    role: str = ""
    form: str = ""
    most: int = 0

    @property
    def about(self) -> str:
        return self.zine


@dataclass(frozen=True, slots=True)
class LeaveZine(PersonRequest):
    """Get a zine no more; `how`: "leave", "pause" or "resume"."""

    beside: ClassVar[bool] = True
    zine: str = ""
    how: str = "leave"

    @property
    def about(self) -> str:
        return self.zine


@dataclass(frozen=True, slots=True)
class SendIn(PersonRequest):
    """Something to be printed. `title`, `credit`: "" for none; `game`: of a report; `issues`: how often it is printed;
    `body`: what stands on the line, or in its paragraph; of what fills a mail the lines are read where they are taken.
    """

    beside: ClassVar[bool] = True
    sort: ItemSort
    title: str = ""
    body: str = ""
    credit: str = ""
    game: str = ""
    issues: int = 1


@dataclass(frozen=True, slots=True)
class ZineAct(PersonRequest):
    """What an editor, a deputy or a publisher does. `act`: one of ACTS; `words`: what stands behind it."""

    beside: ClassVar[bool] = True
    act: str
    words: str = ""
    zine: str = ""

    @property
    def about(self) -> str:
        return self.zine

    @property
    def doing(self) -> str:
        return self.act


@dataclass(frozen=True, slots=True)
class ShowZine(Query, enclosed=True, once=True):
    """What there is to be seen. `what`: the list of all zines, a zine's page, its items, its dashboard, or an item by
    its `number`.
    """

    what: str
    zine: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class ItemAct(PersonRequest):
    """What becomes of an item. `act`: chapter, print, hold, drop or edit; `chapter`: to which."""

    beside: ClassVar[bool] = True
    number: int
    act: str
    chapter: int = 0


# --- reading ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[a-z0-9][a-z0-9-]{1,39}", re.IGNORECASE)
_SIZE = re.compile(r"\b(?:at most|up to|max(?:imum)?)\s+(\d{1,6})\s*(kb|mb)?\b", re.IGNORECASE)
_PAPER = {"a4": "pdf"}
_FILL = frozenset({"the", "zine", "to", "as", "in", "format", "a", "an", "my", "for", "please", "get", "form", "only"})


def _subscribe(clause: Clause) -> Reading:
    """`subscribe NAME [as editor] [text|html|pdf|epub|notice] [at most 500 KB]`; a game is observed."""
    most, rest = 0, clause.rest
    if size := _SIZE.search(rest):
        most, rest = int(size[1]) * (1000 if (size[2] or "").lower() == "mb" else 1), rest.replace(size[0], " ")
    words = [word.strip("\"'“”") for word in plain(rest).split()]
    names = [word for word in words if word.lower() not in _FILL and word.lower() not in (*FORMS, *_PAPER, "editor")]
    low = {_PAPER.get(word.lower(), word.lower()) for word in words}
    if names and known_game(names[0], clause.around):
        return read_observe(clause)
    if not names and "zine" not in clause.word and "zine" not in low and clause.around.game and not low & set(FORMS):
        return read_observe(clause)
    if len(names) > 1 or (names and not _WORD.fullmatch(names[0])):
        return Unclear("bad-name", tell("A zine goes by one word."), ("subscribe electronic-protocol", "zines"))
    role = "editor" if "editor" in low else ""
    form = next((form for form in FORMS if form in low), "")
    return SubscribeZine(names[0].lower() if names else "", role, form, most)


def _unsubscribe(clause: Clause) -> Reading:
    """`unsubscribe NAME`: a game is observed no more, a zine is left."""
    word = re.sub(r"(?i)\b(?:from|the|me|us|please|now|zine)\b\s*", "", plain(clause.rest)).split()
    if not word or known_game(word[0], clause.around) or not _WORD.fullmatch(word[0]):
        return read_unobserve(clause)
    return LeaveZine(word[0].lower())


def _leaving(how: str) -> Callable[[Clause], Reading]:
    def read(clause: Clause) -> Reading:
        word = plain(clause.rest).strip("\"'").lower()
        if word and not _WORD.fullmatch(word):
            return Unclear("bad-name", tell("A zine goes by one word."), (f"{how} zine", "zines"))
        return LeaveZine(word, how)

    return read


def _form(clause: Clause) -> Reading:
    """`zine format pdf`: as `subscribe` has it."""
    found = _subscribe(clause)
    if isinstance(found, SubscribeZine) and not (found.form or found.most):
        return Unclear(
            "no-form",
            tell("A zine comes as {forms} or {forms2}.", forms=", ".join(FORMS[:-1]), forms2=FORMS[-1]),
            ("zine format pdf",),
        )
    return found


def _titled(sort: ItemSort) -> Callable[[Clause], Reading]:
    """What fills the rest of the mail: `article [TITLE]`."""

    def read(clause: Clause) -> Reading:
        return SendIn(sort, title=clause.rest.strip().strip(":").strip().strip('"“”'))

    return read


def _report(clause: Clause) -> Reading:
    """`report GAME [SEASON]`, with the Gamemaster's words below."""
    text = plain(clause.rest.strip(" :"))
    if clause.around.game and (phase := _phase_of_results(text, clause)):
        sentence = tell("Results of a game that is run here come again by a line of their own.")
        return Unclear("own-results", sentence, (f"resend {phase}",))
    name, _, rest = text.partition(" ")
    if not name:
        return missing(tell("The game"), "report hero Fall 1901")
    if not _WORD.fullmatch(name) or len(rest.split()) > 4:
        return Unclear(
            "no-such-game",
            tell('"{rest}" names no game whose results could be printed.', rest=clause.rest.strip()[:40]),
        )
    return SendIn(ItemSort.REPORT, title=rest.strip(" :"), game=name.lower())


def _phase_of_results(text: str, clause: Clause) -> str | None:
    """The phase that is all that stands behind `report`, of which somebody wants to read the results once more."""
    bare = re.sub(r"^(?:of|for|on)\s+|[\s,]+(?:please|again)$", "", text, flags=re.IGNORECASE)
    return clause.around.phase_in(bare) if bare else None


def _classified(clause: Clause) -> Reading:
    """`classified 3 issues: TEXT`."""
    found = re.match(r"\s*(?:for\s+)?(\d{1,6})\s+issues?\s*[:,-]?\s*", clause.rest, re.IGNORECASE)
    issues = int(found[1]) if found else 1
    text = _paragraph(clause, clause.rest[found.end() :] if found else clause.rest)
    if not text:
        return missing(tell("The text"), "classified 3 issues: GM wanted for the rest of a game, 7 players left")
    return SendIn(ItemSort.CLASSIFIED, body=text, issues=max(1, min(issues, 52)))


def _opening(clause: Clause) -> Reading:
    """`opening: TEXT`, printed until it is dropped, at most twelve times."""
    if not (text := _paragraph(clause, clause.rest)):
        return missing(
            tell("The text"), "opening: Classic Diplomacy, the rules of 1958; send me your country preferences"
        )
    return SendIn(ItemSort.OPENING, body=text, issues=12)


def _epigraph(clause: Clause) -> Reading:
    """`epigraph TEXT -- CREDIT`."""
    text = _paragraph(clause, clause.rest)
    words, _, credit = text.partition(" --") if " --" in text else text.rpartition(" — ")
    if " --" not in text and not (words and credit[:1].isupper()):  # some programs make one long dash of two
        words, credit = text, ""
    if not words:
        return missing(tell("The quotation"), "epigraph If these pages make sense, do not drive a car. -- Erehwon #82")
    return SendIn(ItemSort.EPIGRAPH, body=words.strip().strip('"“”'), credit=credit.strip())


def _paragraph(clause: Clause, first: str) -> str:
    return "\n".join(part for part in (first.strip(" :\t"), clause.body.strip("\n")) if part.strip())


_ITEM = re.compile(
    r"#?(?P<number>\d{1,9})\b[\s,:]*(?:(?:move\s+)?to\s+chapter\s+(?P<chapter>\d{1,2})"
    r"|(?P<act>show|print|use|hold(?:\s+over)?|keep|drop|delete|edit|change)(?:\s+(?:it|please))?\s*:?)?",
    re.IGNORECASE,
)
_ITEM_ACTS = {"use": "print", "keep": "hold", "hold over": "hold", "delete": "drop", "change": "edit"}


def _item(clause: Clause) -> Reading:
    """`item 14 to chapter 2`, `item 14 hold`, `item 14 edit` with the new text below."""
    found = _ITEM.fullmatch(plain(clause.rest))
    if found is None:
        sentence = tell("An item goes by the number in its receipt; behind it stands what is to be done: item 14 hold")
        return Unclear("no-item", sentence, ("zine items",))
    if found["chapter"]:
        return ItemAct(int(found["number"]), "chapter", int(found["chapter"]))
    act = " ".join((found["act"] or "show").lower().split())
    act = _ITEM_ACTS.get(act, act)
    return ShowZine("item", number=int(found["number"])) if act == "show" else ItemAct(int(found["number"]), act)


ACTS: Mapping[str, str] = {
    "new": "new", "create": "new", "found": "new",
    "preview": "preview", "draft": "preview",
    "approve": "approve", "publish": "approve",
    "errata": "errata", "erratum": "errata",
    "number": "number",
    "numbers": "numbers", "custodian": "numbers",
    "resend": "resend",
    "back issue": "back issue", "back": "back issue",
    "press day": "press day", "press": "press day",
    "chapter": "chapter",
    "deputy": "deputy",
    "game": "game",
    "nudge": "nudge",
    "invite": "invite",
    "dashboard": "dashboard", "status": "dashboard",
    "items": "items",
    "close": "close",
}  # fmt: skip
"""What an editor may write behind `zine`, and what it means."""
_SHOWN = frozenset({"dashboard", "items"})


def _zine(clause: Clause) -> Reading:
    """`zine ACT ...`, `zine NAME ACT ...`; `zine` or `zine NAME` alone show its page."""
    words = plain(clause.rest).split()
    name = ""
    if len(words) > 1 and _act_of(words)[0] == "" and _act_of(words[1:])[0]:
        name, words = words[0].strip("\"'").lower(), words[1:]
    act, taken = _act_of(words)
    if act:
        rest = clause.rest.strip()
        for word in ([name] if name else []) + words[:taken]:
            rest = re.sub(rf"^[\"']?{re.escape(word)}[\"']?\s*", "", rest, count=1, flags=re.IGNORECASE)
        return ShowZine(act, name) if act in _SHOWN else ZineAct(act, rest.strip(" :"), name)
    if len(words) > 1 or (words and not _WORD.fullmatch(words[0])):
        usual = ("zine preview", "zine dashboard", "help zine")
        return Unclear(
            "no-act", tell('I do not know what "{words}" is to do with a zine.', words=" ".join(words)[:40]), usual
        )
    return ShowZine("page", words[0].lower() if words else "")


def _invite(clause: Clause) -> Reading:
    """`zine invite ADDRESS, ADDRESS`, and more of them in the lines below."""
    if "@" not in (addresses := _paragraph(clause, clause.rest)):
        return missing(tell("The address"), "zine invite anna@readers.test, ben@readers.test")
    return ZineAct("invite", addresses)


def _act_of(words: list[str]) -> tuple[str, int]:
    """(what these words ask for, how many of them say it); ("", 0) for nothing that is known."""
    low = [word.lower().rstrip(":") for word in words[:2]]
    for count in (2, 1):
        if len(low) >= count and (act := ACTS.get(" ".join(low[:count]))):
            return act, count
    return "", 0


def _zines(clause: Clause) -> Reading:
    if no_more(clause.rest):
        return ShowZine("list")
    return Unclear("too-much", tell("`zines` takes nothing after it."), ("zines",))


ALSO = {"resend": asked.resend_of_game}
"""Verbs of others whose lines are read here first: an editor's `resend tannenburg F1901 to me` names the game."""


TOPICS: tuple[HelpTopic, ...] = (
    HelpTopic(
        "zine",
        "A zine: reading it, and writing for it",
        Part.EDITOR,
        asks="zines, magazine, fanzine, electronic protocol, newsletter, subscribe, subscription, subscriptions",
        more=("editing", "observing"),
        paged=True,
    ),
    HelpTopic(
        "editing",
        "Making a zine",
        Part.EDITOR,
        asks="editing a zine, edit a zine, publishers, chapters, press day, issue of a zine, make a zine, "
        "publish a zine, zine editor, dashboard",
        more=("zine", "editors"),
        paged=True,
    ),
)
"""Its pages of help."""

ENDS = ("end of item", "endarticle", "end article")
"""Lines that end what fills a mail."""


def _sending(
    name: str, sort: ItemSort, summary: str, usage: tuple[str, ...], example: str, *, words: tuple[str, ...] = ()
) -> Verb:
    """A verb whose text is the rest of the mail."""
    return VerbOfAll(
        name, words=(name, *words), summary=summary, usage=usage, example=example, read=_titled(sort),
        body=BodyRule.TEXT, ends=ENDS, verbatim=True, aside=True, topic="zine",
    )  # fmt: skip


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "subscribe",
        words=("subscribe", "subscribe zine", "subscribe to zine"),
        summary="Get a zine as text, page, PDF or EPUB, or only word that there is a new issue.",
        usage=(
            "subscribe NAME",
            "subscribe NAME pdf",
            "subscribe NAME text at most 500 KB",
            "subscribe NAME as editor",
        ),
        example="subscribe electronic-protocol pdf",
        read=_subscribe,
        names_game=True,
        topic="zine",
    ),
    VerbOfAll(
        "zine format",
        words=("zine format", "zine as"),
        summary="In which form you get a zine: text, html, pdf, epub, notice.",
        usage=("zine format FORM",),
        example="zine format epub",
        read=_form,
        topic="zine",
    ),
    *(
        VerbOfAll(
            f"{how} zine",
            words=(f"{how} zine", *words),
            summary=summary,
            read=_leaving(how),
            topic="zine",
            usage=(f"{how} zine", f"{how} zine NAME"),
            example=example,
        )
        for how, words, summary, example in (
            (
                "leave",
                ("unsubscribe zine", "cancel zine", "stop zine"),
                "Get a zine no more; games are not touched.",
                "leave zine electronic-protocol",
            ),
            ("pause", (), "Get no issue until you say `resume zine`.", "pause zine"),
            ("resume", (), "Get the issues of a zine again.", "resume zine"),
        )
    ),
    VerbOfAll(
        "unsubscribe",
        words=("unsubscribe",),
        summary="Get no more letters about a game that you observe, or a zine no more.",
        usage=("unsubscribe NAME",),
        example="unsubscribe electronic-protocol",
        read=_unsubscribe,
        names_game=True,
        topic="zine",
    ),
    VerbOfAll(
        "zines",
        words=("zines", "list zines"),
        summary="All zines of this judge.",
        usage=("zines",),
        example="zines",
        read=_zines,
        topic="zine",
    ),
    _sending(
        "article",
        ItemSort.ARTICLE,
        "An article for a zine: text or Markdown, to the end of the mail.",
        ("article", "article TITLE"),
        "article The Coastal Crawl",
    ),
    _sending(
        "letter to the editor",
        ItemSort.LETTER,
        "A letter to be printed, to the end of the mail.",
        ("letter to the editor", "letter to the editor TITLE"),
        "letter to the editor",
        words=("letter to editor", "letter for the zine"),
    ),
    _sending(
        "bio",
        ItemSort.BIO,
        "Something about yourself, printed once among the biographies of subscribers.",
        ("bio", "bio NAME"),
        "bio Eric Brosius",
        words=("biography",),
    ),
    _sending(
        "variant rules",
        ItemSort.RULES,
        "The rules of a variant; lines `Source:`, `Copyright` and `Licence:` on top say where they are from.",
        ("variant rules TITLE",),
        "variant rules 1958 Diplomacy",
        words=("rules reprint",),
    ),
    _sending(
        "cartoon",
        ItemSort.CARTOON,
        "A picture, attached as PNG, JPEG or GIF; a line `Credit:` says who drew it.",
        ("cartoon", "cartoon TITLE"),
        "cartoon The stab",
    ),
    _sending(
        "editorial",
        ItemSort.COMMENT,
        "The editor's or a publisher's own words, apart from reports.",
        ("editorial", "editorial TITLE"),
        "editorial",
        words=("editor comment", "publisher comment"),
    ),
    VerbOfAll(
        "report",
        words=("report", "report game"),
        summary="Results of a game that is run elsewhere, printed word for word; from its Gamemaster.",
        usage=("report GAME", "report GAME SEASON"),
        example="report hero Fall 1901",
        read=_report,
        body=BodyRule.TEXT,
        ends=ENDS,
        verbatim=True,
        aside=True,
        names_game=True,
        topic="zine",
    ),
    VerbOfAll(
        "classified",
        words=("classified", "classified ad", "small ad"),
        summary="A small advertisement, printed so many times and then dropped.",
        usage=("classified TEXT", "classified N issues: TEXT"),
        example="classified 3 issues: GM wanted for the rest of a 20-player game, 7 left",
        read=_classified,
        body=BodyRule.PARAGRAPH,
        topic="zine",
    ),
    VerbOfAll(
        "opening",
        words=("opening", "game opening"),
        summary="An opening in a game that is run elsewhere.",
        usage=("opening: TEXT",),
        example="opening: Classic Diplomacy, the rules of 1958; send me your country preferences",
        read=_opening,
        body=BodyRule.PARAGRAPH,
        topic="zine",
    ),
    VerbOfAll(
        "epigraph",
        words=("epigraph", "quotation"),
        summary="A quotation for the head of an issue, and where it is from.",
        usage=("epigraph TEXT -- CREDIT",),
        example="epigraph If these pages make sense, do not drive a car. -- Erehwon #82",
        read=_epigraph,
        body=BodyRule.PARAGRAPH,
        topic="zine",
    ),
    VerbOfAll(
        "zine",
        words=("zine", "my zine"),
        summary="A zine's page; for its editor: the draft, press day, chapters, people, games.",
        usage=(
            "zine NAME",
            'zine new "TITLE"',
            "zine dashboard",
            "zine items",
            "zine preview N",
            "zine approve N",
            "zine approve N chapter C",
            "zine errata N",
            "zine number N",
            "zine resend N to ADDRESS",
            "zine back issue N",
            "zine press day Wednesday 18:00 weekly",
            "zine chapter C games GAME, GAME",
            "zine chapter C publisher ADDRESS",
            "zine chapter C title TITLE",
            "zine chapter C drop",
            "zine deputy ADDRESS",
            "zine game GAME by ADDRESS",
            "zine game GAME number 2027AB",
            "zine game GAME number next",
            "zine game GAME designator rb32",
            "zine game GAME over: RESULT",
            "zine game GAME replaced POWER: WHO for WHOM",
            "zine numbers from 2027AB",
            "zine numbers custodian ADDRESS",
            "zine game GAME hold until 20 January",
            "zine nudge GAME",
            "zine close",
        ),
        example="zine preview 96",
        read=_zine,
        topic="editing",
    ),
    VerbOfAll(
        "zine invite",
        words=("zine invite", "my zine invite"),
        summary="Ask people whether they want to get the zine; each says yes or nothing. Many stand one to a line.",
        usage=("zine invite ADDRESS, ADDRESS",),
        example="zine invite anna@readers.test, ben@readers.test",
        read=_invite,
        body=BodyRule.PARAGRAPH,
        topic="editing",
    ),
    VerbOfAll(
        "item",
        words=("item",),
        summary="What becomes of something that was sent in, by the number in its receipt.",
        usage=("item N", "item N to chapter C", "item N print", "item N hold", "item N drop", "item N edit"),
        example="item 14 to chapter 2",
        read=_item,
        ends=ENDS,
        fills=re.compile(r"^\s*#?\d+[\s,:]*(?:edit|change)\b", re.IGNORECASE),
        aside=True,
        topic="editing",
    ),
    *asked.VERBS,
)
"""The rows, in the order in which help prints them."""
