"""Pictures of boards made from public-domain geography; needs `pip install judge[maps]`, and nobody else needs it."""
