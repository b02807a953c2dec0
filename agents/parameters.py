"""What can be set on each type of agent: the keys of an agent's mapping in a config, beside `type`."""

from typing import Any, Literal

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


class ISMCTSParameters(Parameters):
    simulations: int = Field(1000, ge=1, le=10_000_000, description="games tried in thought at each decision")
    exploration: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="weight of the bonus for seldom tried actions; outcomes count from -1 to 1; "
        f"by default {told_by_game('exploration')}",
    )
    bias: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="what sensible play adds to the value of an untried action, less with every visit; "
        f"by default {told_by_game('bias')}",
    )
    playouts: Literal["leaning", "uniform"] = Field(
        "leaning", description="whether games go on towards sensible play, where a game says what that is, or anyhow"
    )
    horizon: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="decisions after which a play-out is cut and the position judged, 0 for never; "
        f"by default {told_by_game('horizon')}",
    )


class PPOParameters(Parameters):
    checkpoint: str | None = Field(
        None, min_length=1, description="file of a trained policy, relative to the config; or give train"
    )
    train: str | None = Field(
        None, min_length=1, description="name of a train section of the same config; or give checkpoint"
    )
    temperature: float = Field(
        1.0, ge=0.01, le=100, allow_inf_nan=False, description="below 1 sharpens, above 1 flattens the policy's choices"
    )
    deterministic: bool = Field(False, description="always take the likeliest action instead of drawing one")
