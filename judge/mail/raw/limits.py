"""How much of a mail is read. Whatever lies beyond a limit is reported as a defect, never read on in silence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The figures at which reading stops; all sizes in bytes unless the name says otherwise."""

    mail: int = 1 << 20
    header_block: int = 64 << 10
    fields: int = 300
    field: int = 8 << 10
    identity_field: int = 2 << 10
    message_id: int = 250
    references: int = 100
    recipients: int = 200
    parts: int = 50
    depth: int = 10
    html: int = 256 << 10
    text: int = 64 << 10
    lines: int = 2000


LIMITS = ReadingLimits()
"""What the judge uses everywhere."""

TOO_LARGE = "mail-too-large"
HEADERS_TOO_LARGE = "header-block-too-large"
TOO_MANY_FIELDS = "too-many-fields"
FIELD_TOO_LONG = "field-too-long"
IDENTITY_TOO_LONG = "identity-field-too-long"
TOO_MANY_PARTS = "too-many-parts"
TOO_DEEP = "nested-too-deep"
READER_FAILED = "reader-failed"

UNSAFE = frozenset(
    {
        TOO_LARGE,
        HEADERS_TOO_LARGE,
        TOO_MANY_FIELDS,
        FIELD_TOO_LONG,
        IDENTITY_TOO_LONG,
        TOO_MANY_PARTS,
        TOO_DEEP,
        READER_FAILED,
    }
)
"""Defects that no honest mail program produces: the mail was read only as far as the limits allow."""
