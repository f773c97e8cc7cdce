"""Admission fair sharing: the local queues of a cluster queue take turns by what they used."""

from notation import *

MODE = "UsageBasedAdmissionFairSharing"


def used(one, at=9000, **amounts_used):
    """A local queue that used so much already."""
    return merged(one, {"status": {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus": {
        "consumedResources": {k.replace("_", "."): v for k, v in amounts_used.items()}, "lastUpdate": stamp(at)}}}})


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True},
                  "admissionFairSharing": {"usageHalfLifeTime": "10m", "usageSamplingInterval": "5m"}}
    a = queue("a", "f1(cpu 4)", afs=MODE, own=False)
    x, y = local("x", "a"), local("y", "a")

    def wl(name, lq, pods="cpu 4", **more):
        return work(name, "a", pods, local_queue=lq, **more)

    t.rule("The local queue that used less goes first, before priority and age.")
    t.case("one has used more", a, used(x, cpu="8"), y, wl("wx", "x", prio=9, at=1), wl("wy", "y", at=9))
    t.case("both have used, one less", a, used(x, cpu="8"), used(y, cpu="7"), wl("wx", "x", at=1), wl("wy", "y", at=9))
    t.case("equal, then priority", a, used(x, cpu="8"), used(y, cpu="8"), wl("wx", "x", at=1), wl("wy", "y", prio=1, at=9))
    t.case("nothing used, then priority", a, x, y, wl("wx", "x", at=1), wl("wy", "y", prio=1, at=9))
    t.case("nothing used, then age", a, x, y, wl("wx", "x", at=9), wl("wy", "y", at=1))
    for mode in (MODE, "NoAdmissionFairSharing", None):
        t.case(f"mode {mode or 'unset'}", queue("a", "f1(cpu 4)", afs=mode, own=False), used(x, cpu="8"), y, wl("wx", "x", at=1), wl("wy", "y", at=9))
    t.case("not configured", a, used(x, cpu="8"), y, wl("wx", "x", at=1), wl("wy", "y", at=9), admissionFairSharing=None)
    t.case("with the gate off", a, used(x, cpu="8"), y, wl("wx", "x", at=1), wl("wy", "y", at=9), gates={"AdmissionFairSharing": False})

    t.rule("Usage is divided by the local queue's weight; a weight of zero is last.")
    for weight in (0, "0.5", 1, 2, 4):
        t.case(f"weight {weight}", a, used(local("x", "a", weight=weight), cpu="8"), used(y, cpu="4"), wl("wx", "x", at=1), wl("wy", "y", at=9))
    t.case("weight zero and nothing used", a, local("x", "a", weight=0), y, wl("wx", "x", at=1), wl("wy", "y", at=9))
    t.case("two of weight zero", a, local("x", "a", weight=0), local("y", "a", weight=0), wl("wx", "x", at=9), wl("wy", "y", at=1))

    t.rule("Resources are added by their numbers, bytes for memory, each times its weight.")
    half = {"usageHalfLifeTime": "10m", "usageSamplingInterval": "5m"}
    memory = queue("a", "f1(cpu 4, memory 9Gi)", afs=MODE, own=False)
    t.case("memory outweighs cpu", memory, used(x, cpu="100"), used(y, memory="1Gi"), wl("wx", "x", at=9), wl("wy", "y", at=1))
    t.case("memory does not count", memory, used(x, cpu="100"), used(y, memory="1Gi"), wl("wx", "x", at=1), wl("wy", "y", at=9),
           admissionFairSharing=half | {"resourceWeights": {"memory": 0.0}})
    t.case("cpu counts ten times", memory, used(x, cpu="1"), used(y, memory="9"), wl("wx", "x", at=1), wl("wy", "y", at=9),
           admissionFairSharing=half | {"resourceWeights": {"cpu": 10.0}})

    t.rule("An admission counts at once, as a penalty; usage fades by half in each half-life.")
    many = [wl(f"{lq}{i}", lq, "cpu 1", at=i) for i in (1, 2, 3) for lq in "xy"]
    t.case("queues take turns", queue("a", "f1(cpu 4)", afs=MODE, own=False), x, y, *[wl(f"x{i}", "x", "cpu 1", at=i) for i in (1, 2, 3)], *[wl(f"y{i}", "y", "cpu 1", at=10 + i) for i in (1, 2, 3)])
    t.case("a large admission counts more", a, x, y, wl("x1", "x", "cpu 2", at=1), wl("x2", "x", "cpu 1", at=2), wl("y1", "y", "cpu 1", at=11), wl("y2", "y", "cpu 1", at=12))
    t.case("one that runs is sampled", a, x, y, wl("rx", "x", "cpu 4", on="f1"), wl("x1", "x", at=2), wl("y1", "y", at=3), steps=[later("6m"), finish("rx"), later("10s")])
    t.case("usage fades", a, used(x, cpu="8"), used(y, cpu="7"), wl("rx", "x", "cpu 4", prio=9, on="f1"), wl("wx", "x", at=1), wl("wy", "y", at=9), steps=[later("20m"), finish("rx"), later("10s")])
    t.case("without a half-life nothing is remembered", a, used(x, cpu="8"), y, wl("wx", "x", at=1), wl("wy", "y", at=9), steps=[later("6m"), finish("wy"), later("10s")],
           admissionFairSharing={"usageHalfLifeTime": "0s", "usageSamplingInterval": "5m"})
    t.case("an admission that waits for its check counts, too", check("c", active=True), queue("a", "f1(cpu 4)", checks=["c"], afs=MODE, own=False), x, y, wl("x1", "x", "cpu 2", at=1),
           wl("x2", "x", "cpu 1", at=2), wl("y1", "y", "cpu 1", at=11), steps=[answer("x1", "c", "Ready"), later("10s")])
    t.case("the local queue is deleted", a, used(x, cpu="8"), y, wl("wx", "x", at=1), wl("wy", "y", at=9), steps=[delete("LocalQueue", "y", "default"), finish("wy"), later("10s")])

    t.rule("Among workloads of one queue the local queue that used more gives the victim.")
    b = queue("a", "f1(cpu 4)", within="LowerPriority", afs=MODE, own=False)
    t.case("the one that used more", b, used(x, cpu="8"), y, wl("rx", "x", "cpu 2", prio=2, on="f1"), wl("ry", "y", "cpu 2", prio=1, at=2, on="f1"), wl("w", "y", "cpu 2", prio=9, at=20))
    t.case("within a local queue, priority", b, used(x, cpu="8"), y, wl("r1", "x", "cpu 2", prio=2, on="f1"), wl("r2", "x", "cpu 2", prio=1, at=2, on="f1"), wl("w", "y", "cpu 2", prio=9, at=20))

    t.rule("A workload that is being preempted for keeps its place only behind a smaller usage.")
    t.case("the preemptor's queue used more", b, used(x, cpu="8"), y, wl("ry", "y", "cpu 4", on="f1"), wl("wx", "x", prio=5, at=2), steps=[apply(wl("wy", "y", prio=6, at=20000)), later("5s")],
           emulation={"stopEvicted": False}, cycles=4)

    t.rule("Both kinds of fair sharing may be on.")
    t.case("cohort and local queues", queue("a", "f1(cpu 0)", "R", afs=MODE, own=False), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 8)", "R"), used(x, cpu="8"), y,
           wl("wx", "x", at=1), wl("wy", "y", at=9), work("wb", "b", "cpu 5", at=5), fairSharing={})
