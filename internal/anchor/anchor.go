//go:build anchor

// Package anchor holds dependencies in go.mod until their first importer lands.
package anchor

import (
	_ "github.com/anishathalye/porcupine"
	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/danielgtaylor/huma/v2/adapters/humachi"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/pressly/goose/v3"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/tidwall/btree"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/errgroup"
	_ "gopkg.in/evanphx/json-patch.v4"
	_ "k8s.io/api/apps/v1"
	_ "k8s.io/apimachinery/pkg/runtime"
	_ "k8s.io/client-go/dynamic"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes"
	_ "k8s.io/client-go/metadata"
	_ "k8s.io/client-go/tools/clientcmd"
	_ "k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	_ "k8s.io/component-helpers/resource"
	_ "k8s.io/kube-openapi/pkg/builder"
	_ "k8s.io/kube-openapi/pkg/builder3"
	_ "k8s.io/kube-openapi/pkg/common"
	_ "k8s.io/kubectl/pkg/cmd"
	_ "pgregory.net/rapid"
	_ "sigs.k8s.io/structured-merge-diff/v6/value"
	_ "sigs.k8s.io/yaml"
)
