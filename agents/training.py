"""Training of policies: the settings that configs hold, and the call that turns them into a policy file.

Importing this module is cheap; the learning library is imported when `train` is called.
"""

import importlib.metadata
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from duelbench.envs.decks import RANDOM, Deck, DeckChoice, DeckSource, deck_sources

if TYPE_CHECKING:
    from duelbench.envs.game import Game

Progress = Callable[[int, int, dict[str, float]], None]
"""on_progress(decisions made, decisions in all, what the learner measures by name)."""

_PACKAGES = ("numpy", "torch", "stable-baselines3", "sb3-contrib")


class TrainSettings(BaseModel):
    """How a policy is trained by self-play. The defaults suit one core."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    algorithm: Literal["ppo"] = Field("ppo", description="the learner: MaskablePPO of sb3-contrib")
    steps: int = Field(
        4_000_000, ge=1, description="decisions to train on, both seats counted; rounded up to whole rollouts"
    )
    lanes: int = Field(256, ge=1, le=65536, description="games played side by side")
    rollout: int = Field(32, ge=2, le=65536, description="decisions in each lane between two updates")
    epochs: int = Field(2, ge=1, le=100, description="passes over each rollout")
    batch_size: int = Field(1024, ge=2, description="decisions in one gradient step")
    learning_rate: Annotated[float, Field(gt=0, le=1, description="at the start; falls linearly to a twentieth")] = 2e-3
    entropy: float = Field(0.03, ge=0, le=10, description="weight of the entropy bonus")
    gae_lambda: float = Field(0.8, ge=0, le=1, description="lambda of the advantage estimate")
    gamma: float = Field(1.0, gt=0, le=1, description="discount a decision; 1 for games that end by themselves")
    clip: float = Field(0.2, gt=0, le=1, description="how far PPO lets the ratio of probabilities move")
    layers: list[Annotated[int, Field(ge=1, le=8192)]] = Field(
        [128, 128], min_length=1, max_length=8, description="widths of the hidden layers"
    )


def train(
    game: "Game",
    rules: Mapping[str, Any] | None,
    settings: TrainSettings,
    seed: int,
    out_path: str | Path,
    provenance: Mapping[str, Any],
    on_progress: Progress | None = None,
    decks: DeckChoice = None,
) -> None:
    """Train a policy for `game` under `rules` by self-play and write it to `out_path`, whole or not at all.

    The same arguments give the same bytes on the same machine and library versions. `provenance` is kept in the
    file under "made_by": commit, command and the like, as plain JSON data. `seed` is any integer >= 0. `decks` says,
    for a game with decks, what both seats draw from in every game (see `duelbench.envs.decks.deck_sources`); the file
    keeps it under "decks", and the policy may be played with any others.
    Raises BadInput for rules the game does not know, for unusable decks, and when the file cannot be written.
    """
    from duelbench.agents.learner import learn, total_steps
    from duelbench.agents.policy import Policy, fingerprint, make_folder, save_policy

    complete = game.resolved_rules(rules)
    make_folder(Path(out_path))
    weights, sizes = learn(game, game.table(complete, decks=decks), settings, seed, on_progress or (lambda *_: None))
    description = fingerprint(game, complete) | {
        "settings": settings.model_dump(),
        "seed": seed,
        "steps": total_steps(settings),
        "packages": _versions(),
        "made_by": dict(provenance),
    }
    if game.deck_rules is not None:
        description["decks"] = [_deck_source_data(game, source) for source in deck_sources(game, decks)]
    save_policy(Path(out_path), Policy(weights, sizes, description))


def _deck_source_data(game: "Game", source: DeckSource) -> Any:
    """What a seat drew its decks from, as plain data: decks with their cards by id, or the cards of random decks."""
    if source.random:
        return {RANDOM: _card_ids(game, source.allowed)}
    return [_deck_data(game, deck) for deck in source.decks]


def _deck_data(game: "Game", deck: Deck) -> dict[str, Any]:
    data = {"name": deck.name, "plan": deck.plan, "cards": _card_ids(game, deck.cards)}
    return data if deck.spare is None else data | {"spare": game.card_ids[deck.spare]}


def _card_ids(game: "Game", cards: tuple[int, ...]) -> list[str]:
    return [game.card_ids[card] for card in cards]


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in _PACKAGES}
