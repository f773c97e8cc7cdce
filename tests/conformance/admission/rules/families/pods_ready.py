"""Waiting for pods to become ready: time-outs, back-off, blocked admission."""

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
