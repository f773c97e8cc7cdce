"""Elastic jobs: a larger copy of a workload replaces it."""

from notation import *

OLD = {"kueue.x-k8s.io/elastic-job": "true"}


def new(name, queue_name, pods, old, **more):
    return work(name, queue_name, pods, annotations=OLD | {"kueue.x-k8s.io/workload-slice-replacement-for": "default/" + old}, **more)


def elastic(name, queue_name, pods, **more):
    return work(name, queue_name, pods, annotations=OLD, **more)


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    t.rule("A slice needs quota only for what it has more than the one it replaces; that one is finished when it is admitted.")
    for count in (3, 4, 5, 6, 7):
        t.case(f"from three to {count} of six", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", f"main*{count} cpu 1", "old", at=2))
    t.case("others use the rest", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*3 cpu 1", on="f1"), work("r", "a", "cpu 2", on="f1"), new("new", "a", "main*5 cpu 1", "old", at=2),
           steps=[finish("r"), later("5s")])
    t.case("smaller", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", "main*2 cpu 1", "old", at=2))
    t.case("two pod sets, one grows", queue("a", "f1(cpu 6)"), elastic("old", "a", "head*1 cpu 1 + workers*2 cpu 1", on="f1"), new("new", "a", "head*1 cpu 1 + workers*4 cpu 1", "old", at=2))
    t.case("two pod sets, one grows and one shrinks", queue("a", "f1(cpu 6)"), elastic("old", "a", "head*3 cpu 1 + workers*2 cpu 1", on="f1"), new("new", "a", "head*1 cpu 1 + workers*4 cpu 1", "old", at=2))
    t.case("larger pods", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*2 cpu 1", on="f1"), new("new", "a", "main*2 cpu 3", "old", at=2))
    t.case("pods are counted", queue("a", "f1(cpu 60, pods 5)"), elastic("old", "a", "main*3 cpu 1", on={"cpu": "f1", "pods": "f1"}), new("new", "a", "main*5 cpu 1", "old", at=2))
    t.case("the replaced one is not there", queue("a", "f1(cpu 6)"), new("new", "a", "main*5 cpu 1", "gone", at=2))
    t.case("the replaced one has no quota", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*9 cpu 1"), new("new", "a", "main*5 cpu 1", "old", at=2))
    t.case("the replaced one is in another queue", queue("a", "f1(cpu 6)"), queue("b", "f1(cpu 6)"), elastic("old", "b", "main*3 cpu 1", on="f1"), new("new", "a", "main*5 cpu 1", "old", at=2))
    t.case("one after the other", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*2 cpu 1", on="f1"), new("mid", "a", "main*4 cpu 1", "old", at=2), steps=[
        apply(new("new", "a", "main*6 cpu 1", "mid", at=20000)), later("5s")])

    t.rule("A slice stays on the flavor of the one it replaces.")
    t.case("its flavor is full, the other is free", queue("a", "f1(cpu 4) f2(cpu 9)"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", "main*6 cpu 1", "old", at=2))
    t.case("it is on the second flavor", queue("a", "f1(cpu 9) f2(cpu 9)"), elastic("old", "a", "main*3 cpu 1", on="f2"), new("new", "a", "main*6 cpu 1", "old", at=2))
    t.case("pod sets on different flavors", flavor("f1", {"t": "a"}), flavor("f2", {"t": "b"}), queue("a", "f1(cpu 5) f2(cpu 5)"),
           work("old", "a", [pod_set("x", 1, selector={"t": "a"}), pod_set("y", 1, selector={"t": "b"})], on={"x": "f1", "y": "f2"}, annotations=OLD),
           work("new", "a", [pod_set("x", 3, selector={"t": "a"}), pod_set("y", 4, selector={"t": "b"})], at=2, annotations=OLD | {"kueue.x-k8s.io/workload-slice-replacement-for": "default/old"}))

    t.rule("What the replaced slice gives back counts twice in the last test of a cycle: growing may use more than there is.")
    t.case("another head takes the room first", queue("a", "f1(cpu 0)", "R"), queue("b", "f1(cpu 0)", "R"), queue("c", "f1(cpu 6)", "R"), elastic("old", "a", "cpu 4", on="f1"),
           work("wb", "b", "cpu 2", at=5), new("new", "a", "cpu 6", "old", at=10))

    t.rule("A slice may preempt for what it has more.")
    t.case("a lower priority in the queue", queue("a", "f1(cpu 6)", within="LowerPriority"), elastic("old", "a", "main*3 cpu 1", prio=5, on="f1"), work("l", "a", "cpu 3", at=2, on="f1"),
           new("new", "a", "main*5 cpu 1", "old", prio=5, at=3))
    t.case("never the one it replaces", queue("a", "f1(cpu 3)", within="LowerPriority"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", "main*5 cpu 1", "old", prio=5, at=3))
    t.case("reclaimed from the cohort", queue("a", "f1(cpu 6)", "R", reclaim="Any"), queue("b", "f1(cpu 0)", "R"), elastic("old", "a", "main*3 cpu 1", on="f1"), work("rb", "b", "cpu 3", on="f1"),
           new("new", "a", "main*6 cpu 1", "old", at=3))
    t.case("the replaced one is preempted meanwhile", queue("a", "f1(cpu 6)", within="LowerPriority"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", "main*9 cpu 1", "old", at=3),
           steps=[apply(work("w", "a", "cpu 5", prio=9, at=20000)), later("5s")])

    t.rule("With the gate off a slice is a workload like any other.")
    for gate in (True, False):
        t.case(f"ElasticJobsViaWorkloadSlices {'on' if gate else 'off'}", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*3 cpu 1", on="f1"), new("new", "a", "main*5 cpu 1", "old", at=2),
               gates={"ElasticJobsViaWorkloadSlices": gate})
    t.case("an elastic workload shrinks in place", queue("a", "f1(cpu 6)"), elastic("old", "a", "main*5 cpu 1", on="f1"), work("w", "a", "cpu 3", at=2),
           steps=[apply(elastic("old", "a", "main*3 cpu 1")), later("5s")])
