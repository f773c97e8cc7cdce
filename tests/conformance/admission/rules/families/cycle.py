"""The order of the heads of one cycle, and what one head leaves for the next."""

from notation import *


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}

    t.rule("Heads that borrow less go first, then the higher priority, then the older.")
    def race(name, *objects, **options):
        t.case(name, queue("a", "f1(cpu 5)", "R"), queue("b", "f1(cpu 0)", "R"), *objects, **options)
    race("not borrowing beats priority", work("low", "a", "cpu 3", at=20), work("high", "b", "cpu 4", prio=1000, at=1))
    race("not borrowing beats age", work("wa", "a", "cpu 3", at=20), work("wb", "b", "cpu 4", at=1))
    pool = [queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 5)", "R")]
    for sorting in (True, False):
        gates = {"PrioritySortingWithinCohort": sorting}
        on = "on" if sorting else "off"
        t.case(f"both borrow, the higher priority, PrioritySortingWithinCohort {on}", *pool, work("wa", "a", "cpu 3", at=1),
               work("wb", "b", "cpu 3", prio=5, at=9), gates=gates)
        t.case(f"both borrow, the older, PrioritySortingWithinCohort {on}", *pool, work("wa", "a", "cpu 3", at=9),
               work("wb", "b", "cpu 3", at=1), gates=gates)
        t.case(f"evicted long ago, PrioritySortingWithinCohort {on}", *pool,
               work("wa", "a", "cpu 3", at=1, conditions=[condition("Evicted", reason="Preempted", at=5000),
                                                          condition("Preempted", reason="InCohortReclaimWhileBorrowing", at=5000)]),
               work("wb", "b", "cpu 3", at=900), gates=gates)
        t.case(f"evicted for pods that were not ready, PrioritySortingWithinCohort {on}", *pool,
               work("wa", "a", "cpu 3", at=1, conditions=[condition("Evicted", reason="PodsReadyTimeout", at=5000)]),
               work("wb", "b", "cpu 3", at=900), gates=gates)
    t.case("different cohorts are one order, without effect on each other", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "S"),
           work("wa", "a", at=9), work("wb", "b", at=1))
    t.case("the nearer lender first", cohort("R", "f1(cpu 4)"), cohort("L", "f1(cpu 2)", parent="R"), queue("a", "f1(cpu 0)", "L"),
           queue("b", "f1(cpu 0)", "R"), work("wa", "a", "cpu 3", at=1), work("wb", "b", "cpu 4", at=9))

    t.rule("Several heads of a cohort may borrow in one cycle, as long as each still fits in its turn.")
    for first, second in [(3, 4), (5, 5), (6, 5), (10, 1)]:
        t.case(f"{first} and {second} of 10", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
               work("wa", "a", f"cpu {first}", at=1), work("wb", "b", f"cpu {second}", at=2))
    t.case("three heads, the middle one no longer fits", *[queue(q, "f1(cpu 0)", "R") for q in "abd"], queue("c", "f1(cpu 10)", "R"),
           work("wa", "a", "cpu 6", at=1), work("wb", "b", "cpu 5", at=2), work("wd", "d", "cpu 4", at=3))
    t.case("the lender's own head comes first", queue("a", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
           work("wa", "a", "cpu 6", prio=100, at=1), work("wc", "c", "cpu 6", at=9))
    t.case("different flavors do not meet", queue("a", "f1(cpu 0)", "R"), queue("b", "f2(cpu 0)", "R"),
           queue("c", "f1(cpu 5) f2(cpu 5)", "R"), work("wa", "a", "cpu 5", at=1), work("wb", "b", "cpu 5", at=2))
    t.case("one queue without a cohort", queue("a", "f1(cpu 5)"), queue("b", "f1(cpu 5)", "R"), work("wa", "a", "cpu 5"), work("wb", "b", "cpu 5", at=2))

    t.rule("A head that needs preemption and has nobody to preempt keeps what it waits for from the others, unless it could "
           "always reclaim it.")
    for reclaim in ("Never", "LowerPriority", "Any"):
        t.case(f"blocked within its quota, reclaim {reclaim}", queue("a", "f1(cpu 10)", "R", reclaim=None if reclaim == "Never" else reclaim),
               queue("b", "f1(cpu 0)", "R"), work("r", "b", "cpu 6", prio=2000, on="f1"), work("wa", "a", "cpu 8", at=20),
               work("wb", "b", "cpu 3", prio=1000, at=1))
        t.case(f"blocked by its own queue, reclaim {reclaim}", queue("a", "f1(cpu 10)", "R", reclaim=None if reclaim == "Never" else reclaim),
               queue("b", "f1(cpu 0)", "R"), work("r", "a", "cpu 6", prio=2000, on="f1"), work("wa", "a", "cpu 8", at=20),
               work("wb", "b", "cpu 3", prio=1000, at=1))
        for ask in (1, 2, 3):
            t.case(f"blocked while borrowing up to its limit, reclaim {reclaim}, the other asks {ask}",
                   queue("a", "f1(cpu 2/borrow 3)", "R", within="LowerPriority", reclaim="LowerPriority" if reclaim == "Never" else reclaim,
                         below="LowerPriority", threshold=50),
                   queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 6)", "R"), work("b1", "b", "cpu 4", prio=2000, on="f1"),
                   work("wa", "a", "cpu 5", prio=100, at=20), work("wb", "b", f"cpu {ask}", at=20))
    for prioritize in (True, False):
        t.case(f"a blocked preemptor, PrioritizePreemptorWorkloads {'on' if prioritize else 'off'}",
               queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
               work("l", "a", "cpu 4", on="f1"), work("wa", "a", "cpu 4", prio=5, at=2), work("wb", "b", "cpu 1", prio=9, at=3),
               gates={"PrioritizePreemptorWorkloads": prioritize}, emulation={"stopEvicted": False}, cycles=4)
    t.case("blocked with a second flavor that cannot help", queue("a", "f1(cpu 10/borrow 0) f2(cpu 0)", "R", reclaim="Any", within="LowerPriority"),
           queue("b", "f1(cpu 0)", "R"), work("runa", "a", "cpu 6", prio=50, on="f1"), work("wa", "a", "cpu 8", at=20),
           work("wb", "b", "cpu 3", prio=1000, at=1))
    t.case("a head that does not fit reserves nothing", queue("a", "f1(cpu 4)", "R"), queue("b", "f1(cpu 4)", "R"),
           work("r", "b", "cpu 4", prio=9, on="f1"), work("wa", "a", "cpu 7", prio=5), work("wb", "b", "cpu 4", at=2))

    t.rule("A head that preempts takes its place at once; its victims' quota is not free in this cycle.")
    t.case("the preemptor's quota is taken", queue("a", "f1(cpu 4)", "R", reclaim="Any"), queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 0)", "R"),
           work("c1", "c", "cpu 4", on="f1"), work("wa", "a", "cpu 4", at=3), work("wb", "b", "cpu 2", at=4), work("wc", "c", "cpu 2", at=2))
    t.case("a smaller head of the same queue has to wait", queue("a", "f1(cpu 4)", within="LowerPriority"), work("l", "a", "cpu 3", on="f1"),
           work("w", "a", "cpu 4", prio=9, at=2), work("v", "a", "cpu 1", prio=1, at=3))
    t.case("two preemptors with victims of their own", queue("a", "f1(cpu 4)", "R", within="LowerPriority"),
           queue("b", "f1(cpu 4)", "R", within="LowerPriority"), work("la", "a", "cpu 4", on="f1"), work("lb", "b", "cpu 4", at=2, on="f1"),
           work("wa", "a", "cpu 4", prio=5, at=3), work("wb", "b", "cpu 4", prio=5, at=4))
    t.case("a preemptor and one that fits", queue("a", "f1(cpu 4)", "R", within="LowerPriority"), queue("b", "f1(cpu 4)", "R"),
           work("la", "a", "cpu 4", on="f1"), work("wa", "a", "cpu 4", prio=5, at=2), work("wb", "b", "cpu 4", at=3))
    t.case("one that borrows what the preemptor will free", queue("a", "f1(cpu 4)", "R", within="LowerPriority"),
           queue("b", "f1(cpu 0)", "R"), work("la", "a", "cpu 4", on="f1"), work("wa", "a", "cpu 1", prio=5, at=2),
           work("wb", "b", "cpu 2", at=3))

    t.rule("When two heads want the same victim the first has it; the second waits, or is sent away, as the gate says.")
    for gate in (True, False):
        gates = {"RecomputeAssignmentUponPreemptionTargetsOverlap": gate}
        on = "on" if gate else "off"
        base = [queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"),
                queue("c", "f1(cpu 0)", "R")]
        t.case(f"one large victim is enough for both, gate {on}", *base, work("big", "c", "cpu 8", on="f1"), work("wa", "a", "cpu 4", at=10),
               work("wb", "b", "cpu 4", at=11), gates=gates)
        t.case(f"there is another victim for the second, gate {on}", *base, work("c1", "c", "cpu 4", on="f1"), work("c2", "c", "cpu 4", at=2, on="f1"),
               work("wa", "a", "cpu 4", at=10), work("wb", "b", "cpu 4", at=11), gates=gates)
        t.case(f"the first victim is enough for the first only, gate {on}", *base, work("big", "c", "cpu 6", on="f1"), work("c2", "c", "cpu 2", at=2, on="f1"),
               work("wa", "a", "cpu 4", at=10), work("wb", "b", "cpu 4", at=11), gates=gates)
        t.case(f"three heads, one victim, gate {on}", *base, queue("d", "f1(cpu 2)", "R", reclaim="Any"), work("big", "c", "cpu 10", on="f1"),
               work("wa", "a", "cpu 4", at=10), work("wb", "b", "cpu 4", at=11), work("wd", "d", "cpu 2", at=12), gates=gates)
        t.case(f"the second stays with its flavor, gate {on}", queue("a", "f1(cpu 4) f2(cpu 4)", "R", reclaim="Any", preempt="MayStopSearch"),
               queue("b", "f1(cpu 4) f2(cpu 0)", "R", reclaim="Any", preempt="MayStopSearch"), queue("c", "f1(cpu 0) f2(cpu 0)", "R"),
               work("big", "c", "cpu 8", on="f1"), work("wb", "b", "cpu 4", at=10), work("wa", "a", "cpu 4", at=11), gates=gates)
        t.case(f"a borrower comes after two that reclaim, gate {on}", *base, queue("d", "f1(cpu 0)", "R"), work("big", "c", "cpu 8", on="f1"),
               work("wa", "a", "cpu 4", at=10), work("wb", "b", "cpu 3", at=11), work("wd", "d", "cpu 1", at=12), gates=gates)
        t.case(f"with fair sharing, gate {on}", *base, work("big", "c", "cpu 8", on="f1"), work("wa", "a", "cpu 4", at=10),
               work("wb", "b", "cpu 4", at=11), gates=gates, fairSharing={})
        t.case(f"the victims are not gone, gate {on}", *base, work("big", "c", "cpu 8", on="f1"), work("wa", "a", "cpu 4", at=10),
               work("wb", "b", "cpu 4", at=11), gates=gates, emulation={"stopEvicted": False}, cycles=4)

    t.rule("A workload is admitted at once when nothing more is required; each queue goes on with its next head in the next cycle.")
    t.case("ten workloads of one queue", queue("a", "f1(cpu 10)"), *[work(f"w{i}", "a", at=i) for i in range(10)])
    t.case("more than the quota takes", queue("a", "f1(cpu 3)"), *[work(f"w{i}", "a", at=i) for i in range(5)])
    t.case("five of them finish one after the other", queue("a", "f1(cpu 1)"), *[work(f"w{i}", "a", at=i) for i in range(3)],
           steps=[finish("w0"), later("5s"), finish("w1"), later("5s"), finish("w2"), later("5s")])
    t.case("several pod sets with several flavors", flavor("f1", {"t": "a"}), flavor("f2", {"t": "b"}), queue("a", "f1(cpu 5, memory 5Gi) f2(cpu 5, memory 5Gi)"),
           work("w", "a", [pod_set("x", 2, "cpu 1, memory 1Gi", selector={"t": "b"}), pod_set("y", 3, "cpu 1"), pod_set("z", 1, "memory 4Gi")]))
    t.case("a workload that was created in the future", queue("a", "f1(cpu 3)"), work("w", "a", at=20000))
    t.case("the time it waited is told", queue("a", "f1(cpu 3)"), work("w", "a", at=9999), work("v", "a", at=1))
