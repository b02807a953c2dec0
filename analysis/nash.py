"""Nash averaging: how good agents are against the opponents that matter (Balduzzi et al. 2018, arXiv 1806.02643).

Choosing an agent to send into a match is itself a game: whoever picks the row's agent against the column's expects the
share of the points in the payoff matrix, minus 1/2. Its equilibrium is a mixture of agents that loses to none. Where
there are several, the one of greatest entropy is taken, which is unique and treats copies of an agent as one. Against
it each agent scores its `skill`, 0 for those that hold their own and less for the others: adding many weak agents to a
field, or many copies, changes nothing, while it shifts the ratings.

Shares are used and not log-odds: these are the stakes of the game that is really played, and a clean sweep leaves
them finite. Intervals are percentiles of a bootstrap over the deals. The mass jumps where two agents are about equal
(the better of them gets all of it, equal ones share it), so its intervals are wide there, and rightly so.
"""

import numpy as np
import pandas as pd
from scipy import optimize

from duelbench.analysis.resamples import Field, not_all_met
from duelbench.experiments.estimates import LEVEL

NASH_COLUMNS = ["agent", "mass", "mass_low", "mass_high", "skill", "skill_low", "skill_high"]

NASH_RESAMPLES = 400
"""So many of the resamples that all share are used: an equilibrium takes milliseconds."""

_NOTHING = 1e-9
"""Payoffs and masses below this are rounding."""


def refusal(deals: pd.DataFrame) -> str:
    """Why there is no Nash averaging of these deals (`payoffs.deal_table`), or an empty string."""
    return not_all_met(deals, "Nash averaging")


def nash(field: Field) -> pd.DataFrame:
    """The agents by their mass and then their skill, best first, with NASH_COLUMNS; call `refusal` before."""
    mass, skill = _average(field.square(field.shares - 0.5))
    squares = field.square(field.drawn[:NASH_RESAMPLES] - 0.5)
    drawn = np.stack([_average(square) for square in squares])  # [resamples, mass and skill, agents]
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    # A percentile interval need not hold the estimate; a reader expects it to.
    low, high = np.minimum(low, (mass, skill)), np.maximum(high, (mass, skill))
    columns = (field.agents, mass, low[0], high[0], skill, low[1], high[1])
    table = pd.DataFrame(dict(zip(NASH_COLUMNS, columns, strict=True)))
    return table.sort_values(["mass", "skill", "agent"], ascending=[False, False, True], ignore_index=True)


def _average(payoff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mass = equilibrium(payoff)
    skill = payoff @ mass
    return mass, np.where(np.abs(skill) < _NOTHING, 0.0, skill)


def equilibrium(payoff: np.ndarray) -> np.ndarray:
    """float64[n]: the maximum-entropy equilibrium of the zero-sum game with antisymmetric float64[n, n] `payoff`."""
    beats = payoff > 0
    best = np.flatnonzero(beats.sum(axis=1) == len(payoff) - 1)
    if len(best):  # it beats all others: the only equilibrium
        return np.eye(len(payoff))[best[0]]
    some = _inner_equilibrium(payoff)
    support = some > some @ payoff  # of the mass and the loss against the mixture, exactly one is positive
    inside = payoff[np.ix_(support, support)]
    if np.linalg.matrix_rank(inside, tol=_NOTHING) == len(inside) - 1:  # the only one with this support
        return _rounded(some)
    mass = np.zeros(len(payoff))
    mass[support] = _most_even(payoff, support)
    return _rounded(mass)


def _inner_equilibrium(payoff: np.ndarray) -> np.ndarray:
    """An equilibrium whose support holds that of every other (strictly complementary: Goldman & Tucker 1956).

    The linear programme maximises the least of mass + loss over the agents, which can be positive for all at once.
    """
    n = len(payoff)
    loss = -payoff
    programme = optimize.linprog(
        c=np.append(np.zeros(n), -1.0),
        A_ub=np.vstack([np.hstack([payoff, np.zeros((n, 1))]), np.hstack([-(np.eye(n) + loss), np.ones((n, 1))])]),
        b_ub=np.zeros(2 * n),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
    )
    if programme.status != 0:
        raise ArithmeticError(f"no equilibrium of the payoff matrix was found: {programme.message}")
    return np.asarray(programme.x[:n])


def _most_even(payoff: np.ndarray, support: np.ndarray) -> np.ndarray:
    """The most even equilibrium on `support`, float64[its size], where there are many.

    Its masses are p ~ exp(-x payoff) with a multiplier x for each agent, which is not negative for those outside the
    support, who may lose to the mixture; minimising log(sum of exp(-x payoff)) finds them.
    """
    rows = payoff[:, support]

    def dual(x: np.ndarray) -> tuple[float, np.ndarray]:
        exponents = -x @ rows
        top = exponents.max()
        weights = np.exp(exponents - top)
        total = weights.sum()
        return float(top + np.log(total)), -rows @ (weights / total)

    bounds = [(None, None) if inside else (0, None) for inside in support]
    options = {"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-10}
    found = optimize.minimize(dual, np.zeros(len(payoff)), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    weights = np.exp(-found.x @ rows - (-found.x @ rows).max())
    return np.asarray(weights / weights.sum())


def _rounded(mass: np.ndarray) -> np.ndarray:
    kept = np.where(mass < _NOTHING, 0.0, mass)
    return np.asarray(kept / kept.sum())
