"""Pictures of boards made from public-domain geography; needs `pip install "diplomacy-judge[maps]"`, which nobody else
needs.
"""
