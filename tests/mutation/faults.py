"""Small faults of Python source, one at a time: what a tired programmer might have written instead.

`faults_of` lists every fault that a file can have; a `Fault` knows the source with it made. What no
test can see is left out: annotations, words in messages, docstrings.
"""

import ast
import copy
from dataclasses import dataclass

OTHER_OPERATOR = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
}  # fmt: skip
OTHER_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
OTHER_NAME = {"max": "min", "min": "max", "any": "all", "all": "any", "argmax": "argmin",
              "argmin": "argmax"}  # fmt: skip
# Words for people, and checks of types.
UNSEEN_CALLS = {"cast", "TypeVar", "isinstance", "print"}


@dataclass(frozen=True)
class Fault:
    """One change of one place."""

    path: str
    function: str
    """Class and function that the place is in."""
    kind: str
    before: str
    after: str
    line: int
    occurrence: int
    """Of the same change in the same function, from 0."""
    span: tuple[int, int]
    """Bytes of the file that are replaced …"""
    text: str
    """… by this."""
    at_import: bool
    """Whether the place runs when the module is imported."""

    @property
    def room(self) -> str:
        """The room that the file is in."""
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        """What it is, wherever in the function the line moves to."""
        again = f" #{self.occurrence + 1}" if self.occurrence else ""
        change = f"{self.before} → {self.after}" if self.after else self.before
        return f"{self.path}::{self.function}::{self.kind}: {change}{again}"

    def made_in(self, source: bytes) -> bytes:
        """The file with the fault."""
        return source[: self.span[0]] + self.text.encode() + source[self.span[1] :]


def faults_of(path: str, source: bytes) -> list[Fault]:
    """All faults of a file, in the order of their places."""
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    counts: dict[tuple[str, str, str, str], int] = {}
    named = []
    for fault in sorted(finder.found, key=lambda fault: fault.span):
        key = (fault.function, fault.kind, fault.before, fault.after)
        counts[key] = counts.get(key, -1) + 1
        named.append(Fault(**{**vars(fault), "occurrence": counts[key]}))
    return named


class _Finder(ast.NodeVisitor):
    """Walks a module and notes what could be wrong at each place."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.found: list[Fault] = []
        self.names: list[str] = []
        self.inside_function = False
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts

    def add(self, kind: str, node: ast.AST, other: ast.AST | str, label: str = "") -> None:
        """Note that `node` may be replaced; `label` says it where the two texts are long."""
        begin = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        text = other if isinstance(other, str) else ast.unparse(ast.fix_missing_locations(other))
        if isinstance(node, ast.expr) and isinstance(other, ast.expr):
            text = f"({text})"  # it may stand beside operators that bind more tightly
        place = ".".join(self.names) or "module"
        before, after = (
            _short(label or ast.unparse(node)),
            "" if label else _short(text),
        )
        here = node.lineno, 0, (begin, end), text, not self.inside_function
        self.found.append(Fault(self.path, place, kind, before, after, *here))

    def changed(self, kind: str, node: ast.AST, **fields: object) -> None:
        """Note that `node` may have other fields."""
        other = copy.deepcopy(node)
        for name, value in fields.items():
            setattr(other, name, value)
        self.add(kind, node, other)

    def visit_body(self, node: ast.AST) -> None:
        """Everything below a node but types, decorators and docstrings."""
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_comment"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_text(child):
                    self.visit(child)

    generic_visit = visit_body

    def _scope(self, node: ast.ClassDef | ast.FunctionDef, *, function: bool) -> None:
        before = self.inside_function
        self.names.append(node.name)
        self.inside_function = before or function
        if function:
            # Default values are taken when the function is made.
            self.inside_function = before
            self.visit(node.args)
            self.inside_function = True
            for child in node.body:
                if not _is_text(child):
                    self.visit(child)
        else:
            self.visit_body(node)
        self.inside_function = before
        self.names.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any("Protocol" in ast.unparse(base) for base in node.bases):
            self._scope(node, function=False)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if not any("abstract" in ast.unparse(one) for one in node.decorator_list):
            self._scope(node, function=True)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.changed_test(node.test)
            self.visit_body(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.changed_test(node.test)
        self.visit_body(node)

    def changed_test(self, test: ast.expr) -> None:
        """A condition turned round."""
        if not isinstance(test, ast.UnaryOp | ast.Compare):
            self.add("negate", test, ast.UnaryOp(ast.Not(), copy.deepcopy(test)))

    def visit_Raise(self, node: ast.Raise) -> None:
        self.add("drop statement", node, "pass")

    def visit_Assert(self, node: ast.Assert) -> None:
        """Assertions are for the type checker."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Text."""

    def visit_Import(self, node: ast.Import) -> None:
        """Imports are not changed."""

    visit_ImportFrom = visit_Import

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add("drop statement", node, "pass")
        self.visit_body(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add("drop statement", node, "pass")
        if type(node.op) in OTHER_OPERATOR:
            self.changed("operator", node, op=OTHER_OPERATOR[type(node.op)]())
        self.visit_body(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add("drop statement", node, "pass")

    visit_Break = visit_Continue

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and ast.unparse(node.value) != "None":
            self.add("drop value", node, "return None")
        self.visit_body(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in OTHER_OPERATOR:
            self.changed("operator", node, op=OTHER_OPERATOR[type(node.op)]())
        self.visit_body(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.changed("and/or", node, op=other)
        self.visit_body(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.add("drop sign", node, copy.deepcopy(node.operand))
        self.visit_body(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for other in OTHER_COMPARISONS[type(node.ops[0])]:
            self.changed("compare", node, ops=[other(), *node.ops[1:]])
        self.visit_body(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        for other in _other_values(node.value):
            self.add("constant", node, other)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.named_value(node.arg, node.value)

    def visit_arguments(self, node: ast.arguments) -> None:
        plain = [*node.posonlyargs, *node.args]
        named = [*zip(plain[len(plain) - len(node.defaults) :], node.defaults, strict=True),
                 *zip(node.kwonlyargs, node.kw_defaults, strict=True)]  # fmt: skip
        for argument, default in named:
            if default is not None:
                self.named_value(argument.arg, default)

    def named_value(self, name: str | None, value: ast.expr) -> None:
        """A value whose name tells what it is: faults of constants tell both."""
        if not isinstance(value, ast.Constant):
            self.visit(value)
            return
        for other in _other_values(value.value):
            label = f"{name}={value.value} → {name}={other.strip('()')}"
            self.add("constant", value, other, label)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in OTHER_NAME and isinstance(node.ctx, ast.Load):
            self.add("name", node, OTHER_NAME[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in OTHER_NAME:
            self.changed("name", node, attr=OTHER_NAME[node.attr])
        self.visit_body(node)

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                one = ast.BinOp(copy.deepcopy(bound), ast.Add(), ast.Constant(1))
                self.add("slice", bound, one)
        self.visit_body(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func).rpartition(".")[2]
        if called in UNSEEN_CALLS:
            return
        for i, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                other = copy.deepcopy(node)
                del other.keywords[i]
                label = f"{called}({keyword.arg}={ast.unparse(keyword.value)})"
                self.add("drop keyword", node, other, label)
        plain = [one for one in node.args if not isinstance(one, ast.Starred)]
        if len(plain) >= 2 and plain == node.args:
            self.changed("swap arguments", node, args=[plain[1], plain[0], *plain[2:]])
        self.visit_body(node)


def _other_values(value: object) -> list[str]:
    """Near misses of a constant, as source."""
    if isinstance(value, bool):
        return [str(not value)]
    if isinstance(value, int):
        return [str(value + 1), f"({value - 1})"]
    if isinstance(value, float):
        return [repr(value + 1.0), repr(value * 2.0 or -1.0)]
    return []


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _short(text: str) -> str:
    """One line, cut in the middle."""
    text = " ".join(text.split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"
