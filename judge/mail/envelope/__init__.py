"""Reading received mail: `read_envelope(raw, received_at) -> Envelope`, total on any bytes."""

from judge.mail.envelope.model import Attachment, Envelope, TrustedSite
from judge.mail.envelope.reader import NOWHERE, read_envelope

__all__ = ["NOWHERE", "Attachment", "Envelope", "TrustedSite", "read_envelope"]
