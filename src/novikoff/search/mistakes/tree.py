"""The branch tree: each row branched on is given up, or kept. A leaf is bounded by its packing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from novikoff.search.mistakes.packing import Packing


@dataclass(eq=False)
class Node:
    """A branch: rows given up and rows kept on the path, its bound and what proves it.

    `blocked` is an obstruction of kept and trusted rows alone: nothing is possible here.
    """

    removed: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    bound: int = 0  # in units; meaningless where blocked
    packing: Packing = field(default_factory=dict)
    blocked: int | None = None
    row: int | None = None  # that it branches on
    if_removed: Node | None = None
    if_kept: Node | None = None

    def branch(self, row: int, cost_so_far: int) -> tuple[Node, Node]:
        """Two nodes that have this one's packing; `cost_so_far` bounds the first, given up."""
        if_removed = Node((*self.removed, row), self.kept, cost_so_far, self.packing)
        if_kept = Node(self.removed, (*self.kept, row), self.bound, self.packing)
        self.row, self.if_removed, self.if_kept = row, if_removed, if_kept
        return if_removed, if_kept

    @property
    def is_leaf(self) -> bool:
        return self.if_removed is None or self.if_kept is None

    def nodes(self) -> Iterator[Node]:
        """This node and all below."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [end for end in (node.if_kept, node.if_removed) if end is not None]

    def leaves(self) -> Iterator[Node]:
        """The leaves below, this one if it is one."""
        return (node for node in self.nodes() if node.is_leaf)
