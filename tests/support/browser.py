"""A real headless Chromium for the tests of the report, with its console and network on record."""

import json
import os
import shutil
from contextlib import contextmanager

import pytest

FLAGS = [
    "--headless=new",
    "--no-sandbox",  # which Chromium wants of root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium(profile, *, script=True):
    """Yield a browser that has a profile of its own; without scripts if so wanted."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and driver):
        message = "chromium and chromedriver are missing: run scripts/install-browser.sh"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    if not script:
        off = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", off)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()


def resize(browser, width, height=900):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def emulate(browser, *, media="", scheme="light"):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def requested(browser):
    """Addresses of everything that the browser asked for since this was last called."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
