package archtest

import "strings"

// layers are the packages from the bottom up: a package may import those of lower layers, and none
// of its own. An entry includes the packages below it, unless these have an entry themselves.
var layers = [][]string{
	{"api/v1"},
	{
		"internal/object", "internal/customresource", "internal/contain", "internal/device", "internal/gate",
		"internal/kind/check", "internal/schedule", "internal/outage", "internal/reconcile/podstate",
		"internal/reconcile/jobstate", "internal/emulator/regex", "internal/emulator/shell/code", "internal/emulator/vfs",
		"internal/emulator/image/pi", "internal/profile", "internal/load", "internal/metric", "internal/fault", "internal/pg",
		"internal/credential", "test/childprocess", "test/bench/floor", "test/stack", "test/scenario/kubectl/untranslated",
		"tools/site", "internal/serviceaccount", "migrations", "web", "cmd/rowlock/exit",
	},
	{"internal/usage", "api/auth", "internal/customresource/definition"},
	{"internal/emulator/utility", "internal/fieldmanager", "internal/kind", "internal/plan", "internal/wakeup", "internal/clock", "internal/pg/server"},
	{
		"internal/emulator/utility/date", "internal/emulator/utility/pattern", "internal/emulator/utility/printf",
		"internal/kind/core/limitrange", "internal/kind/core/pod/security", "internal/kind/core/service",
		"internal/kind/core/volume", "internal/kind/apiextensions", "internal/kind/autoscaling", "internal/kind/certificates",
		"internal/kind/coordination", "internal/kind/discovery", "internal/kind/flowcontrol", "internal/kind/policy",
		"internal/kind/rbac", "internal/kind/review",
	},
	{
		"internal/emulator/utility/awk", "internal/emulator/utility/file", "internal/emulator/utility/script",
		"internal/emulator/utility/sed", "internal/emulator/utility/system", "internal/emulator/utility/text",
		"internal/kind/core/podspec", "internal/kind/networking", "internal/kind/resource", "internal/kind/storage",
	},
	{"internal/emulator/utility/find", "internal/kind/node", "internal/kind/scheduling", "internal/kind/core", "internal/kind/apps", "internal/kind/batch"},
	{"internal/emulator/utility/catalogue", "internal/kind/core/pod"},
	{"internal/emulator/utility/utilitytest", "internal/kind/metrics"},
	{"internal/kind/builtin"},
	{"internal/registry", "internal/definition", "internal/kind/kindtest", "api/kube/openapi/upstream"},
	{
		"internal/emulator/kernel", "internal/reconcile/endpoint", "internal/reconcile/servicecidr",
		"internal/reconcile/netpolicy", "internal/reconcile/podsetup", "internal/reconcile/podtemplate",
		"internal/reconcile/volumestate", "internal/snapshot", "internal/pg/pgtest", "internal/pg/tenancy", "internal/fork",
	},
	{"internal/emulator/shell", "internal/emulator/image/redis", "internal/emulator/image/script", "internal/reconcile/claim", "internal/reconcile/laws", "internal/store", "internal/pg/pgtest/withpg"},
	{
		"internal/emulator/program", "internal/reconcile/replicaset", "internal/reconcile/revision", "internal/store/export",
		"internal/store/leftover", "internal/store/loader", "internal/store/replica", "internal/store/traffic",
	},
	{"internal/emulator/image/application"},
	{"internal/emulator/image"},
	{"internal/emulator/image/imagefile"},
	{"internal/emulator"},
	{
		"internal/reconcile/network", "internal/reconcile/kubelet/action", "internal/reconcile/kubelet/allocation",
		"internal/reconcile/kubelet/backoff", "internal/reconcile/kubelet/form", "internal/reconcile/kubelet/sysctl",
		"internal/reconcile/kubelet/token", "internal/reconcile/kubelet/traffic",
	},
	{"internal/reconcile/kubelet/imagepull", "internal/reconcile/kubelet/memory", "internal/reconcile/kubelet/namefile"},
	{"internal/reconcile/kubelet/need", "internal/reconcile/kubelet/nodefile"},
	{"internal/reconcile", "internal/mirror", "test/model"},
	{"internal/injector", "internal/reconcile/kubelet/podtest", "internal/chronicle", "internal/rbac", "api/kube/wire"},
	{"internal/engine", "internal/podlog", "internal/podclient", "internal/visit", "test/history", "internal/archive", "api/kube/openapi", "api/kube/render", "api/kube/route"},
	{"internal/controller/names", "internal/controller/world"},
	{"internal/controller/gather"},
	{"internal/controller/workload", "internal/controller/node", "internal/controller/storage", "internal/controller/network", "internal/controller/auth", "internal/controller/apimachinery"},
	{"internal/controller", "api/kube/access", "api/kube/collection", "api/kube/connect"},
	{"api/kube/usermetric", "api/kube/watching"},
	{"api/kube/discovery"},
	{"api/kube", "api/kube/openapi/etags", "internal/preview", "internal/engine/enginetest", "internal/store/storetest"},
	{"api/control"},
	{"api"},
	{"api/apitest", "internal/cluster", "cmd/rowlock/client", "test/basebackup", "test/bench", "test/exercise", "tools/release", "tools/systems", "test/conformance/report", "test/archtest", "test/e2e"},
	{"internal/cluster/clustertest", "rowlocktest", "cmd/rowlock", "test/scenario", "test/ledger", "test/chaos", "test/soak", "test/campaign", "test/clients"},
	{"test/conformance"},
}

// layerOf returns the layer of a package and the entry that places it there; -1 for a package
// without a place.
func layerOf(dir string) (layer int, entry string) {
	layer = -1
	for i, entries := range layers {
		for _, e := range entries {
			if within(dir, e) && len(e) > len(entry) {
				layer, entry = i, e
			}
		}
	}
	return layer, entry
}

// within reports whether a directory is another or below it.
func within(dir, parent string) bool { return dir == parent || strings.HasPrefix(dir, parent+"/") }
