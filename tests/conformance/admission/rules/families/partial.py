"""Partial admission: how few pods a workload starts with."""

from notation import *


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    t.rule("A pod set with a minCount gets as many pods as fit, by binary search between its count and its minimum.")
    for quota in (1, 2, 3, 5, 7, 9, 10, 11):
        t.case(f"ten pods, at least two, a quota of {quota}", queue("a", f"f1(cpu {quota})"), work("w", "a", "main*10 min 2 cpu 1"))
    for cpu, quota in ((2, 9), (3, 10), ("500m", 3)):
        t.case(f"pods of {cpu} and a quota of {quota}", queue("a", f"f1(cpu {quota})"), work("w", "a", f"main*10 min 1 cpu {cpu}"))
    t.case("minCount equal to count", queue("a", "f1(cpu 3)"), work("w", "a", "main*4 min 4 cpu 1"))
    t.case("a fixed pod set beside it", queue("a", "f1(cpu 7)"), work("w", "a", "fix*1 cpu 1 + var*10 min 2 cpu 1"))
    t.case("a fixed pod set takes too much", queue("a", "f1(cpu 7)"), work("w", "a", "fix*6 cpu 1 + var*10 min 2 cpu 1"))
    t.case("the variable one comes first", queue("a", "f1(cpu 7)"), work("w", "a", "var*10 min 2 cpu 1 + fix*3 cpu 1"))
    t.case("pods are counted, too", queue("a", "f1(cpu 100, pods 4)"), work("w", "a", "main*10 min 2 cpu 1"))
    t.case("two resources, the scarcer decides", queue("a", "f1(cpu 100, memory 5)"), work("w", "a", "main*10 min 2 cpu 1, memory 1"))
    t.case("the second flavor takes more pods, the first is taken with fewer", queue("a", "f1(cpu 3) f2(cpu 8)"), work("w", "a", "main*10 min 2 cpu 1"))
    t.case("a borrowed part", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 4)", "R"), work("w", "a", "main*10 min 2 cpu 1"))
    t.case("a borrowing limit", queue("a", "f1(cpu 2/borrow 1)", "R"), queue("b", "f1(cpu 4)", "R"), work("w", "a", "main*10 min 2 cpu 1"))
    t.case("the next workload has the rest", queue("a", "f1(cpu 7)"), work("w", "a", "main*5 min 2 cpu 2"), work("v", "a", "cpu 1", at=2), work("u", "a", "cpu 1", at=3))
    t.case("it keeps its count when there is room later", queue("a", "f1(cpu 4)"), work("r", "a", "cpu 2", prio=9, on="f1"), work("w", "a", "main*4 min 1 cpu 1", at=2),
           steps=[finish("r"), later("10s")])
    t.case("admitted with fewer, others count them as fewer", queue("a", "f1(cpu 9)"), work("r1", "a", "main*5 min 1 cpu 2", on="f1", counts={"main": 2}),
           work("r2", "a", "main*5 min 1 cpu 2", on="f1", counts={"main": 2}, admitted=False), work("w", "a", "cpu 1", at=2), work("v", "a", "cpu 1", at=3))

    t.rule("The largest count wins that fits or can be made to fit: rather preempt than start smaller.")
    for prio in (0, 10):
        t.case(f"five free, two more to preempt, priority {prio}", queue("a", "f1(cpu 7)", within="LowerPriority", reclaim="Any"), work("low", "a", "cpu 2", on="f1"),
               work("w", "a", "main*10 min 2 cpu 1", prio=prio, at=2))
    t.case("all could be preempted, the count fits at once", queue("a", "f1(cpu 10)", within="LowerPriority"), work("low", "a", "cpu 10", on="f1"), work("w", "a", "main*10 min 2 cpu 1", prio=5, at=2))
    t.case("part can be preempted", queue("a", "f1(cpu 10)", within="LowerPriority"), work("low", "a", "cpu 4", on="f1"), work("high", "a", "cpu 4", prio=9, on="f1"),
           work("w", "a", "main*10 min 2 cpu 1", prio=5, at=2))
    t.case("reclaiming from the cohort", queue("a", "f1(cpu 6)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"), work("rb", "b", "cpu 3", on="f1"), work("rc", "b", "cpu 3", at=2, on="f1"),
           work("w", "a", "main*10 min 2 cpu 1", prio=5, at=20))
    t.case("borrowing and no preemption", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 4)", "R"), work("rb", "b", "cpu 3", prio=9, on="f1"), work("w", "a", "main*10 min 2 cpu 1", at=20))
    t.case("a preempted one starts again with what it can get", queue("a", "f1(cpu 10)", within="LowerPriority"), work("w", "a", "main*10 min 2 cpu 1"),
           steps=[apply(work("v", "a", "cpu 6", prio=9, at=20000)), later("10s"), finish("v"), later("10s")])
    t.case("two that may shrink, in one cycle", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 6)", "R"), work("wa", "a", "main*4 min 1 cpu 1", at=1),
           work("wb", "b", "main*4 min 1 cpu 1", at=2))

    t.rule("Without the gate, or while the full count fits, nothing shrinks.")
    for gate in (True, False):
        t.case(f"too large, PartialAdmission {'on' if gate else 'off'}", queue("a", "f1(cpu 7)"), work("w", "a", "main*10 min 2 cpu 1"), gates={"PartialAdmission": gate})
        t.case(f"it fits, PartialAdmission {'on' if gate else 'off'}", queue("a", "f1(cpu 17)"), work("w", "a", "main*10 min 2 cpu 1"), gates={"PartialAdmission": gate})
        t.case(f"two pod sets with a minimum, PartialAdmission {'on' if gate else 'off'}", queue("a", "f1(cpu 7)"), work("w", "a", "one*5 min 2 cpu 1 + two*5 min 2 cpu 1"), gates={"PartialAdmission": gate})
    t.case("a strict queue", queue("a", "f1(cpu 7)", strict=True), work("w", "a", "main*10 min 2 cpu 1"), work("v", "a", "cpu 1", at=2), cycles=4)
    t.case("reclaimable pods of a workload that waits are not taken off in the search", queue("a", "f1(cpu 7)"),
           work("w", "a", "main*12 min 2 cpu 1", status={"reclaimablePods": [{"name": "main", "count": 4}]}))
    t.case("with checks", check("c", active=True), queue("a", "f1(cpu 7)", checks=["c"]), work("w", "a", "main*10 min 2 cpu 1"), steps=[answer("w", "c", "Ready"), later("5s")])
