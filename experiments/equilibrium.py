"""The mixture of a symmetric zero-sum game that nothing beats, by linear programming."""

import numpy as np
from scipy.optimize import linprog


def equilibrium(payoffs: np.ndarray) -> np.ndarray:
    """float64[n], adding up to 1: a mixture whose mean payoff against every row is at least the value of the game.

    `payoffs` float64[n, n] is antisymmetric: what the row's side gains against the column's. The value is 0. Where
    several mixtures will do, one of them is returned (von Neumann's linear program, solved by HiGHS).
    """
    count = len(payoffs)
    # variables: the mixture and the value v; maximise v with mixture @ payoffs >= v
    above = np.hstack([-payoffs.T, np.ones((count, 1))])
    sums = np.append(np.ones(count), 0.0)[None]
    solved = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=above,
        b_ub=np.zeros(count),
        A_eq=sums,
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
        method="highs",
    )
    if not solved.success:
        raise ArithmeticError(f"no equilibrium found: {solved.message}")
    mixture = np.clip(solved.x[:count], 0.0, None)
    return np.asarray(mixture / mixture.sum())
