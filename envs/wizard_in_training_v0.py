"""Wizard in Training as a PettingZoo environment.

The cards are invented: the original's card list is not public (only the six main characters' names are known).

    from duelbench.envs import wizard_in_training_v0

    env = wizard_in_training_v0.env()
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
| Arguments | `rules` (option name -> value), `render_mode` (`"ansi"`, `"human"`), `decks` |

Without `decks` each seat gets a random deck in every game, one that keeps the rules for decks (section 2 of the
rules). What else it may be, by example (`duelbench games wizard_in_training` lists the ids of the cards and the rule
options):

    wizard_in_training_v0.env(decks="mine.yaml")                            # the deck in a file, for both seats
    wizard_in_training_v0.env(decks=["mine.yaml", "other.yaml"])            # in every game one of these for each seat
    wizard_in_training_v0.env(decks="folder")                               # the same with all *.yaml files of a folder
    wizard_in_training_v0.env(decks={"player_0": "mine.yaml", "player_1": "random"})

How a deck file is written says `duelbench decks --help`; `duelbench decks check FILE` tells whether one is right.

The rules are in `wizard_in_training/RULES.md`. Illegal actions raise `duelbench.envs.errors.IllegalAction`. `env()` and
`raw_env()` are the same: the checks that PettingZoo adds by wrappers are built in (see `duelbench.envs.aec`).

Version history: v0, first version.
"""

from collections.abc import Mapping
from typing import Any

from duelbench.envs.aec import GameEnv
from duelbench.envs.decks import DeckChoice
from duelbench.envs.registry import load_game


def raw_env(
    rules: Mapping[str, Any] | None = None, render_mode: str | None = None, decks: DeckChoice = None
) -> GameEnv:
    """A game of Wizard in Training; raises BadInput for an unknown option, value or render mode and unusable decks."""
    return GameEnv(load_game("wizard_in_training"), rules, render_mode, "wizard_in_training_v0", decks)


env = raw_env
