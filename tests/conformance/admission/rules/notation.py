"""A short notation for scenarios: each function returns one Kubernetes object, or a list of them.

Quotas    "f1(cpu 10/borrow 3/lend 4, pods 2) f2(cpu 0, pods 2) ++ g1(example.com/gpu 1)": flavors with their
          nominal quotas and limits; `++` begins another resource group.
Pod sets  "cpu 1, memory 1Gi" is one pod set `main` with one pod; "one*2 cpu 3 + var*10 min 2 cpu 1" are two; "-"
          requests nothing. What the text cannot say is given to pod_set().
Times     seconds after 2026-01-01T00:00:00Z; a scenario starts at 10000 unless it says otherwise.
Absent    namespaces are `default`, uids are names.
"""

import re
from datetime import datetime, timedelta, timezone

API = "kueue.x-k8s.io/v1beta2"
START = 10000


def stamp(seconds):
    time = datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def merged(base, extra):
    """`base` with the values of `extra`, maps inside maps merged, None removed."""
    out = dict(base)
    for key, value in extra.items():
        if value is None:
            out.pop(key, None)
        elif isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = merged(out[key], value)
        else:
            out[key] = value
    return out


def thing(kind, name, spec=None, api=API, namespace=None, **more):
    out = {"apiVersion": api, "kind": kind, "metadata": {"name": name}}
    if namespace:
        out["metadata"]["namespace"] = namespace
    if spec is not None:
        out["spec"] = spec
    return merged(out, more)


def amounts(text):
    """"cpu 3, memory 1Gi" as a map."""
    if text.strip() in ("", "-"):
        return {}
    return dict(part.split() for part in text.split(","))


def groups(text):
    """Quotas as `resourceGroups`."""
    out = []
    for group in text.split("++"):
        flavors, covered = [], []
        for name, quotas in re.findall(r"(\S+?)\(([^)]*)\)", group):
            resources = []
            for one in quotas.split(","):
                resource, quota = one.split(None, 1)
                nominal, *limits = quota.split("/")
                entry = {"name": resource, "nominalQuota": nominal.strip()}
                for limit in limits:
                    which, value = limit.split()
                    entry[{"borrow": "borrowingLimit", "lend": "lendingLimit"}[which]] = value
                resources.append(entry)
            covered = [resource["name"] for resource in resources]
            flavors.append({"name": name, "resources": resources})
        if flavors:
            out.append({"coveredResources": covered, "flavors": flavors})
    return out


def flavor(name, labels=None, taints=None, tolerations=None, topology=None, **spec):
    body = {}
    if labels:
        body["nodeLabels"] = labels
    if taints:
        body["nodeTaints"] = taints
    if tolerations:
        body["tolerations"] = tolerations
    if topology:
        body["topologyName"] = topology
    return thing("ResourceFlavor", name, merged(body, spec) or None)


def taint(key, value="", effect="NoSchedule"):
    return {"key": key, "value": value, "effect": effect} if value else {"key": key, "effect": effect}


def cohort(name, quotas="", parent=None, weight=None, **spec):
    body = {}
    if parent:
        body["parentName"] = parent
    if quotas:
        body["resourceGroups"] = groups(quotas)
    if weight is not None:
        body["fairSharing"] = {"weight": str(weight)}
    return thing("Cohort", name, merged(body, spec))


def local(name, queue, namespace=None, stop=None, weight=None):
    spec = {"clusterQueue": queue}
    if stop:
        spec["stopPolicy"] = stop
    if weight is not None:
        spec["fairSharing"] = {"weight": str(weight)}
    return thing("LocalQueue", name, spec, namespace=namespace)


def queue(name, quotas="", parent=None, within=None, reclaim=None, below=None, threshold=None, borrow=None,
          preempt=None, prefer=None, strict=False, selector={}, stop=None, weight=None, checks=None, afs=None,
          own=True, **spec):
    """A ClusterQueue and, unless `own` is false, a LocalQueue of its name in `default`.

    within, reclaim   preemption policies in the queue and in the cohort (None: Never)
    below, threshold  borrowWithinCohort
    borrow, preempt, prefer  flavorFungibility: whenCanBorrow, whenCanPreempt, preference
    checks            names, or a map from a name to the flavors it is for
    """
    body = {}
    if selector is not None:
        body["namespaceSelector"] = selector
    if parent:
        body["cohortName"] = parent
    if quotas:
        body["resourceGroups"] = groups(quotas)
    preemption = {}
    if within:
        preemption["withinClusterQueue"] = within
    if reclaim:
        preemption["reclaimWithinCohort"] = reclaim
    if below:
        preemption["borrowWithinCohort"] = {"policy": below}
        if threshold is not None:
            preemption["borrowWithinCohort"]["maxPriorityThreshold"] = threshold
    if preemption:
        body["preemption"] = preemption
    fungibility = {}
    if borrow:
        fungibility["whenCanBorrow"] = borrow
    if preempt:
        fungibility["whenCanPreempt"] = preempt
    if prefer:
        fungibility["preference"] = prefer
    if fungibility:
        body["flavorFungibility"] = fungibility
    if strict:
        body["queueingStrategy"] = "StrictFIFO"
    if stop:
        body["stopPolicy"] = stop
    if weight is not None:
        body["fairSharing"] = {"weight": str(weight)}
    if checks:
        listed = checks if isinstance(checks, dict) else {check: [] for check in checks}
        body["admissionChecksStrategy"] = {"admissionChecks": [
            merged({"name": check}, {"onFlavors": flavors} if flavors else {}) for check, flavors in listed.items()]}
    if afs:
        body["admissionScope"] = {"admissionMode": afs}
    out = thing("ClusterQueue", name, merged(body, spec))
    return [out, local(name, name)] if own else out


def check(name, controller="example.com/check", active=None, **spec):
    out = thing("AdmissionCheck", name, merged({"controllerName": controller}, spec))
    if active is not None:
        out["status"] = {"conditions": [condition("Active", active)]}
    return out


def condition(kind, status=True, reason=None, at=1, message=""):
    text = status if isinstance(status, str) else "True" if status else "False"
    out = {"type": kind, "status": text, "reason": reason or kind, "lastTransitionTime": stamp(at)}
    return out | {"message": message} if message else out


def container(requests="", limits="", name="c", **more):
    resources = {}
    if requests:
        resources["requests"] = amounts(requests)
    if limits:
        resources["limits"] = amounts(limits)
    return merged({"name": name, "resources": resources}, more)


def pod_set(name="main", count=1, requests="cpu 1", limits="", minimum=None, containers=None, init=None,
            selector=None, terms=None, tolerations=None, priority_class=None, topology=None, **spec):
    """terms: node selector terms, each a list of (key, operator, values)."""
    pod = {"containers": containers or [container(requests, limits)]}
    if init:
        pod["initContainers"] = init
    if selector:
        pod["nodeSelector"] = selector
    if terms is not None:
        pod["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
            {"matchExpressions": [merged({"key": key, "operator": operator}, {"values": values} if values else {})
                                  for key, operator, values in term]} for term in terms]}}}
    if tolerations:
        pod["tolerations"] = tolerations
    if priority_class:
        pod["priorityClassName"] = priority_class
    out = {"name": name, "count": count, "template": {"spec": merged(pod, spec)}}
    if minimum is not None:
        out["minCount"] = minimum
    if topology:
        out["topologyRequest"] = topology
    return out


def pod_sets(text):
    out = []
    for part in text.split(" + "):
        match = re.match(r"(?:([a-z][a-z0-9-]*)\*(\d+) )?(?:min (\d+) )?(.*)$", part.strip())
        name, count, minimum, requests = match.groups()
        out.append(pod_set(name or "main", int(count or 1), requests, minimum=int(minimum) if minimum else None))
    return out


def times(quantity, count):
    number, unit = re.match(r"(-?\d+)([A-Za-z]*)$", quantity).groups()
    return str(int(number) * count) + unit


def requests_of(one):
    """What the containers of a pod set request, if it is one container."""
    return one["template"]["spec"]["containers"][0]["resources"].get("requests", {})


def reservation(queue_name, sets, on, counts=None, usage=None):
    """`status.admission`. `on`: a flavor for everything, or a map from resources to flavors; or a map from pod
    sets to such."""
    assigned = []
    for one in sets:
        here = on.get(one["name"], on) if isinstance(on, dict) else on
        count = (counts or {}).get(one["name"], one["count"])
        requested = requests_of(one)
        flavors = {r: here for r in requested} if isinstance(here, str) else here
        used = (usage or {}).get(one["name"]) or {r: times(q, count) for r, q in requested.items()}
        used = amounts(used) if isinstance(used, str) else dict(used)
        for resource in flavors:
            if resource == "pods" and "pods" not in used:
                used["pods"] = str(count)
        assigned.append({"name": one["name"], "count": count, "flavors": flavors, "resourceUsage": used})
    return {"clusterQueue": queue_name, "podSetAssignments": assigned}


def work(name, queue_name, pods="cpu 1", prio=0, at=1, on=None, since=None, admitted=True, counts=None, usage=None,
         uid=None, namespace=None, conditions=None, status=None, labels=None, annotations=None, local_queue=None,
         **spec):
    """A Workload. With `on` it holds quota since `since` (None: since it was made) on these flavors."""
    sets = pod_sets(pods) if isinstance(pods, str) else pods if isinstance(pods, list) else [pods]
    out = thing("Workload", name, merged({"queueName": local_queue or queue_name, "podSets": sets}, spec),
                namespace=namespace)
    out["metadata"]["creationTimestamp"] = stamp(at)
    if uid:
        out["metadata"]["uid"] = uid
    if labels:
        out["metadata"]["labels"] = labels
    if annotations:
        out["metadata"]["annotations"] = annotations
    if prio is not None and prio != 0:
        out["spec"]["priority"] = prio
    state = {}
    held = at if since is None else since
    if on is not None:
        state["admission"] = reservation(queue_name, sets, on, counts, usage)
        state["conditions"] = [condition("QuotaReserved", at=held)]
        if admitted:
            state["conditions"].append(condition("Admitted", at=held))
    if conditions:
        state["conditions"] = state.get("conditions", []) + conditions
    if status:
        state = merged(state, status)
    if state:
        out["status"] = state
    return out


def namespace(name, **labels):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def limit_range(name, *items, namespace="default"):
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": name, "namespace": namespace},
            "spec": {"limits": list(items)}}


def limits(kind, **maps):
    """An item of a LimitRange: limits("Container", default="cpu 2", defaultRequest="cpu 1")."""
    return merged({"type": kind}, {key: amounts(text) for key, text in maps.items()})


def runtime_class(name, overhead):
    return {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}, "handler": name,
            "overhead": {"podFixed": amounts(overhead)}}


def priority_class(name, value, kind="WorkloadPriorityClass", **more):
    api = "scheduling.k8s.io/v1" if kind == "PriorityClass" else API
    return merged({"apiVersion": api, "kind": kind, "metadata": {"name": name}, "value": value}, more)


# Steps.

def later(after):
    return {"at": "+" + after}


def at(after, step):
    """A step after some time."""
    return merged({"at": "+" + after}, step)


def apply(*objects):
    return [{"apply": one} for one in flat(objects)]


def delete(kind, name, namespace=None):
    return {"delete": merged({"kind": kind, "name": name}, {"namespace": namespace} if namespace else {})}


def finish(name):
    return {"finish": "default/" + name}


def answer(workload, check_name, state, **more):
    """A check answers about a workload."""
    return {"setCheck": merged({"workload": "default/" + workload, "check": check_name, "state": state}, more)}


def flat(objects):
    out = []
    for one in objects:
        out += flat(one) if isinstance(one, (list, tuple)) else [one]
    return out
