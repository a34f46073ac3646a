"""Damages valid JSON in one documented way at a time, and counts what comes back.

``python -m tests.damage`` prints the figures; ``tests/test_damage.py`` holds the bars.
"""
