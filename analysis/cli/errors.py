"""What people did becomes one line and an exit code; what we did wrong stays a traceback."""

import shlex
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from duelbench.envs.errors import BadInput
from duelbench.experiments.ending import Terminated

BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143


def fail(message: str, code: int = BAD_INPUT) -> typer.Exit:
    """Write `message` as one line on stderr; raise what is returned to leave with `code`."""
    typer.echo(f"duelbench: {' '.join(message.split())}", err=True)
    return typer.Exit(code)


def ended(ending: KeyboardInterrupt, kept: str) -> typer.Exit:
    """As `fail`, for work that was ended from outside: says what is kept, and the command that goes on with it."""
    terminated = isinstance(ending, Terminated)
    command = shlex.join(["duelbench", *sys.argv[1:]])
    told = f"{'terminated' if terminated else 'interrupted'}; {kept}, and the same command continues: {command}"
    return fail(told, TERMINATED if terminated else INTERRUPTED)


class Commands(TyperGroup):
    """The commands, with every error that a person can mend told in one line."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            raise fail(str(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise fail(_told(error)) from None
        except KeyboardInterrupt:
            raise fail("interrupted", INTERRUPTED) from None
        except RuntimeError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11 wraps one that comes while a class is made
                raise fail("interrupted", INTERRUPTED) from None
            raise


def _told(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
