"""What a queue may use: quotas, limits and usage in trees of cohorts.

Each tree is probed at its edges: with the largest request that should fit now, one more, the largest that could ever
fit, and one more. The edges are only where to look; what happens there is recorded.
"""

from notation import *


class Node:
    def __init__(self, name, parent, nominal, borrow=None, lend=None, used=0, is_queue=True):
        self.name, self.parent, self.nominal, self.borrow, self.lend, self.is_queue = \
            name, parent, nominal, borrow, lend, is_queue
        self.used = used
        self.children = []


def tree(text):
    """"R 0; M<R 0/lend 5; a<M* 10/borrow 3 used 4": name<parent, * for a queue, nominal and limits, usage."""
    nodes = {}
    for part in text.split(";"):
        head, quota, *rest = part.split(None, 2)
        rest = rest[0] if rest else ""
        quota_text = quota
        used = 0
        if "used" in rest:
            rest, amount = rest.split("used")
            used = int(amount)
        limits = dict(item.split() for item in (quota_text + " " + rest).split("/")[1:])
        is_queue = head.endswith("*")
        name, _, parent = head.rstrip("*").partition("<")
        node = Node(name, parent or None, int(quota_text.split("/")[0]),
                    int(limits["borrow"]) if "borrow" in limits else None,
                    int(limits["lend"]) if "lend" in limits else None, used, is_queue)
        nodes[name] = node
    for node in list(nodes.values()):
        if node.parent:
            if node.parent not in nodes:
                nodes[node.parent] = Node(node.parent, None, 0, is_queue=False)
            nodes[node.parent].children.append(node)
    return nodes


def subtree(n):
    return n.nominal + sum(subtree(c) - own(c) for c in n.children)


def own(n):
    return max(0, subtree(n) - n.lend) if n.lend is not None else 0


def usage(n):
    return n.used if n.is_queue else sum(max(0, usage(c) - own(c)) for c in n.children)


def free(nodes, n):
    if n.parent is None:
        return subtree(n) - usage(n)
    above = free(nodes, nodes[n.parent])
    if n.borrow is not None:
        above = min(above, subtree(n) - own(n) - max(0, usage(n) - own(n)) + n.borrow)
    return max(0, own(n) - usage(n)) + above


def potential(nodes, n):
    if n.parent is None:
        return subtree(n)
    most = own(n) + potential(nodes, nodes[n.parent])
    return min(most, subtree(n) + n.borrow) if n.borrow is not None else most


def objects(nodes, resource="cpu"):
    out = []
    for n in nodes.values():
        quota = f"{n.nominal}" + (f"/borrow {n.borrow}" if n.borrow is not None else "") + \
            (f"/lend {n.lend}" if n.lend is not None else "")
        if n.is_queue:
            out.append(queue(n.name, f"f1({resource} {quota})", n.parent))
        elif n.nominal or n.borrow is not None or n.lend is not None or n.parent:
            out.append(cohort(n.name, f"f1({resource} {quota})" if n.nominal or "/" in quota else "", n.parent))
        if n.used:
            out.append(work("r" + n.name, n.name, f"{resource} {n.used}", on="f1"))
    return out


def write(t):
    def probe(title, text, *which):
        nodes = tree(text)
        for name in which:
            n = nodes[name]
            edges = sorted({max(0, free(nodes, n)), max(0, free(nodes, n)) + 1, potential(nodes, n), potential(nodes, n) + 1})
            for edge in edges:
                if edge == 0:
                    continue
                t.case(f"{title}: {edge} in {name}", *objects(nodes), work("w", name, f"cpu {edge}", at=50), cycles=4)

    t.rule("A queue without a cohort has its nominal quota less what it uses.")
    probe("alone", "a* 5", "a")
    probe("alone and partly used", "a* 5 used 2", "a")
    probe("alone and used beyond its quota", "a* 5 used 7", "a")

    t.rule("In a cohort a queue may use what the others do not.")
    probe("two queues", "a<R* 5; b<R* 7", "a")
    probe("two queues, the other in use", "a<R* 5; b<R* 7 used 3", "a")
    probe("two queues, the other borrows", "a<R* 5; b<R* 7 used 9", "a")
    probe("three queues, one without quota", "a<R* 0; b<R* 4 used 1; c<R* 6 used 2", "a")
    probe("the cohort has quota of its own", "R 6; a<R* 1; b<R* 0 used 3", "a")

    t.rule("A borrowing limit bounds what a queue uses beyond its nominal quota.")
    for limit in (0, 3, 20):
        probe(f"borrowing limit {limit}", f"a<R* 2/borrow {limit}; b<R* 20", "a")
        probe(f"borrowing limit {limit}, some in use", f"a<R* 2/borrow {limit} used 1; b<R* 20 used 2", "a")
    probe("a limit of zero gives back what is lent out only as far as it is there", "a<R* 6/borrow 0; b<R* 2 used 5", "a")

    t.rule("A lending limit bounds what others may use of a queue's quota; the rest is its own.")
    for limit in (0, 4, 10):
        probe(f"lending limit {limit}", f"a<R* 10/lend {limit}; b<R* 0", "b")
        probe(f"lending limit {limit}, the lender in use", f"a<R* 10/lend {limit} used 7; b<R* 0", "b")
    probe("limits of both kinds", "a<R* 10/borrow 3/lend 4 used 8; b<R* 10", "a", "b")
    probe("both kinds on both", "a<R* 8/borrow 2/lend 3 used 4; b<R* 6/borrow 4/lend 2 used 5", "a", "b")

    t.rule("What others borrowed beyond the cohort's quota is taken from what a queue keeps for itself, too.")
    probe("debt eats the guaranteed part", "a<R* 10/lend 4; b<R* 0 used 9", "a")
    probe("debt of a subtree", "M<R 0; a<M* 10/lend 4; b<R* 0 used 9", "a")
    probe("debt larger than everything", "a<R* 5/lend 2; b<R* 0 used 12", "a")

    t.rule("A cohort's lending limit bounds what leaves its subtree, its borrowing limit what enters it.")
    probe("a subtree lends 5", "M<R 0/lend 5; a<M* 10 used 3; b<R* 0", "a", "b")
    probe("a subtree borrows 2", "M<R 0/borrow 2; a<M* 3; b<R* 10", "a")
    probe("a subtree borrows 2 and some is used", "M<R 1/borrow 2; a<M* 3 used 1; a2<M* 0 used 2; b<R* 10", "a", "a2")
    probe("a subtree lends nothing", "M<R 4/lend 0; a<M* 3; b<R* 1", "a", "b")
    probe("a lending limit above the quota of a cohort", "M<R 4/lend 9; a<M* 3; b<R* 1", "b")
    probe("limits on two levels", "M<R 2/borrow 6/lend 3; L<M 1/borrow 3/lend 2; a<L* 4/borrow 9 used 1; b<R* 12 used 4",
          "a", "b")

    t.rule("Trees may be deep; a queue sees the whole of it.")
    probe("four levels", "R 1; A<R 1; B<A 1; C<B 1; a<C* 1; z<R* 1", "a", "z")
    probe("four levels in use", "R 2; A<R 1; B<A 1; C<B 1; a<C* 1 used 2; z<R* 1 used 3", "a", "z")
    probe("a cohort above that is only named", "M<Q 3; a<M* 1; b<Q* 2", "a", "b")
    probe("queues beside cohorts", "R 0; M<R 3; a<M* 1; b<R* 2 used 1; c<M* 2 used 3", "a", "b", "c")
    probe("two branches", "R 0; L<R 4; M<R 4; a<L* 1; b<M* 2 used 5", "a", "b")

    t.rule("Each resource and each flavor has a tree of its own.")
    t.case("another resource of the flavor is borrowed", queue("a", "f1(cpu 1, memory 1)", "R"),
           queue("b", "f1(cpu 9, memory 0)", "R"), work("w", "a", "cpu 5, memory 1"))
    t.case("another resource of the flavor is short", queue("a", "f1(cpu 1, memory 1)", "R"),
           queue("b", "f1(cpu 9, memory 0)", "R"), work("w", "a", "cpu 5, memory 2"))
    t.case("the other queue lacks the flavor", queue("a", "f1(cpu 1)", "R"), queue("b", "f2(cpu 9)", "R"),
           work("w", "a", "cpu 2"))
    t.case("the cohort's quota is of another flavor", cohort("R", "f2(cpu 9)"), queue("a", "f1(cpu 1)", "R"),
           work("w", "a", "cpu 2"))
    t.case("a resource that the queue does not list cannot be borrowed", queue("a", "f1(cpu 1)", "R"),
           queue("b", "f1(cpu 1, example.com/gpu 4)", "R"), work("w", "a", "cpu 1, example.com/gpu 1"))
    t.case("two queues borrow different resources in one cycle", queue("a", "f1(cpu 1, memory 1)", "R"),
           queue("b", "f1(cpu 1, memory 1)", "R"), queue("c", "f1(cpu 5, memory 5)", "R"), work("wa", "a", "cpu 6", at=1),
           work("wb", "b", "memory 6", at=2))
    t.case("two queues borrow the same resource in one cycle, and it is enough", queue("a", "f1(cpu 1)", "R"),
           queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 10)", "R"), work("wa", "a", "cpu 4", at=1),
           work("wb", "b", "cpu 6", at=2))
    t.case("two queues borrow the same resource in one cycle, and it is too little", queue("a", "f1(cpu 1)", "R"),
           queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 5)", "R"), work("wa", "a", "cpu 4", at=1),
           work("wb", "b", "cpu 5", at=2))

    t.rule("The quota of a queue that is stopped or incomplete stays in its cohort; so does its usage.")
    for stop in ("Hold", "HoldAndDrain"):
        t.case(f"borrowing from a queue with {stop}", queue("a", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R", stop=stop),
               work("w", "a", "cpu 5"))
        t.case(f"a borrower with {stop} cannot be reclaimed from", queue("a", "f1(cpu 4)", "R", reclaim="Any"),
               queue("b", "f1(cpu 0)", "R", stop=stop), work("rb", "b", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=9, at=5))
    t.case("borrowing from a queue with a missing flavor", queue("a", "f1(cpu 0)", "R"),
           queue("c", "f1(cpu 10) missing(cpu 1)", "R"), work("w", "a", "cpu 5"), work("v", "c", "cpu 1", at=2))
    t.case("borrowing from a queue with a missing check", queue("a", "f1(cpu 0)", "R"),
           queue("c", "f1(cpu 10)", "R", checks=["absent"]), work("w", "a", "cpu 5"), work("v", "c", "cpu 1", at=2))

    t.rule("Cohorts in a circle are unusable, with every queue below them; others are not touched.")
    circle = [cohort("A", "f1(cpu 5)", parent="B"), cohort("B", "f1(cpu 5)", parent="A")]
    t.case("a queue in the circle", *circle, queue("a", "f1(cpu 5)", "A"), work("w", "a", "cpu 1"))
    t.case("a queue beside the circle", *circle, queue("a", "f1(cpu 5)", "A"), queue("z", "f1(cpu 5)"),
           work("w", "z", "cpu 1"), work("v", "a", "cpu 1", at=2))
    t.case("a cohort that is its own parent", cohort("A", "f1(cpu 5)", parent="A"), queue("a", "f1(cpu 5)", "A"),
           work("w", "a", "cpu 1"))
    t.case("below the circle", *circle, cohort("C", parent="B"), queue("a", "f1(cpu 5)", "C"), work("w", "a", "cpu 1"))
    t.case("the circle is cut", *circle, queue("a", "f1(cpu 5)", "A"), work("w", "a", "cpu 12"),
           steps=[apply(cohort("B", "f1(cpu 5)")), later("1m")])
    t.case("a circle is closed while workloads wait", cohort("A", "f1(cpu 1)"), cohort("B", "f1(cpu 1)", parent="A"),
           queue("b", "f1(cpu 1)", "B"), work("w", "b", "cpu 2"), work("v", "b", "cpu 9", at=2),
           steps=[apply(cohort("A", "f1(cpu 1)", parent="B")), apply(work("u", "b", "cpu 1", at=20000)), later("1m")])

    t.rule("A cohort exists as long as something names it, as a root without quota when it has no object.")
    t.case("named by queues only", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 2)", "R"), work("w", "a", "cpu 3"))
    t.case("named by a cohort only", cohort("M", "f1(cpu 1)", parent="Q"), queue("a", "f1(cpu 1)", "M"),
           queue("b", "f1(cpu 2)", "Q"), work("w", "a", "cpu 4"))
    t.case("a cohort with an object and nothing below", cohort("M", "f1(cpu 4)"), queue("a", "f1(cpu 1)"),
           work("w", "a", "cpu 2"))
    t.case("the object of a cohort comes later", queue("a", "f1(cpu 1)", "M"), work("w", "a", "cpu 3"),
           steps=[apply(cohort("M", "f1(cpu 2)")), later("1m")])
    t.case("the object of a cohort goes, its queues stay together", cohort("M", "f1(cpu 2)"), queue("a", "f1(cpu 1)", "M"),
           queue("b", "f1(cpu 1)", "M"), work("w", "a", "cpu 9"),
           steps=[delete("Cohort", "M"), apply(work("v", "b", "cpu 3", at=20000), work("u", "b", "cpu 2", at=20001)),
                  later("1m")])
    t.case("a child cohort goes, and its quota with it", cohort("R", "f1(cpu 10)"), cohort("C", "f1(cpu 5)", parent="R"),
           queue("a", "f1(cpu 0)", "R"), work("v", "a", "cpu 99"),
           steps=[delete("Cohort", "C"), apply(work("w", "a", "cpu 12", at=20000)), later("1m")])
    t.case("a grandchild cohort goes, and its quota with it", cohort("R", "f1(cpu 10)"), cohort("C", parent="R"),
           cohort("D", "f1(cpu 5)", parent="C"), queue("a", "f1(cpu 0)", "R"), work("v", "a", "cpu 99"),
           steps=[delete("Cohort", "D"), apply(work("w", "a", "cpu 12", at=20000)), later("1m")])
    t.case("a cohort in the middle goes", cohort("R", "f1(cpu 10)"), cohort("C", "f1(cpu 1)", parent="R"),
           cohort("D", "f1(cpu 5)", parent="C"), queue("a", "f1(cpu 0)", "D"), work("v", "a", "cpu 99"),
           steps=[delete("Cohort", "C"), apply(work("w", "a", "cpu 6", at=20000), work("u", "a", "cpu 5", at=20001)),
                  later("1m")])
    t.case("a cohort gets a parent", cohort("R", "f1(cpu 10)"), cohort("C", "f1(cpu 5)"), queue("a", "f1(cpu 0)", "C"),
           work("w", "a", "cpu 12"), steps=[apply(cohort("C", "f1(cpu 5)", parent="R")), later("1m")])
    t.case("a queue moves to another cohort", cohort("R", "f1(cpu 10)"), cohort("C", "f1(cpu 1)"),
           queue("a", "f1(cpu 0)", "C"), work("w", "a", "cpu 7"),
           steps=[apply(queue("a", "f1(cpu 0)", "R", own=False)), later("1m")])
    t.case("a queue leaves its cohort with usage", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 5)", "R"),
           work("ra", "a", "cpu 6", on="f1"), work("w", "b", "cpu 5", at=2),
           steps=[apply(queue("a", "f1(cpu 2)", own=False)), later("1m")])
    t.case("a resource that is taken from a borrowing queue still counts in its cohort",
           queue("a", "f1(cpu 1, memory 1)", "R"), queue("b", "f1(cpu 2, memory 1)", "R"),
           work("r", "a", "cpu 2, memory 2", on="f1"), work("w", "b", "cpu 1, memory 1", at=2),
           steps=[apply(queue("a", "f1(cpu 1)", "R", own=False)), later("1m")])
    t.case("a quota is lowered below its usage", queue("a", "f1(cpu 6)"), work("r", "a", "cpu 5", on="f1"),
           work("w", "a", "cpu 2", at=2), steps=[apply(queue("a", "f1(cpu 3)", own=False)), later("1m"),
                                                 finish("r")])

    t.rule("The level at which a queue borrows is the height of the smallest subtree that can take the request: levels "
           "can jump. The lower level goes first.")
    jump = [cohort("root", "f1(cpu 5)"), cohort("mid", "f1(cpu 2)", parent="root"), cohort("side", parent="root"),
            cohort("sub", parent="side"), queue("a", "f1(cpu 1)", "mid"), queue("s", "f1(cpu 1)", "sub")]
    for amount in (1, 2, 3, 4, 6, 8, 9):
        t.case(f"{amount} in a tree with a deeper branch beside it", *jump, work("w", "a", f"cpu {amount}"))
    flat_tree = [cohort("root", "f1(cpu 4)"), cohort("L", "f1(cpu 3)", parent="root"), queue("a", "f1(cpu 1)", "L"),
                 queue("b", "f1(cpu 1)", "root")]
    for title, wa, wb in [("none borrows", "cpu 1", "cpu 1"), ("both at the same level", "cpu 2", "cpu 2"),
                          ("one within its cohort, one from the root", "cpu 4", "cpu 4"),
                          ("the deeper one must reach the root", "cpu 5", "cpu 2")]:
        t.case(title, *flat_tree, work("wa", "a", wa, at=9), work("wb", "b", wb, at=1))
