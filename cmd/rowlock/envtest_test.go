package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgram_IsEnvtestsPrograms: the binary acts as envtest's programs by their names, and their
// help shows envtest which flags it may pass.
func TestProgram_IsEnvtestsPrograms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, flag string
		want       bool
	}{
		{"/assets/kube-apiserver", "secure-port", true},
		{"/assets/kube-apiserver", "insecure-port", false},
		{"/assets/etcd", "unsafe-no-fsync", true},
		{"rowlock", "unsafe-no-fsync", false},
	} {
		var out, errs bytes.Buffer
		if code := program(test.name)(t.Context(), []string{"--help"}, &out, &errs); code != 0 || errs.Len() > 0 {
			t.Errorf("%s --help exits with %d: %s", test.name, code, &errs)
		}
		// Like sigs.k8s.io/controller-runtime/pkg/internal/testing/process.
		if got := regexp.MustCompile(`(?m)^\s*--` + test.flag + `\b`).Match(out.Bytes()); got != test.want {
			t.Errorf("%s has --%s: %v, want %v", test.name, test.flag, got, test.want)
		}
	}
}

func TestPrograms_RefuseWhatTheyCannotDo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		run  string
		args []string
		want string
	}{
		{"etcd", []string{"--listen-client-urls=https://127.0.0.1:0"}, "is not an http URL of a loopback address, such as"},
		{"etcd", []string{"--listen-client-urls=http://192.0.2.1:1"}, "is not an http URL of a loopback address, such as"},
		{"kube-apiserver", []string{"--secure-port=0"}, "--etcd-servers must be specified"},
		{"kube-apiserver", []string{"--etcd-servers=http://127.0.0.1:1", "--bind-address=0.0.0.0"}, "is not a loopback address"},
		{"kube-apiserver", []string{"--etcd-servers=http://127.0.0.1:1", "--secure-port=0", "--cert-dir=" + t.TempDir()}, "apiserver.crt"},
	} {
		var out, errs bytes.Buffer
		if code := program(test.run)(t.Context(), test.args, &out, &errs); code != 1 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%s %v exits with %d and says %q, want %q", test.run, test.args, code, &errs, test.want)
		}
	}
}

// TestHoldDatabase_EndsWithEtcd: the API server of a killed suite notices that its etcd is gone,
// and with it the database.
func TestHoldDatabase_EndsWithEtcd(t *testing.T) {
	t.Parallel()
	mine := &instance{made: make(chan struct{})}
	etcd := httptest.NewServer(mine.handler())
	defer etcd.Close()
	go func() { // the API server may ask before it is made
		mine.databaseURL = "postgres://there"
		close(mine.made)
	}()
	held, url, release, err := holdDatabase(t.Context(), etcd.URL)
	if err != nil || url != "postgres://there" {
		t.Fatalf("the database is %q, %v", url, err)
	}
	defer release()
	if held.Err() != nil {
		t.Error("it has ended while etcd is there")
	}
	etcd.CloseClientConnections()
	<-held.Done()

	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	if _, _, _, err := holdDatabase(t.Context(), other.URL); err == nil || !strings.Contains(err.Error(), "is not the etcd") {
		t.Errorf("another program is refused with %v", err)
	}
}

// TestParseLeniently: upstream's other flags are accepted, with their values, and known ones are
// parsed.
func TestParseLeniently(t *testing.T) {
	t.Parallel()
	var c apiServerConfig
	var said bytes.Buffer
	args := []string{"--audit-log-path=-", "--v", "4", "--feature-gates=A=true", "--authorization-mode=Node,RBAC", "--disable-admission-plugins=ServiceAccount", "--etcd-servers=http://a,http://b"}
	if err := parseLeniently(c.flags(), args, slog.New(slog.NewTextHandler(&said, nil))); err != nil {
		t.Fatal(err)
	}
	of, err := c.cluster(func(string) string { return "" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if !of.WithoutAdmission["ServiceAccount"] || of.AlwaysAllow || !of.Gates["A"] || len(of.Controllers) > 0 || of.Controllers == nil {
		t.Errorf("the cluster is %+v", of)
	}
	if diff := cmp.Diff([]string{"http://a", "http://b"}, c.etcdServers); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(said.String(), "has no effect"); n != 2 {
		t.Errorf("it warns of %d flags, want 2: %s", n, &said)
	}
}

func TestAPIServerConfig_Environment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ controllers, nodes, want string }{
		{"gc,namespace", "", ""},
		{"*", "3", ""},
		{"jobs", "", `"jobs" is not in the list`},
		{"", "-1", "is not a number of nodes"},
	} {
		c := apiServerConfig{etcdServers: []string{"http://127.0.0.1:1"}, bindAddress: "127.0.0.1"}
		_, err := c.cluster(func(name string) string {
			return map[string]string{controllersVariable: test.controllers, nodesVariable: test.nodes}[name]
		}, slog.New(slog.DiscardHandler))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: the error is %v", test, err)
		}
	}
}

// TestMakeAssets: the directory's programs are this binary, even if another Rowlock had it before.
func TestMakeAssets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere/rowlock", filepath.Join(dir, "bin", assetEtcd)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		bin, err := makeAssets(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		self, err := os.Stat("/proc/self/exe")
		if err != nil {
			t.Skip("there is no /proc")
		}
		for _, name := range []string{assetAPIServer, assetEtcd, assetKubectl} {
			if info, err := os.Stat(filepath.Join(bin, name)); err != nil || !os.SameFile(info, self) {
				t.Errorf("%s is another program: %v", name, err)
			}
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "bin")); err != nil || len(left) != 3 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestInstalledKubectl: the kubectl that is run is never this binary itself.
func TestInstalledKubectl(t *testing.T) {
	t.Parallel()
	ours, theirs := t.TempDir(), t.TempDir()
	bin, err := makeAssets(ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := installedKubectl([]string{bin}); err == nil {
		t.Error("it finds itself")
	}
	want := filepath.Join(theirs, assetKubectl)
	if err := os.WriteFile(want, []byte("#!/bin/sh\necho \"$1\"; exit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := installedKubectl([]string{"relative", bin, theirs}); err != nil || got != want {
		t.Errorf("it finds %s, %v", got, err)
	}
	for range 2 { // also if the directory is on the PATH, and already has a link
		if _, err := makeAssets(ours, []string{bin, theirs}); err != nil {
			t.Fatal(err)
		}
		if link, err := os.Readlink(filepath.Join(bin, assetKubectl)); err != nil || link != want {
			t.Errorf("the directory's kubectl is %s, %v", link, err)
		}
	}
	var out, errs bytes.Buffer
	if code := runProgram(context.WithoutCancel(t.Context()), want, []string{"get"}, &out, &errs); code != 3 || out.String() != "get\n" {
		t.Errorf("it exits with %d and says %q, %q", code, &out, &errs)
	}
}
