"""What only tests need: doubles, generators, a second resolver."""
