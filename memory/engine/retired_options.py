"""Options of earlier versions: what each is now. Data, and one look-up.

A file, a variable, a flag or a program may still set one; it is refused with these words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_FIXED = {
    "embedder.batch_size": "32",
    "embedder.breaker.failures": "5",
    "embedder.breaker.seconds": "5",
    "embedder.cache_entries": "2048",
    "embedder.max_requests": "4",
    "embedder.max_tokens": "256",
    "embedder.quantized": "true",
    "embedder.workers": "1",
    "events.webhook.attempts": "8",
    "events.webhook.max_queued": "10000",
    "events.webhook.timeout_seconds": "10",
    "api.spool.failed_hours": "24",
    "api.spool.reserve_bytes": "536870912",
    "api.task_days": "7",
    "api.streams.exports_per_tenant": "4",
    "api.streams.exports_per_user": "2",
    "api.streams.per_tenant": "128",
    "api.streams.per_user": "16",
    "api.streams.write_seconds": "30",
    "history.max_connections": "4",
    "history.timeout_seconds": "10",
    "identity.jwt.refresh_seconds": "300",
    "learn.answers.seconds": "3600",
    "learn.drift_threshold": "measured for each embedder (`recollect calibrate`)",
    "learn.every_tokens": "8000",
    "learn.lease_seconds": "60",
    "learn.llm.breaker.failures": "5",
    "learn.llm.breaker.seconds": "5",
    "learn.llm.max_retries": "2",
    "learn.max_answer_chars": "100000",
    "learn.max_attempts": "5",
    "learn.max_queued": "10000",
    "learn.max_retry_seconds": "600",
    "learn.retry_seconds": "10",
    "learn.vision.breaker.failures": "5",
    "learn.vision.breaker.seconds": "5",
    "learn.vision.max_retries": "2",
    "listen.body_idle_seconds": "60",
    "listen.head_seconds": "30",
    "llm.breaker.failures": "5",
    "llm.breaker.seconds": "5",
    "llm.max_retries": "2",
    "recall.breaker_failures": "5",
    "recall.breaker_seconds": "5",
    "recall.clear": "0.4",
    "recall.cut": "0.55",
    "recall.fusion.half_life_days": "30",
    "recall.fusion.hearsay": "0.1",
    "recall.fusion.importance": "0.03",
    "recall.fusion.method": "convex",
    "recall.fusion.neighbours": "1",
    "recall.fusion.recency": "0.02",
    "recall.fusion.usage": "0",
    "recall.fusion.weights.date": "0.4",
    "recall.fusion.weights.dense": "0.6",
    "recall.fusion.weights.dense_context": "0.1",
    "recall.fusion.weights.entity": "0.3",
    "recall.fusion.weights.lexical": "2",
    "recall.fusion.weights.substance": "0.3",
    "recall.fusion.weights.topic": "0.5",
    "recall.gap": "0.35",
    "recall.index.max_memories": "25000",
    "recall.index.refresh_seconds": "5",
    "recall.profile.tokens": "96",
    "recall.rewrite.history_messages": "3",
    "recall.rewrite.llm.breaker.failures": "5",
    "recall.rewrite.llm.breaker.seconds": "5",
    "recall.rewrite.llm.max_retries": "2",
    "recall.rewrite.max_concurrent": "8",
    "recall.rewrite.max_query_chars": "2000",
    "recall.rewrite.max_terms": "16",
    "recall.rewrite.reply_terms": "8",
    "retention.rows_per_run": "5000",
    "said.max_tokens": "32000",
    "store.flush_every_rows": "64",
    "store.flush_idle_seconds": "2",
    "store.keywords": "true",
    "store.num_partitions": "64",
    "store.start_seconds": "180",
    "telemetry.service_name": "recollect, or that of the variable OTEL_SERVICE_NAME",
    "upstream.connect_seconds": "10",
}
"""What is a constant now, and its value."""

_REPLACED = {
    "api.max_body_bytes": ("api.limits.max_body_bytes", "set api.limits.max_body_bytes"),
    "api.spool.total_bytes": (
        "api.spool.per_tenant_bytes",
        "all tenants together have twice api.spool.per_tenant_bytes",
    ),
    "learn.summaries": ("upkeep.episodes.enabled", "set upkeep.episodes.enabled"),
    "recall.merge_system": ("recall.position", "`position: start` does it by itself"),
}
"""What another key does now: the key, and how."""

RETIRED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    key: (f"no longer a setting: the value is now {value}", ()) for key, value in _FIXED.items()
} | {key: (f"no longer a setting: {how}", (other,)) for key, (other, how) in _REPLACED.items()}
"""By the old key: what a person is told, and the keys that are there instead."""


def retired(key: str, value: object) -> Iterator[str]:
    """The old options that are set at `key` or below it."""
    if key in RETIRED:
        yield key
    elif isinstance(value, Mapping):
        for name, below in value.items():
            yield from retired(f"{key}.{name}", below)
