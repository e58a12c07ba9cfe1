"""Faults, each tried on a running judge under load: what broke, what was lost, what the players were told."""
