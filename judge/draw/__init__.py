"""Pictures of positions and orders, as SVG."""

from judge.draw.frame import Caption
from judge.draw.picture import CODES, NAMES, Picture, orders_picture, position_picture
from judge.draw.scene import Look
from judge.draw.shelf import BoardPictures
from judge.draw.strokes import changed_hands, clashes

__all__ = [
    "CODES",
    "NAMES",
    "BoardPictures",
    "Caption",
    "Look",
    "Picture",
    "changed_hands",
    "clashes",
    "orders_picture",
    "position_picture",
]  # fmt: skip
