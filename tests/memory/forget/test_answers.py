"""What models answered about a conversation is forgotten with what was said in it."""

from recollect.memory.model.types import Job
from tests.memory.forget.parts import ALICE, BOB, LEASE, NOON, memory


async def test_answers_that_dead_jobs_were_kept_with_go(parts):
    """Operators read them, and they may say it; the jobs stay, and so do the answers of others."""
    for name, scope in {"hers": ALICE, "his": BOB}.items():
        await parts.jobs.put(
            Job(id=name, scope=scope, conversation_id=name, upto_seq=1, reason="test")
        )
        held = await parts.jobs.claim(now=NOON, lease_seconds=LEASE)
        await parts.jobs.dead_letter(held, error="poison", raw="lives in Rome")
    await parts.put(memory("m", "lives in Rome"))
    await parts.forgetter().forget_ids("local", ["m"])
    raws = {each.job.id: each.raw for each in await parts.jobs.reports()}
    assert raws == {"hers": None, "his": "lives in Rome"}
