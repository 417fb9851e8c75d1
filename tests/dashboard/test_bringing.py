"""Chats are brought along on the page, over a real product on a real PostgreSQL."""

import asyncio
import io
import json
import re
import zipfile

from recollect.memory.transfer import importing
from recollect.proxy.api.tasks.task_runners import TaskRunners
from tests.dashboard.browser import IN_BROWSER, opened, shown
from tests.dashboard.fake_api import serving
from tests.dashboard.full import FULL, IMPORT
from tests.support.chat_exports import of_years
from tests.support.here import ProductHere
from tests.support.postgres_server import empty_database
from tests.support.waiting import HANG_SECONDS

pytestmark = IN_BROWSER
MESSAGES, PAGE = 120, 20
CANCEL = "Cancel the import"
GOES_ON = "The same file goes on from there."


def packed(name, data):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(name, data)
    return whole.getvalue()


EXPORT = packed("conversations.json", json.dumps([*of_years(MESSAGES)]))
REFUSED = {
    EXPORT[: len(EXPORT) // 2]: "not whole",
    packed("../conversations.json", "[]"): "leads outside of the archive",
}


async def send(page, data):
    file = {"name": "a.zip", "mimeType": "application/zip", "buffer": data}
    await page.get_by_label("File").set_input_files(file)
    await page.get_by_role("button", name="Bring along").click()


def held(monkeypatch):
    """Every import waits in its first page until the event is set; then it goes on."""
    gate, steps = asyncio.Event(), TaskRunners.steps

    async def waiting(runners, task):
        async for _ in steps(runners, task):
            yield
            if task.done:
                await gate.wait()

    monkeypatch.setattr(TaskRunners, "steps", waiting)
    monkeypatch.setattr(importing, "PAGE", PAGE)
    return gate


async def test_a_walk_over_the_page(tmp_path, postgres, monkeypatch):
    """Refused files keep nothing; one that is cancelled tells what it kept, and the same goes on.

    Who comes back to the page finds the import that goes on.
    """
    async with empty_database(postgres) as url:
        settings = {"database__url": url, "embedder__backend": "fake"}
        async with (
            ProductHere(tmp_path / "data", **settings) as product,
            opened(f"{product.url}/dashboard") as (page, wrong),
        ):
            await shown(page, "bring?user=ada")
            for data, why in REFUSED.items():
                await send(page, data)
                await page.get_by_role("alert").get_by_text(why).wait_for()
                assert "nothing was kept" in await page.get_by_role("alert").inner_text()
            kept = await cancelled(page, held(monkeypatch))
            await send(page, EXPORT)
            there = MESSAGES // 2
            await page.get_by_text(f": {there - kept} added, {kept} there already.").wait_for()
            await send(page, EXPORT)
            await page.get_by_text(f": {there} there already.").wait_for()
            assert wrong == []


async def cancelled(page, gate):
    """An import is cancelled from the keyboard by who comes back to the page; what it kept."""
    await send(page, EXPORT)
    await page.get_by_text(f"of {MESSAGES // 2} things said").wait_for()
    await shown(page, "person?user=ada")
    await page.get_by_role("link", name="Bring chats along").click()
    await page.get_by_text(f"of {MESSAGES // 2} things said").wait_for()
    async with page.expect_response("**/cancel") as answered:
        await page.get_by_role("button", name=CANCEL).press("Enter")
    assert (await (await answered.value).json())["state"] == "running"
    gate.set()
    await page.get_by_text(GOES_ON).wait_for()
    kept = int(re.search(r"Cancelled: (\d+) added\.", await page.inner_text(".receipt"))[1])
    assert 0 < kept < MESSAGES // 2
    assert await page.evaluate("document.activeElement.className") == "receipt"
    assert await page.get_by_role("button", name=CANCEL).count() == 0
    return kept


async def test_what_cancel_does_is_said():
    """Beside a bar, with what becomes of what is there; a refusal of it is shown."""
    answers = FULL | {"POST /v1/memories/tasks/t1/cancel": (403, {"detail": "it needs write"})}
    async with serving(answers) as url, opened(f"{url}/dashboard#/bring?user=ada") as (page, wrong):
        button = page.get_by_role("button", name=CANCEL)
        await button.wait_for()
        assert await page.locator("progress").get_attribute("max") == "1000"
        told = page.locator(f"#{await button.get_attribute('aria-describedby')}")
        assert "imported already stays" in await told.inner_text()
        await button.press("Enter")
        await page.get_by_role("alert").get_by_text("it needs write").wait_for()
        answers["/v1/memories/tasks/t1"] = IMPORT | {"state": "cancelled"}
        await page.get_by_text(f"Cancelled: 480 added. {GOES_ON}").wait_for()
        assert [each for each in wrong if "403" not in each] == []


async def test_a_file_that_is_being_sent_is_cancelled():
    """Nothing of it is kept."""
    hears = asyncio.Event()

    async def waits(route):
        hears.set()
        del route  # it is answered never

    async with serving({}) as url, opened(f"{url}/dashboard#/bring?user=ada") as (page, wrong):
        await page.route("**/import?*", waits)
        await send(page, EXPORT)
        async with asyncio.timeout(HANG_SECONDS):
            await hears.wait()
        await page.get_by_role("button", name=CANCEL).press("Enter")
        await page.get_by_text("Cancelled: nothing was kept.").wait_for()
        assert [each for each in wrong if "ERR_ABORTED" not in each] == []
