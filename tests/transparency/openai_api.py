"""The routes of the OpenAI API as requests, for comparisons; the last one is not there yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A request by method, target, content type and body."""

    method: str
    target: str
    body: bytes | None = None
    type: str = "application/json"

    @property
    def name(self) -> str:
        return f"{self.method} {self.target.removeprefix('/v1/')}"


_BINARY = bytes(range(256)) * 3


def _json(method, target, body):
    return Call(method, f"/v1/{target}", body)


def _form(target, **fields):
    """A multipart form; values that are bytes are files."""
    parts = []
    for name, value in fields.items():
        file = isinstance(value, bytes)
        extra = b'; filename="f\xc3\xa9.bin"\r\nContent-Type: a/b' if file else b""
        content = value if file else str(value).encode()
        head = b'--BoUnD\r\nContent-Disposition: form-data; name="%s"' % name.encode()
        parts.append(head + extra + b"\r\n\r\n" + content + b"\r\n")
    body = b"".join(parts) + b"--BoUnD--\r\n"
    return Call("POST", f"/v1/{target}", body, "multipart/form-data; boundary=BoUnD")


def _get(*targets):
    return [Call("GET", f"/v1/{target}") for target in targets]


def _delete(*targets):
    return [Call("DELETE", f"/v1/{target}") for target in targets]


CHAT = b'{"model": "m",\t"messages":[{"role":"user","content":"Hi \\u00e9"}], "n":2, "zz":1.0}'
RESPONSE = b'{"model": "m","input":"Hi \\u00e9", "store":true,"zz" : 1e2}'
BODY = b'{ "model":"m", "input" :"Hi", "x":[1.0,null] }'

CALLS: tuple[Call, ...] = (
    _json("POST", "chat/completions", CHAT),
    _json("POST", "chat/completions/chatcmpl-1", b'{"metadata":{}}'),
    _json("POST", "responses", RESPONSE),
    _json("POST", "responses/resp_1/cancel", None),
    _json("POST", "responses/input_tokens", BODY),
    _json("POST", "responses/compact", BODY),
    _json("POST", "completions", b'{"model":"m","prompt":["a","b"],"echo":true}'),
    _json("POST", "embeddings", b'{"model":"m","input":[[1,2]],"encoding_format":"base64"}'),
    _json("POST", "moderations", BODY),
    _json("POST", "audio/speech", b'{"model":"tts","input":"Hi","voice":"alloy"}'),
    _json("POST", "images/generations", b'{"prompt":"cat","n":1}'),
    _json("POST", "batches", b'{"input_file_id":"f","endpoint":"/v1/chat/completions"}'),
    _json("POST", "batches/b_1/cancel", None),
    _json("POST", "fine_tuning/jobs", b'{"training_file":"f"}'),
    _json("POST", "fine_tuning/jobs/ft_1/cancel", b""),
    _json("POST", "assistants", BODY),
    _json("POST", "threads", b"{}"),
    _json("POST", "threads/t_1/messages", b'{"role":"user","content":"Hi"}'),
    _json("POST", "threads/t_1/runs", b'{"assistant_id":"a","stream":true}'),
    _json("POST", "threads/t_1/runs/r_1/submit_tool_outputs", b'{"tool_outputs":[]}'),
    _json("POST", "vector_stores", b'{"name":"v"}'),
    _json("POST", "vector_stores/v_1/search", b'{"query":"x"}'),
    _json("POST", "uploads", b'{"filename":"x","bytes":3}'),
    _json("POST", "uploads/u_1/complete", b'{"part_ids":["p"]}'),
    _json("POST", "realtime/sessions", b'{"model":"rt"}'),
    _json("POST", "realtime/client_secrets", b"{}"),
    _json("POST", "conversations", b'{"items":[]}'),
    _json("POST", "conversations/c_1/items", b'{"items":[{"type":"message"}]}'),
    _json("POST", "evals", b"{}"),
    _json("POST", "evals/e_1/runs", b"{}"),
    _json("POST", "containers", b'{"name":"c"}'),
    Call("POST", "/v1/realtime/calls", b"v=0\r\no=- 1 1 IN IP4 0\r\n", "application/sdp"),
    _form("files", purpose="batch", file=_BINARY),
    _form("uploads/u_1/parts", data=_BINARY),
    _form("audio/transcriptions", model="whisper-1", file=_BINARY, stream="true"),
    _form("audio/translations", model="whisper-1", file=_BINARY),
    _form("images/edits", prompt="hat", image=_BINARY),
    _form("images/variations", image=_BINARY),
    _form("videos", prompt="cat", input_reference=_BINARY),
    *_get(
        "models",
        "models/gpt-4o%2Fft",
        "chat/completions?limit=2&metadata[a]=b",
        "chat/completions/chatcmpl-1",
        "chat/completions/chatcmpl-1/messages",
        "responses/resp_1?stream=true&starting_after=3&include[]=a",
        "responses/resp_1/input_items?order=asc",
        "files?purpose=batch",
        "files/f_1",
        "files/f_1/content",
        "batches?after=b&limit=1",
        "fine_tuning/jobs/ft_1/events",
        "threads/t_1/runs/r_1/steps",
        "vector_stores/v_1/files",
        "conversations/c_1/items",
        "evals/e_1/runs/r_1/output_items",
        "videos/vid_1/content?variant=thumbnail",
        "containers/c_1/files/f_1/content",
        "organization/usage/completions?start_time=1",
    ),
    *_delete(
        "models/ft%3Agpt",
        "chat/completions/chatcmpl-1",
        "responses/resp_1",
        "files/f_1",
        "assistants/a_1",
        "vector_stores/v_1",
        "conversations/c_1",
        "videos/vid_1",
    ),
    _json("POST", "tomorrow/%7Bid%7D?x=%20&x", b'{"new":true}'),
)
