"""What can be set on each type of agent: the keys of an agent's mapping in a config, beside `type`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from duelbench.agents.search_defaults import told_by_game


def number_hint(value: Any) -> str:
    """The ending of an error about text that looks like a number, which YAML takes 1e-3 for."""
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return ""
    return "; a number has no quotes, and 1e-3 is written 1.0e-3" if isinstance(value, str) else ""


class Parameters(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RandomParameters(Parameters):
    """Nothing to set."""


class HeuristicParameters(Parameters):
    """Nothing to set."""


Exploration = Annotated[
    float | None,
    Field(
        ge=0,
        allow_inf_nan=False,
        description="weight of the bonus for seldom tried actions; outcomes count from -1 to 1; "
        f"by default {told_by_game('exploration')}",
    ),
]
Horizon = Annotated[
    int | None,
    Field(
        ge=0,
        le=10_000_000,
        description="decisions after which a play-out is cut and the position judged, 0 for never; "
        f"by default {told_by_game('horizon')}",
    ),
]
PlayOuts = Annotated[
    Literal["leaning", "uniform"],
    Field(description="whether games go on towards sensible play, where a game says what that is, or anyhow"),
]


class TreeParameters(Parameters):
    """What all searches with a tree and play-outs share."""

    simulations: int = Field(1000, ge=1, le=10_000_000, description="games tried in thought at each decision")
    exploration: Exploration = None
    bias: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="what sensible play adds to the value of an untried action, less with every visit; "
        f"by default {told_by_game('bias')}",
    )
    playouts: PlayOuts = "leaning"
    horizon: Horizon = None


class FlatMCParameters(Parameters):
    simulations: int = Field(1000, ge=1, le=10_000_000, description="games tried in thought at each decision")
    allocation: Literal["even", "ucb1"] = Field(
        "even", description="try all actions equally often and take the best mean, or favour what looks good (UCB1)"
    )
    exploration: Exploration = None
    playouts: PlayOuts = "leaning"
    horizon: Horizon = None


class PIMCParameters(TreeParameters):
    worlds: int = Field(
        20, ge=1, le=1_000_000, description="worlds drawn at each decision, which share the simulations"
    )


class SOISMCTSParameters(TreeParameters):
    """Nothing of its own."""


class OracleMCTSParameters(TreeParameters):
    """Nothing of its own."""


class ISMCTSParameters(TreeParameters):
    trees: int = Field(
        1,
        ge=1,
        le=1024,
        description="searches side by side that share the simulations, a thread for each as far as there are cores; "
        "shortens the wait for one decision, and on one core a single search is stronger",
    )
    reuse: bool = Field(
        False, description="go on with the last search where the seat has learned nothing since; takes more memory"
    )


class PolicyParameters(Parameters):
    """Which trained policy an agent plays with."""

    checkpoint: str | None = Field(
        None, min_length=1, description="file of a trained policy, relative to the config, or pretrained; or give train"
    )
    train: str | None = Field(
        None, min_length=1, description="name of a train section of the same config; or give checkpoint"
    )


class PPOParameters(PolicyParameters):
    temperature: float = Field(
        1.0, ge=0.01, le=100, allow_inf_nan=False, description="below 1 sharpens, above 1 flattens the policy's choices"
    )
    deterministic: bool = Field(False, description="always take the likeliest action instead of drawing one")


class PUCTParameters(PolicyParameters):
    simulations: int = Field(
        200, ge=1, le=100_000, description="times that a world is drawn and searched at each decision"
    )
    exploration: float = Field(
        0.7, ge=0, allow_inf_nan=False, description="weight of what the policy thinks likely and was seldom tried"
    )
    temperature: float = Field(
        1.0,
        ge=0.01,
        le=100,
        allow_inf_nan=False,
        description="below 1 sharpens, above 1 flattens the policy",
    )
    value_weight: float = Field(
        1.0,
        ge=0,
        le=1,
        description="part of a new position's worth that the network's value makes up; a play-out makes up the rest",
    )
    playouts: Literal["policy", "leaning", "uniform"] = Field(
        "policy", description="who plays on below the trees: the policy, sensible play as the game has it, or chance"
    )
    horizon: int = Field(
        0,
        ge=0,
        le=10_000_000,
        description="decisions after which a play-out is cut, and the network judges; 0: never",
    )
