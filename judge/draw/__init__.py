"""Pictures of positions and orders, as SVG."""

from judge.draw.extras import NO_EXTRAS, Badge, Extras, Line
from judge.draw.frame import Caption
from judge.draw.picture import CODES, NAMES, Picture, orders_picture, position_picture
from judge.draw.scene import Look
from judge.draw.shelf import BoardPictures
from judge.draw.strokes import clashes

__all__ = [
    "CODES",
    "NAMES",
    "NO_EXTRAS",
    "Badge",
    "BoardPictures",
    "Caption",
    "Extras",
    "Line",
    "Look",
    "Picture",
    "clashes",
    "orders_picture",
    "position_picture",
]  # fmt: skip
