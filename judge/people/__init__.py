"""Persons, as far as they span games: what they are called, the phrase that proves a letter, their passwords' look."""
