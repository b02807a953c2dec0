"""Finding the run folder that somebody means."""

import os
import shlex
from pathlib import Path

from duelbench.envs.errors import BadInput

RUNS = Path("runs")


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def find_run(run: str) -> Path:
    """The run folder at the path `run`, or of that name under runs/; raises BadInput where there is none."""
    for folder in (Path(run), RUNS / run):
        if folder.is_dir():
            return _checked(folder)
        if folder.exists():
            raise BadInput(f"{folder}: not a run folder but a file")
    raise BadInput(f"{run}: no such run; looked for {run} and {RUNS / run}{_known()}")


def find_finished_run(run: str) -> Path:
    """As `find_run`; a run that is not finished is refused, with the command that finishes it."""
    from duelbench.experiments.folder import read_json

    folder = find_run(run)
    status = read_json(folder / "status.json")
    if status.get("state") == "finished":
        return folder
    done = f"{status.get('games_done')} of {status.get('games_total')} games, state {status.get('state')!r}"
    raise BadInput(f"{folder}: the run is not finished ({done}); `{continuation(folder)}` continues it")


def find_finished_runs(runs: list[str]) -> list[Path]:
    """As `find_finished_run` for each; a run that is named twice is refused."""
    found: dict[Path, str] = {}
    for run in runs:
        folder = find_finished_run(run)
        if folder.resolve() in found:
            raise BadInput(f"{run}: the same run as {found[folder.resolve()]}; name each run once")
        found[folder.resolve()] = run
    return [find_run(run) for run in runs]


def _checked(folder: Path) -> Path:
    from duelbench.experiments.folder import is_search

    for name in ("config.yaml", "manifest.json", "status.json"):
        if not (folder / name).is_file():
            raise BadInput(f"{folder}: not a run folder (it has no {name})")
    if is_search(folder):
        raise BadInput(
            f"{folder}: a search for decks, which `duelbench metagame` continues; its run is {folder / 'validation'}"
        )
    return folder


def continuation(folder: Path) -> str:
    """The command that goes on with an unfinished run."""
    command = ["duelbench", "run", str(folder / "config.yaml")]
    return shlex.join(command if folder.parent == RUNS else [*command, "--runs", str(folder.parent)])


def _known() -> str:
    names = sorted(path.parent.name for path in RUNS.glob("*/config.yaml"))
    return f"; there are: {', '.join(names)}" if names else ""
