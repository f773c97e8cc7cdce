"""The ProvisioningRequest check: what is asked for, what each answer of the autoscaler does, when it ends."""

from notation import *

CONTROLLER = "kueue.x-k8s.io/provisioning-request"
GPU = "example.com/gpu"


def config(name="config", limit=None, base=None, most=None, managed=None, cls="check-capacity.autoscaling.x-k8s.io", **more):
    retry = {"backoffLimitCount": limit, "backoffBaseSeconds": base, "backoffMaxSeconds": most}
    retry = {key: value for key, value in retry.items() if value is not None}
    spec = {"provisioningClassName": cls}
    if retry:
        spec["retryStrategy"] = retry
    if managed:
        spec["managedResources"] = managed
    return thing("ProvisioningRequestConfig", name, merged(spec, more))


def prov(name="prov", of="config", **parameters):
    return check(name, CONTROLLER, parameters=merged({"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": of}, parameters))


def says(condition, name="w", **more):
    return {"provision": merged({"workload": "default/" + name, "condition": condition}, more)}


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    one = [config(limit=2, base=10), prov(), queue("a", "f1(cpu 2)", checks=["prov"], within="LowerPriority")]
    w = work("w", "a")

    t.rule("A workload waits with its quota until the request for its machines is provisioned.")
    t.case("provisioned", *one, w, steps=[says("Provisioned"), later("5s")])
    t.case("accepted, then provisioned", *one, w, steps=[says("Accepted"), later("5s"), says("Provisioned", message="here"), later("5s")])
    t.case("nothing is said", *one, w, work("v", "a", "cpu 2", at=2), steps=[later("1h")])
    t.case("a condition that no check reads", *one, w, steps=[says("Considered"), later("5s")])
    t.case("said twice", *one, w, steps=[says("Provisioned"), says("Provisioned"), later("5s")])
    t.case("said before there is a request", *one, work("r", "a", "cpu 2", on="f1"), work("w", "a", at=2), steps=[says("Provisioned"), finish("r"), later("5s")])
    t.case("said of a workload that does not exist", *one, steps=[says("Provisioned", "nobody"), apply(work("w", "a", at=20000)), later("5s")])
    t.case("a check that answers beside it", check("c", active=True), config(), prov(), queue("a", "f1(cpu 2)", checks=["c", "prov"]), w,
           steps=[says("Provisioned"), later("5s"), answer("w", "c", "Ready"), later("5s")])

    t.rule("Only pod sets with a managed resource in requests or limits are asked for; without one the check is ready at once.")
    managed = [config(managed=[GPU]), prov(), queue("a", f"f1(cpu 9, {GPU} 9)", checks=["prov"])]
    t.case("managed: none uses it", *managed, work("w", "a"), steps=[later("5s")])
    t.case("managed: one uses it", *managed, work("w", "a", f"head*1 cpu 1 + worker*2 cpu 1, {GPU} 1"), steps=[later("5s"), says("Provisioned"), later("5s")])
    t.case("managed: as a limit", *managed, work("w", "a", pod_set(requests="cpu 1", limits=f"{GPU} 1")), steps=[later("5s"), says("Provisioned"), later("5s")])
    t.case("managed: as a request of zero", *managed, work("w", "a", f"cpu 1, {GPU} 0"), steps=[later("5s")])
    t.case("managed: in an init container", *managed, work("w", "a", pod_set(init=[container(f"{GPU} 1", name="i")])), steps=[later("5s"), says("Provisioned"), later("5s")])
    t.case("managed: by a pod set without pods", *managed, work("w", "a", f"one*1 cpu 1 + two*0 cpu 1, {GPU} 1"), steps=[later("5s")])
    t.case("managed: by a pod set that shrank to no pods", *managed, work("w", "a", f"one*1 cpu 1 + two*2 cpu 1, {GPU} 1", status={"reclaimablePods": [{"name": "two", "count": 2}]}), steps=[later("5s")])
    t.case("managed: none named, all are", config(), prov(), queue("a", "f1(cpu 9)", checks=["prov"]), work("w", "a"), steps=[later("5s")])
    t.case("managed: no pods at all", config(), prov(), queue("a", "f1(cpu 9)", checks=["prov"]), work("w", "a", "one*0 cpu 1"), steps=[later("5s")])

    t.rule("A request that fails is tried again, each time after twice the wait, counted from when the check became pending; "
           "after the last failure the workload is deactivated.")
    for limit in (0, 1, 2):
        t.case(f"failures: {limit} retries", config(limit=limit, base=10), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w,
               steps=[at("1s", says("Failed", message="no room")), later("20s"), at("1s", says("Failed")), later("40s"), at("1s", says("Failed")), later("90s")])
    t.case("failures: the wait is over when the request fails", *one, w, steps=[at("30s", says("Failed")), later("5s"), says("Provisioned"), later("5s")])
    t.case("failures: the wait is half over when the request fails", *one, w, steps=[at("5s", says("Failed")), later("3s"), later("3s"), says("Provisioned"), later("5s")])
    t.case("failures: waits are cut", config(limit=3, base=40, most=60), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w,
           steps=[says("Failed"), later("45s"), says("Failed"), later("70s"), says("Failed"), later("70s"), says("Failed"), later("70s")])
    t.case("failures: the first wait is not cut", config(limit=3, base=90, most=60), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w,
           steps=[says("Failed"), later("65s"), later("30s"), says("Failed"), later("65s")])
    t.case("failures: the defaults", config(), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w,
           steps=[says("Failed"), later("61s"), says("Failed"), later("125s"), says("Failed"), later("250s"), says("Failed"), later("1h")])
    t.case("failures: others run during the wait", *one, work("w", "a", "cpu 2"), work("v", "a", "cpu 2", at=2),
           steps=[says("Failed"), later("12s"), says("Provisioned", "v"), later("30s"), finish("v"), later("5s")])
    t.case("failures: of an admitted workload", *one, w, steps=[says("Provisioned"), later("5s"), says("Failed"), later("30s"), says("Provisioned"), later("5s")])
    t.case("failures: activated again afterwards", config(limit=0), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w,
           steps=[says("Failed"), later("5s"), {"activate": "default/w"}, later("5s"), says("Provisioned"), later("5s")])
    t.case("failures: a retry, then provisioned, then preempted: counted from the beginning", *one, w,
           steps=[says("Failed"), later("15s"), says("Provisioned"), apply(work("v", "a", "cpu 2", prio=9, at=20000)), later("5s"), finish("v"), later("5s"),
                  says("Failed"), later("30s"), says("Failed"), later("30s"), says("Failed"), later("90s")])
    t.case("failures: preempted during an attempt, the count stays", *one, w,
           steps=[says("Failed"), later("15s"), apply(work("v", "a", "cpu 2", prio=9, at=20000)), later("5s"), finish("v"), later("5s"),
                  says("Failed"), later("30s"), says("Failed"), later("90s")])

    t.rule("A check for some flavors leaves the workload with its quota, and its count of retries with it: it never gives up.")
    t.case("some flavors", config(limit=1, base=10), prov(), queue("a", "f1(cpu 0) f2(cpu 2)", checks={"prov": ["f2"]}), w,
           steps=[says("Failed"), later("15s"), says("Failed"), later("15s"), says("Failed"), later("15s"), says("Provisioned"), later("5s")])
    t.case("some flavors: the other one becomes free", config(limit=1, base=10), prov(), queue("a", "f1(cpu 1) f2(cpu 2)", checks={"prov": ["f2"]}),
           work("r", "a", on="f1"), work("w", "a", at=2), steps=[says("Failed"), finish("r"), later("15s")])
    t.case("some flavors: all of them named", config(limit=1, base=10), prov(), queue("a", "f1(cpu 0) f2(cpu 2)", checks={"prov": ["f1", "f2"]}), w,
           steps=[says("Failed"), later("15s"), says("Failed"), later("15s")])

    t.rule("A booking that expires before admission is a failure; after it, the normal end.")
    t.case("booking: before provisioned", *one, w, steps=[says("BookingExpired"), later("15s"), says("Provisioned"), later("5s")])
    t.case("booking: after admission", *one, w, steps=[says("Provisioned"), later("5s"), says("BookingExpired"), later("15s")])
    t.case("booking: while another check holds it up", check("c", active=True), config(limit=1, base=10), prov(), queue("a", "f1(cpu 2)", checks=["c", "prov"]), w,
           steps=[says("Provisioned"), later("5s"), says("BookingExpired"), later("15s"), says("Provisioned"), answer("w", "c", "Ready"), later("5s")])
    t.case("booking: expires after the last retry", config(limit=0), prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w, steps=[says("BookingExpired"), later("5s")])

    t.rule("Machines that are taken away end the workload, also after its admission.")
    t.case("revoked: after admission", *one, w, steps=[says("Provisioned"), later("5s"), says("CapacityRevoked", message="gone"), later("5s")])
    t.case("revoked: before admission", *one, w, steps=[says("CapacityRevoked"), later("5s")])
    t.case("revoked: after the booking", *one, w, steps=[says("Provisioned"), says("BookingExpired"), says("CapacityRevoked"), later("5s")])
    t.case("revoked: beside a failure", *one, w, steps=[says("CapacityRevoked", "x"), says("Failed"), says("CapacityRevoked"), later("30s")])
    t.case("revoked: of a finished workload", *one, w, steps=[says("Provisioned"), finish("w"), says("CapacityRevoked"), later("5s")])

    t.rule("Requests of a workload that ended or was evicted are deleted, so that a new reservation asks anew.")
    for cleanup in (True, False):
        gate = {} if cleanup else {"gates": {"CleanupProvisioningRequestsOnEviction": False}}
        word = "" if cleanup else ", gate off"
        t.case("clean-up: preempted while it waits" + word, *one, w,
               steps=[apply(work("v", "a", "cpu 2", prio=9, at=20000)), later("5s"), finish("v"), later("5s"), says("Provisioned"), later("5s")], **gate)
        t.case("clean-up: preempted after admission" + word, *one, w,
               steps=[says("Provisioned"), apply(work("v", "a", "cpu 2", prio=9, at=20000)), later("5s"), finish("v"), later("5s")], **gate)
        t.case("clean-up: stopped and started" + word, *one, w,
               steps=[says("Provisioned"), {"stopPolicy": {"clusterQueue": "a", "policy": "HoldAndDrain"}}, later("5s"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("5s")], **gate)
        t.case("clean-up: reservation lost to a stopped queue" + word, *one, w,
               steps=[says("Accepted"), {"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}}, says("Provisioned"), later("5s"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("5s")], **gate)
        t.case("clean-up: deactivated and activated" + word, *one, w,
               steps=[says("Accepted"), {"deactivate": "default/w"}, later("5s"), {"activate": "default/w"}, later("5s"), says("Provisioned"), later("5s")], **gate)
        t.case("clean-up: a failed attempt, then the next" + word, *one, w, steps=[says("Failed"), later("15s"), says("Failed"), later("40s"), says("Provisioned"), later("5s")], **gate)

    t.rule("A check whose config is missing makes its queue inactive; what has quota already waits.")
    t.case("config: missing from the start", prov(), queue("a", "f1(cpu 2)", checks=["prov"]), w, steps=[later("5s"), apply(config()), later("5s"), says("Provisioned"), later("5s")])
    t.case("config: deleted and made again", *one, w, steps=[delete("ProvisioningRequestConfig", "config"), says("Provisioned"), apply(work("v", "a", at=20000)), later("5s"), apply(config()), later("5s"), says("Provisioned"), later("5s")])
    t.case("config: deleted after provisioning", *one, w, steps=[says("Provisioned"), delete("ProvisioningRequestConfig", "config"), later("5s")])
    t.case("config: a reference to another kind", check("prov", CONTROLLER, parameters={"apiGroup": "kueue.x-k8s.io", "kind": "Other", "name": "config"}), config(), queue("a", "f1(cpu 2)", checks=["prov"]), w)
    t.case("config: no reference", check("prov", CONTROLLER), config(), queue("a", "f1(cpu 2)", checks=["prov"]), w)
    t.case("config: another class asks anew", *one, w, steps=[says("Accepted"), apply(config(limit=2, base=10, cls="other")), later("5s"), says("Provisioned"), later("5s")])
    t.case("config: another parameter asks anew", *one, w, steps=[says("Failed"), apply(config(limit=2, base=10, parameters={"p": "1"})), later("15s"), says("Provisioned"), later("5s")])
    t.case("config: resources that are not managed any more", *one, w, steps=[apply(config(managed=[GPU])), later("5s")])
    t.case("config: other retries do not look at anything", *one, w, steps=[says("Failed"), apply(config(limit=0)), later("15s"), says("Failed"), later("5s")])

    t.rule("An annotation of the workload gives the request a parameter.")
    t.case("parameters: one that the config does not have", config(parameters={"p": "1"}), prov(), queue("a", "f1(cpu 2)", checks=["prov"]),
           work("w", "a", annotations={"provreq.kueue.x-k8s.io/q": "2"}), steps=[says("Provisioned"), later("5s")])
    t.case("parameters: one that the config has, with the same value", config(parameters={"p": "1"}), prov(), queue("a", "f1(cpu 2)", checks=["prov"]),
           work("w", "a", annotations={"provreq.kueue.x-k8s.io/p": "1"}), steps=[says("Provisioned"), later("5s")])

    t.rule("Two provisioning checks of one workload are asked one by one; both must be ready.")
    two = [config(limit=1, base=10), config("config2", limit=0, managed=[GPU], cls="queued"), prov(), prov("prov2", "config2"),
           queue("a", f"f1(cpu 9, {GPU} 9)", checks=["prov", "prov2"])]
    t.case("two checks: both need machines", *two, work("w", "a", f"cpu 1, {GPU} 1"), steps=[says("Provisioned"), later("5s")])
    t.case("two checks: one needs none", *two, work("w", "a"), steps=[later("5s"), says("Provisioned"), later("5s")])
    t.case("two checks: both fail, one has no retry", *two, work("w", "a", f"cpu 1, {GPU} 1"), steps=[says("Failed"), later("30s")])

    t.rule("Another answer than the controller's own does not stay, but counts while it is there.")
    t.case("answered by hand: ready", *one, w, steps=[answer("w", "prov", "Ready"), later("5s")])
    t.case("answered by hand: retry", *one, w, steps=[answer("w", "prov", "Retry", requeueAfterSeconds=20), later("5s"), later("30s"), says("Failed"), later("60s")])
    t.case("answered by hand: rejected", *one, w, steps=[answer("w", "prov", "Rejected"), later("5s")])
    t.case("answered by hand: pending again after ready", *one, w, steps=[says("Provisioned"), answer("w", "prov", "Pending"), later("5s")])

    t.rule("A MultiKueue check of the manager is a check like others; it is for all flavors, the only one of its kind, and not beside a "
           "provisioning check.")
    multi = lambda name="m": check(name, "kueue.x-k8s.io/multikueue", active=True)
    t.case("multikueue: alone", multi(), queue("a", "f1(cpu 2)", checks=["m"]), w, steps=[answer("w", "m", "Ready"), later("5s")])
    t.case("multikueue: retry", multi(), queue("a", "f1(cpu 2)", checks=["m"]), w, steps=[answer("w", "m", "Retry"), later("5s"), answer("w", "m", "Ready"), later("5s")])
    t.case("multikueue: two", multi(), multi("n"), queue("a", "f1(cpu 2)", checks=["m", "n"]), w)
    t.case("multikueue: for one of two flavors", multi(), queue("a", "f1(cpu 2) f2(cpu 2)", checks={"m": ["f1"]}), w)
    t.case("multikueue: for all flavors by name", multi(), queue("a", "f1(cpu 2) f2(cpu 2)", checks={"m": ["f2", "f1"]}), w, steps=[answer("w", "m", "Ready"), later("5s")])
    t.case("multikueue: beside provisioning", multi(), config(), prov(), queue("a", "f1(cpu 2)", checks=["m", "prov"]), w)
    t.case("multikueue: beside another check", multi(), check("c", active=True), queue("a", "f1(cpu 2)", checks=["m", "c"]), w, steps=[answer("w", "m", "Ready"), answer("w", "c", "Ready"), later("5s")])
    t.case("multikueue: inactive", check("m", "kueue.x-k8s.io/multikueue", active=False), queue("a", "f1(cpu 2)", checks=["m"]), w)
