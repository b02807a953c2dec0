"""Tommy Walker TGC as a PettingZoo environment.

    from duelbench.envs import tommy_walker_v0

    env = tommy_walker_v0.env()
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

Without `decks` each seat gets a random deck in every game. What else it may be, by example (`duelbench games
tommy_walker` lists the ids of the cards and the rule options):

    deck = {"ralph": 10, "premiere": 6}
    tommy_walker_v0.env(decks=deck)                                    # this deck for both seats
    tommy_walker_v0.env(decks="mine.yaml")                             # the deck in a file
    tommy_walker_v0.env(decks=["mine.yaml", deck])                     # in every game one of these for each seat
    tommy_walker_v0.env(decks="folder")                                # the same with all *.yaml files of a folder
    tommy_walker_v0.env(decks={"random": ["ralph", "maria", "iska"]})  # random decks of these cards
    tommy_walker_v0.env(decks={"player_0": deck, "player_1": "random"})

How a deck file is written says `duelbench decks --help`; `duelbench decks check FILE` tells whether one is right.

The rules are in `tommy_walker/RULES.md`. Illegal actions raise `duelbench.envs.errors.IllegalAction`. `env()` and
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
    """A game of Tommy Walker TGC; raises BadInput for an unknown option, value or render mode and unusable decks."""
    return GameEnv(load_game("tommy_walker"), rules, render_mode, "tommy_walker_v0", decks)


env = raw_env
