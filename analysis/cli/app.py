"""The commands of `duelbench`."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from duelbench.analysis.cli import folders
from duelbench.analysis.cli.balance import balance
from duelbench.analysis.cli.bench import bench
from duelbench.analysis.cli.cards import cards
from duelbench.analysis.cli.decks import decks
from duelbench.analysis.cli.errors import Commands, ended
from duelbench.analysis.cli.exploit import exploit
from duelbench.analysis.cli.metagame import metagame
from duelbench.analysis.cli.play import play, verify_file
from duelbench.analysis.cli.status import status
from duelbench.analysis.cli.train import train

HELP = """Play two-player card games of hidden information with agents, and rank the
agents with the error of every figure.

\b
First steps:
  duelbench games                        what can be played
  duelbench agents                       who can play
  duelbench run configs/quickstart.yaml  play all pairs, rank them, report
  duelbench status quickstart            how far a run is, and who leads
  duelbench ranking quickstart           the tables of a run again
  duelbench replay quickstart --game 0   one of its games in words
  duelbench verify quickstart            does every stored game hold?
  duelbench play tarot_duel --against heuristic  play yourself
  duelbench train configs/train_tarot_duel.yaml  teach a network to play
  duelbench balance configs/death.yaml   what is a card worth?

RUN is the path of a run folder, or its name under runs/.

Exit codes: 0 done; 1 a run does not verify, or stands still unfinished;
2 something to mend in what was given; 130 interrupted; 143 terminated.
"""

Run = Annotated[str, typer.Argument(help="Run folder, or its name under runs/.")]
RunOrFile = Annotated[str, typer.Argument(metavar="RUN|FILE", help="Run folder or its name, or a saved game.")]

app = typer.Typer(
    cls=Commands,
    name="duelbench",
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """Forms in which a game is told."""

    text = "text"
    jsonl = "jsonl"


class Executors(StrEnum):
    """Who plays the games of a run."""

    workers = "workers"
    in_process = "in-process"
    ray = "ray"


def main() -> None:
    """The entry point."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the shell has closed it
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  (open to the end of the process)
        # A terminal that lacks a letter shows a question mark instead of ending the command.
        getattr(sys, name).reconfigure(errors="replace")
    _see_current_folder()
    app()


def _see_current_folder() -> None:
    """Let `type: module:Class` find a module in the current folder, in this process and in its workers.

    It comes last and shadows nothing. Only above another clone of this toolkit it is left out, as Python would take
    the clone's folder for a part of our package.
    """
    clone = Path("duelbench")
    if not clone.is_dir() or clone.samefile(Path(__file__).parents[2]):
        sys.path.append("")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"duelbench {version('duelbench')}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before any command."""


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="YAML file that describes the run.")],
    workers: Annotated[int | None, typer.Option(min=1, help="How many play; all cores if not given.")] = None,
    executor: Annotated[Executors, typer.Option(help="Who plays: processes, this one, a cluster.")] = Executors.workers,
    address: Annotated[
        str | None,
        typer.Option(metavar="auto|HOST:PORT", help="Ray cluster; without it Ray runs on this machine alone."),
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Folder that run folders are made in.")] = folders.RUNS,
    report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html.")] = True,
    dry: Annotated[bool, typer.Option("--dry", help="Only tell what would be played, and about how long.")] = False,
) -> None:
    """Play a round robin, rank the agents and write a report.

    The games depend neither on who plays them nor on the number of workers. A
    run that was killed or interrupted continues with the same command; one that
    is finished only shows its tables again. On a Ray cluster every node must see
    the folder of the run at the same path and have the same duelbench.

    \b
    A config has a name, a game and agents; the other keys have defaults:
      name: my_run
      game: tarot_duel              # decks: \\[FILE, FOLDER] in games with decks
      rules: {death_can_extend: false}
      cards: {death: {number: 5}}   # what is changed about cards
      seed: 7
      deals: 2000                   # a matchup; each with both seatings
      agents:
        heuristic: {type: heuristic}
        search: {type: ismcts, simulations: 200}
      deals_with: {search: 500}     # at most so many where this agent plays
      design: ladder                # or {one_vs_all: search}; else all pairs
      stop: {half_width: 0.02}      # enough deals once it is as certain, or
                                    # {sprt: {elo0: 0, elo1: 10}} has decided
      vary:                         # the same deals in every combination
        rules: {max_turns: [20, 30]}
        cards: {death: {amount: [1, 2]}}
    `duelbench games NAME` lists rule options and what cards may have changed,
    `duelbench agents TYPE` parameters; a section balance: `duelbench balance`.

    \b
    Examples:
      duelbench run configs/quickstart.yaml
      duelbench run configs/quickstart.yaml --workers 2 --runs /tmp/runs
      duelbench run configs/ladder_tarot_duel.yaml --dry
      duelbench run configs/quickstart.yaml --executor ray --address auto
    """
    from duelbench.analysis.cli import results
    from duelbench.experiments.config import load_config

    settings = load_config(config)
    if dry:
        results.show_forecast(settings, workers or folders.cores())
        return
    try:
        folder = results.play(settings, runs, workers, executor.value, address)
    except KeyboardInterrupt as ending:
        raise ended(ending, "what was finished is kept") from None
    results.show_tables(folder, results.write(folder, report))
    results.show_files(folder, report)


@app.command()
def verify(
    run: RunOrFile,
    agents: Annotated[bool, typer.Option("--agents", help="Also ask all agents again; as slow as the run.")] = False,
) -> None:
    """Replay every game of a run, or a saved one, from its deal and its actions, and compare.

    \b
    Examples:
      duelbench verify quickstart
      duelbench verify runs/played/tarot_duel-7.json
    """
    if Path(run).is_file():
        verify_file(Path(run), agents)
        return
    folder = folders.find_finished_run(run)
    from duelbench.analysis.cli.progress import display
    from duelbench.experiments.verify import verify as verify_run

    with display() as shown:
        found = verify_run(folder, lambda done, total: shown.show("verify", done, total, "games"), agents)
    for line in found.lines():
        typer.echo(line)
    if not found.ok:
        raise typer.Exit(1)


def _leave_uncompiled() -> None:
    """One game is over before its compiled rules are loaded. Where they are loaded already, nothing changes."""
    if "duelbench.envs.jit" not in sys.modules:
        import numba

        numba.config.DISABLE_JIT = True


@app.command()
def replay(
    run: RunOrFile,
    game: Annotated[int | None, typer.Option(min=0, help="Number of the game in the run, from 0.")] = None,
    format: Annotated[Format, typer.Option(help="Words, or a transcript for other engines.")] = Format.text,
) -> None:
    """Tell one game of a run, or one that was saved in a file, decision by decision.

    \b
    Examples:
      duelbench replay quickstart --game 17
      duelbench replay runs/played/tarot_duel-7.json
      duelbench replay quickstart --game 17 --format jsonl > game17.jsonl
    """
    place = Path(run) if Path(run).is_file() else folders.find_run(run)
    _leave_uncompiled()
    from duelbench.experiments.replay import replay_jsonl, replay_text

    for line in (replay_jsonl if format is Format.jsonl else replay_text)(place, game):
        typer.echo(line)


@app.command()
def report(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Run folders, or their names under runs/.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the report goes; RUN/report.html or report.html if not given."),
    ] = None,
) -> None:
    """Write the tables and the report of finished runs again; several runs share one page.

    \b
    Examples:
      duelbench report quickstart
      duelbench report tommy_decks wizard_decks --out decks.html
    """
    found = folders.find_finished_runs(runs)
    from duelbench.analysis.cli import results

    path = results.write_shared_report(found, out)
    if len(found) == 1:
        results.show_files(found[0], report=False)
    results.show_report(path)


@app.command()
def ranking(run: Run) -> None:
    """Print the ranking and the payoff matrix of a finished run again.

    \b
    Example:
      duelbench ranking quickstart
    """
    folder = folders.find_finished_run(run)
    from duelbench.analysis.cli import results

    results.show_tables(folder, results.read(folder).summary)


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(help="Game to describe.")] = None,
    observation: Annotated[
        bool, typer.Option("--observation", help="Print what each number of an observation means, as Markdown.")
    ] = False,
) -> None:
    """List the games; with a name, its rule options and cards.

    \b
    Examples:
      duelbench games tarot_duel
      duelbench games tarot_duel --observation
    """
    from duelbench.analysis.cli.listing import print_game, print_games, print_observation
    from duelbench.analysis.cli.tables import stdout_console

    if observation:
        print_observation(name)
    elif name:
        print_game(stdout_console(), name)
    else:
        print_games(stdout_console())


@app.command()
def agents(kind: Annotated[str | None, typer.Argument(metavar="TYPE", help="Type to describe.")] = None) -> None:
    """List the types of agents; with a type, its parameters.

    \b
    Example:
      duelbench agents ismcts
    """
    from duelbench.analysis.cli.listing import print_agent, print_agents
    from duelbench.analysis.cli.tables import stdout_console

    print_agent(stdout_console(), kind) if kind else print_agents(stdout_console())


app.command()(status)
app.command()(cards)
app.command()(play)
app.command()(train)
app.command()(exploit)
app.command()(balance)
app.command()(metagame)
app.add_typer(decks)
app.command()(bench)
