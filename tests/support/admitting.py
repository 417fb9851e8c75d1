"""What a search of an index may find, in the plainest words."""

from recollect.memory.index.port import IndexFilter, IndexRow


def admits(asked: IndexFilter, row: IndexRow) -> bool:
    """Whether a search with this filter may find the row."""
    return (
        asked.tenant == row.tenant
        and asked.user in (None, row.user)
        and asked.agent in (None, row.agent)
        and asked.run in (None, row.run)
        and (not asked.kinds or row.kind in asked.kinds)
        and (not asked.statuses or row.status in asked.statuses)
        and (asked.since is None or asked.since <= row.at)
        and (asked.until is None or row.at <= asked.until)
        and asked.marks.issubset(row.marks)
    )
