"""Fair sharing: shares, the order of the heads, and whom a queue may preempt."""

from notation import *

BOTH = {}
FINAL = {"preemptionStrategies": ["LessThanOrEqualToFinalShare"]}
INITIAL = {"preemptionStrategies": ["LessThanInitialShare"]}


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}, "fairSharing": BOTH}

    t.rule("A share is what is borrowed of a resource, over all flavors, by what the tree could lend of it; the largest over "
           "the resources, divided by the weight.")
    def shares(name, *objects, **options):
        t.case("share: " + name, *objects, **options)
    for weight in (None, 2, "0.5", 0, 1000, "1.25"):
        shares(f"cpu and memory in two flavors, weight {weight}", queue("a", "f1(cpu 2, memory 10) f2(cpu 1, memory 0)", "R", weight=weight),
               queue("b", "f1(cpu 7, memory 30) f2(cpu 0, memory 0)", "R"), work("x", "a", "cpu 5, memory 15", on="f1"))
    shares("nothing borrowed", queue("a", "f1(cpu 5)", "R"), queue("b", "f1(cpu 5)", "R"), work("x", "a", "cpu 5", on="f1"))
    shares("no cohort", queue("a", "f1(cpu 5)"), work("x", "a", "cpu 7", on="f1"))
    shares("borrowing in one flavor, room in the other", queue("a", "f1(cpu 2) f2(cpu 4)", "R"), queue("b", "f1(cpu 4) f2(cpu 0)", "R"),
           work("x", "a", "cpu 4", on="f1"))
    shares("borrowing in both flavors", queue("a", "f1(cpu 1) f2(cpu 1)", "R"), queue("b", "f1(cpu 4) f2(cpu 4)", "R"),
           work("x", "a", "cpu 3", on="f1"), work("y", "a", "cpu 2", on="f2"))
    shares("nothing can be lent of what is borrowed", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), work("x", "a", "cpu 3", on="f1"))
    shares("the cohort has quota of its own", cohort("R", "f1(cpu 20)"), queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 5)", "R"),
           work("x", "a", "cpu 10", on="f1"))
    shares("a resource that only the root has", cohort("R", "f1(cpu 20) ++ g1(example.com/gpu 4)"), queue("a", "f1(cpu 0) ++ g1(example.com/gpu 0)", "R"),
           work("x", "a", "cpu 10, example.com/gpu 3", on={"cpu": "f1", "example.com/gpu": "g1"}))
    shares("a lending limit", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 20/lend 10)", "R"), work("x", "a", "cpu 5", on="f1"))
    shares("a borrowing limit does not change it", queue("a", "f1(cpu 0/borrow 8)", "R"), queue("b", "f1(cpu 20)", "R"), work("x", "a", "cpu 5", on="f1"))
    shares("a cohort's borrowing limit", cohort("R", "f1(cpu 10)"), cohort("L", "f1(cpu 2/borrow 3)", parent="R"), queue("a", "f1(cpu 0)", "L"),
           work("x", "a", "cpu 4", on="f1"))
    shares("unlimited quota to lend", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 1E)", "R"), work("x", "a", "cpu 5k", on="f1"))
    shares("cohorts of two levels", cohort("R", "f1(cpu 12)"), cohort("L", "f1(cpu 2)", parent="R", weight=2), cohort("M", parent="R"),
           queue("l1", "f1(cpu 1)", "L", weight=3), queue("l2", "f1(cpu 0)", "L"), queue("m1", "f1(cpu 0)", "M"),
           work("x", "l1", "cpu 4", on="f1"), work("y", "l2", "cpu 1", on="f1"), work("z", "m1", "cpu 3", on="f1"))
    shares("large quotas and little borrowed", queue("a", "f1(cpu 100)", "R"), queue("b", "f1(cpu 100k)", "R"), work("x", "a", "cpu 101", on="f1"))
    shares("workloads that come change it", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 9)", "R"), work("x", "a", "cpu 1", at=1),
           work("y", "a", "cpu 3", at=2), steps=[finish("x"), later("5s")])

    t.rule("Of the heads of a tree the one with the smallest share after its admission goes first; then priority, then age.")
    def heads(name, *objects, **options):
        t.case("heads: " + name, *objects, **options)
    heads("share before priority", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("runa", "a", "cpu 4", on="f1"), work("wa", "a", "cpu 3", prio=1000, at=1), work("wb", "b", "cpu 6", at=50))
    heads("the request counts", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 8", at=1), work("wb", "b", "cpu 7", at=9))
    heads("equal shares, priority", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 6", at=1), work("wb", "b", "cpu 6", prio=1, at=9))
    heads("equal shares, age", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 6", at=9), work("wb", "b", "cpu 6", at=1))
    heads("equal shares, PrioritySortingWithinCohort off", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 6", at=1), work("wb", "b", "cpu 6", prio=1, at=9), gates={"PrioritySortingWithinCohort": False})
    heads("weights", queue("a", "f1(cpu 0)", "R", weight=2), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 8", at=9), work("wb", "b", "cpu 6", at=1))
    heads("one of weight zero", queue("a", "f1(cpu 0)", "R", weight=0), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 1", prio=9, at=1), work("wb", "b", "cpu 10", at=9))
    heads("two of weight zero, the one that borrows less", queue("a", "f1(cpu 0)", "R", weight=0), queue("b", "f1(cpu 0)", "R", weight=0),
          queue("c", "f1(cpu 10)", "R"), work("wa", "a", "cpu 7", at=1), work("wb", "b", "cpu 6", at=9))
    heads("high weights", queue("a", "f1(cpu 0)", "R", weight=1000000), queue("b", "f1(cpu 0)", "R", weight=1000000), queue("c", "f1(cpu 10)", "R"),
          work("wa", "a", "cpu 7", at=1), work("wb", "b", "cpu 6", at=9))
    heads("no cohort", queue("a", "f1(cpu 5)"), work("wa", "a", "cpu 5", at=9))
    heads("a queue alone in its cohort", queue("a", "f1(cpu 5)", "R"), work("wa", "a", "cpu 5", at=9))
    heads("two levels", cohort("R", "f1(cpu 10)"), cohort("L", parent="R", weight=2), cohort("M", parent="R"), queue("l1", "f1(cpu 0)", "L"),
          queue("l2", "f1(cpu 0)", "L"), queue("m1", "f1(cpu 0)", "M"), work("rl1", "l1", "cpu 3", on="f1"), work("rm1", "m1", "cpu 1", on="f1"),
          work("wl1", "l1", "cpu 1", at=1), work("wl2", "l2", "cpu 4", at=9), work("wm1", "m1", "cpu 3", at=5))
    heads("a cohort's share counts above, not the queue's", cohort("R", "f1(cpu 12)"), cohort("L", parent="R"), cohort("M", parent="R"),
          *[queue(q, "f1(cpu 0)", q[0].upper()) for q in ("l1", "l2", "m1", "m2")], work("rl1", "l1", "cpu 4", on="f1"),
          work("rm1", "m1", "cpu 1", on="f1"), work("wl2", "l2", "cpu 2", at=1), work("wm1", "m1", "cpu 5", at=9), work("v", "m2", "cpu 5", at=10))
    for gate in (True, False):
        gates = {"FairSharingPrioritizeNonBorrowing": gate}
        on = "on" if gate else "off"
        heads(f"one is within its quota of the flavor, FairSharingPrioritizeNonBorrowing {on}", queue("a", "f1(cpu 4) f2(cpu 0)", "R"),
              queue("b", "f1(cpu 1) f2(cpu 0)", "R"), queue("c", "f1(cpu 0) f2(cpu 9)", "R"), work("ra", "a", "cpu 9", on="f2"),
              work("wa", "a", "cpu 3", at=50), work("wb", "b", "cpu 3", prio=100, at=1), gates=gates)
        heads(f"a subtree is within its quota, FairSharingPrioritizeNonBorrowing {on}", cohort("R"), cohort("L", "f1(cpu 5) f2(cpu 0)", parent="R"),
              cohort("M", "f1(cpu 0) f2(cpu 5)", parent="R"), queue("l", "f1(cpu 0) f2(cpu 0)", "L"), queue("m", "f1(cpu 0) f2(cpu 0)", "M"),
              work("rl", "l", "cpu 4", on="f2"), work("wl", "l", "cpu 5", at=9), work("wm", "m", "cpu 1", at=1), gates=gates)
        heads(f"both are within, the share decides, FairSharingPrioritizeNonBorrowing {on}", queue("a", "f1(cpu 4) f2(cpu 0)", "R"),
              queue("b", "f1(cpu 4) f2(cpu 0)", "R"), queue("c", "f1(cpu 0) f2(cpu 9)", "R"), work("ra", "a", "cpu 3", on="f2"),
              work("rb", "b", "cpu 1", on="f2"), work("wa", "a", "cpu 3", at=1), work("wb", "b", "cpu 3", at=9), gates=gates)
    for prioritize in (True, False):
        heads(f"a preemptor, PrioritizePreemptorWorkloads {'on' if prioritize else 'off'}", queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"),
              queue("b", "f1(cpu 4)", "R"), work("l", "a", "cpu 6", on="f1"), work("wa", "a", "cpu 6", prio=5, at=2), work("wb", "b", "cpu 1", prio=9, at=3),
              gates={"PrioritizePreemptorWorkloads": prioritize}, emulation={"stopEvicted": False}, cycles=4)

    t.rule("Preempting by share: the victim's queue must not end below the preemptor's share; by the second strategy it must "
           "only have been above it.")
    def victims(name, *objects, **options):
        t.case("victims: " + name, *objects, **options)
    three = [queue(q, "f1(cpu 3)", "R", within="LowerPriority", reclaim="Any") for q in "abc"]
    for label, strategies in (("both", BOTH), ("final share", FINAL), ("initial share", INITIAL)):
        eight = [queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R", reclaim="Any"), queue("c", "f1(cpu 10)", "R")]
        victims(f"8 and 2 against 3 of 10; {label}", *eight, work("a1", "a", "cpu 8", on="f1"), work("a2", "a", "cpu 2", prio=5, at=2, on="f1"),
                work("w", "b", "cpu 3", at=20), fairSharing=strategies)
        victims(f"five and five against five; {label}", *eight, work("a1", "a", "cpu 5", on="f1"), work("a2", "a", "cpu 5", at=2, on="f1"),
                work("w", "b", "cpu 5", at=20), fairSharing=strategies)
        victims(f"equal at the end; {label}", *eight, *[work(f"a{i}", "a", "cpu 2", at=i, on="f1") for i in range(1, 6)],
                work("w", "b", "cpu 4", at=20), fairSharing=strategies)
        victims(f"it would switch the imbalance; {label}", *eight, work("a1", "a", "cpu 6", on="f1"), work("b1", "b", "cpu 4", at=2, on="f1"),
                work("w", "b", "cpu 3", at=20), fairSharing=strategies)
        victims(f"the queue that uses most; {label}", *three, work("a1", "a", "cpu 2", on="f1"), *[work(f"b{i}", "b", "cpu 1", at=i, on="f1") for i in range(1, 6)],
                *[work(f"c{i}", "c", "cpu 1", at=i, on="f1") for i in (1, 2)], work("w", "a", "cpu 1", at=20), fairSharing=strategies)
        victims(f"one from each borrower; {label}", *three, *[work(f"b{i}", "b", "cpu 500m", at=i, on="f1") for i in range(1, 10)],
                *[work(f"c{i}", "c", "cpu 500m", at=20 + i, on="f1") for i in range(1, 10)], work("w", "a", "cpu 2", at=50), fairSharing=strategies)
        victims(f"lower priorities of the own queue and the largest borrower; {label}", *three, work("alow", "a", "cpu 1", prio=-1, on="f1"),
                *[work(f"a{i}", "a", "cpu 1", at=i, on="f1") for i in (1, 2)], *[work(f"b{i}", "b", "cpu 1", at=i, on="f1") for i in range(1, 7)],
                work("w", "a", "cpu 2", at=20), fairSharing=strategies)
        victims(f"a large victim with a smaller share afterwards; {label}", queue("a", "f1(cpu 3)", "R", reclaim="Any"), queue("b", "f1(cpu 3)", "R"),
                queue("c", "f1(cpu 3)", "R"), work("b1", "b", "cpu 9", on="f1"), work("w", "a", "cpu 1", at=20), fairSharing=strategies)
        victims(f"large against large; {label}", queue("a", "f1(cpu 3)", "R", reclaim="Any"), queue("b", "f1(cpu 3)", "R"), queue("c", "f1(cpu 3)", "R"),
                work("b1", "b", "cpu 9", on="f1"), work("w", "a", "cpu 7", at=20), fairSharing=strategies)
        victims(f"two smaller ones against a large one; {label}", queue("a", "f1(cpu 3)", "R", reclaim="Any"), queue("b", "f1(cpu 3)", "R"),
                queue("c", "f1(cpu 3)", "R"), work("b1", "b", "cpu 4", on="f1"), work("b2", "b", "cpu 5", at=2, on="f1"), work("w", "a", "cpu 6", at=20),
                fairSharing=strategies)
        victims(f"the second strategy takes what the first passed over; {label}", queue("a", "f1(cpu 0)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
                queue("d", "f1(cpu 0)", "R"), queue("c", "f1(cpu 10)", "R"), work("b1", "b", "cpu 6", on="f1"), work("d1", "d", "cpu 4", at=2, on="f1"),
                work("w", "a", "cpu 3", at=20), fairSharing=strategies)
    victims("nobody borrows", *three, work("b1", "b", "cpu 3", on="f1"), work("c1", "c", "cpu 3", on="f1"), work("a1", "a", "cpu 2", prio=9, on="f1"),
            work("w", "a", "cpu 2", at=20))
    victims("the own queue without a cohort", queue("a", "f1(cpu 3)", within="LowerPriority"), work("l", "a", "cpu 3", on="f1"), work("w", "a", "cpu 2", prio=5, at=20))
    victims("only the latest of equals", cohort("all"), queue("g", "f1(cpu 8)", "all", reclaim="Any"), queue("a", "f1(cpu 0)", "all"), queue("b", "f1(cpu 0)", "all"),
            work("wa", "a", "cpu 4", at=1, since=10, on="f1"), work("wb", "b", "cpu 4", at=2, since=20, on="f1"), work("w", "g", "cpu 4", at=50))
    for reclaim in ("Never", "LowerPriority", "Any"):
        for gate in (True, False):
            victims(f"within its quota, reclaim {reclaim}, FairSharingPreemptWithinNominal {'on' if gate else 'off'}",
                    queue("a", "f1(cpu 4)", "R", reclaim=None if reclaim == "Never" else reclaim), queue("b", "f1(cpu 0)", "R", reclaim="Any"),
                    work("b1", "b", "cpu 2", prio=7, on="f1"), work("b2", "b", "cpu 2", prio=5, at=2, on="f1"), work("w", "a", "cpu 4", prio=6, at=20),
                    gates={"FairSharingPreemptWithinNominal": gate})
            victims(f"within its quota of one flavor with a large share elsewhere, reclaim {reclaim}, FairSharingPreemptWithinNominal {'on' if gate else 'off'}",
                    queue("a", "f1(cpu 4) f2(cpu 0)", "R", reclaim=None if reclaim == "Never" else reclaim), queue("b", "f1(cpu 0) f2(cpu 0)", "R"),
                    queue("c", "f1(cpu 0) f2(cpu 9)", "R"), work("a1", "a", "cpu 9", prio=9, on="f2"), work("b1", "b", "cpu 4", on="f1"),
                    work("w", "a", "cpu 4", prio=6, at=20), gates={"FairSharingPreemptWithinNominal": gate})
    victims("borrowWithinCohort has no effect", queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority", threshold=-5),
            queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 2)", "R"), work("b1", "b", "cpu 5", on="f1"), work("w", "a", "cpu 3", prio=9, at=20))
    for wa, wb in ((0, None), (None, 0), (0, 0), (2, None), (None, 2)):
        victims(f"weight {wa} against weight {wb}", queue("a", "f1(cpu 0)", "R", weight=wa, reclaim="Any"), queue("b", "f1(cpu 0)", "R", weight=wb),
                queue("c", "f1(cpu 9)", "R"), *[work(f"b{i}", "b", "cpu 3", at=i, on="f1") for i in (1, 2, 3)], work("w", "a", "cpu 3", prio=100, at=20))
        victims(f"weight {wa} within its quota against weight {wb}", queue("a", "f1(cpu 3)", "R", weight=wa, reclaim="Any"), queue("b", "f1(cpu 0)", "R", weight=wb),
                queue("c", "f1(cpu 6)", "R"), *[work(f"b{i}", "b", "cpu 3", at=i, on="f1") for i in (1, 2, 3)], work("w", "a", "cpu 3", prio=100, at=20))
    victims("work within the quota of a weightless cohort is safe", cohort("R"), cohort("M", "f1(cpu 1)", parent="R", weight=0), queue("l", "f1(cpu 0)", "R", reclaim="Any"),
            queue("m", "f1(cpu 0)", "M", weight=0), work("m1", "m", "cpu 1", on="f1"), work("w", "l", "cpu 1", at=20))
    victims("a weightless cohort takes back its quota", cohort("R"), cohort("M", "f1(cpu 3)", parent="R", weight=0), queue("l", "f1(cpu 0)", "R"),
            queue("m", "f1(cpu 0)", "M", reclaim="Any"), work("l1", "l", "cpu 3", on="f1"), work("w", "m", "cpu 3", at=20))
    tree = [cohort("R", "f1(cpu 12)"), cohort("L", parent="R"), cohort("M", parent="R"), *[queue(q, "f1(cpu 0)", q[0].upper(), within="LowerPriority", reclaim="Any")
                                                                                          for q in ("l1", "l2", "m1")]]
    victims("from the cohort with the larger share", *tree, *[work(f"l{q}{i}", f"l{q}", "cpu 2", at=10 * q + i, on="f1") for q in (1, 2) for i in (1, 2)],
            work("m11", "m1", "cpu 4", at=9, on="f1"), work("w", "m1", "cpu 2", at=50))
    victims("inside the own cohort", *tree, *[work(f"l1{i}", "l1", "cpu 2", at=i, on="f1") for i in range(1, 7)], work("w", "l2", "cpu 2", at=50))
    victims("a borrowing queue in a cohort that does not borrow is safe", cohort("R", "f1(cpu 4)"), cohort("M", "f1(cpu 4)", parent="R"), queue("m", "f1(cpu 0)", "M"),
            queue("l", "f1(cpu 0)", "R", reclaim="Any"), queue("k", "f1(cpu 0)", "R"), work("m1", "m", "cpu 4", on="f1"), work("k1", "k", "cpu 4", at=2, on="f1"),
            work("w", "l", "cpu 2", at=50))
    victims("deep", cohort("R", "f1(cpu 9)"), cohort("A", parent="R"), cohort("B", parent="A"), cohort("C", parent="B"), queue("a", "f1(cpu 0)", "C"),
            queue("z", "f1(cpu 0)", "R", reclaim="Any"), *[work(f"a{i}", "a", "cpu 3", at=i, on="f1") for i in (1, 2, 3)], work("w", "z", "cpu 3", at=50))
    victims("the borrower is too important, the own queue goes", queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="LowerPriority"), queue("b", "f1(cpu 2)", "R"),
            work("a1", "a", "cpu 1", prio=-1, on="f1"), work("b1", "b", "cpu 3", prio=99, at=2, on="f1"), work("w", "a", "cpu 1", prio=1, at=20))
    victims("the lower priority first, even if it is large", *three, work("b1", "b", "cpu 5", prio=-2, on="f1"), *[work(f"b{i}", "b", "cpu 1", prio=-1, at=i, on="f1") for i in (2, 3)],
            work("c1", "c", "cpu 2", on="f1"), work("w", "a", "cpu 2", at=20))
    victims("one that is being evicted counts first", *three, work("b1", "b", "cpu 4", on="f1"), work("b2", "b", "cpu 4", prio=9, at=2, on="f1",
            conditions=[condition("Evicted", reason="Preempted", at=50)]), work("w", "a", "cpu 2", at=60), emulation={"stopEvicted": False}, cycles=3)
    victims("what is not needed is given back", queue("a", "f1(cpu 5)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 5)", "R"),
            work("b1", "b", "cpu 1", prio=1, on="f1"), work("b2", "b", "cpu 4", prio=2, at=2, on="f1"), work("b3", "b", "cpu 5", prio=3, at=3, on="f1"),
            work("w", "a", "cpu 5", at=20))
    victims("guaranteed tenants and best effort do not loop", cohort("R"), queue("ga", "f1(cpu 150m)", "R", within="LowerPriority", reclaim="Any", below="LowerPriority"),
            queue("gb", "f1(cpu 150m)", "R", within="LowerPriority", reclaim="Any", below="LowerPriority"), queue("be", "f1(cpu 0)", "R"),
            work("a1", "ga", "cpu 250m", on="f1"), work("be1", "be", "cpu 50m", prio=-1, at=2, on="f1"), work("a2", "ga", "cpu 50m", at=50), cycles=12)
    for prefer in (None, "PreemptionOverBorrowing"):
        victims(f"preempt in the first flavor or borrow in the second, preference {prefer or 'unset'}",
                queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority", borrow="TryNextFlavor", preempt="TryNextFlavor", prefer=prefer),
                queue("b", "f1(cpu 0) f2(cpu 4)", "R"), work("l", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=9, at=20))
    victims("a queue does not flap with another", queue("a", "f1(cpu 3)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 3)", "R", within="LowerPriority", reclaim="Any"),
            queue("c", "f1(cpu 3)", "R", within="LowerPriority", reclaim="Any"), work("b1", "b", "cpu 5", on="f1"), work("c1", "c", "cpu 1", on="f1"), work("c2", "c", "cpu 3", at=2, on="f1"),
            work("w", "a", "cpu 5", at=20), cycles=14)
    victims("two of a memory hog", queue("a", "f1(cpu 4, memory 4)", "R", reclaim="Any"), queue("b", "f1(cpu 4, memory 4)", "R"),
            *[work(f"b{i}", "b", "cpu 1, memory 2", at=i, on="f1") for i in range(1, 5)], work("w", "a", "cpu 1, memory 4", at=20))

    t.rule("The share in the status of a queue is known before its Cohort object is: only a change of it has the cohort looked at.")
    for title, one in [("with a parent", cohort("R", "f1(cpu 0)", parent="ROOT")), ("alone", cohort("R"))]:
        t.case(f"share: the cohort's object comes later, {title}", queue("a", "f1(cpu 2)", "R", reclaim="Any"), queue("b", "f1(cpu 4/lend 0)", "R"),
               work("lender", "a", "cpu 2", on="f1"), work("r1", "b", "cpu 3", on="f1"), work("r2", "b", "cpu 2", prio=5, on="f1"), work("w", "b", "cpu 2", at=2),
               steps=[later("10s"), apply(one), finish("lender"), later("5s")])
    t.case("share: another queue left before the cohort's object came", queue("a", "f1(cpu 2)", "R", reclaim="Any"), queue("b", "f1(cpu 6)", "R"), work("r", "a", "cpu 4", on="f1"),
           work("w", "a", "cpu 5", at=2), steps=[apply(queue("b", "f1(cpu 6)", "S", own=False)), apply(cohort("R", parent="ROOT")), later("5s")])
