"""What a training writes down of itself: `curve.csv`, `evaluations.csv`, and the same for TensorBoard."""

import csv
import importlib.util
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from duelbench.experiments.atomic import write_bytes
from duelbench.experiments.training_panel import Result

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

CURVE = (
    "decisions",
    "seconds",
    "entropy",
    "value_loss",
    "approx_kl",
    "clip_fraction",
    "explained_variance",
    "learning_rate",
    "entropy_weight",
    "magnet_divergence",
)
"""Columns of curve.csv, one line an update; a cell is empty where there is nothing to say."""

RESULTS = tuple(field.name for field in fields(Result))

NO_TENSORBOARD = "curve.csv; pip install 'duelbench[tensorboard]' adds logs for TensorBoard"


class TrainingLog:
    """The lines so far; `write` brings them to the disk. Close it to flush what TensorBoard reads."""

    def __init__(self, folder: Path, notes: Mapping[str, Any] | None = None) -> None:
        """`notes` is what `notes()` gave when the training was left; what was written after that is dropped."""
        self._folder = folder
        self.curve: list[list[float | None]] = list(notes["curve"]) if notes else []
        self.results = [Result(**line) for line in notes["results"]] if notes else []
        begun = int(self.curve[-1][0] or 0) if self.curve else 0
        self._board = _board(folder / "tensorboard", begun + 1 if notes else None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._board is not None:
            self._board.close()

    def note_update(self, decisions: int, seconds: float, measured: Mapping[str, float]) -> None:
        self.curve.append([decisions, round(seconds, 3), *(measured.get(name) for name in CURVE[2:])])
        if self._board is not None:
            for name, value in measured.items():
                self._board.add_scalar(f"train/{name}", value, decisions)

    def note_results(self, results: Iterable[Result]) -> None:
        for result in results:
            self.results.append(result)
            if self._board is not None:
                self._board.add_scalar(f"points/{result.opponent}", result.score, result.decisions)

    def last_results(self) -> list[Result]:
        """Those of the last evaluation."""
        return _of_last(self.results)

    def notes(self) -> dict[str, Any]:
        """Everything as plain data, to go on from."""
        return {"curve": self.curve, "results": [asdict(result) for result in self.results]}

    def write(self) -> None:
        """Bring both files up to date, each whole or not at all."""
        write_bytes(self._folder / "curve.csv", _csv(CURVE, self.curve))
        lines = [[getattr(result, name) for name in RESULTS] for result in self.results]
        write_bytes(self._folder / "evaluations.csv", _csv(RESULTS, lines))


def last_results(folder: Path) -> list[Result]:
    """The results of the last evaluation that evaluations.csv in `folder` tells of."""
    with (folder / "evaluations.csv").open(newline="") as file:
        lines = [
            Result(int(decisions), float(seconds), opponent, float(score), float(low), float(high), int(deals))
            for decisions, seconds, opponent, score, low, high, deals in list(csv.reader(file))[1:]
        ]
    return _of_last(lines)


def _of_last(results: list[Result]) -> list[Result]:
    return [result for result in results if result.decisions == results[-1].decisions]


def has_tensorboard() -> bool:
    return importlib.util.find_spec("tensorboard") is not None


def _csv(header: Iterable[str], lines: Iterable[list[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in line] for line in lines)
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def _board(folder: Path, first_step: int | None) -> "SummaryWriter | None":
    """Where TensorBoard reads from; what is there from `first_step` on, written by a killed process, is hidden."""
    if not has_tensorboard():
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder), purge_step=first_step)
