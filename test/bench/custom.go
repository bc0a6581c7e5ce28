package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// customRounds is how often ConfigMaps and custom resources alternate.
const customRounds = 3

// collection is where the objects of a kind are created and listed, and how one is made.
type collection struct {
	kind, path string
	body       func(name string) ([]byte, error)
	each       latencies     // of all creations
	creating   time.Duration // their duration
	lists      latencies
	cpu        [2]cpuTime // of the server and PostgreSQL: for creations, for lists
}

// measureCustom compares custom resources with ConfigMaps of about the same size. The two kinds
// alternate: in each round objects are created, and then all objects of the kind are listed.
func measureCustom(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	err = s.client.RESTClient().Post().AbsPath(definitionPath).SetHeader("Content-Type", "application/json").Body(definitionBody(0)).Do(ctx).Error()
	if err != nil {
		return err
	}
	if err := s.awaitKinds(ctx, 1); err != nil {
		return err
	}
	both := []*collection{
		{
			kind: "ConfigMap", path: "/api/v1/namespaces/" + namespace + "/configmaps",
			body: func(name string) ([]byte, error) { return encoded(configMap(name, "created")) },
		},
		{kind: "custom resource", path: "/apis/" + groupOf(0) + "/v1beta1/resource0s", body: customBody},
	}
	for round := range customRounds {
		for _, c := range both {
			if err := c.create(ctx, o, s, round); err != nil {
				return fmt.Errorf("%s: %w", c.kind, err)
			}
		}
		for _, c := range both {
			if err := c.list(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", c.kind, err)
			}
		}
	}
	for _, c := range both {
		r.rateOf(fmt.Sprintf("%s create, %d clients", c.kind, o.clients), c.each, c.creating, c.cpu[0])
		r.latency(fmt.Sprintf("LIST of %d to %d of kind %s", o.objects, o.objects*customRounds, c.kind), c.lists, len(c.lists), c.cpu[1])
	}
	return s.stop()
}

// create creates the objects of a round.
func (c *collection) create(ctx context.Context, o options, s *instance, round int) error {
	used := s.cpu()
	each, took, err := together(ctx, o.clients, o.objects, func(ctx context.Context, i int) error {
		body, err := c.body(fmt.Sprintf("%s-%d-%d", name, round, i))
		if err != nil {
			return err
		}
		return s.client.RESTClient().Post().AbsPath(c.path).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
	})
	c.each, c.creating, c.cpu[0] = append(c.each, each...), c.creating+took, c.cpu[0].plus(s.cpu().minus(used))
	return err
}

// listsPerRound is how often each round lists.
const listsPerRound = 10

// list lists all objects.
func (c *collection) list(ctx context.Context, s *instance) error {
	used := s.cpu()
	for range listsPerRound {
		begin := time.Now()
		if err := s.client.RESTClient().Get().AbsPath(c.path).SetHeader("Accept", "application/json").Do(ctx).Error(); err != nil {
			return err
		}
		c.lists = append(c.lists, time.Since(begin))
	}
	c.cpu[1] = c.cpu[1].plus(s.cpu().minus(used))
	return nil
}

// customBody makes an object of the first generated definition, with about as many bytes as a
// ConfigMap of configMap.
func customBody(name string) ([]byte, error) {
	return encoded(property{
		"apiVersion": groupOf(0) + "/v1beta1", "kind": "Resource0", "metadata": metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "bench"}},
		"spec": property{"forProvider": property{"string0": "created", "boolean2": true, "tags": property{"some": "settings"}}},
	})
}

func encoded(o any) ([]byte, error) { return json.Marshal(o) }
