"""What happens to a workload after its reservation: eviction, deactivation, stopped queues, edits, times."""

from notation import *


def stop(queue_name, policy):
    return {"stopPolicy": {"clusterQueue": queue_name, "policy": policy}}


def stop_local(queue_name, policy):
    return {"stopPolicy": {"localQueue": "default/" + queue_name, "policy": policy}}


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    follow = work("w", "a", at=20000)

    t.rule("A workload that is deactivated gives its quota back at once, and comes back when it is activated.")
    t.case("deactivated while it runs", queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), work("w", "a", at=2),
           steps=[{"deactivate": "default/r"}, later("10s")])
    t.case("deactivated and its pods stay", queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), work("w", "a", at=2),
           steps=[{"deactivate": "default/r"}, later("10s")], emulation={"stopEvicted": False})
    t.case("deactivated and activated again", queue("a", "f1(cpu 1)"), work("r", "a", on="f1"),
           steps=[{"deactivate": "default/r"}, later("10s"), {"activate": "default/r"}, later("10s")])
    t.case("deactivated while it waits", queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), work("w", "a", at=2),
           steps=[{"deactivate": "default/w"}, finish("r"), later("10s"), {"activate": "default/w"}, later("10s")])
    t.case("deactivated while its checks are pending", check("c", active=True), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"),
           work("v", "a", at=2), steps=[{"deactivate": "default/w"}, later("10s")])
    t.case("made inactive, activated later", queue("a", "f1(cpu 1)"), work("w", "a", active=False), steps=[{"activate": "default/w"}, later("5s")])
    t.case("deactivated after its preemption", queue("a", "f1(cpu 1)", within="LowerPriority"), work("l", "a", on="f1"), work("w", "a", prio=5, at=2),
           steps=[{"deactivate": "default/l"}, finish("w"), later("10s"), {"activate": "default/l"}, later("10s")])
    t.case("activated twice", queue("a", "f1(cpu 1)"), work("r", "a", on="f1"),
           steps=[{"activate": "default/r"}, {"deactivate": "default/r"}, {"deactivate": "default/r"}, {"activate": "default/r"}, later("10s")])
    t.case("deactivated in a StrictFIFO queue", queue("a", "f1(cpu 1)", strict=True), work("w", "a", "cpu 9"), work("v", "a", at=2), cycles=3,
           steps=[{"deactivate": "default/w"}, later("10s")])

    t.rule("A workload that finishes or is deleted gives its quota back; what does not exist changes nothing.")
    for title, steps in [("finished", [finish("r")]), ("deleted", [delete("Workload", "r", "default")]), ("finished twice", [finish("r"), finish("r")]),
                         ("finished while it waits", [finish("w")]), ("deleted while it waits", [delete("Workload", "w", "default")]),
                         ("finished and deleted", [finish("r"), delete("Workload", "r", "default")])]:
        t.case("end: " + title, queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), work("w", "a", at=2), work("v", "a", at=3), steps=steps + [later("10s")])
    t.case("end: finished with its checks pending", check("c", active=True), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"), work("v", "a", at=2),
           steps=[finish("w"), later("10s")])

    t.rule("Hold lets admitted workloads run and takes the reservations of the others; HoldAndDrain evicts all; a start brings "
           "them back.")
    for policy in ("Hold", "HoldAndDrain"):
        for where, halt in (("cluster queue", stop), ("local queue", stop_local)):
            objects = [check("c", active=True), queue("a", "f1(cpu 3) f2(cpu 1)", checks={"c": ["f2"]})]
            t.case(f"{policy} of the {where}: admitted, reserved and waiting", *objects, work("adm", "a", on="f1"),
                   work("res", "a", on="f2", admitted=False, at=2), work("big", "a", "cpu 3", at=3), steps=[halt("a", policy), later("10s"), halt("a", "None"), later("10s")])
            t.case(f"{policy} of the {where}: something comes meanwhile", queue("a", "f1(cpu 3)"), work("adm", "a", on="f1"),
                   steps=[halt("a", policy), apply(follow), later("10s"), halt("a", "None"), later("10s")])
            t.case(f"{policy} of the {where}: something finishes meanwhile", queue("a", "f1(cpu 1)"), work("adm", "a", on="f1"), work("w", "a", at=2),
                   steps=[halt("a", policy), finish("adm"), later("10s"), halt("a", "None"), later("10s")])
            t.case(f"{policy} of the {where}: pods stay", queue("a", "f1(cpu 1)"), work("adm", "a", on="f1"),
                   steps=[halt("a", policy), later("10s"), halt("a", "None"), later("10s")], emulation={"stopEvicted": False})
        t.case(f"{policy} of one local queue leaves the other", queue("a", "f1(cpu 2)"), local("b", "a"), work("ra", "a", on="f1"),
               work("rb", "a", on="f1", local_queue="b", at=2), steps=[stop_local("a", policy), apply(work("wa", "a", at=20000), work("wb", "a", at=20001, local_queue="b")),
                                                                       later("10s")])
        t.case(f"{policy} of a borrower", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 0)", "R"), work("rb", "b", "cpu 2", on="f1"), work("wa", "a", "cpu 2", at=2),
               steps=[stop("b", policy), later("10s")])
        t.case(f"{policy} given from the start", queue("a", "f1(cpu 2)", stop=policy), work("ra", "a", on="f1"), work("wa", "a", at=2))
    t.case("HoldAndDrain becomes Hold", queue("a", "f1(cpu 2)"), work("r", "a", on="f1"), steps=[stop("a", "HoldAndDrain"), stop("a", "Hold"), later("10s"), stop("a", "None"), later("10s")])
    t.case("Hold becomes HoldAndDrain", queue("a", "f1(cpu 2)"), work("r", "a", on="f1"), steps=[stop("a", "Hold"), stop("a", "HoldAndDrain"), later("10s"), stop("a", "None"), later("10s")])
    t.case("both are stopped, one is started", queue("a", "f1(cpu 2)"), work("r", "a", on="f1"), steps=[
        stop("a", "HoldAndDrain"), stop_local("a", "HoldAndDrain"), later("5s"), stop("a", "None"), later("5s"), stop_local("a", "None"), later("5s")])
    t.case("a deactivated workload stays so when its queue starts", queue("a", "f1(cpu 2)"), work("r", "a", on="f1"),
           steps=[stop("a", "HoldAndDrain"), {"deactivate": "default/r"}, stop("a", "None"), later("10s"), {"activate": "default/r"}, later("10s")])

    t.rule("Without its queue an admitted workload runs on, a reservation is lost.")
    for title, steps in [("the local queue is deleted", [delete("LocalQueue", "a", "default")]), ("the cluster queue is deleted", [delete("ClusterQueue", "a")]),
                         ("both are deleted", [delete("LocalQueue", "a", "default"), delete("ClusterQueue", "a")])]:
        t.case("missing: " + title, check("c", active=True), queue("a", "f1(cpu 3) f2(cpu 1)", checks={"c": ["f2"]}), work("adm", "a", on="f1"),
               work("res", "a", on="f2", admitted=False, at=2), work("big", "a", "cpu 3", at=3), steps=steps + [later("10s")])
        t.case("missing: " + title + " and made again", queue("a", "f1(cpu 3)"), work("adm", "a", on="f1"), work("big", "a", "cpu 3", at=3),
               steps=steps + [later("5s"), apply(queue("a", "f1(cpu 4)")), later("10s")])
    t.case("missing: a queue that never was", work("w", "none"), queue("a", "f1(cpu 1)"))
    t.case("missing: a local queue of a cluster queue that never was", local("l", "none"), work("w", "a", local_queue="l"), queue("a", "f1(cpu 1)"))

    t.rule("The priority of a workload may change: it takes its new place, or its victims fall due.")
    change = lambda name, value: {"priority": {"workload": "default/" + name, "value": value}}
    t.case("priority of the second rises", queue("a", "f1(cpu 1)"), work("r", "a", prio=9, on="f1"), work("w", "a", at=2), work("v", "a", at=3), steps=[change("v", 5), finish("r"), later("10s")])
    t.case("priority of the first falls", queue("a", "f1(cpu 1)"), work("r", "a", prio=9, on="f1"), work("w", "a", at=2), work("v", "a", at=3), steps=[change("w", -5), finish("r"), later("10s")])
    t.case("priority rises above the running one", queue("a", "f1(cpu 1)", within="LowerPriority"), work("r", "a", prio=9, on="f1"), work("w", "a", at=2), steps=[change("w", 10), later("10s")])
    t.case("priority of the running one falls", queue("a", "f1(cpu 1)", within="LowerPriority"), work("r", "a", prio=9, on="f1"), work("w", "a", prio=5, at=2), steps=[change("r", 1), later("10s")])
    t.case("priority of a class changes", queue("a", "f1(cpu 1)"), priority_class("p", 1), work("r", "a", prio=9, on="f1"), work("w", "a", at=2, prio=1,
           priorityClassRef={"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "p"}), work("v", "a", at=3, prio=5),
           steps=[apply(priority_class("p", 7)), finish("r"), later("10s")])
    t.case("a pod priority class changes nothing", queue("a", "f1(cpu 1)"), priority_class("p", 1, "PriorityClass"), work("r", "a", prio=9, on="f1"), work("w", "a", at=2, prio=1,
           priorityClassRef={"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "p"}), work("v", "a", at=3, prio=5),
           steps=[apply(priority_class("p", 7, "PriorityClass")), finish("r"), later("10s")])
    t.case("alike no longer, after its priority changed", queue("a", "f1(cpu 3)"), work("w", "a", "cpu 9"), work("v", "a", "cpu 9", at=2), steps=[change("v", 3), later("10s")])

    t.rule("Pods that are given back free quota, count in the queue, and cannot come back.")
    give = lambda name, count, pod_set_name="main": {"reclaim": {"workload": "default/" + name, "pods": {pod_set_name: count}}}
    t.case("a running workload gives two of four", queue("a", "f1(cpu 4)"), work("r", "a", "main*4 cpu 1", on="f1"), work("w", "a", "cpu 2", at=2), steps=[give("r", 2), later("10s")])
    t.case("one after the other", queue("a", "f1(cpu 4)"), work("r", "a", "main*4 cpu 1", on="f1"), work("w", "a", "cpu 2", at=2),
           steps=[give("r", 1), later("5s"), give("r", 2), later("5s"), give("r", 4), later("5s")])
    t.case("fewer than before are refused", queue("a", "f1(cpu 4)"), work("r", "a", "main*4 cpu 1", on="f1"), work("w", "a", "cpu 2", at=2), steps=[give("r", 2), give("r", 1), later("5s")])
    t.case("a waiting workload needs fewer", queue("a", "f1(cpu 4)"), work("w", "a", "main*6 cpu 1"), steps=[give("w", 2), later("5s")])
    t.case("preempted after giving back", queue("a", "f1(cpu 4)", within="LowerPriority"), work("r", "a", "main*4 cpu 1", on="f1"),
           steps=[give("r", 2), apply(work("w", "a", "cpu 3", prio=9, at=20000)), later("5s"), finish("w"), later("5s")])
    t.case("with the gate off", queue("a", "f1(cpu 4)"), work("r", "a", "main*4 cpu 1", on="f1"), work("w", "a", "cpu 2", at=2), steps=[give("r", 2), later("10s")], gates={"ReclaimablePods": False})

    t.rule("A workload runs no longer than its maximum; what it ran before counts, and what it was stopped does not.")
    limit = dict(maximumExecutionTimeSeconds=60)
    t.case("the time ends", queue("a", "f1(cpu 1)"), work("w", "a", **limit), work("v", "a", at=2), steps=[later("59s"), later("2s"), later("10s")])
    t.case("it runs since a while", queue("a", "f1(cpu 1)"), work("r", "a", on="f1", since=9970, **limit), work("v", "a", at=2), steps=[later("29s"), later("2s")])
    t.case("it is overdue from the start", queue("a", "f1(cpu 1)"), work("r", "a", on="f1", since=1, **limit), work("v", "a", at=2), steps=[later("5s")])
    t.case("it ran before", queue("a", "f1(cpu 1)"), work("w", "a", status={"accumulatedPastExecutionTimeSeconds": 50}, **limit), work("v", "a", at=2), steps=[later("9s"), later("3s")])
    t.case("it was preempted in between", queue("a", "f1(cpu 1)", within="LowerPriority"), work("w", "a", **limit),
           steps=[later("30s"), apply(work("v", "a", prio=9, at=20000)), later("100s"), finish("v"), later("29s"), later("5s")])
    t.case("it waits for its checks", check("c", active=True), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a", **limit),
           steps=[later("100s"), answer("w", "c", "Ready"), later("58s"), later("5s")])
    t.case("it is activated again", queue("a", "f1(cpu 1)"), work("w", "a", **limit), steps=[later("70s"), {"activate": "default/w"}, later("58s"), later("5s")])
    t.case("it finishes in time", queue("a", "f1(cpu 1)"), work("w", "a", **limit), steps=[later("30s"), finish("w"), later("100s")])

    t.rule("A waiting workload may be edited: it is looked at again.")
    for title, edit in [("smaller", dict(pods="cpu 1")), ("larger", dict(pods="cpu 9")), ("another selector", dict(pods=[pod_set(requests="cpu 2", selector={"t": "b"})])),
                        ("nothing", dict(pods="cpu 2")), ("an annotation", dict(pods="cpu 2", annotations={"x": "y"})),
                        ("a toleration", dict(pods=[pod_set(requests="cpu 2", tolerations=[{"operator": "Exists"}])])),
                        ("a priority boost", dict(pods="cpu 2", annotations={"kueue.x-k8s.io/priority-boost": "5"}))]:
        t.case(f"edited: {title}", flavor("f1", {"t": "a"}), flavor("f2", {"t": "b"}, taints=[taint("z")]), queue("a", "f1(cpu 1) f2(cpu 2)"), work("w", "a", "cpu 2"),
               steps=[apply(work("w", "a", **edit)), later("10s")], gates={"PriorityBoost": True})
    t.case("edited: resources of a running workload are refused", queue("a", "f1(cpu 4)"), work("r", "a", "cpu 2", on="f1"), steps=[apply(work("r", "a", "cpu 3")), later("5s")])
    t.case("edited: a workload is made again under its name", queue("a", "f1(cpu 4)"), work("r", "a", "cpu 2", on="f1"),
           steps=[delete("Workload", "r", "default"), apply(work("r", "a", "cpu 3", uid="r2", at=20000)), later("5s")])

    t.rule("Flavors and quotas may change under running workloads: what runs stays, what waits is looked at again.")
    for title, steps in [
            ("a flavor is added", [apply(flavor("f2"), queue("a", "f1(cpu 1) f2(cpu 5)", own=False))]),
            ("the flavor is removed", [apply(flavor("f2"), queue("a", "f2(cpu 5)", own=False))]),
            ("the order of flavors changes", [apply(flavor("f2"), queue("a", "f2(cpu 5) f1(cpu 1)", own=False))]),
            ("a resource is added", [apply(queue("a", "f1(cpu 9, memory 1Gi)", own=False))]),
            ("the queue covers nothing any more", [apply(queue("a", "", own=False))]),
            ("preemption is allowed", [apply(queue("a", "f1(cpu 1)", within="LowerPriority", own=False))]),
            ("a check is added", [apply(check("c", active=True), queue("a", "f1(cpu 9)", checks=["c"], own=False))]),
            ("labels of the flavor change", [apply(flavor("f1", {"t": "x"}))]),
            ("the strategy becomes StrictFIFO", [apply(queue("a", "f1(cpu 1)", strict=True, own=False))]),
            ("the queue is deleted and made again", [delete("ClusterQueue", "a"), apply(queue("a", "f1(cpu 9)", own=False))])]:
        t.case("changed: " + title, queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), work("w", "a", "cpu 3", prio=5, at=2), work("v", "a", "cpu 1", prio=4, at=3), cycles=5,
               steps=steps + [later("10s")])

    plain = {"UnadmittedWorkloadsObservability": False}
    t.rule("A ClusterQueue that is deleted and that nobody holds quota of is gone before its workloads hear of it: they wake nobody any more.")
    for title, more in [("deactivated", {"deactivate": "default/r"}), ("finished", finish("r"))]:
        t.case(f"gone: the queue of a workload that is {title}", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"),
               work("w", "b", "cpu 3", at=2), steps=[more, at("10s", delete("ClusterQueue", "a")), later("10s")], gates=plain)
    t.case("gone: the queue of a workload that is deactivated and whose pods stay", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"),
           work("w", "b", "cpu 3", at=2), steps=[{"deactivate": "default/r"}, at("10s", delete("ClusterQueue", "a")), later("10s")], gates=plain, emulation={"stopEvicted": False})

    t.rule("Any change of a finished workload wakes its tree, but not one with which it runs again.")
    again = work("r", "a", on="f1", labels={"x": "y"})
    t.case("runs again: with the status of one that runs", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"), work("w", "b", "cpu 4", at=2),
           steps=[finish("r"), apply(again), later("5s")])
    t.case("runs again: it names another queue", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"), work("w", "b", "cpu 4", at=2),
           steps=[finish("r"), apply(work("r", "a", on="f1", local_queue="nowhere")), later("5s")])
    t.case("runs again: a label alone", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"), work("w", "b", "cpu 4", at=2),
           steps=[finish("r"), apply(work("r", "a", labels={"x": "y"})), later("5s")])

    t.rule("The condition names the generation of the spec: after a change it is written anew, even with the same words, and without "
           "FlavorFungibilityPreserveScanProgress that has the search start over.")
    flavors = "f1(cpu 2) f2(cpu 6) f3(cpu 4)"
    for title, step in [("a priority", {"priority": {"workload": "default/w", "value": 7}}), ("its class", apply(priority_class("hi", 7)))]:
        for strict in (False, True):
            for gate in (False, True):
                t.case(f"generation: {title} {'in a StrictFIFO queue' if strict else 'in a queue'}{'' if gate else ', the gate is off'}",
                       queue("a", flavors, "R", strict=strict, borrow="TryNextFlavor", preempt="MayStopSearch"),
                       work("w", "a", "one*1 cpu 6 + two*2 cpu 6", prio=5, priorityClassRef={"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "hi"}),
                       steps=[step, later("5s")],
                       gates={**plain, "FlavorFungibilityPreserveScanProgress": gate, "SchedulingEquivalenceHashing": False})

    t.rule("A workload that moves to another LocalQueue starts its search for flavors over, whatever its old queue knew.")
    def move(pods, **more):
        return apply(work("w", "b", pods, prio=5, **more))
    for strict in (False, True):
        for title, pods in [("as it is", "one*1 cpu 2 + two*1 cpu 9"), ("with a minimum", [pod_set("one", requests="cpu 2", minimum=1), pod_set("two", requests="cpu 9")])]:
            t.case(f"moved: {title}, from a {'StrictFIFO' if strict else 'BestEffortFIFO'} queue", queue("a", "f1(cpu 2) f2(cpu 2)", "R", strict=strict, borrow="TryNextFlavor"),
                   queue("b", "f1(cpu 2) f2(cpu 2)", "R", borrow="TryNextFlavor"), work("w", "a", "one*1 cpu 2 + two*1 cpu 9", prio=5), steps=[move(pods), later("5s")], gates=plain)
    t.case("moved: to a local queue of the same cluster queue", queue("a", "f1(cpu 2) f2(cpu 2)", "R", strict=True, borrow="TryNextFlavor"), local("b", "a"),
           work("w", "a", "one*1 cpu 2 + two*1 cpu 9", prio=5), steps=[move("one*1 cpu 2 + two*1 cpu 9"), later("5s")], gates=plain)

    t.rule("Nobody is told of a queue that is being deleted and still holds workloads: what comes to it wakes no cohort.")
    for title, more in [("with a Cohort object", [cohort("R", parent="ROOT")]), ("without", [])]:
        t.case(f"going: something comes, {title}", *more, queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"), work("w", "b", "cpu 3", at=2),
               steps=[delete("ClusterQueue", "a"), later("10s"), apply(work("n", "a", at=20000)), later("5s")], gates=plain)
        t.case(f"going: something that waits there is deleted, {title}", *more, queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"),
               work("w", "b", "cpu 3", at=2), work("n", "a", at=3), steps=[delete("ClusterQueue", "a"), later("10s"), delete("Workload", "n", "default"), later("5s")], gates=plain)

    t.rule("A workload that loses its quota wakes the tree of the LocalQueue that it names then.")
    lost = {"status": {"conditions": [condition("QuotaReserved", False, "Pending", message="x")]}}
    for title, name in [("as before", "a"), ("another one", "b"), ("one that is not there", "nowhere")]:
        t.case(f"lost with its status: it names {title}", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "S"), work("r", "a", on="f1"), work("w", "a", "cpu 4", at=2),
               work("v", "b", "cpu 4", at=3), steps=[apply(work("r", "a", "cpu 1", local_queue=name, **lost)), later("5s")], gates=plain)

    t.rule("Pods that are done change nothing where none is.")
    t.case("none done: its local queue is gone", cohort("R", parent="ROOT"), queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "R"), work("r", "a", on="f1"),
           work("w", "b", "cpu 4", at=2), steps=[delete("LocalQueue", "a", "default"), later("5s"), {"reclaim": {"workload": "default/r", "pods": {"main": 0}}}, later("5s")], gates=plain)

    t.rule("The time that a workload ran counts, whether it had a maximum or not.")
    t.case("ran before: the maximum comes later", queue("a", "f1(cpu 1)"), work("w", "a"),
           steps=[at("30s", {"deactivate": "default/w"}), later("5s"), apply(work("w", "a", maximumExecutionTimeSeconds=30)), later("5s")])
    t.case("ran before: the larger maximum comes later", queue("a", "f1(cpu 1)"), work("w", "a"),
           steps=[at("30s", {"deactivate": "default/w"}), later("5s"), apply(work("w", "a", maximumExecutionTimeSeconds=50)), later("18s"), later("5s")])

    t.rule("A workload with quota of a queue that does not exist is stopped like any other.")
    orphan = [flavor("f1"), local("a", "gone")]
    ready = {"waitForPodsReady": {"enable": True, "timeout": "60s", "recoveryTimeout": "60s"}}
    for title, one, more, steps in [
            ("evicted", work("r", "gone", on="f1", local_queue="a", conditions=[condition("Evicted", True, "Preempted")]), {}, []),
            ("its pods are not ready in time", work("r", "gone", on="f1", since=9990, local_queue="a"), ready, [later("2m")]),
            ("a check has it retried", work("r", "gone", on="f1", local_queue="a", status={"admissionChecks": [
                {"name": "c", "state": "Retry", "message": "x", "lastTransitionTime": stamp(5), "podSetUpdates": []}]}), {}, []),
            ("its local queue is drained", work("r", "gone", on="f1", local_queue="a"), {}, [stop_local("a", "HoldAndDrain"), later("5s")]),
            ("deactivated", work("r", "gone", on="f1", local_queue="a"), {}, [{"deactivate": "default/r"}, later("5s")]),
            ("finished", work("r", "gone", on="f1", local_queue="a"), {}, [finish("r"), later("5s")]),
            ("its time is over", work("r", "gone", on="f1", local_queue="a", maximumExecutionTimeSeconds=5), {}, [later("10s")])]:
        t.case(f"orphan: {title}", *orphan, one, steps=steps, **more)

    t.rule("A LocalQueue that is led to another ClusterQueue takes along what stands in it: not one whose back-off runs.")
    for title, first in [("from nowhere", {"clusterQueue": ""}), ("from another queue", {"clusterQueue": "b"})]:
        t.case(f"led elsewhere: {title}, an evicted workload waits", flavor("f1"), queue("a", "f1(cpu 1)", own=False), queue("b", "f1(cpu 1)", own=False), thing("LocalQueue", "l", first, namespace="default"),
               work("r", "b", on="f1", local_queue="l"), work("w", "b", "cpu 2", local_queue="l", at=2), steps=[later("2m"), apply(local("l", "a")), later("10s"), later("2m")], gates=plain, **ready)

    t.rule("A workload that moves to a LocalQueue that is not there is seen nowhere any more: nothing that happens to it wakes anybody.")
    for title, step in [("deactivated", {"deactivate": "default/r"}), ("finished", finish("r")), ("deleted", delete("Workload", "r", "default"))]:
        t.case(f"seen nowhere: {title}", queue("a", "f1(cpu 1)"), work("w", "a", "cpu 4", at=2), work("r", "a", "cpu 5", prio=-1, at=3),
               steps=[apply(work("r", "a", "cpu 5", prio=-1, at=3, local_queue="nowhere")), later("5s"), step, later("5s")], gates=plain)
    t.case("seen nowhere: activated and deactivated at once", queue("a", "f1(cpu 1)"), work("w", "a", "cpu 4", at=2), work("r", "a"),
           steps=[at("60s", {"deactivate": "default/r"}), later("5s"), apply(work("r", "a", local_queue="nowhere", maximumExecutionTimeSeconds=60)), later("5s")], gates=plain)

    t.rule("A change that brings quota with it has the workload seen nowhere: it wakes nobody when it loses that again.")
    for name in ("a", "b"):
        t.case(f"comes with quota: it names {name}", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R", own=False), work("w", "a", "cpu 4", at=2),
               work("r", "b", "cpu 3", local_queue="b", at=3), steps=[apply(work("r", "b", "cpu 3", on="f1", local_queue=name, at=3)), later("5s"), {"deactivate": "default/r"}, later("5s")], gates=plain)
