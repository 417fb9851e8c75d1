"""What the chart refuses, each with a message that says what to do."""

import json

import yaml

from tests.support.folding import rows

from .conftest import ROOT

SHARED = 'config.database={"url": "postgresql://postgres/recollect"}'
REDIS = 'config.redis={"url": "redis://redis:6379/0"}'
TWO = "replicas=2"
HOSTS = 'ingress.hosts=[{"host": "h", "paths": [{"path": "/", "pathType": "Prefix"}]}]'
TOKEN = ("needs an API token", "kubectl create secret", "secret.existingSecret")


def env(name, value):
    return f'extraEnv=[{{"name": "{name}", "value": "{value}"}}]'


# Why, then the example, what is set, and what the message says.
REFUSED = [
    ("the autoscaler's maximum is judged, not the number it starts with",
     "gateway-embedded", ("autoscaling.enabled=true",), ("autoscaling.enabled=false",)),
    *(("pods with conversations of their own would learn a turn twice or lose it",
       "gateway-shared", (TWO, f"config.database={json.dumps({'url': url})}"), ("shared database",))
      for url in ("", "/var/lib/recollect/recollect.db", "sqlite:///recollect.db", ":memory:")),
    ("the same by default", "gateway-shared", (TWO,), ("shared database",)),
    ("the age of the queue is a metric, and metrics on loopback are read by nobody",
     "gateway-workers", ("worker.autoscaling.enabled=true",), ("metrics.enabled=true",)),
    ("a ReadWriteOnce volume cannot follow several pods",
     "gateway-shared", (TWO, SHARED), ("persistence.enabled=false",)),
    *(("the database would silently be a file",
       "sidecar", (f'secret.keys.{key}="url"',), (f"secret.keys.{key}", "secret.existingSecret"))
      for key in ("databaseUrl", "redisUrl")),
    *(("the product would refuse a Redis beside a file",
       "gateway-shared", (redis,), ("beside a PostgreSQL", "secret.keys.databaseUrl"))
      for redis in (REDIS, 'secret.keys.redisUrl="url"', env("RECOLLECT_REDIS__URL", "x"))),
    ("a gateway without a Secret: the command that makes it and the value that names it",
     "gateway-embedded", ('secret.existingSecret=""',), TOKEN),
    ("a gateway without a token", "gateway-embedded", ('secret.keys.apiToken=""',), TOKEN),
    ("gateway identity cannot derive tenants without a key",
     "gateway-embedded", ('secret.keys.identityHashKey=""',), ("identityHashKey",)),
    ("there is nothing to be a sidecar of", None, (), ("agent.image is required",)),
    ("sidecar mode is loopback only, by file",
     "sidecar", ('config.listen={"host": "0.0.0.0"}',), ("loopback only",)),
    ("and by environment",
     "sidecar", (env("RECOLLECT_LISTEN__HOST", "0.0.0.0"),), ("the chart sets itself",)),
    *(("a gateway on loopback, however loopback is written",
       "gateway-embedded", (f'config.listen={{"host": "{host}"}}',), ("no Service could reach",))
      for host in ("127.0.0.1", "localhost", "::1")),
    ("an agent with its own OPENAI_BASE_URL would silently have no memory",
     "sidecar", ('agent.env=[{"name": "OPENAI_BASE_URL", "value": "http://x"}]',),
     ("must point to the sidecar",)),
    ("the policy would shut out the ingress controller without a word",
     "gateway-embedded", ("ingress.enabled=true", HOSTS), ("networkPolicy.from",)),
    ("an ingress without a host",
     "gateway-embedded", ("ingress.enabled=true",), ("ingress.hosts",)),
]  # fmt: skip


@rows("why, example, sets, told", REFUSED)
def test_what_cannot_work_is_refused(refuse, why, example, sets, told):
    """Each with a message that says what to do."""
    message = refuse(example, *sets)
    assert all(each in message for each in told), (why, message)


def test_an_address_may_come_from_the_environment(render):
    """From a variable; what only sounds like a secret renders."""
    render("gateway-shared", REDIS, env("RECOLLECT_DATABASE__URL", "x"))
    render("gateway-embedded", 'config.recall={"token_budget": 800}', 'config.api={"token": ""}')


@rows(
    "config",
    [
        {"api": {"token": "hunter2"}},
        {"identity": {"hash_key": "hunter2"}},
        {"learn": {"llm": {"api_key": "hunter2"}}},
        {"somewhere": [{"password": "12345"}]},
        {"index": {"uri": "https://root:hunter2@milvus:19530"}},
        {"redis": {"url": "redis://:hunter2@redis:6379/0"}},
    ],
)
def test_a_secret_in_the_configuration(refuse, config):
    """What would be readable in a ConfigMap is refused, and not repeated in the message."""
    sets = [f"config.{key}={json.dumps(value)}" for key, value in config.items()]
    message = refuse("gateway-embedded", *sets)
    assert "would end up in a ConfigMap" in message
    assert "hunter2" not in message


@rows(
    "config, told",
    [
        ({"recal": {}}, "config.recal is no key"),
        ({"recall": {"limt": 5}}, "config.recall.limt is no key"),
        ({"recall": {"rewrite": {"x": 1}}}, "config.recall.rewrite.x is no key"),
        ({"learn": {"llm": {"modle": "x"}}}, "config.learn.llm.modle is no key"),
        ({"api": {"tenant_limits": {"acme": {"x": 1}}}}, "config.api.tenant_limits.acme.x is no"),
        ({"upstream": {"url": "http://h/v1"}}, "Keys of config.upstream: base_url, "),
        ({"retention": 5}, "config.retention takes keys below it: "),
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
    kept = {"listen", "data_dir", "identity"}
    given = {key: value for key, value in defaults.items() if key not in kept}
    given["identity"] = {"tenants": {}}
    given["embedder"] = {"backend": "openai", "base_url": "http://e/v1", "dim": 8}
    given["learn"]["llm"] = {"model": "m"}
    given["api"]["tenant_limits"] = {"Acme, Inc.": {"requests_per_minute": 60}}
    sets = [f"config.{key}={json.dumps(_set(value))}" for key, value in given.items()]
    render("gateway-embedded", *sets, 'config.index={"backend": "exact"}')


def test_a_secret_in_the_environment(refuse, render):
    """A literal credential in extraEnv is refused, a reference to one is not."""
    message = refuse("gateway-embedded", env("RECOLLECT_LEARN__LLM__API_KEY", "hunter2"))
    assert "valueFrom.secretKeyRef" in message
    assert "hunter2" not in message
    url = env("RECOLLECT_DATABASE__URL", "postgresql://r:hunter2@postgres/recollect")
    message = refuse("gateway-embedded", url)
    assert "password in the URL of RECOLLECT_DATABASE__URL" in message
    assert "hunter2" not in message
    reference = {"secretKeyRef": {"name": "llm", "key": "key"}}
    entry = {"name": "RECOLLECT_LEARN__LLM__API_KEY", "valueFrom": reference}
    render("gateway-embedded", f"extraEnv={json.dumps([entry])}")


@rows(
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
        'secret.keys.stateUrl="x"',
    ],
)
def test_a_misspelt_key(refuse, typo):
    """The values schema names a key that it does not know, at any depth."""
    message = refuse("gateway-embedded", typo)
    assert "Additional property" in message
    assert "is not allowed" in message


@rows(
    "wrong",
    [
        'mode="deamon"',
        'replicas="two"',
        'image.digest="sha256:abc"',
        "config.listen.port=80",
        'config.data_dir="relative"',
        "terminationGracePeriodSeconds=5",
        "worker.terminationGracePeriodSeconds=5",
        'config.database={"synchronous": "off"}',
        'persistence.accessModes=["ReadOnlyMany"]',
        'resources.limits={"memory": "lots"}',
    ],
)
def test_a_wrong_value(refuse, wrong):
    """The values schema refuses what has the wrong type or range."""
    assert "values don't meet the specifications" in refuse("gateway-embedded", wrong)
