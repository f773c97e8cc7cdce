"""Jobs of users on their way through a queue: what is made of them, and what they do to their workloads."""

from notation import *

QUEUE = "kueue.x-k8s.io/queue-name"


def job(name, count=1, cpu="1", api="batch/v1", kind="Job", labels=None, annotations=None, at=1, spec=None, **pod):
    body = {"parallelism": count, "completions": count, "suspend": True,
            "template": {"spec": merged({"restartPolicy": "Never", "containers": [container(f"cpu {cpu}")]}, pod)}}
    meta = {"labels": {QUEUE: "a"} | (labels or {}), "creationTimestamp": stamp(at)}
    if annotations:
        meta["annotations"] = annotations
    return thing(kind, name, merged(body, spec or {}), api=api, namespace="default", metadata=meta)


def write(t):
    t.defaults = {"gates": {"UnadmittedWorkloadsObservability": True}}
    q = queue("a", "f1(cpu 4)")

    t.rule("A job with a queue becomes a workload of as many pods as run at once.")
    t.case("one that fits", q, job("j", 3))
    t.case("two, the second waits", q, job("j", 3), job("k", 3, at=2))
    t.case("without a queue", q, merged(job("j", 3), {"metadata": {"labels": None}}))
    t.case("of a queue that does not exist", q, job("j", labels={QUEUE: "none"}))
    t.case("more completions than pods", q, job("j", 2, spec={"completions": 10}))
    t.case("fewer completions than pods", q, job("j", 6, spec={"completions": 3}))
    t.case("no completions", q, job("j", 3, spec={"completions": None}))

    t.rule("The priority is that of the workload's class, else that of the pods', else that of the cluster.")
    classes = [priority_class("high", 100), priority_class("podhigh", 50, "PriorityClass"), priority_class("usual", 7, "PriorityClass", globalDefault=True)]
    t.case("a class of the workload", *classes, q, job("j", 3, at=1), job("k", 3, at=2, labels={"kueue.x-k8s.io/priority-class": "high"}))
    t.case("a class of the pods", *classes, q, job("j", 3, at=1), job("k", 3, at=2, priorityClassName="podhigh"))
    t.case("both", *classes, queue("a", "f1(cpu 4)", within="LowerPriority"), job("j", 3, labels={"kueue.x-k8s.io/priority-class": "high"}, priorityClassName="podhigh"), work("r", "a", "cpu 3", prio=60, on="f1"))
    t.case("the cluster's default", *classes, queue("a", "f1(cpu 4)", within="LowerPriority"), job("j", 3), work("r", "a", "cpu 3", prio=5, on="f1"))
    t.case("none", queue("a", "f1(cpu 4)", within="LowerPriority"), job("j", 3), work("r", "a", "cpu 3", prio=-1, on="f1"))

    t.rule("A job may start with fewer pods when it says so.")
    for gate in (True, False):
        t.case(f"at least two of eight, PartialAdmission {'on' if gate else 'off'}", q, job("j", 8, annotations={"kueue.x-k8s.io/job-min-parallelism": "2"}), gates={"PartialAdmission": gate})
    t.case("at least five of eight", q, job("j", 8, annotations={"kueue.x-k8s.io/job-min-parallelism": "5"}))

    t.rule("A job's maximum run time and its selectors go into the workload.")
    t.case("it runs too long", q, job("j", labels={"kueue.x-k8s.io/max-exec-time-seconds": "60"}), steps=[later("59s"), later("5s")])
    t.case("its selector", flavor("f1", {"t": "a"}), flavor("f2", {"t": "b"}), queue("a", "f1(cpu 4) f2(cpu 4)"), job("j", nodeSelector={"t": "b"}))
    t.case("its toleration", flavor("f1", taints=[taint("x", "y")]), queue("a", "f1(cpu 4) f2(cpu 4)"), job("j", tolerations=[{"key": "x", "operator": "Exists"}]))

    t.rule("Each kind of job has pod sets of its own.")
    head = {"template": {"spec": {"containers": [container("cpu 1")]}}}
    t.case("JobSet", queue("a", "f1(cpu 9)"), thing("JobSet", "s", {"suspend": True, "replicatedJobs": [
        {"name": name, "replicas": replicas, "template": {"spec": {"parallelism": pods, "completions": pods, "template": {"spec": {"restartPolicy": "Never", "containers": [container("cpu 1")]}}}}}
        for name, replicas, pods in (("lead", 1, 1), ("work", 2, 3))]}, api="jobset.x-k8s.io/v1alpha2", namespace="default", metadata={"labels": {QUEUE: "a"}, "creationTimestamp": stamp(1)}))
    t.case("RayCluster", queue("a", "f1(cpu 9)"), thing("RayCluster", "r", {"suspend": True, "headGroupSpec": {"rayStartParams": {}} | head,
        "workerGroupSpecs": [{"groupName": "w", "replicas": 2, "minReplicas": 1, "maxReplicas": 5, "numOfHosts": 2, "rayStartParams": {}} | head]}, api="ray.io/v1", namespace="default",
        metadata={"labels": {QUEUE: "a"}, "creationTimestamp": stamp(1)}))
    t.case("RayJob", queue("a", "f1(cpu 9)"), thing("RayJob", "r", {"suspend": True, "shutdownAfterJobFinishes": True, "entrypoint": "x", "rayClusterSpec": {"headGroupSpec": {"rayStartParams": {}} | head,
        "workerGroupSpecs": [{"groupName": "w", "replicas": 2, "minReplicas": 1, "maxReplicas": 5, "rayStartParams": {}} | head]}}, api="ray.io/v1", namespace="default",
        metadata={"labels": {QUEUE: "a"}, "creationTimestamp": stamp(1)}))
    t.case("PyTorchJob", queue("a", "f1(cpu 9)"), thing("PyTorchJob", "p", {"runPolicy": {"suspend": True}, "pytorchReplicaSpecs": {
        "Worker": {"replicas": 3, "restartPolicy": "OnFailure"} | {"template": {"spec": {"containers": [container("cpu 1", name="pytorch")]}}},
        "Master": {"replicas": 1, "restartPolicy": "OnFailure"} | {"template": {"spec": {"containers": [container("cpu 2", name="pytorch")]}}}}}, api="kubeflow.org/v1", namespace="default",
        metadata={"labels": {QUEUE: "a"}, "creationTimestamp": stamp(1)}))
    t.case("Pod", queue("a", "f1(cpu 9)"), {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default", "labels": {QUEUE: "a"}, "creationTimestamp": stamp(1)},
        "spec": {"containers": [container("cpu 2")]}})

    t.rule("A job is stopped by its own controller, whether evicted Workloads keep their quota or not.")
    keeps = {"emulation": {"stopEvicted": False}}
    drain = {"stopPolicy": {"clusterQueue": "a", "policy": "HoldAndDrain"}}
    for title, first in [("a job", job("j", 3)), ("a bare workload", work("j", "a", "cpu 3"))]:
        t.case(f"stopped: {title} is preempted", queue("a", "f1(cpu 4)", within="LowerPriority"), first, steps=[later("5s"), apply(work("h", "a", "cpu 3", prio=5, at=20000)), later("5s")], **keeps)
        t.case(f"stopped: {title}, its queue is drained", q, first, steps=[later("5s"), drain, later("5s")], **keeps)
    t.case("stopped: a job runs too long", q, job("j", labels={"kueue.x-k8s.io/max-exec-time-seconds": "60"}), steps=[later("65s")], **keeps)
    t.case("stopped: a job's pods are not ready in time", q, job("j"), steps=[later("65s"), later("5m")], waitForPodsReady={"timeout": "60s"}, **keeps)
