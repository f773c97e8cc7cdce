"""Concurrent admission and gates on preemption, as far as the scheduler has a part in it."""

from notation import *

GATES = {"ConcurrentAdmission": True, "UnadmittedWorkloadsObservability": True}


def write(t):
    t.defaults = {"gates": GATES}
    gated = {"preemptionGates": [{"name": "example.com/gate"}]}
    opened = {"preemptionGates": [{"name": "example.com/gate", "position": "Open", "lastTransitionTime": stamp(1)}]}
    t.rule("A closed gate lets a workload in that fits, and holds one back that would have to preempt.")
    for gates in ({}, {"ConcurrentAdmission": False}, {"ConcurrentAdmission": False, "MultiKueueOrchestratedPreemption": True}):
        label = ", ".join(f"{k} {'on' if v else 'off'}" for k, v in gates.items()) or "ConcurrentAdmission on"
        q = queue("a", "f1(cpu 1)", within="LowerPriority")
        t.case(f"it would preempt; {label}", q, work("l", "a", on="f1"), work("w", "a", prio=5, at=2, **gated), gates=gates)
        t.case(f"it fits; {label}", q, work("w", "a", prio=5, at=2, **gated), gates=gates)
        t.case(f"nobody to preempt; {label}", q, work("l", "a", prio=9, on="f1"), work("w", "a", prio=5, at=2, **gated), gates=gates)
        t.case(f"the gate is open; {label}", q, work("l", "a", on="f1"), work("w", "a", prio=5, at=2, status=opened, **gated), gates=gates)
        t.case(f"others go on; {label}", q, work("l", "a", on="f1"), work("w", "a", prio=5, at=2, **gated), work("v", "a", prio=4, at=3), gates=gates)
    t.case("two gates, one open", queue("a", "f1(cpu 1)", within="LowerPriority"), work("l", "a", on="f1"),
           work("w", "a", prio=5, at=2, preemptionGates=[{"name": "example.com/gate"}, {"name": "example.com/other"}], status=opened))

    allowed = "kueue.x-k8s.io/workload-allowed-resource-flavors"
    t.rule("A variant may use only the flavors that its annotation names.")
    for value in ("f1", "f2", "f1,f2", "f9", ""):
        for on in (True, False):
            t.case(f"allowed `{value}`, ConcurrentAdmission {'on' if on else 'off'}", queue("a", "f1(cpu 1) f2(cpu 5)"), work("w", "a", "cpu 3", annotations={allowed: value}), gates={"ConcurrentAdmission": on})
    t.case("alike but for the flavors they may use", queue("a", "f1(cpu 1) f2(cpu 5)"), work("w", "a", "cpu 3", annotations={allowed: "f1"}), work("v", "a", "cpu 3", at=2, annotations={allowed: "f2"}))
    t.case("the only flavor it may use is full", queue("a", "f1(cpu 5) f2(cpu 5)"), work("r", "a", "cpu 5", prio=9, on="f1"), work("w", "a", "cpu 3", annotations={allowed: "f1"}, at=2))

    policy = {"concurrentAdmissionPolicy": {}}
    t.rule("A concurrent admission policy needs one group of at most sixteen flavors, and no StrictFIFO.")
    last = lambda name, mode=None: {"concurrentAdmissionPolicy": {"migration": merged({"constraints": {"lastAcceptableFlavorName": name}}, {"mode": mode} if mode else {})}}
    for title, quotas, more in [("one group", "f1(cpu 1) f2(cpu 1)", policy), ("two groups", "f1(cpu 1) ++ f2(memory 1)", policy), ("StrictFIFO", "f1(cpu 1)", policy | {"strict": True}),
                                ("seventeen flavors", " ".join(f"f{i}(cpu 1)" for i in range(17)), policy), ("no groups", "", policy),
                                ("a last acceptable flavor", "f1(cpu 1) f2(cpu 1)", last("f1", "TryPreferredFlavors")), ("a last acceptable flavor that it does not have", "f1(cpu 1)", last("f9", "TryPreferredFlavors")),
                                ("a last acceptable flavor that is kept", "f1(cpu 1) f2(cpu 1)", last("f1", "RetainFirstAdmission")), ("a last acceptable flavor without a mode", "f1(cpu 1) f2(cpu 1)", last("f1"))]:
        t.case("policy: " + title, queue("a", quotas, **more), work("w", "a", "cpu 1"))

    t.rule("The pods of a variant are its parent's business: a variant is not evicted because they are not ready.")
    def owned(one):
        one["metadata"]["ownerReferences"] = [{"apiVersion": API, "kind": "Workload", "name": "p", "uid": "p", "controller": True}]
        return one
    wait = {"waitForPodsReady": {"timeout": "60s", "recoveryTimeout": "60s"}}
    for on in (True, False):
        label = f"ConcurrentAdmission {'on' if on else 'off'}"
        for title, steps in [("never ready", [later("5m")]), ("no longer ready", [{"podsReady": {"workload": "default/v", "ready": True}}, {"podsReady": {"workload": "default/v", "ready": False}}, later("5m")])]:
            t.case(f"pods of a variant {title}, {label}", queue("a", "f1(cpu 2)", **policy), owned(work("v", "a", on="f1", since=9990, annotations={allowed: "f1"})), steps=steps,
                   gates={"ConcurrentAdmission": on}, **wait)
        t.case(f"pods of another workload never ready, {label}", queue("a", "f1(cpu 2)"), work("w", "a", on="f1", since=9990), steps=[later("30s"), later("30s")], gates={"ConcurrentAdmission": on}, **wait)
