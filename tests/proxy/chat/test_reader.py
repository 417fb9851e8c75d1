"""Bodies that take long to read do not hold the event loop up. What can be read: test_memory_route.py."""

import asyncio
import threading
from dataclasses import replace

from recollect.proxy.chat.reader import INLINE_BYTES
from recollect.proxy.dialects.chat import CHAT

from ...support.waiting import until
from ..chatting import BODY, Chatting
from ..wire import SECONDS


async def test_a_large_body_is_read_away_from_the_loop(monkeypatch):
    """A small one is read in place; both are forwarded as they are."""
    threads = []
    parse = CHAT.parse

    def spying(raw):
        threads.append(threading.current_thread())
        return parse(raw)

    large = BODY.replace(b'"Hi', b'"' + b"x" * INLINE_BYTES + b" Hi")
    assert large != BODY
    async with Chatting() as chatting:
        monkeypatch.setattr(chatting.reader, "dialect", replace(CHAT, parse=spying))
        await chatting.ask(BODY)
        await chatting.ask(large)
        assert chatting.received.body == large
    assert threads[0] is threading.main_thread()
    assert threads[1] is not threading.main_thread()


async def test_a_long_chat_does_not_wait_for_many_that_are_far_longer(monkeypatch):
    """Of the same address too: a server in front may hide everybody behind one."""
    sizes, go = [], threading.Event()
    parse = CHAT.parse

    def waiting(raw):
        go.wait(SECONDS)
        sizes.append(len(raw))
        return parse(raw)

    def body(size):
        return BODY.replace(b'"Hi', b'"' + b"x" * size + b" Hi")

    async with Chatting() as chatting:
        monkeypatch.setattr(chatting.reader, "dialect", replace(CHAT, parse=waiting))
        bulk, waits = chatting.reader._bulk, []
        run = bulk.run
        monkeypatch.setattr(bulk, "run", lambda *given: waits.append(given) or run(*given))
        far = [asyncio.ensure_future(chatting.ask(body(40 * INLINE_BYTES))) for _ in range(10)]
        await until(lambda: len(waits) == len(far), "those that are far longer")
        long = asyncio.ensure_future(chatting.ask(body(2 * INLINE_BYTES)))
        await until(lambda: len(waits) == 11, "the long one")
        go.set()
        await asyncio.gather(long, *far)
    assert sizes.index(min(sizes)) <= 1
