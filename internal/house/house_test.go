package house

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestRules(t *testing.T) {
	t.Parallel()
	h, err := open(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(h.files) < 100 || len(h.sql) == 0 {
		t.Fatalf("%d Go files and %d migrations: this is not the whole house", len(h.files), len(h.sql))
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, where := range sorted(r.check(h)) {
				t.Errorf("%s\n%s: %s", where, r.name, r.why)
			}
		})
	}
	for _, f := range h.files {
		if !f.generated && f.lines > longFile {
			t.Logf("%s has %d lines: past %d, a review asks why", f.path, f.lines, longFile)
		}
	}
}

func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
}

// Every rule finds what breaks it, and lets pass what only looks like it.
func TestRules_FindWhatBreaksThem(t *testing.T) {
	t.Parallel()
	const doc = "// Package p is.\n"
	for _, test := range []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"imports go downward", map[string]string{
			"internal/object/a.go":        `package object; import _ "github.com/rowlock/rowlock/internal/store"`,
			"internal/object/a_test.go":   `package object; import _ "github.com/rowlock/rowlock/internal/store"`,
			"internal/store/a.go":         `package store; import _ "github.com/rowlock/rowlock/internal/object"`,
			"internal/reconcile/job/a.go": `package job; import _ "github.com/rowlock/rowlock/internal/reconcile/deployment"`,
			"internal/reconcile/job/b.go": `package job; import _ "github.com/rowlock/rowlock/internal/reconcile/claim"`,
			"internal/nowhere/a.go":       `package nowhere`,
		}, []string{
			"internal/nowhere/a.go: package internal/nowhere has no layer",
			"internal/object/a.go:1: internal/object (by internal/object) imports internal/store (by internal/store), which is not below it",
			"internal/reconcile/job/a.go:1: internal/reconcile/job (by internal/reconcile) imports internal/reconcile/deployment (by internal/reconcile), which is not below it",
		}},
		{"pgx stays where SQL is spoken", map[string]string{
			"api/a.go":               `package api; import _ "github.com/jackc/pgx/v5/pgxpool"`,
			"api/a_test.go":          `package api; import _ "github.com/jackc/pgx/v5"`,
			"internal/store/a.go":    `package store; import _ "github.com/jackc/pgx/v5"`,
			"internal/storehouse.go": `package internal; import _ "github.com/jackc/pgx/v5"`,
			"rowlocktest/a.go":       `package rowlocktest; import ("testing"; _ "github.com/jackc/pgx/v5"); var _ testing.TB`,
		}, []string{"api/a.go:1: api imports github.com/jackc/pgx/v5/pgxpool", "internal/storehouse.go:1: internal imports github.com/jackc/pgx/v5"}},
		{"chi stays in the API", map[string]string{
			"api/kube/a.go":       `package kube; import _ "github.com/go-chi/chi/v5"`,
			"internal/store/a.go": `package store; import _ "github.com/go-chi/chi/v5"`,
		}, []string{"internal/store/a.go:1: internal/store imports github.com/go-chi/chi/v5"}},
		{"huma stays in the API", map[string]string{
			"internal/clock/a.go": `package clock; import _ "github.com/danielgtaylor/huma/v2"`,
		}, []string{"internal/clock/a.go:1: internal/clock imports github.com/danielgtaylor/huma/v2"}},
		{"schedules stay in their package", map[string]string{
			"internal/schedule/a.go": `package schedule; import _ "github.com/robfig/cron/v3"`,
			"internal/kind/a.go":     `package kind; import _ "github.com/robfig/cron/v3"`,
		}, []string{"internal/kind/a.go:1: internal/kind imports github.com/robfig/cron/v3"}},
		{"nothing of upstream's server", map[string]string{
			"internal/kind/a_test.go": `package kind; import _ "k8s.io/kubernetes/pkg/apis/core"`,
		}, []string{"internal/kind/a_test.go:1: internal/kind imports k8s.io/kubernetes/pkg/apis/core"}},
		{"nothing of upstream's API server", map[string]string{
			"api/a.go":      `package api; import _ "k8s.io/apiserver/pkg/endpoints"`,
			"api/b_test.go": `package api; import _ "k8s.io/apimachinery/pkg/types"`,
		}, []string{"api/a.go:1: api imports k8s.io/apiserver/pkg/endpoints"}},
		{"decisions import nothing that reaches the world", map[string]string{
			"internal/reconcile/job/a.go":      "package job\nimport (\n_ \"context\"\n_ \"log/slog\"\n_ \"math/rand/v2\"\n_ \"math\"\n_ \"net/http\"\n_ \"net/netip\"\n)",
			"internal/reconcile/job/a_test.go": `package job; import _ "context"`,
			"internal/worker/a.go":             `package worker; import _ "context"`,
		}, []string{
			"internal/reconcile/job/a.go:3: internal/reconcile/job imports context",
			"internal/reconcile/job/a.go:4: internal/reconcile/job imports log/slog",
			"internal/reconcile/job/a.go:5: internal/reconcile/job imports math/rand/v2",
			"internal/reconcile/job/a.go:7: internal/reconcile/job imports net/http",
		}},
		{"decisions call nothing that differs from run to run", map[string]string{
			"internal/reconcile/job/a.go": "package job\nimport (\n\"time\"\nmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\"k8s.io/apimachinery/pkg/util/rand\"\n)\n" +
				"var a = time.Now()\nvar b = metav1.Now()\nvar c = rand.String(5)\nvar d = rand.SafeEncodeString(\"x\")\nvar e = time.Second\nvar f = time.Since(a)\nvar g = time.Now\n",
			"internal/reconcile/job/b.go":  "package job\nimport clock \"time\"\nvar now = clock.Now()",
			"internal/reconcile/job/c.go":  "package job\ntype s struct{ Now int }\nvar time s\nvar at = time.Now",
			"internal/worker/a.go":         "package worker\nimport \"time\"\nvar a = time.Now()",
			"internal/reconcile/laws/a.go": "package laws\nimport (\n\"testing\"\n\"time\"\n)\nvar a = time.Now()\nvar _ testing.TB",
		}, []string{
			"internal/reconcile/job/a.go:12: time.Since",
			"internal/reconcile/job/a.go:13: time.Now",
			"internal/reconcile/job/a.go:7: time.Now",
			"internal/reconcile/job/a.go:8: metav1.Now",
			"internal/reconcile/job/a.go:9: rand.String",
			"internal/reconcile/job/b.go:3: clock.Now",
		}},
		{"packages are named after what they provide", map[string]string{
			"internal/util/a.go": `package util`, "api/types/a_test.go": `package types_test`, "api/a.go": `package api`,
		}, []string{"api/types/a_test.go: package types", "internal/util/a.go: package util"}},
		{"every package says what it is for", map[string]string{
			"a/a.go": doc + `package p`, "a/b.go": `package p`, "b/a.go": "// About nothing.\n\npackage p", "c/a_test.go": doc + `package p_test`,
		}, []string{"b", "c"}},
		{"files end", map[string]string{
			"a/a.go": "package a" + strings.Repeat("\n", 801), "a/b.go": "package a" + strings.Repeat("\n", 800), "a/a_test.go": "package a" + strings.Repeat("\n", 801),
			"a/z.go": "// Code generated by a tool. DO NOT EDIT.\n\npackage a" + strings.Repeat("\n", 801),
		}, []string{"a/a.go has 801 lines, more than 800"}},
		{"SQL is in .sql files", map[string]string{
			"a/a.go":      "package a\nvar a = \"SELECT 1\"\nvar b = `\n  UPDATE revision SET value = 1`\nvar c = \"DELETE\"\nvar d = \"Selected\"\nvar e = \"INSERT INTO log\"",
			"a/a_test.go": "package a\nvar z = \"SELECT 1\"",
			"b/b.go":      "package b\nimport \"testing\"\nvar _ testing.TB\nvar z = \"SELECT 1\"",
		}, []string{`a/a.go:2: "SELECT 1"`, `a/a.go:3: "\n  UPDATE revision SET value = 1"`, `a/a.go:7: "INSERT INTO log"`}},
		{"migrations go up and down", map[string]string{
			"migrations/1.sql":       "-- +goose Up\nCREATE TABLE a ();\n\n-- +goose Down\nDROP TABLE a;\n",
			"migrations/2.sql":       "-- +goose Up\nCREATE TABLE a ();\n",
			"migrations/3.sql":       "-- +goose Up\nCREATE TABLE a ();\n\n-- +goose Down\n",
			"internal/store/sql.sql": "SELECT 1",
		}, []string{
			"migrations/2.sql does not have both -- +goose Up and -- +goose Down with something behind it",
			"migrations/3.sql does not have both -- +goose Up and -- +goose Down with something behind it",
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{}
			for name, text := range test.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			h, err := open(files)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(rules, func(r rule) bool { return r.name == test.rule })
			if at < 0 {
				t.Fatalf("there is no rule %q", test.rule)
			}
			if diff := cmp.Diff(test.want, sorted(rules[at].check(h))); diff != "" {
				t.Errorf("what it found (-want +got):\n%s", diff)
			}
		})
	}
}

// A rule whose checker nobody has seen fail may check nothing.
func TestRules_AreAllTested(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("house_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if !strings.Contains(string(text), `{"`+r.name+`", map`) {
			t.Errorf("the rule %q has no sources that break it", r.name)
		}
	}
}
