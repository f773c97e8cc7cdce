"""What Kueue's webhooks refuse, and what both versions of its interface mean.

Only what the webhooks judge is recorded: bounds and enumerations of the custom resources are the API server's, whose
part nobody plays here.
"""

from notation import *

V1BETA1 = "kueue.x-k8s.io/v1beta1"


def old(one, **spec):
    """An object as its v1beta1 form."""
    return merged(one, {"apiVersion": V1BETA1, "spec": spec})


def write(t):
    w = work("w", "a")

    def cluster_queue(name, *objects, gates=None):
        t.case("cluster queue: " + name, *objects, w, **({"gates": gates} if gates else {}))

    t.rule("Quotas of a cluster queue are not negative; limits need a cohort, and a queue lends no more than it has.")
    for title, quotas, parent in [
            ("a negative quota", "f1(cpu -1)", None), ("a quota of zero", "f1(cpu 0)", None),
            ("a borrowing limit without a cohort", "f1(cpu 1/borrow 1)", None), ("a borrowing limit of zero", "f1(cpu 1/borrow 0)", "R"),
            ("a negative borrowing limit", "f1(cpu 1/borrow -1)", "R"), ("a lending limit without a cohort", "f1(cpu 1/lend 1)", None),
            ("a lending limit of zero", "f1(cpu 1/lend 0)", "R"), ("a negative lending limit", "f1(cpu 1/lend -1)", "R"),
            ("a lending limit above the quota", "f1(cpu 1/lend 2)", "R"), ("a lending limit equal to the quota", "f1(cpu 1/lend 1)", "R"),
            ("a quota with a fraction of a byte", "f1(cpu 1, memory 1500m)", None), ("a huge quota", "f1(cpu 9E)", None)]:
        cluster_queue(title, queue("a", quotas, parent))

    t.rule("Each resource and each flavor is in one group; the flavors of a group list its resources in its order.")
    cluster_queue("a resource in two groups", queue("a", "f1(cpu 1) ++ f2(cpu 1)"))
    cluster_queue("a flavor in two groups", queue("a", "f1(cpu 1) ++ f1(memory 1)"))
    cluster_queue("a flavor twice in a group", queue("a", "f1(cpu 1) f1(cpu 1)"))
    cluster_queue("resources in another order", queue("a", "f1(cpu 1, memory 1) f2(memory 1, cpu 1)"))
    cluster_queue("two groups", queue("a", "f1(cpu 1) ++ f2(memory 1)"))
    cluster_queue("a resource with a bad name", queue("a", "f1(@cpu 1)"))
    cluster_queue("an extended resource", queue("a", "f1(cpu 1, example.com/gpu 1)"))
    cluster_queue("no groups", queue("a"))
    for count in (16, 17):
        cluster_queue(f"{count} flavors in a group", queue("a", " ".join(f"f{i}(cpu 1)" for i in range(count))))
    for count in (2, 16):
        cluster_queue(f"{count} groups", queue("a", " ++ ".join(f"f{i}({'cpu' if i == 0 else f'example.com/r{i}'} 1)" for i in range(count))))
    for count in (16,):
        cluster_queue(f"{count} resources in a group", queue("a", "f1(cpu 1, " + ", ".join(f"example.com/r{i} 1" for i in range(count - 1)) + ")"))

    t.rule("A cluster queue's policies fit each other.")
    cluster_queue("borrowWithinCohort without reclaim", queue("a", "f1(cpu 1)", "R", below="LowerPriority"))
    cluster_queue("borrowWithinCohort Never without reclaim", queue("a", "f1(cpu 1)", "R", below="Never"))
    cluster_queue("borrowWithinCohort with reclaim", queue("a", "f1(cpu 1)", "R", reclaim="LowerPriority", below="LowerPriority", threshold=10))
    for prefer in ("BorrowingOverPreemption", "PreemptionOverBorrowing"):
        for borrow in ("MayStopSearch", "TryNextFlavor"):
            for preempt in ("MayStopSearch", "TryNextFlavor"):
                cluster_queue(f"preference {prefer} with {borrow} and {preempt}", queue("a", "f1(cpu 1)", prefer=prefer, borrow=borrow, preempt=preempt))
    cluster_queue("a selector with a bad label", queue("a", "f1(cpu 1)", selector={"matchLabels": {"nospecialchars^=@": "bar"}}))
    cluster_queue("a selector with a bad operator", queue("a", "f1(cpu 1)", selector={"matchExpressions": [{"key": "k", "operator": "Somehow", "values": ["x"]}]}))
    cluster_queue("a selector In without values", queue("a", "f1(cpu 1)", selector={"matchExpressions": [{"key": "k", "operator": "In"}]}))
    cluster_queue("a check for a flavor that it has", check("c", active=True), queue("a", "f1(cpu 1)", checks={"c": ["f1"]}))
    cluster_queue("a check for a flavor that it does not have", check("c", active=True), queue("a", "f1(cpu 1)", checks={"c": ["f2"]}))
    for weight in ("0", "-1", "1", "0.0000000001", "0.000001", "1000k"):
        cluster_queue(f"weight {weight}", queue("a", "f1(cpu 1)", weight=weight))
    cluster_queue("a field that does not exist", queue("a", "f1(cpu 1)", nonsense=1))
    cluster_queue("a quota that is no quantity", queue("a", "f1(cpu one)"))

    t.rule("A cohort's limits need a parent; it may lend more than it has.")
    def of_cohort(name, *objects):
        t.case("cohort: " + name, *objects, queue("a", "f1(cpu 1)", "C"), work("w", "a", "cpu 3"))
    of_cohort("a borrowing limit without a parent", cohort("C", "f1(cpu 1/borrow 1)"))
    of_cohort("a lending limit without a parent", cohort("C", "f1(cpu 1/lend 1)"))
    of_cohort("limits with a parent", cohort("C", "f1(cpu 1/borrow 1/lend 1)", parent="P"))
    of_cohort("it lends more than it has", cohort("C", "f1(cpu 1/lend 9)", parent="P"))
    of_cohort("a negative quota", cohort("C", "f1(cpu -1)"))
    of_cohort("a resource in two groups", cohort("C", "f1(cpu 1) ++ f2(cpu 1)"))
    of_cohort("a negative weight", cohort("C", "f1(cpu 1)", weight="-1"))
    of_cohort("a weight of zero", cohort("C", "f1(cpu 1)", weight="0"))

    t.rule("Labels, taints and tolerations of a flavor are those that a node may have.")
    def of_flavor(name, one):
        t.case("flavor: " + name, one, queue("a", "f1(cpu 1)"), w)
    of_flavor("empty", flavor("f1"))
    of_flavor("labels", flavor("f1", {"a/b": "c"}))
    of_flavor("a bad label name", flavor("f1", {"@b": "c"}))
    of_flavor("a bad label value", flavor("f1", {"a": "@"}))
    of_flavor("a taint", flavor("f1", taints=[taint("a", "b")]))
    of_flavor("a taint with a bad key", flavor("f1", taints=[taint("@", "b")]))
    of_flavor("a taint with a bad value", flavor("f1", taints=[taint("a", "@")]))
    of_flavor("a taint twice", flavor("f1", taints=[taint("a", "b"), taint("a", "c")]))
    of_flavor("a toleration without a key", flavor("f1", tolerations=[{"operator": "Exists"}]))

    t.rule("A workload's pod sets, annotations and gates are well formed.")
    def of_workload(name, one, *objects, gates=None):
        t.case("workload: " + name, *objects, queue("a", "f1(cpu 10)"), one, **({"gates": gates} if gates else {}))
    of_workload("a request for pods", work("w", "a", "cpu 1, pods 1"))
    of_workload("a limit for pods", work("w", "a", [pod_set(containers=[container("cpu 1", "pods 1")])]))
    of_workload("a negative limit", work("w", "a", [pod_set(containers=[container("", "cpu -1")])]))
    of_workload("a negative request of an init container", work("w", "a", [pod_set(init=[container("cpu -1", name="i")])]))
    of_workload("a negative request of the pod", work("w", "a", [pod_set(resources={"requests": {"cpu": "-1"}})]))
    of_workload("two pod sets with minCount", work("w", "a", "one*2 min 1 cpu 1 + two*2 min 1 cpu 1"))
    of_workload("eighteen pod sets", work("w", "a", [pod_set(f"p{i}", requests="cpu 100m") for i in range(18)]))
    for value in ("1", "0", "-1", "x", "", "99999999999"):
        of_workload(f"a priority boost of `{value}`", work("w", "a", annotations={"kueue.x-k8s.io/priority-boost": value}), gates={"PriorityBoost": True})
    of_workload("a bad priority boost with the gate off", work("w", "a", annotations={"kueue.x-k8s.io/priority-boost": "x"}), gates={"PriorityBoost": False})
    for value in ("example.com/gate", "example.com/gate,other.com/gate", " example.com/gate", "example.com/gate ,other.com/x", "example.com/gate, other.com/x",
                  "example.com/gate ", "gate", "example.com/gate,example.com/gate", "example.com/a b"):
        of_workload(f"gated by `{value}`", work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": value}))
    of_workload("partial admission of an elastic job", work("w", "a", "main*3 min 1 cpu 1", annotations={"kueue.x-k8s.io/elastic-job": "true"}))
    of_workload("more reclaimable pods than pods", work("w", "a", "main*3 cpu 1", status={"reclaimablePods": [{"name": "main", "count": 4}]}))
    of_workload("reclaimable pods of an unknown pod set", work("w", "a", "main*3 cpu 1", status={"reclaimablePods": [{"name": "other", "count": 1}]}))
    of_workload("admitted to an unknown pod set", work("w", "a", "main*3 cpu 1", on="f1", status={"admission": {"podSetAssignments": [
        {"name": "other", "count": 3, "flavors": {"cpu": "f1"}, "resourceUsage": {"cpu": "3"}}]}}))
    of_workload("a usage that its pods cannot share", work("w", "a", "main*3 cpu 1", on="f1", usage={"main": "cpu 1"}))
    of_workload("reserved without an admission", work("w", "a", conditions=[condition("QuotaReserved")]))
    of_workload("a bad label in a template", work("w", "a", [merged(pod_set(), {"template": {"metadata": {"labels": {"a": "@"}}}})]))
    of_workload("a bad annotation in a template", work("w", "a", [merged(pod_set(), {"template": {"metadata": {"annotations": {"@": "x"}}}})]))
    of_workload("updates of an unknown pod set", work("w", "a", status={"admissionChecks": [{"name": "c", "state": "Ready", "message": "", "lastTransitionTime": stamp(1),
                "podSetUpdates": [{"name": "other"}]}]}))
    of_workload("updates with a bad label", work("w", "a", status={"admissionChecks": [{"name": "c", "state": "Ready", "message": "", "lastTransitionTime": stamp(1),
                "podSetUpdates": [{"name": "main", "labels": {"@": "x"}}]}]}))

    t.rule("What is fixed after a reservation cannot be edited.")
    def edit(name, first, second):
        t.case("edit: " + name, queue("a", "f1(cpu 10)"), queue("b", "f1(cpu 10)"), first, steps=[apply(second), later("5s")])
    run = dict(on="f1")
    edit("the local queue of a waiting workload", work("w", "a", "cpu 11"), work("w", "b", "cpu 11"))
    edit("the count of a running workload", work("w", "a", "main*2 cpu 1", **run), work("w", "a", "main*3 cpu 1"))
    edit("the count of a waiting workload", work("w", "a", "main*20 cpu 1"), work("w", "a", "main*3 cpu 1"))
    edit("the priority of a running workload", work("w", "a", **run), work("w", "a", prio=5))
    edit("a gate is added", work("w", "a", "cpu 11"), work("w", "a", "cpu 11", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/g"}))
    edit("one of two gates is taken away", work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/g,example.com/h"}),
         work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/h"}))
    edit("the gates change places", work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/g,example.com/h"}),
         work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/h,example.com/g"}))
    edit("another gate takes its place", work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/g"}),
         work("w", "a", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/h"}))

    t.rule("Objects of v1beta1 mean the same under their older names.")
    t.case("v1beta1: cohort", old(queue("a", "f1(cpu 1)", own=False), cohort="R"), local("a", "a"), queue("b", "f1(cpu 5)", "R"), work("w", "a", "cpu 4"))
    for borrow, preempt in (("Borrow", "Preempt"), ("TryNextFlavor", "TryNextFlavor"), ("Borrow", "TryNextFlavor"), ("TryNextFlavor", "Preempt"), ("MayStopSearch", "MayStopSearch")):
        t.case(f"v1beta1: whenCanBorrow {borrow}, whenCanPreempt {preempt}",
               old(queue("a", "f1(cpu 1) f2(cpu 5)", own=False, within="LowerPriority"), cohort="R", flavorFungibility={"whenCanBorrow": borrow, "whenCanPreempt": preempt}),
               local("a", "a"), queue("b", "f1(cpu 5) f2(cpu 0)", "R"), work("l", "a", "cpu 5", on="f2"), work("w", "a", "cpu 3", prio=4, at=2))
    t.case("v1beta1: names of v1beta2 are refused", old(queue("a", "f1(cpu 1)", own=False), cohortName="R"), local("a", "a"), w)
    t.case("v1beta1: admission checks", check("c", active=True), old(queue("a", "f1(cpu 1)", own=False), admissionChecks=["c"]), local("a", "a"), w)
    t.case("v1beta1: checks in both forms", check("c", active=True), check("d", active=True),
           old(queue("a", "f1(cpu 1)", own=False, checks=["d"]), admissionChecks=["c"]), local("a", "a"), w, steps=[answer("w", "d", "Ready"), later("5s"), answer("w", "c", "Ready"), later("5s")])
    t.case("v1beta1: a priority class of the workload", priority_class("p", 5), queue("a", "f1(cpu 1)"), work("v", "a", at=1),
           old(work("w", "a", at=2, prio=5), priorityClassName="p", priorityClassSource="kueue.x-k8s.io/workloadpriorityclass"))
    t.case("v1beta1: a priority class of pods", priority_class("p", 5, "PriorityClass"), queue("a", "f1(cpu 1)"), work("v", "a", at=1),
           old(work("w", "a", at=2, prio=5), priorityClassName="p", priorityClassSource="scheduling.k8s.io/priorityclass"))
    t.case("v1beta1: the time it ran", queue("a", "f1(cpu 1)"), merged(work("w", "a", maximumExecutionTimeSeconds=60), {
        "apiVersion": V1BETA1, "status": {"accumulatedPastExexcutionTimeSeconds": 50}}), steps=[later("9s"), later("3s")])
    t.case("v1beta1: every object", old(flavor("f1")), old(cohort("R", "f1(cpu 2)")), old(queue("a", "f1(cpu 1)", own=False), cohort="R"), old(local("a", "a")), old(work("w", "a", "cpu 3")))
    t.case("v1beta1: a running workload", queue("a", "f1(cpu 1)"), old(work("r", "a", on="f1")), work("w", "a", at=2))
    t.case("v1alpha1 is unknown", merged(queue("a", "f1(cpu 1)", own=False), {"apiVersion": "kueue.x-k8s.io/v1alpha1"}), local("a", "a"), w)
    t.case("a kind that is unknown", thing("Queue", "x", {}), queue("a", "f1(cpu 1)"), w)
