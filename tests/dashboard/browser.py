"""Headless Chromium, if this machine has one."""

import shutil
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.support.waiting import HANG_SECONDS

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
IN_BROWSER = [
    pytest.mark.process,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("browser"),
]
"""The marks of a file whose tests open pages: one browser serves all of them."""
RUNNING = []
"""The browser, while one is shared."""
_GO = """to => new Promise((done) => {
  const before = location.hash;
  addEventListener("hashchange", done, { once: true });
  location.hash = "#/" + to;
  if (location.hash === before) done();
})"""
"""Go there and wait for the event, of which the page hears first: what it showed before is gone."""


def chromium():
    """The path of the program. Skips the test if there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: `make chromium` installs it (Debian package, as root)")
    return found


@asynccontextmanager
async def started():
    """A browser."""
    program = chromium()
    playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    async with playwright.async_playwright() as running:
        browser = await running.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened(url, **options):
    """A page of its own at the URL, and what went wrong in it.

    `options` are those of a context of Playwright, such as `color_scheme` and `viewport`. The second
    value is a list of dialogs, of errors of the console (a violation of the policy is one), and of
    requests to elsewhere.
    """
    async with AsyncExitStack() as stack:
        browser = RUNNING[0] if RUNNING else await stack.enter_async_context(started())
        context = await browser.new_context(**options)
        stack.push_async_callback(context.close)
        context.set_default_timeout(1000 * HANG_SECONDS)
        page = await context.new_page()
        wrong = []
        page.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda sent: _elsewhere(sent.url, url) and wrong.append(sent.url))
        await page.goto(url)
        yield page, wrong


async def shown(page, path):
    """Go to a page of the dashboard, and wait until it has loaded what it shows."""
    await page.evaluate(_GO, path)
    # The policy forbids to poll by a script; what is waited for are elements.
    await page.locator("#app h1").first.wait_for()
    await page.locator(".loading").first.wait_for(state="detached")


def _elsewhere(asked, url):
    here = "/".join(url.split("/", 3)[:3])
    return not asked.startswith((here + "/", "data:"))
