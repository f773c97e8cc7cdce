"""The check that asks an autoscaler for capacity: one ProvisioningRequest for each attempt."""

from notation import *
from families.topology import TAS, TOPOLOGY, nodes, request


def config(name="prov", klass="queued-provisioning.gke.io", base=None, limit=None, most=None, managed=None, **spec):
    body = {"provisioningClassName": klass}
    strategy = {}
    if base is not None:
        strategy["backoffBaseSeconds"] = base
    if limit is not None:
        strategy["backoffLimitCount"] = limit
    if most is not None:
        strategy["backoffMaxSeconds"] = most
    if strategy:
        body["retryStrategy"] = strategy
    if managed:
        body["managedResources"] = managed
    return thing("ProvisioningRequestConfig", name, merged(body, spec))


def prov(name="prov", config_name="prov"):
    return thing("AdmissionCheck", name, {"controllerName": "kueue.x-k8s.io/provisioning-request", "parameters": {
        "apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": config_name}})


def says(condition_type, workload="w"):
    return {"provision": {"workload": "default/" + workload, "condition": condition_type}}


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    q = queue("a", "f1(cpu 1)", checks=["prov"])

    t.rule("The workload is admitted when its request is provisioned; until then it holds its quota.")
    t.case("provisioned", config(), prov(), q, work("w", "a"), work("v", "a", at=2), steps=[says("Provisioned"), later("5s")])
    t.case("accepted, then provisioned", config(), prov(), q, work("w", "a"), steps=[says("Accepted"), later("5s"), says("Provisioned"), later("5s")])
    t.case("nothing happens", config(), prov(), q, work("w", "a"), work("v", "a", at=2), steps=[later("1h")])
    t.case("it finishes meanwhile", config(), prov(), q, work("w", "a"), work("v", "a", at=2), steps=[finish("w"), later("5s")])
    t.case("the configuration is missing", prov(), q, work("w", "a"), steps=[apply(config()), later("5s")])
    t.case("the check names no configuration", config(), thing("AdmissionCheck", "prov", {"controllerName": "kueue.x-k8s.io/provisioning-request"}), q, work("w", "a"))
    t.case("two checks", config(), prov(), check("c", active=True), queue("a", "f1(cpu 1)", checks=["prov", "c"]), work("w", "a"), steps=[says("Provisioned"), later("5s"), answer("w", "c", "Ready"), later("5s")])
    t.case("only for one flavor", config(), prov(), queue("a", "f1(cpu 1) f2(cpu 1)", checks={"prov": ["f2"]}), work("w", "a"), work("v", "a", at=2), steps=[says("Provisioned", "v"), later("5s")])

    t.rule("No request is needed for workloads without managed resources, or without pods.")
    gpu = queue("a", "f1(cpu 9, example.com/gpu 9)", checks=["prov"])
    for title, pods in [("one that asks for it", "cpu 1, example.com/gpu 1"), ("one that does not", "cpu 1"), ("one of two pod sets asks", "head*1 cpu 1 + work*2 cpu 1, example.com/gpu 1"), ("no pods", "main*0 cpu 1, example.com/gpu 1"),
                        ("zero of it", "cpu 1, example.com/gpu 0")]:
        t.case(f"managed: {title}", config(managed=["example.com/gpu"]), prov(), gpu, work("w", "a", pods), steps=[later("5s"), says("Provisioned"), later("5s")])
    t.case("managed: only a limit", config(managed=["example.com/gpu"]), prov(), gpu, work("w", "a", [pod_set(containers=[container("cpu 1", "example.com/gpu 1")])]), steps=[later("5s"), says("Provisioned"), later("5s")])

    t.rule("A request that fails is tried again after a delay that doubles, and after the last attempt the workload is deactivated.")
    for limit in (0, 1, 2, 3):
        steps = []
        for attempt in range(limit + 1):
            steps += [says("Failed"), later("5s"), later("30s"), later("60s")]
        t.case(f"failing with a limit of {limit}", config(base=10, limit=limit), prov(), q, work("w", "a"), steps=steps)
    t.case("the usual strategy", config(), prov(), q, work("w", "a"), steps=[says("Failed"), later("59s"), later("2s"), says("Failed"), later("119s"), later("2s"), says("Failed"), later("239s"), later("5s"), says("Failed"), later("5s")])
    t.case("the longest delay", config(base=10, limit=4, most=15), prov(), q, work("w", "a"), steps=[says("Failed"), later("11s"), says("Failed"), later("14s"), later("2s"), says("Failed"), later("14s"), later("2s")])
    t.case("failed once, then provisioned", config(base=10, limit=2), prov(), q, work("w", "a"), steps=[says("Failed"), later("15s"), says("Provisioned"), later("5s")])
    t.case("another takes its place during the delay", config(base=60, limit=2), prov(), q, work("w", "a"), work("v", "a", at=2), steps=[says("Failed"), later("5s"), says("Provisioned", "v"), later("90s"), finish("v"), later("5s")])
    t.case("activated again after the last attempt", config(base=10, limit=0), prov(), q, work("w", "a"), steps=[says("Failed"), later("5s"), {"activate": "default/w"}, later("5s"), says("Provisioned"), later("5s")])

    t.rule("A booking that expires before the admission is a failure, after it it does not matter; capacity that is revoked ends the workload.")
    t.case("expired before it is admitted", config(base=10, limit=1), prov(), check("c", active=True), queue("a", "f1(cpu 1)", checks=["prov", "c"]), work("w", "a"), steps=[says("Provisioned"), says("BookingExpired"), later("30s"), says("Provisioned"), answer("w", "c", "Ready"), later("5s")])
    t.case("expired before it is admitted, no attempts left", config(base=10, limit=0), prov(), check("c", active=True), queue("a", "f1(cpu 1)", checks=["prov", "c"]), work("w", "a"), steps=[says("Provisioned"), says("BookingExpired"), later("30s")])
    t.case("expired after it is admitted", config(), prov(), q, work("w", "a"), steps=[says("Provisioned"), later("5s"), says("BookingExpired"), later("30s")])
    t.case("revoked after it is admitted", config(), prov(), q, work("w", "a"), work("v", "a", at=2), steps=[says("Provisioned"), later("5s"), says("CapacityRevoked"), later("5s")])
    t.case("revoked before it is admitted", config(), prov(), check("c", active=True), queue("a", "f1(cpu 1)", checks=["prov", "c"]), work("w", "a"), steps=[says("Provisioned"), says("CapacityRevoked"), later("5s")])
    t.case("revoked after it finished", config(), prov(), q, work("w", "a"), steps=[says("Provisioned"), later("5s"), finish("w"), says("CapacityRevoked"), later("5s")])

    t.rule("An evicted workload gives up its request; a new reservation makes a new one.")
    t.case("preempted while it waits", config(), prov(), queue("a", "f1(cpu 1)", checks=["prov"], within="LowerPriority"), work("w", "a"),
           steps=[apply(work("v", "a", prio=9, at=20000)), later("5s"), says("Provisioned", "v"), later("5s"), finish("v"), later("5s"), says("Provisioned"), later("5s")])
    t.case("preempted after its first failure", config(base=10, limit=2), prov(), queue("a", "f1(cpu 1)", checks=["prov"], within="LowerPriority"), work("w", "a"),
           steps=[says("Failed"), later("15s"), apply(work("v", "a", prio=9, at=20000)), later("5s"), finish("v"), later("5s"), says("Failed"), later("30s"), says("Failed"), later("30s")])
    t.case("the queue is stopped and started", config(), prov(), q, work("w", "a"), steps=[{"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}}, later("5s"), {"stopPolicy": {"clusterQueue": "a", "policy": "None"}}, later("5s"), says("Provisioned"), later("5s")])

    t.rule("With a topology the pods are placed when the capacity is there, in a second pass.")
    tas = [TOPOLOGY, TAS, config(), prov(), queue("a", "tas(cpu 9)", checks=["prov"])]
    t.case("placed after it is provisioned", *tas, *nodes("b{r{h1:4}}"), work("w", "a", [pod_set(count=3, topology=request("required R"))]), steps=[later("5s"), says("Provisioned"), later("10s")])
    t.case("the nodes come later", *tas, *nodes("b{r{h1:1}}"), work("w", "a", [pod_set(count=3, topology=request("required R"))]), steps=[says("Provisioned"), later("10s"), apply(nodes("b{r{h2:4}}")), later("40s")])
    t.case("the nodes never come", *tas, work("w", "a", [pod_set(count=3, topology=request("required R"))]), steps=[says("Provisioned"), later("90s")])
    t.case("two workloads for one node", *tas, *nodes("b{r{h1:4}}"), work("w", "a", [pod_set(count=3, topology=request("required R"))]), work("v", "a", [pod_set(count=3, topology=request("required R"))], at=2),
           steps=[says("Provisioned", "v"), later("5s"), says("Provisioned"), later("20s"), finish("v"), later("60s")])
    t.case("all of the quota, in the second pass", TOPOLOGY, TAS, config(), prov(), queue("a", "tas(cpu 1, memory 1Gi)", checks=["prov"]), *nodes("b{r{h1:4}}", memory="2Gi"),
           work("w", "a", [pod_set(requests="cpu 1, memory 1Gi", topology=request("required H"))]), steps=[says("Provisioned"), later("10s")])
