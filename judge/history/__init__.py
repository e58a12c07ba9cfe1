"""A game's history, read from its events once: phases with positions, orders, what became of them."""

from judge.history.phases import OrderResult, PlayedPhase, played_phase

__all__ = ["OrderResult", "PlayedPhase", "played_phase"]
