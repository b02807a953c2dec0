"""Trained policies: the file they are kept in, and their network as compiled code that needs no torch.

A policy is a multi-layer perceptron with ReLU between its layers. Its last layer has one column for each action
(the logits) and one more for the value: the expected final reward of the seat that observes.

The parameters lie in one flat float32 array, layer after layer: the matrix [inputs, outputs] row by row, then the
bias [outputs]. `sizes` (int64) holds the widths from the observation to the last layer. A row of a matrix is what
one input adds to all outputs, so an input of zero, which most of an observation is, costs nothing.
"""

import errno
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game
from duelbench.envs.jit import rule
from duelbench.envs.rng import uniform

FORMAT = 1
"""Raised when files of the older format can no longer be read."""

PRETRAINED = "pretrained"
"""As the name of a checkpoint: the policy that comes with this package."""

PRETRAINED_FOLDER = Path(__file__).parent / "pretrained"


@rule
def outputs(weights, sizes, observation, work):
    """Run the network: returns a float32 view [actions + 1] into `work`, the logits and then the value.

    `work` is scratch space, float32[layers, widest layer], as `workspace` makes it. Sums are taken in the order
    of the inputs, so equal inputs give equal outputs to the last bit.
    """
    start = 0
    values = observation
    for layer in range(sizes.shape[0] - 1):
        width = sizes[layer + 1]
        bias = start + sizes[layer] * width
        sums = work[layer, :width]
        sums[:] = weights[bias : bias + width]
        for i in range(sizes[layer]):
            # The same test is the ReLU of the layer below; an observation may have negative entries.
            if values[i] > 0 or (layer == 0 and values[i] != 0):
                add_scaled(sums, values[i], weights[start + i * width : start + (i + 1) * width])
        values = sums
        start = bias + width
    return values


@rule
def add_scaled(sums, factor, row):
    """sums += factor * row, for float32 arrays of one length."""
    for j in range(sums.shape[0]):
        sums[j] += factor * row[j]


@rule
def masked_softmax(logits, mask, temperature, probabilities):
    """Write the probability of each action: softmax(logits / temperature) over the legal ones, 0 for the others.

    `logits` may be longer than `mask` (int8, at least one 1); `probabilities` is float64[actions].
    """
    top = -np.inf
    for action in range(mask.shape[0]):
        if mask[action] != 0 and logits[action] > top:
            top = np.float64(logits[action])
    total = 0.0
    for action in range(mask.shape[0]):
        probabilities[action] = 0.0
        if mask[action] != 0:
            probabilities[action] = np.exp((logits[action] - top) / temperature)
            total += probabilities[action]
    for action in range(mask.shape[0]):
        probabilities[action] /= total


@rule
def pick(probabilities, mask, point):
    """The legal action whose slice of [0, 1) holds `point`; slices lie in the order of the actions."""
    chosen = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            chosen = action  # rounding may leave a sliver at the end, which then falls to the last legal action
            point -= probabilities[action]
            if point < 0.0:
                break
    return chosen


@rule
def best(logits, mask):
    """The legal action with the highest logit, the first of equals."""
    chosen = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0 and (chosen < 0 or logits[action] > logits[chosen]):
            chosen = action
    return chosen


@rule
def choose(weights, sizes, observation, mask, temperature, stream, work, probabilities):
    """An action drawn from the policy with `stream`; temperature 0 takes the best one and draws nothing."""
    logits = outputs(weights, sizes, observation, work)
    if temperature == 0.0:
        return best(logits, mask)
    masked_softmax(logits, mask, temperature, probabilities)
    return pick(probabilities, mask, uniform(stream))


def workspace(sizes: np.ndarray) -> np.ndarray:
    """Scratch space for `outputs`, float32[layers, widest layer]; one for each thread."""
    return np.zeros((len(sizes) - 1, int(sizes[1:].max())), np.float32)


@dataclass(frozen=True, eq=False)
class Policy:
    """A network and where it comes from. `weights` and `sizes` are the arguments of the kernels of this module."""

    weights: np.ndarray
    sizes: np.ndarray
    provenance: dict[str, Any]

    def logits(self, observation: np.ndarray) -> np.ndarray:
        """float32[num_actions], of legal and illegal actions alike, for a float32 observation."""
        return outputs(self.weights, self.sizes, observation, workspace(self.sizes))[:-1].copy()

    def value(self, observation: np.ndarray) -> float:
        """The expected final reward (-1 to 1, give or take) of the seat that observes."""
        return float(outputs(self.weights, self.sizes, observation, workspace(self.sizes))[-1])

    def probabilities(self, observation: np.ndarray, mask: np.ndarray, temperature: float = 1.0) -> np.ndarray:
        """float64[num_actions]: how likely the policy is to take each action; `mask` is int8, temperature > 0."""
        result = np.zeros(len(mask))
        masked_softmax(self.logits(observation), mask, temperature, result)
        return result


def layout(dtype: np.dtype, prefix: str = "") -> list[list[Any]]:
    """The pieces of an observation in order: [name, shape] each, nested records written out."""
    pieces: list[list[Any]] = []
    for name in dtype.names or ():
        piece = dtype[name]
        if piece.base.names:
            pieces.append([f"{prefix}{name}", list(piece.shape)])
            pieces.extend(layout(piece.base, f"{prefix}{name}."))
        else:
            pieces.append([f"{prefix}{name}", list(piece.shape)])
    return pieces


def fingerprint(game: Game, rules: Mapping[str, Any]) -> dict[str, Any]:
    """What a policy must agree on with the game it is to play; `rules` are complete."""
    pieces = layout(game.view_dtype)
    return {
        "format": FORMAT,
        "game": game.name,
        "game_version": game.version,
        "rules": dict(rules),
        "num_actions": game.num_actions,
        "observation": pieces,
        "observation_hash": hashlib.sha256(json.dumps(pieces).encode()).hexdigest()[:16],
    }


def policy_file(checkpoint: str | Path, game_name: str, folder: Path) -> Path:
    """The file that a config means by `checkpoint`: the one that comes with the package, or one below `folder`."""
    return PRETRAINED_FOLDER / f"{game_name}.npz" if checkpoint == PRETRAINED else folder / checkpoint


def save_policy(path: Path, policy: Policy, small: bool = False) -> None:
    """Write a policy so that the file is there whole or not at all; equal policies give byte-equal files.

    With `small` the weights are rounded to 16 bits, which halves the file and changes chances by about a thousandth.
    Raises BadInput when the file cannot be written.
    """
    weights = policy.weights.astype(np.float16) if small else policy.weights
    text = json.dumps(policy.provenance, sort_keys=True, indent=1)
    description = np.frombuffer(text.encode(), np.uint8)
    partial = path.with_name(path.name + ".partial")
    make_folder(path)
    try:
        with open(partial, "wb") as file:
            # NumPy stamps every member of the archive with 1980-01-01, so the bytes depend on the arrays alone.
            np.savez(file, weights=weights, sizes=policy.sizes, provenance=description)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _unwritable(path, error) from None


def make_folder(path: Path) -> None:
    """Make the folder of the file `path`, so that an unusable place is refused before hours of training."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> BadInput:
    return BadInput(f"{path}: the policy cannot be written: {error.strerror}")


def load_policy(path: str | Path, game: Game, rules: Mapping[str, Any] | None, where: str = "checkpoint") -> Policy:
    """The policy in the file `path`, for `game` under `rules` (missing options take their defaults).

    Raises BadInput, one line beginning with `where`, when the file is missing or damaged, or belongs to another
    game, version, rules, observation or format.
    """
    policy = _read(Path(path), where)
    wanted = fingerprint(game, game.resolved_rules(rules, where))
    _compare(policy.provenance, wanted, f"{where}: {path}")
    inputs, columns = int(policy.sizes[0]), int(policy.sizes[-1])
    if (inputs, columns) != (game.view_size, game.num_actions + 1):
        raise BadInput(f"{where}: {path} is damaged: its network does not have the size its description says")
    return policy


def read_provenance(path: str | Path, where: str = "checkpoint") -> dict[str, Any]:
    """Where the policy in `path` comes from, whatever game it plays; raises BadInput for other files."""
    return _read(Path(path), where).provenance


def _read(path: Path, where: str) -> Policy:
    if not path.is_file():
        raise BadInput(f"{where}: {_missing(path)}")
    try:
        with np.load(path, allow_pickle=False) as archive:
            weights, sizes = archive["weights"], archive["sizes"]
            provenance = json.loads(archive["provenance"].tobytes())
        if weights.dtype == np.float16:
            weights = weights.astype(np.float32)  # exact, so that all machines play alike
        _check_arrays(weights, sizes)
        if not isinstance(provenance, dict):
            raise ValueError("the provenance is no mapping")
    except PermissionError as error:
        raise BadInput(f"{where}: {path} cannot be read: {error.strerror}") from None
    except Exception:  # wrong bytes make the readers of archives, arrays and JSON fail in a dozen ways
        raise BadInput(f"{where}: {path} is not a policy file, or it is damaged") from None
    return Policy(weights, sizes, provenance)


def _missing(path: Path) -> str:
    if path.parent != PRETRAINED_FOLDER:
        return f"there is no policy file {path}"
    have = ", ".join(sorted(file.stem for file in path.parent.glob("*.npz"))) or "no game"
    return (
        f"no policy for {path.stem} comes with this package (there is one for {have}); `duelbench train` makes one, "
        "and checkpoint is then its file"
    )


def _check_arrays(weights: np.ndarray, sizes: np.ndarray) -> None:
    """Raise ValueError unless the flat array holds exactly the layers that `sizes` names; the kernels trust that."""
    if weights.dtype != np.float32 or sizes.dtype != np.int64 or weights.ndim != 1 or sizes.ndim != 1:
        raise ValueError("arrays of the wrong type")
    if len(sizes) < 2 or sizes.min() < 1 or sizes.max() > len(weights):
        raise ValueError("impossible layer widths")
    if int(((sizes[:-1] + 1) * sizes[1:]).sum()) != len(weights) or not np.isfinite(weights).all():
        raise ValueError("the weights do not fit the layers")


def _compare(found: Mapping[str, Any], wanted: Mapping[str, Any], where: str) -> None:
    """Raise BadInput naming the first thing in which a policy's description differs from what is wanted."""
    for key in ("format", "game", "game_version"):
        if found.get(key) != wanted[key]:
            label = {"format": "file format", "game": "game", "game_version": f"{wanted['game']} version"}[key]
            raise BadInput(f"{where} has {label} {found.get(key)}; needed here: {wanted[key]}")
    _compare_rules(found.get("rules"), wanted["rules"], where)
    _compare_observation(found.get("observation"), wanted["observation"], where)
    if found.get("num_actions") != wanted["num_actions"]:
        raise BadInput(f"{where} knows {found.get('num_actions')} actions; the game has {wanted['num_actions']}")


def _compare_rules(found: Any, wanted: Mapping[str, Any], where: str) -> None:
    found = found if isinstance(found, dict) else {}
    for name in sorted(set(found) | set(wanted)):
        if name not in found or name not in wanted or found[name] != wanted[name]:
            was, is_now = (json.dumps(rules.get(name)) for rules in (found, wanted))
            raise BadInput(f"{where} was trained with rules.{name} = {was}; needed here: {is_now}")


def _compare_observation(found: Any, wanted: list[list[Any]], where: str) -> None:
    found = found if isinstance(found, list) else []
    for i in range(max(len(found), len(wanted))):
        was, is_now = (pieces[i] if i < len(pieces) else "nothing" for pieces in (found, wanted))
        if was != is_now:
            raise BadInput(f"{where} was trained on another observation: piece {i} was {was}, is now {is_now}")
