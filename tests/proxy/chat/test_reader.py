"""Bodies that take long to read do not hold the event loop up. What can be read: test_memory_route.py."""

import threading
from dataclasses import replace

from recollect.proxy.chat.reader import INLINE_BYTES
from recollect.proxy.dialects.chat import CHAT

from ..chatting import BODY, Chatting


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
