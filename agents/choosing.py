"""The choice among equals."""

from duelbench.envs.jit import rule
from duelbench.envs.rng import below


@rule
def one_of_the_best(scores, stream):
    """The index of the highest score; of equal ones any, drawn from `stream` even where there is but one."""
    top = scores.max()
    equals = 0
    for index in range(scores.shape[0]):
        equals += scores[index] == top
    left = below(stream, equals)
    for index in range(scores.shape[0]):
        if scores[index] == top:
            if left == 0:
                return index
            left -= 1
    return -1
