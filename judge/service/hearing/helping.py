"""`help`: which page is meant, and what only the running judge knows of it; the books of all pages."""

from __future__ import annotations

from judge import __version__
from judge.board.model import Board
from judge.board.position import start_position
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Game
from judge.game.settings.table import Settings
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.anyone import Help
from judge.mail.vocabulary.help import Shows, find_anywhere, find_page, near_topics
from judge.mail.vocabulary.model import Part
from judge.mail.vocabulary.pages import Book, Guide, Tables, book_pages, preset_table, role_of, rules_told
from judge.orders.family import FAMILY
from judge.report.core.answer import Enclosure
from judge.report.core.frame import Office
from judge.report.core.letter import plain
from judge.report.reply.helppages import Asker, BookView, Chapter, HelpRow, HelpView, enclosed
from judge.report.reply.lessons import lessons
from judge.rules.model import Rules
from judge.rules.questions import NO_BUSINESS
from judge.rules.registry import rules_for
from judge.service.core.directory import topic_of
from judge.service.core.house import Shelf
from judge.service.trust import authority
from judge.service.trust.authority import ActKind
from judge.service.trust.heard import HeardMail, Result, answers

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
    board, rules = _rules_of(game, heard.house.shelf)
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
    return Guide(asker, heard.house.office, board, tables(heard.house.shelf))


def _observes(heard: HeardMail, person: int, game: str) -> bool:
    return any(row.person_id == person for row in heard.unit.lists.subscribers(topic_of(game)))


def _rules_of(game: Game | None, shelf: Shelf) -> tuple[Board, Rules]:
    if game is not None:
        return game.board, game.rules
    usual = Settings()
    return shelf.board(usual.map), rules_for(usual.rules)


def tables(shelf: Shelf) -> Tables:
    """Tables of pages that the mail's own rooms cannot know: who may do what, boards and rules, presets."""
    proofs = tuple(HelpRow(str(proof), f"{words}.") for proof, words in authority.MEANING.items())
    acts = tuple(HelpRow(what, _in_sentences(*said)) for what, *said in authority.lines())
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
    first = "" if once == "-" else tell("Done at once with {once}. ", once=once)
    return (
        tell("{first}Otherwise {otherwise}. Taken back by {undone}.", first=first, otherwise=otherwise, undone=undone)
        if first
        else tell(
            "{first}Always: {otherwise}. Taken back by {undone}.", first=first, otherwise=otherwise, undone=undone
        )
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
    heard.enclose(Enclosure("book", plain(books(heard.house.shelf, heard.house.office))))
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
