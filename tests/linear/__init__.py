"""Tests of jsonsift.linear."""
