"""`examples/compose.yaml` fits what it starts: there is no container engine where the tests run.

The settings are those that the product accepts, with the image's own below them; what the services
call one another exists; and the product, started with these settings, keeps the users apart.
"""

import json
import re
from urllib.parse import urlsplit

import pytest
import yaml
from aiohttp.test_utils import TestClient, TestServer

from recollect.config import load_settings
from recollect.memory.model.errors import ConfigError
from recollect.proxy.app import build_app
from tests.clients.examples import ASKED, FACT, FOLDER, TOLD
from tests.clients.upstream import ScriptedUpstream

TEXT = (FOLDER / "compose.yaml").read_text("utf-8")
SECRETS = re.findall(r"^(\w+)=$", (FOLDER / ".env.example").read_text("utf-8"), re.MULTILINE)
PORTS = {"ollama": 11434, "open-webui": 8080}
"""Where the images of others listen."""
OPEN_WEBUI = {
    "OPENAI_API_BASE_URL",
    "OPENAI_API_KEY",
    "ENABLE_FORWARD_USER_INFO_HEADERS",
    "ENABLE_OLLAMA_API",
}
"""The variables of Open WebUI's backend/open_webui/env.py and config.py that are used."""
KEYS = {
    "image", "build", "environment", "volumes", "ports", "depends_on", "restart",
    "read_only", "tmpfs", "stop_grace_period",
}  # fmt: skip
"""What a service may have here, by the names of the Compose specification."""


def filled(text):
    """The file as compose reads it with a filled `.env`."""
    return yaml.safe_load(re.sub(r"\$\{(\w+):\?[^}]*\}", r"secret-of-\1", text))


COMPOSE = filled(TEXT)
SERVICES = COMPOSE["services"]


def image_environment():
    """What the image sets, from the last stage of its Dockerfile."""
    text = (FOLDER.parent / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    stage = text.rpartition("\nFROM ")[2]
    lines = re.findall(r"^ENV (.*)$", stage, re.MULTILINE)
    return dict(re.findall(r"(RECOLLECT_\w+)=(\S+)", " ".join(lines)))


def settings(tmp_path, **more):
    """The product's settings in its container, with parts that a test can afford."""
    environ = image_environment() | SERVICES["recollect"]["environment"] | more
    return load_settings(environ=environ | {"RECOLLECT_DATA_DIR": str(tmp_path)})


def test_what_it_names_exists():
    """Volumes, services and the Dockerfile; no volume is left over, no key is misspelled.

    Each secret is in `.env.example` without a value, and compose refuses to start without it.
    """
    assert set(COMPOSE) == {"name", "services", "volumes"}
    for service in SERVICES.values():
        assert set(service) <= KEYS
        assert ("image" in service) != ("build" in service)
    mounted = {v.split(":")[0] for s in SERVICES.values() for v in s.get("volumes", [])}
    assert mounted == set(COMPOSE["volumes"])
    needed = {name for s in SERVICES.values() for name in s.get("depends_on", [])}
    assert needed <= set(SERVICES)
    assert (FOLDER / SERVICES["recollect"]["build"] / "Dockerfile").exists()
    assert set(re.findall(r"\$\{(\w+)", TEXT)) == set(SECRETS)
    assert TEXT.count("${") == len(re.findall(r"\$\{\w+:\?", TEXT))


def test_ports_are_published_on_loopback_only():
    """Whoever needs more has to put something in front that authenticates."""
    published = {
        name: port.rsplit(":", 1) for name, s in SERVICES.items() for port in s.get("ports", [])
    }
    assert {name: int(port[1]) for name, port in published.items()} == {
        "recollect": 8787,
        "open-webui": PORTS["open-webui"],
    }
    assert all(port[0].startswith("127.0.0.1:") for port in published.values())


def test_requests_go_from_one_to_the_next(tmp_path):
    """Open WebUI calls Recollect, Recollect calls Ollama, and nobody goes past it."""
    ours = settings(tmp_path)
    assert ours.upstream.base_url == f"http://ollama:{PORTS['ollama']}/v1"
    front = SERVICES["open-webui"]["environment"]
    called = urlsplit(front["OPENAI_API_BASE_URL"])
    assert (called.hostname, called.port, called.path) == ("recollect", ours.listen.port, "/v1")
    assert (front["ENABLE_OLLAMA_API"], front["ENABLE_FORWARD_USER_INFO_HEADERS"]) == (
        "false",
        "true",
    )
    assert set(front) == OPEN_WEBUI


def test_data_is_on_the_volume(tmp_path):
    """Memories outlive the container; the root file system is read-only."""
    folder = image_environment()["RECOLLECT_DATA_DIR"]
    assert SERVICES["recollect"]["volumes"] == [f"recollect:{folder}"]
    assert SERVICES["recollect"]["read_only"]
    # The settings come from this very text, so a data folder of its own would be noticed here.
    assert "RECOLLECT_DATA_DIR" not in SERVICES["recollect"]["environment"]
    with pytest.raises(ConfigError, match=r"identity\.user_heders"):
        settings(tmp_path, RECOLLECT_IDENTITY__USER_HEDERS="[x]")


async def test_the_users_of_open_webui_are_kept_apart(models_dir, tmp_path):
    """By the header that it forwards; a request of its own, which has none, has no memory."""
    key = SERVICES["open-webui"]["environment"]["OPENAI_API_KEY"]
    parts = {"EMBEDDER__MODEL_DIR": str(models_dir), "INDEX__BACKEND": "exact"}
    async with ScriptedUpstream() as ollama:
        parts |= {"UPSTREAM__BASE_URL": ollama.base_url, "RECALL__DEADLINE_MS": "60000"}
        ours = settings(tmp_path, **{f"RECOLLECT_{name}": value for name, value in parts.items()})
        async with TestClient(TestServer(build_app(ours))) as client:

            async def say(text, **named):
                """The outcome, and whether the model was told the fact."""
                body = {"model": "m", "messages": [{"role": "user", "content": text}]}
                headers = {"Authorization": f"Bearer {key}"}
                headers |= {f"X-OpenWebUI-{name}-Id": value for name, value in named.items()}
                answer = await client.post("/v1/chat/completions", json=body, headers=headers)
                await answer.read()
                told = FACT in json.dumps(ollama.received[-1].body)
                return (
                    answer.headers["x-recollect-memory"],
                    answer.headers["x-recollect-reason"],
                    told,
                )

            await say(TOLD, User="u-ada", Chat="c1")
            assert await say(ASKED, User="u-ada", Chat="c2") == ("injected", "default", True)
            assert await say(ASKED, User="u-tom", Chat="c3") == ("empty", "no_memories", False)
            assert await say(ASKED) == ("off", "no_user", False)
