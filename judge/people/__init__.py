"""Functions about persons across games: check phrases, passwords, ratings, leaks of names."""
