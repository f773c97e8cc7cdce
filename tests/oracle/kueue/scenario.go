package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	autoscaling "k8s.io/autoscaler/cluster-autoscaler/apis/provisioningrequest/autoscaling.x-k8s.io/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueuev1beta1 "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/webhooks"
)

// Scenario is one input line.
type Scenario struct {
	Name      string            `json:"name"`
	Rule      string            `json:"rule,omitempty"`
	Profile   string            `json:"profile,omitempty"`
	Now       string            `json:"now,omitempty"`
	Options   *Options          `json:"options,omitempty"`
	MaxCycles int               `json:"maxCycles,omitempty"`
	Objects   []json.RawMessage `json:"objects"`
	Steps     []json.RawMessage `json:"steps,omitempty"`
	Expect    json.RawMessage   `json:"expect,omitempty"`
	Source    string            `json:"source,omitempty"`

	forceJobs bool // the job integrations run although no object needs them
}

// Options is the part of Kueue's Configuration that decides, plus what the oracle itself emulates.
type Options struct {
	FeatureGates         map[string]bool `json:"featureGates,omitempty"`
	FairSharing          json.RawMessage `json:"fairSharing,omitempty"`
	AdmissionFairSharing json.RawMessage `json:"admissionFairSharing,omitempty"`
	WaitForPodsReady     json.RawMessage `json:"waitForPodsReady,omitempty"`
	Resources            json.RawMessage `json:"resources,omitempty"`
	Emulation            *Emulation      `json:"emulation,omitempty"`
}

// Emulation switches off what happens around the scheduler.
type Emulation struct {
	// StopEvicted: an evicted workload loses its reservation before the next cycle (default true).
	StopEvicted *bool `json:"stopEvicted,omitempty"`
	// WorkloadEvents: the controllers see the scheduler's writes to workloads (default true).
	WorkloadEvents *bool `json:"workloadEvents,omitempty"`
	// CyclePeriod is how far the clock moves after each cycle (default 1s).
	CyclePeriod string `json:"cyclePeriod,omitempty"`
}

var scheme = runtime.NewScheme()
var mapper *meta.DefaultRESTMapper

func init() {
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(kueue.AddToScheme(scheme))
	utilruntime.Must(kueuev1beta1.AddToScheme(scheme))
	utilruntime.Must(configapi.AddToScheme(scheme))
	utilruntime.Must(autoscaling.AddToScheme(scheme))
	utilruntime.Must(registerJobKinds(scheme))
	mapper = meta.NewDefaultRESTMapper(nil)
	cluster := map[string]bool{"ClusterQueue": true, "Cohort": true, "ResourceFlavor": true, "AdmissionCheck": true, "Topology": true,
		"WorkloadPriorityClass": true, "ProvisioningRequestConfig": true, "Node": true, "Namespace": true, "PriorityClass": true,
		"RuntimeClass": true, "ClusterTrainingRuntime": true, "MultiKueueConfig": true, "MultiKueueCluster": true}
	for gvk := range scheme.AllKnownTypes() {
		if gvk.Group == "kueue.x-k8s.io" && gvk.Version != "v1beta2" {
			continue
		}
		var scope meta.RESTScope = meta.RESTScopeNamespace
		if cluster[gvk.Kind] {
			scope = meta.RESTScopeRoot
		}
		mapper.Add(gvk, scope)
	}
}

// readScenarios calls fn for every scenario of the files (or of stdin when there is none).
func readScenarios(files []string, fn func(*Scenario, error)) error {
	if len(files) == 0 {
		return readStream(os.Stdin, "stdin", fn)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		switch {
		case strings.HasSuffix(f, ".yaml"), strings.HasSuffix(f, ".yml"):
			js, err := yaml.YAMLToJSON(data)
			if err != nil {
				return fmt.Errorf("%s: %w", f, err)
			}
			sc, err := parseScenario(js)
			fn(sc, err)
		case strings.HasSuffix(f, ".json"):
			trimmed := bytes.TrimSpace(data)
			if len(trimmed) > 0 && trimmed[0] == '[' {
				var list []json.RawMessage
				if err := json.Unmarshal(trimmed, &list); err != nil {
					return fmt.Errorf("%s: %w", f, err)
				}
				for _, raw := range list {
					sc, err := parseScenario(raw)
					fn(sc, err)
				}
				continue
			}
			sc, err := parseScenario(trimmed)
			fn(sc, err)
		default:
			if err := readStream(bytes.NewReader(data), f, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

func readStream(r io.Reader, name string, fn func(*Scenario, error)) error {
	br := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := br.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			sc, perr := parseScenario(line)
			fn(sc, perr)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

func parseScenario(data []byte) (*Scenario, error) {
	sc := &Scenario{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(sc); err != nil {
		var name struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(data, &name)
		return &Scenario{Name: name.Name}, fmt.Errorf("scenario: %w", err)
	}
	return sc, nil
}

// decodeObject turns JSON into the stored (v1beta2) type: strict decoding, conversion, defaulting, validation.
// hasStatus says whether the JSON names a status.
func decodeObject(raw json.RawMessage) (obj client.Object, hasStatus bool, err error) {
	var head struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Status json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, false, err
	}
	hasStatus = len(head.Status) > 0
	gvk := schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	id := fmt.Sprintf("%s %s", head.Kind, head.Metadata.Name)
	target := gvk
	if gvk.Group == "kueue.x-k8s.io" {
		target.Version = "v1beta2"
	}
	out, err := scheme.New(target)
	if err != nil {
		return nil, false, fmt.Errorf("%s: unknown kind %s", id, gvk)
	}
	in := out
	if gvk != target {
		if in, err = scheme.New(gvk); err != nil {
			return nil, false, fmt.Errorf("%s: unknown kind %s", id, gvk)
		}
		if _, ok := in.(conversion.Convertible); !ok {
			in = out // the two versions have the same fields
		}
	}
	if target.Kind == "Workload" {
		if raw, err = defaultCounts(raw); err != nil {
			return nil, false, fmt.Errorf("%s: %w", id, err)
		}
	}
	strict, err := kjson.UnmarshalStrict(raw, in)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", id, err)
	}
	if len(strict) > 0 {
		return nil, false, fmt.Errorf("%s: %w", id, strict[0])
	}
	if in != out {
		if err := in.(conversion.Convertible).ConvertTo(out.(conversion.Hub)); err != nil {
			return nil, false, fmt.Errorf("%s: conversion: %w", id, err)
		}
	}
	obj = out.(client.Object)
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if obj.GetName() == "" {
		return nil, false, fmt.Errorf("%s without a name", head.Kind)
	}
	if err := setDefaults(obj); err != nil {
		return nil, false, fmt.Errorf("%s: %w", id, err)
	}
	return obj, hasStatus, nil
}

// defaultCounts sets the schema default of podSets[].count, which the Go type cannot tell from a given 0.
func defaultCounts(raw json.RawMessage) (json.RawMessage, error) {
	var w map[string]json.RawMessage
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	var spec map[string]json.RawMessage
	if err := json.Unmarshal(w["spec"], &spec); err != nil {
		return raw, nil
	}
	var ps []map[string]json.RawMessage
	if err := json.Unmarshal(spec["podSets"], &ps); err != nil {
		return raw, nil
	}
	changed := false
	for i := range ps {
		if _, ok := ps[i]["count"]; !ok && ps[i] != nil {
			ps[i]["count"] = json.RawMessage("1")
			changed = true
		}
	}
	if !changed {
		return raw, nil
	}
	var err error
	if spec["podSets"], err = json.Marshal(ps); err != nil {
		return nil, err
	}
	if w["spec"], err = json.Marshal(spec); err != nil {
		return nil, err
	}
	return json.Marshal(w)
}

func orElse[T any](p **T, v T) {
	if *p == nil {
		*p = &v
	}
}

// setDefaults applies the schema defaults of the CRDs and Kueue's defaulting webhooks.
func setDefaults(obj client.Object) error {
	ctx := context.Background()
	switch o := obj.(type) {
	case *kueue.ClusterQueue:
		if o.Spec.QueueingStrategy == "" {
			o.Spec.QueueingStrategy = kueue.BestEffortFIFO
		}
		orElse(&o.Spec.StopPolicy, kueue.None)
		orElse(&o.Spec.FlavorFungibility, kueue.FlavorFungibility{})
		if o.Spec.FlavorFungibility.WhenCanBorrow == "" {
			o.Spec.FlavorFungibility.WhenCanBorrow = kueue.MayStopSearch
		}
		if o.Spec.FlavorFungibility.WhenCanPreempt == "" {
			o.Spec.FlavorFungibility.WhenCanPreempt = kueue.TryNextFlavor
		}
		orElse(&o.Spec.Preemption, kueue.ClusterQueuePreemption{})
		if o.Spec.Preemption.ReclaimWithinCohort == "" {
			o.Spec.Preemption.ReclaimWithinCohort = kueue.PreemptionPolicyNever
		}
		if o.Spec.Preemption.WithinClusterQueue == "" {
			o.Spec.Preemption.WithinClusterQueue = kueue.PreemptionPolicyNever
		}
		orElse(&o.Spec.Preemption.BorrowWithinCohort, kueue.BorrowWithinCohort{})
		if o.Spec.Preemption.BorrowWithinCohort.Policy == "" {
			o.Spec.Preemption.BorrowWithinCohort.Policy = kueue.BorrowWithinCohortPolicyNever
		}
		defaultWeight(o.Spec.FairSharing)
		return (&webhooks.ClusterQueueWebhook{}).Default(ctx, o)
	case *kueue.Cohort:
		defaultWeight(o.Spec.FairSharing)
	case *kueue.LocalQueue:
		orElse(&o.Spec.StopPolicy, kueue.None)
		defaultWeight(o.Spec.FairSharing)
		namespaceDefault(o)
	case *kueue.Workload:
		namespaceDefault(o)
		orElse(&o.Spec.Active, true)
		for i := range o.Spec.PodSets {
			ps := &o.Spec.PodSets[i]
			if ps.Name == "" {
				ps.Name = kueue.DefaultPodSetName
			}
		}
		if o.Status.Admission != nil {
			for i := range o.Status.Admission.PodSetAssignments {
				if a := &o.Status.Admission.PodSetAssignments[i]; a.Name == "" {
					a.Name = kueue.DefaultPodSetName
				}
			}
		}
		for i := range o.Status.Conditions {
			if c := &o.Status.Conditions[i]; c.LastTransitionTime.IsZero() {
				c.LastTransitionTime = metav1.NewTime(time.Now())
			}
		}
		return (&webhooks.WorkloadWebhook{}).Default(ctx, o)
	case *kueue.ResourceFlavor:
		return (&webhooks.ResourceFlavorWebhook{}).Default(ctx, o)
	case *kueue.AdmissionCheck:
		// The controller of a check reports it active; only Kueue's own provisioning controller runs here.
		if len(o.Status.Conditions) == 0 && o.Spec.ControllerName != kueue.ProvisioningRequestControllerName {
			o.Status.Conditions = []metav1.Condition{{Type: kueue.AdmissionCheckActive, Status: metav1.ConditionTrue,
				Reason: "Active", Message: "The admission check is active", LastTransitionTime: metav1.NewTime(time.Now())}}
		}
	case *kueue.ProvisioningRequestConfig:
		orElse(&o.Spec.RetryStrategy, kueue.ProvisioningRequestRetryStrategy{})
		orElse(&o.Spec.RetryStrategy.BackoffLimitCount, int32(3))
		orElse(&o.Spec.RetryStrategy.BackoffBaseSeconds, int32(60))
		orElse(&o.Spec.RetryStrategy.BackoffMaxSeconds, int32(1800))
	case *corev1.Node:
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		if len(o.Status.Conditions) == 0 {
			o.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		}
		if o.Status.Allocatable == nil {
			o.Status.Allocatable = o.Status.Capacity
		}
	case *corev1.Pod:
		namespaceDefault(o)
		if o.Status.Phase == "" {
			o.Status.Phase = corev1.PodRunning
		}
	case *corev1.LimitRange:
		namespaceDefault(o)
	case *corev1.Namespace:
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		o.Labels[corev1.LabelMetadataName] = o.Name
	}
	return nil
}

func namespaceDefault(o client.Object) {
	if o.GetNamespace() == "" {
		o.SetNamespace("default")
	}
}

func defaultWeight(fs *kueue.FairSharing) {
	if fs != nil && fs.Weight == nil {
		one := resource.MustParse("1")
		fs.Weight = &one
	}
}

// validate runs Kueue's validating webhooks.
func validate(obj, old client.Object) error {
	ctx := context.Background()
	var err error
	switch o := obj.(type) {
	case *kueue.ClusterQueue:
		if old != nil {
			_, err = (&webhooks.ClusterQueueWebhook{}).ValidateUpdate(ctx, old.(*kueue.ClusterQueue), o)
		} else {
			_, err = (&webhooks.ClusterQueueWebhook{}).ValidateCreate(ctx, o)
		}
	case *kueue.Cohort:
		_, err = (&webhooks.CohortWebhook{}).ValidateCreate(ctx, o)
	case *kueue.ResourceFlavor:
		_, err = (&webhooks.ResourceFlavorWebhook{}).ValidateCreate(ctx, o)
	case *kueue.Workload:
		if old != nil {
			_, err = (&webhooks.WorkloadWebhook{}).ValidateUpdate(ctx, old.(*kueue.Workload), o)
		} else {
			_, err = (&webhooks.WorkloadWebhook{}).ValidateCreate(ctx, o)
		}
	}
	if err != nil {
		return fmt.Errorf("%T %s: %w", obj, obj.GetName(), err)
	}
	return nil
}
