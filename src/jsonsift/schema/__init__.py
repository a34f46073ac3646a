"""Typed answers: what a schema wants, and values made to fit it by rules."""
