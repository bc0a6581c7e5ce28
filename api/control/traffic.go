package control

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store/traffic"
)

// mostBehind limits the number of a Service's Pods whose direct requests are included.
const mostBehind = 1000

type readTraffic struct {
	Namespace string `query:"namespace" doc:"The namespace of the Service or Pod; default is default."`
	Service   string `query:"service" doc:"The Service's name; one of service and pod is required."`
	Pod       string `query:"pod" doc:"The Pod's name."`
	Minutes   int    `query:"minutes" default:"10" minimum:"0" maximum:"15" doc:"How many minutes to look back; default 10, at most 15."`
}

func (s *Server) trafficOperation(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.TrafficPath, OperationID: "readRowlockV1Traffic", Summary: "Count recent requests between Pods",
		Description: "Counts the requests that programs in Pods sent to a Service and its Pods, " +
			"or to and from one Pod. Each request is counted in the minute of cluster time in which it ended. " +
			"Counts are kept for 15 minutes. Probes, port-forwards and proxied requests are not included.",
	}, s.traffic)
}

func (s *Server) traffic(ctx context.Context, in *readTraffic) (v1.Traffic, error) {
	namespace, service, pod := cmp.Or(in.Namespace, metav1.NamespaceDefault), in.Service, in.Pod
	if (service == "") == (pod == "") {
		return v1.Traffic{}, invalid(field.Required(field.NewPath("service"), "either service or pod must be given"))
	}
	about, name := &podkind.Kind.Type, pod
	if service != "" {
		about, name = &servicekind.Kind.Type, service
	}
	if err := s.permit(ctx, "get", about, namespace, name); err != nil {
		return v1.Traffic{}, err
	}
	if err := s.Reader.Fresh(ctx); err != nil {
		return v1.Traffic{}, faultFailure("", err)
	}
	now := s.now()
	of := traffic.Query{Since: now.Add(-time.Duration(in.Minutes) * time.Minute).Truncate(time.Minute)}
	if service != "" {
		of.Service, of.Pods = namespace+"/"+service, s.behind(namespace, service)
	} else {
		of.Pods = []string{namespace + "/" + pod}
		if v := s.Reader.Get(object.Key{Resource: podkind.Kind.Resource(), Namespace: namespace, Name: pod}); v != nil {
			of.By = v.UID
		}
	}
	found, err := s.Deps.Traffic.Read(ctx, of)
	if err != nil {
		return v1.Traffic{}, faultFailure("", err)
	}
	return shownTraffic(found, of.Since, now, func(namespace string) bool {
		return s.permit(ctx, "list", &podkind.Kind.Type, namespace, "") == nil
	}), nil
}

// behind returns the Pods that are endpoints of a Service, as namespace/name.
func (s *Server) behind(namespace, service string) (pods []string) {
	v := s.Reader.Get(object.Key{Resource: core.Endpoints.Resource(), Namespace: namespace, Name: service})
	if v == nil {
		return nil
	}
	for _, subset := range v.Object().(*corev1.Endpoints).Subsets {
		for _, a := range append(subset.Addresses[:len(subset.Addresses):len(subset.Addresses)], subset.NotReadyAddresses...) {
			if a.TargetRef != nil && a.TargetRef.Kind == podkind.Kind.Kind && len(pods) < mostBehind {
				pods = append(pods, a.TargetRef.Namespace+"/"+a.TargetRef.Name)
			}
		}
	}
	return pods
}

// shownTraffic returns the traffic for a user who may list the Pods of some namespaces. Pods and
// Services of other namespaces have no names and are combined into one.
func shownTraffic(t traffic.Traffic, from, to time.Time, mayList func(namespace string) bool) v1.Traffic {
	shown := v1.Traffic{From: from.UTC(), To: to.UTC(), Items: []v1.TrafficItem{}, Minutes: []v1.TrafficMinute{}}
	known := map[string]bool{}
	visible := func(name string) string {
		namespace, _, _ := strings.Cut(name, "/")
		may, asked := known[namespace]
		if !asked {
			may = name == "" || mayList(namespace)
			known[namespace] = may
		}
		if !may {
			return ""
		}
		return name
	}
	var order []traffic.Pair
	sums := map[traffic.Pair]*plan.Counts{}
	for _, p := range t.Pairs {
		key := traffic.Pair{Caller: visible(p.Caller), Service: visible(p.Service), Callee: visible(p.Callee)}
		if sums[key] == nil {
			sums[key], order = &plan.Counts{}, append(order, key)
		}
		sums[key].Add(p.Counts)
	}
	for _, key := range order {
		shown.Items = append(shown.Items, v1.TrafficItem{
			Caller: endOf(key.Caller), Service: endOf(key.Service), Callee: endOf(key.Callee), TrafficCounts: v1.TrafficCounts(*sums[key]),
		})
	}
	for _, m := range t.Minutes {
		shown.Minutes = append(shown.Minutes, v1.TrafficMinute{At: m.At, TrafficCounts: v1.TrafficCounts(m.Counts)})
	}
	return shown
}

// endOf parses namespace/name; nil for "".
func endOf(name string) *v1.TrafficEnd {
	if name == "" {
		return nil
	}
	namespace, name, _ := strings.Cut(name, "/")
	return &v1.TrafficEnd{Namespace: namespace, Name: name}
}
