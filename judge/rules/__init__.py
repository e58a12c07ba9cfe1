"""What a rule system answers: the questions with their answers of 1976, the closed choices, the calendar."""

from judge.rules.calendar import Calendar
from judge.rules.choices import CHOICES, UnknownChoice
from judge.rules.model import RULES_1976, Rules

__all__ = ["CHOICES", "RULES_1976", "Calendar", "Rules", "UnknownChoice"]
