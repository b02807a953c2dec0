"""A headless Chromium for tests of pages: what it shows, logs and asks of the network."""

import json
import shutil
import tempfile
from contextlib import contextmanager

import pytest

BROWSER, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
FLAGS = [
    "headless",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
]
PHONE, DESK = (390, 844), (1280, 900)


def need_browser():
    """Skip what needs a browser where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed (extra: browser)")
    if not (BROWSER and DRIVER):
        pytest.skip("no chromium with chromedriver on this machine (Debian: chromium, chromium-driver)")


@contextmanager
def chromium():
    """A driver of a browser with a new, empty profile."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = BROWSER
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory() as profile:
        for flag in [*FLAGS, f"user-data-dir={profile}"]:
            options.add_argument(f"--{flag}")
        driver = Chrome(options, Service(DRIVER))
        try:
            yield driver
        finally:
            driver.quit()


def open_page(driver, path, size=DESK, dark=False):
    """Load the file in a window of that size, in the light or dark scheme; logs begin anew."""
    driver.get("about:blank")
    width, height = size
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    driver.get_log("browser")
    driver.get_log("performance")
    driver.get(path.resolve().as_uri())


def draw_all(driver):
    """Scroll through the page, so that every figure comes near, and wait until each is drawn."""
    from selenium.webdriver.support.ui import WebDriverWait

    for place in driver.find_elements("css selector", ".plot"):
        driver.execute_script("arguments[0].scrollIntoView()", place)
        WebDriverWait(driver, 20).until(lambda _, place=place: place.find_elements("css selector", "svg.main-svg"))
    driver.execute_script("scrollTo(0, 0)")


def requested(driver):
    """The addresses that the page asked for since it was opened."""
    messages = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
