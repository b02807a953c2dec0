"""Which matchups of a run have had enough deals, by the rule under the key `stop` of its config.

The rule sees the deals of a matchup in their order and without gaps, as far as part files hold them, and looks only
where a part ends. So it stops at the same deal whoever plays and in whatever order parts are finished; parts that were
played past it belong to no result and are removed.
"""

from pathlib import Path

import numpy as np

from duelbench.experiments.config import RunConfig
from duelbench.experiments.plan import Chunk, chunks
from duelbench.experiments.rows import part_path, read_part
from duelbench.experiments.stopping import GO_ON, Stop, Verdict


class Stops:
    """What the rule has said so far of the run in `folder`; without a rule it never says anything."""

    def __init__(self, config: RunConfig, folder: Path) -> None:
        self._rule = None if config.stop is None else Stop(config.stop)
        self._folder = folder
        self._waiting: dict[int, dict[int, np.ndarray]] = {}
        """By arm and first place, the scores of parts that others are still missing before."""
        self._known: dict[int, np.ndarray] = {}
        """By arm, the scores of its deals from the first on, without gaps."""
        self._verdicts: dict[int, Verdict] = {}

    def add(self, chunk: Chunk) -> Verdict:
        """Take note of a part that is stored; returns the verdict on its arm if it stops here, else `GO_ON`."""
        if self._rule is None or chunk.arm in self._verdicts:
            return GO_ON
        waiting = self._waiting.setdefault(chunk.arm, {})
        waiting[chunk.deals.start] = scores_of(self._folder, chunk)
        known = self._known.get(chunk.arm, np.zeros(0))
        while len(known) in waiting:
            known = np.append(known, waiting.pop(len(known)))
        self._known[chunk.arm] = known
        verdict = self._rule.verdict(known)
        if verdict.stop:
            self._verdicts[chunk.arm] = verdict
        return verdict

    def needs(self, chunk: Chunk) -> bool:
        """Whether the part belongs to the run, as far as is known."""
        verdict = self._verdicts.get(chunk.arm)
        return verdict is None or chunk.deals.start < verdict.deals

    def told(self, config: RunConfig) -> dict[str, str]:
        """By matchup (and variant), why it stopped; for people."""
        listed = {chunk.arm: chunk.label for chunk in chunks(config)}
        return {listed[arm]: verdict.why for arm, verdict in sorted(self._verdicts.items())}

    def remove_needless(self, config: RunConfig) -> None:
        """Delete the parts that were played past the stop."""
        for chunk in chunks(config) if self._verdicts else ():
            if not self.needs(chunk):
                part_path(self._folder, chunk.part).unlink(missing_ok=True)


def stops_of(config: RunConfig, folder: Path) -> Stops:
    """What the rule says of all parts that the folder holds."""
    found = Stops(config, folder)
    for chunk in chunks(config) if config.stop is not None else ():
        if part_path(folder, chunk.part).exists():
            found.add(chunk)
    return found


def scores_of(folder: Path, chunk: Chunk) -> np.ndarray:
    """float64[deals]: the mean score of the pair's first agent in each deal of a stored part."""
    table = read_part(part_path(folder, chunk.part), ["game", "seat0", "winner"])
    order = np.argsort(table["game"].to_numpy())
    winner = table["winner"].to_numpy()[order]
    first_sits = table["seat0"].to_numpy(zero_copy_only=False)[order] == chunk.pair[0]
    score = np.where(winner < 0, 0.5, (winner == 0) == first_sits)
    return np.asarray(score.reshape(-1, chunk.games_a_deal).mean(axis=1))
