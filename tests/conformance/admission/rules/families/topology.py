"""Topology-aware placement: which nodes the pods of an admitted workload are put on.

Nodes are written as a tree, "b1{r1{h1:3,h2:1},r2{h3:4}}": blocks, racks, hosts with so many cores. The levels are B, R and H
(the host name). "required R" asks for one rack.
"""

import re

from notation import *

LEVELS = {"B": "topology/block", "R": "topology/rack", "H": "kubernetes.io/hostname"}
TOPOLOGY = thing("Topology", "t", {"levels": [{"nodeLabel": LEVELS[level]} for level in "BRH"]})
SHALLOW = thing("Topology", "t", {"levels": [{"nodeLabel": LEVELS[level]} for level in "BR"]})
TAS = flavor("tas", {"pool": "x"}, topology="t")


def node(name, block, rack, cores, pods=110, labels=None, taints=None, ready=None, unschedulable=None, **amounts_more):
    amount = {"cpu": str(cores), "pods": str(pods)} | {k: str(v) for k, v in amounts_more.items()}
    out = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": merged({
        LEVELS["B"]: block, LEVELS["R"]: rack, LEVELS["H"]: name, "pool": "x"}, labels or {})}, "spec": {},
        "status": {"allocatable": amount, "capacity": amount}}
    if taints:
        out["spec"]["taints"] = taints
    if unschedulable:
        out["spec"]["unschedulable"] = True
    if ready is not None:
        out["status"]["conditions"] = [{"type": "Ready", "status": ready}]
    return out


def nodes(text, **more):
    out = []
    for block, inside in re.findall(r"(\w+)\{((?:\w+\{[^}]*\},?\s*)*)\}", text):
        for rack, hosts in re.findall(r"(\w+)\{([^}]*)\}", inside):
            for host in filter(None, hosts.split(",")):
                name, cores = host.strip().split(":")
                out.append(node(name, block, rack, cores, **more))
    return out


def request(text):
    """"required R", "preferred B", "unconstrained", with "slice R 4"; several slices are layers."""
    out = {}
    words = text.split()
    layers = []
    while words:
        word = words.pop(0)
        if word in ("required", "preferred"):
            out[word] = LEVELS[words.pop(0)]
        elif word == "unconstrained":
            out[word] = True
        elif word == "slice":
            layers.append((LEVELS[words.pop(0)], int(words.pop(0))))
        elif word == "group":
            out["podSetGroupName"] = words.pop(0)
    if len(layers) == 1:
        out["podSetSliceRequiredTopology"], out["podSetSliceSize"] = layers[0]
    elif layers:
        out["podsetSliceRequiredTopologyConstraints"] = [{"topology": level, "size": size} for level, size in layers]
    return out or None


def placed(name, on, prio=0, at=1, cpu="1", since=None, queue_name="a", **more):
    """A workload that runs: on is {host: pods}."""
    count = sum(on.values())
    out = work(name, queue_name, [pod_set(count=count, requests=f"cpu {cpu}", topology=request("unconstrained"))], prio=prio, at=at, on="tas",
               since=since, **more)
    hosts = sorted(on)
    out["status"]["admission"]["podSetAssignments"][0]["topologyAssignment"] = {"levels": [LEVELS["H"]], "slices": [
        {"domainCount": 1, "valuesPerLevel": [{"universal": host}], "podCounts": {"universal": on[host]}} for host in hosts]}
    return out


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    plenty = [queue("a", "tas(cpu 1000)")]

    def one(name, tree, want, count, cpu="1", objects=(), more=(), **kw):
        gates = kw.pop("gates", None)
        t.case(name, TOPOLOGY, TAS, nodes(tree) if isinstance(tree, str) else tree, *plenty, *more,
               work("w", "a", [pod_set(count=count, requests=f"cpu {cpu}" if cpu else "", topology=request(want), **kw)], at=50), *objects,
               **({"gates": gates} if gates else {}))

    t.rule("A required level takes one domain of it, the tightest that is large enough; without one nothing is placed.")
    for want, count in (("required R", 3), ("required R", 4), ("required R", 6), ("required B", 8), ("required H", 3), ("required H", 6)):
        one(f"racks of 5, 3 and 4: {want} for {count}", "b{r1{a:5},r2{c:3},r3{d:4}}", want, count)
    one("names are compared as bytes", "b{r{x2:3,x10:3}}", "required R", 3)
    one("names are compared as bytes, two hosts", "b{r{x2:3,x10:3}}", "required R", 4)
    one("the largest first, the last one the tightest", "b{r{h1:3,h2:3,h3:2,h4:1}}", "required R", 7)
    one("one large and the tightest for the rest", "b{r{h1:4,h2:3,h3:2,h4:1}}", "required R", 5)
    one("racks of one name in two blocks are two", "b1{r1{n1:3}} b2{r1{n2:3}}", "required R", 6)
    one("a rack of several hosts", "b{r1{a:2,b:2},r2{c:3},r3{d:1}}", "required B", 5)

    t.rule("A preferred level is tried first, then each broader one, and at the top several domains are used.")
    big = "b1{r1{h1:3},r2{h2:3}} b2{r3{h3:4},r4{h4:4}}"
    for want, count in (("preferred R", 5), ("preferred H", 4), ("preferred R", 8), ("preferred B", 10), ("preferred B", 14), ("preferred B", 15)):
        one(f"two blocks of two racks: {want} for {count}", big, want, count)
    for count in (8,):
        one(f"children of all chosen parents are one pool, {count}", "b1{r1{h1:3},r2{h2:2}} b2{r3{h3:4}}", "preferred B", count)
    one("a chosen parent may end with nothing of one child", "b1{r1{h1:6},r2{h2:1}} b2{r3{h3:3},r4{h4:3}}", "preferred B", 9)
    one("the first block keeps only what is left", "b1{r1{h1:5},r2{h2:5}} b2{r3{h3:6}}", "preferred B", 11)
    one("blocks of 3, 3 and 2", "b1{r1{n1:3}} b2{r2{n2:3}} b3{r3{n3:2}}", "preferred B", 5)

    t.rule("Unconstrained requests, and those that a queue of topologies implies, fill the hosts with the least room that do.")
    row = "b{r{h1:3,h2:3,h3:2,h4:1}}"
    for count in (1, 2, 6, 7, 9, 10):
        one(f"unconstrained, {count}", row, "unconstrained", count)
    one("implied", row, "", 6)
    one("racks do not matter", "b{r1{h1:1,h2:1},r2{h3:5}}", "unconstrained", 6)
    one("hosts without room are left out", "b{r{n0:0,n1:3,n2:2}}", "unconstrained", 4)
    for mixed in (True, False):
        one(f"four of a row, TASProfileMixed {'on' if mixed else 'off'}", row, "unconstrained", 4, gates={"TASProfileMixed": mixed})

    t.rule("Slices stay in a domain of their level; the level below is filled smallest first.")
    one("six in slices of six", "b{r{h1:5,h2:2,h3:1}}", "required B slice R 6", 6)
    one("without slices", "b{r{h1:5,h2:2,h3:1}}", "required R", 6)
    hosts = "b{r{n6:6,n5:5,n4:4,n3:3,n2:2}}"
    one("slices of two, odd leftovers are avoided", hosts, "required R slice H 2", 12)
    one("slices of two, unconstrained", hosts, "unconstrained slice H 2", 10)
    for count in (4, 8, 12):
        one(f"slices alone begin at the top, {count}", "b1{r1{h1:8}} b2{r2{h2:4,h3:3}}", "slice H 2", count)
    one("pods beyond the last full slice have no place", "b{r{h1:5,h2:2,h3:1}}", "required R slice H 2", 5)
    one("fewer pods than a slice", "b{r{h1:5}}", "required R slice H 2", 1)
    one("broken slices do not add up", "b{r1{h1:3},r2{h2:3}}", "required B slice R 4", 4)
    one("slices in racks of two blocks", "b1{r1{h1:4},r2{h2:3}} b2{r3{h3:4}}", "preferred R slice R 4", 8)
    one("equal slices, fewer leftovers first", "b{r1{h1:7},r2{h2:6}}", "required R slice R 3", 6)
    one("a slice level above the requested level", "b{r1{h1:7}}", "required R slice B 3", 6)
    one("two layers", "b{r{h1:6,h2:4,h3:2}}", "required B slice R 6 slice H 2", 6)
    one("one layer instead", "b{r{h1:6,h2:4,h3:2}}", "required B slice H 2", 6)
    for tree in ("b{r1{h1:3,h2:1},r2{h3:3,h4:1}}", "b{r1{h1:3,h2:3},r2{h3:3,h4:3}}"):
        one(f"inner layers round down: {tree}", tree, "required B slice R 4 slice H 2", 8)
        one(f"a single layer does not: {tree}", tree, "required B slice R 4", 8)

    t.rule("A leader and its workers are placed together.")
    def together(name, tree, workers, leader_cpu="2", want="required R", worker_cpu="1", leader_kw=None, **kw):
        t.case("leader: " + name, TOPOLOGY, TAS, nodes(tree), *plenty, work("w", "a", [
            pod_set("leader", 1, f"cpu {leader_cpu}", topology=request(want + " group g"), **(leader_kw or {})),
            pod_set("workers", workers, f"cpu {worker_cpu}", topology=request(want + " group g"), **kw)], at=50))
    together("the rack must take both", "b{ra{a1:4},rb{b1:3,b2:2}}", 3)
    together("one worker too many", "b{ra{a1:4},rb{b1:3,b2:2}}", 4)
    together("it goes where it costs no worker", "b{r{h1:4,h2:3}}", 3, "1", worker_cpu="2")
    together("it goes where it costs no worker, equal hosts", "b{r{h1:4,h2:4}}", 3, "1", worker_cpu="2")
    together("it fits nowhere", "b{r{h1:4,h2:3}}", 3, "9")
    together("it fits nowhere, preferred", "b{r{h1:4,h2:3}}", 3, "9", "preferred R")
    together("one host for all", "b{r{h1:4,h2:4}}", 3, "2", "required H")
    together("its host carries no worker", "b{r{h1:3,h2:3}}", 3, "3")
    together("its own selector is ignored", "b{r{h1:4}}", 2, "1", leader_kw={"selector": {"z": "other"}})
    together("across blocks", "b1{r1{h1:4}} b2{r2{h2:3}}", 5, "2", "preferred R")
    together("both of one pod", "b{r{h1:2,h2:3}}", 1, "2")

    t.rule("A node counts while it is ready, may be scheduled on, has the flavor's labels and every level.")
    base = node("h1", "b", "r", 4)
    for title, odd in [("ready", node("h2", "b", "r", 4)), ("not ready", node("h2", "b", "r", 4, ready="False")), ("of unknown readiness", node("h2", "b", "r", 4, ready="Unknown")),
                       ("unschedulable", node("h2", "b", "r", 4, unschedulable=True)), ("of another pool", node("h2", "b", "r", 4, labels={"pool": "y"})),
                       ("without a rack", node("h2", "b", "r", 4, labels={LEVELS["R"]: None})), ("without a host name", node("h2", "b", "r", 4, labels={LEVELS["H"]: None})),
                       ("with a taint", node("h2", "b", "r", 4, taints=[taint("x", "y")])), ("with a soft taint", node("h2", "b", "r", 4, taints=[taint("x", "y", "PreferNoSchedule")])),
                       ("named like its block", node("b", "b", "r", 4)), ("with few pods", node("h2", "b", "r", 4, pods=2)), ("without pods", node("h2", "b", "r", 4, pods=0))]:
        one(f"another node, {title}", [base, odd], "required R", 8)
    one("a taint is tolerated", [node("h1", "b", "r", 4, taints=[taint("x", "y")])], "required R", 2, tolerations=[{"key": "x", "operator": "Exists"}])
    t.case("a taint is tolerated by the flavor", TOPOLOGY, flavor("tas", {"pool": "x"}, tolerations=[{"key": "x", "operator": "Exists"}], topology="t"), node("h1", "b", "r", 4, taints=[taint("x", "y")]),
           *plenty, work("w", "a", [pod_set(count=2, topology=request("required R"))]))
    one("a selector", [node("h1", "b", "r", 4, labels={"disk": "hdd"}), node("h2", "b", "r", 4, labels={"disk": "ssd"})], "required R", 2, selector={"disk": "ssd"})
    one("a selector that too few nodes have", [node("h1", "b", "r", 4, labels={"disk": "hdd"}), node("h2", "b", "r", 4, labels={"disk": "ssd"})], "required R", 6, selector={"disk": "ssd"})
    one("a required affinity", [node("h1", "b", "r", 4, labels={"disk": "hdd"}), node("h2", "b", "r", 4, labels={"disk": "ssd"})], "required R", 2, terms=[[("disk", "In", ["ssd"])]])
    one("each node has one reason, sorted as text", [node("h1", "b", "r", 4, taints=[taint("gpu", "t")]), node("h2", "b", "r", 4, labels={"z": "b"}), node("h3", "b", "r", 4)], "required R", 1, selector={"z": "a"})
    one("of two scarce resources the first name is the reason", [node("h1", "b", "r", 0, memory="0")], "required R", 1, cpu="1, memory 1")
    one("no nodes", [], "required R", 1)
    one("pods count", [node("h1", "b", "r", 8, pods=3)], "required R", 4)
    one("a request of nothing needs only a pod", [node("h1", "b", "r", 0, pods=5)], "required R", 5, cpu="0")
    one("milli-cores", [node("h1", "b", "r", "3999m")], "required R", 2, cpu="2")
    one("two nodes of one host name", [node("n1", "b", "r1", 3), node("n1b", "b", "r1", 3, labels={LEVELS["H"]: "n1"})], "required H", 6)
    t.case("host names are not a level: taints and selectors are not looked at", SHALLOW, TAS, node("h1", "b", "r", 4, taints=[taint("x")]), *plenty,
           work("w", "a", [pod_set(count=2, selector={"z": "a"}, topology=request("required R"))]))
    t.case("host names are not a level: room is pooled", SHALLOW, TAS, *nodes("b{r{h1:1,h2:1,h3:1}}"), *plenty, work("w", "a", [pod_set(count=1, requests="cpu 3", topology=request("required R"))]))

    t.rule("Pods of other kinds and admitted workloads take room.")
    def pod(name, host, cpu, phase="Running", **annotations):
        out = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}, "spec": {"nodeName": host, "containers": [container(f"cpu {cpu}")]}, "status": {"phase": phase}}
        if annotations:
            out["metadata"]["annotations"] = {"kueue.x-k8s.io/podset-required-topology": LEVELS["R"]}
        return out
    for title, other in [("a pod", pod("p", "h1", 2)), ("a pod that is done", pod("p", "h1", 2, "Succeeded")), ("a pod that failed", pod("p", "h1", 2, "Failed")), ("a pod that is pending there", pod("p", "h1", 2, "Pending")),
                         ("a pod of a placed workload", pod("p", "h1", 2, topology=True)), ("a pod elsewhere", pod("p", "h9", 2)), ("a workload", placed("r", {"h1": 2})), ("a workload that uses too much", placed("r", {"h1": 9})),
                         ("a workload on a node that is gone", placed("r", {"h9": 2}))]:
        one(f"room beside {title}", "b{r{h1:4}}", "required R", 3, objects=[other])
    one("a host with debts does not count against its rack", "b{r{h1:4,h2:4}}", "required R", 4, objects=[placed("r", {"h1": 9})])
    one("pods of the first pod set count for the second", "b{r1{h1:3},r2{h2:3}}", "required R", 2, objects=[work("v", "a", [pod_set("x", 2, topology=request("required R")), pod_set("y", 2, topology=request("required R"))], at=10)])
    t.case("the second pod set has no room", TOPOLOGY, TAS, *nodes("b{r1{h1:3}}"), *plenty, work("w", "a", [pod_set("x", 2, topology=request("required R")), pod_set("y", 2, topology=request("required R"))]))
    t.case("pod slots are counted across pod sets", TOPOLOGY, TAS, node("x1", "b", "r", 2, pods=1), *plenty, work("w", "a", [pod_set("x", 1, topology=request("required H")), pod_set("y", 1, topology=request("required H"))]))
    t.case("a pod set of no pods is left out", TOPOLOGY, TAS, *nodes("b{r{h1:4}}"), *plenty, work("w", "a", [pod_set("done", 0, topology=request("required H")), pod_set("runs", 1, topology=request("required H"))]))
    t.case("a finished workload frees its nodes", TOPOLOGY, TAS, *nodes("b{r{h1:4}}"), *plenty, placed("r", {"h1": 4}), work("w", "a", [pod_set(count=3, topology=request("required R"))], at=2), steps=[finish("r"), later("15s")])
    t.case("pods given back do not free nodes", TOPOLOGY, TAS, *nodes("b{r{h1:4}}"), *plenty, placed("r", {"h1": 4}), work("w", "a", [pod_set(count=3, topology=request("required R"))], at=2),
           steps=[{"reclaim": {"workload": "default/r", "pods": {"main": 3}}}, later("15s")])
    t.case("a new node wakes", TOPOLOGY, TAS, *nodes("b{r{h1:1}}"), *plenty, work("w", "a", [pod_set(count=3, topology=request("required R"))], at=2), steps=[apply(node("h2", "b", "r", 4)), later("15s")])

    t.rule("Flavors with a topology are for requests of one; in a queue of nothing else every request is one.")
    mixed = [TOPOLOGY, TAS, *nodes("b{r{h1:4}}")]
    t.case("a plain workload passes over the topology", *mixed, queue("a", "tas(cpu 9) plain(cpu 9)"), work("w", "a"))
    t.case("a request passes over the plain flavor", *mixed, queue("a", "plain(cpu 9) tas(cpu 9)"), work("w", "a", [pod_set(topology=request("required R"))]))
    t.case("only a plain flavor", *mixed, queue("a", "plain(cpu 9)"), work("w", "a", [pod_set(topology=request("required R"))]))
    t.case("a level that the topology lacks", TOPOLOGY, TAS, *nodes("b{r{h1:4}}"), *plenty, work("w", "a", [pod_set(topology={"required": "topology/zone"})]))
    t.case("unconstrained: false", TOPOLOGY, TAS, *nodes("b{r{h1:4}}"), *plenty, work("w", "a", [pod_set(topology={"unconstrained": False})]))
    t.case("a second group without a topology", *mixed, queue("a", "tas(cpu 9) ++ plain(example.com/credits 9)"), work("w", "a", [pod_set(requests="cpu 1, example.com/credits 2", topology=request("required R"))]))
    t.case("two flavors with topologies in one pod set", *mixed, flavor("tas2", {"pool": "x"}, topology="t"), queue("a", "tas(cpu 9) ++ tas2(memory 9)"), work("w", "a", [pod_set(requests="cpu 1, memory 2", topology=request("required R"))]))
    t.case("the first flavor has quota and no nodes, the second both", TOPOLOGY, flavor("empty", {"pool": "none"}, topology="t"), TAS, *nodes("b{r{h1:4}}"), queue("a", "empty(cpu 9) tas(cpu 9)"), work("w", "a", [pod_set(topology=request("required R"))]))
    t.case("the topology is missing", TAS, *nodes("b{r{h1:4}}"), *plenty, work("w", "a", [pod_set(topology=request("required R"))]), steps=[apply(TOPOLOGY), later("15s")])
    for overlapping in (True, False):
        t.case(f"two flavors over the same nodes, TASHandleOverlappingFlavors {'on' if overlapping else 'off'}", TOPOLOGY, TAS, flavor("all", {"pool": "x"}, topology="t"), *nodes("b{r{x1:1,x2:1}}"), queue("a", "tas(cpu 9)"), queue("c", "all(cpu 9)"),
               placed("r", {"x1": 1}), work("w", "c", [pod_set(topology=request("required H"))]), gates={"TASHandleOverlappingFlavors": overlapping})

    t.rule("Preemption frees nodes in the order of victims, not by their place; what is in use otherwise stays.")
    pre = [TOPOLOGY, TAS, *nodes("b{r1{h1:2},r2{h2:2}}"), queue("a", "tas(cpu 1000)", within="LowerPriority")]
    t.case("victims by priority, though one elsewhere would do", *pre, placed("va", {"h1": 2}, prio=1), placed("vb", {"h2": 1}, at=2), placed("vc", {"h2": 1}, at=3), work("w", "a", [pod_set(count=2, topology=request("required R"))], prio=5, at=20))
    t.case("quota is free, nodes are not", *pre, placed("va", {"h1": 2}), work("w", "a", [pod_set(count=3, topology=request("required B"))], prio=5, at=20))
    t.case("nobody to preempt", *pre, placed("va", {"h1": 2}, prio=9), work("w", "a", [pod_set(count=3, topology=request("required B"))], prio=5, at=20))
    t.case("it would not fit an empty cluster", *pre, placed("va", {"h1": 2}), work("w", "a", [pod_set(count=3, topology=request("required R"))], prio=5, at=20))
    t.case("other pods do not go", *pre, pod("p", "h1", 1), placed("va", {"h1": 1}), work("w", "a", [pod_set(count=2, topology=request("required H")), ], prio=5, at=20), placed("vb", {"h2": 2}, prio=9, at=2))
    for gate in (True, False):
        t.case(f"two heads choose one host, TASRecomputeAssignmentWithinSchedulingCycle {'on' if gate else 'off'}", TOPOLOGY, TAS, *nodes("b{r{x1:5,x2:5}}"), queue("a", "tas(cpu 9)"), queue("b", "tas(cpu 9)"),
               work("wa", "a", [pod_set(count=3, topology=request("required H"))], at=1), work("wb", "b", [pod_set(count=3, topology=request("required H"))], at=2), gates={"TASRecomputeAssignmentWithinSchedulingCycle": gate})

    t.rule("Partial admission and topology: the largest count that can be placed.")
    one("eight in slices of four", "b{r{h1:4,h2:2}}", "required B slice H 4", 8, minimum=1)
    one("five of ten", "b{r{h1:5}}", "required R", 10, minimum=2)

    t.rule("Balanced placement spreads evenly, with its gate.")
    for gate in (True, False):
        for tree, count in (("b{r{h1:10,h2:10}}", 12), ("b{r{h1:15,h2:13,h3:10}}", 23), ("b{r{h1:10,h2:10,h3:10}}", 25), ("b{r{h1:4,h2:10,h3:10}}", 20), ("b{r1{h1:10,h2:5},r2{h3:5,h4:5,h5:5}}", 15)):
            one(f"{count} on {tree}, TASBalancedPlacement {'on' if gate else 'off'}", tree, "preferred R", count, gates={"TASBalancedPlacement": gate})

    t.rule("Without topology-aware scheduling requests for a topology are ignored.")
    one("the gate is off", "b{r{h1:4}}", "required R", 2, gates={"TopologyAwareScheduling": False})

    t.rule("A node that fails under a workload is replaced, or the workload leaves.")
    t.case("another host of the rack", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2,h3:1}}"), *plenty, work("w", "a", [pod_set(count=2, topology=request("required R"))]), steps=[delete("Node", "h1"), later("30s")])
    t.case("no other host", TOPOLOGY, TAS, *nodes("b{r{h1:2}}"), *plenty, work("w", "a", [pod_set(count=2, topology=request("required R"))]), steps=[delete("Node", "h1"), later("30s"), apply(node("h2", "b", "r", 4)), later("30s")])
    t.case("the node is not ready", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), *plenty, work("w", "a", [pod_set(count=2, topology=request("required R"))]), steps=[apply(node("h1", "b", "r", 2, ready="False")), later("60s")])
    t.case("the node is tainted", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), *plenty, work("w", "a", [pod_set(count=2, topology=request("required R"))]), steps=[apply(node("h1", "b", "r", 2, taints=[taint("x", "y", "NoExecute")])), later("60s")])
    two = work("w", "a", [pod_set(count=2, topology=request("required R"))])
    gone = delete("LocalQueue", "a", "default")
    t.case("the node fails after the local queue is gone", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), *plenty, two, steps=[gone, apply(node("h1", "b", "r", 2, ready="False")), later("60s")])
    t.case("the node fails after the local queue is gone, no other host", TOPOLOGY, TAS, *nodes("b{r{h1:2}}"), *plenty, two, steps=[gone, delete("Node", "h1"), later("60s")])
    t.case("the node fails after the local queue leads elsewhere", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), *plenty, queue("b", "tas(cpu 1000)"), two,
           steps=[apply(local("a", "b")), apply(node("h1", "b", "r", 2, ready="False")), later("60s")])
    t.case("the node fails after the queue is stopped", TOPOLOGY, TAS, *nodes("b{r{h1:2,h2:2}}"), *plenty, two,
           steps=[{"stopPolicy": {"clusterQueue": "a", "policy": "Hold"}}, apply(node("h1", "b", "r", 2, ready="False")), later("60s")])
