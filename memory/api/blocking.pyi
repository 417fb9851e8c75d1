# Made by `python -m tests.golden.write`.

from collections.abc import Mapping
from typing import Any

from .blocks import Blocks
from .client import AsyncMemory
from .conversations import Conversations
from .graph import EntityGraph
from .jobs import LearningJobs
from .portal import Portal, blocking
from .procedures import Procedures
from .shares import MemoryShares
from .topics import MemoryTopics
from .upkeep import Upkeep

def methods_of(owner: type) -> dict[str, Any]: ...

class _Part:
    def __init__(self, portal: Portal, memory: Any) -> None: ...

class BlockingBlocks(_Part):
    append = blocking(Blocks.append)
    attach = blocking(Blocks.attach)
    compile = blocking(Blocks.compile)
    define = blocking(Blocks.define)
    delete = blocking(Blocks.delete)
    detach = blocking(Blocks.detach)
    get = blocking(Blocks.get)
    history = blocking(Blocks.history)
    list = blocking(Blocks.list)
    metadata = blocking(Blocks.metadata)
    replace = blocking(Blocks.replace)
    rewrite = blocking(Blocks.rewrite)

class BlockingConversations(_Part):
    erase = blocking(Conversations.erase)
    list = blocking(Conversations.list)
    messages = blocking(Conversations.messages)
    search = blocking(Conversations.search)

class BlockingGraph(_Part):
    check = blocking(EntityGraph.check)
    entities = blocking(EntityGraph.entities)
    export = blocking(EntityGraph.export)
    export_file = blocking(EntityGraph.export_file)
    get = blocking(EntityGraph.get)
    @property
    def is_on(self) -> bool: ...
    merge = blocking(EntityGraph.merge)
    merges = blocking(EntityGraph.merges)
    rebuild = blocking(EntityGraph.rebuild)
    relations = blocking(EntityGraph.relations)
    undo = blocking(EntityGraph.undo)

class BlockingJobs(_Part):
    earlier = blocking(LearningJobs.earlier)
    learn_earlier = blocking(LearningJobs.learn_earlier)
    list = blocking(LearningJobs.list)
    retry = blocking(LearningJobs.retry)

class BlockingProcedures(_Part):
    activate = blocking(Procedures.activate)
    check = blocking(Procedures.check)
    get = blocking(Procedures.get)
    list = blocking(Procedures.list)
    outcome = blocking(Procedures.outcome)

class BlockingShares(_Part):
    attach = blocking(MemoryShares.attach)
    detach = blocking(MemoryShares.detach)
    list = blocking(MemoryShares.list)
    of = blocking(MemoryShares.of)

class BlockingTopics(_Part):
    abstract = blocking(MemoryTopics.abstract)
    dedupe = blocking(MemoryTopics.dedupe)
    graph = blocking(MemoryTopics.graph)

class BlockingUpkeep(_Part):
    get = blocking(Upkeep.get)
    list = blocking(Upkeep.list)
    run = blocking(Upkeep.run)
    undo = blocking(Upkeep.undo)

class Methods:
    add = blocking(AsyncMemory.add)
    add_batch = blocking(AsyncMemory.add_batch)
    add_procedure = blocking(AsyncMemory.add_procedure)
    answer = blocking(AsyncMemory.answer)
    confirm_forget = blocking(AsyncMemory.confirm_forget)
    conflicts = blocking(AsyncMemory.conflicts)
    consolidate = blocking(AsyncMemory.consolidate)
    count = blocking(AsyncMemory.count)
    deep_recall = blocking(AsyncMemory.deep_recall)
    delete = blocking(AsyncMemory.delete)
    delete_all = blocking(AsyncMemory.delete_all)
    delete_by_query = blocking(AsyncMemory.delete_by_query)
    entities = blocking(AsyncMemory.entities)
    episodes = blocking(AsyncMemory.episodes)
    explain = blocking(AsyncMemory.explain)
    export = blocking(AsyncMemory.export)
    export_file = blocking(AsyncMemory.export_file)
    feedback = blocking(AsyncMemory.feedback)
    forget = blocking(AsyncMemory.forget)
    forget_all = blocking(AsyncMemory.forget_all)
    forget_ids = blocking(AsyncMemory.forget_ids)
    get = blocking(AsyncMemory.get)
    get_all = blocking(AsyncMemory.get_all)
    history = blocking(AsyncMemory.history)
    import_file = blocking(AsyncMemory.import_file)
    inspect = blocking(AsyncMemory.inspect)
    invalidate = blocking(AsyncMemory.invalidate)
    map = blocking(AsyncMemory.map)
    policy = blocking(AsyncMemory.policy)
    profile = blocking(AsyncMemory.profile)
    propose_forget = blocking(AsyncMemory.propose_forget)
    relations = blocking(AsyncMemory.relations)
    reset = blocking(AsyncMemory.reset)
    restore = blocking(AsyncMemory.restore)
    revert = blocking(AsyncMemory.revert)
    review = blocking(AsyncMemory.review)
    review_queue = blocking(AsyncMemory.review_queue)
    said = blocking(AsyncMemory.said)
    search = blocking(AsyncMemory.search)
    set_policy = blocking(AsyncMemory.set_policy)
    settle = blocking(AsyncMemory.settle)
    state = blocking(AsyncMemory.state)
    stats = blocking(AsyncMemory.stats)
    tenants = blocking(AsyncMemory.tenants)
    undo_feedback = blocking(AsyncMemory.undo_feedback)
    update = blocking(AsyncMemory.update)
    usage = blocking(AsyncMemory.usage)
    users = blocking(AsyncMemory.users)
    validate = blocking(AsyncMemory.validate)
    versions = blocking(AsyncMemory.versions)
    whynot = blocking(AsyncMemory.whynot)

    blocks: BlockingBlocks
    conversations: BlockingConversations
    graph: BlockingGraph
    jobs: BlockingJobs
    procedures: BlockingProcedures
    shares: BlockingShares
    topics: BlockingTopics
    upkeep: BlockingUpkeep

BLOCKING_PARTS: Mapping[str, type[_Part]]
