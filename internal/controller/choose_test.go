package controller_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// always are the controllers that do what an API server does by itself, and those without which
// faults would not happen.
var always = []string{names.CustomResourceCleanup, names.CustomResourceDefinition, names.EventExpiry, names.Fault, names.FlowControl, names.IPAddress, names.KubernetesService}

func TestOff(t *testing.T) {
	t.Parallel()
	var all, others []string
	for _, c := range controller.Controllers(world.World{Kinds: builtin.Catalogue()}) {
		if all = append(all, c.Name); !slices.Contains(always, c.Name) {
			others = append(others, c.Name)
		}
	}
	but := func(on ...string) []string {
		return slices.DeleteFunc(slices.Clone(others), func(name string) bool { return slices.Contains(on, name) })
	}
	for _, test := range []struct {
		name   string
		chosen []string
		off    []string
	}{
		{"nothing said", nil, nil},
		{"none", []string{}, but()},
		{"all", []string{"*"}, nil},
		{"one", []string{"job-controller"}, but(names.Job, names.JobPod)},
		{"by older names", []string{"gc", "namespace", "job"}, but(names.GarbageCollector, names.Namespace, names.Job, names.JobPod)},
		{"all but one", []string{"*", "-disruption"}, []string{names.Disruption, names.StaleDisruption}},
		{"all but one, the other way round", []string{"-cronjob-controller", "*"}, []string{names.CronJob}},
		{"the first entry about a name decides", []string{"*", "job", "-job-controller"}, nil},
		{"a refused name of two", []string{"*", "-persistentvolume-binder"}, []string{names.PersistentVolume, names.PersistentVolumeClaim, names.VolumeClass}},
		{"a chosen name outweighs", []string{"*", "-endpoint", "endpointslice"}, nil},
		{"the scheduler", []string{"*", "-kube-scheduler"}, []string{names.Scheduler}},
		{"one that is not there", []string{"*", "-ttl-controller"}, nil},
	} {
		got, err := controller.Off(test.chosen)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		slices.Sort(test.off)
		if diff := cmp.Diff(test.off, slices.Sorted(maps.Keys(got))); diff != "" {
			t.Errorf("%s: off (-want +got):\n%s", test.name, diff)
		}
	}
	if slices.Sort(all); len(slices.Compact(all)) != len(others)+len(always) {
		t.Errorf("some of %v is not a controller", always)
	}
}

func TestOff_RefusesUnknownNames(t *testing.T) {
	t.Parallel()
	for _, chosen := range [][]string{{"*", "-jobs"}, {"jobs"}} {
		_, err := controller.Off(chosen)
		if err == nil || !strings.HasPrefix(err.Error(), `"jobs" is not in the list of known controllers: bootstrap-signer-controller, `) {
			t.Errorf("%v: %v", chosen, err)
		}
	}
}
