"""Feature gates that no other topic shows: what they change when they are switched."""

from notation import *
from families.jobs import job
from families.provisioning import config, prov, says
from families.topology import TAS, TOPOLOGY, node, nodes, placed, request


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}

    def both(gate, name, *objects, more=None, **options):
        for on in (True, False):
            t.case(f"{name}, {gate} {'on' if on else 'off'}", *objects, gates={gate: on} | (more or {}), **options)

    plenty = queue("a", "tas(cpu 100)")
    w = work("w", "a", [pod_set(count=2, topology=request("required R"))])

    t.rule("Nodes that fail: whether they are replaced, when they count as failed, and how long a replacement is looked for.")
    spare = [TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), plenty, w]
    none = [TOPOLOGY, TAS, *nodes("b{r{h1:2}}"), plenty, w]
    both("TASFailedNodeReplacement", "the node is deleted", *spare, steps=[delete("Node", "h1"), later("60s")])
    both("TASFailedNodeReplacement", "the node is deleted and there is no other", *none, steps=[delete("Node", "h1"), later("60s")])
    both("TASFailedNodeReplacementFailFast", "no other node", *none, steps=[delete("Node", "h1"), later("60s"), apply(node("h2", "b", "r", 4)), later("60s")])
    both("TASReplaceNodeOnPodTermination", "the node is not ready", *spare, steps=[apply(node("h1", "b", "r", 2, ready="False")), later("20s"), later("60s")])
    both("TASReplaceNodeDueToNotReadyOverFixedTime", "the node is not ready", *spare, more={"TASReplaceNodeOnPodTermination": False},
         steps=[apply(node("h1", "b", "r", 2, ready="False")), later("20s"), later("60s")])
    both("TASReplaceNodeOnNodeTaints", "the node is tainted", *spare, steps=[apply(node("h1", "b", "r", 2, taints=[taint("x", "y", "NoExecute")])), later("60s")])

    t.rule("Placement: layers of slices, preferred affinities, balance, overlapping flavors.")
    both("TASMultiLayerTopology", "two layers", TOPOLOGY, TAS, *nodes("b{r{h1:6,h2:4,h3:2}}"), plenty, work("w", "a", [pod_set(count=6, topology=request("required B slice R 6 slice H 2"))]))
    prefers = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 10, "preference": {"matchExpressions": [
        {"key": "disk", "operator": "In", "values": ["ssd"]}]}}]}}
    for want in ("unconstrained", "preferred R", "required R"):
        both("TASRespectNodeAffinityPreferred", f"a node is preferred; {want}", TOPOLOGY, TAS, node("h1", "b", "r1", 1, labels={"disk": "ssd"}), node("h1b", "b", "r1", 1), node("h2", "b", "r2", 5), plenty,
             work("w", "a", [pod_set(count=2, topology=request(want), affinity=prefers)]))
    elastic = {"kueue.x-k8s.io/elastic-job": "true"}
    both("ElasticJobsViaWorkloadSlicesWithTAS", "a slice grows on its nodes", TOPOLOGY, TAS, *nodes("b{r{h1:4,h2:4}}"), plenty, placed("old", {"h2": 3}, annotations=elastic),
         work("new", "a", [pod_set(count=5, topology=request("unconstrained"))], at=20, annotations=elastic | {"kueue.x-k8s.io/workload-slice-replacement-for": "default/old"}))
    both("VectorizedResourceRequests", "one resource", TOPOLOGY, TAS, *nodes("b{r{h1:4,h2:4}}"), plenty, w)

    t.rule("Provisioning requests of evicted workloads, and checks of managed clusters.")
    both("CleanupProvisioningRequestsOnEviction", "preempted while it waits for capacity", config(base=10, limit=2), prov(), queue("a", "f1(cpu 1)", checks=["prov"], within="LowerPriority"), work("w", "a"),
         steps=[says("Failed"), later("15s"), apply(work("v", "a", prio=9, at=20000)), later("5s"), finish("v"), later("5s"), says("Provisioned"), later("5s")])

    t.rule("Conditions: whether their reasons are told finely, and from the beginning.")
    for gates in ({}, {"UnadmittedWorkloadsObservability": False}, {"UnadmittedWorkloadsExplicitStatus": True}):
        label = ", ".join(f"{k} {'on' if v else 'off'}" for k, v in gates.items()) or "UnadmittedWorkloadsObservability on"
        t.case(f"parked alike; {label}", queue("a", "f1(cpu 3)"), work("a1", "a", "cpu 4"), work("a2", "a", "cpu 4", at=2), gates=gates)
        t.case(f"a stopped queue; {label}", queue("a", "f1(cpu 3)", stop="Hold"), work("w", "a"), gates=gates)
        t.case(f"a missing queue; {label}", work("w", "none"), queue("a", "f1(cpu 3)"), gates=gates)
        t.case(f"deactivated; {label}", queue("a", "f1(cpu 3)"), work("w", "a", active=False), gates=gates)

    t.rule("A workload owned by one pod keeps its place when it is evicted.")
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default", "labels": {"kueue.x-k8s.io/queue-name": "a"}, "creationTimestamp": stamp(1)},
           "spec": {"containers": [container("cpu 1")]}}
    both("SkipReassignmentForPodOwnedWorkloads", "preempted", queue("a", "f1(cpu 1)", within="LowerPriority"), pod, steps=[apply(work("v", "a", prio=9, at=20000)), later("5s"), finish("v"), later("5s")])

    t.rule("Priorities of jobs without a class.")
    both("WorkloadPriorityClassDefaulting", "a class called default", priority_class("default", 10), queue("a", "f1(cpu 4)"), job("j", 3, at=2), work("w", "a", "cpu 3", prio=5, at=1))

    t.rule("A gate that no release knows cannot be set.")
    t.case("NoSuchGate", queue("a", "f1(cpu 1)"), work("w", "a"), gates={"NoSuchGate": True})
