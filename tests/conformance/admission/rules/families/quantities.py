"""What the pods of a workload request, and what that is as whole numbers."""

from notation import *

CPU = "f1(cpu 1000, memory 1000Gi)"


def write(t):
    def one(name, *pods, quotas=CPU, extra=(), **options):
        t.case(name, queue("a", quotas), *extra, work("w", "a", list(pods)), **options)

    t.rule("A request is rounded up to a whole unit for each pod, before it is multiplied by the number of pods.")
    for count, cpu, memory in [(3, "100u", "500m"), (1, "1n", "1m"), (7, "1500u", "1500m"), (10, "999u", "2"),
                               (2, "1001m", "1023"), (4, "0.0005", "0.25"), (1000, "1u", "1u")]:
        one(f"{count} pods of cpu {cpu}, memory {memory}", pod_set(count=count, requests=f"cpu {cpu}, memory {memory}"))

    t.rule("cpu counts milli-cores, everything else whole units; the written form of a quantity does not matter.")
    for cpu in ["2", "2000m", "2.0", "0.002k", "2e0", "20e-1"]:
        one(f"cpu {cpu} is two cores", pod_set(requests=f"cpu {cpu}"))
    for memory in ["1Gi", "1024Mi", "1048576Ki", "1073741824", "1G", "1000M", "1e9", "1.5Gi", "0.5Gi"]:
        one(f"memory {memory}", pod_set(requests=f"memory {memory}"))
    for resource in ["nvidia.com/gpu", "example.com/thing", "ephemeral-storage", "hugepages-2Mi", "google.com/tpu"]:
        one(f"a request for {resource}", pod_set(count=2, requests=f"{resource} 3"), quotas=f"f1({resource} 7)")
        one(f"a request for {resource} beyond the quota", pod_set(count=3, requests=f"{resource} 3"),
            quotas=f"f1({resource} 7)")

    t.rule("Texts print cpu in decimals, memory and storage in binary units when they are exact, the rest plainly.")
    for resource, quota, asked in [("cpu", "3", "3500m"), ("cpu", "2500m", "4"), ("memory", "3Gi", "5Gi"),
                                   ("memory", "3G", "5G"), ("memory", "1000", "1025"), ("memory", "1Mi", "1536Ki"),
                                   ("ephemeral-storage", "1Gi", "2Gi"), ("ephemeral-storage", "1", "3000"),
                                   ("hugepages-1Gi", "1Gi", "4Gi"), ("example.com/gpu", "1", "2000"),
                                   ("nvidia.com/gpu", "0", "8"), ("memory", "0", "1048577")]:
        one(f"{asked} of {resource} with a quota of {quota}", pod_set(requests=f"{resource} {asked}"),
            quotas=f"f1({resource} {quota})")

    t.rule("Containers are added up; an ordinary init container needs at least its own requests, not more than once.")
    for title, init, main in [
            ("an init container larger than the containers", ["cpu 5"], ["cpu 2"]),
            ("an init container smaller than the containers", ["cpu 1"], ["cpu 2"]),
            ("the largest of several init containers", ["cpu 3", "cpu 5", "cpu 4"], ["cpu 2"]),
            ("containers are added", [], ["cpu 1", "cpu 2", "cpu 4"]),
            ("each resource for itself", ["cpu 9, memory 1Gi"], ["cpu 1, memory 4Gi"]),
            ("an init container asks for something else", ["memory 2Gi"], ["cpu 1"])]:
        one(title, pod_set(containers=[container(r, name=f"c{i}") for i, r in enumerate(main)],
                           init=[container(r, name=f"i{i}") for i, r in enumerate(init)]))

    t.rule("An init container that is restarted always runs on: it counts with the containers, and with every init "
           "container after it.")
    always = {"restartPolicy": "Always"}
    for title, init, main in [
            ("the sidecar first", [("cpu 1", True), ("cpu 5", False)], ["cpu 2"]),
            ("the sidecar after the init container", [("cpu 5", False), ("cpu 1", True)], ["cpu 2"]),
            ("two sidecars", [("cpu 1", True), ("cpu 2", True)], ["cpu 4"]),
            ("two sidecars around an init container", [("cpu 1", True), ("cpu 6", False), ("cpu 2", True)], ["cpu 3"]),
            ("a sidecar alone", [("cpu 3", True)], ["memory 1Gi"])]:
        one(title, pod_set(count=2, containers=[container(r, name=f"c{i}") for i, r in enumerate(main)],
                           init=[container(r, name=f"i{i}", **(always if side else {}))
                                 for i, (r, side) in enumerate(init)]))
    one("with overhead", pod_set(count=2, containers=[container("cpu 4")],
                                 init=[container("cpu 1", name="i0", **always), container("cpu 2", name="i1", **always)],
                                 overhead={"cpu": "500m"}))

    t.rule("Requests of the pod as a whole replace those of its containers, for cpu, memory and huge pages.")
    for title, whole, inside in [("smaller than the containers'", "cpu 3", "cpu 5"),
                                 ("larger than the containers'", "cpu 8", "cpu 5"),
                                 ("only for memory", "memory 1Gi", "cpu 5, memory 2Gi"),
                                 ("for both", "cpu 1, memory 1Gi", "cpu 5, memory 2Gi")]:
        one(title, pod_set(requests=inside, resources={"requests": amounts(whole)}))
    one("with overhead on top", pod_set(requests="cpu 5", resources={"requests": {"cpu": "3"}}, overhead={"cpu": "250m"}))
    one("limits of the pod become its requests", pod_set(requests="cpu 5", resources={"limits": {"cpu": "7"}}))

    t.rule("The overhead of a RuntimeClass is added when the pod has none of its own; a class that is missing adds "
           "nothing.")
    classes = runtime_class("heavy", "cpu 250m, memory 64Mi")
    one("from the class", pod_set(count=2, runtimeClassName="heavy"), extra=[classes])
    one("given by the pod", pod_set(count=2, runtimeClassName="heavy", overhead={"cpu": "1"}), extra=[classes])
    one("the class is missing", pod_set(count=2, runtimeClassName="light"), extra=[classes])
    one("the class has no overhead", pod_set(count=2, runtimeClassName="heavy"),
        extra=[{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "heavy"}, "handler": "h"}])
    one("the overhead alone asks for memory", pod_set(requests="cpu 1", runtimeClassName="heavy"), extra=[classes],
        quotas="f1(cpu 10)")

    t.rule("A container with a limit and no request asks for its limit.")
    for title, requests, bound in [("only a limit", "", "cpu 4"), ("a request below its limit", "cpu 1", "cpu 4"),
                                   ("limits of two resources, one requested", "cpu 1", "cpu 4, memory 2Gi")]:
        one(title, pod_set(containers=[container(requests, bound)]))
    one("a limit of an init container", pod_set(requests="cpu 1", init=[container("", "cpu 6", name="i")]))

    t.rule("Defaults of a LimitRange come before limits become requests.")
    ranges = limit_range("defaults", limits("Container", default="cpu 4", defaultRequest="cpu 1"))
    for title, requests, bound in [("only a limit", "", "cpu 4"), ("nothing at all", "", ""),
                                   ("a request of its own", "cpu 3", ""), ("something else", "memory 1Gi", "")]:
        one(title + ", with default and defaultRequest", pod_set(containers=[container(requests, bound)]), extra=[ranges])
    one("only a default limit", pod_set(containers=[container("", "")]),
        extra=[limit_range("d", limits("Container", default="cpu 3"))])
    one("only a default request", pod_set(containers=[container("", "cpu 9")]),
        extra=[limit_range("d", limits("Container", defaultRequest="cpu 3"))])
    one("init containers have defaults, too", pod_set(containers=[container("cpu 1")], init=[container("", name="i")]),
        extra=[limit_range("d", limits("Container", defaultRequest="cpu 3"))])
    one("a LimitRange of another namespace", pod_set(containers=[container("", "")]),
        extra=[namespace("other"), limit_range("d", limits("Container", defaultRequest="cpu 3"), namespace="other")])
    one("a pod item sets defaults only for requests of the whole pod", pod_set(containers=[container("cpu 1")]),
        extra=[limit_range("d", limits("Pod", max="cpu 5", default="cpu 4", defaultRequest="cpu 3"))])
    one("a pod item with requests of the whole pod",
        pod_set(containers=[container("cpu 1")], resources={"requests": {"memory": "1Gi"}}),
        extra=[limit_range("d", limits("Pod", default="cpu 4", defaultRequest="cpu 3"))])

    t.rule("A request above its limit, or outside a LimitRange, makes the workload inadmissible before any flavor is "
           "tried.")
    for title, pods in [("in a container", pod_set(containers=[container("cpu 3", "cpu 2")])),
                        ("in an init container", pod_set(init=[container("cpu 3", "cpu 2", name="i")])),
                        ("of the pod as a whole", pod_set(resources={"requests": {"cpu": "3"}, "limits": {"cpu": "2"}})),
                        ("of another resource", pod_set(containers=[container("cpu 1, memory 3Gi", "memory 2Gi")])),
                        ("equal is fine", pod_set(containers=[container("cpu 3", "cpu 3")]))]:
        one("request above limit " + title, pods)
    one("requests above limits in both of two pod sets",
        pod_set("one", containers=[container("cpu 3", "cpu 2")]), pod_set("two", containers=[container("cpu 3", "cpu 2")]))
    for title, item, pods in [
            ("container above its maximum", limits("Container", max="cpu 2"), pod_set(requests="cpu 3")),
            ("container at its maximum", limits("Container", max="cpu 3"), pod_set(requests="cpu 3")),
            ("container below its minimum", limits("Container", min="cpu 2"), pod_set(requests="cpu 1")),
            ("container limit above the maximum", limits("Container", max="cpu 2"),
             pod_set(containers=[container("cpu 1", "cpu 3")])),
            ("init container above its maximum", limits("Container", max="cpu 2"),
             pod_set(requests="cpu 1", init=[container("cpu 3", name="i")])),
            ("pod above its maximum", limits("Pod", max="cpu 3"),
             pod_set(containers=[container("cpu 2"), container("cpu 2", name="d")])),
            ("pod below its minimum", limits("Pod", min="cpu 3"), pod_set(requests="cpu 2")),
            ("pod within its bounds", limits("Pod", min="cpu 1", max="cpu 3"), pod_set(requests="cpu 2")),
            ("a resource the range does not name", limits("Container", max="memory 1Gi"), pod_set(requests="cpu 2")),
            ("the ratio of limit and request is not checked", limits("Container", maxLimitRequestRatio="cpu 2"),
             pod_set(containers=[container("cpu 1", "cpu 3")]))]:
        one(title, pods, extra=[limit_range("bounds", item)])
    one("the smallest maximum of two LimitRanges counts", pod_set(requests="cpu 3"),
        extra=[limit_range("x", limits("Container", max="cpu 9")), limit_range("y", limits("Container", max="cpu 2"))])
    one("the largest minimum of two LimitRanges counts", pod_set(requests="cpu 3"),
        extra=[limit_range("x", limits("Container", min="cpu 1")), limit_range("y", limits("Container", min="cpu 4"))])

    t.rule("Sums of a workload stop at the largest 64-bit number instead of wrapping.")
    big = str(2 ** 62)
    one("two pods of a large memory", pod_set(count=2, requests=f"memory {big}"))
    one("three pods of a large memory", pod_set(count=3, requests=f"memory {big}"))
    one("two pod sets of a large memory", pod_set("one", requests=f"memory {big}"), pod_set("two", requests=f"memory {big}"))
    one("cpu too large for milli-cores", pod_set(requests="cpu 9E"))
    one("cpu too large, two pods", pod_set(count=2, requests="cpu 9E"))
    one("cpu just within milli-cores", pod_set(requests="cpu 9P"), quotas="f1(cpu 9P)")
    one("a large request and a limited quota", pod_set(requests=f"example.com/gpu {2 ** 63 - 1}"),
        quotas="f1(example.com/gpu 1000)")

    t.rule("A quota of 2^63-1 units or more is unlimited, for its queue and for everyone who can borrow it.")
    for quota, asked in [("1E", "9E"), ("9E", "1"), ("10P", "20P"), ("9P", "10P")]:
        one(f"cpu {quota}, asked for {asked}", pod_set(requests=f"cpu {asked}"), quotas=f"f1(cpu {quota})")
    t.case("a queue of the cohort borrows from an unlimited quota", queue("a", "f1(cpu 1E)", "team"),
           queue("b", "f1(cpu 2)", "team"), work("w", "b", "cpu 4k"))
    t.case("a borrowing limit bounds it", queue("a", "f1(cpu 1E)", "team"), queue("b", "f1(cpu 2/borrow 3)", "team"),
           work("w", "b", "cpu 6"))
    t.case("a lending limit bounds it", queue("a", "f1(cpu 1E/lend 3)", "team"), queue("b", "f1(cpu 2)", "team"),
           work("v", "b", "cpu 6"), work("w", "b", "cpu 5", at=2))
    t.case("the cohort's own quota is unlimited", cohort("team", "f1(cpu 1E)"), queue("b", "f1(cpu 0)", "team"),
           work("w", "b", "cpu 1k"))
    t.case("memory of 8Ei is unlimited", queue("a", "f1(memory 8Ei)"), work("w", "a", "one*4 memory 4Ei"))

    t.rule("Zero of a resource that no group covers is ignored; any other amount makes the workload inadmissible.")
    for amount in ["0", "1", "1m"]:
        one(f"{amount} of a resource without a group", pod_set(requests=f"cpu 1, example.com/gpu {amount}"))
    one("zero of everything", pod_set(requests="cpu 0, memory 0"))
    one("zero of a covered resource gets a flavor", pod_set(requests="cpu 0, memory 1Gi"))
    one("zero of a resource of another group", pod_set(requests="cpu 1, example.com/gpu 0"),
        quotas="f1(cpu 2) ++ g1(example.com/gpu 0)")

    t.rule("A pod set of no pods gets its flavors with a usage of zero.")
    one("no pods", pod_set(count=0, requests="cpu 5"))
    one("no pods beside some", pod_set("one", count=0, requests="cpu 5000"), pod_set("two", count=2, requests="cpu 5"))
    one("no pods, and no quota", pod_set(count=0, requests="cpu 5"), quotas="f1(cpu 0)")
    one("nothing requested", pod_set(requests=""))
    one("nothing requested by one of two", pod_set("one", requests=""), pod_set("two", requests="cpu 2"))
    t.case("nothing requested and no groups", queue("a"), work("w", "a", "-"))
    t.case("something requested and no groups", queue("a"), work("w", "a", "cpu 1"))

    t.rule("A group that covers `pods` counts the pods, whatever the template says.")
    for count in [1, 2, 3]:
        one(f"{count} pods of 2", pod_set(count=count, requests="cpu 1"), quotas="f1(cpu 10, pods 2)")
    one("two pod sets share the pods", pod_set("one", count=2), pod_set("two", count=2), quotas="f1(cpu 10, pods 3)")
    one("pods in a group of their own", pod_set(count=2), quotas="f1(cpu 10) ++ p1(pods 2)")
    one("pods in a group of their own are too few", pod_set(count=3), quotas="f1(cpu 10) ++ p1(pods 2)")
    one("pods with nothing else requested", pod_set(count=2, requests=""), quotas="f1(cpu 1, pods 2)")
    t.case("preempting for pods alone never happens", queue("a", "f1(cpu 100, pods 2)", within="LowerPriority"),
           work("low1", "a", "cpu 1", on={"cpu": "f1", "pods": "f1"}, since=5),
           work("low2", "a", "cpu 1", on={"cpu": "f1", "pods": "f1"}, since=6, at=2),
           work("high", "a", "main*2 cpu 1", prio=100, at=10), cycles=6)
    t.case("preempting for one pod", queue("a", "f1(cpu 100, pods 2)", within="LowerPriority"),
           work("low1", "a", "cpu 1", on={"cpu": "f1", "pods": "f1"}, since=5),
           work("low2", "a", "cpu 1", on={"cpu": "f1", "pods": "f1"}, since=6, at=2),
           work("high", "a", "cpu 1", prio=100, at=10), cycles=6)

    t.rule("Reclaimable pods no longer count: of a waiting workload at once, of an admitted one when fewer than its "
           "admitted pods are left.")
    def reclaimed(*counts):
        return {"reclaimablePods": [{"name": n, "count": c} for n, c in counts]}
    for gate in [True, False]:
        on = "on" if gate else "off"
        t.case(f"a waiting workload, ReclaimablePods {on}", queue("a", "f1(cpu 3)"),
               work("w", "a", "main*5 cpu 1", status=reclaimed(("main", 2))), gates={"ReclaimablePods": gate})
        t.case(f"an admitted workload, ReclaimablePods {on}", queue("a", "f1(cpu 6)"),
               work("r", "a", "main*5 cpu 1", on="f1", status=reclaimed(("main", 2))), work("w", "a", "cpu 3", at=2),
               gates={"ReclaimablePods": gate})
    t.case("after partial admission", queue("a", "f1(cpu 6)"),
           work("r", "a", "main*5 min 1 cpu 1", on="f1", counts={"main": 3}, status=reclaimed(("main", 2))),
           work("w", "a", "cpu 4", at=2), work("v", "a", "cpu 3", at=3))
    t.case("after partial admission, more", queue("a", "f1(cpu 6)"),
           work("r", "a", "main*5 min 1 cpu 1", on="f1", counts={"main": 3}, status=reclaimed(("main", 4))),
           work("w", "a", "cpu 6", at=2), work("v", "a", "cpu 5", at=3))
    t.case("all of one pod set", queue("a", "f1(cpu 6)"),
           work("r", "a", "one*2 cpu 2 + two*2 cpu 1", on="f1", status=reclaimed(("one", 2))),
           work("w", "a", "cpu 5", at=2), work("v", "a", "cpu 4", at=3))
    t.case("the share of a pod is divided downwards", queue("a", "f1(cpu 6)"),
           work("r", "a", "main*3 cpu 1", on="f1", usage={"main": "cpu 3001m"}, status=reclaimed(("main", 1))),
           work("w", "a", "cpu 4", at=2))
    t.case("all of them", queue("a", "f1(cpu 6)"),
           work("r", "a", "main*3 cpu 2", on="f1", status=reclaimed(("main", 3))), work("w", "a", "cpu 6", at=2))

    t.rule("What a workload holds is read from its admission, not from its template.")
    t.case("more than its template says", queue("a", "f1(cpu 6)"),
           work("r", "a", "cpu 1", on="f1", usage={"main": "cpu 4"}), work("w", "a", "cpu 3", at=2))
    t.case("less than its template says", queue("a", "f1(cpu 6)"),
           work("r", "a", "cpu 4", on="f1", usage={"main": "cpu 1"}), work("w", "a", "cpu 5", at=2))
    t.case("on a flavor that its queue no longer has", queue("a", "f1(cpu 6)"), flavor("gone"),
           work("r", "a", "cpu 4", on="gone"), work("w", "a", "cpu 6", at=2))
    t.case("a resource without a flavor is not charged", queue("a", "f1(cpu 6)"),
           work("r", "a", "cpu 4, example.com/x 3", on={"cpu": "f1"}), work("w", "a", "cpu 2", at=2))

    t.rule("A negative request is refused, and counts as nothing where it is let through.")
    for gate in [True, False]:
        on = "on" if gate else "off"
        t.case(f"a negative container, WorkloadValidateResourcesAreNonNegative {on}", queue("a", "f1(cpu 10)"),
               work("w", "a", [pod_set(containers=[container("cpu 8"), container("cpu -6", name="d")])]),
               work("v", "a", "cpu 8", at=2), gates={"WorkloadValidateResourcesAreNonNegative": gate})
        t.case(f"a negative sum, WorkloadValidateResourcesAreNonNegative {on}", queue("a", "f1(cpu 10)"),
               work("w", "a", "cpu -6"), work("v", "a", "cpu 10", at=2),
               gates={"WorkloadValidateResourcesAreNonNegative": gate})

    t.rule("Resources with an excluded prefix are not counted.")
    for prefixes in [["example.com/"], ["example.com/ne"], ["other"], ["example.com/", "nvidia"]]:
        one("excluding " + " ".join(prefixes),
            pod_set(requests="cpu 1, example.com/net 5, nvidia.com/gpu 0"), resources={"excludeResourcePrefixes": prefixes})

    t.rule("With IgnoreUndeclared what no group covers is ignored.")
    for strategy in ["BlockUndeclared", "IgnoreUndeclared"]:
        one(f"{strategy} and an uncovered resource", pod_set(requests="cpu 1, example.com/net 5"),
            resources={"quotaCheckStrategy": strategy})
        one(f"{strategy} and nothing covered", pod_set(requests="example.com/net 5"),
            resources={"quotaCheckStrategy": strategy})
    t.case("IgnoreUndeclared and preemption", queue("a", "f1(cpu 4)", within="LowerPriority"),
           work("low", "a", "cpu 4, example.com/net 2", on={"cpu": "f1"}),
           work("w", "a", "cpu 2, example.com/net 9", prio=5, at=2), resources={"quotaCheckStrategy": "IgnoreUndeclared"})
    one("IgnoreUndeclared with the gate QuotaCheckStrategy off", pod_set(requests="cpu 1, example.com/net 5"),
        resources={"quotaCheckStrategy": "IgnoreUndeclared"}, gates={"QuotaCheckStrategy": False})

    t.rule("A transformation replaces or adds to what a pod requests, exactly and for each pod.")
    def turned(name, requests, transformations, quotas, count=1):
        one(name, pod_set(count=count, requests=requests), quotas=quotas, resources={"transformations": transformations})
    mig = {"input": "nvidia.com/mig-1g.5gb", "strategy": "Replace",
           "outputs": {"example.com/memory": "5Gi", "example.com/credits": "10"}}
    turned("a replaced input", "nvidia.com/mig-1g.5gb 3", [mig], "f1(example.com/memory 100Gi, example.com/credits 100)", 2)
    turned("a retained input", "nvidia.com/mig-1g.5gb 3", [merged(mig, {"strategy": "Retain"})],
           "f1(example.com/memory 100Gi, example.com/credits 100, nvidia.com/mig-1g.5gb 10)", 2)
    turned("retain is the default", "nvidia.com/mig-1g.5gb 3", [merged(mig, {"strategy": None})],
           "f1(example.com/memory 100Gi, example.com/credits 100)", 2)
    turned("a negative output is nothing", "cpu 4, example.com/x 2",
           [{"input": "example.com/x", "outputs": {"cpu": "-3"}}], "f1(cpu 10, example.com/x 10)")
    turned("a negative output beside a positive one", "cpu 4, example.com/x 2, example.com/y 3",
           [{"input": "example.com/x", "outputs": {"example.com/z": "-3"}},
            {"input": "example.com/y", "outputs": {"example.com/z": "4"}}],
           "f1(cpu 10, example.com/x 10, example.com/y 10, example.com/z 10)")
    turned("an output rounds up for each pod", "example.com/x 1",
           [{"input": "example.com/x", "strategy": "Replace", "outputs": {"example.com/z": "500m"}}],
           "f1(example.com/z 10)", 3)
    turned("milli-values are multiplied before they are rounded", "cpu 100m",
           [{"input": "cpu", "strategy": "Replace", "outputs": {"example.com/credits": "3000"}}],
           "f1(example.com/credits 1000)")
    turned("a product below one", "memory 100M",
           [{"input": "memory", "strategy": "Replace", "outputs": {"example.com/credits": "3m"}}],
           "f1(example.com/credits 1M)")
    turned("multiplied by another request", "example.com/mem 10, example.com/gpu 4",
           [{"input": "example.com/mem", "strategy": "Replace", "multiplyBy": "example.com/gpu",
             "outputs": {"example.com/total": "1"}}], "f1(example.com/gpu 10, example.com/total 100)")
    turned("multiplied by a request that is absent", "example.com/mem 10",
           [{"input": "example.com/mem", "strategy": "Replace", "multiplyBy": "example.com/gpu",
             "outputs": {"example.com/total": "1"}}], "f1(example.com/gpu 10, example.com/total 100)")
    turned("an output that is requested, too, is added", "cpu 2, example.com/x 3",
           [{"input": "example.com/x", "strategy": "Replace", "outputs": {"cpu": "1"}}], "f1(cpu 10)")
    turned("an output named as its retained input", "example.com/x 3",
           [{"input": "example.com/x", "outputs": {"example.com/x": "2"}}], "f1(example.com/x 20)")
    turned("no outputs", "cpu 1, example.com/x 3", [{"input": "example.com/x", "strategy": "Replace"}], "f1(cpu 10)")
    turned("two inputs into one output", "example.com/x 3, example.com/y 2",
           [{"input": "example.com/x", "strategy": "Replace", "outputs": {"example.com/z": "2"}},
            {"input": "example.com/y", "strategy": "Replace", "outputs": {"example.com/z": "5"}}],
           "f1(example.com/z 20)")
    t.case("an excluded resource is not transformed", queue("a", "f1(cpu 10)"),
           work("w", "a", "cpu 1, example.com/x 3"),
           resources={"excludeResourcePrefixes": ["example.com/x"],
                      "transformations": [{"input": "example.com/x", "outputs": {"cpu": "5"}}]})
