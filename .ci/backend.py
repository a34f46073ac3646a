"""The build backend: setuptools', but for two things that its settings cannot say.

With JSONSIFT_BUILD=pure in the environment the wheel is built without extensions, for
any platform.  And the source distribution holds what its tests need.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from setuptools import Distribution, build_meta
from setuptools.build_meta import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.egg_info import manifest_maker

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_SHIPPED = (".ci", "corpus", "docs", "tests")


@contextmanager
def _with_more(owner: Any, name: str, more: Any) -> Iterator[None]:
    """Calls of ``owner.name`` do ``more`` afterwards."""
    usual = getattr(owner, name)

    def both(self: Any, *args: Any, **options: Any) -> None:
        usual(self, *args, **options)
        more(self)

    setattr(owner, name, both)
    try:
        yield
    finally:
        setattr(owner, name, usual)


def _drop_extensions(distribution: Any) -> None:
    distribution.ext_modules = None


def _add_shipped(maker: Any) -> None:
    for folder in _SHIPPED:
        maker.filelist.graft(folder)


def build_wheel(*args: Any, **options: Any) -> str:
    """A wheel for this platform, or for all on demand."""
    if os.environ.get("JSONSIFT_BUILD") != "pure":
        return str(build_meta.build_wheel(*args, **options))
    with _with_more(Distribution, "parse_config_files", _drop_extensions):
        return str(build_meta.build_wheel(*args, **options))


def build_sdist(*args: Any, **options: Any) -> str:
    """The source distribution, tests and all."""
    with _with_more(manifest_maker, "add_defaults", _add_shipped):
        return str(build_meta.build_sdist(*args, **options))
