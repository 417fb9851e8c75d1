"""Answers of a memory API that has something to show on every page."""

AT = "2026-11-27T10:00:00+00:00"
IDS = ("m1", "m2", "m3")


def memory(number, status="active", **more):
    """A memory as the API lists it."""
    return {
        "id": f"m{number}", "memory": f"Ada has fact number {number}", "kind": "memory",
        "type": "semantic", "status": status, "created_at": AT, "updated_at": AT,
        "version": 2, "provenance": {"reasons": []}, **more,
    }  # fmt: skip


def waiting(number, *kinds, left_out=False):
    """A memory that waits for a person."""
    until = {} if left_out else {"until": AT}
    why = {"kind": "k", "why": "Nobody judged it in time.", "sentence": "Ada has it."}
    return memory(
        number, "quarantined", provenance={"source": "extraction", "reasons": [why]},
        review={"kinds": list(kinds), "since": AT, "left_out": left_out, **until},
    )  # fmt: skip


def ranked(number, *, chosen, **more):
    """A memory in an explanation."""
    return {
        "id": f"m{number}", "rank": number, "memory": f"Ada has fact number {number}",
        "chosen": chosen, "role": "answer" if chosen else None,
        "reason": "chosen" if chosen else "threshold", "evidence": 0.5, "score": 0.25, **more,
    }  # fmt: skip


EXCHANGE = {
    "id": "x1", "at": AT, "user_id": "ada", "conversation": "1f2e3d4c",
    "turn": "5a6b7c8d", "outcome": "injected",
    "reason": "personal", "count": 1, "ms": 7.1, "tokens": 44, "model": "m", "status": 200,
    "recalled": [{"id": "m1", "memory": "Ada has fact number 1", "role": "answer", "why": "words"}],
}  # fmt: skip
DAY = {
    "day": "2026-11-27", "tenant": "local", "chats": 9, "recalled": 6, "injected_lines": 12,
    "injected_tokens": 300, "extraction_calls": 2, "extraction_tokens": 900, "embedded_texts": 20,
    "learned": 4, "cached_tokens": 512, "cached_answers": 5,
    "prompt_tokens": 1024, "whatif_calls": 0, "whatif_tokens": 0,
}  # fmt: skip
JOB = {
    "id": "j1", "state": "dead", "user_id": "ada", "queued_at": AT, "attempts": 5,
    "error": "model_timeout: no answer in time", "advice": "a faster model",
}  # fmt: skip
RUN = {
    "id": "r1", "kind": "consolidate", "state": "done", "reason": "schedule", "user_id": "ada",
    "at": AT, "figures": {"merged": 2, "tokens_before": 90}, "changes": [
        {"id": "m1", "event": "UPDATE"}, {"id": "m3", "event": "ARCHIVE"}
    ],
}  # fmt: skip
RUN_READ = RUN | {
    "changes": [
        {"id": "m1", "event": "UPDATE", "memory": "Ada has fact number 1", "why": "says the same",
         "old_memory": "Ada has fact one", "cites": ["m2", "m3"]},
        {"id": "m3", "event": "ARCHIVE", "memory": None, "old_memory": "Ada has fact number 3"},
    ],
}  # fmt: skip
VERSIONS = {
    "results": [
        memory(9, "superseded", version=1, valid_from=AT,
               provenance={"superseded_by": "m1", "ended": "person: taken back at version 2"}),
    ],
}  # fmt: skip
EXPLAINED = {
    "gate": {"recall": True, "reason": "personal"},
    "chat": {"memory": "injected", "reason": "personal"},
    "query": "Which tea?", "rewrite": None, "tokens": 44, "bounds": {"token_budget": 512},
    "evidence": {"best": 0.9, "least": 0.1}, "block": "<notes>\n- Ada has fact number 1\n</notes>",
    "memories": [ranked(1, chosen=True), ranked(2, chosen=False)],
    "held_back": [{"id": "m3", "memory": "Ada hides this", "reasons": [{"why": "It asks."}]}],
}  # fmt: skip
TOPIC = {
    "id": "t1", "label": "Ada drinks tea", "size": 2,
    "members": [
        {"id": "m1", "memory": "Ada drinks tea", "at": AT, "type": "semantic", "status": "active"},
        {"id": "m2", "memory": "Ada buys green tea", "at": AT, "type": "semantic",
         "status": "archived"},
    ],
}  # fmt: skip
IMPORT = {
    "id": "t1", "kind": "import", "state": "running", "done": 480, "user_id": "ada",
    "counts": {"turns": 1000, "conversations": 9, "messages": 2000, "added": 480},
}  # fmt: skip
FULL = {
    "/v1/memories/tasks": {"results": [IMPORT]},
    "/v1/memories/tasks/t1": IMPORT,
    "/readyz": {
        "status": "degraded", "parts": {"store": "ok", "learning": "model_timeout"},
        "advice": {"learning": "a faster model", "jobs": "1 job is dead"},
    },
    "/v1/entities": {
        "count": 120, "next": "x", "previous": None,
        "results": [
            {"id": "ada", "name": "ada", "type": "user", "total_memories": 3, "updated_at": AT},
            {"id": "cook", "name": "cook", "type": "agent", "total_memories": 1, "updated_at": AT},
        ],
    },
    "/v1/memories/state": {
        "users": 2, "said": 1, "memories": {"semantic": {"active": 2, "quarantined": 1}},
        "archived": 0, "hot": 1, "connected": 0, "learned_today": 2,
        "queue": {"ready": 1, "leased": 0, "dead": 1, "oldest_seconds": 90},
        "index": {"memories": 3, "bytes": 4096}, "tiers": {"l0": 1, "l1": 3, "l2": 3},
    },
    "/v1/memories/recent": {"exchanges": [EXCHANGE]},
    "/v1/memories/usage": {"calls": 2, "tokens": 900},
    "/v1/memories/stats": {"days": [DAY], "totals": DAY},
    "/v1/memories/": {
        "results": [memory(1), memory(2, "quarantined"), memory(3, "superseded")], "next": "c2",
    },
    "/v1/memories/search": {"results": [memory(1, score=0.9)]},
    "/v1/memories/m1/": memory(1, provenance={"source": "user", "quote": "I have it.", "reasons": [],
                                              "put_off": ["f1", "f2"]}),
    "/v1/memories/m1/history/": [
        {"id": "h1", "event": "ADD", "timestamp": AT, "new_value": "Ada has it", "reason": "new"}
    ],
    "/v1/memories/m1/versions": VERSIONS,
    "/v1/memories/upkeep": {"results": [RUN, RUN | {"id": "r2", "kind": "reflect", "undone_at": AT}]},
    "/v1/memories/upkeep/r1": RUN_READ,
    "/v1/memories/profile": {
        "results": [
            {"ids": ["m1"], "memory": "Ada is allergic to nuts", "traits": ["allergy"],
             "source": "user", "updated_at": AT},
        ],
    },
    "/v1/memories/review": {"results": [waiting(2, "health"), waiting(3, left_out=True)]},
    "/v1/memories/conflicts": {"results": [{"memory": memory(1), "others": [memory(2)]}]},
    "/v1/memories/jobs": {"results": [JOB]},
    "/v1/memories/explain": EXPLAINED,
    "/v1/memories/whynot": {
        "verdict": "below_evidence", "why": "Too little speaks for it.", "memory": memory(1),
        "nearest": [memory(2)],
    },
    "/v1/memories/map": {
        "points": [
            {"id": name, "x": place, "y": -place, "at": AT, "type": "semantic", "status": "active",
             "memory": f"Ada has {name}"}
            for place, name in enumerate(IDS)
        ],
        "axes": [],
    },
    "/v1/memories/graph": {
        "topics": [TOPIC, TOPIC | {"id": "t2", "label": "Ada has a dog", "summary": "m1"}],
        "edges": [
            {"source": "t1", "target": "t2", "kind": "co_recalled", "weight": 3},
            {"source": "t2", "target": "t1", "kind": "derived_from", "weight": 1},
        ],
        "count": 250, "memories": 12, "alone": 8, "more": False, "measured": True,
        "entities": [
            {"id": "e1", "name": "Ada", "type": "person", "memories": 4},
            {"id": "e2", "name": "Porto", "type": "place", "memories": 1},
        ],
        "relations": [
            {"source": "Ada", "source_id": "e1", "relation": "lives_in", "target": "Porto",
             "target_id": "e2", "memory_id": "m1", "quote": "Ada lives in Porto"},
        ],
    },
    "/v1/memories/settings": {
        "settings": [
            {"key": "recall.limit", "value": 40, "default": 40, "source": "default",
             "secret": False, "help": "Most memories that a chat gets."},
            {"key": "api.token", "value": "********", "default": None, "source": "file", "secret": True,
             "help": "Bearer token of the memory API."},
        ],
        "switches": {"recall": True, "learn": False},
    },
}  # fmt: skip
"""The answer to a GET of each path."""
ANSWERED = {
    "POST /v1/chat/completions": {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Green tea."}}],
    },
}  # fmt: skip
"""What a model server answers that neither streams nor stands behind a proxy."""
