"""`python -m judge.cli`: the same as `judge`."""

from judge.cli import main

main()
