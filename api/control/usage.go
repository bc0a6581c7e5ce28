package control

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/usage"
)

const (
	// mostMeasurements is how many measurements an answer has at most.
	mostMeasurements = 240
	// mostPodVersions is how many versions of a Pod are read for them, the newest of the period.
	mostPodVersions = 200
)

type readUsage struct {
	Namespace string `query:"namespace" doc:"The namespace of the Pod; default is default."`
	Pod       string `query:"pod" required:"true" doc:"The Pod's name."`
	UID       string `query:"uid" doc:"The Pod's UID, for a Pod that no longer exists; default is the Pod that has the name now."`
	At        int64  `query:"at" minimum:"0" doc:"The revision at which the period ends; default is now."`
	Minutes   int    `query:"minutes" default:"60" minimum:"1" maximum:"1440" doc:"The length of the period in minutes; default 60, at most 1440."`
}

func (s *Server) usageOperation(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.UsagePath, OperationID: "readRowlockV1Usage", Summary: "Get the CPU and memory usage of a Pod",
		Description: "Returns what the metrics API would have served in the last minutes, " +
			"or in the minutes before a revision: up to 240 measurements, at least 15 seconds apart. " +
			"They are computed from the Pod's versions in the log, at most the newest 200.",
	}, s.usage)
}

func (s *Server) usage(ctx context.Context, in *readUsage) (v1.Usage, error) {
	namespace := cmp.Or(in.Namespace, metav1.NamespaceDefault)
	if err := s.permit(ctx, "get", &metrics.PodMetrics.Type, namespace, in.Pod); err != nil {
		return v1.Usage{}, err
	}
	if err := s.permit(ctx, "get", &podkind.Kind.Type, namespace, in.Pod); err != nil {
		return v1.Usage{}, err
	}
	if err := s.Reader.Fresh(ctx); err != nil {
		return v1.Usage{}, logFailure(0, err)
	}
	q := store.LogQuery{
		Resources: []string{podkind.Kind.Resource()}, Namespace: namespace, Name: in.Pod, UID: types.UID(in.UID),
		Newest: true, Limit: mostPodVersions,
	}
	if q.UID == "" {
		v := s.Reader.Get(object.Key{Resource: podkind.Kind.Resource(), Namespace: namespace, Name: in.Pod})
		if v == nil {
			return v1.Usage{}, apierrors.NewNotFound(podkind.Kind.GroupResource(), in.Pod)
		}
		q.UID = v.UID
	}
	to := s.now()
	if in.At > 0 {
		last, err := s.Chronicle.Change(ctx, object.Revision(in.At))
		if err != nil {
			return v1.Usage{}, logFailure(object.Revision(in.At), err)
		}
		to, q.Before = last.At, last.Revision+1
	}
	versions, deleted, err := s.podVersions(ctx, q)
	if err != nil {
		return v1.Usage{}, err
	}
	if !deleted.IsZero() {
		to = deleted
	}
	length := time.Duration(in.Minutes) * time.Minute
	found := v1.Usage{From: to.Add(-length).UTC(), To: to.UTC(), Items: []v1.UsageItem{}, Load: s.hasLoad(namespace, versions)}
	if found.Load {
		return found, nil
	}
	for _, m := range metrics.History(versions, found.From, found.To, stepFor(length)) {
		found.Items = append(found.Items, v1.UsageItem{At: m.At, CPU: cores(m.Usage.Cpu()), Memory: m.Usage.Memory().Value()})
	}
	return found, nil
}

// cores returns the number nearest to a quantity, which is printed with as few digits.
func cores(q *resource.Quantity) float64 { return float64(q.ScaledValue(resource.Nano)) / 1e9 }

// stepFor returns the interval between the measurements of a period: as few whole windows as keep
// their number within mostMeasurements.
func stepFor(length time.Duration) time.Duration {
	const most = mostMeasurements * usage.Window
	return max(1, (length+most-1)/most) * usage.Window
}

// podVersions reads the versions of a Pod that a query asks for, newest first, until they exceed
// mostBodies. It returns them oldest first, and when the Pod was deleted, zero if it was not.
func (s *Server) podVersions(ctx context.Context, q store.LogQuery) (all []*object.Version, deleted time.Time, err error) {
	page, err := s.Chronicle.Log(ctx, q)
	if err != nil {
		return nil, deleted, logFailure(0, err)
	}
	if len(page.Entries) > 0 && page.Entries[0].Verb == object.Deleted {
		deleted = page.Entries[0].At
	}
	size := 0
	for entries := range slices.Chunk(page.Entries, bodyStep) {
		revisions := make([]object.Revision, len(entries))
		for i, e := range entries {
			revisions[i] = e.Revision
		}
		versions, err := s.Chronicle.Bodies(ctx, revisions)
		if err != nil {
			return nil, deleted, logFailure(0, err)
		}
		for _, v := range versions {
			size += v.Size()
		}
		if all = append(all, versions...); size > mostBodies {
			break
		}
	}
	slices.SortFunc(all, func(a, b *object.Version) int { return cmp.Compare(a.Revision, b.Revision) })
	return all, deleted, nil
}

// hasLoad reports whether a load is declared that concerns the Pod with these versions.
func (s *Server) hasLoad(namespace string, versions []*object.Version) (has bool) {
	if len(versions) == 0 {
		return false
	}
	of := versions[len(versions)-1].Object().GetLabels()
	s.Read(func(c kind.Cluster) { has = metrics.Loads(c, namespace, of) })
	return has
}
