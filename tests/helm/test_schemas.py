"""Every example of the chart, linted and checked against the Kubernetes API schemas."""

import tomllib

import kubernetes_validate
import pytest
import yaml

from tests.support.budget import FACTOR, WHOLE
from tests.support.folding import rows

from .conftest import CHART, EXAMPLES, ROOT

# The oldest that the chart admits, and the newest that the schemas know.
VERSIONS = ["1.29", kubernetes_validate.latest_version()]
if FACTOR >= WHOLE:
    VERSIONS += [f"1.{minor}" for minor in range(30, 34)]
CUSTOM = "monitoring.coreos.com/"
"""Resources of the Prometheus operator, which the schemas of Kubernetes do not know."""

MULTI = (
    'config.database={"url": "postgresql://postgres/recollect"}',
    "persistence.enabled=false",
)
# Beyond the examples: what only shows with several replicas or everything optional.
VARIANTS = {
    "several replicas": ("gateway-shared", "replicas=3", *MULTI),
    "autoscaled": ("gateway-shared", "autoscaling.enabled=true", *MULTI),
    "no persistence": ("sidecar", "persistence.enabled=false"),
    "watched sidecar": ("sidecar", "metrics.enabled=true"),
    "watched workers": ("gateway-workers", "metrics.enabled=true"),
    "scaled workers": (
        "gateway-workers",
        "metrics.enabled=true",
        "worker.autoscaling.enabled=true",
    ),
    "no agent": (None, "agent.enabled=false"),
    "minimal sidecar": (None, 'agent.image="a:1"', "serviceAccount.create=false"),
    "workers beside agents": (
        "sidecar",
        "worker.enabled=true",
        'config.learn.llm={"model": "m"}',
        *MULTI,
    ),
    "workers, closed": (
        "gateway-workers",
        'networkPolicy.egress=[{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]',
        "worker.replicas=1",
    ),
    "no options": (
        "gateway-embedded",
        "networkPolicy.enabled=false",
        "podDisruptionBudget.enabled=false",
        "topologySpread.enabled=false",
    ),
    "everything about the agent": (
        "sidecar",
        'agent.args=["--fast"]',
        'agent.envFrom=[{"configMapRef": {"name": "x"}}]',
        'agent.lifecycle={"preStop": {"exec": {"command": ["sleep", "1"]}}}',
        'agent.volumeMounts=[{"name": "v", "mountPath": "/v"}]',
        'extraVolumes=[{"name": "v", "emptyDir": {}}]',
        'envFrom=[{"secretRef": {"name": "more"}}]',
        'affinity={"podAffinity": {}}',
        'priorityClassName="high"',
        'persistence.storageClass="fast"',
        'service.annotations={"a": "b"}',
    ),
}


def test_examples_cover_the_topologies():
    """There is an example for each topology that the documentation names."""
    gateways = {f"gateway-{name}" for name in ("embedded", "shared", "workers", "observed")}
    assert set(EXAMPLES) >= {"sidecar", "hardened", *gateways}


@rows("example", EXAMPLES)
def test_lint_is_clean(helm, example):
    """`helm lint --strict` accepts the chart with each example."""
    done = helm("lint", "--strict", CHART, "--values", CHART / "ci" / f"{example}.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[WARNING]" not in done.stdout + done.stderr


@rows("variant", [*((example,) for example in EXAMPLES), *VARIANTS.values()])
def test_what_renders_fits_the_api(render, variant):
    """Every manifest is valid, unknown fields refused: examples, and what they leave at its default."""
    manifests = render(*variant)
    assert manifests
    for version in VERSIONS:
        for manifest in manifests:
            if not manifest["apiVersion"].startswith(CUSTOM):
                kubernetes_validate.validate(manifest, version, strict=True)


def test_the_validator_refuses_a_wrong_field(render, one):
    """The schema check can fail: a misplaced field is an error, not a warning."""
    deployment = one(render("sidecar"), "Deployment")
    deployment["spec"]["template"]["spec"]["restartPolicies"] = "Always"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(deployment, VERSIONS[0], strict=True)


def test_app_version_is_the_product_version():
    """The default image tag is the version being packaged."""
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert chart["appVersion"] == project["version"]


def test_schema_knows_every_default():
    """values.yaml and values.schema.json name the same top-level keys."""
    schema = yaml.safe_load((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    # helm itself hands `global` to every subchart.
    assert set(schema["properties"]) - {"global"} == set(values)
