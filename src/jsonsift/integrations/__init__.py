"""Bridges to other libraries: one module a library, imported by whoever has it.

Nothing is imported here, so that each module needs its own library and no other.
"""
