"""What releases of Kueue once decided otherwise than their makers meant, rebuilt small: the outcome of 0.19.2.

Each rule names the issue or change at github.com/kubernetes-sigs/kueue that tells the story.
"""

from families.provisioning_requests import GPU, config, prov, says
from notation import *

HOST = "kubernetes.io/hostname"


def node(name, capacity, **labels):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": merged({HOST: name}, labels)},
            "status": {"capacity": merged({"pods": "100"}, amounts(capacity))}}


def topology(*levels):
    return thing("Topology", "default", {"levels": [{"nodeLabel": level} for level in levels]})


def placed(name="tas", pool="tas"):
    """A flavor with a topology."""
    return flavor(name, labels={"pool": pool}, topology="default")


def at_host(requests, name="main", count=1, **more):
    return pod_set(name, count, requests, topology={"required": HOST}, **more)


def on_nodes(one, *values, count=1):
    """A running workload with its placement."""
    one["status"]["admission"]["podSetAssignments"][0]["topologyAssignment"] = {"levels": [HOST], "slices": [
        {"domainCount": 1, "valuesPerLevel": [{"universal": value}], "podCounts": {"universal": count}} for value in values]}
    return one


def write(t):
    fair = {"fairSharing": {"enable": True}}

    t.rule("What runs counts in its cohort, whatever its queue lists now. (#2678, #2873)")
    q2 = queue("q2", "f(cpu 2, memory 1)", "c")
    t.case("a resource leaves a queue that borrows", queue("q1", "f(cpu 1, memory 1)", "c"), q2, work("w1", "q1", "cpu 2, memory 2", on="f"),
           work("w2", "q2", "cpu 1, memory 1", at=2), steps=[apply(queue("q1", "f(cpu 1)", "c", own=False)), later("1m"), finish("w1")])
    t.case("a flavor leaves a queue that borrows", queue("q1", "f(cpu 2) g(cpu 2)", "c"), queue("q2", "f(cpu 2) g(cpu 2)", "c"), work("w1", "q1", "cpu 4", on="g"),
           work("w2", "q2", "cpu 4", at=2), work("w3", "q2", "cpu 2", at=3), steps=[apply(queue("q1", "f(cpu 2)", "c", own=False)), finish("w1")])
    t.case("a queue that borrows leaves its cohort", queue("q1", "f(cpu 1)", "c"), queue("q2", "f(cpu 2)", "c"), work("w1", "q1", "cpu 2", on="f"),
           work("w2", "q2", "cpu 2", at=2), steps=[apply(queue("q1", "f(cpu 1)", own=False)), later("1m"), finish("w1")])

    t.rule("A negative request is refused, and worth nothing where it is not. (#12838, #13392)")
    ten = queue("q", "f(cpu 10)")
    negative = [container("cpu 8", name="a"), container("cpu -6", name="b")]
    off = {"gates": {"WorkloadValidateResourcesAreNonNegative": False}}
    t.case("a negative request", ten, work("neg", "q", pod_set(containers=negative)))
    t.case("a negative request, not validated", ten, work("neg", "q", pod_set(containers=negative)), work("second", "q", "cpu 8", at=2), **off)
    t.case("a negative limit, not validated", ten, work("neg", "q", pod_set(containers=[container("cpu 8", name="a"), container("", "cpu -6", name="b")])),
           work("second", "q", "cpu 8", at=2), **off)

    t.rule("A job that was admitted partially counts with the pods it got. (#3108, #3118, #3206)")
    nine = queue("q", "f(cpu 9, memory 36Gi)")
    t.case("two of five pods run", nine, work("a", "q", "main*5 min 1 cpu 2", on="f", counts={"main": 2}), work("b", "q", "main*5 min 1 cpu 2", at=2, on="f", counts={"main": 2}),
           work("small", "q", "cpu 1", at=3), work("next", "q", "cpu 1", at=4))
    t.case("four of five pods are admitted", nine, work("a", "q", "main*5 min 1 cpu 2"), work("small", "q", "cpu 1", at=2), work("next", "q", "cpu 1", at=3))

    t.rule("The quota of a cohort goes with it, out of every cohort above. (#10797, #10842)")
    tree = [cohort("root", "f(cpu 10)"), cohort("child", "f(cpu 5)", "root"), queue("q", "f(cpu 0)", "root")]
    t.case("a cohort below", *tree, work("w", "q", "cpu 12"))
    t.case("a cohort below is deleted", *tree, steps=[delete("Cohort", "child"), apply(work("w", "q", "cpu 12")), apply(work("v", "q", "cpu 10", at=2))])
    t.case("a cohort two levels below is deleted", *tree, cohort("grand", "f(cpu 3)", "child"), steps=[
        apply(work("w", "q", "cpu 18")), finish("w"), delete("Cohort", "grand"), apply(work("v", "q", "cpu 16", at=2)), apply(work("u", "q", "cpu 15", at=3))])
    t.case("the cohort between is deleted", *tree, cohort("grand", "f(cpu 3)", "child"), steps=[
        delete("Cohort", "child"), apply(work("v", "q", "cpu 12", at=2)), apply(work("u", "q", "cpu 10", at=3))])

    t.rule("A request of zero does not ask about a resource. (#2524)")
    for title, memory in (("zero of a resource at its limit", "0"), ("one of a resource at its limit", "1Gi")):
        both = lambda name: queue(name, "f(cpu 6/borrow 6, memory 3Gi/borrow 3Gi)", "c", within="LowerPriority", reclaim="LowerPriority")
        t.case(title, both("c1"), both("c2"), work("c1-low", "c1", "cpu 3, memory 3Gi", prio=-1, on="f"), work("c2-mid", "c2", "cpu 3", at=2, on="f"),
               work("c2-high", "c2", "cpu 6", prio=1, at=3, on="f"), work("new", "c1", f"cpu 3, memory {memory}", prio=1, at=4))

    t.rule("When no flavor fits without borrowing, the first that fits with borrowing is taken. (#1276)")
    for cpu in ("400m", "700m", "1500m"):
        quotas = "x86(cpu 500m, memory 2Gi) arm(cpu 500m, memory 2Gi)"
        t.case(f"a job of {cpu}", queue("q", quotas, "c", borrow="TryNextFlavor", preempt="MayStopSearch"), queue("lender", quotas, "c"), work("job", "q", f"cpu {cpu}, memory 1Gi"))

    t.rule("The preference of a queue does what its name says. (#9486)")
    for prefer in ("PreemptionOverBorrowing", "BorrowingOverPreemption"):
        t.case(prefer, queue("q", "on-demand(cpu 5/borrow 0) spot(cpu 0/borrow 5)", "c", within="LowerPriority", borrow="TryNextFlavor", preempt="TryNextFlavor", prefer=prefer),
               queue("lender", "spot(cpu 5)", "c"), work("low", "q", "cpu 5", prio=-1, on="on-demand"), work("new", "q", "cpu 5", at=2))

    t.rule("A search for a flavor goes on where it stopped, whatever happens in other queues meanwhile. (#13956)")
    two = [topology(HOST)] + [node(f"a{i}", "cpu 1", pool="a") for i in range(4)] + [node(f"b{i}", "cpu 4", pool="b") for i in range(2)] + [
        placed("f1", "a"), placed("f2", "b"), queue("q", "f1(cpu 4) f2(cpu 4)", "c", borrow="TryNextFlavor", preempt="TryNextFlavor"), queue("busy", "plain(cpu 8)", "c")]
    t.case("nodes of the first flavor are too small", *two, work("w", "q", at_host("cpu 2")))
    t.case("nodes of the first flavor are too small, another queue admits", *two, work("w", "q", at_host("cpu 2")), [work(f"b{i}", "busy", at=2 + i) for i in range(4)])

    t.rule("Nobody is preempted within its own quota, and a flavor without victims is passed over. (#5529, #5700)")
    t.case("no victims on the first flavor", queue("q", "one(cpu 0/borrow 2) two(cpu 0/borrow 2)", "c", below="LowerPriority", reclaim="LowerPriority"),
           queue("other", "one(cpu 2) two(cpu 2)", "c"), work("own", "other", "cpu 2", prio=-10, on="one"), work("new", "q", "cpu 2", at=2))
    t.case("the next flavor is free", queue("q", "on-demand(cpu 0/borrow 4) spot(cpu 4)", "c", reclaim="Any", within="LowerPriority"),
           queue("other", "on-demand(cpu 4)", "c"), work("own", "other", "cpu 4", on="on-demand"), work("new", "q", "cpu 4", at=2))

    t.rule("A preempting workload keeps its place before one of higher priority that can never be admitted. (#7157, #7202)")
    sticky = [cohort("all", "f(cpu 9)"), queue("p1", "f(cpu 0)", "all", within="LowerPriority", reclaim="Any"), queue("p2", "f(cpu 0)", "all", within="LowerPriority", reclaim="Any"),
              [work(f"r{i}", "p1", "cpu 2", at=1 + i, on="f") for i in range(4)], work("impossible", "p2", "cpu 6", prio=999, at=8), work("fitting", "p2", "cpu 5", at=9)]
    t.case("an impossible one before it", *sticky, **fair)
    t.case("an impossible one before it, pods end slowly", *sticky, cycles=8, emulation={"stopEvicted": False}, **fair)

    t.rule("Fair sharing and borrowWithinCohort together come to an end. (#3779, #4165)")
    tenants = lambda name: queue(name, "f(cpu 150m)", "root", reclaim="Any", below="LowerPriority", within="LowerPriority")
    t.case("a tenant that borrows asks for more", cohort("root"), tenants("ga"), tenants("gb"), queue("be", "f(cpu 0)", "root", reclaim="Any"),
           work("a1", "ga", "cpu 250m", on="f"), work("be1", "be", "cpu 50m", prio=-1, at=2, on="f"), work("a2", "ga", "cpu 50m", at=3), **fair)

    t.rule("Work within the quota of a cohort of weight 0 is nobody's victim. (#4980)")
    for weight in (0, 1):
        t.case(f"weight {weight}", cohort("root"), queue("left", "f(cpu 0)", "root", reclaim="Any"), cohort("right", "f(cpu 1)", "root", weight=weight),
               queue("r", "f(cpu 0)", "right", weight=weight), work("runs", "r", "cpu 1", on="f"), work("new", "left", "cpu 1", at=2), **fair)

    t.rule("A LocalQueue of weight 0 stands last. (#13481)")
    for weight in (0, 1):
        t.case(f"local queue of weight {weight}", queue("q", "f(cpu 8)", own=False, afs="UsageBasedAdmissionFairSharing"), local("z", "q", weight=weight), local("a", "q", weight=1),
               work("zero", "q", "cpu 8", local_queue="z"), work("one", "q", "cpu 8", at=2, local_queue="a"),
               admissionFairSharing={"usageHalfLifeTime": "5m", "usageSamplingInterval": "1m"})

    t.rule("An owner goes ahead of one that borrows. (#9484, #9533)")
    for gate in (True, False):
        t.case("a borrower of a smaller share" + ("" if gate else ", gate off"),
               queue("a", "on-demand(cpu 50/borrow 0) spot(cpu 50/borrow 50)", "c", borrow="TryNextFlavor", preempt="TryNextFlavor"), queue("b", "on-demand(cpu 10/borrow 50) spot(cpu 50/borrow 0)", "c"),
               work("ra", "a", "cpu 80", on="spot"), work("rb", "b", "cpu 5", at=2, on="on-demand"), work("nb", "b", "main*15 cpu 1", at=3), work("na", "a", "main*45 cpu 1", at=4),
               gates={} if gate else {"FairSharingPrioritizeNonBorrowing": False}, **fair)

    t.rule("Of two with the same share the later reservation is evicted, and only one. (#6763, #6764, #6800)")
    for first, second in ("ab", "ba"):
        t.case(f"{second} came later", [queue(name, "f(cpu 0)", "all") for name in "ab"], queue("g", "f(cpu 8)", "all", reclaim="Any"),
               work(first + "1", first, "cpu 4", on="f"), work(second + "1", second, "cpu 4", at=2, on="f"), work("new", "g", "cpu 4", at=3), **fair)

    t.rule("Own work that is put back among the victims may start an exchange without end: 0.19.2 has it still. (#14543)")
    for cpu in (3, 4, 5, 6):
        mine = lambda name: queue(name, "f(cpu 4)", "c", within="LowerPriority", reclaim="Any")
        t.case(f"a preemptor of {cpu} with own work below it", mine("p"), mine("t"), queue("lends", "f(cpu 4)", "c"), work("p1", "p", "cpu 3", prio=-1, on="f"), work("p2", "p", "cpu 2", prio=-1, at=2, on="f"),
               work("t1", "t", "cpu 3", at=3, on="f"), work("t2", "t", "cpu 4", at=4, on="f"), work("new", "p", f"cpu {cpu}", prio=1, at=5), **fair)

    one_host = lambda capacity, quotas: [topology(HOST), node("x1", capacity, pool="tas"), placed(), queue("q", quotas)]
    t.rule("What runs on a node counts there once for each of its resources. (#3513)")
    t.case("half a node is in use", *one_host("cpu 1, memory 1Gi", "tas(cpu 50, memory 50Gi)"), on_nodes(work("r", "q", "cpu 500m, memory 500Mi", on="tas"), "x1"), work("new", "q", at_host("cpu 500m, memory 500Mi"), at=2))

    t.rule("Pods of one pod set take the slots of a node from the next. (#11331)")
    for slots in (1, 2):
        t.case(f"a node for {slots} pods", *one_host(f"cpu 2, pods {slots}", "tas(cpu 50)"), work("w", "q", [at_host("cpu 1", "one"), at_host("cpu 1", "two")]))

    t.rule("A node that holds no pod does not end the search. (#8171, #5805)")
    rack = [topology("rack", HOST), [node(f"x{i}", f"cpu {0 if i == 1 else 1}", pool="tas", rack="r1") for i in (1, 2, 3)], placed(), queue("q", "tas(cpu 50)")]
    for title, request in (("unconstrained", {"unconstrained": True}), ("required", {"required": "rack"}), ("preferred", {"preferred": "rack"})):
        t.case(f"one node of three is too small, {title}", *rack, work("w", "q", pod_set(count=2, topology=request)))

    t.rule("Two flavors over the same nodes share what is free there; with the gate off they do not see each other. (#11210, #11759)")
    for gate in (True, False):
        t.case("a node in use through another flavor" + ("" if gate else ", gate off"), topology("block", HOST), [node(f"x{i}", "cpu 1", pool="tas", block="b1") for i in (1, 2)], placed("a"), placed("b"),
               queue("qa", "a(cpu 5)"), queue("qb", "b(cpu 5)"), on_nodes(work("r", "qa", "cpu 1", on="a"), "x1"), work("new", "qb", at_host("cpu 1"), at=2), gates={"TASHandleOverlappingFlavors": gate})

    t.rule("A node may have the name of its block. (#14233)")
    t.case("block and node b1", topology("block", HOST), node("b1", "cpu 1", pool="tas", block="b1"), placed(), queue("q", "tas(cpu 5)"), work("w", "q", pod_set(topology={"required": "block"})))

    t.rule("However small a request is, the count of pods that fit stays a number. (#13531)")
    for gate in (True, False):
        t.case("one byte" + ("" if gate else ", gate off"), *one_host("memory 2Gi, pods 10", "tas(memory 1Gi)"), work("w", "q", at_host("memory 1")), gates={"VectorizedResourceRequests": gate})

    t.rule("A resource that only quota knows may stand in a flavor without topology beside one with it. (#8963, #9691)")
    for credits in (1, 0):
        t.case(f"{credits} credits left", topology(HOST), node("x1", "cpu 1", pool="tas"), placed(), queue("q", f"tas(cpu 1) ++ credits(cpu_credits {credits})"), work("w", "q", at_host("cpu 1")),
               resources={"transformations": [{"input": "cpu", "strategy": "Retain", "outputs": {"cpu_credits": "1"}}]})

    t.rule("The second pass does not count a workload's own reservation against it. (#9048, #11040)")
    t.case("quota for it alone", config(), prov(), *one_host("cpu 1, memory 1Gi", "")[:3], queue("q", "tas(cpu 1, memory 1Gi)", checks=["prov"]), work("w", "q", at_host("cpu 1, memory 1Gi")),
           steps=[says("Provisioned")])
    eight = [topology(HOST), [node(f"x{i}", f"cpu 200, memory 2000Gi, {GPU} 8, rdma 8", pool="tas") for i in range(5)], config(cls="best-effort-atomic-scale-up.autoscaling.x-k8s.io"), prov(), placed(),
             queue("q", f"tas({GPU} 40, cpu 1760, memory 19200Gi, rdma 0)", checks=["prov"])]
    ask = f"{GPU} 8, cpu 100, memory 1000Gi"
    t.case("beside running work", *eight, [work(f"r{i}", "q", at_host(ask), at=1 + i) for i in range(4)], work("w", "q", at_host(ask), at=6),
           steps=[says("Provisioned", f"r{i}") for i in range(4)] + [says("Provisioned")])
    t.case("a resource whose quota is 0", *eight, work("w", "q", at_host(f"{GPU} 8, rdma 1")))

    t.rule("A pod set without pods asks for no place. (#10510)")
    for done, runs in ((0, 1), (0, 0), (1, 0)):
        t.case(f"{done} and {runs} pods", *one_host("cpu 1", "tas(cpu 5)"), work("w", "q", [at_host("cpu 1", "completed-job", done), at_host("cpu 1", "running-job", runs)]))

    t.rule("Only pod sets that use what is managed are in a request, and the others go in without updates. (#2260, #2281)")
    t.case("a launcher without the managed resource", config(managed=[GPU], cls="queued-provisioning.gke.io"), prov(), queue("q", f"f(cpu 20, {GPU} 5)", checks=["prov"]),
           work("w", "q", f"launcher*1 cpu 1 + worker*2 cpu 1, {GPU} 1"), steps=[says("Provisioned")])

    t.rule("Attempts go on to the last, with waits that double; then the workload is deactivated. (#6330)")
    t.case("three attempts", config(limit=2, base=2), prov(), queue("q", f"f({GPU} 5)", checks=["prov"]), work("w", "q", f"ps1*3 {GPU} 1"),
           steps=[says("Failed"), at("10s", says("Failed")), at("20s", says("Failed")), later("1m")])

    t.rule("A request does not stay behind a workload that ended or was evicted; the count of retries does. (#12654)")
    for gate in (True, False):
        asked = [config(limit=1, base=10), prov(), queue("q", "f(cpu 20)", within="LowerPriority", checks=["prov"]), work("w", "q", "a*4 cpu 1 + b*3 cpu 1")]
        word, gates = "" if gate else ", gate off", {"gates": {"CleanupProvisioningRequestsOnEviction": gate}}
        t.case("finished" + word, *asked, steps=[finish("w"), says("Provisioned"), apply(work("v", "q", "cpu 20", at=2))], **gates)
        t.case("evicted by a preemptor" + word, *asked, steps=[says("Provisioned"), apply(work("v", "q", "cpu 20", prio=5, at=2)), finish("v"), later("1m"), says("Provisioned")], **gates)
        t.case("evicted by its check" + word, *asked, steps=[says("Failed"), later("5s"), later("10s"), says("Failed"), later("1m")], **gates)

    t.rule("A key of a selector that the flavor at hand does not have is left to the scheduler of the pods. (#12446, #12449)")
    t.case("a key that another flavor has", flavor("xa", labels={"x": "a"}), flavor("xb", labels={"x": "b", "y": "k"}), queue("q", "xa(cpu 4) xb(cpu 4)"),
           work("w", "q", pod_set(selector={"x": "a", "y": "g"})))

    t.rule("Parts of a unit are multiplied before they are rounded. (#12953, #12962)")
    for title, source, quotas, pods, more in (
            ("100m times 3000", "cpu", "f(credits 300)", "cpu 100m", {"outputs": {"credits": "3000"}}), ("one credit less", "cpu", "f(credits 299)", "cpu 100m", {"outputs": {"credits": "3000"}}),
            ("100M times 3m", "memory", "f(credits 300k)", "memory 100M", {"outputs": {"credits": "3m"}}),
            ("300m times 1000 of another resource", "x.com/x", "f(credits 300, cpu 1k)", "x.com/x 1, cpu 1000", {"outputs": {"credits": "300m"}, "multiplyBy": "cpu"})):
        t.case(title, queue("q", quotas), work("w", "q", pods), resources={"transformations": [merged({"input": source, "strategy": "Replace"}, more)]})

    t.rule("A check for a flavor that the queue does not have is refused. (#7259, #10378)")
    t.case("a check for a missing flavor", check("c", active=True), flavor("f2"), queue("q", "f1(cpu 4)", checks={"c": ["f2"]}), work("w", "q"))

    t.rule("One resource that no group covers keeps a workload out; covered, left out or undeclared it does not. (#4848)")
    covers = "f(cpu 8, memory 8Gi, pods 10)"
    disk = "ephemeral-storage"
    t.case("not covered", queue("q", covers), work("w", "q", f"cpu 1, {disk} 6Gi"))
    t.case("not covered, from a LimitRange", limit_range("l", limits("Container", defaultRequest=f"{disk} 100Mi", default=f"{disk} 1Gi")), queue("q", covers), work("w", "q"))
    t.case("covered", queue("q", f"f(cpu 8, memory 8Gi, pods 10, {disk} 100Gi)"), work("w", "q", f"cpu 1, {disk} 6Gi"))
    t.case("left out of all requests", queue("q", covers), work("w", "q", f"cpu 1, {disk} 6Gi"), resources={"excludeResourcePrefixes": [disk]})
    t.case("undeclared resources ignored", queue("q", covers), work("w", "q", f"cpu 1, {disk} 6Gi"), resources={"quotaCheckStrategy": "IgnoreUndeclared"})

    t.rule("Labels of a flavor's object select nothing. (#425)")
    labelled = merged(flavor("f"), {"metadata": {"labels": {"app.kubernetes.io/managed-by": "Helm"}}})
    t.case("labels of a package manager", labelled, flavor("g", labels={"app.kubernetes.io/managed-by": "Helm"}), queue("q", "f(cpu 4) g(cpu 4)"),
           work("w", "q", pod_set(selector={"app.kubernetes.io/managed-by": "Argo"})), work("v", "q", pod_set(selector={"app.kubernetes.io/managed-by": "Helm"}), at=2))

    t.rule("A raised priority brings a parked workload back, but does not end its back-off. (#9661)")
    t.case("parked", queue("q", "f(cpu 4)", within="LowerPriority"), work("r", "q", "cpu 4", prio=100, on="f"), work("w", "q", "cpu 4", at=2), steps=[{"priority": {"workload": "default/w", "value": 300}}])
    t.case("in its back-off", check("c", active=True), queue("q", "f(cpu 4)", checks=["c"]), work("w", "q", "cpu 4"),
           steps=[answer("w", "c", "Retry", requeueAfterSeconds=60), {"priority": {"workload": "default/w", "value": 300}}, later("30s"), later("1m")])

    t.rule("A queue may have more than 16 flavors. (#12089, #12082)")
    t.case("17 flavors", queue("q", " ".join(f"f{i:02}(cpu 1)" for i in range(17))), [work(f"w{i:02}", "q", at=1 + i) for i in range(18)])

    t.rule("Hold ends admissions and leaves what runs. (#1651)")
    t.case("hold", queue("q", "f(cpu 100)"), work("one", "q", "cpu 4"), steps=[{"stopPolicy": {"clusterQueue": "q", "policy": "Hold"}}, apply(work("two", "q", "cpu 4", at=2)), later("1m"),
                                                                             {"stopPolicy": {"clusterQueue": "q", "policy": "None"}}])
