"""Rule systems that show how one is written; README.md of `judge.variants` reads them with you."""
