"""What holds for the project as a whole: who may import whom, what is installed, what no source may do."""

import ast
import importlib.metadata
import importlib.util
import itertools
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import highcard
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import duelbench.envs
from duelbench.envs.registry import game_names, load_game
from duelbench.envs.rng import STREAM

ROOT = Path(duelbench.envs.__file__).resolve().parent.parent
LAYERS = ("envs", "agents", "experiments", "analysis")
SOURCES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LEARNING = {"torch", "stable_baselines3", "sb3_contrib"}
TRAINING_MODULES = {
    f"duelbench.agents.{name}"
    for name in ("learner", "rollout", "selfplay", "imitation", "training_checkpoint", "training_magnet")
}
HEAVY = LEARNING | {"numba", "numpy", "scipy", "pandas", "pyarrow", "pydantic", "plotly", "pettingzoo", "gymnasium"}


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("duelbench", *(parts[:-1] if parts[-1] == "__init__" else parts)))


MODULES = {module_name(path): path for path in SOURCES}


def in_source(names):
    return pytest.mark.parametrize("path", [pytest.param(MODULES[name], id=name) for name in names])


def imported(tree):
    """The full names that a syntax tree imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def run_python(code, *arguments):
    done = subprocess.run([sys.executable, "-P", "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@in_source(MODULES)
def test_imports_run_one_way(path):
    layer = path.relative_to(ROOT).parts[0]
    above = LAYERS[LAYERS.index(layer) + 1 :]
    names = list(imported(ast.parse(path.read_text())))
    assert not [name for name in names if name.split(".")[0] in LAYERS], "import the package by its name"
    assert not [name for name in names if name.split(".")[0] == "duelbench" and name.split(".")[1] in above]


def test_every_folder_of_sources_is_a_listed_package():
    folders = {module_name(path.parent / "__init__.py") for path in SOURCES}
    assert folders == set(PYPROJECT["tool"]["setuptools"]["packages"])
    assert folders <= set(MODULES), "each has an __init__.py"


SEEDED = {"Generator", "SeedSequence", "default_rng", "Random", "get_state", "set_state"}
"""What may be used of `np.random` and `random`: things with a state of their own, and what keeps the global one."""


def draws_from_global_randomness(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            if re.fullmatch(r"(np\.|numpy\.)?random\.\w+", text) and node.attr not in SEEDED:
                yield text
        if isinstance(node, ast.ImportFrom) and node.module in ("random", "numpy.random"):
            yield from (alias.name for alias in node.names if alias.name not in SEEDED)
        if isinstance(node, ast.Call) and not node.args and ast.unparse(node.func).endswith(("default_rng", ".Random")):
            yield ast.unparse(node)


@in_source(MODULES)
def test_no_source_draws_from_global_randomness(path):
    assert list(draws_from_global_randomness(ast.parse(path.read_text()))) == []


@pytest.mark.parametrize(
    "code", ["np.random.rand()", "random.choice(a)", "from random import choice", "default_rng()", "random.Random()"]
)
def test_global_randomness_is_noticed(code):
    assert list(draws_from_global_randomness(ast.parse(code)))


CLOCKLESS = [name for name in MODULES if name.split(".")[1] in ("envs", "agents") and name != "duelbench.envs.jit"]
"""Games and agents. `jit` asks the clock only for the age of old caches."""


@in_source(CLOCKLESS)
def test_games_and_agents_have_no_clock(path):
    roots = {name.split(".")[0] for name in imported(ast.parse(path.read_text()))}
    assert not roots & {"time", "datetime", "timeit", "signal"}


def is_compiled(function):
    names = {ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in function.decorator_list}
    return bool(names & {"rule", "overload"})


DISPATCHING = ("duelbench.envs.dispatch", "duelbench.agents.playouts", "duelbench.agents.compiled")
"""Modules whose plain functions stand for compiled ones, which must have the same signatures."""


def unannotated(function):
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    bare = [a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")]
    return bare + (["return"] if function.returns is None else [])


@in_source(name for name in MODULES if name not in DISPATCHING)
def test_functions_that_are_not_compiled_say_their_types(path):
    functions = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef)]
    assert {f.name: unannotated(f) for f in functions if not is_compiled(f) and unannotated(f)} == {}


def test_help_imports_nothing_heavy():
    code = """
import sys
from duelbench.analysis.cli import main
sys.argv = ["duelbench", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code
sys.stdout.write("\\n" + " ".join(m for m in sys.modules if "." not in m))
"""
    said = run_python(code)
    assert "Usage" in said
    assert set(said.splitlines()[-1].split()) & HEAVY == set()


def test_nothing_but_training_imports_torch():
    code = """
import importlib, json, sys
guilty = []
for name in json.loads(sys.argv[1]):
    before = set(sys.modules)
    importlib.import_module(name)
    if {"torch", "stable_baselines3", "sb3_contrib"} & (set(sys.modules) - before):
        guilty.append(name)
sys.stdout.write("\\n" + json.dumps(guilty))
"""
    without_peer = set() if importlib.util.find_spec("pyspiel") else {"duelbench.envs.open_spiel"}
    said = run_python(code, json.dumps(sorted(set(MODULES) - TRAINING_MODULES - without_peer)))
    assert json.loads(said.splitlines()[-1]) == []


@in_source(sorted(TRAINING_MODULES & set(MODULES)))
def test_a_training_module_is_one_that_needs_to_be(path):
    names = {name.split(".")[0] for name in imported(ast.parse(path.read_text()))}
    assert names & LEARNING


PEERS = {"pyspiel", "ray"}
"""What is imported after a check that it is there: by `bench --peers`, the face for OpenSpiel, and runs on clusters."""


@in_source(MODULES)
def test_what_is_imported_is_a_dependency(path):
    roots = {name.split(".")[0] for name in imported(ast.parse(path.read_text()))}
    foreign = roots - set(sys.stdlib_module_names) - PEERS - {"duelbench"}
    names = importlib.metadata.packages_distributions()
    wanted = {canonicalize_name(Requirement(text).name) for text in PYPROJECT["project"]["dependencies"]}
    assert {root for root in foreign if not {canonicalize_name(n) for n in names.get(root, ())} & wanted} == set()


def pinned():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    pairs = [re.fullmatch(r"([\w.-]+)==([\w.]+)", line) for line in lines]
    assert all(pairs), "every line pins one version"
    return {canonicalize_name(pair[1]): pair[2] for pair in pairs}


def required(name, extras=("",), seen=None):
    """The names of all that an installed package asks for on this machine, and what these ask for."""
    seen = set() if seen is None else seen
    for text in importlib.metadata.requires(name) or ():
        need = Requirement(text)
        wanted = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras)
        if wanted and canonicalize_name(need.name) not in seen and installed(need.name):
            seen.add(canonicalize_name(need.name))
            required(need.name, ("", *need.extras), seen)
    return seen


def installed(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def test_constraints_pin_every_dependency():
    project = PYPROJECT["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    direct = {canonicalize_name(Requirement(text).name) for text in itertools.chain(*groups)}
    assert direct <= set(pinned())
    assert pinned()["torch"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other packages beneath the dependencies")
def test_constraints_pin_what_the_dependencies_need():
    beneath = {
        name for name in required("duelbench", ("", "dev")) if not name.startswith(("nvidia-", "cuda-", "triton"))
    }
    assert beneath - set(pinned()) == set()


def test_pins_are_what_the_project_asks_for():
    project = PYPROJECT["project"]
    for text in itertools.chain(project["dependencies"], *project["optional-dependencies"].values()):
        need = Requirement(text)
        assert need.specifier.contains(pinned()[canonicalize_name(need.name)]), text


def test_no_state_layout_is_the_beginning_of_another():
    layouts = [STREAM.names, highcard.STATE.names, *(load_game(name).state_dtype.names for name in game_names())]
    for one, other in itertools.permutations(layouts, 2):
        assert other[: len(one)] != one
