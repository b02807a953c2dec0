"""Agents from outside the toolkit, most of them up to no good."""

import contextlib
import os
import signal
import sys
import time
from multiprocessing import parent_process
from pathlib import Path

from duelbench.agents.agent import Agent


class Lowest(Agent):
    """Plays the action with the lowest number, after drawing `draws` random numbers that it does not use."""

    def __init__(self, game, table, draws: int = 0):
        self.draws = draws

    def act(self, position, rng):
        from duelbench.envs.rng import below

        for _ in range(self.draws):
            below(rng, 10)
        return position.legal_actions[0]


class Highest(Agent):
    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        return position.legal_actions[-1]


class Cheat(Agent):
    """Answers with a card that is not in hand, once the game has begun in earnest."""

    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        if parent_process() is None:  # behave while the run is being prepared
            return position.legal_actions[0]
        return next(action for action in range(position.game.num_actions) if not position.mask[action])


class Crasher(Agent):
    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        if parent_process() is None:
            return position.legal_actions[0]
        raise ZeroDivisionError("thought too hard")


class CrashesAtOnce(Agent):
    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        raise ZeroDivisionError("never thought at all")


class Quitter(Agent):
    """Ends the program that it runs in."""

    def __init__(self, game, table, at_once: bool = False):
        self.at_once = at_once

    def act(self, position, rng):
        if self.at_once or parent_process() is not None:
            sys.exit(0)
        return position.legal_actions[0]


class Deadly(Agent):
    """Takes its worker process down with it."""

    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        if parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return position.legal_actions[0]


class Noisy(Agent):
    """Draws from the random streams of the whole process, which it should not."""

    def __init__(self, game, table):
        pass

    def act(self, position, rng):
        import numpy as np
        import torch

        np.random.random()  # noqa: NPY002
        torch.rand(3)
        return position.legal_actions[0]


class Peeper(Lowest):
    """Wants to be given the true state."""

    sees_everything = True


class Watched(Lowest):
    """Plays like Lowest; `desk` is a folder through which a test sees and steers the processes that it plays in.

    Each leaves a file with its number there, and waits while there is one called `hold`, but not before it has
    answered a few times. A file called `kill` takes one process down, `kill_all` all, but not the one whose number it
    holds.
    """

    def __init__(self, game, table, desk: str):
        super().__init__(game, table)
        self.desk = Path(desk)
        self.answers = 0

    def act(self, position, rng):
        (self.desk / str(os.getpid())).touch()
        self.answers += 1
        while self.answers > 20 and (self.desk / "hold").exists():
            time.sleep(0.02)
        self._die_if_wanted()
        return super().act(position, rng)

    def _die_if_wanted(self):
        for order in (self.desk / "kill", self.desk / "kill_all"):
            with contextlib.suppress(FileNotFoundError, ValueError):
                if int(order.read_text()) != os.getpid():
                    if order.name == "kill":
                        order.unlink()  # fails for all but the first
                    os.kill(os.getpid(), signal.SIGKILL)
