"""Attacks on jsonsift, and on any function: ``python -m fuzz``.

Each module asks one question of its subjects and prints the answer; what it finds ends
up as a file of ``corpus/``.  Run it from the repository's root.
"""
