"""How a run stands, from its folder alone: whoever plays it is not disturbed."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelbench.experiments.config import RunConfig
from duelbench.experiments.folder import is_locked, load_run_config, read_json
from duelbench.experiments.plan import Chunk, chunks
from duelbench.experiments.rows import part_path
from duelbench.experiments.stops import stops_of
from duelbench.experiments.tallies import Tally, stored_tally

RUNNING, FINISHED, KILLED = "running", "finished", "killed"


@dataclass(frozen=True)
class RunStatus:
    """A run at one moment."""

    state: str
    """running, finished, interrupted, failed, or killed: its process is gone and could not say so"""
    games_done: int
    """games in the folder"""
    games_total: int
    matchups: dict[str, tuple[int, int]]
    """games done and in all of each matchup, with the variant in brackets where there are some"""
    games_per_second: float | None
    """as long as it is running, like the next one"""
    seconds_left: float | None
    doing: str
    """what it is busy with, as long as it is running"""
    updated: str
    """when the process that plays last wrote, in UTC"""
    error: str
    """what it failed of, empty if it did not fail"""
    tally: Tally
    stopped: dict[str, str]
    """by matchup that had enough deals before all were played, why it stopped"""

    @property
    def stands_still(self) -> bool:
        """Whether nobody works on it although it is not finished."""
        return self.state not in (RUNNING, FINISHED)


class StatusReader:
    """Reads the status of the run in `folder` again and again; a part file is read once."""

    def __init__(self, folder: Path) -> None:
        """BadInput when `folder` is not a run folder."""
        self.folder = folder
        self.config: RunConfig = load_run_config(folder, agents_play=False)
        self._chunks = chunks(self.config)
        self._read: set[Chunk] = set()
        self._tally = Tally()

    def read(self) -> RunStatus:
        """BadInput when status or parts cannot be read."""
        status = self._status()
        self._read_new_parts()
        totals = Counter[str]()
        done = Counter[str]()
        stops = stops_of(self.config, self.folder)
        for chunk in filter(stops.needs, self._chunks):
            totals[chunk.label] += chunk.games
            done[chunk.label] += chunk.games if chunk in self._read else 0
        running = status["state"] == RUNNING
        return RunStatus(
            state=status["state"],
            games_done=done.total(),
            games_total=totals.total(),
            matchups={label: (done[label], total) for label, total in totals.items()},
            games_per_second=status.get("games_per_second") if running else None,
            seconds_left=status.get("seconds_left") if running else None,
            doing=str(status.get("doing", "")) if running else "",
            updated=str(status.get("updated", "")),
            error=str(status.get("error", "")) if status["state"] == "failed" else "",
            tally=self._tally,
            stopped=stops.told(self.config),
        )

    def _status(self) -> dict[str, Any]:
        path = self.folder / "status.json"
        locked = is_locked(self.folder)
        status = read_json(path)
        if status.get("state") == RUNNING and not locked and not is_locked(self.folder):
            # It may have ended, or another may have begun, between the two looks.
            before, status = status, read_json(path)
            if status == before:
                return status | {"state": KILLED}
        return status | {"state": str(status.get("state", "unknown"))}

    def _read_new_parts(self) -> None:
        for chunk in self._chunks:
            if chunk not in self._read and part_path(self.folder, chunk.part).exists():
                self._tally.update(stored_tally(self.folder, chunk))
                self._read.add(chunk)
