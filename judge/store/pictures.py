"""Pictures: each one drawn once per game, phase and kind, and kept for every letter that shows it."""

from sqlalchemy import Connection, select

from judge.store.letter_rows import PictureRow
from judge.store.sql import build, facts, put_new, shape
from judge.store.tables import pictures

_PICTURE = shape(PictureRow, pictures)


class PicturesView:
    """The pictures for those who only look."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, game: str, phase: str, kind: str) -> PictureRow | None:
        """The picture, None if it has not been drawn yet."""
        which = (pictures.c.game == game, pictures.c.phase == phase, pictures.c.kind == kind)
        return build(PictureRow, self._connection.execute(select(*_PICTURE).where(*which)).first())


class Pictures(PicturesView):
    """The pictures inside a unit of work."""

    def put(self, picture: PictureRow) -> bool:
        """Keep a picture; the first one stays. False if there was one already."""
        return put_new(self._connection, pictures, facts(picture))
