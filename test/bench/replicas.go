package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
)

// manyReplicas is how many replicas are compared with one.
const manyReplicas = 3

// measureReplicas makes many clients create and get ConfigMaps, first with one replica, then with
// several on one database, which the clients use in turn.
func measureReplicas(ctx context.Context, o options, r *report) error {
	for _, n := range []int{1, manyReplicas} {
		if err := measureWith(ctx, o, r, n); err != nil {
			return fmt.Errorf("%d replicas: %w", n, err)
		}
	}
	return nil
}

func measureWith(ctx context.Context, o options, r *report, n int) error {
	first, dataDir, err := startFresh(ctx, o)
	defer first.end()
	if err != nil {
		return err
	}
	replicas := []*instance{first}
	for range n - 1 {
		s, err := start(ctx, o, "--database-url="+databaseIn(dataDir))
		defer s.end()
		if err != nil {
			return err
		}
		replicas = append(replicas, s)
	}
	for v, verb := range verbs(first.client.CoreV1().ConfigMaps(namespace)) {
		if verb.name != "create" && verb.name != "get" {
			continue
		}
		used := cpuOfAll(replicas)
		each, took, err := together(ctx, o.clients, o.objects, func(ctx context.Context, i int) error {
			return verbs(replicas[i%n].client.CoreV1().ConfigMaps(namespace))[v].do(ctx, i)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", verb.name, err)
		}
		r.rateOf(fmt.Sprintf("replicas: %d, ConfigMap %s, %d clients", n, verb.name, o.clients), each, took, cpuOfAll(replicas).minus(used))
	}
	for i := n - 1; i >= 0; i-- { // the first one runs the database
		if err := replicas[i].stop(); err != nil {
			return err
		}
	}
	return nil
}

// databaseIn returns the URL of the database that a server runs in its data directory.
func databaseIn(dataDir string) string {
	u := url.URL{Scheme: "postgres", User: url.User("rowlock"), Path: "/postgres"}
	u.RawQuery = url.Values{"host": {filepath.Join(dataDir, "run")}}.Encode()
	return u.String()
}

// cpuOfAll returns the processor time of several servers together.
func cpuOfAll(servers []*instance) (sum cpuTime) {
	for _, s := range servers {
		sum = sum.plus(s.cpu())
	}
	return sum
}
