"""YAML files read strictly: every key once, every key text, and the line of each kept for error messages."""

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from duelbench.envs.errors import BadInput

_TEXT = "tag:yaml.org,2002:str"
_MERGE = "tag:yaml.org,2002:merge"
_LONGEST_VALUE, _LONGEST_PATH = 80, 250
Location = tuple[str | int, ...]


@dataclass(frozen=True)
class Document:
    """The data of a YAML file with the line of each key and entry. Without a file, `path` only names the source."""

    path: str
    data: Any
    """A mapping, or a list where the reader of the document allowed one."""
    lines: dict[Location, int]

    def where(self, location: Location = ()) -> str:
        """`file:line` of the nearest known ancestor of `location`, or the bare file."""
        for length in range(len(location), 0, -1):
            line = self.lines.get(location[:length])
            if line is not None:
                return f"{self.path}:{line}"
        return self.path


def read_document(path: str | Path, allow_list: bool = False) -> Document:
    """The mapping (with `allow_list`, also the list) in the YAML file at `path`; BadInput with one line otherwise."""
    loader = None
    try:
        loader = yaml.SafeLoader(_text(path))
        node = loader.get_single_node()
        lines = _lines(str(path), node)
        data = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        raise BadInput(_not_yaml(path, error)) from None
    except BadInput:
        raise
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadInput(f"{path}: not YAML: {reason}") from None
    finally:
        if loader is not None:
            loader.dispose()
    return Document(str(path), _checked(path, data, allow_list), lines)


def is_folder(path: str | Path, where: str = "", missing: str = "no such file") -> bool:
    """Whether a folder is at `path`, or else a file; BadInput, beginning with `where`, for everything else."""
    begin = f"{where + ': ' if where else ''}{shortened(str(path), _LONGEST_PATH)}"
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(f"{begin}: {missing}") from None
    except (OSError, ValueError) as error:  # such as a name that is too long, or has a null byte in it
        raise BadInput(f"{begin}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise BadInput(f"{begin}: neither a file nor a folder")  # reading a pipe might never end
    return stat.S_ISDIR(mode)


def _text(path: str | Path) -> str:
    if is_folder(path):
        raise BadInput(f"{path}: is a directory, expected a YAML file")
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not YAML: the file is not UTF-8 text") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _checked(path: str | Path, data: Any, allow_list: bool) -> Any:
    expected = "expected a mapping of keys to values" + (" or a list" if allow_list else "")
    if data is None:
        raise BadInput(f"{path}: the file is empty, {expected}")
    if not isinstance(data, dict) and not (allow_list and isinstance(data, list)):
        raise BadInput(f"{path}: {expected}, found {kind_of(data)}")
    return data


def kind_of(value: Any) -> str:
    """A value in the words of somebody who wrote YAML: short ones as they are written, a word for collections."""
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return repr(shortened(value)) if isinstance(value, str) else shortened(repr(value))


def shortened(text: str, length: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."


def _not_yaml(path: str | Path, error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return f"{where}: not YAML: {' '.join(str(problem).split())}"


def _lines(path: str, root: yaml.Node | None) -> dict[Location, int]:
    """The line of every key and list entry. An anchored node counts where it stands first."""
    lines: dict[Location, int] = {}
    seen: set[int] = set()
    waiting: list[tuple[Location, yaml.Node]] = [] if root is None else [((), root)]
    while waiting:
        location, node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for step, child, line in _children(path, node):
            lines[(*location, step)] = line
            waiting.append(((*location, step), child))
    return lines


def _children(path: str, node: yaml.Node) -> list[tuple[str | int, yaml.Node, int]]:
    if isinstance(node, yaml.SequenceNode):
        return [(i, child, child.start_mark.line + 1) for i, child in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return []
    children: list[tuple[str | int, yaml.Node, int]] = []
    first: dict[str, int] = {}
    for key, child in node.value:
        line = key.start_mark.line + 1
        if key.tag not in (_TEXT, _MERGE):
            written = key.value if isinstance(key, yaml.ScalarNode) else "a collection"
            raise BadInput(f"{path}:{line}: key {written} is not text; write it in quotes")
        if key.value in first:
            raise BadInput(f"{path}:{line}: key {key.value!r} is given twice (first on line {first[key.value]})")
        first[key.value] = line
        children.append((key.value, child, line))
    return children
