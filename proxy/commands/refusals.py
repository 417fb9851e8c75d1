"""What is told when a command ends with an error, and its exit status: one place for all."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .base import LINE, CommandError
from .terminal import say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Command


def status_of(command: Command, settings: Settings, options: argparse.Namespace) -> int:
    """Run the command. 1: it failed; 2: the call is wrong. Other errors are defects."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    try:
        return command.run(settings, options)
    except CommandError as error:
        say(f"recollect: {error}")
        return error.status
    except ScopeError:
        all_too = ", or --all" if hasattr(options, "all") else ""
        say(f"recollect: no scope given: use --user, --agent or --run{all_too}")
        return 2
    except InvalidInputError as error:
        say(f"recollect: {error}")
        # Where no operation is called, it is a file's field, as in a line of an import.
        asks = getattr(options, "asks", False) and not error.field.startswith(LINE)
        return 2 if asks else 1
    except OSError as error:
        if getattr(options, "file", None) is None:
            raise
        say(f"recollect: {options.file}: {error.strerror or error}")
        return 1
    except RecollectError as error:
        say(f"recollect: {error}{_hint(settings, options)}")
        return 1


def _hint(settings: Settings, options: argparse.Namespace) -> str:
    """Why a proxy was not asked, if the command would have asked one."""
    if not getattr(options, "asks", False):
        return ""
    from .api_client import why_not_asked

    return why_not_asked(settings, options.tenant or settings.identity.tenant)
