package cluster

import (
	"context"
	"math"
	mathrand "math/rand/v2"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/internal/archive"
	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/apimachinery"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/network"
	"github.com/rowlock/rowlock/internal/controller/node"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/podclient"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/rbac"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/export"
	"github.com/rowlock/rowlock/internal/store/faultcount"
	"github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/store/traffic"
	"github.com/rowlock/rowlock/internal/visit"
	"github.com/rowlock/rowlock/web"
)

// wire makes the parts: the store, which reports its commits; the mirror, with its observers; the
// workers.
func (r *Cluster) wire(c Config) parts {
	definitions := definition.New(builtin.Catalogue())
	kinds, nodes, expiry, faults, quotas := definitions.Kinds(), world.NewNodes(), world.NewExpiry(), injector.New(), &apimachinery.Quotas{}
	p := parts{
		Cluster: r, hints: replica.NewHints(r.pool, c.Log), registry: prometheus.NewRegistry(),
		images: emulator.NewCatalogue(c.Images...), faults: faults, tokenKeys: r.newTokenKeys(), definitions: definitions,
	}
	routes := controller.NewRouterWithout(c.off)
	p.visits = &visit.Source{Kubelet: names.Kubelet}
	tokens, tally, addresses := world.NewTokens(), world.NewTally(), world.NewAddresses(r.pool)
	observers := []mirror.Observer{definitions, nodes, expiry, tally, addresses, faults, quotas, tokens, podsGone{p.visits}}
	p.authorizer = auth.AllowAll
	if c.login && !c.AlwaysAllow {
		index := &rbac.Index{}
		p.authorizer, observers = index, append(observers, index)
	}
	config := store.Config{Retention: c.Retention, Quotas: quotas, Replica: p.hints.Replica(), Audible: p.audible}
	if c.Stepped {
		config.VacuumEvery = math.MaxInt64
	}
	objects := store.New(r.pool, kinds, routes, config, p.committed, c.Log)
	r.mirror = mirror.New(objects, mirror.Config{Indexes: mirror.Indexes(), Observers: observers}, c.Log)
	quotas.Connect(r.mirror)
	r.following.Store(r.mirror)
	p.registerMetrics(objects)
	p.Deps = engine.Deps{
		Pool: r.pool, Store: objects, Mirror: r.mirror, Clock: r.clock, Driver: clock.NewDriver(r.clock, c.Log), Kinds: kinds,
		Turns: engine.NewTurns(max(2, runtime.GOMAXPROCS(0)), int(c.connections())),
		Draw:  c.Draw, ManagerOf: controller.ManagerOf, Recorder: engine.NewRecorder(uint16(mathrand.Uint32())),
		Metrics: engine.NewMetrics(p.registry), MostObjects: c.MostObjects, PodSecurity: c.PodSecurity, Log: c.Log,
	}
	p.world = world.World{
		Kinds: kinds, Images: p.images, Nodes: nodes, Expiry: expiry, Tally: tally, Faults: faults, Addresses: addresses, CABundle: c.CABundle,
		Authority: c.authority, Allowed: func(spec authorizationv1.SubjectAccessReviewSpec) bool {
			return access.Allowed(p.authorizer, spec)
		},
		JobBackoffCap: c.JobBackoffCap, StartLateCronJobs: c.StartLateCronJobs, Off: c.off,
		Real: time.Now, Sign: p.tokenKeys.TrySign, Tokens: tokens,
	}
	if c.Authenticator != nil { // then it knows clients by the certificates that it has signed
		p.world.ClientCA = c.authority.PEM()
	}
	p.controllers = controller.Controllers(p.world)
	for _, c := range p.controllers {
		r.workers = append(r.workers, engine.New(p.Deps, c))
	}
	r.clock.Observe(p.clockChanged)
	p.archive = &archive.Archive{
		Pool: r.pool, Exporter: export.New(objects, r.pool), Rules: snapshotRules(kinds, p.images, p.controllers),
		Routes: routes, Server: discovery.ServerVersion.GitVersion,
		Loaded: p.loaded, Log: c.Log,
	}
	p.connectVisits()
	p.podclients = podclient.New(objects, r.clock.Until, c.CABundle, c.Log)
	p.podclients.Presences = p.hints.Presences
	r.podclients, p.visits.Missing = p.podclients, p.podclients.Wake
	faults.Connect(injector.Deps{
		Store: objects, Counts: faultcount.New(r.pool), Mirror: r.mirror, Now: r.clock.Now, NewUID: c.Draw.UID,
		Suffix: c.Draw.Suffix, Log: c.Log,
	})
	return p
}

// compact keeps the log within its bounds.
func (p parts) compact(ctx context.Context) error { return p.Store.RunCompaction(ctx, p.clock.Now) }

// handler returns the API over the parts.
func (p parts) handler(c Config) http.Handler {
	d := api.Deps{
		Kube: kube.Deps{
			Catalogue: p.Kinds, Past: p.kindsAt, Reader: kube.Mirror(p.mirror),
			Writer: node.ClientWrites{Store: p.Store, Mirror: p.mirror}, Logs: connect.PodLogs(p.logs()),
			Inside: inside{p, make(chan struct{}, maxVisits)}, Sessions: p.visits,
			Now: p.clock.Now, Gates: c.Gates, WithoutAdmission: c.WithoutAdmission, PodSecurity: c.PodSecurity,
			NewUID: c.Draw.UID, NameSuffix: c.Draw.Suffix, Jitter: mathrand.Float64,
			Holder: p.holder, Read: p.read, Judge: p.Store.Judge, Log: c.Log,
			Room: func() error { return registry.CheckRoom(p.mirror.Objects(), c.MostObjects) },
		},
		Faults: p.faults,
		Ready:  p.mirror.Ready, Working: p.working, Metrics: promhttp.HandlerFor(p.registry, promhttp.HandlerOpts{}), Measures: p.registry,
		LoopbackGuard: c.LoopbackGuard, Authorizer: p.authorizer, Fresh: p.mirror.Fresh, Log: c.Log,
	}
	d.Kube.Login = p.login(c)
	if c.Authenticator != nil {
		d.Authenticator = d.Kube.Login
	}
	operations := control.Deps{
		Clock: p.clock, Stalled: p.stalled, Faults: p.faults, Reader: kube.Mirror(p.mirror), Writer: p.Store,
		NewUID: c.Draw.UID, Catalogue: p.Kinds, Status: api.Status, Snapshots: p.archive,
		Chronicle: chronicle.New(p.Store, p.mirror), Authorizer: p.authorizer, Traffic: traffic.New(p.Pool), Read: p.read,
	}
	operations.Previews = &preview.Source{Mirror: p.mirror, Kinds: p.Kinds, Now: p.clock.Now, Memory: p.Store.Memory, JobBackoffCap: c.JobBackoffCap}
	if p.forks != nil {
		d.Forks, operations.Forks = p.forks, p.forks
		d.Dashboard = web.Handler() // the forks' too
	}
	d.Control = control.New(operations).Register
	return api.New(d)
}

// login returns the configured authenticator, which also knows the certificates and tokens that the
// cluster has signed. Without a login, it knows only those.
func (p parts) login(c Config) *auth.Authenticator {
	var a auth.Authenticator
	if c.Authenticator != nil {
		a = *c.Authenticator
	}
	a.Issued, a.Now, a.Accounts = c.authority.Certificate, p.clock.Now, p.accounts()
	return &a
}

// holder returns the uid of the object that holds an address or a port; "" for none. A manually
// created IPAddress that does not belong to a Service holds its address.
func (p parts) holder(key string) (uid types.UID) {
	p.mirror.Read(func(v mirror.View) {
		if found := v.Find(mirror.Reserved, key); len(found) > 0 {
			uid = found[0].UID
		} else if by := network.HeldByHand(v, key); by != nil {
			uid = by.UID
		}
	})
	return uid
}

// read passes f the mirror as admission sees it.
func (p parts) read(f func(kind.Cluster)) { p.mirror.Read(func(v mirror.View) { f(v) }) }
