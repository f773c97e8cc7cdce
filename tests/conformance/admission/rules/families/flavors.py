"""Which flavor a pod set gets: what it tolerates and selects, and how the search goes through a group."""

from notation import *


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    two = "f1(cpu 5) f2(cpu 5)"

    def one(name, pods, quotas=two, flavors=(), running=(), policies=None, **options):
        t.case(name, *flavors, queue("a", quotas, **(policies or {})), *running, work("w", "a", pods, prio=10, at=50),
               **options)

    t.rule("A flavor whose NoSchedule or NoExecute taint neither the pod nor the flavor tolerates is passed over.")
    spot = {"key": "spot", "value": "yes", "effect": "NoSchedule"}
    for title, taints, own, pod in [
            ("not tolerated", [spot], None, None),
            ("tolerated by the pod", [spot], None, [{"key": "spot", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}]),
            ("tolerated by the pod, no operator means Equal", [spot], None, [{"key": "spot", "value": "yes"}]),
            ("tolerated by the pod with Exists", [spot], None, [{"key": "spot", "operator": "Exists"}]),
            ("tolerated by the pod with Exists of everything", [spot], None, [{"operator": "Exists"}]),
            ("tolerated by the flavor itself", [spot], [{"key": "spot", "operator": "Exists"}], None),
            ("another value", [spot], None, [{"key": "spot", "value": "no"}]),
            ("another effect", [spot], None, [{"key": "spot", "value": "yes", "effect": "NoExecute"}]),
            ("NoExecute", [merged(spot, {"effect": "NoExecute"})], None, None),
            ("PreferNoSchedule does not count", [merged(spot, {"effect": "PreferNoSchedule"})], None, None),
            ("one of two taints tolerated", [spot, taint("gpu")], None, [{"key": "spot", "operator": "Exists"}]),
            ("both taints tolerated", [spot, taint("gpu")], None, [{"key": "spot", "operator": "Exists"},
                                                                   {"key": "gpu", "operator": "Exists"}]),
            ("one by the pod, one by the flavor", [spot, taint("gpu")], [{"key": "gpu", "operator": "Exists"}],
             [{"key": "spot", "operator": "Exists"}]),
            ("a taint without value", [taint("gpu")], None, [{"key": "gpu", "value": "", "effect": "NoSchedule"}])]:
        one("taint " + title, [pod_set(tolerations=pod)], flavors=[flavor("f1", taints=taints, tolerations=own)])
    one("every flavor is tainted", "cpu 1", flavors=[flavor("f1", taints=[spot]), flavor("f2", taints=[taint("gpu")])])
    one("taints of each pod set for itself", [pod_set("one"), pod_set("two", tolerations=[{"operator": "Exists"}])],
        flavors=[flavor("f1", taints=[spot])])

    t.rule("Selectors and required affinity are compared with the flavor's labels, for the keys that the flavor has; "
           "other keys are ignored.")
    a, b = flavor("f1", {"type": "a"}), flavor("f2", {"type": "b"})
    zone = flavor("f2", {"zone": "x"})
    for title, kw, flavors in [
            ("selector of the first", {"selector": {"type": "a"}}, [a, b]),
            ("selector of the second", {"selector": {"type": "b"}}, [a, b]),
            ("selector of neither", {"selector": {"type": "c"}}, [a, b]),
            ("selector on a key that no flavor has", {"selector": {"rack": "r1"}}, [a, b]),
            ("selector on a key of the other flavor", {"selector": {"zone": "y"}}, [a, zone]),
            ("selector on a key of the other flavor, which matches", {"selector": {"zone": "x"}}, [a, zone]),
            ("selector with one key that fits and one that is foreign", {"selector": {"type": "a", "rack": "r"}}, [a, b]),
            ("selector on both keys of a flavor", {"selector": {"type": "b", "zone": "x"}},
             [a, flavor("f2", {"type": "b", "zone": "x"})]),
            ("selector on both keys of a flavor, one differs", {"selector": {"type": "b", "zone": "y"}},
             [a, flavor("f2", {"type": "b", "zone": "x"})]),
            ("the first flavor has no labels", {"selector": {"type": "b"}}, [flavor("f1"), b]),
            ("In", {"terms": [[("type", "In", ["b", "c"])]]}, [a, b]),
            ("In of neither", {"terms": [[("type", "In", ["c"])]]}, [a, b]),
            ("In on a key of the first only", {"terms": [[("type", "In", ["b"])]]}, [a, zone]),
            ("NotIn", {"terms": [[("type", "NotIn", ["a"])]]}, [a, b]),
            ("NotIn on a foreign key", {"terms": [[("rack", "NotIn", ["a"])]]}, [a, b]),
            ("Exists", {"terms": [[("zone", "Exists", None)]]}, [zone, a]),
            ("Exists on a foreign key", {"terms": [[("zone", "Exists", None)]]}, [a, b]),
            ("DoesNotExist on an own key", {"terms": [[("type", "DoesNotExist", None)]]}, [a, zone]),
            ("DoesNotExist on a foreign key", {"terms": [[("rack", "DoesNotExist", None)]]}, [a, b]),
            ("Gt", {"terms": [[("gen", "Gt", ["4"])]]}, [flavor("f1", {"gen": "4"}), flavor("f2", {"gen": "5"})]),
            ("Lt", {"terms": [[("gen", "Lt", ["5"])]]}, [flavor("f1", {"gen": "5"}), flavor("f2", {"gen": "4"})]),
            ("Gt with a label that is no number", {"terms": [[("gen", "Gt", ["4"])]]},
             [flavor("f1", {"gen": "v5"}), flavor("f2", {"gen": "6"})]),
            ("all expressions of a term", {"terms": [[("type", "In", ["a"]), ("gen", "In", ["2"])]]},
             [flavor("f1", {"type": "a", "gen": "1"}), flavor("f2", {"type": "a", "gen": "2"})]),
            ("any of two terms", {"terms": [[("type", "In", ["c"])], [("type", "In", ["b"])]]}, [a, b]),
            ("a term on a foreign key opens every flavor", {"terms": [[("type", "In", ["b"])], [("gpu", "Exists", None)]]},
             [a, zone]),
            ("selector and affinity together", {"selector": {"type": "a"}, "terms": [[("gen", "In", ["2"])]]},
             [flavor("f1", {"type": "a", "gen": "1"}), flavor("f2", {"type": "a", "gen": "2"})]),
            ("no terms at all", {"terms": []}, [a, b])]:
        one("labels: " + title, [pod_set(**kw)], flavors=flavors)
    one("labels: a preferred affinity does not count", [pod_set(affinity={"nodeAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {"matchExpressions": [
            {"key": "type", "operator": "In", "values": ["b"]}]}}]}})], flavors=[a, b])
    one("labels: fields of the node are ignored", [pod_set(affinity={"nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
            {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}})], flavors=[a, b])
    one("labels: pod sets on different flavors", [pod_set("one", selector={"type": "b"}), pod_set("two", selector={"type": "a"})],
        flavors=[a, b])
    one("labels: only the second pod set has nowhere to go", [pod_set("one"), pod_set("two", selector={"type": "z"})],
        flavors=[a, b])
    one("labels: the metadata of a flavor do not count", [pod_set(selector={"type": "b"})],
        flavors=[merged(flavor("f1"), {"metadata": {"labels": {"type": "a"}}}), b])
    one("labels: the only flavor that matches is full", [pod_set(selector={"type": "a"}, requests="cpu 6")], flavors=[a, b])

    t.rule("An affinity with values that its operator does not take is an error where a label of the flavor is asked for: "
           "flavors after that one are not tried.")
    typed, other = flavor("f1", {"type": "b"}), flavor("f2", {"zone": "x"})
    odd = [("In without values", ("type", "In", [])), ("NotIn without values", ("type", "NotIn", [])),
           ("Exists with a value", ("type", "Exists", ["b"])), ("DoesNotExist with a value", ("type", "DoesNotExist", ["b"])),
           ("Gt with two values", ("type", "Gt", ["1", "2"])), ("Lt without values", ("type", "Lt", [])),
           ("Gt with a word", ("type", "Gt", ["many"])), ("Gt with a number below zero", ("type", "Gt", ["-1"])),
           ("In with a value that is no label's", ("type", "In", ["b", "a b"])),
           ("In with two such values", ("type", "In", ["b ", "x" * 64])),
           ("an unknown operator", ("type", "Has", ["b"]))]
    for title, expression in odd:
        one("affinity error: " + title, [pod_set(terms=[[expression]])], flavors=[typed, other])
    bad = ("type", "In", [])
    for title, terms, flavors in [
            ("before any flavor with that label", [[bad]], [flavor("f1", {"zone": "x"}), flavor("f2", {"type": "b"})]),
            ("another term holds", [[bad], [("type", "In", ["b"])]], [typed, other]),
            ("another term does not hold", [[bad], [("type", "In", ["c"])]], [typed, other]),
            ("another expression of the term does not hold", [[("type", "In", ["c"]), bad]], [typed, other]),
            ("two expressions of a term", [[bad, ("type", "Gt", ["b"])]], [typed, other]),
            ("two terms", [[bad], [bad], [("type", "Exists", ["x"])]], [typed, other]),
            ("expressions on other labels are not counted", [[("rack", "Exists", None), bad]], [typed, other]),
            ("a term on another label opens the flavor", [[bad], [("rack", "Exists", None)]], [typed, other]),
            ("on a label of no flavor", [[("rack", "In", [])]], [typed, other])]:
        one("affinity error: " + title, [pod_set(terms=terms)], flavors=flavors)
    one("affinity error: the selector does not hold either", [pod_set(selector={"type": "a"}, terms=[[bad]])], flavors=[typed, other])
    one("affinity error: the first flavor has too little", [pod_set(terms=[[bad]], requests="cpu 6")], "f1(cpu 1) f2(cpu 9) f3(cpu 9)",
        flavors=[flavor("f1"), flavor("f2", {"type": "b"}), flavor("f3")])
    one("affinity error: in the second pod set", [pod_set("one", requests="cpu 1"), pod_set("two", terms=[[bad]])], flavors=[typed, other])
    one("affinity error: a preferred one does not count", [pod_set(affinity={"nodeAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {"matchExpressions": [
            {"key": "type", "operator": "In", "values": []}]}}]}})], flavors=[typed, other])
    t.rule("Flavors are tried in the order of the group; the first that fits is taken.")
    for title, quotas, pods in [
            ("both fit", two, "cpu 1"), ("only the second fits", "f1(cpu 1) f2(cpu 5)", "cpu 3"),
            ("only the third", "f1(cpu 1) f2(cpu 2) f3(cpu 5)", "cpu 3"), ("none fits", "f1(cpu 1) f2(cpu 2)", "cpu 3"),
            ("a flavor without quota is passed over", "f1(cpu 0) f2(cpu 5)", "cpu 3"),
            ("the first lacks one resource of two", "f1(cpu 5, memory 1) f2(cpu 5, memory 9)", "cpu 1, memory 2"),
            ("each lacks one resource", "f1(cpu 5, memory 1) f2(cpu 1, memory 9)", "cpu 3, memory 2")]:
        one(title, pods, quotas)

    t.rule("Each group gives one flavor for all its resources; groups choose for themselves.")
    for title, quotas, pods in [
            ("two groups", "f1(cpu 5, memory 1) f2(cpu 5, memory 9) ++ g1(example.com/gpu 4)",
             "cpu 1, memory 2, example.com/gpu 2"),
            ("the second group has too little", "f1(cpu 5) ++ g1(example.com/gpu 1) g2(example.com/gpu 2)",
             "cpu 1, example.com/gpu 3"),
            ("the second group takes its second flavor", "f1(cpu 5) ++ g1(example.com/gpu 1) g2(example.com/gpu 3)",
             "cpu 1, example.com/gpu 3"),
            ("both groups have too little", "f1(cpu 1) ++ g1(example.com/gpu 1)", "cpu 3, example.com/gpu 3"),
            ("a group that is not asked for", "f1(cpu 5) ++ g1(example.com/gpu 0)", "cpu 3"),
            ("three groups", "f1(cpu 5) ++ g1(example.com/gpu 1) ++ m1(memory 5)", "cpu 3, example.com/gpu 1, memory 6")]:
        one(title, pods, quotas)
    one("a failing group names its resource; the order is that of the names' hash", "cpu 9, example.com/gpu 9, memory 9",
        "f1(cpu 5) ++ g1(example.com/gpu 1) ++ m1(memory 5)")

    t.rule("Later pod sets see what the earlier ones of the workload take.")
    for title, quotas, pods in [
            ("the second goes to the second flavor", two, "one*1 cpu 3 + two*1 cpu 3"),
            ("the second has nowhere to go", "f1(cpu 5) f2(cpu 2)", "one*1 cpu 3 + two*1 cpu 3"),
            ("three pod sets", "f1(cpu 5) f2(cpu 5)", "one*1 cpu 3 + two*1 cpu 3 + three*1 cpu 2"),
            ("exactly full", "f1(cpu 6)", "one*1 cpu 3 + two*1 cpu 3"),
            ("different resources do not meet", "f1(cpu 3, memory 3)", "one*1 cpu 3 + two*1 memory 3")]:
        one(title, pods, quotas)
    one("the shortage of a later pod set includes the earlier ones", "one*1 cpu 2 + two*1 cpu 2", "f1(cpu 6)",
        running=[work("r1", "a", "cpu 3", on="f1"), work("r2", "a", "cpu 3", prio=1, on="f1")],
        policies={"within": "LowerPriority"})
    one("each pod set preempts on a flavor of its own",
        [pod_set("one", requests="cpu 3", selector={"type": "a"}), pod_set("two", requests="cpu 3", selector={"type": "b"})],
        flavors=[a, b], running=[work("r1", "a", "cpu 4", on="f1"), work("r2", "a", "cpu 4", on="f2", at=2)],
        policies={"within": "LowerPriority"})
    one("a pod set that fits and one that cannot", "one*1 cpu 1 + two*1 cpu 9", "f1(cpu 5) f2(cpu 5)")

    t.rule("A flavor that does not exist is passed over by name; a queue that names one is inactive.")
    one("one of two is missing", "cpu 1", "f1(cpu 5) missing(cpu 5)")
    t.case("the missing flavor is made later", queue("a", "f1(cpu 5) missing(cpu 5)"), work("w", "a", "cpu 1"),
           steps=[apply(flavor("missing")), later("1m")])

    t.rule("How far the search goes: whenCanBorrow and whenCanPreempt.")
    for borrow in ("MayStopSearch", "TryNextFlavor"):
        for preempt in ("MayStopSearch", "TryNextFlavor"):
            fungibility = dict(borrow=borrow, preempt=preempt)
            label = f"borrow {borrow}, preempt {preempt}"
            t.case(f"first borrows, second is free; {label}", queue("a", "f1(cpu 1) f2(cpu 5)", "R", **fungibility),
                   queue("b", "f1(cpu 5) f2(cpu 0)", "R"), work("w", "a", "cpu 3"))
            t.case(f"both borrow; {label}", queue("a", "f1(cpu 1) f2(cpu 1)", "R", **fungibility),
                   queue("b", "f1(cpu 5) f2(cpu 5)", "R"), work("w", "a", "cpu 3"))
            t.case(f"first borrows, second is too small; {label}", queue("a", "f1(cpu 1) f2(cpu 1)", "R", **fungibility),
                   queue("b", "f1(cpu 5) f2(cpu 0)", "R"), work("w", "a", "cpu 3"))
            t.case(f"first preempts, second is free; {label}",
                   queue("a", "f1(cpu 5) f2(cpu 5)", within="LowerPriority", **fungibility),
                   work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 3", prio=5, at=2))
            t.case(f"both preempt; {label}", queue("a", "f1(cpu 5) f2(cpu 5)", within="LowerPriority", **fungibility),
                   work("low1", "a", "cpu 4", on="f1"), work("low2", "a", "cpu 4", on="f2", at=2),
                   work("w", "a", "cpu 3", prio=5, at=3))
            t.case(f"first has nobody to preempt, second is free; {label}",
                   queue("a", "f1(cpu 5) f2(cpu 5)", within="LowerPriority", **fungibility),
                   work("same", "a", "cpu 4", prio=5, on="f1"), work("w", "a", "cpu 3", prio=5, at=2))
            t.case(f"first has nobody to preempt, second is too small; {label}",
                   queue("a", "f1(cpu 5) f2(cpu 2)", within="LowerPriority", **fungibility),
                   work("same", "a", "cpu 4", prio=5, on="f1"), work("w", "a", "cpu 3", prio=5, at=2))
            t.case(f"first preempts, second borrows; {label}",
                   queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority", reclaim="Any", **fungibility),
                   queue("b", "f1(cpu 0) f2(cpu 4)", "R"), work("low", "a", "cpu 4", on="f1"),
                   work("w", "a", "cpu 4", prio=5, at=2))
            t.case(f"first reclaims, second is free; {label}",
                   queue("a", "f1(cpu 4) f2(cpu 4)", "R", reclaim="Any", **fungibility),
                   queue("b", "f1(cpu 0) f2(cpu 0)", "R"), work("r", "b", "cpu 4", on="f1"), work("w", "a", "cpu 4", at=2))
            t.case(f"first preempts while borrowing, second is free; {label}",
                   queue("a", "f1(cpu 2) f2(cpu 4)", "R", within="LowerPriority", reclaim="LowerPriority",
                         below="LowerPriority", **fungibility),
                   queue("b", "f1(cpu 4) f2(cpu 0)", "R"), work("r", "b", "cpu 5", on="f1"),
                   work("w", "a", "cpu 4", prio=5, at=2))

    t.rule("Between flavors that need preemption, reclaiming beats preempting in the own queue, and the first wins a tie.")
    for gate in (True, False):
        on = "" if gate else ", FlavorFungibility off"
        t.case("first preempts, second reclaims" + on,
               queue("a", "f1(cpu 4) f2(cpu 4)", "R", within="LowerPriority", reclaim="Any"),
               queue("b", "f1(cpu 0) f2(cpu 0)", "R"), work("low", "a", "cpu 4", on="f1"),
               work("r", "b", "cpu 4", on="f2", at=2), work("w", "a", "cpu 4", prio=5, at=3),
               gates={"FlavorFungibility": gate})
        t.case("first reclaims, second preempts" + on,
               queue("a", "f1(cpu 4) f2(cpu 4)", "R", within="LowerPriority", reclaim="Any"),
               queue("b", "f1(cpu 0) f2(cpu 0)", "R"), work("low", "a", "cpu 4", on="f2"),
               work("r", "b", "cpu 4", on="f1", at=2), work("w", "a", "cpu 4", prio=5, at=3),
               gates={"FlavorFungibility": gate})
        t.case("cpu is reclaimed, gpu preempted in the own queue" + on,
               queue("a", "f1(cpu 4, example.com/gpu 4) f2(cpu 4, example.com/gpu 4)", "R", within="LowerPriority", reclaim="Any"),
               queue("b", "f1(cpu 0, example.com/gpu 0) f2(cpu 0, example.com/gpu 0)", "R"),
               work("low", "a", "example.com/gpu 4", on="f1"), work("r", "b", "cpu 4", on="f1", at=2),
               work("r2", "b", "cpu 4, example.com/gpu 4", on="f2", at=3),
               work("w", "a", "cpu 4, example.com/gpu 4", prio=5, at=4), gates={"FlavorFungibility": gate})
        t.case("the first flavor has nobody to preempt, the second fits" + on,
               queue("a", "f1(cpu 4) f2(cpu 4)", within="LowerPriority"), work("same", "a", "cpu 4", prio=5, on="f1"),
               work("w", "a", "cpu 4", prio=5, at=3), gates={"FlavorFungibility": gate})
        t.case("first preempts, second fits by borrowing" + on,
               queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority"), queue("b", "f1(cpu 0) f2(cpu 4)", "R"),
               work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=5, at=3), gates={"FlavorFungibility": gate})
    t.case("reclaiming while borrowing beats preempting in the own queue",
           queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority", reclaim="LowerPriority", below="LowerPriority"),
           queue("b", "f1(cpu 0) f2(cpu 2)", "R"), queue("c", "f1(cpu 0) f2(cpu 2)", "R"),
           work("ra", "a", "cpu 4", on="f1"), work("rb", "b", "cpu 4", on="f2"), work("w", "a", "cpu 4", prio=10, at=3))
    t.case("a flavor used within its owner's quota is not reclaimed from",
           queue("a", "f1(cpu 0/borrow 2) f2(cpu 0/borrow 2)", "R", reclaim="LowerPriority", below="LowerPriority"),
           queue("b", "f1(cpu 2) f2(cpu 2)", "R"), work("rb", "b", "cpu 2", on="f1"), work("w", "a", "cpu 2", prio=10, at=3))

    t.rule("The preference decides between borrowing and preempting when both searches go on.")
    for prefer in (None, "BorrowingOverPreemption", "PreemptionOverBorrowing"):
        both = dict(borrow="TryNextFlavor", preempt="TryNextFlavor", prefer=prefer)
        label = prefer or "unset"
        t.case(f"preempt in the first or borrow in the second; {label}",
               queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority", reclaim="Any", **both),
               queue("b", "f1(cpu 0) f2(cpu 4)", "R"), work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=9, at=3))
        t.case(f"borrow in the first or preempt in the second; {label}",
               queue("a", "f1(cpu 0) f2(cpu 4)", "R", within="LowerPriority", reclaim="Any", **both),
               queue("b", "f1(cpu 4) f2(cpu 0)", "R"), work("low", "a", "cpu 4", on="f2"), work("w", "a", "cpu 4", prio=9, at=3))
        t.case(f"nobody to preempt in the first, borrow in the second; {label}",
               queue("a", "f1(cpu 4) f2(cpu 0)", "R", within="LowerPriority", reclaim="Any", **both),
               queue("b", "f1(cpu 0) f2(cpu 4)", "R"), work("same", "a", "cpu 4", prio=9, on="f1"),
               work("w", "a", "cpu 4", prio=9, at=3))
        t.case(f"reclaim in the first, preempt in the second; {label}",
               queue("a", "f1(cpu 4) f2(cpu 4)", "R", within="LowerPriority", reclaim="Any", **both),
               queue("b", "f1(cpu 0) f2(cpu 0)", "R"), work("r", "b", "cpu 4", on="f1"),
               work("low", "a", "cpu 4", on="f2", at=2), work("w", "a", "cpu 4", prio=9, at=3))
        t.case(f"borrow further or borrow nearer; {label}",
               cohort("M", "f1(cpu 0) f2(cpu 4)", parent="R"), cohort("R", "f1(cpu 4) f2(cpu 0)"),
               queue("a", "f1(cpu 0) f2(cpu 0)", "M", **both), queue("b", "f1(cpu 0) f2(cpu 0)", "R"), work("w", "a", "cpu 4"))
        t.case(f"fit, free, in the second; {label}",
               queue("a", "f1(cpu 4) f2(cpu 4)", "R", within="LowerPriority", reclaim="Any", **both),
               queue("b", "f1(cpu 4) f2(cpu 4)", "R"), work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=9, at=3))
        t.case(f"preempt borrowing a level less; {label}",
               cohort("M", parent="R"), cohort("R", "f1(cpu 0) f2(cpu 4)"),
               queue("a", "f1(cpu 0) f2(cpu 0)", "M", within="LowerPriority", reclaim="Any", below="LowerPriority", **both),
               queue("c", "f1(cpu 4) f2(cpu 0)", "M"), work("low", "a", "cpu 4", on="f1"), work("w", "a", "cpu 4", prio=9, at=3))

    t.rule("A workload that failed goes on where its search stopped; it begins again after the last flavor, or when "
           "its queue has got something back.")
    lender = queue("c", "f1(cpu 6) f2(cpu 9)", "R")
    small = queue("c", "f1(cpu 6) f2(cpu 1)", "R")
    for gate in (True, False):
        on = "on" if gate else "off"
        gates = {"FlavorFungibilityPreserveScanProgress": gate}
        t.case(f"after losing a race it tries the next flavor; gate {on}", queue("a", "f1(cpu 0) f2(cpu 0)", "R"),
               queue("b", "f1(cpu 0)", "R"), lender, work("wb", "b", "cpu 4", at=1), work("wa", "a", "cpu 3", at=2), gates=gates)
        t.case(f"after losing a race the next flavor is too small; gate {on}", queue("a", "f1(cpu 0) f2(cpu 0)", "R"),
               queue("b", "f1(cpu 0)", "R"), small, work("wb", "b", "cpu 4", at=1), work("wa", "a", "cpu 3", at=2), gates=gates)
        t.case(f"the first pod set moves on and makes room for the second; gate {on}", a, b, queue("a", two),
               work("w", "a", [pod_set("one", requests="cpu 3"), pod_set("two", requests="cpu 4", selector={"type": "a"})]),
               gates=gates)
        t.case(f"one more cycle before it is parked; gate {on}",
               queue("a", "f1(cpu 5) f2(cpu 5) ++ g1(example.com/gpu 1)", within="LowerPriority"),
               work("r", "a", "example.com/gpu 1", prio=100, on="g1"), work("w", "a", "cpu 1, example.com/gpu 1", at=2), gates=gates)
        t.case(f"three flavors, one race each; gate {on}", queue("a", "f1(cpu 0) f2(cpu 0) f3(cpu 0)", "R"),
               queue("b", "f1(cpu 0) f2(cpu 0)", "R"), queue("c", "f1(cpu 4) f2(cpu 4) f3(cpu 4)", "R"),
               work("wb1", "b", "cpu 3", at=1), work("wb2", "b", "cpu 3", at=2), work("wa", "a", "cpu 3", at=3), gates=gates)
        t.case(f"a workload of the queue ends in between; gate {on}",
               queue("a", "f1(cpu 4) f2(cpu 2)", within="LowerPriority"), work("r", "a", "cpu 3", prio=50, on="f1"),
               work("w", "a", "cpu 4", at=2), gates=gates, steps=[finish("r"), later("10s")])
    for fungible in (True, False):
        t.case(f"after losing a race, FlavorFungibility {'on' if fungible else 'off'}", queue("a", "f1(cpu 0) f2(cpu 0)", "R"),
               queue("b", "f1(cpu 0)", "R"), lender, work("wb", "b", "cpu 4", at=1), work("wa", "a", "cpu 3", at=2),
               gates={"FlavorFungibility": fungible})

    t.rule("Why nothing fits: structure before the largest possible quota before the quota of the moment; the mildest of "
           "a group's flavors, the hardest of the groups.")
    for title, quotas, pods, flavors, running in [
            ("waiting for quota", "f1(cpu 5)", "cpu 3", [], [work("r", "a", "cpu 4", prio=50, on="f1")]),
            ("more than there can be", "f1(cpu 5)", "cpu 6", [], []),
            ("no matching flavor", "f1(cpu 5)", [pod_set(selector={"type": "z"})], [a], []),
            ("a taint", "f1(cpu 5)", "cpu 1", [flavor("f1", taints=[spot])], []),
            ("one mismatch, one too small", two, [pod_set(requests="cpu 6", selector={"type": "b"})], [a, b], []),
            ("one mismatch, one busy", two, [pod_set(requests="cpu 3", selector={"type": "b"})], [a, b],
             [work("r", "a", "cpu 4", prio=50, on="f2")]),
            ("one too small, one busy", "f1(cpu 2) f2(cpu 5)", "cpu 3", [], [work("r", "a", "cpu 4", prio=50, on="f2")]),
            ("two groups, one too small and one busy", "f1(cpu 5) ++ g1(example.com/gpu 1)", "cpu 3, example.com/gpu 2", [],
             [work("r", "a", "cpu 4", prio=50, on="f1")]),
            ("two groups, one structural and one busy", "f1(cpu 5) ++ g1(example.com/gpu 1)",
             [pod_set(requests="cpu 3, example.com/gpu 1")], [flavor("g1", taints=[spot])],
             [work("r", "a", "cpu 4", prio=50, on="f1")]),
            ("two pod sets, the second structural", two, [pod_set("one"), pod_set("two", selector={"type": "z"})], [a, b], []),
            ("a resource without a group", "f1(cpu 5)", "cpu 1, example.com/gpu 1", [], [])]:
        for observed in (True, False):
            one(f"reason: {title}{'' if observed else ', plain reasons'}", pods, quotas, flavors, running,
                gates={"UnadmittedWorkloadsObservability": observed})
    t.case("reason: the cohort has capacity, a limit bars it", queue("a", "f1(cpu 2/borrow 1)", "R"), queue("b", "f1(cpu 9)", "R"),
           work("w", "a", "cpu 4"))
    t.case("reason: the cohort is busy", queue("a", "f1(cpu 2)", "R"), queue("b", "f1(cpu 9)", "R"),
           work("r", "b", "cpu 8", prio=99, on="f1"), work("w", "a", "cpu 4", at=2))
