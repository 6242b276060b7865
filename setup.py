"""Refuse an old Python with a sentence: older versions of pip name a package in conflict instead."""

import sys

from setuptools import setup

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "This workflow needs Python 3.11 or newer, and this is {}.{}. Make the environment with a newer one, for "
        "instance with: python3.12 -m venv --clear .venv".format(*sys.version_info)
    )
# pyproject.toml describes the library.
setup()
