"""A picture as a one-page PDF for printers: sixteen greys at 300 dots to the inch, fitted to the paper."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from types import MappingProxyType

from PIL import Image

from judge.draw.picture import Picture
from judge.raster.render import render

PAPERS: Mapping[str, tuple[float, float]] = MappingProxyType({"a4": (595.28, 841.89), "letter": (612.0, 792.0)})
"""Name -> width and height in points (72 to the inch)."""
_MARGIN = 28.0
_DOTS = 300


def to_pdf(picture: Picture, paper: str = "a4") -> bytes:
    """One upright page. Raises KeyError for a paper that we do not know."""
    page_width, page_height = PAPERS[paper]
    _, _, width, height = picture.box
    scale = min((page_width - 2 * _MARGIN) / width, (page_height - 2 * _MARGIN) / height)
    image = _greys(picture, round(width * scale * _DOTS / 72))
    place = (width * scale, height * scale, (page_width - width * scale) / 2, page_height - _MARGIN - height * scale)
    return _document(image, (page_width, page_height), place, picture.title)


def _greys(picture: Picture, dots: int) -> Image.Image:
    drawn = render(picture.svg(), dots)
    image = Image.new("RGB", drawn.size, "#ffffff")
    image.paste(drawn, mask=drawn)
    return image.convert("L")


def _document(
    image: Image.Image, page: tuple[float, float], place: tuple[float, float, float, float], title: str
) -> bytes:
    """The file: a page with one image, four bits a dot."""
    content = b"q %.2f 0 0 %.2f %.2f %.2f cm /Map Do Q" % place
    pixels = zlib.compress(_halved(image), 9)
    shape = b"/Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 4" % image.size
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Resources << /XObject << /Map 5 0 R >> >> "
        b"/Contents 4 0 R >>" % page,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /XObject /Subtype /Image %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
        % (shape, len(pixels), pixels),
        b"<< /Title <FEFF%s> /Producer (judge) >>" % title.encode("utf-16-be").hex().upper().encode(),
    ]
    file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % at for at in places)
    count = len(objects) + 1
    return file + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(file))
    )


def _halved(image: Image.Image) -> bytes:
    """Two dots to a byte, each row in whole bytes."""
    even = image if image.width % 2 == 0 else image.crop((0, 0, image.width + 1, image.height))
    dots = even.tobytes()
    return bytes((high & 0xF0) | (low >> 4) for high, low in zip(dots[::2], dots[1::2], strict=True))
