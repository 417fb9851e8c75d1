"""What a credential may do."""

import pytest

from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant, Right
from tests.support.folding import rows


@rows("has", Right)
@rows("needs", Right)
def test_a_right_includes_those_before_it(has, needs):
    """A credential with a lesser right is refused; the refusal names both."""
    grant = Grant(Owner("acme"), has)
    if has >= needs:
        grant.check(needs)
        return
    with pytest.raises(ForbiddenError, match=f"`{needs.word}`.*`{has.word}`"):
        grant.check(needs)
