"""Refuse an old Python with a sentence: older versions of pip name a package in conflict instead."""

import sys

from setuptools import setup
from setuptools.command.build_py import build_py

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "This workflow needs Python 3.11 or newer, and this is {}.{}. Make the environment with a newer one, for "
        "instance with: python3.12 -m venv --clear .venv".format(*sys.version_info)
    )


class _WithConfig(build_py):
    """The package contains the default config, which a checkout has in its root."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            self.copy_file("config.yaml", f"{self.build_lib}/deepnets/config.yaml")


# pyproject.toml describes the library.
setup(cmdclass={"build_py": _WithConfig})
