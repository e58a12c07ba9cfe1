"""`help` and what an answer offers: which page is meant, what only the running judge knows of it, and lines that are
tried before they are offered.

Where nothing is left to offer, the answer says why the line that it had in mind would not help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from judge import __version__
from judge.board.model import Board
from judge.board.position import start_position
from judge.game.core.commands import Decision, Question, Refusal, Status, Submit
from judge.game.core.model import Game
from judge.game.settings.table import Settings
from judge.languages import tell, together
from judge.mail.queries import Query
from judge.mail.quoting import LineKind, TextLine
from judge.mail.script import ReadRequest, read_script
from judge.mail.script.model import Script, Unread
from judge.mail.vocabulary import BodyRule, find_verb
from judge.mail.vocabulary.anyone import Help
from judge.mail.vocabulary.help import Shows, find_anywhere, find_page, near_topics
from judge.mail.vocabulary.model import Part
from judge.mail.vocabulary.pages import Book, Guide, Tables, book_pages, preset_table, role_of, rules_told
from judge.orders.family import FAMILY
from judge.report.core.letter import Answer, Enclosure, Office, plain
from judge.report.reply.helppages import Asker, BookView, Chapter, HelpRow, HelpView, enclosed
from judge.report.reply.lessons import lessons
from judge.report.reply.lines import NOT_FOR_YOU
from judge.rules.model import Rules, rules_for
from judge.rules.questions import NO_BUSINESS
from judge.service.core.directory import topic_of
from judge.service.core.judge import Shelf
from judge.service.trust import prove
from judge.service.trust.heard import HeardMail, Result, answers, tried
from judge.service.trust.prove import ActKind
from judge.service.trust.reading import context_of

BOOKS_PER_DAY = 5
"""So often a day and person the books are sent."""
_LONGEST = 100
"""Characters of what was asked that are said again."""


@answers
def show_help(heard: HeardMail, said: ReadRequest, request: Help) -> Result:
    """What I understand, or all about one word."""
    game = heard.game(said.game)
    guide = _guide(heard, game)
    kinds = game.rules.words() if game else FAMILY.names
    business = game.rules.business() if game else NO_BUSINESS
    page = find_page(request.topic, guide.asker.role, guide.board, kinds, business)
    if page is not None and page.shows is Shows.BOOK:
        return _send_books(heard)
    known = heard.speaker.acting is not None
    asked = request.topic[:_LONGEST] if known else ""  # nothing of a stranger's mail is said again
    if page is None:
        near = near_topics(request.topic, kinds) if known else ()
        view = guide.missing(asked, near, find_anywhere(request.topic))
    else:
        view = guide.view(page, asked)
    heard.enclose(enclosed(view))
    return Decision()


def enclose_help(heard: HeardMail, topic: str = "") -> None:
    """Answer with a page of help, by its own name, whatever was asked; without one, with what can be done now."""
    page = find_page(topic)
    if page is not None:
        heard.enclose(enclosed(_guide(heard, None).view(page)))


def _guide(heard: HeardMail, game: Game | None) -> Guide:
    """A guide for the person who asks, with the board of their game; their desk only if the mail is proved."""
    actor, person = heard.actor(game), heard.speaker.acting
    board, rules = _rules_of(game, heard.judge.shelf)
    position = (game.position if game else None) or start_position(board)
    seat = game.seats.get(actor.seat) if game else None
    power = seat.powers[0] if seat and seat.powers else ""
    trusted = person is not None and heard.speaker.may(ActKind.PLAY)
    asker = Asker(
        lessons(position, power, rules).shown,
        actor.role,
        game,
        actor.seat if trusted else "",
        heard.ledger.members[person.id] if person is not None else None,
        observes=person is not None and game is not None and _observes(heard, person.id, game.key),
    )
    return Guide(asker, heard.judge.office, board, tables(heard.judge.shelf))


def _observes(heard: HeardMail, person: int, game: str) -> bool:
    return any(row.person_id == person for row in heard.unit.lists.subscribers(topic_of(game)))


def _rules_of(game: Game | None, shelf: Shelf) -> tuple[Board, Rules]:
    if game is not None:
        return game.board, game.rules
    usual = Settings()
    return shelf.board(usual.map), rules_for(usual.rules)


def tables(shelf: Shelf) -> Tables:
    """Tables of pages that `judge.mail` cannot know: who may do what, boards and rules, presets."""
    proofs = tuple(HelpRow(str(proof), f"{words}.") for proof, words in prove.MEANING.items())
    acts = tuple(HelpRow(what, _in_sentences(*said)) for what, *said in prove.lines())
    boards = tuple(HelpRow(f"map = {key}", _size(shelf.board(key))) for key in shelf.boards())
    rules = tuple(HelpRow(f"rules = {key}", said) for key, said in rules_told().items())
    return {
        "authority": (*proofs, *acts),
        "variants": (*boards, *rules),
        "presets": preset_table(),
        "version": (HelpRow("version", __version__),),
    }


def _size(board: Board) -> str:
    return tell(
        "{board}: {provinces} spaces, {centres} supply centres",
        board=board.title,
        provinces=len(board.provinces),
        centres=len(board.centres),
    )


def _in_sentences(once: str, otherwise: str, undone: str) -> str:
    """What the table of authority says of an act; "-" stands for nothing to say."""
    if once == "nothing":
        return tell("No proof is needed.")
    if once == "-":
        return tell("Always: {otherwise}. Taken back by {undone}.", otherwise=otherwise, undone=undone)
    return tell(
        "Done at once with {once}. Otherwise {otherwise}. Taken back by {undone}.",
        once=once,
        otherwise=otherwise,
        undone=undone,
    )


# --- the books ------------------------------------------------------------------------------------------------------


def _send_books(heard: HeardMail) -> Result:
    person = heard.speaker.acting
    if person is None:
        return Refusal(
            "who", tell("I send the books only to registered people: register, or join a game."), mend="register"
        )
    if not heard.unit.contacts.allow(f"person:{person.id}", "book", heard.now.date(), BOOKS_PER_DAY):
        return Refusal(
            "enough-today",
            tell("That makes {books_per_day} books today; ask again tomorrow.", books_per_day=BOOKS_PER_DAY),
        )
    heard.enclose(Enclosure("book", plain(books(heard.judge.shelf, heard.judge.office))))
    return Decision()


def books(shelf: Shelf, office: Office) -> BookView:
    """All books, written for a game with the default settings at its beginning."""
    board, rules = _rules_of(None, shelf)
    shown = lessons(start_position(board), "", rules).shown
    chapters = []
    for book in Book:
        guide = Guide(Asker(shown, role_of(book)), office, board, tables(shelf))
        chapters += [_chapter(book, part, view) for part, view in book_pages(book, guide)]
    return BookView(office.address, shown, tuple(chapters))


def _chapter(book: Book, part: Part, view: HelpView) -> Chapter:
    facts = {name: fact for name, fact in plain(view).items() if name != "shown"}
    return Chapter(book.value, tell(part.value), view.title, facts)


_LINE_BELOW = re.compile(
    r"(?: yet)?\. (?:The line below does that|To do it, answer with the number, or send the line below"
    r"|Reply with the number of what you mean)\."
)
"""What announces lines, where none is left."""

MOST = 20
"""Lines of one mail that are tried; what stands beyond is offered as it is."""


def weigh_offers(heard: HeardMail) -> HeardMail:
    """The mail without those offers in its answers that would be refused, in the game as the mail leaves it."""
    unread = heard.script.unread
    trial = _OfferTrial(heard)
    weighed = replace(heard, script=replace(heard.script, unread=tuple(trial.unread(one) for one in unread)))
    heard.done.answers[:] = [trial.answer(one) for one in heard.done.answers]
    return weighed


@dataclass(slots=True)
class _OfferTrial:
    """Tries lines, each once, as if their author sent them in answer."""

    heard: HeardMail
    _known: dict[str, Refusal | None] = field(default_factory=dict)
    _by_game: bool = False
    """Whether a game offers the lines that are tried."""

    def unread(self, one: Unread) -> Unread:
        kept, why = self._sound(one.candidates)
        if kept == one.candidates:
            return one
        if not any(line.startswith(one.candidates) for line in kept):
            why = why or self._why(one.candidates[0])  # what comes first is another line, which does not do that
        told = _LINE_BELOW.sub(".", one.sentence) if why else one.sentence
        return replace(one, candidates=kept, sentence=together(told, why))

    def answer(self, one: Answer) -> Answer:
        if one.status is Status.TAKEN or not one.mend:
            return one
        lines = tuple(one.mend.split("\n"))
        self._by_game = True
        kept, why = self._sound(lines)
        return one if kept == lines else replace(one, mend="\n".join(kept), sentence=f"{one.sentence}{why}")

    def _sound(self, lines: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """The lines that nothing speaks against, what is to be sent in place of others, and why there is none."""
        refused = {line: refusal for line in lines if (refusal := self._refused(line)) is not None}
        kept = dict.fromkeys(self._instead(lines, refused))
        if kept or not refused:
            return tuple(kept), ""
        return (), self._why(next(iter(refused)))

    def _why(self, line: str) -> str:
        refusal = self._refused(line)
        return (
            tell("`{line}` would not help now: {sentence}", line=line, sentence=refusal.sentence)
            if refusal and refusal.sentence
            else ""
        )

    def _instead(self, lines: Iterable[str], refused: dict[str, Refusal]) -> Iterator[str]:
        for line in lines:
            if line not in refused:
                yield line
            else:
                mends = refused[line].mend.split("\n") if refused[line].mend else ()
                yield from (mend for mend in mends if self._refused(mend) is None)

    def _refused(self, line: str) -> Refusal | None:
        if line not in self._known:
            self._known[line] = self._tried(line) if len(self._known) < MOST else None
        return self._known[line]

    def _tried(self, line: str) -> Refusal | None:
        match = find_verb(line.partition(": ")[2] or line)
        texts = (line, "some words") if match and match.verb.body is BodyRule.TEXT else (line,)
        typed = [TextLine(number, text, LineKind.OWN) for number, text in enumerate(texts, 1)]
        script: Script = read_script(typed, subject="", context=context_of(self.heard))
        others = (Refusal(one.reason, one.sentence) for one in script.unread if one.reason == NOT_FOR_YOU)
        asked = (refusal for said in script.said if (refusal := self._told(said)) is not None)
        return next(chain(others, asked), None)

    def _told(self, said: ReadRequest) -> Refusal | None:
        if isinstance(said.request, Query) and not said.game:
            return None
        if isinstance(said.request, Submit) and self._by_game:
            return None  # what a game offers for orders it has tried itself
        result, _ = tried(self.heard, said)
        if isinstance(result, Question):
            return None
        if isinstance(result, Refusal):
            return result
        bad = (one for one in result.verdicts if one.status is not Status.TAKEN)
        return next((Refusal(one.reason, one.sentence if one.sentence.endswith(".") else "") for one in bad), None)
