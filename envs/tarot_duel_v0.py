"""Tarot Duel as a PettingZoo environment.

    from duelbench.envs import tarot_duel_v0

    env = tarot_duel_v0.env()
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

| | |
|---|---|
| Agents | `player_0`, `player_1` |
| Actions | Discrete; names by `env.game.action_name`, limits by the mask |
| Observation | dict of `observation` (float32 vector, pieces in `env.game.view_dtype`) and `action_mask` (int8) |
| Rewards | +1 / -1 at the end, 0 and 0 for a drawn game |
| Arguments | `rules` (option name -> value; `duelbench games` lists them), `render_mode` (`"ansi"`, `"human"`) |

The rules are in `tarot_duel/RULES.md`. Illegal actions raise `duelbench.envs.errors.IllegalAction`. `env()` and
`raw_env()` are the same: the checks that PettingZoo adds by wrappers are built in (see `duelbench.envs.aec`).

Version history: v0, first version.
"""

from collections.abc import Mapping
from typing import Any

from duelbench.envs.aec import GameEnv
from duelbench.envs.registry import load_game


def raw_env(rules: Mapping[str, Any] | None = None, render_mode: str | None = None) -> GameEnv:
    """A game of Tarot Duel under `rules`; raises BadInput for an unknown option, value or render mode."""
    return GameEnv(load_game("tarot_duel"), rules, render_mode, name="tarot_duel_v0")


env = raw_env
