"""Takes the pictures of `docs/dashboard.md` from a real product with something in it.

`python -m tests.dashboard.pictures` writes them; the embedder's weights are those of this account
(`recollect models fetch`). Look at them before you commit them.
"""

import asyncio
import tempfile
from pathlib import Path

from tests.dashboard.browser import opened, shown
from tests.dashboard.seeded import answering, fill, say
from tests.support.here import ProductHere

FOLDER = Path(__file__).parents[2] / "docs" / "dashboard"
MODELS = Path.home() / ".recollect" / "models"
PICTURES = {
    "overview": "overview",
    "chat": "chat?user=ada",
    "live": "live",
    "person": "person?user=ada",
    "timeline": "person?user=ada&tab=timeline",
    "playground": "playground?user=ada&q=What should I cook tonight?",
    "whynot": "whynot?user=ada&text=I live in Lisbon&q=Where do I live?",
    "map": "map?user=ada",
    "settings": "settings",
    "review": "review?user=ada",
}
WAITING = (
    "My blood pressure is too high, I take tablets for it.",
    "I earn 3,200 euros a month after tax.",
    "My brother Tom lost his job last week.",
)
DESK = {"width": 1080, "height": 760}
PHONE = {"width": 360, "height": 740}


async def main():
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    async with answering() as upstream:
        settings = {
            "upstream__base_url": upstream,
            "embedder__model_dir": MODELS,
            "trust__review": dict.fromkeys(("health", "money", "other_people", "wishes"), 14),
        }
        with tempfile.TemporaryDirectory() as folder:
            async with ProductHere(Path(folder) / "data", **settings) as product:
                await fill(product)
                await say(product, WAITING)
                await take(product, "", viewport=DESK)
                dark = {"viewport": DESK, "color_scheme": "dark"}
                await take(product, "-dark", ("playground", "map"), **dark)
                await take(product, "-phone", ("overview", "person", "review"), viewport=PHONE)


async def take(product, suffix, names=tuple(PICTURES), **look):
    """Each of these pages as a reader sees it first."""
    async with opened(f"{product.url}/dashboard", **look) as (page, _):
        for name in names:
            await shown(page, PICTURES[name])
            if name == "chat":
                await talked(page)
            await page.wait_for_timeout(300)
            await page.screenshot(path=FOLDER / f"{name}{suffix}.png")


async def talked(page):
    """A conversation that needs what is known."""
    await page.get_by_label("Model", exact=True).fill("gpt-4o-mini")
    for at, text in enumerate(("Is there something sweet that I could bake for Rui?", "hello")):
        await page.get_by_label("Message").fill(text)
        await page.keyboard.press("Enter")
        await page.locator(".given").nth(at).wait_for()


if __name__ == "__main__":
    asyncio.run(main())
