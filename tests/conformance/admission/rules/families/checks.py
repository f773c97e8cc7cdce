"""Two-phase admission: which checks a workload needs, and what their answers do."""

from families.provisioning import config, prov
from notation import *


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    c, d = check("c", active=True), check("d", active=True)
    retry = lambda name, which, after=None: answer(name, which, "Retry", **({"requeueAfterSeconds": after} if after is not None else {}))

    t.rule("A workload with checks holds its quota until all of them are ready; then it is admitted.")
    one = [c, queue("a", "f1(cpu 1)", checks=["c"])]
    t.case("ready", *one, work("w", "a"), work("v", "a", at=2), steps=[answer("w", "c", "Ready"), later("5s")])
    t.case("pending", *one, work("w", "a"), work("v", "a", at=2), steps=[answer("w", "c", "Pending", message="soon"), later("5s")])
    t.case("ready before its reservation", *one, work("r", "a", on="f1"), work("w", "a", at=2), steps=[answer("w", "c", "Ready"), finish("r"), later("5s")])
    t.case("two, one after the other", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"), steps=[answer("w", "d", "Ready"), later("5s"), answer("w", "c", "Ready"), later("5s")])
    t.case("ready and pending again", *one, work("w", "a"), steps=[answer("w", "c", "Ready"), later("5s"), answer("w", "c", "Pending"), later("5s")])
    t.case("ready from the start", *one, work("w", "a", status={"admissionChecks": [{"name": "c", "state": "Ready", "message": "", "lastTransitionTime": stamp(1)}]}))
    t.case("a check of another queue", c, d, queue("a", "f1(cpu 1)", checks=["c"]), queue("b", "f1(cpu 1)", checks=["d"]), work("w", "a"), work("v", "b", at=2),
           steps=[answer("w", "d", "Ready"), later("5s"), answer("v", "d", "Ready"), later("5s")])
    t.case("it can be preempted while it waits for its check", c, queue("a", "f1(cpu 1)", checks=["c"], within="LowerPriority"), work("w", "a"),
           steps=[apply(work("v", "a", prio=9, at=20000)), later("5s"), answer("v", "c", "Ready"), later("5s"), finish("v"), later("5s")])
    t.case("admitted, and its check goes back to pending", *one, work("r", "a", on="f1", status={"admissionChecks": [{"name": "c", "state": "Ready", "message": "", "lastTransitionTime": stamp(1)}]}),
           steps=[answer("r", "c", "Pending"), later("5s")])

    t.rule("A check may be for some flavors: before the reservation only checks of all flavors are needed, after it those of the "
           "assigned flavors.")
    for title, checks, expected in [("the assigned flavor", {"c": ["f1"]}, 1), ("another flavor", {"c": ["f2"]}, 0), ("no flavor named: all", {"c": []}, 1),
                                    ("all flavors named", {"c": ["f1", "f2"]}, 1), ("one for all, one for another", {"c": [], "d": ["f2"]}, 1),
                                    ("one for each", {"c": ["f1"], "d": ["f2"]}, 1)]:
        t.case(f"flavors: {title}", c, d, queue("a", "f1(cpu 1) f2(cpu 1)", checks=checks), work("w", "a"), work("v", "a", at=2),
               steps=[answer("w", "c", "Ready"), later("5s"), answer("v", "d", "Ready"), later("5s"), answer("v", "c", "Ready"), later("5s")])
    t.case("flavors: two groups, a check for one of them", c, queue("a", "f1(cpu 1) ++ g1(example.com/gpu 1)", checks={"c": ["g1"]}), work("w", "a", "cpu 1"),
           work("v", "a", "example.com/gpu 1", at=2), steps=[answer("v", "c", "Ready"), later("5s")])
    t.case("flavors: a flavor that the queue does not have", c, queue("a", "f1(cpu 1)", checks={"c": ["f9"]}), flavor("f9"), work("w", "a"))

    t.rule("Retry evicts the workload; it waits as long as the check says, then competes again from the time of its eviction.")
    t.case("retry without a delay", *one, work("w", "a"), work("v", "a", at=2), steps=[retry("w", "c"), later("5s"), answer("v", "c", "Ready"), later("5s")])
    t.case("retry with a delay", *one, work("w", "a"), steps=[retry("w", "c", 60), later("30s"), later("29s"), later("5s")])
    t.case("retry with a delay of zero", *one, work("w", "a"), steps=[retry("w", "c", 0), later("5s")])
    t.case("retry of an admitted workload", *one, work("w", "a"), work("v", "a", at=2), steps=[answer("w", "c", "Ready"), later("5s"), retry("w", "c", 60), later("90s")])
    t.case("retry twice", *one, work("w", "a"), steps=[retry("w", "c", 30), later("40s"), retry("w", "c", 30), later("40s"), answer("w", "c", "Ready"), later("5s")])
    t.case("two checks retry, the longer delay counts", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"), steps=[retry("w", "c", 30), retry("w", "d", 90), later("60s"), later("40s")])
    t.case("one is ready, one retries: both begin again", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"),
           steps=[answer("w", "c", "Ready"), retry("w", "d", 10), later("20s"), answer("w", "d", "Ready"), later("5s"), answer("w", "c", "Ready"), later("5s")])
    t.case("another workload takes the quota meanwhile", *one, work("w", "a"), work("v", "a", at=2),
           steps=[retry("w", "c", 60), later("5s"), answer("v", "c", "Ready"), later("90s"), finish("v"), later("5s")])
    t.case("deactivated during the delay", *one, work("w", "a"), steps=[retry("w", "c", 60), later("5s"), {"deactivate": "default/w"}, later("90s"), {"activate": "default/w"}, later("5s")])
    t.case("the queue is stopped during the delay", *one, work("w", "a"), steps=[
        retry("w", "c", 60), later("5s"), {"stopPolicy": {"clusterQueue": "a", "policy": "HoldAndDrain"}}, later("90s"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("5s")])
    t.case("a waiting workload whose check says retry is not looked at", *one, work("w", "a", status={"admissionChecks": [
        {"name": "c", "state": "Retry", "message": "", "lastTransitionTime": stamp(1)}]}))
    t.case("a waiting workload whose check says rejected is not looked at", *one, work("w", "a", status={"admissionChecks": [
        {"name": "c", "state": "Rejected", "message": "", "lastTransitionTime": stamp(1)}]}))
    t.case("the pods stay after retry", *one, work("w", "a"), work("v", "a", at=2), steps=[retry("w", "c", 10), later("20s")], emulation={"stopEvicted": False})

    t.rule("Rejected deactivates the workload, also beside a retry.")
    t.case("rejected", *one, work("w", "a"), work("v", "a", at=2), steps=[answer("w", "c", "Rejected"), later("5s")])
    t.case("rejected after admission", *one, work("w", "a"), work("v", "a", at=2), steps=[answer("w", "c", "Ready"), later("5s"), answer("w", "c", "Rejected"), later("5s")])
    t.case("rejected and retry", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"), steps=[retry("w", "c", 5), answer("w", "d", "Rejected"), later("20s")])
    t.case("rejected, with ready beside it", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"), steps=[answer("w", "c", "Ready"), answer("w", "d", "Rejected"), later("20s")])
    t.case("rejected and activated again", *one, work("w", "a"), steps=[answer("w", "c", "Rejected"), later("5s"), {"activate": "default/w"}, later("5s"), answer("w", "c", "Ready"), later("5s")])

    t.rule("The checks of a queue may change: what waits takes the new list, what is admitted stays.")
    t.case("a check is added to a queue with a reservation", c, d, queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"),
           steps=[apply(queue("a", "f1(cpu 1)", checks=["c", "d"], own=False)), answer("w", "c", "Ready"), later("5s"), answer("w", "d", "Ready"), later("5s")])
    t.case("a check is taken away", c, d, queue("a", "f1(cpu 1)", checks=["c", "d"]), work("w", "a"), steps=[answer("w", "c", "Ready"), apply(queue("a", "f1(cpu 1)", checks=["c"], own=False)), later("5s")])
    t.case("all checks are taken away", c, queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"), steps=[apply(queue("a", "f1(cpu 1)", own=False)), later("5s")])
    t.case("a check is added under an admitted workload", c, queue("a", "f1(cpu 1)"), work("r", "a", on="f1"), steps=[apply(queue("a", "f1(cpu 1)", checks=["c"], own=False)), later("5s")])
    t.case("a check is deleted", c, queue("a", "f1(cpu 2)", checks=["c"]), work("w", "a"), steps=[delete("AdmissionCheck", "c"), apply(work("v", "a", at=20000)), later("5s")])
    t.case("a check becomes inactive and active", c, queue("a", "f1(cpu 2)", checks=["c"]), work("w", "a"),
           steps=[apply(check("c", active=False)), apply(work("v", "a", at=20000)), later("5s"), answer("w", "c", "Ready"), apply(check("c", active=True)), later("5s")])
    t.case("the list of the old interface", c, [merged(queue("a", "f1(cpu 1)", own=False), {"apiVersion": "kueue.x-k8s.io/v1beta1", "spec": {"admissionChecks": ["c"]}}), local("a", "a")], work("w", "a"))
    t.case("the list of the old interface overrules the strategy", c, d, [merged(queue("a", "f1(cpu 1)", own=False, checks=["d"]), {"apiVersion": "kueue.x-k8s.io/v1beta1", "spec": {"admissionChecks": ["c"]}}),
                                                                          local("a", "a")], work("w", "a"), steps=[answer("w", "c", "Ready"), later("5s")])
    update = {"podSetUpdates": [{"name": "main", "nodeSelector": {"pool": "x"}, "labels": {"l": "1"}}]}
    t.case("updates of pod sets come with the answer", *one, work("w", "a"), steps=[answer("w", "c", "Ready", **update), later("5s")])
    t.case("updates of a pod set that does not exist", *one, work("w", "a"), steps=[answer("w", "c", "Ready", podSetUpdates=[{"name": "other", "nodeSelector": {"pool": "x"}}]), later("5s")])

    t.rule("A check is active when its condition says so; one that has no conditions at all is taken to be. The check of the "
           "provisioning controller is what that controller finds.")
    for title, conditions in [("none", []), ("another one", [condition("Ready")]), ("unknown", [condition("Active", "Unknown")]),
                              ("true beside another one", [condition("Ready", False), condition("Active")])]:
        said = merged(check("c"), {"status": {"conditions": conditions}})
        t.case(f"conditions: {title}", said, queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"), steps=[answer("w", "c", "Ready"), later("5s")])
        t.case(f"conditions: {title}, applied to an inactive check", check("c", active=False), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"),
               steps=[apply(said), later("5s")])
        t.case(f"conditions: {title}, applied to an active check", c, queue("a", "f1(cpu 2)", checks=["c"]), work("w", "a"),
               steps=[apply(said), apply(work("v", "a", at=20000)), later("5s")])
        found = merged(prov(), {"status": {"conditions": conditions}})
        t.case(f"conditions: {title}, of the provisioning controller", config(), found, queue("a", "f1(cpu 1)", checks=["prov"]), work("w", "a"))
    t.case("conditions: a status without any", merged(check("c"), {"status": {}}), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"))
    t.case("conditions: a status without any, applied to an inactive check", check("c", active=False), queue("a", "f1(cpu 1)", checks=["c"]), work("w", "a"),
           steps=[apply(merged(check("c"), {"status": {}})), later("5s")])

    t.rule("A check that is deleted and still listed by a queue stays as it was: Kueue looks at no later change of it.")
    asks = check("prov", controller="kueue.x-k8s.io/provisioning-request", parameters={"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": config()["metadata"]["name"]})
    drop = delete("AdmissionCheck", "prov")
    for title, first, steps in [
            ("inactive, and its config comes", [], [drop, apply(config())]), ("active, and its config goes", [config()], [drop, delete("ProvisioningRequestConfig", config()["metadata"]["name"])]),
            ("the queue lists it no more", [], [drop, apply(queue("a", "f1(cpu 1)", own=False))]),
            ("it is made again under its name", [], [drop, apply(queue("a", "f1(cpu 1)", own=False)), apply(asks), apply(config()), apply(queue("a", "f1(cpu 1)", checks=["prov"], own=False))])]:
        t.case(f"deleted: {title}", *first, asks, queue("a", "f1(cpu 1)", checks=["prov"]), steps=[later("1s"), *steps, apply(work("w", "a", at=20000)), later("5s")])
