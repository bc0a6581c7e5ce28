package main

// bug is a mistake that the judges must notice in a build that has it.
type bug struct {
	name  string
	edits []edit
	kinds []Kind // of faults that it needs; nil for those of ordinary
}

// edit replaces the only occurrence of a text in a file of the module.
type edit struct{ file, is, becomes string }

// ordinary are the kinds of faults for bugs that need no particular ones.
var ordinary = []Kind{KillReplica, StopReplica, PartDatabase, EndSessions, CutClients, CutDatabase}

const (
	applySQL = "migrations/functions/apply.sql"
	wakeSQL  = "migrations/functions/apply_wake.sql"
	watchGo  = "internal/mirror/watch.go"
)

// bugs are mistakes that somebody could make, most of them in the parts that must not have any.
var bugs = []bug{
	{name: "an update is kept whatever version it comes from", edits: []edit{
		{applySQL, "WHEN c.head = c.base THEN 'k'", "WHEN c.head IS NOT NULL THEN 'k'"},
	}},
	{name: "rows are not locked before they are compared", edits: []edit{
		{applySQL, "            FOR NO KEY UPDATE OF o SKIP LOCKED\n        LOOP", "        LOOP"},
	}},
	{name: "a quota admits one too many", edits: []edit{
		{applySQL, "> slot_hard[charge_slot[next_charge]]\n", "> slot_hard[charge_slot[next_charge]] + 1\n"},
	}},
	{name: "what a quota has used is not added up", edits: []edit{
		{"migrations/functions/charge_quotas.sql", "AND u.used <> s.used", "AND u.used > s.used"},
	}},
	{name: "a definition goes before its last object", edits: []edit{
		{"internal/reconcile/customresourcedefinition/cleanup.go", "if s.Left > 0 {", "if s.Left > 1 {"},
	}},
	{name: "a wakeup of what selects a Pod is lost", edits: []edit{
		{"migrations/functions/wake_selecting.sql", "c.labels @> s.match\n", "c.labels @> s.match AND _last % 5 <> 0\n"},
	}},
	{name: "a wakeup is lost", edits: []edit{
		{wakeSQL, "WHERE w.uid IS NOT NULL AND _rev[w.i] IS NOT NULL", "WHERE w.uid IS NOT NULL AND _rev[w.i] % 20 <> 0"},
	}},
	{name: "the collector misses the dependents of what is deleted", edits: []edit{
		{"migrations/functions/apply_write.sql", "WHERE d.verb = 'd' AND d.rev IS NOT NULL AND NOT", "WHERE false AND NOT"},
	}},
	{name: "a plan that met another change is not made anew", edits: []edit{
		{"migrations/functions/apply_again.sql", "IF _retry THEN", "IF false THEN"},
	}},
	{name: "a watch leaves an event out", edits: []edit{
		{watchGo, "e.New.Revision > w.delivered {", "e.New.Revision > w.delivered && e.New.Revision%101 != 0 {"},
	}},
	{name: "a watch sends an event twice", edits: []edit{
		{watchGo, "w.queue = append(w.queue, e)", "w.queue = append(w.queue, e)\n\t\t\tif e.New.Revision%101 == 0 {\n\t\t\t\tw.queue = append(w.queue, e)\n\t\t\t}"},
	}},
	{name: "a watch resumes too late", edits: []edit{
		{watchGo, "cursor, ok := w.table.window.from(after)", "cursor, ok := w.table.window.from(after + 20)"},
	}},
	{name: "a list does not wait for what was acknowledged", edits: []edit{
		{"internal/mirror/fresh.go", "m.waitFor(ctx, a.revision)", "m.waitFor(ctx, 0)"},
	}},
	{name: "a failover begins no new history", kinds: []Kind{FailOverLossy}, edits: []edit{
		{"internal/store/lineage.go", "case *known == actual:", "case true:"},
	}},
	{name: "a commit is acknowledged before it is on the disk", kinds: []Kind{CrashDatabase, FailOver, FailOverLossy}, edits: []edit{
		{"internal/pg/config.go", `"synchronous_commit":                  "on"`, `"synchronous_commit":                  "off"`},
	}},
	{name: "a StatefulSet does not wait for the Pod before", edits: []edit{
		{"internal/reconcile/statefulset/replica.go", "s.createPod(ordinal)\n\t\treturn true", "s.createPod(ordinal)\n\t\treturn false"},
	}},
	{name: "a Job is complete before its last Pod", edits: []edit{
		{"internal/reconcile/job/manage.go", "complete = s.succeeded >= *wanted", "complete = s.succeeded+1 >= *wanted"},
		{"internal/reconcile/job/manage.go", "case complete && s.running == 0:", "case complete:"},
	}},
	{name: "an eviction does not ask its budget", edits: []edit{
		{"internal/reconcile/disruption/evict.go", "case s.DisruptionsAllowed == 0:", "case false:"},
		{"internal/reconcile/disruption/evict.go", "next.Status.DisruptionsAllowed--", "next.Status.DisruptionsAllowed = 0"},
	}},
	{name: "a rollout may have more Pods than its surge", edits: []edit{
		{"internal/reconcile/deployment/bound.go", "room := r.desired() + r.maxSurge() - others - have", "room := r.desired() + r.maxSurge() + 2 - others - have"},
	}},
	{name: "a snapshot leaves the newest objects out", kinds: []Kind{LoadSnapshot}, edits: []edit{
		{"internal/store/export/export.go", "e.exportVersions(ctx, page, sink)", "e.exportVersions(ctx, page[:len(page)/2], sink)"},
	}},
	{name: "a goroutine stays behind with each list", kinds: []Kind{CutClients, PartClients, EndSessions}, edits: []edit{
		{"internal/mirror/fresh.go", "a := m.asks.join()\n", "go func() { select {} }()\n\ta := m.asks.join()\n"},
	}},
}
