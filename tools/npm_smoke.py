"""The npm `openai` client, direct and through Recollect: what it sees has to be the same.

`python tools/npm_smoke.py` needs node and npm; it installs the client into a temporary folder,
starts a scripted upstream and the product, and runs `npm_smoke.mjs` against both.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from aiohttp import web

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.product import Product  # noqa: E402 - the path comes first

MODELS = Path("~/.recollect/models").expanduser()
"""Where `make setup` puts the embedding weights."""
HEADERS = {"x-request-id": "req_smoke"}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "model": "m",
    "status": "completed",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Tea.", "annotations": []}],
        }
    ],
}


def completion(**fields: Any) -> dict[str, Any]:
    """A chat completion or a chunk of one."""
    return {"id": "c1", "created": 1, "model": "m", "choices": [{"index": 0, **fields}]}


CHUNKS = [
    completion(delta={"role": "assistant", "content": ""}, finish_reason=None),
    completion(delta={"content": "Te\u00e9"}, finish_reason=None),
    completion(delta={"content": " \u2028."}, finish_reason=None),
    completion(delta={}, finish_reason="stop"),
]
EVENTS = [
    {"type": "response.created", "response": {**RESPONSE, "output": [], "status": "in_progress"}},
    {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Tea."},
    {"type": "response.completed", "response": RESPONSE},
]


class Upstream:
    """Answers from the tables above; `moderations` is busy the first time."""

    def __init__(self) -> None:
        self.app = web.Application()
        self.app.router.add_route("*", "/v1/{path:.*}", self.handle)
        self._busy = True

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        body = await request.json() if request.can_read_body else {}
        match request.match_info["path"]:
            case "chat/completions" if body["model"] == "refused":
                error = {"message": "no", "type": "invalid_request_error", "code": "c", "param": 0}
                return web.json_response({"error": error}, status=400, headers=HEADERS)
            case "chat/completions" if body.get("stream"):
                return _stream([f"data: {json.dumps(chunk)}" for chunk in CHUNKS])
            case "chat/completions":
                answer = completion(message={"role": "assistant", "content": "Tea."})
                return web.json_response(answer, headers=HEADERS)
            case "responses" if body.get("stream"):
                return _stream([f"event: {e['type']}\ndata: {json.dumps(e)}" for e in EVENTS])
            case "responses":
                return web.json_response(RESPONSE)
            case "models":
                return web.json_response({"object": "list", "data": [{"id": "m", "new": 1.5}]})
            case "embeddings":
                return web.json_response({"data": [{"index": 0, "embedding": [0.5, -0.25]}]})
            case "moderations":
                self._busy = not self._busy
                if not self._busy:
                    return web.Response(status=429, headers={"retry-after-ms": "20"})
                return web.json_response({"id": "modr-1", "results": []})
            case _:
                return web.Response(status=404)


def _stream(events: list[str]) -> web.Response:
    body = "\n\n".join([*events, "data: [DONE]"]) + "\n\n"
    return web.Response(text=body, content_type="text/event-stream")


async def run(command: list[str], folder: Path) -> str:
    """A command's output; its failure is ours."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"{command[0]} failed")
    return output.decode()


async def main() -> None:
    """Install, run twice, compare."""
    if not (shutil.which("npm") and shutil.which("node")):
        raise SystemExit("node and npm are needed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("installing the npm client", flush=True)
        await run(["npm", "install", "--silent", "--no-fund", "--no-audit", "openai"], folder)
        shutil.copy(ROOT / "tools" / "npm_smoke.mjs", folder)
        runner = web.AppRunner(Upstream().app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        direct = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        product = Product(folder / "data", upstream__base_url=direct, embedder__model_dir=MODELS)
        await asyncio.to_thread(product.start)
        try:
            seen = [
                json.loads(await run(["node", "npm_smoke.mjs", url], folder))
                for url in (direct, product.base_url)
            ]
        finally:
            await asyncio.to_thread(product.stop)
            await runner.cleanup()
        version = json.loads((folder / "node_modules/openai/package.json").read_text())["version"]
    for part, value in seen[0].items():
        same = value == seen[1].get(part)
        print(f"  {part:10} {'same' if same else f'DIFFERS: {value} / {seen[1].get(part)}'}")
    if seen[0] != seen[1]:
        raise SystemExit(1)
    print(f"openai {version} (npm): direct and through Recollect are the same")


if __name__ == "__main__":
    asyncio.run(main())
