"""Headless Chromium, if this machine has one."""

import shutil
from contextlib import asynccontextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium():
    """The path of the program. Skips the test if there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: `make chromium` installs it (Debian package, as root)")
    return found


@asynccontextmanager
async def opened(url, **context):
    """A page of a new browser at the URL, and what went wrong in it.

    `context` are options of Playwright, such as `color_scheme` and `viewport`. The second value is
    a list of dialogs, of errors of the console (a violation of the policy is one), and of requests
    to elsewhere.
    """
    program = chromium()
    playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    async with playwright.async_playwright() as running:
        browser = await running.chromium.launch(executable_path=program, args=list(FLAGS))
        page = await (await browser.new_context(**context)).new_page()
        wrong = []
        page.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda sent: _elsewhere(sent.url, url) and wrong.append(sent.url))
        try:
            await page.goto(url)
            yield page, wrong
        finally:
            await browser.close()


async def shown(page, path):
    """Go to a page of the dashboard, and wait until it has loaded what it shows."""
    await page.evaluate("to => { location.hash = '#/' + to }", path)
    # The policy forbids to poll by a script; what is waited for are elements.
    await page.wait_for_timeout(100)
    await page.locator("#app h1").first.wait_for()
    await page.locator(".loading").first.wait_for(state="detached")


def _elsewhere(asked, url):
    here = "/".join(url.split("/", 3)[:3])
    return not asked.startswith((here + "/", "data:"))
