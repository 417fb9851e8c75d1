"""What the chart refuses, each with a message that says what to do."""

import json

import pytest
import yaml

from .conftest import ROOT

SHARED_STATE = (
    'config.state={"backend": "redis", "url": "redis://redis:6379/0"}',
    'config.history={"backend": "postgres", "url": "postgresql://postgres/recollect"}',
)


@pytest.mark.parametrize("example", ["gateway-embedded", "sidecar"])
def test_replicas_with_a_file_store(refuse, example):
    """Several pods with the embedded store would each have their own memories."""
    message = refuse(example, "replicas=2", *SHARED_STATE)
    assert "more than one replica needs a shared store" in message
    assert "config.store.uri" in message


@pytest.mark.parametrize("uri", ["", "/var/lib/recollect/memories.db", "memories.db"])
def test_a_path_is_not_a_shared_store(refuse, uri):
    """A file path as store.uri is as embedded as none."""
    store = f"config.store={json.dumps({'uri': uri})}"
    assert "shared store" in refuse("gateway-embedded", "replicas=2", store, *SHARED_STATE)


def test_autoscaling_counts_as_replicas(refuse):
    """The autoscaler's maximum is judged, not the number it starts with."""
    message = refuse("gateway-embedded", "autoscaling.enabled=true", *SHARED_STATE)
    assert "autoscaling.enabled=false" in message


@pytest.mark.parametrize("backend", ["sqlite", "inmemory"])
def test_replicas_with_a_file_state(refuse, backend):
    """Several pods that each keep their own conversations would learn a turn twice or lose it."""
    state = f'config.state={{"backend": "{backend}"}}'
    assert "shared state" in refuse("gateway-shared", "replicas=2", SHARED_STATE[1], state)
    assert "shared state" in refuse("gateway-shared", "replicas=2")


def test_replicas_with_a_file_history(refuse):
    """A shared queue alone is not enough: each pod would keep its own audit trail."""
    for history in ("sqlite", "inmemory"):
        sets = (SHARED_STATE[0], f'config.history={{"backend": "{history}"}}')
        assert "config.history.backend=postgres" in refuse("gateway-shared", "replicas=2", *sets)


def test_replicas_with_one_volume(refuse):
    """A ReadWriteOnce volume cannot follow several pods."""
    message = refuse("gateway-shared", "replicas=2", *SHARED_STATE)
    assert "persistence.enabled=false" in message


def test_a_shared_backend_without_its_address(refuse, render):
    """Redis or PostgreSQL chosen and not named is told, with the key of the Secret to name."""
    redis, postgres = 'config.state={"backend": "redis"}', 'config.history={"backend": "postgres"}'
    assert "secret.keys.stateUrl" in refuse("gateway-shared", redis)
    assert "secret.keys.historyUrl" in refuse("gateway-shared", postgres)
    assert "secret.keys.stateUrl" in refuse("sidecar", redis, 'secret.keys.stateUrl="state"')
    render("gateway-shared", redis, 'extraEnv=[{"name": "RECOLLECT_STATE__URL", "value": "x"}]')
    render("gateway-shared", redis, 'envFrom=[{"secretRef": {"name": "more"}}]')


@pytest.mark.parametrize("key", ["stateUrl", "historyUrl"])
def test_an_address_that_nothing_uses(refuse, key):
    """The product would refuse the address of a server for a file."""
    assert f"secret.keys.{key}" in refuse("gateway-shared", f'secret.keys.{key}="url"')


@pytest.mark.parametrize("sets", [('secret.existingSecret=""',), ('secret.keys.apiToken=""',)])
def test_a_gateway_without_a_token(refuse, sets):
    """The message names the command that makes the Secret and the value that names it."""
    message = refuse("gateway-embedded", *sets)
    assert "needs an API token" in message
    assert "kubectl create secret" in message
    assert "secret.existingSecret" in message


def test_a_gateway_without_a_hash_key(refuse):
    """Gateway identity cannot derive tenants without a key."""
    assert "identityHashKey" in refuse("gateway-embedded", 'secret.keys.identityHashKey=""')


def test_a_sidecar_without_an_agent(refuse):
    """There is nothing to be a sidecar of."""
    assert "agent.image is required" in refuse()


def test_a_sidecar_open_to_the_cluster(refuse):
    """Sidecar mode is loopback only, by file or by environment."""
    assert "loopback only" in refuse("sidecar", 'config.listen={"host": "0.0.0.0"}')
    env = 'extraEnv=[{"name": "RECOLLECT_LISTEN__HOST", "value": "0.0.0.0"}]'
    assert "the chart sets itself" in refuse("sidecar", env)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_gateway_nobody_can_reach(refuse, host):
    """A gateway on loopback is refused, however loopback is written."""
    message = refuse("gateway-embedded", f'config.listen={{"host": "{host}"}}')
    assert "no Service could reach" in message


@pytest.mark.parametrize(
    "config",
    [
        {"api": {"token": "hunter2"}},
        {"identity": {"hash_key": "hunter2"}},
        {"learn": {"llm": {"api_key": "hunter2"}}},
        {"somewhere": [{"password": "12345"}]},
        {"store": {"uri": "https://root:hunter2@milvus:19530"}},
        {"state": {"url": "redis://:hunter2@redis:6379/0"}},
    ],
    ids=lambda config: next(iter(config)),
)
def test_a_secret_in_the_configuration(refuse, config):
    """What would be readable in a ConfigMap is refused, and not repeated in the message."""
    sets = [f"config.{key}={json.dumps(value)}" for key, value in config.items()]
    message = refuse("gateway-embedded", *sets)
    assert "would end up in a ConfigMap" in message
    assert "hunter2" not in message


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"recal": {}}, "config.recal is no key"),
        ({"recall": {"limt": 5}}, "config.recall.limt is no key"),
        ({"recall": {"gate": {"x": 1}}}, "config.recall.gate.x is no key"),
        ({"learn": {"llm": {"modle": "x"}}}, "config.learn.llm.modle is no key"),
        ({"api": {"tenant_limits": {"acme": {"x": 1}}}}, "config.api.tenant_limits.acme.x is no"),
        ({"upstream": {"url": "http://h/v1"}}, "Keys of config.upstream: base_url, "),
        ({"retention": 5}, "config.retention takes keys below it: "),
        ({"learn": {"lease_seconds": 9}}, "config.learn.lease_seconds is no longer a setting: the"),
        ({"recall": {"fusion": {"method": "rrf"}}}, "config.recall.fusion.method is no longer a"),
        ({"api": {"max_body_bytes": 9}}, "no longer a setting: set api.limits.max_body_bytes."),
    ],
)
def test_a_key_that_nobody_knows(refuse, config, told):
    """Told at once, with the keys there are; in the pod it would be an error in a log."""
    sets = [f"config.{key}={json.dumps(value)}" for key, value in config.items()]
    assert told in refuse("gateway-embedded", *sets)


def _set(value):
    """The keys that have a value: one of a token, even null, is taken for a secret."""
    if not isinstance(value, dict):
        return value
    return {key: _set(below) for key, below in value.items() if below is not None}


def test_every_key_renders(render):
    """Those of the defaults, of each backend, and maps with names of their own."""
    defaults = yaml.safe_load((ROOT / "config" / "default.yaml").read_text("utf-8"))
    kept = {"listen", "data_dir", "identity", "state", "history"}
    given = {key: value for key, value in defaults.items() if key not in kept}
    given["identity"] = {"tenants": {}}
    given["embedder"] = {"backend": "openai", "base_url": "http://e/v1", "dim": 8}
    given["learn"]["llm"] = {"model": "m"}
    given["api"]["tenant_limits"] = {"Acme, Inc.": {"requests_per_minute": 60}}
    sets = [f"config.{key}={json.dumps(_set(value))}" for key, value in given.items()]
    render("gateway-embedded", *sets, 'config.store={"backend": "inmemory"}')


def test_words_like_secrets_are_allowed(render):
    """Settings that only sound like secrets render."""
    render("gateway-embedded", 'config.recall={"token_budget": 800}', 'config.api={"token": ""}')
    render("gateway-embedded", 'config.store={"uri": "http://milvus:19530"}')


def test_a_secret_in_the_environment(refuse, render):
    """A literal credential in extraEnv is refused, a reference to one is not."""
    literal = 'extraEnv=[{"name": "RECOLLECT_LEARN__LLM__API_KEY", "value": "hunter2"}]'
    message = refuse("gateway-embedded", literal)
    assert "valueFrom.secretKeyRef" in message
    assert "hunter2" not in message
    url = 'extraEnv=[{"name": "RECOLLECT_STATE__URL", "value": "redis://:hunter2@redis:6379/0"}]'
    message = refuse("gateway-embedded", url)
    assert "password in the URL of RECOLLECT_STATE__URL" in message
    assert "hunter2" not in message
    reference = {"secretKeyRef": {"name": "llm", "key": "key"}}
    entry = {"name": "RECOLLECT_LEARN__LLM__API_KEY", "valueFrom": reference}
    render("gateway-embedded", f"extraEnv={json.dumps([entry])}")


def test_an_agent_that_goes_past_its_memory(refuse):
    """An agent with its own OPENAI_BASE_URL would silently have no memory."""
    message = refuse("sidecar", 'agent.env=[{"name": "OPENAI_BASE_URL", "value": "http://x"}]')
    assert "must point to the sidecar" in message


def test_an_ingress_behind_a_closed_policy(refuse):
    """The policy would shut out the ingress controller without a word."""
    hosts = 'ingress.hosts=[{"host": "h", "paths": [{"path": "/", "pathType": "Prefix"}]}]'
    message = refuse("gateway-embedded", "ingress.enabled=true", hosts)
    assert "networkPolicy.from" in message
    assert "ingress.hosts" in refuse("gateway-embedded", "ingress.enabled=true")


@pytest.mark.parametrize(
    "typo",
    [
        'mod="gateway"',
        "replica=2",
        "persistence.enable=false",
        'image.tags="1"',
        'agent.images="a"',
        'secret.keys.apitoken="x"',
        'extraEnv=[{"nmae": "X"}]',
        "networkPolicy.enable=true",
        "probes.sidecar.startup.periodSecond=1",
        "worker.replica=2",
        'secret.keys.redisUrl="x"',
    ],
)
def test_a_misspelt_key(refuse, typo):
    """The values schema names a key that it does not know, at any depth."""
    message = refuse("gateway-embedded", typo)
    assert "Additional property" in message
    assert "is not allowed" in message


@pytest.mark.parametrize(
    "wrong",
    [
        'mode="deamon"',
        'replicas="two"',
        'image.digest="sha256:abc"',
        "config.listen.port=80",
        'config.data_dir="relative"',
        "terminationGracePeriodSeconds=5",
        "worker.terminationGracePeriodSeconds=5",
        'config.state={"backend": "reddis"}',
        'persistence.accessModes=["ReadOnlyMany"]',
        'resources.limits={"memory": "lots"}',
    ],
)
def test_a_wrong_value(refuse, wrong):
    """The values schema refuses what has the wrong type or range."""
    assert "values don't meet the specifications" in refuse("gateway-embedded", wrong)
