"""Who is preempted, by whom and in which order, without fair sharing."""

from notation import *

POLICIES = ("Never", "LowerPriority", "LowerOrNewerEqualPriority")
RECLAIM = ("Never", "LowerPriority", "Any")


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}

    t.rule("Within the queue the policy decides who may be preempted: nobody, lower priorities, or newer ones of the same "
           "priority, too.")
    for within in POLICIES:
        for title, prio, at in [("lower", 1, 1), ("equal and older", 5, 1), ("equal and newer", 5, 30), ("higher", 9, 30)]:
            t.case(f"within the queue {within}: {title}", queue("a", "f1(cpu 4)", within=within),
                   work("r", "a", "cpu 4", prio=prio, at=at, since=40, on="f1"), work("w", "a", "cpu 2", prio=5, at=20))
    t.case("the same second is not newer", queue("a", "f1(cpu 4)", within="LowerOrNewerEqualPriority"),
           work("r", "a", "cpu 4", prio=5, at=20, since=40, on="f1"), work("w", "a", "cpu 2", prio=5, at=20))
    t.case("creation counts, not admission", queue("a", "f1(cpu 2)", within="LowerOrNewerEqualPriority"),
           work("old", "a", "cpu 1", at=1, since=100, on="f1"), work("new", "a", "cpu 1", at=50, since=60, on="f1"),
           work("w", "a", "cpu 1", at=20))
    t.case("no priority is zero", queue("a", "f1(cpu 4)", within="LowerPriority"), work("r", "a", "cpu 4", prio=-1, on="f1"),
           work("w", "a", "cpu 2", prio=None, at=20))
    t.case("negative priorities", queue("a", "f1(cpu 4)", within="LowerPriority"), work("r", "a", "cpu 4", prio=-5, on="f1"),
           work("w", "a", "cpu 2", prio=-6, at=20))

    t.rule("In the cohort the policy decides whom a queue may reclaim its quota from: nobody, lower priorities, anybody who "
           "borrows.")
    for reclaim in RECLAIM:
        for title, prio in [("lower", 1), ("equal", 5), ("higher", 900)]:
            t.case(f"in the cohort {reclaim}: {title}", queue("a", "f1(cpu 4)", "R", reclaim=reclaim), queue("b", "f1(cpu 0)", "R"),
                   work("r", "b", "cpu 4", prio=prio, at=1, on="f1"), work("w", "a", "cpu 2", prio=5, at=20))
    t.case("a queue that does not borrow is safe", queue("a", "f1(cpu 4)", "R", reclaim="Any"), queue("b", "f1(cpu 4)", "R"),
           work("ra", "a", "cpu 4", prio=9, on="f1"), work("rb", "b", "cpu 4", on="f1"), work("w", "a", "cpu 2", at=20))
    t.case("one who borrows nothing of what is needed is safe",
           queue("a", "f1(cpu 4, memory 4)", "R", reclaim="Any"), queue("b", "f1(cpu 1, memory 4)", "R"),
           queue("c", "f1(cpu 3, memory 0)", "R"), work("rb", "b", "cpu 4, memory 1", on="f1"),
           work("rc", "c", "cpu 1, memory 4", on="f1"), work("w", "a", "memory 4", at=20))
    t.case("only as many as needed", queue("a", "f1(cpu 6)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
           *[work(f"r{i}", "b", "cpu 2", at=i, on="f1") for i in (1, 2, 3)], work("w", "a", "cpu 3", at=20))
    t.case("all borrowers together are too few", queue("a", "f1(cpu 6)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
           work("ra", "a", "cpu 4", prio=9, on="f1"), work("rb", "b", "cpu 2", at=2, on="f1"), work("w", "a", "cpu 5", at=20))
    t.case("from several queues", queue("a", "f1(cpu 6)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
           queue("c", "f1(cpu 0)", "R"), work("rb", "b", "cpu 3", at=1, on="f1"), work("rc", "c", "cpu 3", at=2, on="f1"),
           work("w", "a", "cpu 5", at=20))
    t.case("lent quota comes back", queue("a", "f1(cpu 6/lend 2)", "R", reclaim="Any"), queue("b", "f1(cpu 2)", "R"),
           work("rb", "b", "cpu 4", at=1, on="f1"), work("w", "a", "cpu 6", at=20))
    t.case("lent quota within the lending limit is enough", queue("a", "f1(cpu 6/lend 2)", "R", reclaim="Any"),
           queue("b", "f1(cpu 2)", "R"), work("rb", "b", "cpu 4", at=1, on="f1"), work("w", "a", "cpu 4", at=20))
    t.case("more than lending allows", queue("a", "f1(cpu 6)", "R", reclaim="Any", below="LowerPriority"),
           queue("b", "f1(cpu 4/lend 1)", "R"), work("rb", "b", "cpu 5", at=1, on="f1"), work("w", "a", "cpu 8", prio=9, at=20))
    t.case("zero of a resource at its limit does not bar reclaiming",
           queue("a", "f1(cpu 6/borrow 6, memory 3Gi/borrow 3Gi)", "R", within="LowerPriority", reclaim="LowerPriority"),
           queue("b", "f1(cpu 6/borrow 6, memory 3Gi/borrow 3Gi)", "R"),
           work("alow", "a", "cpu 3, memory 3Gi", prio=-1, on="f1"), work("bmid", "b", "cpu 3", at=2, on="f1"),
           work("bhigh", "b", "cpu 6", prio=1, at=3, on="f1"), work("w", "a", "cpu 3, memory 0", prio=1, at=20))

    t.rule("Candidates come in this order: evicted ones, other queues, lower priority, later reservation, smaller uid; those "
           "not needed are given back, the last one first kept.")
    def own(name, *running, asked="cpu 3", quota=6, prio=50, **options):
        t.case(name, queue("a", f"f1(cpu {quota})", within="LowerPriority"), *running,
               work("w", "a", asked, prio=prio, at=90), **options)
    own("the lowest priority", *[work(f"r{p}", "a", "cpu 3", prio=p, at=p, on="f1") for p in (3, 1)])
    own("the later reservation of equals", work("r1", "a", "cpu 3", at=1, since=10, on="f1"),
        work("r2", "a", "cpu 3", at=2, since=20, on="f1"))
    own("reservation counts, not creation", work("r1", "a", "cpu 3", at=9, since=10, on="f1"),
        work("r2", "a", "cpu 3", at=2, since=20, on="f1"))
    own("the smaller uid at the same second", work("r1", "a", "cpu 3", at=1, uid="z", on="f1"),
        work("r2", "a", "cpu 3", at=1, uid="y", on="f1"))
    own("several", *[work(f"r{i}", "a", "cpu 2", prio=i, at=i, on="f1") for i in (1, 2, 3)], asked="cpu 4")
    own("some quota is free", work("r1", "a", "cpu 1", prio=1, on="f1"), work("r2", "a", "cpu 3", prio=2, at=2, on="f1"),
        asked="cpu 3")
    own("what is not needed is given back: only the highest goes", work("r1", "a", "cpu 1", prio=1, on="f1"),
        work("r2", "a", "cpu 3", prio=2, on="f1"), work("r3", "a", "cpu 6", prio=3, on="f1"), asked="cpu 6", quota=10)
    own("given back as far as it still fits", work("r1", "a", "cpu 2", prio=1, on="f1"),
        work("r2", "a", "cpu 2", prio=2, on="f1"), work("r3", "a", "cpu 3", prio=3, on="f1"), asked="cpu 5", quota=7)
    own("not enough lower ones", work("r1", "a", "cpu 2", prio=1, on="f1"), work("r2", "a", "cpu 4", prio=60, on="f1"))
    own("exactly enough", work("r1", "a", "cpu 2", prio=1, on="f1"), work("r2", "a", "cpu 4", prio=2, on="f1"), asked="cpu 6")
    own("two pods, two victims", *[work(f"r{i}", "a", "cpu 3", prio=i, at=i, on="f1") for i in (1, 2)], asked="main*2 cpu 2")
    own("one that is being evicted counts first", work("e1", "a", "cpu 3", prio=40, on="f1", conditions=[
        condition("Evicted", reason="Preempted", at=50), condition("Preempted", reason="InClusterQueue", at=50)]),
        work("l1", "a", "cpu 3", prio=1, on="f1"), emulation={"stopEvicted": False}, cycles=4)
    own("a reservation that is not admitted yet is a candidate", work("r1", "a", "cpu 6", prio=1, on="f1", admitted=False))
    own("only users of the flavor", work("r1", "a", "cpu 3", prio=1, on="f1"), work("r2", "a", "cpu 6", prio=0, on="f9"),
        asked="cpu 6")
    t.case("other queues before the own, whatever the priority",
           queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
           work("ra", "a", "cpu 2", prio=1, on="f1"), work("rb", "b", "cpu 2", prio=40, at=2, on="f1"),
           work("w", "a", "cpu 2", prio=50, at=20))
    t.case("priority goes before time across queues", queue("a", "f1(cpu 4)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
           queue("c", "f1(cpu 0)", "R"), work("rb", "b", "cpu 2", prio=3, at=9, on="f1"),
           work("rc", "c", "cpu 2", prio=2, at=2, on="f1"), work("w", "a", "cpu 2", at=20))
    t.case("only users of the resource that is short",
           queue("a", "f1(cpu 10) ++ g1(example.com/gpu 4)", within="LowerPriority"), work("cpuonly", "a", "cpu 1", on="f1"),
           work("gpu", "a", "example.com/gpu 4", prio=3, on="g1"), work("w", "a", "cpu 2, example.com/gpu 2", prio=6, at=20))
    t.case("both resources are short", queue("a", "f1(cpu 4, memory 4)", within="LowerPriority"),
           work("rc", "a", "cpu 4", prio=1, on="f1"), work("rm", "a", "memory 4", prio=2, at=2, on="f1"),
           work("w", "a", "cpu 2, memory 2", prio=6, at=20))
    t.case("one resource is short, the victims use both", queue("a", "f1(cpu 4, memory 9)", within="LowerPriority"),
           work("r1", "a", "cpu 2, memory 1", prio=1, on="f1"), work("r2", "a", "cpu 2, memory 1", prio=1, at=2, on="f1"),
           work("w", "a", "cpu 2, memory 2", prio=6, at=20))
    t.case("a queue at its quota again is left alone, and giving back changes who goes",
           queue("a", "f1(cpu 4)", "R", reclaim="Any"), queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 2)", "R"),
           work("b1", "b", "cpu 2", at=1, since=5, on="f1"), work("b2", "b", "cpu 2", at=1, since=6, on="f1"),
           work("c1", "c", "cpu 4", prio=50, on="f1"), work("w", "a", "cpu 4", at=20))
    t.case("a queue at its quota in one of two resources", queue("a", "f1(cpu 4, memory 4)", "R", reclaim="Any"),
           queue("b", "f1(cpu 2, memory 0)", "R"), work("b1", "b", "cpu 2, memory 2", on="f1"),
           work("b2", "b", "cpu 2, memory 2", at=2, on="f1"), work("w", "a", "cpu 4, memory 4", at=20))

    t.rule("A request above the nominal quota cannot preempt, unless it may borrow while preempting, fits a subtree, or "
           "shares are fair.")
    for fair in (None, {}):
        on = "" if fair is None else ", fair sharing"
        extra = {} if fair is None else {"fairSharing": fair}
        t.case("above nominal, lower priority in the own queue" + on,
               queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 4)", "R"),
               work("l1", "a", "cpu 8", on="f1"), work("w", "a", "cpu 6", prio=100, at=5), **extra)
        t.case("above nominal, reclaim Never" + on, queue("a", "f1(cpu 4)", "R", within="LowerPriority"),
               queue("b", "f1(cpu 4)", "R"), work("l1", "a", "cpu 8", on="f1"), work("w", "a", "cpu 6", prio=100, at=5), **extra)
        t.case("above nominal, its quota is lent out" + on, queue("a", "f1(cpu 4)", "R", reclaim="Any"),
               queue("b", "f1(cpu 2)", "R"), work("b1", "b", "cpu 6", on="f1"), work("w", "a", "cpu 5", prio=100, at=5), **extra)
        t.case("at nominal, its quota is lent out" + on, queue("a", "f1(cpu 4)", "R", reclaim="Any"),
               queue("b", "f1(cpu 2)", "R"), work("b1", "b", "cpu 6", on="f1"), work("w", "a", "cpu 4", prio=100, at=5), **extra)
        t.case("above nominal, within the quota of a cohort in between" + on, cohort("R", "f1(cpu 1)"),
               cohort("M", "f1(cpu 2)", parent="R"), queue("a", "f1(cpu 4)", "M", reclaim="Any"), queue("b", "f1(cpu 0)", "R"),
               work("b1", "b", "cpu 6", on="f1"), work("w", "a", "cpu 5", prio=100, at=5), **extra)
        t.case("within nominal, the own queue uses more with what it has" + on,
               queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), queue("b", "f1(cpu 4)", "R"),
               work("l1", "a", "cpu 3", on="f1"), work("b1", "b", "cpu 5", prio=500, on="f1"),
               work("w", "a", "cpu 2", prio=100, at=5), **extra)

    t.rule("While borrowing, only lower priorities up to the threshold go; within its quota the threshold does not hold.")
    for threshold in (None, 50):
        for asked in (2, 3):
            for prio in (40, 60, 100):
                t.case(f"threshold {threshold}, asks {asked} of nominal 2, victim {prio}",
                       queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority",
                             threshold=threshold),
                       queue("b", "f1(cpu 2)", "R"), work("rb", "b", "cpu 4", prio=prio, on="f1"),
                       work("w", "a", f"cpu {asked}", prio=100, at=20))
    t.case("only what is below the threshold, and it is too little",
           queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority", threshold=50),
           queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 2)", "R"), work("b60", "b", "cpu 3", prio=60, on="f1"),
           work("b40", "b", "cpu 1", prio=40, at=2, on="f1"), work("c40", "c", "cpu 2", prio=40, at=3, on="f1"),
           work("w", "a", "cpu 3", prio=100, at=20))
    t.case("only what is below the threshold, and it is enough",
           queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority", threshold=50),
           queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 3)", "R"), work("b60", "b", "cpu 3", prio=60, on="f1"),
           work("b40", "b", "cpu 3", prio=40, at=2, on="f1"), work("w", "a", "cpu 3", prio=100, at=20))
    t.case("the own queue's lower priorities while borrowing",
           queue("a", "f1(cpu 2)", "R", within="LowerPriority", reclaim="Any", below="LowerPriority", threshold=0),
           queue("b", "f1(cpu 4)", "R"), work("la", "a", "cpu 2", prio=1, on="f1"), work("rb", "b", "cpu 4", prio=1, at=2, on="f1"),
           work("w", "a", "cpu 2", prio=9, at=20))
    t.case("own queue above nominal, others below the threshold",
           queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority", threshold=0),
           queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 6)", "R"), work("la", "a", "cpu 6", prio=2, on="f1"),
           work("rb", "b", "cpu 6", prio=-1, at=2, on="f1"), work("w", "a", "cpu 4", prio=9, at=20))
    t.case("own queue above nominal, others above the threshold",
           queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority", threshold=0),
           queue("b", "f1(cpu 2)", "R"), queue("c", "f1(cpu 6)", "R"), work("la", "a", "cpu 6", prio=2, on="f1"),
           work("rb", "b", "cpu 6", prio=5, at=2, on="f1"), work("w", "a", "cpu 4", prio=9, at=20))
    t.case("equal priority is not lower",
           queue("a", "f1(cpu 2)", "R", reclaim="Any", below="LowerPriority"), queue("b", "f1(cpu 2)", "R"),
           work("rb", "b", "cpu 4", prio=9, on="f1"), work("w", "a", "cpu 3", prio=9, at=20))
    t.case("a negative threshold", queue("a", "f1(cpu 2)", "R", reclaim="Any", below="LowerPriority", threshold=-10),
           queue("b", "f1(cpu 2)", "R"), work("rb", "b", "cpu 4", prio=-10, on="f1"), work("w", "a", "cpu 3", prio=9, at=20))
    t.case("the borrowing limit holds while preempting",
           queue("a", "f1(cpu 2/borrow 1)", "R", reclaim="Any", below="LowerPriority"), queue("b", "f1(cpu 4)", "R"),
           work("rb", "b", "cpu 6", prio=1, on="f1"), work("w", "a", "cpu 3", prio=9, at=20), work("v", "a", "cpu 4", prio=9, at=21))

    t.rule("In a tree, what fits the quota of a subtree is taken from everybody outside it, and those inside are left alone.")
    def tree(name, *objects, **options):
        t.case(name, *objects, **options)
    sub = [cohort("R"), cohort("L", "f1(cpu 4)", parent="R")]
    a = queue("a", "f1(cpu 0)", "L", within="LowerPriority", reclaim="Any")
    a2, b = queue("a2", "f1(cpu 0)", "L"), queue("b", "f1(cpu 0)", "R", within="LowerPriority", reclaim="Any")
    tree("the outsider goes, whatever its priority", *sub, a, a2, b, work("b1", "b", "cpu 2", prio=1000, on="f1"),
         work("s1", "a2", "cpu 2", at=2, on="f1"), work("w", "a", "cpu 2", prio=5, at=20))
    tree("the outsider asks", *sub, a, a2, b, work("b1", "b", "cpu 2", prio=1000, on="f1"),
         work("s1", "a2", "cpu 2", at=2, on="f1"), work("w", "b", "cpu 2", prio=5, at=20))
    tree("beyond the quota of the subtree", *sub, a, a2, b, work("b1", "b", "cpu 2", prio=1000, on="f1"),
         work("s1", "a2", "cpu 2", at=2, on="f1"), work("w", "a", "cpu 4", prio=5, at=20))
    tree("within the queue's own quota", cohort("L", "f1(cpu 2)", parent="R"), queue("a", "f1(cpu 2)", "L", reclaim="Any"),
         queue("a2", "f1(cpu 0)", "L"), queue("b", "f1(cpu 0)", "R"), work("s1", "a2", "cpu 2", prio=9, on="f1"),
         work("b1", "b", "cpu 2", prio=9, at=2, on="f1"), work("w", "a", "cpu 2", at=20))
    tree("first those with no claim, then lower priorities", *sub,
         queue("a", "f1(cpu 0)", "L", reclaim="LowerPriority", within="LowerPriority"), a2, b,
         work("b1", "b", "cpu 1", prio=9, on="f1"), work("s1", "a2", "cpu 3", at=2, on="f1"), work("w", "a", "cpu 3", prio=10, at=20))
    tree("reclaim LowerPriority does not take a higher outsider", *sub,
         queue("a", "f1(cpu 0)", "L", reclaim="LowerPriority"), a2, b, work("b1", "b", "cpu 4", prio=99, on="f1"),
         work("w", "a", "cpu 2", prio=5, at=20))
    tree("an outside subtree within its quota is safe", *sub, cohort("M", "f1(cpu 3)", parent="R"), a,
         queue("m", "f1(cpu 0)", "M"), b, work("m1", "m", "cpu 3", on="f1"), work("b1", "b", "cpu 4", prio=9, at=2, on="f1"),
         work("w", "a", "cpu 2", prio=5, at=20))
    tree("an outside subtree above its quota is not", *sub, cohort("M", "f1(cpu 3)", parent="R"), a,
         queue("m", "f1(cpu 0)", "M"), b, work("m1", "m", "cpu 1", on="f1"), work("m2", "m", "cpu 4", at=2, on="f1"),
         work("w", "a", "cpu 3", prio=5, at=20))
    tree("a subtree that is back at its quota is left", *sub, cohort("M", "f1(cpu 2)", parent="R"), a,
         queue("m", "f1(cpu 0)", "M"), b, work("m1", "m", "cpu 2", on="f1"), work("m2", "m", "cpu 2", prio=2, at=2, on="f1"),
         work("b1", "b", "cpu 2", prio=3, at=3, on="f1"), work("w", "a", "cpu 4", prio=5, at=20))
    tree("a queue below nominal inside a subtree that borrows is safe", *sub, cohort("M", parent="R"), a,
         queue("m", "f1(cpu 2)", "M"), queue("m2", "f1(cpu 0)", "M"), work("m1", "m", "cpu 2", on="f1"),
         work("n1", "m2", "cpu 4", prio=9, at=2, on="f1"), work("w", "a", "cpu 4", prio=5, at=20))
    tree("several levels up", cohort("R", "f1(cpu 2)"), cohort("L", "f1(cpu 2)", parent="R"), cohort("K", "f1(cpu 2)", parent="L"),
         queue("k", "f1(cpu 0)", "K", reclaim="Any"), queue("l", "f1(cpu 0)", "L"), queue("r", "f1(cpu 0)", "R"),
         work("l1", "l", "cpu 3", prio=3, on="f1"), work("r1", "r", "cpu 3", prio=2, at=2, on="f1"),
         work("w", "k", "cpu 2", prio=9, at=20), work("v", "k", "cpu 4", prio=9, at=21), work("u", "k", "cpu 6", prio=9, at=22))
    tree("outsiders and the own queue together", *sub, a, b, work("la", "a", "cpu 3", prio=1, on="f1"),
         work("b1", "b", "cpu 1", prio=9, at=2, on="f1"), work("w", "a", "cpu 3", prio=5, at=20))
    tree("an evicted outsider first", *sub, a, b, work("b1", "b", "cpu 2", on="f1"),
         work("b2", "b", "cpu 2", prio=50, at=2, on="f1", conditions=[condition("Evicted", reason="Preempted", at=50)]),
         work("w", "a", "cpu 2", prio=5, at=20), emulation={"stopEvicted": False}, cycles=3)
    tree("lending limits of subtrees hold", cohort("R"), cohort("L", "f1(cpu 4/lend 1)", parent="R"),
         cohort("M", "f1(cpu 4/lend 2)", parent="R"), queue("a", "f1(cpu 0)", "L", reclaim="Any", below="LowerPriority"),
         queue("m", "f1(cpu 0)", "M"), work("m1", "m", "cpu 5", on="f1"), work("w", "a", "cpu 6", prio=9, at=20),
         work("v", "a", "cpu 7", prio=8, at=21))
    tree("two resources, one fits the subtree", cohort("R"), cohort("L", "f1(cpu 4, memory 1)", parent="R"),
         queue("a", "f1(cpu 0, memory 0)", "L", reclaim="Any"), queue("b", "f1(cpu 0, memory 4)", "R"),
         work("b1", "b", "cpu 4, memory 5", prio=1000, on="f1"), work("w", "a", "cpu 2, memory 1", prio=5, at=20),
         work("v", "a", "cpu 2, memory 2", prio=5, at=21))
    tree("borrowing while preempting in a tree", cohort("R", "f1(cpu 2)"), cohort("L", "f1(cpu 2)", parent="R"),
         queue("a", "f1(cpu 0)", "L", reclaim="LowerPriority", below="LowerPriority", threshold=50),
         queue("b", "f1(cpu 0)", "R"), work("b40", "b", "cpu 2", prio=40, on="f1"), work("b60", "b", "cpu 2", prio=60, at=2, on="f1"),
         work("w", "a", "cpu 3", prio=100, at=20))

    t.rule("A victim that was preempted returns to its old place in the queue; its quota is free only when it has left.")
    t.case("the victim goes back in front of later ones", queue("a", "f1(cpu 4)", within="LowerPriority"),
           work("v", "a", "cpu 4", at=1, on="f1"), work("q", "a", "cpu 4", at=5), work("w", "a", "cpu 4", prio=9, at=20),
           steps=[finish("w"), later("10s")])
    t.case("the victim does not leave", queue("a", "f1(cpu 4)", within="LowerPriority"), work("l", "a", "cpu 4", on="f1"),
           work("w", "a", "cpu 4", prio=10, at=3), work("v", "a", "cpu 1", prio=20, at=5), emulation={"stopEvicted": False}, cycles=3)
    t.case("the victim of a victim", queue("a", "f1(cpu 4)", within="LowerPriority"), work("l", "a", "cpu 4", on="f1"),
           work("w", "a", "cpu 4", prio=10, at=3), steps=[apply(work("u", "a", "cpu 4", prio=20, at=20000)), later("10s")])
    t.case("the victim may move to another flavor", queue("a", "f1(cpu 4) f2(cpu 4)", within="LowerPriority", preempt="MayStopSearch"),
           work("l", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=10, at=3))
    t.case("preempting and preempted in one cohort", queue("a", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"),
           queue("b", "f1(cpu 4)", "R", within="LowerPriority", reclaim="Any"), work("a1", "a", "cpu 6", on="f1"),
           work("b1", "b", "cpu 2", at=2, on="f1"), work("wa", "a", "cpu 4", prio=5, at=20), work("wb", "b", "cpu 4", prio=5, at=21))

    t.rule("The boost of a priority counts everywhere where its gate is on.")
    boost = {"kueue.x-k8s.io/priority-boost": "20"}
    for gate in (True, False):
        on = "on" if gate else "off"
        for title, running, waiting in [
                ("of the preemptor", {}, {"annotations": boost}), ("of the victim", {"annotations": boost}, {}),
                ("of both", {"annotations": boost}, {"annotations": boost}),
                ("negative, of the victim", {"annotations": {"kueue.x-k8s.io/priority-boost": "-20"}}, {"prio": 5}),
                ("not a number", {"annotations": {"kueue.x-k8s.io/priority-boost": "lots"}}, {"prio": 6})]:
            options = {"prio": 10} | waiting
            t.case(f"boost {title}, PriorityBoost {on}", queue("a", "f1(cpu 4)", within="LowerPriority"),
                   work("r", "a", "cpu 4", prio=12 if "annotations" in waiting else 5, on="f1", **running),
                   work("w", "a", "cpu 4", at=20, **options), gates={"PriorityBoost": gate})
        t.case(f"boost and the order of the queue, PriorityBoost {on}", queue("a", "f1(cpu 1)"), work("w1", "a", "cpu 1", prio=5, at=1),
               work("w2", "a", "cpu 1", prio=1, at=2, annotations=boost), gates={"PriorityBoost": gate})
    t.case("a priority beyond 32 bits", queue("a", "f1(cpu 4)", within="LowerPriority"),
           work("r", "a", "cpu 4", prio=2147483647, on="f1"),
           work("w", "a", "cpu 4", prio=2147483647, at=20, annotations=boost), gates={"PriorityBoost": True})
