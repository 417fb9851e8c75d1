"""The official Python client of MCP, in the version before: `talk.py URL`, or `talk.py COMMAND ...`.

Prints a line for each step that went as it should.
"""

import asyncio
import os
import sys

from mcp import ClientSession, McpError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamablehttp_client

PROFILE = "recollect://profile"
FACT = "The offsite is in Lisbon."


def did(step, *, ok):
    """A step is done."""
    print(f"{'ok' if ok else 'wrong'} {step}", flush=True)


async def talk(read, write):
    """Each thing that a client can ask for."""
    async with ClientSession(read, write) as client:
        greeted = await client.initialize()
        did("initialize", ok=greeted.serverInfo.name == "recollect")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        did("tools/list", ok=tools["fact_search"].annotations.readOnlyHint is True)
        await client.call_tool("fact_remember", {"text": FACT})
        found = await client.call_tool("fact_search", {"query": "offsite"})
        did("tools/call", ok=FACT in str(found.structuredContent))
        did("wrong arguments", ok=(await client.call_tool("fact_search", {})).isError)
        try:
            refused = (await client.call_tool("nope", {})).isError
        except McpError:
            refused = True
        did("no such tool", ok=refused)
        resources = [str(each.uri) for each in (await client.list_resources()).resources]
        did("resources/list", ok=PROFILE in resources)
        did("resources/read", ok=bool((await client.read_resource(PROFILE)).contents))
        await client.send_ping()
        did("ping", ok=True)


async def main(first, *rest):
    """Over HTTP if the first word is an address, else with a command that it starts."""
    if first.startswith("http"):
        async with streamablehttp_client(first) as (read, write, _):
            await talk(read, write)
    else:
        server = StdioServerParameters(command=first, args=list(rest), env=dict(os.environ))
        async with stdio_client(server) as (read, write):
            await talk(read, write)


asyncio.run(main(*sys.argv[1:]))
