"""Options and profiles of the tests."""

import contextlib
import faulthandler
import importlib.util
import os
import sys
from collections.abc import Iterator

import pytest

try:
    import hypothesis
except ImportError:
    hypothesis = None


# Seconds that a test may take, and a slow one: no run hangs for ever. The run
# then ends with a traceback of all threads, as nothing else ends a thread.
LIMITS = 600, 3600
STDERR: pytest.StashKey[int] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if sys.platform != "emscripten":  # It has no threads.
        faulthandler.dump_traceback_later(LIMITS["slow" in item.keywords], exit=True, file=item.config.stash[STDERR])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests marked slow, and search wider")


def pytest_configure(config: pytest.Config) -> None:
    capture = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        config.stash[STDERR] = os.dup(2)
    if hypothesis:
        # The same examples in every run, unless asked to look for new ones.
        profiles = hypothesis.settings
        profiles.register_profile("default", max_examples=300, deadline=None, derandomize=True, database=None)
        profiles.register_profile("slow", max_examples=1000, deadline=None)
        profiles.load_profile("slow" if config.getoption("--slow") else "default")


# Examples in docstrings that need an extra, by the name of their module or object.
NEEDS = {
    "atomic_variant.explorer._build.build": "numpy",
    "atomic_variant.notebook.Explorer": "numpy",
    "explorer.md": "numpy",
    "atomic_variant.pgn.readers.scan_arrays": "numpy",
    "atomic_variant.pgn.readers.scan_positions": "numpy",
    "atomic_variant.pgn.readers.scan_table": "polars",
    "atomic_variant.pgn.arrays.GameArrays": "numpy",
    "atomic_variant.positions": "numpy",
    "positions.md": "numpy",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for name, needed in NEEDS.items():
        if importlib.util.find_spec(needed) is None:
            for item in items:
                if f"{item.name}.".startswith(f"{name}."):
                    item.add_marker(pytest.mark.skip(reason=f"needs {needed}"))
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow, run with --slow"))
