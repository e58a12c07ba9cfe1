"""A game's history, read from its events once: phases with positions, orders, what became of them."""

from judge.history.phases import OrderResult, PlayedPhase, Unplaced, played_phase, read_out

__all__ = ["OrderResult", "PlayedPhase", "Unplaced", "played_phase", "read_out"]
