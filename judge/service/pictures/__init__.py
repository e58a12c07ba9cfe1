"""Pictures of boards for letters: which, what they show, who draws them, where they are kept."""
