"""Where nothing was said: for tests of memories alone."""


class NothingSaid:
    """A `StatementReader` that finds nothing."""

    async def of_scope(self, scope):
        return []

    async def of_tenant(self, tenant):
        return
        yield

    turns_of = recalled_in = of_tenant

    async def told_in(self, scope, *, until=None):
        return
        yield

    async def count_told(self, scope, learned, *, until=None):
        return 0

    async def tenants(self):
        return ()

    async def of_turns(self, tenant, turn_ids):
        return []

    named = of_turns

    async def shown(self, scope, ids):
        return False

    async def stale(self, scopes):
        pass
