"""No field of mem0's clients is taken and then not looked at."""

import json

from recollect.memory.operations.fields import is_idle
from recollect.proxy.api import dispatch
from recollect.proxy.api.request import Values
from recollect.proxy.api.tables import MEM0
from tests.proxy.api.serving import url_of

SENT = {
    "messages": "x", "user_id": "ada", "text": "x", "query": "x", "memory_id": "x", "schema": {},
    "memories": [{"memory_id": "x"}], "operation": "trigger", "entity_id": "ada",
}  # fmt: skip
JUDGED = {"generate_profiles": {"limit"}, "set_profile_settings": {"entities"}}
"""What counts for a sample only, and what is judged while it is read."""


class Noting(Values):
    """Notes which fields a handler looks at."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        return self[name] if name in self else default  # noqa: SIM401 - noted as read

    def items(self):
        return ((name, self[name]) for name in self)


async def test_every_field_that_chooses_something_is_looked_at(client, monkeypatch):
    """Each is read by the handler of its route, or said to choose nothing."""
    read, noted = dispatch.read, {}

    def noting(operation, *arguments):
        noted[operation.id] = Noting(read(operation, *arguments))
        return noted[operation.id]

    monkeypatch.setattr(dispatch, "read", noting)
    for operation in MEM0:
        if operation.any_fields:
            continue
        sent = {name: SENT[name] for name in operation.in_body if name in SENT}
        path = url_of(operation, entity_type="user", organization="local", project="local")
        params = {"user_id": "ada"} if "user_id" in operation.in_query else {}
        body = json.dumps(sent) if sent else None
        await client.request(operation.method, path, params=params, data=body)
        idle = {name for name, field in operation.fields.items() if is_idle(field)}
        left = operation.fields.keys() - idle - JUDGED.get(operation.id, set())
        assert noted[operation.id].read >= left, operation.id
