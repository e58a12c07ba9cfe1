"""Mail to postmaster@ and abuse@: passed on to the operator, never answered."""

from __future__ import annotations

from judge.mail.noise import Noise
from judge.service.posting.operator import LONGEST_QUOTE, tell_operator, to_operator_alone
from judge.service.trust.sitting import Sitting


def for_operator(sitting: Sitting) -> bool:
    """Whether a mail went to postmaster@ or abuse@ and to no address of ours beside."""
    return to_operator_alone(sitting.house.config, sitting.mail, sitting.envelope)


def forward(sitting: Sitting) -> str:
    """Pass a mail to postmaster@ or abuse@ on to the operator; returns what became of it, for the log."""
    house, envelope = sitting.house, sitting.envelope
    noise = envelope.noise
    if noise.is_noise and noise.kind is not Noise.COMPLAINT:
        return f"to the operator, but {noise.kind}: {noise.reason}"
    lines = [line.text for line in envelope.text_lines][:LONGEST_QUOTE]
    told = tell_operator(
        house, sitting.unit, f"mail/{sitting.mail.id}",
        subject=f"mail to the operator: {envelope.subject or '(no subject)'}",
        items=(
            f"Mail number {sitting.mail.id} came to postmaster@ or abuse@ of this judge, from "
            f"{envelope.from_address or 'an unreadable address'}. I have not answered it.",
        ),
        quoted=lines,
    )  # fmt: skip
    return "passed on to the operator" if told else "for the operator, who is not to be reached or had enough today"
