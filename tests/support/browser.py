"""A real browser for tests, without a network of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@contextmanager
def chromium(*arguments: str, width: int = 1000, height: int = 900) -> Iterator[Any]:
    """A Selenium driver with an empty profile; skips the test where there is no browser."""
    webdriver = pytest.importorskip("selenium.webdriver")
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    driver_path = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    if not browser or not driver_path:
        pytest.skip("no chromium with its driver")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for argument in (*ARGUMENTS, f"--user-data-dir={profile}", f"--window-size={width},{height}", *arguments):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
        try:
            yield driver
        finally:
            driver.quit()


def errors(driver: Any) -> list[str]:
    """What the page complained about since the last call."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
