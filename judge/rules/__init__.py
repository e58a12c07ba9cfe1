"""What a rule system answers: the closed choices, the calendar, and the answers of 1976 and its relatives."""

from judge.rules.calendar import Calendar
from judge.rules.choices import CHOICES, UnknownChoice
from judge.rules.model import Rules
from judge.rules.presets import PRESETS, RULES_1976, UnknownPreset, preset, register

__all__ = [
    "CHOICES",
    "PRESETS",
    "RULES_1976",
    "Calendar",
    "Rules",
    "UnknownChoice",
    "UnknownPreset",
    "preset",
    "register",
]
