"""Training of policies: the settings that configs hold, and the call that turns them into a policy file.

Importing this module is cheap; the learning library is imported when `train` is called.
"""

import importlib.metadata
import math
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from duelbench.envs.decks import RANDOM, Deck, DeckChoice, DeckSource, deck_sources

if TYPE_CHECKING:
    from duelbench.envs.game import Game

Progress = Callable[[int, int, dict[str, float]], None]
"""on_progress(decisions made, decisions in all, what the learner measures by name)."""

_PACKAGES = ("numpy", "torch", "stable-baselines3", "sb3-contrib")


class SettingsPart(BaseModel):
    """Settings that a config may hold; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def __str__(self) -> str:
        """As a config would have it."""
        return f"{{{', '.join(f'{name}: {value}' for name, value in self)}}}"


class MagnetSettings(SettingsPart):
    """A slow copy of the policy that holds it back, so that self-play does not run in circles.

    The policy pays `weight` times its divergence from the copy. Regularized like this, play against oneself tends to
    an equilibrium instead of circling around it (magnetic mirror descent: Sokota et al. 2023, arXiv 2206.05825; with
    a copy that moves in steps: Perolat et al. 2022, arXiv 2206.15378).
    """

    weight: float = Field(gt=0, le=10, description="what a divergence of 1 from the copy costs")
    every: int = Field(500_000, ge=1, description="decisions between two moves of the copy")
    step: float = Field(1.0, gt=0, le=1, description="part of the way to the policy that the copy then goes")


class OpponentShares(SettingsPart):
    """Whom the learner meets, as parts of the lanes."""

    latest: float = Field(1.0, ge=0, le=1, description="itself; it learns from both seats")
    history: float = Field(0.0, ge=0, le=1, description="past selves")
    heuristic: float = Field(0.0, ge=0, le=1, description="the hand-written player of the game")


class TrainSettings(SettingsPart):
    """How a policy is trained by self-play. The defaults suit one core."""

    algorithm: Literal["ppo"] = Field("ppo", description="the learner: MaskablePPO of sb3-contrib")
    steps: int = Field(
        4_000_000,
        ge=1,
        le=10**12,
        description="decisions to train on, both seats counted; rounded up to whole rollouts",
    )
    lanes: int = Field(256, ge=1, le=65536, description="games played side by side")
    rollout: int = Field(32, ge=2, le=65536, description="decisions in each lane between two updates")
    epochs: int = Field(2, ge=1, le=100, description="passes over each rollout")
    batch_size: int = Field(1024, ge=2, description="decisions in one gradient step")
    learning_rate: Annotated[float, Field(gt=0, le=1, description="at the start")] = 2e-3
    final_learning_rate: float | None = Field(
        None, gt=0, le=1, description="at the end, on a line; null: it falls towards 0 and stops at a twentieth"
    )
    entropy: float = Field(0.03, ge=0, le=10, description="weight of the entropy bonus at the start")
    final_entropy: float | None = Field(None, ge=0, le=10, description="at the end, on a line; null: the same")
    gae_lambda: float = Field(0.8, ge=0, le=1, description="lambda of the advantage estimate")
    gamma: float = Field(1.0, gt=0, le=1, description="discount a decision; 1 for games that end by themselves")
    clip: float = Field(0.2, gt=0, le=1, description="how far PPO lets the ratio of probabilities move")
    layers: list[Annotated[int, Field(ge=1, le=8192)]] = Field(
        [128, 128], min_length=1, max_length=8, description="widths of the hidden layers"
    )
    magnet: MagnetSettings | None = Field(
        None,
        description="slow copy that holds the policy back, as {weight: 0.05, every: 500_000, step: 1.0}; null: none",
    )
    opponents: Annotated[
        OpponentShares, Field(description="whom the learner meets: parts of the lanes that add up to 1")
    ] = OpponentShares()
    history_every: int = Field(500_000, ge=1, description="decisions after which the policy joins the past selves")
    warm_up: int = Field(
        0, ge=0, le=10**9, description="decisions of the hand-written player that are imitated first; 0: none"
    )

    @field_validator("opponents")
    @classmethod
    def _shares_make_a_whole(cls, shares: OpponentShares) -> OpponentShares:
        total = shares.latest + shares.history + shares.heuristic
        if abs(total - 1) > 1e-6:
            raise ValueError(f"shares that add up to 1, not {total:g} (latest is 1 if not given)")
        return shares


def train(
    game: "Game",
    rules: Mapping[str, Any] | None,
    settings: TrainSettings,
    seed: int,
    out_path: str | Path,
    made_by: Mapping[str, Any],
    on_progress: Progress | None = None,
    decks: DeckChoice = None,
) -> None:
    """Train a policy for `game` under `rules` by self-play and write it to `out_path`, whole or not at all.

    The same arguments give the same bytes on the same machine and library versions. `made_by` is kept in the
    file under that name: commit, command and the like, as plain JSON data. `seed` is any integer >= 0. `decks` says,
    for a game with decks, what both seats draw from in every game (see `duelbench.envs.decks.deck_sources`); the file
    keeps it under "decks", and the policy may be played with any others.
    Raises BadInput for rules the game does not know, for unusable decks, and when the file cannot be written.
    """
    from duelbench.agents.learner import learn
    from duelbench.agents.policy import Policy, make_folder, save_policy

    complete = game.resolved_rules(rules)
    make_folder(Path(out_path))
    weights, sizes = learn(game, game.table(complete, decks=decks), settings, seed, on_progress or (lambda *_: None))
    described = provenance(game, complete, settings, seed, total_steps(settings), made_by, decks)
    save_policy(Path(out_path), Policy(weights, sizes, described))


def total_steps(settings: TrainSettings) -> int:
    """The decisions that will be made: `steps`, rounded up to whole rollouts."""
    rollout = settings.lanes * settings.rollout
    return math.ceil(settings.steps / rollout) * rollout


def provenance(
    game: "Game",
    rules: Mapping[str, Any] | None,
    settings: TrainSettings,
    seed: int,
    steps: int,
    made_by: Mapping[str, Any],
    decks: DeckChoice = None,
) -> dict[str, Any]:
    """What the file of a policy trained on so many `steps` says about it; the other arguments as for `train`."""
    from duelbench.agents.policy import fingerprint

    description = fingerprint(game, game.resolved_rules(rules)) | {
        "settings": settings.model_dump(),
        "seed": seed,
        "steps": steps,
        "packages": _versions(),
        "made_by": dict(made_by),
    }
    if game.deck_rules is not None:
        description["decks"] = [_deck_source_data(game, source) for source in deck_sources(game, decks)]
    return description


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
