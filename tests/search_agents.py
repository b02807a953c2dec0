"""The searching agents, made as a config would make them; those that need a policy play a made-up one."""

import functools
import tempfile
from pathlib import Path

import numpy as np

from duelbench.agents.catalogue import make_agent, parse_spec
from duelbench.agents.policy import Policy, fingerprint, save_policy

SEARCHES = {
    "ismcts": {"type": "ismcts"},
    "ismcts_trees": {"type": "ismcts", "trees": 3},
    "ismcts_reuse": {"type": "ismcts", "reuse": True},
    "soismcts": {"type": "soismcts"},
    "pimc": {"type": "pimc", "worlds": 4},
    "flat_mc": {"type": "flat_mc"},
    "flat_mc_ucb1": {"type": "flat_mc", "allocation": "ucb1"},
    "puct": {"type": "puct"},
    "puct_play_outs": {"type": "puct", "value_weight": 0.0},
    "oracle_mcts": {"type": "oracle_mcts"},
}
HONEST = tuple(name for name in SEARCHES if name != "oracle_mcts")
CHEAP = {"ismcts_trees", "ismcts_reuse", "flat_mc_ucb1", "puct_play_outs"}
"""Variants of another one, with the same compiled code."""


def search_agent(name, game, table, simulations, **more):
    """The agent of `SEARCHES` with these parameters; its rules are the defaults of the game."""
    spec = SEARCHES[name] | {"simulations": simulations} | more
    if spec["type"] == "puct" and "checkpoint" not in spec:
        spec["checkpoint"] = str(checkpoint(game))
    return make_agent(game, table, {}, parse_spec(spec, name).for_game(game.name), Path())


def policy_of(game, hidden=6, scale=0.3, value=None, favourite=None):
    """A network with random weights. Its value may be made a constant, and one action the policy's favourite."""
    sizes = np.array([game.view_size, hidden, game.num_actions + 1], np.int64)
    count = int(((sizes[:-1] + 1) * sizes[1:]).sum())
    weights = np.random.default_rng(7).normal(0, scale, count).astype(np.float32)
    last, bias = weights[-int(sizes[2] * (hidden + 1)) : -int(sizes[2])].reshape(hidden, -1), weights[-int(sizes[2]) :]
    if value is not None:
        last[:, -1], bias[-1] = 0, value
    if favourite is not None:
        bias[favourite] += 4
    return Policy(weights, sizes, fingerprint(game, game.resolved_rules(None)))


@functools.cache
def folder():
    return Path(tempfile.mkdtemp(prefix="duelbench-test-"))


def checkpoint(game, **settings):
    """A file with `policy_of(game, **settings)`."""
    path = folder() / f"{game.name}-{'-'.join(f'{key}={value}' for key, value in settings.items())}.npz"
    if not path.exists():
        save_policy(path, policy_of(game, **settings))
    return path
