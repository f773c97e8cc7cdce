"""The order of a queue, what happens to a workload that was not admitted, and what brings it back."""

from notation import *

STRATEGIES = (False, True)


def strategy(strict):
    return "StrictFIFO" if strict else "BestEffortFIFO"


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}

    t.rule("In a queue the higher priority goes first, then the earlier creation, then the smaller uid.")
    for title, one, two in [
            ("priority", dict(prio=1, at=1), dict(prio=2, at=9)), ("time", dict(at=9), dict(at=1)),
            ("uid", dict(at=5, uid="2"), dict(at=5, uid="1")), ("uid compared as text", dict(at=5, uid="9"), dict(at=5, uid="10")),
            ("capital letters come first", dict(at=5, uid="a"), dict(at=5, uid="B")),
            ("a negative priority is last", dict(prio=-1, at=1), dict(at=9)),
            ("no priority is zero", dict(prio=None, at=5), dict(prio=-1, at=1))]:
        for strict in STRATEGIES:
            t.case(f"{title}, {strategy(strict)}", queue("a", "f1(cpu 1)", strict=strict), work("one", "a", **one),
                   work("two", "a", **two))
    t.case("all local queues of a queue are one order", queue("a", "f1(cpu 1)"), local("other", "a"),
           work("w1", "a", at=2), work("w2", "a", at=1, local_queue="other"), work("w3", "a", at=3, prio=1, local_queue="other"))
    t.case("namespaces make no difference", queue("a", "f1(cpu 1)"), local("a", "a", namespace="team"),
           work("w1", "a", at=2), work("w2", "a", at=1, namespace="team"))

    t.rule("The time of an eviction counts only if pods were not ready in time, or if a check asked to retry.")
    for reason in ("Preempted", "PodsReadyTimeout", "AdmissionCheck", "ClusterQueueStopped", "NodeFailures", "Deactivated"):
        for timestamp in (None, "Creation", "Eviction"):
            options = {} if timestamp is None else {
                "waitForPodsReady": {"timeout": "5m", "requeuingStrategy": {"timestamp": timestamp}}}
            t.case(f"evicted by {reason}, requeuing timestamp {timestamp or 'not set'}", queue("a", "f1(cpu 1)"),
                   work("evicted", "a", at=1, conditions=[condition("Evicted", reason=reason, at=5000)]),
                   work("later", "a", at=1000), **options)
    for sorting in (True, False):
        for why in ("InCohortReclaimWhileBorrowing", "InCohortReclamation", "InClusterQueue"):
            t.case(f"preempted {why}, PrioritySortingWithinCohort {'on' if sorting else 'off'}", queue("a", "f1(cpu 1)"),
                   work("victim", "a", at=1, conditions=[condition("Evicted", reason="Preempted", at=5000),
                                                         condition("Preempted", reason=why, at=5000)]),
                   work("later", "a", at=1000), gates={"PrioritySortingWithinCohort": sorting})

    t.rule("Each active queue offers one head a cycle.")
    t.case("three queues", queue("a", "f1(cpu 3)"), queue("b", "f1(cpu 3)"), queue("c", "f1(cpu 3)"),
           *[work(f"{q}{i}", q, at=10 * i + ord(q)) for q in "abc" for i in (1, 2, 3)])
    t.case("a queue without workloads", queue("a", "f1(cpu 3)"), queue("b", "f1(cpu 3)"), work("w", "a"))
    t.case("nothing waits", queue("a", "f1(cpu 3)"))
    t.case("only the head is looked at, and it preempts", queue("a", "f1(cpu 3)", within="LowerPriority"),
           work("r", "a", "cpu 3", prio=5, on="f1"), work("a1", "a", "cpu 2", prio=5, at=2), work("a2", "a", "cpu 2", prio=5, at=3),
           work("a3", "a", "cpu 2", prio=6, at=4), cycles=8)

    t.rule("A head that does not fit is parked; in a StrictFIFO queue it stays and bars the others.")
    for strict in STRATEGIES:
        label = strategy(strict)
        t.case(f"the first is too large, {label}", queue("a", "f1(cpu 3)", strict=strict), work("large", "a", "cpu 4"),
               work("small", "a", "cpu 1", at=2))
        t.case(f"the first must wait, {label}", queue("a", "f1(cpu 3)", strict=strict), work("r", "a", "cpu 2", prio=9, on="f1"),
               work("large", "a", "cpu 3", at=2), work("small", "a", "cpu 1", at=3), steps=[finish("r"), later("10s")])
        t.case(f"the first has nobody to preempt, {label}", queue("a", "f1(cpu 3)", strict=strict, within="LowerPriority"),
               work("r", "a", "cpu 2", prio=9, on="f1"), work("large", "a", "cpu 3", prio=5, at=2), work("small", "a", "cpu 1", at=3))
        t.case(f"the first asks for an uncovered resource, {label}", queue("a", "f1(cpu 3)", strict=strict),
               work("odd", "a", "example.com/gpu 1"), work("small", "a", "cpu 1", at=2))
        t.case(f"the first has limits below its requests, {label}", queue("a", "f1(cpu 3)", strict=strict),
               work("odd", "a", [pod_set(containers=[container("cpu 2", "cpu 1")])]), work("small", "a", "cpu 1", at=2))
        t.case(f"the first is of a namespace that does not match, {label}",
               queue("a", "f1(cpu 3)", strict=strict, selector={"matchLabels": {"team": "x"}}), namespace("other", team="y"),
               namespace("mine", team="x"), local("a", "a", namespace="other"), local("a", "a", namespace="mine"),
               work("odd", "a", namespace="other"), work("small", "a", "cpu 1", at=2, namespace="mine"))
        t.case(f"the first loses a race, {label}", queue("a", "f1(cpu 0)", "R", strict=strict), queue("b", "f1(cpu 0)", "R"),
               queue("c", "f1(cpu 5)", "R"), work("wb", "b", "cpu 4", at=1), work("wa", "a", "cpu 3", at=2), work("va", "a", "cpu 1", at=3))

    t.rule("A selector is compared with the labels of the namespace; none matches nothing, an empty one everything.")
    for title, selector in [("none", None), ("empty", {}), ("labels that match", {"matchLabels": {"team": "x"}}),
                            ("labels that do not", {"matchLabels": {"team": "y"}}),
                            ("In", {"matchExpressions": [{"key": "team", "operator": "In", "values": ["x", "z"]}]}),
                            ("NotIn", {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["x"]}]}),
                            ("Exists", {"matchExpressions": [{"key": "team", "operator": "Exists"}]}),
                            ("DoesNotExist", {"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]}),
                            ("the name of the namespace", {"matchLabels": {"kubernetes.io/metadata.name": "default"}}),
                            ("labels and expressions", {"matchLabels": {"team": "x"}, "matchExpressions": [
                                {"key": "zone", "operator": "Exists"}]})]:
        t.case(f"selector: {title}", namespace("default", team="x"), queue("a", "f1(cpu 3)", selector=selector), work("w", "a"))
    t.case("selector: the namespace gets its label later", namespace("default"),
           queue("a", "f1(cpu 3)", selector={"matchLabels": {"team": "x"}}), work("w", "a"),
           steps=[apply(namespace("default", team="x")), later("10s")])
    t.case("selector: the namespace loses its label", namespace("default", team="x"),
           queue("a", "f1(cpu 3)", selector={"matchLabels": {"team": "x"}}), work("r", "a", on="f1"), work("v", "a", "cpu 3", at=2),
           steps=[apply(namespace("default")), apply(work("w", "a", at=20000)), later("10s")])
    t.case("selector: the queue's selector changes", namespace("default", team="y"),
           queue("a", "f1(cpu 3)", selector={"matchLabels": {"team": "x"}}), work("w", "a"),
           steps=[apply(queue("a", "f1(cpu 3)", selector={"matchLabels": {"team": "y"}}, own=False)), later("10s")])

    t.rule("Workloads that are alike share their fate: when one does not fit, the others of its queue are parked unseen.")
    for gate in (True, False):
        on = "on" if gate else "off"
        t.case(f"two alike and a smaller one, SchedulingEquivalenceHashing {on}", queue("a", "f1(cpu 3)"), work("a1", "a", "cpu 4", at=1),
               work("a2", "a", "cpu 4", at=2), work("a3", "a", "cpu 1", at=3), gates={"SchedulingEquivalenceHashing": gate})
        t.case(f"five alike, SchedulingEquivalenceHashing {on}", queue("a", "f1(cpu 3)"),
               *[work(f"a{i}", "a", "cpu 4", at=i) for i in range(1, 6)], gates={"SchedulingEquivalenceHashing": gate})
    for title, first, second in [
            ("another priority", {}, {"prio": -1}), ("another count", {"pods": "main*2 cpu 2"}, {"pods": "main*4 cpu 1"}),
            ("another name of the pod set", {"pods": "one*1 cpu 4"}, {"pods": "two*1 cpu 4"}),
            ("labels do not matter", {}, {"labels": {"x": "y"}}), ("the local queue does not matter", {}, {"local_queue": "other"}),
            ("the namespace does not matter", {}, {"namespace": "team"}),
            ("limits do not matter", {}, {"pods": [pod_set(containers=[container("cpu 4", "cpu 5")])]}),
            ("the image does not matter", {}, {"pods": [pod_set(containers=[container("cpu 4", image="other")])]}),
            ("the command does not matter", {}, {"pods": [pod_set(containers=[container("cpu 4", command=["x"])])]}),
            ("a selector matters", {}, {"pods": [pod_set(requests="cpu 4", selector={"x": "y"})]}),
            ("a toleration matters", {}, {"pods": [pod_set(requests="cpu 4", tolerations=[{"operator": "Exists"}])]}),
            ("a port matters", {}, {"pods": [pod_set(containers=[container("cpu 4", ports=[{"containerPort": 80}])])]}),
            ("an init container matters", {}, {"pods": [pod_set(requests="cpu 4", init=[container("cpu 1", name="i")])]}),
            ("minCount matters", {}, {"pods": "main*1 min 1 cpu 4"}),
            ("the maximum execution time does not matter", {}, {"maximumExecutionTimeSeconds": 60}),
            ("another form of the same amount", {}, {"pods": "cpu 4000m"})]:
        t.case(f"alike? {title}", queue("a", "f1(cpu 3)"), local("other", "a"), local("a", "a", namespace="team"),
               work("a1", "a", **({"pods": "cpu 4"} | first)), work("a2", "a", **({"pods": "cpu 4", "at": 2} | second)))
    t.case("one that comes later is parked at once", queue("a", "f1(cpu 3)"), work("a1", "a", "cpu 4"),
           steps=[apply(work("a2", "a", "cpu 4", at=20000)), later("10s")])
    t.case("one that comes later and differs is looked at", queue("a", "f1(cpu 3)"), work("a1", "a", "cpu 4"),
           steps=[apply(work("a2", "a", "cpu 5", at=20000)), later("10s")])
    t.case("alike for want of a victim", queue("a", "f1(cpu 3)", within="LowerPriority"), work("r", "a", "cpu 3", prio=9, on="f1"),
           work("a1", "a", "cpu 2", at=2), work("a2", "a", "cpu 2", at=3))
    t.case("not alike in a strict queue", queue("a", "f1(cpu 3)", strict=True), work("a1", "a", "cpu 4"), work("a2", "a", "cpu 4", at=2))
    t.case("a mismatch of the namespace says nothing about the others", namespace("default", team="x"), namespace("team", team="y"),
           queue("a", "f1(cpu 3)", selector={"matchLabels": {"team": "y"}}), local("a", "a", namespace="team"),
           work("a1", "a", "cpu 2"), work("a2", "a", "cpu 2", at=2, namespace="team"))

    t.rule("Parked workloads come back when something of their tree changes: all of the tree, whatever it was.")
    tree = [queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 2)", "R"), queue("z", "f1(cpu 2)")]
    waiting = [work("ra", "a", "cpu 2", prio=9, on="f1"), work("rb", "b", "cpu 2", prio=9, on="f1"), work("rz", "z", "cpu 2", prio=9, on="f1"),
               work("wa", "a", "cpu 2", at=20), work("wb", "b", "cpu 2", at=21), work("wz", "z", "cpu 2", at=22)]
    for title, step in [
            ("a workload of the queue finishes", [finish("ra")]), ("a workload of the cohort finishes", [finish("rb")]),
            ("a workload elsewhere finishes", [finish("rz")]), ("a workload is deleted", [delete("Workload", "ra", "default")]),
            ("a workload is deactivated", [{"deactivate": "default/ra"}]),
            ("time passes", [later("24h")]),
            ("a quota grows", [apply(queue("b", "f1(cpu 4)", "R", own=False))]),
            ("a quota elsewhere grows", [apply(queue("z", "f1(cpu 4)", own=False))]),
            ("a quota shrinks", [apply(queue("b", "f1(cpu 1)", "R", own=False))]),
            ("the cohort gets quota", [apply(cohort("R", "f1(cpu 4)"))]),
            ("a queue joins the cohort", [apply(queue("z", "f1(cpu 2)", "R", own=False))]),
            ("a new queue joins the cohort", [apply(queue("n", "f1(cpu 4)", "R"))]),
            ("a queue of the cohort is deleted", [finish("rb"), delete("ClusterQueue", "b")]),
            ("a waiting workload is deleted", [delete("Workload", "wa", "default")]),
            ("a waiting workload gets a higher priority", [{"priority": {"workload": "default/wa", "value": 50}}]),
            ("a running workload gives pods back", [{"reclaim": {"workload": "default/ra", "pods": {"main": 1}}}]),
            ("a waiting workload needs fewer pods", [{"reclaim": {"workload": "default/wa", "pods": {"main": 1}}}]),
            ("an unrelated flavor is made", [apply(flavor("other"))]),
            ("the flavor gets a taint", [apply(flavor("f1", taints=[taint("x")]))]),
            ("an unrelated check is made", [apply(check("other"))]),
            ("a local queue is made", [apply(local("more", "a"))]),
            ("a local queue is stopped", [{"stopPolicy": {"localQueue": "default/a", "policy": "Hold"}}]),
            ("a local queue is stopped and started", [{"stopPolicy": {"localQueue": "default/a", "policy": "Hold"}},
                                                      {"stopPolicy": {"localQueue": "default/a", "policy": "None"}}]),
            ("the queue is stopped and started", [{"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}},
                                                  {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}]),
            ("a queue of the cohort is stopped", [{"stopPolicy": {"clusterQueue": "b", "policy": "Hold"}}]),
            ("a namespace changes", [apply(namespace("default", team="x"))]),
            ("a limit range comes", [apply(limit_range("l", limits("Container", max="cpu 1")))]),
            ("nothing but a new label on a waiting workload", [apply(work("wa", "a", "cpu 2", at=20, labels={"x": "y"}))]),
            ("a waiting workload asks for less", [apply(work("wa", "a", "cpu 1", at=20))])]:
        t.case("wakes? " + title, *tree, *waiting, steps=step + [later("10s")])
    t.case("the smallest goes first when all are woken", queue("a", "f1(cpu 4)"), work("r", "a", "cpu 4", prio=9, on="f1"),
           work("w1", "a", "cpu 3", at=2), work("w2", "a", "cpu 1", at=3), work("w3", "a", "cpu 3", at=4), steps=[finish("r"), later("10s")])

    t.rule("A workload is queued only while nothing bars it: it is active, not finished, holds no quota, is not on hold, and its "
           "local queue exists and is open.")
    for title, kw in [("inactive", dict(active=False)), ("finished", dict(conditions=[condition("Finished", reason="Succeeded")])),
                      ("on hold", dict(conditions=[condition("QuotaReserved", False, reason="OnHold")])),
                      ("pending for another reason", dict(conditions=[condition("QuotaReserved", False, reason="Pending")])),
                      ("waiting for replacement pods", dict(conditions=[condition("WaitingForReplacementPods")])),
                      ("no longer waiting for replacement pods", dict(conditions=[condition("WaitingForReplacementPods", False)])),
                      ("gated", dict(annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"})),
                      ("gated by nothing", dict(annotations={"kueue.x-k8s.io/admission-gated-by": ""})),
                      ("in a local queue that is missing", dict(local_queue="none")),
                      ("in no local queue", dict(queueName=None)),
                      ("to be requeued later", dict(conditions=[condition("Requeued", False, reason="PodsReadyTimeout")],
                                                    status={"requeueState": {"count": 1, "requeueAt": stamp(11000)}})),
                      ("to be requeued, the time has passed", dict(conditions=[condition("Requeued", False, reason="PodsReadyTimeout")],
                                                                   status={"requeueState": {"count": 1, "requeueAt": stamp(9000)}})),
                      ("requeued", dict(conditions=[condition("Requeued", True, reason="BackoffFinished")])),
                      ("requeued, but not yet", dict(conditions=[condition("Requeued", True, reason="BackoffFinished")],
                                                     status={"requeueState": {"count": 1, "requeueAt": stamp(11000)}}))]:
        t.case(f"barred? {title}", queue("a", "f1(cpu 1)"), work("w", "a", **kw), work("v", "a", at=2))
    t.case("barred? the local queue comes later", queue("a", "f1(cpu 1)", own=False), work("w", "a"),
           steps=[apply(local("a", "a")), later("10s")])
    t.case("barred? the cluster queue comes later", local("a", "a"), work("w", "a"),
           steps=[apply(queue("a", "f1(cpu 1)", own=False)), later("10s")])
    t.case("barred? the local queue is stopped", queue("a", "f1(cpu 1)", own=False), local("a", "a", stop="Hold"), work("w", "a"),
           steps=[{"stopPolicy": {"localQueue": "default/a", "policy": "None"}}, later("10s")])
    t.case("barred? the gate is taken away", queue("a", "f1(cpu 1)"),
           work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"}),
           steps=[apply(work("w", "a")), later("10s")])
    for gate in (True, False):
        t.case(f"barred? gated, AdmissionGatedBy {'on' if gate else 'off'}", queue("a", "f1(cpu 1)"),
               work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"}), gates={"AdmissionGatedBy": gate})
    t.case("barred? moved to another local queue", queue("a", "f1(cpu 1)"), queue("b", "f1(cpu 1)"), work("r", "a", prio=9, on="f1"),
           work("w", "a", at=2), steps=[apply(work("w", "b", at=2)), later("10s")])
    t.case("barred? its local queue is deleted", queue("a", "f1(cpu 1)"), work("r", "a", prio=9, on="f1"), work("w", "a", at=2),
           steps=[delete("LocalQueue", "a", "default"), finish("r"), later("10s"), apply(local("a", "a")), later("10s")])

    t.rule("A queue is inactive while it is stopped, or while a flavor or a check of it is missing or inactive; its heads are "
           "not offered.")
    for title, objects, steps in [
            ("Hold", [queue("a", "f1(cpu 1)", stop="Hold")], [{"stopPolicy": {"clusterQueue": "a", "policy": "None"}}]),
            ("HoldAndDrain", [queue("a", "f1(cpu 1)", stop="HoldAndDrain")], [{"stopPolicy": {"clusterQueue": "a", "policy": "None"}}]),
            ("a missing flavor", [queue("a", "f1(cpu 1) missing(cpu 1)")], apply(flavor("missing"))),
            ("a missing check", [queue("a", "f1(cpu 1)", checks=["c"])], apply(check("c"))),
            ("an inactive check", [queue("a", "f1(cpu 1)", checks=["c"]), check("c", active=False)], apply(check("c", active=True))),
            ("a check of unknown state", [queue("a", "f1(cpu 1)", checks=["c"]), check("c", active="Unknown")], apply(check("c", active=True))),
            ("flavor and check missing", [queue("a", "f1(cpu 1) missing(cpu 1)", checks=["c"])], apply(flavor("missing"), check("c"))),
            ("a topology that is missing", [queue("a", "f1(cpu 1)"), flavor("f1", {"pool": "x"}, topology="t")], []),
            ("two MultiKueue checks", [queue("a", "f1(cpu 1)", checks=["c", "d"]), check("c", "kueue.x-k8s.io/multikueue", active=True),
                                       check("d", "kueue.x-k8s.io/multikueue", active=True)], []),
            ("a MultiKueue check for some flavors", [queue("a", "f1(cpu 1) f2(cpu 1)", checks={"c": ["f1"]}),
                                                     check("c", "kueue.x-k8s.io/multikueue", active=True)], []),
            ("MultiKueue and provisioning", [queue("a", "f1(cpu 1)", checks=["c", "d"]), check("c", "kueue.x-k8s.io/multikueue", active=True),
                                             check("d", "kueue.x-k8s.io/provisioning-request", active=True)], [])]:
        t.case(f"inactive: {title}", *objects, work("w", "a"), steps=[*flat([steps]), later("10s")])
    t.case("inactive: a flavor is deleted while it runs", queue("a", "f1(cpu 2)"), work("r", "a", on="f1"), work("v", "a", "cpu 9", at=2),
           steps=[delete("ResourceFlavor", "f1"), apply(work("w", "a", at=20000)), later("10s")])
    t.case("inactive: a check becomes inactive", queue("a", "f1(cpu 2)", checks=["c"]), check("c", active=True), work("w", "a"),
           steps=[apply(check("c", active=False)), apply(work("v", "a", at=20000)), later("10s")])

    t.rule("A preemptor keeps the head of its queue until it is admitted, also against higher priorities that come meanwhile.")
    for strict in STRATEGIES:
        t.case(f"a higher priority comes while victims leave, {strategy(strict)}", queue("a", "f1(cpu 4)", within="LowerPriority", strict=strict),
               work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=10, at=3), emulation={"stopEvicted": False}, cycles=4,
               steps=[apply(work("v", "a", "cpu 4", prio=20, at=20000)), later("5s")])
    t.case("one that cannot preempt does not hide one that can", queue("a", "f1(cpu 0)", "R", reclaim="Any", within="LowerPriority"),
           queue("b", "f1(cpu 0)", "R", reclaim="Any"), cohort("R", "f1(cpu 9)"),
           *[work(f"r{i}", "a", "cpu 2", at=i, on="f1") for i in range(1, 5)], work("huge", "b", "cpu 6", prio=999, at=20),
           work("fine", "b", "cpu 5", at=21), fairSharing={}, cycles=30)
