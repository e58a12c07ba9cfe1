"""Who may read about a game: everybody about one that is on the list, else those who have to do with it."""

from __future__ import annotations

from judge.game.core.decision import Refusal
from judge.game.core.model import Game
from judge.languages import tell
from judge.service.core.directory import topic_of
from judge.service.trust.authority import ActKind
from judge.service.trust.heard import HeardMail


def not_to_see(heard: HeardMail, game: Game) -> Refusal | None:
    """Why the author of a mail may not read about a game; None where they may."""
    if game.settings.listed and game.practice is None:
        return None
    if concerned(heard, game):
        if heard.speaker.may(ActKind.PLAY):
            return None
        sentence = tell(
            "{game} is not on the public list, and nothing proves that this mail is yours: ask in "
            "answer to one of my letters.",
            game=game.key,
        )
        return Refusal("not-proved", sentence)
    readers = tell("its players, its Gamemaster, its observers and its editors")
    sentence = tell("{game} is not on the public list: only {readers} read of it.", game=game.key, readers=readers)
    return Refusal("not-public", sentence, mend="list")


def concerned(heard: HeardMail, game: Game) -> bool:
    """Whether the author of a mail plays, runs or observes a game, as far as their address tells."""
    person = heard.speaker.acting
    if person is None:
        return False
    if person.id == game.gm or game.is_deputy(person.id, heard.now):
        return True
    if game.seat_played_by(person.id, heard.now) is not None:
        return True
    return any(row.topic == topic_of(game.key) for row in heard.unit.lists.subscriptions(person.id))
