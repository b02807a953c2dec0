"""What a training has to remember to go on bit for bit, as the bytes of one file without code in it.

The file is a NumPy archive of plain arrays: parameters of the network, moments of the optimizer, random streams of
torch and NumPy, the lanes with their games, streams and past selves, and where the learner stands. One more array
holds JSON text of the caller's.
"""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from duelbench.agents.learner import Training
from duelbench.envs.errors import BadInput

FORMAT = 1
"""Raised when older files can no longer be read."""

Arrays = dict[str, np.ndarray]


def checkpoint_bytes(training: Training, notes: Mapping[str, Any]) -> bytes:
    """The training as it stands between two rollouts, and `notes` (plain JSON data) for whoever takes it up again."""
    head = {"format": FORMAT, "decisions": training.decisions, "notes": dict(notes)}
    arrays = training_arrays(training) | {"head": np.frombuffer(json.dumps(head).encode(), np.uint8)}
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def resume(training: Training, path: Path) -> dict[str, Any]:
    """Bring a training of the same settings to where the file `path` was written; returns the notes in it.

    Raises BadInput when the file is missing, damaged, or from another version of this module.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
        head = json.loads(arrays.pop("head").tobytes())
        if head["format"] == FORMAT:
            restore_arrays(training, arrays)
            training.resumed_at(head["decisions"])
            return dict(head["notes"])
    except OSError as error:
        raise BadInput(f"{path}: the checkpoint cannot be read: {error.strerror or error}") from None
    except Exception:  # wrong bytes make the readers of archives, arrays and JSON fail in a dozen ways
        raise BadInput(f"{path}: not a checkpoint of this training, or it is damaged") from None
    raise BadInput(f"{path}: has checkpoint format {head['format']}; this version of duelbench reads {FORMAT}")


def training_arrays(training: Training) -> Arrays:
    """Copies of everything that the rest of the training follows from, beside its settings and its seed."""
    model = training.model
    last = {"seen": model._last_obs, "starts": model._last_episode_starts}
    parts: dict[str, Mapping[str, Any]] = {
        "network": {name: parameter.detach().numpy() for name, parameter in model.policy.named_parameters()},
        "optimizer": _optimizer_arrays(model.policy.optimizer),
        "magnet": dict(_numbered(model.policy.magnet.arrays())) if model.policy.magnet else {},
        "random": random_arrays(),
        "lanes": training.env.state(),
        "last": last,
    }
    return {f"{part}/{name}": np.array(array) for part, arrays in parts.items() for name, array in arrays.items()}


def restore_arrays(training: Training, arrays: Arrays) -> None:
    """The reverse of `training_arrays`."""
    model, policy = training.model, training.model.policy
    with torch.no_grad():
        for name, parameter in policy.named_parameters():
            parameter.copy_(torch.from_numpy(arrays[f"network/{name}"]))
    _restore_optimizer(policy.optimizer, _part(arrays, "optimizer"))
    if policy.magnet is not None:
        kept = _part(arrays, "magnet")
        policy.magnet.restore([kept[name] for name, _ in _numbered(kept)])
    model._last_obs = training.env.restore(_part(arrays, "lanes"))
    if not np.array_equal(model._last_obs, arrays["last/seen"]):
        raise ValueError("the lanes do not show what the learner has seen last")
    model._last_episode_starts = arrays["last/starts"]
    restore_random(_part(arrays, "random"))


def random_arrays() -> Arrays:
    """The states of the global random streams, from which Stable-Baselines3 draws."""
    name, keys, place, has_gauss, gauss = np.random.get_state(legacy=True)  # noqa: NPY002
    assert name == "MT19937"
    return {
        "torch": torch.get_rng_state().numpy().copy(),
        "numpy_keys": np.array(keys),
        "numpy_rest": np.array([place, has_gauss, gauss], np.float64),
    }


def restore_random(arrays: Arrays) -> None:
    torch.set_rng_state(torch.from_numpy(arrays["torch"]))
    place, has_gauss, gauss = arrays["numpy_rest"]
    np.random.set_state(("MT19937", arrays["numpy_keys"], int(place), int(has_gauss), float(gauss)))  # noqa: NPY002


def _optimizer_arrays(optimizer: torch.optim.Optimizer) -> Arrays:
    moments = optimizer.state_dict()["state"]
    return {f"{i}.{name}": value.numpy() for i, of_one in moments.items() for name, value in of_one.items()}


def _restore_optimizer(optimizer: torch.optim.Optimizer, arrays: Arrays) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in arrays.items():
        i, _, name = key.partition(".")
        state.setdefault(int(i), {})[name] = torch.tensor(array)
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})


def _part(arrays: Arrays, part: str) -> Arrays:
    start = f"{part}/"
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def _numbered(items: Any) -> list[tuple[str, Any]]:
    return [(str(i), item) for i, item in enumerate(items)]
