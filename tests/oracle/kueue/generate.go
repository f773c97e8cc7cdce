package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"

	utiltas "sigs.k8s.io/kueue/pkg/util/tas"
)

type obj = map[string]any

const kueueAPI = "kueue.x-k8s.io/v1beta2"

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// gen builds one random scenario. Numbers are few and small, so ties and exact fits are common.
type gen struct {
	*rand.Rand
	sc    *Scenario
	objs  []obj
	steps []obj
	opts  obj
	t     int // seconds before now of the next creation
	nWl   int
	cqs   []*gcq
	tree  map[string]*gcohort
	nodes []*gnode
	lvls  []string
	wls   []*gwl
}

type gcohort struct {
	name, parent string
	quota        map[string]int64
	subtree      map[string]int64 // what the whole subtree owns
	used         map[string]int64
}

type gcq struct {
	name, cohort string
	lqs          []string
	flavors      [][]string       // per resource group
	resources    [][]string       // per resource group
	nominal      map[string]int64 // flavor/resource
	borrow       map[string]*int64
	used         map[string]int64
	spec         obj
	tas          bool
}

type gwl struct {
	name    string
	cq      *gcq
	running bool
	podSets []string
	counts  map[string]int
	checks  []string
	flavor  string
}

type gnode struct {
	name    string
	labels  map[string]string
	free    map[string]int64
	tainted bool
	object  obj
}

func pick[T any](g *gen, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *gen) chance(p float64) bool { return g.Float64() < p }

func (g *gen) add(o obj) obj {
	g.objs = append(g.objs, o)
	return o
}

func object(kind, name string, spec obj) obj {
	o := obj{"apiVersion": kueueAPI, "kind": kind, "metadata": obj{"name": name}}
	if spec != nil {
		o["spec"] = spec
	}
	return o
}

func (g *gen) option(k string, v any) {
	g.opts[k] = v
}

func (g *gen) gate(name string, v bool) {
	m, _ := g.opts["featureGates"].(obj)
	if m == nil {
		m = obj{}
		g.opts["featureGates"] = m
	}
	m[name] = v
}

// created returns a creation time; times differ except for occasional ties.
func (g *gen) created() string {
	g.t -= pick(g, 1, 1, 2, 5)
	return epoch.Add(time.Duration(g.t) * time.Second).Format(time.RFC3339)
}

type flavorShape struct{ labels, taints, tolerations bool }

func (g *gen) flavor(name string, sh flavorShape) {
	spec := obj{}
	if sh.labels && g.chance(0.8) {
		l := obj{"type": name}
		if g.chance(0.3) {
			l["zone"] = pick(g, "x", "y")
		}
		spec["nodeLabels"] = l
	}
	if sh.taints && g.chance(0.35) {
		spec["nodeTaints"] = []any{obj{"key": pick(g, "spot", "gpu"), "value": "true", "effect": pick(g, "NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule")}}
		if sh.tolerations && g.chance(0.25) {
			spec["tolerations"] = []any{obj{"key": "spot", "operator": "Exists"}}
		}
	}
	g.add(object("ResourceFlavor", name, spec))
}

func qty(res string, n int64) string {
	if res == "memory" {
		return fmt.Sprintf("%dGi", n)
	}
	return strconv.FormatInt(n, 10)
}

func (g *gen) preemption(within, cohort bool) obj {
	p := obj{}
	if within {
		p["withinClusterQueue"] = pick(g, "Never", "LowerPriority", "LowerPriority", "LowerOrNewerEqualPriority")
	}
	if cohort {
		p["reclaimWithinCohort"] = pick(g, "Never", "LowerPriority", "Any", "Any")
		if p["reclaimWithinCohort"] != "Never" && g.chance(0.35) {
			b := obj{"policy": "LowerPriority"}
			if g.chance(0.6) {
				b["maxPriorityThreshold"] = pick(g, 0, 5, 50, 100)
			}
			p["borrowWithinCohort"] = b
		}
	}
	return p
}

func (g *gen) fungibility() obj {
	f := obj{}
	if g.chance(0.4) {
		f["whenCanBorrow"] = pick(g, "MayStopSearch", "TryNextFlavor", "TryNextFlavor")
	}
	if g.chance(0.4) {
		f["whenCanPreempt"] = pick(g, "MayStopSearch", "TryNextFlavor")
	}
	if f["whenCanBorrow"] == "TryNextFlavor" && f["whenCanPreempt"] != "MayStopSearch" && g.chance(0.5) {
		f["whenCanPreempt"] = "TryNextFlavor"
		f["preference"] = pick(g, "PreemptionOverBorrowing", "PreemptionOverBorrowing", "BorrowingOverPreemption")
	}
	return f
}

// quota writes resource groups; limits only where there is a parent.
func (g *gen) groups(flavors, resources [][]string, limits bool, amount func(f, r string) int64, nominal map[string]int64, borrow map[string]*int64) []any {
	var out []any
	for i, fl := range flavors {
		var fs []any
		for _, f := range fl {
			var rs []any
			for _, r := range resources[i] {
				n := amount(f, r)
				x := obj{"name": r, "nominalQuota": qty(r, n)}
				if limits && g.chance(0.3) {
					b := pick(g, int64(0), 1, 2, 4)
					x["borrowingLimit"] = qty(r, b)
					if borrow != nil {
						borrow[f+"|"+r] = &b
					}
				}
				if limits && g.chance(0.25) {
					x["lendingLimit"] = qty(r, min(n, pick(g, int64(0), 1, 2, 4)))
				}
				if nominal != nil {
					nominal[f+"|"+r] = n
				}
				rs = append(rs, x)
			}
			fs = append(fs, obj{"name": f, "resources": rs})
		}
		var cov []any
		for _, r := range resources[i] {
			cov = append(cov, r)
		}
		out = append(out, obj{"coveredResources": cov, "flavors": fs})
	}
	return out
}

type cqShape struct {
	cohort    string
	within    bool
	quota     []int64
	strict    float64
	lqs       int
	noPreempt float64
}

func (g *gen) clusterQueue(name string, flavors, resources [][]string, sh cqShape) *gcq {
	q := &gcq{name: name, cohort: sh.cohort, flavors: flavors, resources: resources, nominal: map[string]int64{}, borrow: map[string]*int64{}, used: map[string]int64{}}
	spec := obj{"namespaceSelector": obj{}}
	if sh.cohort != "" {
		spec["cohortName"] = sh.cohort
	}
	if !g.chance(sh.noPreempt) {
		spec["preemption"] = g.preemption(true, sh.cohort != "")
	}
	if f := g.fungibility(); len(f) > 0 {
		spec["flavorFungibility"] = f
	}
	if g.chance(sh.strict) {
		spec["queueingStrategy"] = "StrictFIFO"
	}
	spec["resourceGroups"] = g.groups(flavors, resources, sh.cohort != "", func(string, string) int64 { return pick(g, sh.quota...) }, q.nominal, q.borrow)
	q.spec = spec
	g.add(object("ClusterQueue", name, spec))
	for i := 0; i < max(1, sh.lqs); i++ {
		lq := name
		if i > 0 {
			lq = fmt.Sprintf("%s-%d", name, i)
		}
		q.lqs = append(q.lqs, lq)
		o := object("LocalQueue", lq, obj{"clusterQueue": name})
		o["metadata"].(obj)["namespace"] = "default"
		g.add(o)
	}
	g.cqs = append(g.cqs, q)
	return q
}

var priorities = []int{0, 0, 0, 5, 10, 100, -5}

type wlShape struct {
	amounts   []int64
	counts    []int
	podSets   int
	selectors bool
	shapes    bool // init containers, overhead, limits
	minCount  bool
	priority  *int
	topology  func(ps obj, i int)
}

func container(name string, req obj) obj {
	return obj{"name": name, "image": "img", "resources": obj{"requests": req}}
}

// podSets returns the podsets of a workload and their requests per pod.
func (g *gen) podSets(q *gcq, sh wlShape) (pss []any, reqs []map[string]int64) {
	n := 1
	if sh.podSets > 1 && g.chance(0.3) {
		n = 2 + g.IntN(sh.podSets-1)
	}
	minDone := false
	for i := 0; i < n; i++ {
		name := "main"
		if n > 1 {
			name = []string{"driver", "worker", "extra"}[i%3]
		}
		cnt := pick(g, sh.counts...)
		req := map[string]int64{}
		ro := obj{}
		for gi, rs := range q.resources {
			if gi > 0 && g.chance(0.4) {
				continue
			}
			for _, r := range rs {
				if r == "pods" || (len(ro) > 0 && g.chance(0.2)) {
					continue
				}
				req[r] = pick(g, sh.amounts...)
				ro[r] = qty(r, req[r])
			}
		}
		spec := obj{}
		c := container("c", ro)
		spec["containers"] = []any{c}
		if sh.shapes {
			switch g.IntN(12) {
			case 0:
				spec["initContainers"] = []any{container("i", obj{"cpu": strconv.Itoa(1 + g.IntN(4))})}
			case 1:
				x := container("s", obj{"cpu": "1"})
				x["restartPolicy"] = "Always"
				spec["initContainers"] = []any{x}
			case 2:
				spec["overhead"] = obj{"cpu": pick(g, "500m", "1")}
			case 3:
				c["resources"] = obj{"limits": ro}
			case 4:
				spec["containers"] = append(spec["containers"].([]any), container("d", obj{"cpu": pick(g, "250m", "1")}))
			}
		}
		if sh.selectors {
			fl := q.flavors[0]
			switch g.IntN(7) {
			case 0:
				spec["nodeSelector"] = obj{"type": pick(g, fl...)}
			case 1:
				spec["affinity"] = obj{"nodeAffinity": obj{"requiredDuringSchedulingIgnoredDuringExecution": obj{"nodeSelectorTerms": []any{
					obj{"matchExpressions": []any{obj{"key": "type", "operator": pick(g, "In", "NotIn"), "values": []any{pick(g, fl...)}}}}}}}}
			case 2:
				spec["affinity"] = obj{"nodeAffinity": obj{"requiredDuringSchedulingIgnoredDuringExecution": obj{"nodeSelectorTerms": []any{
					obj{"matchExpressions": []any{obj{"key": "type", "operator": "In", "values": []any{pick(g, fl...)}}}},
					obj{"matchExpressions": []any{obj{"key": "zone", "operator": pick(g, "Exists", "DoesNotExist")}}}}}}}
			case 3:
				spec["nodeSelector"] = obj{"zone": pick(g, "x", "y")}
			}
			if g.chance(0.45) {
				t := obj{"key": pick(g, "spot", "gpu"), "operator": "Exists"}
				if g.chance(0.4) {
					t = obj{"key": "spot", "operator": "Equal", "value": pick(g, "true", "false"), "effect": "NoSchedule"}
				}
				spec["tolerations"] = []any{t}
			}
		}
		ps := obj{"name": name, "count": cnt, "template": obj{"spec": spec}}
		if sh.minCount && !minDone && cnt > 1 && g.chance(0.7) {
			ps["minCount"] = 1 + g.IntN(cnt)
			minDone = true
		}
		if sh.topology != nil {
			sh.topology(ps, i)
		}
		pss = append(pss, ps)
		reqs = append(reqs, req)
	}
	return pss, reqs
}

func (g *gen) name(prefix string) string {
	g.nWl++
	return fmt.Sprintf("%s%d", prefix, g.nWl)
}

func (g *gen) workload(name, lq string, prio int, pss []any) obj {
	meta := obj{"name": name, "namespace": "default", "uid": fmt.Sprintf("u%03d-%s", g.IntN(1000), name), "creationTimestamp": g.created()}
	spec := obj{"queueName": lq, "podSets": pss}
	if prio != 0 || g.chance(0.5) {
		spec["priority"] = prio
	}
	return obj{"apiVersion": kueueAPI, "kind": "Workload", "metadata": meta, "spec": spec}
}

func (g *gen) record(w obj, q *gcq, running bool) *gwl {
	x := &gwl{name: "default/" + w["metadata"].(obj)["name"].(string), cq: q, running: running, counts: map[string]int{}}
	for _, p := range w["spec"].(obj)["podSets"].([]any) {
		ps := p.(obj)
		x.podSets = append(x.podSets, ps["name"].(string))
		x.counts[ps["name"].(string)] = ps["count"].(int)
	}
	g.wls = append(g.wls, x)
	return x
}

func (g *gen) pending(q *gcq, sh wlShape) obj {
	pss, _ := g.podSets(q, sh)
	prio := pick(g, priorities...)
	if sh.priority != nil {
		prio = *sh.priority
	}
	w := g.workload(g.name("w"), pick(g, q.lqs...), prio, pss)
	g.add(w)
	g.record(w, q, false)
	return w
}

// ancestors lists the cohorts above a queue.
func (g *gen) ancestors(q *gcq) []*gcohort {
	var out []*gcohort
	for n := q.cohort; n != ""; {
		c := g.tree[n]
		if c == nil {
			break
		}
		out = append(out, c)
		n = c.parent
	}
	return out
}

// room says how much of a flavor's resource a queue may roughly still take (own quota first, then the pool of its tree).
func (g *gen) room(q *gcq, fr string, borrow bool) int64 {
	own := q.nominal[fr] - q.used[fr]
	if !borrow || q.cohort == "" {
		return max(0, own)
	}
	an := g.ancestors(q)
	if len(an) == 0 {
		return max(0, own)
	}
	root := an[len(an)-1]
	free := root.subtree[fr] - root.used[fr]
	if b := q.borrow[fr]; b != nil {
		free = min(free, own+*b)
	}
	return max(0, free)
}

func (g *gen) use(q *gcq, fr string, n int64) {
	q.used[fr] += n
	for _, c := range g.ancestors(q) {
		c.used[fr] += n
	}
}

// run adds a workload that holds quota already; false when nothing fits.
func (g *gen) run(q *gcq, sh wlShape, borrow bool) (obj, bool) {
	pss, reqs := g.podSets(q, sh)
	chosen := make([]string, len(q.flavors))
	for gi, fl := range q.flavors {
		chosen[gi] = pick(g, fl...)
	}
	need := map[string]int64{}
	for i, p := range pss {
		cnt := int64(p.(obj)["count"].(int))
		for gi, rs := range q.resources {
			for _, r := range rs {
				n := reqs[i][r] * cnt
				if r == "pods" {
					n = cnt
				}
				need[chosen[gi]+"|"+r] += n
			}
		}
	}
	for fr, n := range need {
		if n > g.room(q, fr, borrow) {
			return nil, false
		}
	}
	for fr, n := range need {
		g.use(q, fr, n)
	}
	name := g.name("r")
	w := g.workload(name, pick(g, q.lqs...), pick(g, priorities...), pss)
	var psas []any
	for i, p := range pss {
		ps := p.(obj)
		cnt := int64(ps["count"].(int))
		fl, us := obj{}, obj{}
		// a running workload takes what its plain containers ask for; other pod shapes are left to pending ones
		for gi, rs := range q.resources {
			for _, r := range rs {
				n, ok := reqs[i][r]
				if r == "pods" {
					n, ok = 1, true
				}
				if !ok {
					continue
				}
				fl[r] = chosen[gi]
				us[r] = qty(r, n*cnt)
			}
		}
		a := obj{"name": ps["name"], "count": cnt, "resourceUsage": us}
		if len(fl) > 0 {
			a["flavors"] = fl
		}
		psas = append(psas, a)
	}
	ts := epoch.Add(time.Duration(g.t+pick(g, 0, 1, 3)) * time.Second).Format(time.RFC3339)
	w["status"] = obj{
		"admission": obj{"clusterQueue": q.name, "podSetAssignments": psas},
		"conditions": []any{
			obj{"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "message": "Quota reserved in ClusterQueue " + q.name, "lastTransitionTime": ts},
			obj{"type": "Admitted", "status": "True", "reason": "Admitted", "message": "The workload is admitted", "lastTransitionTime": ts},
		},
	}
	g.add(w)
	x := g.record(w, q, true)
	x.flavor = chosen[0]
	return w, true
}

func (g *gen) fill(q *gcq, sh wlShape, tries int, borrow float64) {
	for i := 0; i < tries; i++ {
		g.run(q, sh, g.chance(borrow))
	}
}

// sumTree computes what each cohort's subtree owns.
func (g *gen) sumTree() {
	for _, c := range g.tree {
		c.subtree, c.used = map[string]int64{}, map[string]int64{}
	}
	for _, c := range g.tree {
		for n := c; n != nil; n = g.tree[n.parent] {
			for fr, v := range c.quota {
				n.subtree[fr] += v
			}
		}
	}
	for _, q := range g.cqs {
		for _, c := range g.ancestors(q) {
			for fr, v := range q.nominal {
				c.subtree[fr] += v
			}
		}
	}
}

func (g *gen) flavorNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("f%d", i+1)
	}
	return out
}

// layout picks flavors and resources of one queue: one or two resource groups.
func (g *gen) layout(nf int, multi bool) (flavors, resources [][]string) {
	all := g.flavorNames(nf)
	switch {
	case multi && g.chance(0.25) && nf > 1:
		k := 1 + g.IntN(nf-1)
		return [][]string{all[:k], all[k:]}, [][]string{pick(g, []string{"cpu"}, []string{"cpu", "memory"}), {"example.com/gpu"}}
	case multi && g.chance(0.35):
		return [][]string{all}, [][]string{pick(g, []string{"cpu", "memory"}, []string{"cpu", "pods"}, []string{"cpu", "example.com/gpu"})}
	}
	return [][]string{all}, [][]string{{"cpu"}}
}

func (g *gen) flat() {
	nf := 1 + g.IntN(4)
	fl, rs := g.layout(nf, true)
	for _, f := range g.flavorNames(nf) {
		g.flavor(f, flavorShape{labels: true, taints: true, tolerations: true})
	}
	q := g.clusterQueue("a", fl, rs, cqShape{quota: []int64{0, 2, 4, 4, 6, 8}, strict: 0.25, lqs: 1 + g.IntN(2), noPreempt: 0.15})
	if g.chance(0.1) {
		g.add(obj{"apiVersion": "v1", "kind": "LimitRange", "metadata": obj{"name": "lr", "namespace": "default"},
			"spec": obj{"limits": []any{obj{"type": "Container", "defaultRequest": obj{"cpu": "1"}, "max": obj{"cpu": pick(g, "3", "8")}}}}})
	}
	sh := wlShape{amounts: []int64{1, 1, 2, 2, 3, 4}, counts: []int{1, 1, 1, 2, 3}, podSets: 3}
	g.fill(q, sh, g.IntN(8), 0)
	sh.amounts = []int64{1, 1, 1, 2, 2, 3}
	sh.counts = []int{1, 1, 1, 1, 2, 3}
	sh.selectors, sh.shapes = true, true
	for i, n := 0, 2+g.IntN(6); i < n; i++ {
		g.pending(q, sh)
	}
}

func (g *gen) cohortBase(nq int, shape func(i int) cqShape) {
	nf := 1 + g.IntN(3)
	fl, rs := g.layout(nf, true)
	lab := g.chance(0.3)
	for _, f := range g.flavorNames(nf) {
		g.flavor(f, flavorShape{labels: lab, taints: lab})
	}
	for i := 0; i < nq; i++ {
		f, r := fl, rs
		if len(fl) == 1 && len(fl[0]) > 1 && g.chance(0.25) {
			// another order, or fewer flavors
			x := append([]string{}, fl[0]...)
			g.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			f = [][]string{x[:1+g.IntN(len(x))]}
		}
		g.clusterQueue(string(rune('a'+i)), f, r, shape(i))
	}
	g.sumTree()
}

func (g *gen) running(p float64) {
	sh := wlShape{amounts: []int64{1, 2, 2, 3, 4}, counts: []int{1, 1, 1, 2}, podSets: 2}
	order := g.Perm(len(g.cqs))
	for _, i := range order {
		g.fill(g.cqs[i], sh, 1+g.IntN(5), p)
	}
}

func (g *gen) arrivals(most int, sh wlShape) {
	for _, q := range g.cqs {
		for i, n := 0, g.IntN(most+1); i < n; i++ {
			g.pending(q, sh)
		}
	}
}

var plain = wlShape{amounts: []int64{1, 2, 2, 3, 4, 6}, counts: []int{1, 1, 1, 2, 3}, podSets: 2}

func (g *gen) cohort() {
	g.tree["R"] = &gcohort{name: "R"}
	if g.chance(0.3) {
		q := map[string]int64{}
		nf := 3
		spec := obj{"resourceGroups": g.groups([][]string{g.flavorNames(1 + g.IntN(nf))}, [][]string{{"cpu"}}, false, func(string, string) int64 { return pick(g, int64(0), 2, 4) }, q, nil)}
		g.tree["R"].quota = q
		g.add(object("Cohort", "R", spec))
	}
	g.cohortBase(2+g.IntN(5), func(int) cqShape {
		c := "R"
		if g.chance(0.06) {
			c = ""
		}
		return cqShape{cohort: c, quota: []int64{0, 0, 2, 4, 4, 6}, strict: 0.15, noPreempt: 0.15}
	})
	g.ensureFlavors()
	if g.chance(0.3) {
		g.lender()
		return
	}
	g.running(0.6)
	g.arrivals(3, plain)
}

// lender makes one queue without quota of its own borrow all that its owners do not use; then the owners ask for it back at
// the same time, so that they want the same victims.
func (g *gen) lender() {
	z := g.cqs[len(g.cqs)-1]
	for _, q := range g.cqs {
		if q == z || !g.chance(0.8) {
			continue
		}
		q.spec["preemption"] = obj{"reclaimWithinCohort": pick(g, "Any", "Any", "LowerPriority"), "withinClusterQueue": pick(g, "Never", "LowerPriority")}
	}
	big := wlShape{amounts: []int64{2, 4, 4, 6, 8}, counts: []int{1}, podSets: 1}
	if g.chance(0.6) {
		// one victim that holds everything
		if n := g.room(z, z.flavors[0][0]+"|"+z.resources[0][0], true); n > 0 {
			big.amounts = []int64{n}
		}
	}
	g.fill(z, big, 8, 1)
	g.fill(pick(g, g.cqs...), wlShape{amounts: []int64{1, 2}, counts: []int{1}, podSets: 1}, 2, 1)
	g.arrivals(2, wlShape{amounts: []int64{1, 2, 2, 4, 4}, counts: []int{1, 1, 2}, podSets: 1})
}

// overlap: several owners reclaim, in the same cycle, from a borrower that holds everything in one or two workloads.
func (g *gen) overlap() {
	if g.chance(0.7) {
		g.gate("RecomputeAssignmentUponPreemptionTargetsOverlap", true)
	}
	if g.chance(0.25) {
		g.option("fairSharing", obj{"preemptionStrategies": []any{"LessThanOrEqualToFinalShare", "LessThanInitialShare"}})
	}
	g.tree["R"] = &gcohort{name: "R"}
	nf := pick(g, 1, 1, 2)
	fl, rs := [][]string{g.flavorNames(nf)}, [][]string{{"cpu"}}
	for _, f := range g.flavorNames(nf) {
		g.flavor(f, flavorShape{})
	}
	nq := 2 + g.IntN(3)
	for i := 0; i < nq; i++ {
		q := g.clusterQueue(string(rune('a'+i)), fl, rs, cqShape{cohort: "R", quota: []int64{2, 4, 4, 6}})
		q.spec["preemption"] = obj{"reclaimWithinCohort": pick(g, "Any", "Any", "LowerPriority"), "withinClusterQueue": pick(g, "Never", "LowerPriority")}
	}
	z := g.clusterQueue("z", fl, rs, cqShape{cohort: "R", quota: []int64{0, 0, 0, 2}, noPreempt: 0.7})
	z.borrow = map[string]*int64{}
	for _, rg := range z.spec["resourceGroups"].([]any) {
		for _, f := range rg.(obj)["flavors"].([]any) {
			for _, r := range f.(obj)["resources"].([]any) {
				delete(r.(obj), "borrowingLimit")
			}
		}
	}
	for _, q := range g.cqs[:nq] {
		for _, rg := range q.spec["resourceGroups"].([]any) {
			for _, f := range rg.(obj)["flavors"].([]any) {
				for _, r := range f.(obj)["resources"].([]any) {
					delete(r.(obj), "lendingLimit")
				}
			}
		}
	}
	g.sumTree()
	for _, f := range fl[0] {
		n := g.room(z, f+"|cpu", true)
		if g.chance(0.4) {
			n = (n + 1) / 2
		}
		g.fill(z, wlShape{amounts: []int64{max(1, n)}, counts: []int{1}, podSets: 1}, 3, 1)
	}
	for _, q := range g.cqs[:nq] {
		for i, n := 0, 1+g.IntN(2); i < n; i++ {
			g.pending(q, wlShape{amounts: []int64{1, 2, 2, 4, q.nominal[fl[0][0]+"|cpu"]}, counts: []int{1}, podSets: 1})
		}
	}
}

// ensureFlavors declares every flavor that a quota names.
func (g *gen) ensureFlavors() {
	have := map[string]bool{}
	for _, o := range g.objs {
		if o["kind"] == "ResourceFlavor" {
			have[o["metadata"].(obj)["name"].(string)] = true
		}
	}
	for _, o := range append([]obj{}, g.objs...) {
		if o["kind"] != "Cohort" && o["kind"] != "ClusterQueue" {
			continue
		}
		spec, _ := o["spec"].(obj)
		rgs, _ := spec["resourceGroups"].([]any)
		for _, rg := range rgs {
			for _, f := range rg.(obj)["flavors"].([]any) {
				if n := f.(obj)["name"].(string); !have[n] {
					have[n] = true
					g.add(object("ResourceFlavor", n, nil))
				}
			}
		}
	}
}

// cohorts builds a tree of up to four levels and returns the names of all its nodes.
func (g *gen) cohorts(weights bool) []string {
	names := []string{"root"}
	depth := map[string]int{"root": 1}
	parent := map[string]string{}
	for i, n := 0, 1+g.IntN(5); i < n; i++ {
		p := pick(g, names...)
		if depth[p] >= 4 {
			continue
		}
		c := fmt.Sprintf("c%d", i+1)
		names = append(names, c)
		depth[c] = depth[p] + 1
		parent[c] = p
	}
	for _, n := range names {
		spec := obj{}
		if parent[n] != "" {
			spec["parentName"] = parent[n]
		}
		quota := map[string]int64{}
		if g.chance(0.5) {
			spec["resourceGroups"] = g.groups([][]string{g.flavorNames(1 + g.IntN(2))}, [][]string{{"cpu"}}, parent[n] != "", func(string, string) int64 { return pick(g, int64(0), 2, 4) }, quota, nil)
		}
		if weights && parent[n] != "" && g.chance(0.5) {
			spec["fairSharing"] = obj{"weight": pick(g, "1", "2", "500m", "3")}
		}
		g.tree[n] = &gcohort{name: n, parent: parent[n], quota: quota}
		if len(spec) > 0 || g.chance(0.5) {
			g.add(object("Cohort", n, spec))
		}
	}
	return names
}

func (g *gen) treeProfile() {
	names := g.cohorts(false)
	g.cohortBase(2+g.IntN(5), func(int) cqShape {
		return cqShape{cohort: pick(g, names...), quota: []int64{0, 0, 2, 2, 4}, strict: 0.1, noPreempt: 0.15}
	})
	g.ensureFlavors()
	if g.chance(0.3) {
		g.lender()
		return
	}
	g.running(0.6)
	g.arrivals(3, plain)
}

func (g *gen) fair() {
	fs := obj{"preemptionStrategies": pick(g, []any{"LessThanOrEqualToFinalShare", "LessThanInitialShare"}, []any{"LessThanOrEqualToFinalShare", "LessThanInitialShare"},
		[]any{"LessThanOrEqualToFinalShare"}, []any{"LessThanInitialShare"})}
	g.option("fairSharing", fs)
	names := []string{"R"}
	if g.chance(0.35) {
		names = g.cohorts(true)
	} else {
		g.tree["R"] = &gcohort{name: "R"}
	}
	g.cohortBase(2+g.IntN(4), func(int) cqShape {
		return cqShape{cohort: pick(g, names...), quota: []int64{0, 0, 2, 4, 6}, strict: 0.05, noPreempt: 0.1}
	})
	for _, q := range g.cqs {
		if g.chance(0.5) {
			q.spec["fairSharing"] = obj{"weight": pick(g, "0", "500m", "1", "2", "3")}
		}
	}
	g.ensureFlavors()
	g.running(0.85)
	g.arrivals(3, plain)
}

func (g *gen) afs() {
	g.option("admissionFairSharing", obj{"usageHalfLifeTime": pick(g, "10m", "1m", "1h"), "usageSamplingInterval": pick(g, "1m", "5m")})
	if g.chance(0.3) {
		g.opts["admissionFairSharing"].(obj)["resourceWeights"] = obj{"cpu": pick(g, 1.0, 2.0, 0.5)}
	}
	nq := 1 + g.IntN(2)
	co := ""
	if nq > 1 {
		co = "R"
		g.tree["R"] = &gcohort{name: "R"}
	}
	g.cohortBase(nq, func(int) cqShape {
		return cqShape{cohort: co, quota: []int64{2, 4, 4, 6}, strict: 0.3, lqs: 2 + g.IntN(2), noPreempt: 0.5}
	})
	for _, q := range g.cqs {
		if g.chance(0.85) {
			q.spec["admissionScope"] = obj{"admissionMode": "UsageBasedAdmissionFairSharing"}
		}
	}
	for _, o := range g.objs {
		if o["kind"] == "LocalQueue" && g.chance(0.4) {
			o["spec"].(obj)["fairSharing"] = obj{"weight": pick(g, "1", "2", "500m", "3")}
		}
	}
	g.running(0.4)
	sh := plain
	sh.amounts = []int64{1, 2, 2, 3}
	for _, q := range g.cqs {
		for i, n := 0, 3+g.IntN(5); i < n; i++ {
			g.pending(q, sh)
		}
	}
	for i, n := 0, 1+g.IntN(4); i < n; i++ {
		s := obj{"at": pick(g, "+1m", "+5m", "+10m", "+90s")}
		if w := g.someWorkload(true); w != nil && g.chance(0.7) {
			s["finish"] = w.name
		}
		g.steps = append(g.steps, s)
	}
}

func (g *gen) someWorkload(running bool) *gwl {
	var c []*gwl
	for _, w := range g.wls {
		if w.running == running {
			c = append(c, w)
		}
	}
	if len(c) == 0 {
		return nil
	}
	return pick(g, c...)
}

func (g *gen) anyWorkload() *gwl {
	if len(g.wls) == 0 {
		return nil
	}
	return pick(g, g.wls...)
}

func (g *gen) partial() {
	if g.chance(0.5) {
		g.tree["R"] = &gcohort{name: "R"}
		g.cohortBase(2+g.IntN(2), func(int) cqShape {
			return cqShape{cohort: "R", quota: []int64{2, 4, 6, 7}, strict: 0.1, noPreempt: 0.2}
		})
	} else {
		g.cohortBase(1, func(int) cqShape { return cqShape{quota: []int64{3, 5, 7}, strict: 0.1, noPreempt: 0.3} })
	}
	sh := wlShape{amounts: []int64{1, 1, 2}, counts: []int{1, 2, 3, 5}, podSets: 2}
	for _, q := range g.cqs {
		g.fill(q, sh, g.IntN(3), 0.4)
	}
	for _, o := range g.objs {
		if o["kind"] == "Workload" && o["status"] != nil && g.chance(0.4) {
			ps := o["spec"].(obj)["podSets"].([]any)[0].(obj)
			if c := ps["count"].(int); c > 1 {
				o["status"].(obj)["reclaimablePods"] = []any{obj{"name": ps["name"], "count": 1 + g.IntN(c)}}
			}
		}
	}
	sh = wlShape{amounts: []int64{1, 1, 2}, counts: []int{2, 4, 5, 8, 10}, podSets: 2, minCount: true}
	for _, q := range g.cqs {
		for i, n := 0, 1+g.IntN(3); i < n; i++ {
			g.pending(q, sh)
		}
	}
	if w := g.someWorkload(true); w != nil && g.chance(0.4) {
		n := w.podSets[0]
		g.steps = append(g.steps, obj{"reclaim": obj{"workload": w.name, "pods": obj{n: w.counts[n]}}})
	}
	if w := g.someWorkload(false); w != nil && g.chance(0.3) {
		n := w.podSets[0]
		g.steps = append(g.steps, obj{"reclaim": obj{"workload": w.name, "pods": obj{n: 1}}})
	}
}

// provisioning: a topology flavor behind a ProvisioningRequest check: quota first, the placement in a second pass.
func (g *gen) provisioning() {
	g.topology()
	g.add(object("ProvisioningRequestConfig", "prov", obj{"provisioningClassName": "check-capacity.autoscaling.x-k8s.io",
		"retryStrategy": obj{"backoffBaseSeconds": pick(g, 10, 60), "backoffLimitCount": pick(g, 1, 2)}}))
	g.add(object("AdmissionCheck", "prov", obj{"controllerName": "kueue.x-k8s.io/provisioning-request",
		"parameters": obj{"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": "prov"}}))
	g.add(object("ResourceFlavor", "tas", obj{"nodeLabels": obj{"pool": "tas"}, "topologyName": "topo"}))
	q := g.clusterQueue("a", [][]string{{"tas"}}, [][]string{{"cpu"}}, cqShape{quota: []int64{8, 16, 64}, strict: 0.2, noPreempt: 0.5})
	q.spec["admissionChecksStrategy"] = obj{"admissionChecks": []any{obj{"name": "prov"}}}
	for i, n := 0, 1+g.IntN(3); i < n; i++ {
		pss, _ := g.podSets(q, wlShape{amounts: []int64{1, 1, 2}, counts: []int{1, 2, 3, 4}, podSets: 1, topology: g.topologyRequest(false)})
		w := g.workload(g.name("w"), "a", pick(g, priorities...), pss)
		g.add(w)
		g.record(w, q, false)
	}
	for i, n := 0, 2+g.IntN(4); i < n; i++ {
		w := g.anyWorkload()
		if g.chance(0.6) {
			w = g.wls[i%len(g.wls)]
		}
		s := obj{"provision": obj{"workload": w.name, "condition": pick(g, "Provisioned", "Provisioned", "Provisioned", "Failed", "BookingExpired", "CapacityRevoked")}}
		if g.chance(0.4) {
			s["at"] = pick(g, "+5s", "+1m", "+3m")
		}
		g.steps = append(g.steps, s)
	}
}

func (g *gen) checks() {
	if g.chance(0.3) {
		g.provisioning()
		return
	}
	nc := 1 + g.IntN(2)
	var names []string
	for i := 0; i < nc; i++ {
		n := fmt.Sprintf("check%d", i+1)
		names = append(names, n)
		g.add(object("AdmissionCheck", n, obj{"controllerName": "example.com/check"}))
	}
	g.tree["R"] = &gcohort{name: "R"}
	g.cohortBase(1+g.IntN(3), func(int) cqShape {
		return cqShape{cohort: "R", quota: []int64{2, 4, 4, 6}, strict: 0.2, noPreempt: 0.2}
	})
	for _, q := range g.cqs {
		if !g.chance(0.85) {
			continue
		}
		var acs []any
		for _, n := range names {
			if g.chance(0.75) {
				x := obj{"name": n}
				if g.chance(0.4) {
					x["onFlavors"] = []any{pick(g, q.flavors[0]...)}
				}
				acs = append(acs, x)
			}
		}
		if len(acs) > 0 {
			q.spec["admissionChecksStrategy"] = obj{"admissionChecks": acs}
		}
	}
	for _, q := range g.cqs {
		for i, n := 0, 1+g.IntN(3); i < n; i++ {
			g.pending(q, wlShape{amounts: []int64{1, 2, 2, 3, 4}, counts: []int{1, 1, 2}, podSets: 2})
		}
	}
	for i, n := 0, 2+g.IntN(4); i < n; i++ {
		w := g.anyWorkload()
		st := pick(g, "Ready", "Ready", "Ready", "Retry", "Rejected")
		sc := obj{"workload": w.name, "check": pick(g, names...), "state": st}
		if st == "Retry" && g.chance(0.6) {
			sc["requeueAfterSeconds"] = pick(g, 10, 60)
		}
		s := obj{"setCheck": sc}
		if g.chance(0.3) {
			s["at"] = pick(g, "+5s", "+30s", "+2m")
		}
		g.steps = append(g.steps, s)
	}
	if g.chance(0.5) {
		g.steps = append(g.steps, obj{"at": "+5m"})
	}
}

func (g *gen) lifecycle() {
	g.tree["R"] = &gcohort{name: "R"}
	g.cohortBase(2+g.IntN(3), func(int) cqShape {
		return cqShape{cohort: "R", quota: []int64{0, 2, 4, 4, 6}, strict: 0.15, noPreempt: 0.15, lqs: 1 + g.IntN(2)}
	})
	for _, q := range g.cqs {
		if g.chance(0.1) {
			q.spec["stopPolicy"] = pick(g, "Hold", "HoldAndDrain")
		}
	}
	g.running(0.5)
	g.arrivals(3, plain)
	for len(g.wls) == 0 {
		g.pending(g.cqs[0], plain)
	}
	if g.chance(0.25) {
		g.option("waitForPodsReady", obj{"enable": true, "timeout": pick(g, "5m", "1m"), "recoveryTimeout": "5m",
			"requeuingStrategy": obj{"backoffBaseSeconds": pick(g, 10, 60), "backoffLimitCount": pick(g, 1, 2, 5), "timestamp": pick(g, "Eviction", "Creation")}})
	}
	for _, o := range g.objs {
		if o["kind"] == "Workload" && g.chance(0.1) {
			o["spec"].(obj)["maximumExecutionTimeSeconds"] = pick(g, 60, 300)
		}
	}
	for i, n := 0, 2+g.IntN(5); i < n; i++ {
		var s obj
		switch g.IntN(12) {
		case 0, 1, 2:
			s = obj{"finish": g.anyWorkload().name}
		case 3:
			s = obj{"deactivate": g.anyWorkload().name}
		case 4:
			s = obj{"activate": g.anyWorkload().name}
		case 5:
			s = obj{"stopPolicy": obj{"clusterQueue": pick(g, g.cqs...).name, "policy": pick(g, "Hold", "HoldAndDrain", "None")}}
		case 6:
			s = obj{"stopPolicy": obj{"localQueue": "default/" + pick(g, pick(g, g.cqs...).lqs...), "policy": pick(g, "Hold", "HoldAndDrain", "None")}}
		case 7:
			s = obj{"delete": obj{"kind": "Workload", "namespace": "default", "name": strings.TrimPrefix(g.anyWorkload().name, "default/")}}
			g.dropWorkload(s["delete"].(obj)["name"].(string))
		case 8:
			q := pick(g, g.cqs...)
			spec := obj{}
			for k, v := range q.spec {
				spec[k] = v
			}
			spec["resourceGroups"] = g.groups(q.flavors, q.resources, true, func(string, string) int64 { return pick(g, int64(0), 2, 4, 6, 8) }, nil, nil)
			s = obj{"apply": object("ClusterQueue", q.name, spec)}
		case 9:
			s = obj{"priority": obj{"workload": g.anyWorkload().name, "value": pick(g, priorities...)}}
		case 10:
			s = obj{"podsReady": obj{"workload": g.anyWorkload().name, "ready": g.chance(0.8)}}
		default:
			q := pick(g, g.cqs...)
			pss, _ := g.podSets(q, plain)
			w := g.workload(g.name("n"), pick(g, q.lqs...), pick(g, priorities...), pss)
			w["metadata"].(obj)["creationTimestamp"] = epoch.Add(time.Duration(10+i) * time.Second).Format(time.RFC3339)
			g.record(w, q, false)
			s = obj{"apply": w}
		}
		if g.chance(0.35) {
			s["at"] = pick(g, "+10s", "+1m", "+6m")
		}
		g.steps = append(g.steps, s)
		if len(g.wls) == 0 {
			break
		}
	}
}

func (g *gen) dropWorkload(name string) {
	for i, w := range g.wls {
		if w.name == "default/"+name {
			g.wls = append(g.wls[:i], g.wls[i+1:]...)
			return
		}
	}
}

// topology builds a topology tree of 2–4 levels with its nodes.
func (g *gen) topology() {
	depth := 2 + g.IntN(3)
	all := []string{"cloud/block", "cloud/rack", "cloud/sub", "kubernetes.io/hostname"}
	g.lvls = append([]string{}, all[:depth-1]...)
	if g.chance(0.75) {
		g.lvls = append(g.lvls, "kubernetes.io/hostname")
	} else {
		g.lvls = append(g.lvls, all[depth-1])
	}
	var lv []any
	for _, l := range g.lvls {
		lv = append(lv, obj{"nodeLabel": l})
	}
	g.add(object("Topology", "topo", obj{"levels": lv}))
	fan := make([]int, depth)
	total := 1
	for i := range fan {
		fan[i] = pick(g, 1, 2, 2, 3, 4)
		if i == 0 {
			fan[i] = pick(g, 1, 2, 3)
		}
		for total*fan[i] > 60 {
			fan[i]--
		}
		total *= fan[i]
	}
	count := 0
	var rec func(level int, prefix string, labels map[string]string)
	rec = func(level int, prefix string, labels map[string]string) {
		if level == depth {
			count++
			name := fmt.Sprintf("n%02d", count)
			l := obj{"kubernetes.io/hostname": name, "pool": "tas"}
			nl := map[string]string{}
			for k, v := range labels {
				l[k], nl[k] = v, v
			}
			if g.lvls[depth-1] == "kubernetes.io/hostname" {
				nl["kubernetes.io/hostname"] = name
			}
			if g.chance(0.2) {
				l["disk"] = pick(g, "ssd", "hdd")
			}
			cpu := int64(pick(g, 2, 4, 4, 4, 8))
			alloc := obj{"cpu": strconv.FormatInt(cpu, 10), "memory": "32Gi", "pods": pick(g, "3", "10", "10", "110")}
			nd := &gnode{name: name, labels: nl, free: map[string]int64{"cpu": cpu}}
			if g.chance(0.5) {
				gpu := int64(pick(g, 2, 4))
				alloc["example.com/gpu"] = strconv.FormatInt(gpu, 10)
				nd.free["example.com/gpu"] = gpu
			}
			spec := obj{}
			if g.chance(0.1) {
				spec["taints"] = []any{obj{"key": "maint", "value": "true", "effect": pick(g, "NoSchedule", "NoExecute", "PreferNoSchedule")}}
				nd.tainted = true
			}
			if g.chance(0.04) {
				spec["unschedulable"] = true
				nd.tainted = true
			}
			st := obj{"allocatable": alloc, "capacity": alloc}
			if g.chance(0.04) {
				st["conditions"] = []any{obj{"type": "Ready", "status": "False"}}
				nd.tainted = true
			}
			nd.object = g.add(obj{"apiVersion": "v1", "kind": "Node", "metadata": obj{"name": name, "labels": l}, "spec": spec, "status": st})
			g.nodes = append(g.nodes, nd)
			return
		}
		for i := 0; i < fan[level]; i++ {
			m := map[string]string{}
			for k, v := range labels {
				m[k] = v
			}
			v := fmt.Sprintf("%s%c%d", prefix, "brsh"[level], i+1)
			if g.lvls[level] != "kubernetes.io/hostname" {
				m[g.lvls[level]] = v
			}
			rec(level+1, v, m)
		}
	}
	rec(0, "", map[string]string{})
}

func (g *gen) topologyRequest(multi bool) func(ps obj, i int) {
	group := ""
	if multi && g.chance(0.5) {
		group = "grp"
	}
	mode := g.IntN(10)
	lvl := pick(g, g.lvls...)
	return func(ps obj, i int) {
		tr := obj{}
		switch {
		case mode < 4:
			tr["required"] = lvl
		case mode < 8:
			tr["preferred"] = lvl
		case mode < 9 && group == "":
			tr["unconstrained"] = true
		default:
			if group == "" {
				return // implicit
			}
			tr["required"] = lvl
		}
		if group != "" {
			tr["podSetGroupName"] = group
		} else if g.chance(0.3) && ps["count"].(int) > 1 && tr["unconstrained"] == nil {
			cnt := ps["count"].(int)
			var sizes []int
			for s := 1; s <= cnt; s++ {
				if cnt%s == 0 {
					sizes = append(sizes, s)
				}
			}
			from := 0
			for j, l := range g.lvls {
				if l == lvl {
					from = j
				}
			}
			tr["podSetSliceRequiredTopology"] = g.lvls[from+g.IntN(len(g.lvls)-from)]
			tr["podSetSliceSize"] = pick(g, sizes...)
		}
		ps["topologyRequest"] = tr
	}
}

// runTAS places a running workload on random nodes.
func (g *gen) runTAS(q *gcq, prio int) {
	cnt := pick(g, 1, 1, 2, 2, 3, 4)
	per := pick(g, int64(1), 1, 2)
	if g.room(q, "tas|cpu", true) < per*int64(cnt) {
		return
	}
	counts := map[*gnode]int32{}
	left := cnt
	start := g.IntN(len(g.nodes))
	for i := 0; i < len(g.nodes) && left > 0; i++ {
		n := g.nodes[(start+i)%len(g.nodes)]
		if n.tainted {
			continue
		}
		for left > 0 && n.free["cpu"] >= per {
			n.free["cpu"] -= per
			counts[n]++
			left--
			if g.chance(0.4) {
				break
			}
		}
	}
	if left > 0 {
		for n, c := range counts {
			n.free["cpu"] += per * int64(c)
		}
		return
	}
	levels := g.lvls
	if levels[len(levels)-1] == "kubernetes.io/hostname" {
		levels = levels[len(levels)-1:]
	}
	sum := map[string]int32{}
	vals := map[string][]string{}
	var order []string
	for _, n := range g.nodes {
		if counts[n] == 0 {
			continue
		}
		var v []string
		for _, l := range levels {
			v = append(v, n.labels[l])
		}
		k := strings.Join(v, ",")
		if sum[k] == 0 {
			order = append(order, k)
			vals[k] = v
		}
		sum[k] += counts[n]
	}
	ta := &utiltas.TopologyAssignment{Levels: levels}
	for _, k := range order {
		ta.Domains = append(ta.Domains, utiltas.TopologyDomainAssignment{Values: vals[k], Count: sum[k]})
	}
	g.use(q, "tas|cpu", per*int64(cnt))
	ps := obj{"name": "main", "count": cnt, "topologyRequest": obj{"preferred": g.lvls[0]},
		"template": obj{"spec": obj{"containers": []any{container("c", obj{"cpu": qty("cpu", per)})}}}}
	w := g.workload(g.name("r"), pick(g, q.lqs...), prio, []any{ps})
	ts := epoch.Add(time.Duration(g.t+1) * time.Second).Format(time.RFC3339)
	w["status"] = obj{
		"admission": obj{"clusterQueue": q.name, "podSetAssignments": []any{obj{"name": "main", "count": cnt, "flavors": obj{"cpu": "tas"},
			"resourceUsage": obj{"cpu": qty("cpu", per*int64(cnt))}, "topologyAssignment": utiltas.V1Beta2From(ta, utiltas.WithLogger(logr.Discard()))}}},
		"conditions": []any{
			obj{"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "message": "Quota reserved in ClusterQueue " + q.name, "lastTransitionTime": ts},
			obj{"type": "Admitted", "status": "True", "reason": "Admitted", "message": "The workload is admitted", "lastTransitionTime": ts},
		},
	}
	g.add(w)
	g.record(w, q, true)
}

func (g *gen) tasProfile(preempt bool) {
	g.topology()
	spec := obj{"nodeLabels": obj{"pool": "tas"}, "topologyName": "topo"}
	if g.chance(0.15) {
		spec["tolerations"] = []any{obj{"key": "maint", "operator": "Exists"}}
	}
	g.add(object("ResourceFlavor", "tas", spec))
	res := []string{"cpu"}
	if g.chance(0.3) {
		res = append(res, "example.com/gpu")
	}
	var total int64
	for _, n := range g.nodes {
		total += n.free["cpu"]
	}
	nq := 1
	co := ""
	if preempt || g.chance(0.3) {
		nq = 1 + g.IntN(3)
		co = "R"
		g.tree["R"] = &gcohort{name: "R"}
	}
	share := max(1, total/int64(nq))
	for i := 0; i < nq; i++ {
		q := g.clusterQueue(string(rune('a'+i)), [][]string{{"tas"}}, [][]string{res}, cqShape{cohort: co, strict: 0.15, noPreempt: 0.1,
			quota: []int64{share, share, 2 * share, max(1, share/2), 100}})
		q.tas = true
		if preempt {
			q.spec["preemption"] = obj{"withinClusterQueue": pick(g, "LowerPriority", "LowerPriority", "LowerOrNewerEqualPriority"), "reclaimWithinCohort": pick(g, "Any", "LowerPriority", "Never")}
		}
	}
	g.sumTree()
	occupied := g.IntN(4)
	if preempt {
		occupied = 3 + g.IntN(2*len(g.nodes)/3+3)
	}
	for i := 0; i < occupied; i++ {
		g.runTAS(pick(g, g.cqs...), pick(g, 0, 0, -5, 5, 10))
	}
	for i, n := 0, g.IntN(4); i < n; i++ {
		nd := pick(g, g.nodes...)
		g.add(obj{"apiVersion": "v1", "kind": "Pod", "metadata": obj{"name": fmt.Sprintf("p%d", i), "namespace": "default"},
			"spec": obj{"nodeName": nd.name, "containers": []any{container("c", obj{"cpu": pick(g, "500m", "1", "2")})}}, "status": obj{"phase": "Running"}})
	}
	for _, q := range g.cqs {
		for i, n := 0, 1+g.IntN(3); i < n; i++ {
			multi := g.chance(0.25)
			sh := wlShape{amounts: []int64{1, 1, 2, 2, 4}, counts: []int{1, 2, 2, 3, 4, 6, 8}, podSets: 1, topology: g.topologyRequest(multi)}
			pss, _ := g.podSets(q, sh)
			if multi {
				more, _ := g.podSets(q, sh)
				pss[0].(obj)["name"] = "leader"
				more[0].(obj)["name"] = "workers"
				pss = append(pss, more...)
				if tr, _ := pss[0].(obj)["topologyRequest"].(obj); tr != nil && tr["podSetGroupName"] != nil {
					pss[0].(obj)["count"] = 1
				}
			}
			for _, p := range pss {
				sp := p.(obj)["template"].(obj)["spec"].(obj)
				if g.chance(0.12) {
					sp["nodeSelector"] = obj{"disk": pick(g, "ssd", "hdd")}
				}
				if g.chance(0.15) {
					sp["tolerations"] = []any{obj{"key": "maint", "operator": "Exists"}}
				}
			}
			prio := pick(g, priorities...)
			if preempt && g.chance(0.7) {
				prio = pick(g, 10, 100)
			}
			w := g.workload(g.name("w"), pick(g, q.lqs...), prio, pss)
			g.add(w)
			g.record(w, q, false)
		}
	}
}

// nodesProfile lets nodes fail, be tainted, come back and be added while workloads run on them.
func (g *gen) nodesProfile() {
	g.tasProfile(g.chance(0.6))
	for i, n := 0, 1+g.IntN(4); i < n; i++ {
		nd := pick(g, g.nodes...)
		change := func(spec, status obj) obj {
			c := obj{"apiVersion": "v1", "kind": "Node", "metadata": nd.object["metadata"], "spec": obj{}, "status": obj{}}
			for _, k := range []string{"spec", "status"} {
				for x, v := range nd.object[k].(obj) {
					c[k].(obj)[x] = v
				}
			}
			for x, v := range spec {
				c["spec"].(obj)[x] = v
			}
			for x, v := range status {
				c["status"].(obj)[x] = v
			}
			nd.object = c
			return obj{"apply": c}
		}
		var s obj
		switch g.IntN(6) {
		case 0, 1:
			if len(g.nodes) > 1 {
				s = obj{"delete": obj{"kind": "Node", "name": nd.name}}
				for j, x := range g.nodes {
					if x == nd {
						g.nodes = append(g.nodes[:j:j], g.nodes[j+1:]...)
						break
					}
				}
			} else {
				s = obj{"at": "+10s"}
			}
		case 2:
			s = change(nil, obj{"conditions": []any{obj{"type": "Ready", "status": "False", "lastTransitionTime": epoch.Format(time.RFC3339)}}})
		case 3:
			s = change(obj{"taints": []any{obj{"key": "maint", "value": "true", "effect": pick(g, "NoSchedule", "NoExecute")}}}, nil)
		case 4:
			s = change(obj{"taints": []any{}, "unschedulable": false}, obj{"conditions": []any{obj{"type": "Ready", "status": "True"}}})
		default:
			if w := g.someWorkload(true); w != nil {
				s = obj{"finish": w.name}
			} else {
				s = obj{"at": "+10s"}
			}
		}
		if g.chance(0.5) {
			s["at"] = pick(g, "+10s", "+40s", "+2m")
		}
		g.steps = append(g.steps, s)
	}
}

var profiles = map[string]func(*gen){
	"flat": (*gen).flat, "cohort": (*gen).cohort, "tree": (*gen).treeProfile, "fair": (*gen).fair, "afs": (*gen).afs, "partial": (*gen).partial,
	"overlap": (*gen).overlap, "checks": (*gen).checks, "lifecycle": (*gen).lifecycle,
	"tas": func(g *gen) { g.tasProfile(false) }, "tas-preempt": func(g *gen) { g.tasProfile(true) }, "tas-nodes": (*gen).nodesProfile,
}

// gates switches a few gates whose defaults differ between Kueue's versions. It draws from a generator of its own, so
// that a scenario is otherwise the same with and without it.
func (g *gen) gates(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed^0x6a7e5, uint64(i)))
	for _, x := range []struct {
		name string
		v    bool
		p    float64
	}{
		{"RecomputeAssignmentUponPreemptionTargetsOverlap", true, 0.3}, {"UnadmittedWorkloadsObservability", true, 0.2},
		{"FlavorFungibilityPreserveScanProgress", false, 0.1}, {"PrioritizePreemptorWorkloads", true, 0.1},
		{"SchedulingEquivalenceHashing", false, 0.07}, {"FairSharingPrioritizeNonBorrowing", false, 0.07},
		{"FairSharingPreemptWithinNominal", false, 0.05}, {"PrioritySortingWithinCohort", false, 0.05}, {"FlavorFungibility", false, 0.03},
	} {
		if r.Float64() < x.p {
			g.gate(x.name, x.v)
		}
	}
}

func generate(seed uint64, i int, profile string, gates bool) (*Scenario, error) {
	fn := profiles[profile]
	if fn == nil {
		return nil, fmt.Errorf("unknown profile %q (%s)", profile, strings.Join(sortedKeys(profiles), ", "))
	}
	var h uint64 = 1469598103934665603
	for _, b := range []byte(profile) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	g := &gen{Rand: rand.New(rand.NewPCG(seed^h, uint64(i))), opts: obj{}, tree: map[string]*gcohort{}}
	g.sc = &Scenario{Name: fmt.Sprintf("%s-%d-%05d", profile, seed, i), Profile: profile, Now: epoch.Format(time.RFC3339)}
	fn(g)
	if gates {
		g.gates(seed^h, i)
	}
	if len(g.opts) > 0 {
		b, err := json.Marshal(g.opts)
		if err != nil {
			return nil, err
		}
		g.sc.Options = &Options{}
		if err := json.Unmarshal(b, g.sc.Options); err != nil {
			return nil, err
		}
	}
	for _, o := range g.objs {
		b, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		g.sc.Objects = append(g.sc.Objects, b)
	}
	for _, s := range g.steps {
		b, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		g.sc.Steps = append(g.sc.Steps, b)
	}
	return g.sc, nil
}

func cmdGenerate(fs *flag.FlagSet, args []string) error {
	seed := fs.Uint64("seed", 1, "seed; scenario i of a seed and profile is always the same")
	n := fs.Int("n", 100, "number of scenarios per profile")
	first := fs.Int("first", 0, "number of the first scenario")
	gates := fs.Bool("gates", false, "also switch feature gates at random")
	profile := fs.String("profile", "all", "profile, several separated by commas, or all: "+strings.Join(sortedKeys(profiles), ", "))
	_ = fs.Parse(args)
	names := strings.Split(*profile, ",")
	if *profile == "all" {
		names = sortedKeys(profiles)
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, p := range names {
		for i := *first; i < *first+*n; i++ {
			sc, err := generate(*seed, i, p, *gates)
			if err != nil {
				return err
			}
			if err := enc.Encode(sc); err != nil {
				return err
			}
		}
	}
	return nil
}
