"""Waiting for pods to become ready: time-outs, back-off, blocked admission."""

from families.topology import TAS, TOPOLOGY, nodes, request
from notation import *


def ready(name, is_ready=True):
    return {"podsReady": {"workload": "default/" + name, "ready": is_ready}}


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}, "waitForPodsReady": {"timeout": "60s"}}
    one = queue("a", "f1(cpu 1)")
    t.rule("A workload whose pods are not ready in time is evicted and comes back after a back-off that doubles.")
    t.case("never ready", one, work("w", "a"), steps=[later("59s"), later("5s"), later("55s"), later("10s"), later("60s"), later("125s")])
    t.case("ready in time", one, work("w", "a"), steps=[later("30s"), ready("w"), later("10m")])
    t.case("another takes its place", one, work("w", "a"), work("v", "a", at=2), steps=[later("65s"), ready("v"), later("10m"), finish("v"), later("10m")])
    for limit in (0, 1, 2):
        t.case(f"at most {limit} times", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "requeuingStrategy": {"backoffLimitCount": limit}},
               steps=[later("65s"), later("65s"), later("65s"), later("130s"), later("65s"), later("5m")])
    for base, most in ((10, 3600), (60, 90), (0, 3600)):
        t.case(f"a back-off of {base} s, at most {most} s", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "requeuingStrategy": {"backoffBaseSeconds": base, "backoffMaxSeconds": most}},
               steps=[later("65s"), later("65s"), later("65s"), later("130s"), later("65s"), later("5m")])
    t.case("it counts from the admission, not from the reservation", check("c", active=True), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"),
           steps=[later("5m"), answer("w", "c", "Ready"), later("59s"), later("5s")])
    t.case("it runs when the manager starts", one, work("r", "a", on="f1", since=9970), steps=[later("29s"), later("5s")])
    t.case("it is overdue when the manager starts", one, work("r", "a", on="f1"), steps=[later("5s")])
    t.case("the pods of a running workload are ready", one, work("r", "a", on="f1", conditions=[condition("PodsReady", reason="Started")]), steps=[later("10m")])
    t.case("the queue goes on behind it", queue("a", "f1(cpu 2)"), work("w", "a"), work("v", "a", "cpu 2", at=2), steps=[later("65s"), later("65s"), later("65s")])
    t.case("finished in time", one, work("w", "a"), steps=[later("30s"), finish("w"), later("10m")])
    t.case("preempted in time", queue("a", "f1(cpu 1)", within="LowerPriority"), work("w", "a"), steps=[later("30s"), apply(work("v", "a", prio=9, at=20000)), ready("v"), later("10m")])
    t.case("deactivated during the back-off", one, work("w", "a"), steps=[later("65s"), {"deactivate": "default/w"}, later("65s"), {"activate": "default/w"}, later("5s")])
    t.case("the queue is stopped during the back-off", one, work("w", "a"), steps=[later("65s"), {"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}}, later("65s"),
                                                                                {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("5s")])

    t.rule("Pods that are no longer ready have the recovery time, if there is one.")
    for recovery in (None, "20s", "0s"):
        wait = {"timeout": "60s"} if recovery is None else {"timeout": "60s", "recoveryTimeout": recovery}
        t.case(f"recovery {recovery or 'not set'}", one, work("w", "a"), waitForPodsReady=wait, steps=[ready("w"), later("5m"), ready("w", False), later("19s"), later("5s"), later("40s")])
        t.case(f"recovered in time, recovery {recovery or 'not set'}", one, work("w", "a"), waitForPodsReady=wait, steps=[ready("w"), later("5m"), ready("w", False), later("10s"), ready("w"), later("5m")])
    t.case("not ready at first counts as starting", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "recoveryTimeout": "5s"}, steps=[ready("w", False), later("30s"), later("35s")])

    t.rule("A requeued workload takes its place by the time of its eviction, or by its creation if so configured.")
    for timestamp in ("Eviction", "Creation"):
        t.case(f"by {timestamp}", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "requeuingStrategy": {"timestamp": timestamp, "backoffBaseSeconds": 1}},
               steps=[apply(work("x", "a", at=20000), work("y", "a", at=20001)), later("65s"), ready("x"), later("10s"), finish("x"), later("5s"), ready("y"), ready("w"), later("5s")])

    t.rule("With blockAdmission nothing is admitted while the pods of an admitted workload are not ready.")
    block = {"timeout": "60s", "blockAdmission": True}
    two = [queue("a", "f1(cpu 2)"), queue("b", "f1(cpu 2)")]
    t.case("the second waits for the first", *two, work("w", "a", at=1), work("v", "b", at=2), waitForPodsReady=block, steps=[later("10s"), ready("w"), later("10s"), ready("v"), later("10s")])
    t.case("one that runs is not ready", *two, work("r", "a", on="f1", since=9990), work("v", "b", at=2), waitForPodsReady=block, steps=[later("10s"), ready("r"), later("10s")])
    t.case("one that runs is ready", *two, work("r", "a", on="f1", conditions=[condition("PodsReady", reason="Started")]), work("v", "b", at=2), waitForPodsReady=block, steps=[later("10s")])
    t.case("the first is never ready", *two, work("w", "a", at=1), work("v", "b", at=2), waitForPodsReady=block, steps=[later("70s"), later("70s")])
    t.case("the first finishes", *two, work("w", "a", at=1), work("v", "b", at=2), waitForPodsReady=block, steps=[later("5s"), finish("w"), later("10s")])
    t.case("three of one queue", queue("a", "f1(cpu 3)"), *[work(f"w{i}", "a", at=i) for i in (1, 2, 3)], waitForPodsReady=block, steps=[ready("w1"), later("3s"), ready("w2"), later("3s"), ready("w3"), later("3s")])
    t.case("one that is not admitted yet does not bar", check("c", active=True), queue("a", "f1(cpu 2)", checks=["c"]), queue("b", "f1(cpu 2)"), work("w", "a", at=1), work("v", "b", at=2), waitForPodsReady=block,
           steps=[later("5s"), ready("v"), later("5s")])
    for gate in (True, False):
        t.case(f"blockAdmission, DisableWaitForPodsReady {'on' if gate else 'off'}", *two, work("w", "a", at=1), work("v", "b", at=2), waitForPodsReady=block, steps=[later("70s")], gates={"DisableWaitForPodsReady": gate})
        t.case(f"a time-out, DisableWaitForPodsReady {'on' if gate else 'off'}", one, work("w", "a"), steps=[later("70s"), later("70s")], gates={"DisableWaitForPodsReady": gate})
    t.case("the older form is off unless enabled", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "enable": False}, steps=[later("70s"), later("70s")])
    t.case("the older form is enabled", one, work("w", "a"), waitForPodsReady={"timeout": "60s", "enable": True}, steps=[later("70s"), later("70s")])

    started = [condition("PodsReady", reason="Started")]
    a, b, c = [queue(name, "f1(cpu 2)") for name in "abc"]
    t.defaults["waitForPodsReady"] = {"timeout": "60s", "blockAdmission": True, "requeuingStrategy": {"backoffBaseSeconds": 5}}
    t.rule("The cycle of a head that waits for pods stands still; nobody else is tried, and it ends with the pods of the last one, their workload, or its quota.")
    pair = [a, b, work("w", "a", at=1), work("v", "b", at=2)]
    t.case("nothing ends the wait", *pair, steps=[later("30s")])
    t.case("ready, then not ready", *pair, steps=[ready("w"), ready("v"), ready("v", False), apply(work("x", "a", at=20000)), later("10s"), ready("v")])
    t.case("not ready changes nothing", *pair, steps=[ready("w", False), later("10s"), ready("w")])
    t.case("the one that is waited for is deactivated", *pair, steps=[{"deactivate": "default/w"}, later("10s")])
    t.case("the one that is waited for is deleted", queue("a", "f1(cpu 2)"), work("r", "a", on="f1", since=9990), work("v", "a", at=2), steps=[delete("Workload", "r", "default"), later("10s")])
    t.case("its queue is drained", *pair, steps=[{"stopPolicy": {"clusterQueue": "a", "policy": "HoldAndDrain"}}, later("10s"), ready("v"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}])
    t.case("its queue is held", *pair, steps=[{"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}}, later("10s"), ready("w")])
    t.case("its execution time is over", a, b, work("w", "a", at=1, maximumExecutionTimeSeconds=20), work("v", "b", at=2), steps=[later("30s"), ready("v"), later("30s")])
    t.case("two are waited for", a, b, work("r", "a", on="f1", since=9990), work("s", "a", on="f1", since=9991), work("v", "b", at=2), steps=[ready("r"), later("5s"), ready("s")])
    t.case("two are late at once", a, b, work("r", "a", on="f1", since=9990), work("s", "a", on="f1", since=9990), work("v", "b", at=2), steps=[later("70s"), ready("v"), later("10s")])
    t.case("one of another tree", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 2)", "S"), work("r", "a", on="f1", since=9990), work("v", "b", at=2), steps=[later("5s"), ready("r")])
    t.case("one that only has quota", check("c", active=True), queue("a", "f1(cpu 2)", checks=["c"]), b, work("r", "a", on="f1", since=9990, admitted=False), work("v", "b", at=2), steps=[later("5s"), answer("r", "c", "Ready"), later("5s"), ready("r")])
    t.case("three heads wait one after the other", a, b, c, work("u", "a", at=1), work("v", "b", at=2), work("w", "c", at=3), steps=[later("3s"), ready("u"), later("3s"), ready("v"), later("3s"), ready("w")])
    t.case("heads that do not fit do not wait", a, b, work("r", "a", "cpu 2", on="f1", since=9990), work("w", "a", at=1), work("v", "b", "cpu 3", at=2), steps=[later("5s"), ready("r"), later("5s")])
    t.case("a head that preempts does not wait", queue("a", "f1(cpu 2)", within="LowerPriority"), b, work("r", "a", "cpu 2", on="f1", since=9990), work("w", "a", at=1, prio=9), work("v", "b", at=2), steps=[later("5s"), ready("w"), later("5s")])
    t.case("a victim's end releases the next head", queue("a", "f1(cpu 2)", within="LowerPriority"), b, work("r", "a", "cpu 2", on="f1", since=9990), work("v", "b", at=3), work("w", "a", at=1, prio=9), steps=[later("5s"), ready("v"), later("5s")])

    t.rule("When the wait is over the heads that are left are decided as the cluster was when the cycle began.")
    tree = [queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 2)", "R")]
    wait = work("r", "a", on="f1", since=9990)
    t.case("quota that came meanwhile", *tree, wait, work("s", "c", "cpu 2", on="f1", conditions=started), work("v", "b", at=2), work("w", "c", "cpu 2", at=3), steps=[finish("s"), later("5s"), ready("r"), later("5s"), ready("v")])
    t.case("quota that went meanwhile", queue("a", "f1(cpu 1)"), b, c, wait, work("v", "b", at=2), work("w", "c", at=3), steps=[apply(queue("c", "f1(cpu 0)", own=False)), ready("r"), later("5s"), ready("v"), later("5s")])
    t.case("a workload that came meanwhile", a, b, wait, work("v", "b", "cpu 2", at=2), steps=[apply(work("x", "b", "cpu 2", prio=9, at=20000)), ready("r"), later("5s"), ready("v"), finish("v"), later("5s")])
    t.case("a head's priority changes", a, queue("b", "f1(cpu 1)"), wait, work("v", "b", at=2), work("w", "b", at=3), steps=[{"priority": {"workload": "default/v", "value": -9}}, ready("r"), later("5s"), ready("v"), finish("v"), later("5s")])
    t.case("a victim is finished meanwhile", a, b, queue("c", "f1(cpu 2)", within="LowerPriority"), wait, work("s", "c", "cpu 2", on="f1", conditions=started), work("v", "b", at=2), work("w", "c", at=3, prio=9),
           steps=[later("5s"), finish("s"), ready("r"), later("5s"), ready("v"), ready("w"), later("5s")])
    t.case("a victim of the second head is finished meanwhile", a, b, queue("c", "f1(cpu 2)", within="LowerPriority"), wait, work("s", "c", "cpu 2", on="f1", conditions=started), work("v", "b", at=2), work("w", "c", at=3, prio=9, uid="z"),
           steps=[finish("s"), later("5s"), ready("r"), later("5s"), ready("v"), later("5s"), ready("w")], gates={"PrioritySortingWithinCohort": False})
    t.case("a victim is evicted meanwhile", a, b, queue("c", "f1(cpu 2)", within="LowerPriority"), wait, work("s", "c", "cpu 2", on="f1", conditions=started), work("v", "b", at=2), work("w", "c", at=3, prio=9), gates={"PrioritySortingWithinCohort": False},
           steps=[{"deactivate": "default/s"}, later("5s"), ready("r"), later("5s"), ready("v"), later("5s"), {"activate": "default/s"}, ready("w")])
    t.case("a victim is deleted meanwhile", a, b, queue("c", "f1(cpu 2)", within="LowerPriority"), wait, work("s", "c", "cpu 2", on="f1", conditions=started), work("v", "b", at=2), work("w", "c", at=3, prio=9), gates={"PrioritySortingWithinCohort": False},
           steps=[delete("Workload", "s", "default"), later("5s"), ready("r"), later("5s"), ready("v"), later("5s"), ready("w")])
    t.case("fair sharing: who is next", *[queue(n, "f1(cpu 1)", "R") for n in "abcd"], wait, work("u", "b", "cpu 2", at=4), work("v", "c", "cpu 1", at=2), work("w", "d", "cpu 1", at=3), fairSharing={},
           steps=[later("5s"), ready("r"), later("5s"), ready("v"), later("5s"), ready("w")])
    t.case("one of them borrows", queue("a", "f1(cpu 1)", "R"), queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 2)", "R"), wait, work("v", "b", "cpu 3", at=2), work("w", "c", at=3), steps=[later("5s"), ready("r"), later("5s"), ready("w"), finish("w"), later("5s")])
    t.case("partial admission", a, b, wait, work("v", "b", [pod_set(count=4, minimum=1)], at=2), steps=[later("5s"), apply(queue("b", "f1(cpu 4)", own=False)), ready("r")])
    t.case("pods of the head are done meanwhile", a, b, wait, work("v", "b", [pod_set(count=2)], at=2), steps=[{"reclaim": {"workload": "default/v", "pods": {"main": 1}}}, ready("r"), later("5s")])

    t.rule("What the scheduler writes of a head is what it knew of it when the cycle began, whatever has happened since.")
    held = [a, queue("b", "f1(cpu 2)"), wait, work("v", "b", at=2)]
    t.case("the head is finished", *held, steps=[finish("v"), later("5s"), ready("r"), later("5s")])
    t.case("the head is deactivated", *held, steps=[{"deactivate": "default/v"}, later("5s"), ready("r"), later("5s")])
    t.case("the head is deactivated and activated", *held, steps=[{"deactivate": "default/v"}, {"activate": "default/v"}, later("5s"), ready("r"), later("5s"), ready("v")])
    t.case("the head's pods are called ready", *held, steps=[ready("v"), ready("r"), later("5s")])
    t.case("the head's pods were ready before", a, b, wait, work("v", "b", at=2, conditions=started), steps=[ready("v", False), ready("r"), later("5s")])
    t.case("the head's local queue is stopped", *held, steps=[{"stopPolicy": {"localQueue": "default/b", "policy": "Hold"}}, later("5s"), ready("r"), later("5s")])
    t.case("the head's local queue is drained", *held, steps=[{"stopPolicy": {"localQueue": "default/b", "policy": "HoldAndDrain"}}, later("5s"), ready("r"), later("5s")])
    t.case("the head's local queue is stopped and restarted", *held, steps=[{"stopPolicy": {"localQueue": "default/b", "policy": "Hold"}}, {"stopPolicy": {"localQueue": "default/b", "policy": "None"}}, ready("r"), later("5s")])
    t.case("the head's queue is stopped", *held, steps=[{"stopPolicy": {"clusterQueue": "b", "policy": "Hold"}}, later("5s"), ready("r"), later("5s")])
    t.case("the head's queue is drained", *held, steps=[{"stopPolicy": {"clusterQueue": "b", "policy": "HoldAndDrain"}}, later("5s"), ready("r"), later("5s")])
    t.case("the head's queue is deleted", *held, steps=[delete("ClusterQueue", "b"), later("5s"), ready("r"), later("5s")])
    t.case("the head's queue is deleted and comes back", *held, steps=[delete("ClusterQueue", "b"), apply(queue("b", "f1(cpu 2)", own=False)), ready("r"), later("5s")])
    t.case("the head moves to another queue", *held, steps=[apply(work("v", "b", at=2, local_queue="a")), later("5s"), ready("r"), later("5s")])
    t.case("a check of the head has answered", check("c", active=True), a, queue("b", "f1(cpu 2)", checks=["c"]), wait, work("v", "b", at=2), steps=[answer("v", "c", "Ready"), later("5s"), ready("r"), later("5s"), answer("v", "c", "Ready")])
    t.case("two heads of which the second is deactivated", a, b, c, wait, work("v", "b", at=2), work("w", "c", at=3), steps=[{"deactivate": "default/w"}, ready("r"), later("5s"), ready("v"), later("5s")])
    t.case("the second is finished while it waits", a, b, c, wait, work("v", "b", at=2), work("w", "c", at=3), steps=[ready("r"), finish("w"), later("5s"), ready("v"), later("5s")])
    t.case("a pods_ready that was lost", a, b, c, wait, work("v", "b", at=2), work("w", "c", at=3), steps=[ready("w"), ready("r"), ready("v"), later("5s"), apply(work("x", "a", at=20000)), later("5s"), ready("w")])

    t.rule("A head that was not admitted goes back when its cycle is over, and sees what was woken meanwhile.")
    full = [queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 1)", "R"), queue("c", "f1(cpu 0)", "R"), work("s", "a", "cpu 2", on="f1", conditions=started), work("n", "b", on=None, at=3)]
    t.case("woken meanwhile", *full, work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[finish("s"), later("5s"), ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("not woken", *full, work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[later("5s"), ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("one that does not fit is deactivated and activated", *full, work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[{"deactivate": "default/w"}, {"activate": "default/w"}, ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("one that does not fit is finished", *full, work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[finish("w"), ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("one that does not fit gets more priority", *full, work("w", "c", "cpu 2", at=1), work("y", "c", at=5), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[{"priority": {"workload": "default/w", "value": 9}}, ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("a stopped local queue keeps one that does not fit", *full, work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[{"stopPolicy": {"localQueue": "default/c", "policy": "Hold"}}, ready("x"), later("5s"), {"stopPolicy": {"localQueue": "default/c", "policy": "None"}}, ready("n"), later("5s")])
    t.case("one that does not fit moves and is finished", *full, queue("d", "f1(cpu 3)"), work("w", "c", "cpu 2", at=1), work("x", "b", on="f1", since=9990, pods=[pod_set(requests="cpu 0")]), steps=[apply(work("w", "c", "cpu 2", at=1, local_queue="d")), finish("w"), later("5s"), ready("x"), later("5s"), ready("n"), later("5s")])
    t.case("workloads that are alike wait, too", queue("a", "f1(cpu 2)"), queue("b", "f1(cpu 1)"), work("r", "a", on="f1", since=9990), work("w", "b", "cpu 2", at=1), work("x", "b", "cpu 2", at=3), work("v", "a", at=2), steps=[later("5s"), apply(work("y", "b", "cpu 2", at=20000)), ready("r"), later("5s"), ready("v"), later("5s")])

    t.rule("Nothing is written, and nobody is woken, when pods are reported as they are.")
    idle = [queue("a", "f1(cpu 1)"), work("r", "a", on="f1", conditions=started), work("w", "a", at=2)]
    t.case("a finished workload's pods are ready again", *idle, steps=[ready("r"), finish("r"), ready("w"), later("5s"), apply(work("x", "a", "cpu 2", at=20000)), ready("r"), ready("r", False), ready("r", False)])
    t.case("a check answers again about a finished workload", check("c", active=True), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a", at=2), work("x", "a", "cpu 2", at=3), steps=[answer("w", "c", "Ready"), finish("w"), answer("w", "c", "Ready"), answer("w", "c", "Retry"), answer("w", "c", "Retry")])

    t.rule("A second pass takes its workload to be what it was when the pass was found to be needed, and needs no queue that is open.")
    pair = work("w", "a", [pod_set(count=2, topology=request("required R"))])
    t.case("pods that became ready before the second pass", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), queue("a", "tas(cpu 100)"), b, pair, work("v", "b", at=2),
           steps=[delete("Node", "h1"), ready("w"), later("5s"), ready("v"), later("5s"), ready("w", False), ready("w"), later("5s")])
    t.case("pods that became ready before the second pass failed", TOPOLOGY, TAS, *nodes("b{r{h1:2}}"), queue("a", "tas(cpu 100)"), b, pair, work("v", "b", at=2),
           steps=[delete("Node", "h1"), ready("w"), later("5s"), ready("v"), later("5s")])
    for policy in ("Hold", "HoldAndDrain"):
        t.case(f"a second pass in a queue that is stopped with {policy}", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), queue("a", "tas(cpu 100)"), pair,
               steps=[ready("w"), {"stopPolicy": {"clusterQueue": "a", "policy": policy}}, delete("Node", "h1"), later("10s"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("30s")])
