"""Options and profiles of the tests."""

import pytest

try:
    import hypothesis
except ImportError:
    hypothesis = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests marked slow, and search wider")


def pytest_configure(config: pytest.Config) -> None:
    if hypothesis:
        # The same examples in every run, unless asked to look for new ones.
        slow = config.getoption("--slow")
        hypothesis.settings.register_profile("default", deadline=None, derandomize=True, database=None)
        hypothesis.settings.register_profile("slow", deadline=None, max_examples=3000)
        hypothesis.settings.load_profile("slow" if slow else "default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow, run with --slow"))
