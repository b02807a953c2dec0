"""The examples for people who come from other libraries run."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = {"pyspiel": "openspiel"}


def examples(path, heading=""):
    """The Python blocks of a page from a heading up to the next one of its rank."""
    text = (ROOT / path).read_text()
    if heading:
        text = re.split(rf"^{heading}$", text, flags=re.M)[1]
        text = re.split(r"^## ", text, flags=re.M)[0]
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)


EXAMPLES = [*examples("envs/FACES.md"), *examples("README.md", "## Use it from other libraries")]


def test_there_are_examples():
    assert len(EXAMPLES) >= 6


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example(code):
    for module, extra in NEEDED.items():
        if module in code and importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install 'duelbench[{extra}]'")
    exec(compile(code, "example", "exec"), {"__name__": "example"})
