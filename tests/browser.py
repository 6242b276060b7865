"""A reader's browser: Chromium without window and network (Debian packages chromium and chromium-driver).

with chromium() as browser:
    browser.get(path.as_uri())
    assert browser.errors() == []
"""

import base64
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PROGRAMS = ("chromium", "chromedriver")
MISSING = "needs {}: apt-get install chromium chromium-driver"
# No host is reachable except this machine, which the driver needs.
_OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}


class Browser(webdriver.Chrome):
    """Chromium with access to its console."""

    def errors(self) -> list[str]:
        """Return all warnings and errors in the console since the last call."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.get_log("browser")]

    @contextmanager
    def look(self, *, width: int = 1000, javascript: bool = True, dark: bool = False) -> Iterator[None]:
        """Show pages with this width (pixels), with or without scripts, in the dark or the light scheme.

        The width may be a phone's (380), which is too small for windows. Afterwards, the default settings are restored.
        """
        self._emulate(width, javascript, dark)
        try:
            yield
        finally:
            self._emulate()

    def _emulate(self, width: int = 1000, javascript: bool = True, dark: bool = False) -> None:
        view = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not javascript})


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without network; skip the test if no browser is installed."""
    if missing := [name for name in PROGRAMS if not shutil.which(name)]:
        pytest.skip(MISSING.format(" and ".join(missing)))
    options = Options()
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_argument("--headless=new")
    options.add_argument("--disable-gpu")
    options.add_argument("--disable-dev-shm-usage")
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost")
    if os.geteuid() == 0:
        # Chromium's own sandbox does not run as root.
        options.add_argument("--no-sandbox")
    browser = Browser(options=options, service=Service(shutil.which("chromedriver")))
    try:
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", _OFFLINE)
        browser.set_script_timeout(60)
        with browser.look():
            yield browser
    finally:
        browser.quit()


def picture(browser: Browser, path: Path) -> None:
    """Write the whole page as PNG, including the part below the visible area."""
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    path.write_bytes(base64.b64decode(shot["data"]))
