"""The folder of a training.

    config.yaml             the config with every default filled in
    manifest.json           versions, machine, commit, command
    status.json             how far it is
    policy.npz              what was learned, once the training is finished
    checkpoints/state.npz   what `--resume` goes on from
    checkpoints/policy-*.npz   the policy at each evaluation, by decisions
    evaluations.csv, curve.csv, tensorboard/

The config, the lock and the atomic files are those of a run's folder.
"""

import os
from pathlib import Path
from typing import Any, Self

import yaml

from duelbench.agents.training import total_steps
from duelbench.envs.document import read_document
from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import make_folder, remove_leftovers, write_bytes, write_json
from duelbench.experiments.folder import differences, read_json, take_lock
from duelbench.experiments.manifest import manifest, now
from duelbench.experiments.training_config import TrainingConfig

_WAY_OUT = "change the config's name, or delete the folder"


class TrainingFolder:
    """A training's folder while it is worked in: `with TrainingFolder(root, config, resume) as folder`."""

    def __init__(
        self, root: str | Path, config: TrainingConfig, resume: bool, command: list[str] | None = None
    ) -> None:
        self.config = config
        self.path = Path(root) / config.name
        self._resume, self._command = resume, command
        self._lock = -1

    def __enter__(self) -> Self:
        """Take the folder; BadInput when it is in use, holds something else, or goes on only with `resume`."""
        for folder in (self.path, self.path / "checkpoints"):
            make_folder(folder)
        self._lock = take_lock(self.path)
        try:
            for folder in (self.path, self.path / "checkpoints"):
                remove_leftovers(folder)
            self._match()
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    @property
    def state_path(self) -> Path:
        return self.path / "checkpoints" / "state.npz"

    @property
    def policy_path(self) -> Path:
        return self.path / "policy.npz"

    def policy_at(self, decisions: int) -> Path:
        return self.path / "checkpoints" / f"policy-{decisions:010d}.npz"

    @property
    def begun(self) -> bool:
        """Whether there is something to go on from."""
        return self.state_path.exists()

    @property
    def finished(self) -> bool:
        return self.policy_path.exists()

    def write_status(self, state: str, decisions: int, **more: Any) -> None:
        """`state` is running, finished, interrupted or failed."""
        total = total_steps(self.config.settings)
        status = {"state": state, "decisions_done": decisions, "decisions_total": total, "updated": now()}
        write_json(self.path / "status.json", status | more)

    def note_start(self) -> dict[str, Any]:
        """Work begins: makes the manifest, or adds to its list `continued`; returns it."""
        path = self.path / "manifest.json"
        started = manifest(self.config.load_game(), self.config.resolved(), self._command)
        if self.begun and path.exists():
            first = read_json(path)
            started = first | {"continued": [*first.get("continued", []), started]}
        write_json(path, started)
        return started

    def _match(self) -> None:
        path, wanted = self.path / "config.yaml", self.config.resolved()
        found = read_document(path).data if path.exists() else {}
        if "agents" in found:
            raise BadInput(f"{self.path}: holds a run, not a training; {_WAY_OUT}")
        if not (self.begun or self.finished):
            text: str = yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True)
            write_bytes(path, text.encode())
            return
        if not self._resume:
            raise BadInput(f"{self.path}: holds a training of that name; --resume continues it. Or {_WAY_OUT}")
        differing = differences(found, wanted)
        if differing:
            raise BadInput(f"{self.path}: made by another config: {'; '.join(differing)}. To go on, {_WAY_OUT}")
        self._match_version()

    def _match_version(self) -> None:
        made_with, version = read_json(self.path / "manifest.json").get("game_version"), self.config.load_game().version
        if made_with != version:
            told = f"made with version {made_with} of {self.config.game}, which is now at version {version}"
            raise BadInput(f"{self.path}: {told}; {_WAY_OUT}")
