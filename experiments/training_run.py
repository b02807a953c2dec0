"""Train what a config describes in a folder of its own, measure it on the way, and go on after an interruption."""

import contextlib
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duelbench.agents.policy import Policy, load_policy, save_policy
from duelbench.agents.training import provenance
from duelbench.agents.training_schedules import falls_due
from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.training_config import TrainingConfig
from duelbench.experiments.training_folder import TrainingFolder
from duelbench.experiments.training_log import TrainingLog
from duelbench.experiments.training_panel import Panel, Result

if TYPE_CHECKING:
    from duelbench.agents.learner import Training


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is."""

    done: int
    total: int
    """decisions"""
    entropy: float | None
    """of the policy in the last update, in nats a decision"""
    results: list[Result]
    """of the last evaluation"""
    opponent: str | None
    """whom the policy is measured against just now"""


Listener = Callable[[TrainingProgress], None]


def run_training(
    config: TrainingConfig,
    root: str | Path = "runs",
    resume: bool = False,
    listener: Listener | None = None,
    command: list[str] | None = None,
) -> Path:
    """Bring the training's folder below `root` to its end and return it.

    The policy follows from the config alone, whether it was made in one go or was interrupted and resumed: the files
    are equal to the byte on the same machine and library versions. `command` is noted in the manifest and in the
    policy. Raises BadInput for what a person can mend; KeyboardInterrupt passes through. What a checkpoint holds is
    kept after either, and the same call with `resume` goes on from there.
    """
    with TrainingFolder(root, config, resume, command) as folder:
        if not folder.finished:
            _Session(folder, listener or (lambda _: None)).work()
    return folder.path


def export_policy(folder: Path, config: TrainingConfig, path: Path) -> None:
    """Write the policy of a finished training to `path` in its small form, as it comes with this package."""
    policy = load_policy(folder / "policy.npz", config.load_game(), config.rules)
    save_policy(path, policy, small=True)


class _Session:
    """One process's work on a training."""

    def __init__(self, folder: TrainingFolder, listener: Listener) -> None:
        self._folder, self._config, self._listener = folder, folder.config, listener
        self._game = folder.config.load_game()
        self._rollout = folder.config.lanes * folder.config.rollout
        self._kept = 0
        self._before = 0.0

    def work(self) -> None:
        try:
            self._panel = Panel(self._config)
            self._train()
        except KeyboardInterrupt:
            self._note_end("interrupted")
            raise
        except Exception as error:
            self._note_end("failed", error=str(error))
            raise
        self._folder.write_status("finished", self._kept)

    def _train(self) -> None:
        training, notes = self._training()
        made = self._folder.note_start()
        self._made_by = {
            "training": self._config.name,
            **{name: made[name] for name in ("config_hash", "commit", "dirty")},
            "command": shlex.join(made["command"]),
        }
        self._started = time.monotonic()
        with TrainingLog(self._folder.path, notes) as self._log:
            self._folder.write_status("running", self._kept)
            self._tell(training)
            training.run(self._pause)
            self._save_policy(training, self._folder.policy_path)

    def _training(self) -> "tuple[Training, dict[str, Any] | None]":
        """The learner, and what was noted if it goes on from a checkpoint."""
        from duelbench.agents.learner import Training
        from duelbench.agents.training_checkpoint import resume

        table = self._game.table(self._config.rules, decks=self._config.deck_choice)
        training = Training(self._game, table, self._config.settings, self._config.seed)
        if not self._folder.begun:
            return training, None
        notes = resume(training, self._folder.state_path)
        self._kept, self._before = training.decisions, notes["seconds"]
        return training, notes

    def _pause(self, training: "Training") -> None:
        """Between two rollouts: write down, evaluate and keep what is due."""
        if measured := training.measured():
            self._log.note_update(training.decisions, self._seconds(), measured)
        last = training.decisions == training.total
        evaluating = last or self._due(self._config.evaluation.every, training)
        if evaluating:
            self._evaluate(training)
        if evaluating or self._due(self._config.checkpoint_every, training):
            self._keep(training)
        self._tell(training)

    def _due(self, every: int, training: "Training") -> bool:
        return falls_due(every, training.decisions, self._rollout)

    def _evaluate(self, training: "Training") -> None:
        path = self._folder.policy_at(training.decisions)
        self._save_policy(training, path)
        with _learners_streams_untouched():
            results = self._panel.evaluate(
                path, training.decisions, self._seconds, lambda name: self._tell(training, name)
            )
        self._log.note_results(results)

    def _keep(self, training: "Training") -> None:
        from duelbench.agents.training_checkpoint import checkpoint_bytes

        notes = self._log.notes() | {"seconds": self._seconds()}
        write_bytes(self._folder.state_path, checkpoint_bytes(training, notes))
        self._kept = training.decisions
        self._log.write()
        self._folder.write_status("running", self._kept)

    def _save_policy(self, training: "Training", path: Path) -> None:
        config = self._config
        described = provenance(
            self._game,
            config.rules,
            config.settings,
            config.seed,
            training.decisions,
            self._made_by,
            config.deck_choice,
        )
        save_policy(path, Policy(*training.network(), described))

    def _seconds(self) -> float:
        return round(self._before + time.monotonic() - self._started, 3)

    def _tell(self, training: "Training", opponent: str | None = None) -> None:
        entropy = self._log.curve[-1][2] if self._log.curve else None
        self._listener(
            TrainingProgress(training.decisions, training.total, entropy, self._log.last_results(), opponent)
        )

    def _note_end(self, state: str, **more: str) -> None:
        """What ended the training may be the very disk that the note would go to."""
        with contextlib.suppress(BadInput):
            self._folder.write_status(state, self._kept, **more)


@contextmanager
def _learners_streams_untouched() -> Iterator[None]:
    """Give the learner its random streams back: an agent of somebody else's may draw from them unasked."""
    from duelbench.agents.training_checkpoint import random_arrays, restore_random

    before = random_arrays()
    try:
        yield
    finally:
        restore_random(before)
