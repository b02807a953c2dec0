"""`python -m duelbench.experiments.bench.first_game GAME` plays one random game and says so: how long is a start?"""

import sys

import numpy as np

from duelbench.envs.game import Game
from duelbench.envs.playout import random_games
from duelbench.envs.registry import load_game
from duelbench.envs.rng import new_stream

FINISHED = "finished"


def play_first_game(game: Game) -> None:
    mask, tally = np.zeros(game.num_actions, np.int8), np.zeros(4, np.int64)
    random_games(game.table(), game.new_state(), new_stream(1), mask, np.uint64(1), 1, tally)
    sys.stdout.write(f"{FINISHED}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    play_first_game(load_game(sys.argv[1]))
