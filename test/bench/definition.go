package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// definitionsPerGroup is how many kinds each group of the generated definitions has: a provider of
// Crossplane has about as many for one service.
const definitionsPerGroup = 25

// definitionPath is where definitions are created.
const definitionPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// measureDefinitions creates definitions of the size of Crossplane's, waits until discovery lists
// their kinds, and measures their cost.
func measureDefinitions(ctx context.Context, o options, r *report) error {
	s, _, err := startFresh(ctx, o)
	defer s.end()
	if err != nil {
		return err
	}
	bodies, bytes := make([][]byte, o.definitions), 0
	for i := range bodies {
		bodies[i] = definitionBody(i)
		bytes += len(bodies[i])
	}
	idle, err := s.memory(ctx)
	if err != nil {
		return err
	}
	used, begin := s.cpu(), time.Now()
	each, took, err := together(ctx, o.clients, o.definitions, func(ctx context.Context, i int) error {
		return s.client.RESTClient().Post().AbsPath(definitionPath).SetHeader("Content-Type", "application/json").Body(bodies[i]).Do(ctx).Error()
	})
	if err != nil {
		return err
	}
	if err := s.awaitKinds(ctx, o.definitions); err != nil {
		return err
	}
	all, spent := time.Since(begin), s.cpu().minus(used)
	r.rateOf(fmt.Sprintf("definition of %d kB of JSON, create, %d clients", bytes/o.definitions/1000, o.clients), each, took, cpuTime{})
	r.durationOf(fmt.Sprintf("%d such definitions created → in discovery", o.definitions), o.definitions, all, spent)
	full, err := s.memory(ctx)
	if err != nil {
		return err
	}
	r.memory(fmt.Sprintf("resident memory with %d definitions, less that before", o.definitions), full-idle)
	return s.stop()
}

// awaitKinds waits until discovery lists all kinds of n generated definitions.
func (s *instance) awaitKinds(ctx context.Context, n int) error {
	for first := 0; first < n; first += definitionsPerGroup {
		for {
			list, err := s.client.ServerResourcesForGroupVersion(groupOf(first) + "/v1beta1")
			if err == nil && s.named(list) == min(definitionsPerGroup, n-first) {
				break
			}
			if err := pause(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}

// named returns how many kinds are in an answer of discovery, not counting subresources.
func (s *instance) named(list *metav1.APIResourceList) (n int) {
	for i := range list.APIResources {
		if !strings.Contains(list.APIResources[i].Name, "/") {
			n++
		}
	}
	return n
}

// groupOf returns the API group of the i-th generated definition.
func groupOf(i int) string { return fmt.Sprintf("service%d.bench.example", i/definitionsPerGroup) }

// definitionBody makes the i-th generated definition. Like one of Crossplane's providers, it has a
// desired and an initial state with the same nested fields, references with selectors between them,
// and an observed state, all with descriptions. No two have the same schema.
func definitionBody(i int) []byte {
	plural, kind := fmt.Sprintf("resource%ds", i), fmt.Sprintf("Resource%d", i)
	desired, observed := fieldsOf(i, 3, true), fieldsOf(i, 3, false)
	spec := properties{
		"deletionPolicy": property{"type": "string", "default": "Delete", "enum": []string{"Orphan", "Delete"}, "description": described("deletionPolicy", i)},
		"forProvider":    object(desired), "initProvider": object(desired),
		"providerConfigRef": withDefault(reference("providerConfigRef", i), property{"name": "default"}),
		"managementPolicies": property{
			"type": "array", "default": []string{"*"}, "description": described("managementPolicies", i),
			"items": property{"type": "string", "enum": []string{"Observe", "Create", "Update", "Delete", "LateInitialize", "*"}},
		},
	}
	status := properties{"atProvider": object(observed), "conditions": conditions(i), "observedGeneration": property{"type": "integer", "format": "int64"}}
	schema := object(properties{
		"apiVersion": property{"type": "string", "description": described("apiVersion", i)}, "kind": property{"type": "string", "description": described("kind", i)},
		"metadata": property{"type": "object"}, "spec": object(spec), "status": object(status),
	})
	schema["properties"].(properties)["spec"].(property)["required"] = []string{"forProvider"}
	body, err := json.Marshal(property{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": property{"name": plural + "." + groupOf(i)},
		"spec": property{
			"group": groupOf(i), "scope": "Cluster",
			"names": property{"plural": plural, "singular": strings.ToLower(kind), "kind": kind, "listKind": kind + "List", "categories": []string{"managed"}},
			"versions": []property{{
				"name": "v1beta1", "served": true, "storage": true, "schema": property{"openAPIV3Schema": schema}, "subresources": property{"status": property{}},
				"additionalPrinterColumns": []property{
					{"name": "READY", "type": "string", "jsonPath": ".status.conditions[?(@.type=='Ready')].status"},
					{"name": "AGE", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
				},
			}},
		},
	})
	if err != nil {
		panic(err) // it consists of strings, lists and maps
	}
	return body
}

// property is a schema, or another JSON object.
type property = map[string]any

// properties are schemas by field name.
type properties = map[string]any

func object(fields properties) property { return property{"type": "object", "properties": fields} }

func withDefault(p property, value any) property {
	p["default"] = value
	return p
}

// described returns a sentence of the typical length of a field's documentation, different for each
// definition.
func described(field string, i int) string {
	return fmt.Sprintf("The %s of resource %d, as the provider knows it. A change of it changes the external resource.", field, i)
}

// fieldsOf returns nested fields, to a depth. Desired states have references to other resources,
// observed states have none.
func fieldsOf(i, depth int, references bool) properties {
	fields := properties{}
	for n, of := range []property{{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "string"}} {
		field := fmt.Sprintf("%s%d", of["type"], n)
		of["description"] = described(field, i)
		fields[field] = of
	}
	fields["tags"] = property{
		"type": "object", "additionalProperties": property{"type": "string"}, "description": described("tags", i),
		"x-kubernetes-map-type": "granular",
	}
	fields["names"] = property{"type": "array", "items": property{"type": "string"}, "description": described("names", i), "x-kubernetes-list-type": "set"}
	if references {
		fields["networkRef"], fields["networkSelector"] = reference("networkRef", i), selector(i)
	}
	if depth > 0 {
		for n := range 2 {
			field := fmt.Sprintf("block%d", n)
			fields[field] = property{"type": "array", "description": described(field, i), "items": object(fieldsOf(i, depth-1, references && n == 0))}
		}
	}
	return fields
}

// reference returns the schema of a reference to another resource.
func reference(field string, i int) property {
	p := object(properties{"name": property{"type": "string", "description": described("name", i)}, "policy": policy(i)})
	p["required"], p["description"] = []string{"name"}, described(field, i)
	return p
}

// selector returns the schema of a selector of another resource.
func selector(i int) property {
	return object(properties{
		"matchControllerRef": property{"type": "boolean", "description": described("matchControllerRef", i)},
		"matchLabels":        property{"type": "object", "additionalProperties": property{"type": "string"}, "description": described("matchLabels", i)},
		"policy":             policy(i),
	})
}

func policy(i int) property {
	choice := func(field string, values ...string) property {
		return property{"type": "string", "enum": values, "description": described(field, i)}
	}
	return object(properties{
		"resolution": withDefault(choice("resolution", "Required", "Optional"), "Required"), "resolve": choice("resolve", "Always", "IfNotPresent"),
	})
}

// conditions returns the schema of a status' conditions.
func conditions(i int) property {
	fields := properties{}
	for _, field := range []string{"type", "status", "reason", "message"} {
		fields[field] = property{"type": "string", "description": described(field, i)}
	}
	fields["lastTransitionTime"] = property{"type": "string", "format": "date-time", "description": described("lastTransitionTime", i)}
	items := object(fields)
	items["required"] = []string{"type", "status", "reason", "lastTransitionTime"}
	return property{"type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []string{"type"}}
}
