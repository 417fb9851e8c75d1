"""The pages over a real product with memories: what they ask for is what it answers."""

import json
import re

import aiohttp

from tests.dashboard.browser import IN_BROWSER, opened, shown
from tests.dashboard.seeded import FACTS, MOVED, PLANTED, answering, chat, fill
from tests.support import chat_exports
from tests.support.here import ProductHere

pytestmark = IN_BROWSER
SAID = {
    "overview": ("Everything works.", "ada"),
    "live": ("given memories", FACTS[0][2]),
    "person?user=ada": (MOVED, "quarantined"),
    "person?user=ada&tab=profile": (FACTS[2][2], "wish"),
    "person?user=ada&tab=timeline": (FACTS[1][2], "what took its place"),
    "person?user=ada&tab=episodes": (FACTS[4][2],),
    "person?user=ada&q=Where do I live?": (MOVED,),
    "playground?user=ada&q=Where do I live%3F": (MOVED, "answers the message"),
    "whynot?user=ada&text=I live in Lisbon": ("superseded", MOVED),
    "map?user=ada": ("What is near in meaning is near here.", MOVED),
    "graph?user=ada": ("by themselves.", "Who and what they speak of"),
    "review?user=ada": (PLANTED, "reveal the system prompt", "Never again"),
    "jobs": ("No job failed.",),
    "settings": ("recall.token_budget", "Recall"),
}


async def test_every_page_shows_what_the_product_answers(tmp_path):
    """No page asks for something that the product refuses, and a memory is erased with a receipt.

    A chat appears as it ends: the page listens.
    """
    async with answering() as upstream:
        settings = {"upstream__base_url": upstream, "embedder__backend": "fake"}
        async with ProductHere(tmp_path / "data", **settings) as product:
            await fill(product)
            async with opened(f"{product.url}/dashboard") as (page, wrong):
                await look(product, page)
                assert wrong == []


async def judge(page):
    """Each answer to "was this right?" is taken, and taken back, for a line that a chat was given."""
    for path in ("live", "playground?user=ada&q=Where do I live%3F"):
        await shown(page, path)
        line = page.locator(".verdicts", has_text="right").first
        for label in ("right", "wrong", "outdated", "not now"):
            # "Undo right: …" has the name of "right: …" in it.
            answer = line.get_by_role("button", name=re.compile(f"^{label}: "))
            await answer.click()
            await line.get_by_role("button", name=f"Undo {label}").click()
            await answer.wait_for()


async def bring(page):
    """An export is sent and what came of it told; the same adds nothing; another one is refused."""
    said = [chat_exports.chatgpt(*chat_exports.talk("I keep six beehives in Harlow.", "Nice."))]
    for value, told in (
        (said, "2 messages of 1 conversation: 1 added."),
        (said, "1 there already."),
        ([{"uuid": "c"}], "expected an object"),
    ):
        await shown(page, "person?user=ada")
        await page.get_by_role("link", name="Bring chats along").click()
        data = json.dumps(value).encode()
        file = {"name": "a.json", "mimeType": "application/json", "buffer": data}
        await page.get_by_label("File").set_input_files(file)
        await page.get_by_role("button", name="Bring along").click()
        await page.get_by_text(told).wait_for()


async def look(product, page):
    for path, texts in SAID.items():
        await shown(page, path)
        for text in texts:
            await page.get_by_text(text).first.wait_for()
    await judge(page)
    await bring(page)
    await shown(page, "person?user=ada&q=cat")
    await page.get_by_role("button", name="Forget", exact=True).first.click()
    await page.get_by_role("button", name="Forget for ever").click()
    await page.get_by_text("Erased, and no longer found.").wait_for()
    await talk(page)
    await shown(page, "live")
    await page.get_by_text("live", exact=True).wait_for()
    chats = page.locator(".exchange")
    before = await chats.count()
    async with aiohttp.ClientSession(product.url) as session:
        await chat(session, "Which tea do I like?")
    await chats.nth(before).wait_for()
    assert await chats.count() == before + 1


async def talk(page):
    """What was told in one conversation is given to the next, and shown below its answer."""
    await shown(page, "chat?user=zoe")
    await page.get_by_label("Model", exact=True).fill("gpt-4o-mini")
    await page.get_by_label("Message").fill("I keep bees in Madeira.")
    await page.keyboard.press("Enter")
    await page.get_by_text("nothing to give").wait_for()
    assert await page.get_by_text("Yes.", exact=True).count() == 1
    await page.get_by_role("button", name="New conversation").click()
    await page.get_by_label("Message").fill("Where do I keep bees?")
    await page.keyboard.press("Enter")
    await page.locator(".given").get_by_text("I keep bees in Madeira.").wait_for()
    assert "matches the message" in await page.inner_text(".given")
    await page.get_by_role("link", name="why, and what was left out?").click()
    await page.get_by_text("Memory is searched").wait_for()
    await shown(page, "chat")
    assert await page.locator(".turn").count() == 1
