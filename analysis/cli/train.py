"""`duelbench train`: learning by self-play, from a config to a policy."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbench.analysis.cli import folders
from duelbench.analysis.cli.errors import INTERRUPTED, fail
from duelbench.envs.errors import BadInput

if TYPE_CHECKING:
    from duelbench.experiments.training_config import TrainingConfig
    from duelbench.experiments.training_run import TrainingProgress


def train(
    config: Annotated[Path, typer.Argument(help="YAML file that describes the training.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint, if there is one.")] = False,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Folder that the folder is made in.")] = folders.RUNS,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the policy with 16-bit weights.")
    ] = None,
) -> None:
    """Train a policy by self-play and watch it improve.

    The learner is maskable PPO. It plays many games side by side, on both seats
    or against the opponents that the config names, and meets a panel of agents
    now and then; its share of points against each, with an interval, goes into
    evaluations.csv. The settings and their defaults: duelbench agents ppo.

    \b
    A config needs a name and a game; the other keys have defaults:
      name: my_policy
      game: tarot_duel
      steps: 4_000_000              # decisions, both seats counted
      layers: [128, 128]            # hidden layers of the network
      learning_rate: 2.0e-3         # with final_learning_rate: on a line
      entropy: 0.03                 # with final_entropy: on a line
      opponents: {latest: 0.75, history: 0.15, heuristic: 0.1}
      evaluation:
        every: 1_000_000            # decisions
        deals: 100                  # each played on both seats
        agents: {ismcts: {type: ismcts, simulations: 100}}

    \b
    In the folder runs/NAME:
      policy.npz            for agents: {mine: {type: ppo, checkpoint: FILE}}
      checkpoints/          policies on the way; what --resume goes on from
      evaluations.csv       points against the panel
      curve.csv             entropy, losses and more of each update
      tensorboard/          the same: tensorboard --logdir runs

    A training that was killed or interrupted goes on with --resume from its
    last checkpoint, and ends with the same policy to the bit.

    \b
    Examples:
      duelbench train configs/train_tarot_duel.yaml
      duelbench train configs/train_tarot_duel.yaml --resume
    """
    from duelbench.experiments.training_config import load_training_config
    from duelbench.experiments.training_run import export_policy

    settings = load_training_config(config)
    if export is not None:
        _check_place(export)
    try:
        folder = _play(settings, runs, resume)
    except KeyboardInterrupt:
        raise fail(_kept(runs / settings.name), INTERRUPTED) from None
    if export is not None:
        export_policy(folder, settings, export)
    _show(folder, export)


def _check_place(export: Path) -> None:
    """Refuse a file that cannot be written before the training instead of after it."""
    from duelbench.agents.policy import make_folder

    if export.is_dir():
        raise BadInput(f"--export: {export} is a folder; name a file")
    make_folder(export)


def _play(settings: "TrainingConfig", runs: Path, resume: bool) -> Path:
    """Train and show how far it is; returns the folder."""
    from duelbench.analysis.cli.progress import display
    from duelbench.experiments.training_run import run_training

    with display() as shown:

        def listen(now: "TrainingProgress") -> None:
            if settings.panel and not (now.done or now.results):
                shown.show("prepare", 0, 1, "", detail(now) or "compiling what is not compiled yet")
            else:
                shown.show(f"train {settings.name}", now.done, now.total, "decisions", detail(now))

        return run_training(settings, runs, resume, listen, ["duelbench", *sys.argv[1:]])


def detail(now: "TrainingProgress") -> str:
    """What a line of progress says beside the numbers: entropy, and the points in the last evaluation."""
    parts = [] if now.opponent is None else [f"playing {now.opponent}"]
    parts += [] if now.entropy is None else [f"entropy {now.entropy:.2f}"]
    return ", ".join([*parts, *(f"{result.opponent} {result.score:.0%}" for result in now.results)])


def _kept(folder: Path) -> str:
    from duelbench.experiments.folder import read_json

    done = read_json(folder / "status.json")["decisions_done"] if (folder / "status.json").exists() else 0
    command = shlex.join(["duelbench", *(word for word in sys.argv[1:] if word != "--resume"), "--resume"])
    kept = f"the first {done:,} decisions are kept in {folder}" if done else "nothing had been kept yet"
    return f"interrupted; {kept}, and this continues: {command}"


def _show(folder: Path, export: Path | None) -> None:
    """The last evaluation, and where everything is."""
    from duelbench.analysis.cli.tables import stdout_console, table
    from duelbench.experiments.training_log import NO_TENSORBOARD, has_tensorboard, last_results

    lines = [
        (r.opponent, f"{r.score:.1%}", f"{100 * r.low:.1f}–{100 * r.high:.1f}", r.deals) for r in last_results(folder)
    ]
    title = "Points of the trained policy, with their 95% intervals"
    if lines:
        stdout_console().print(table(title, ["opponent", "points", "interval", "deals"], lines))
    typer.echo(f"\nPolicy      {folder / 'policy.npz'}")
    if export is not None:
        typer.echo(f"Exported    {export}")
    typer.echo(f"On the way  {folder / 'evaluations.csv'}  {folder / 'curve.csv'}")
    watching = shlex.join(["tensorboard", "--logdir", str(folder.parent)])
    typer.echo(f"Curves      {watching if has_tensorboard() else NO_TENSORBOARD}")
    typer.echo(f"Play it     agents: {{mine: {{type: ppo, checkpoint: {(folder / 'policy.npz').resolve()}}}}}")
