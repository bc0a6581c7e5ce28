package kubelet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/nodefile"
)

// nodeFiles are the files of a node by their paths.
type nodeFiles map[string]plan.File

func (n nodeFiles) keep(files []plan.File) {
	for _, f := range files {
		if f.Removed {
			delete(n, f.Path)
		} else {
			n[f.Path] = f
		}
	}
}

// seen are those that a Pod's volumes show.
func (n nodeFiles) seen(pod *corev1.Pod) (files []plan.File) {
	for _, at := range slices.Sorted(maps.Keys(n)) {
		for i := range pod.Spec.Volumes {
			if h := pod.Spec.Volumes[i].HostPath; h != nil && (at == nodefile.HostPath(h) || strings.HasPrefix(at, strings.TrimSuffix(nodefile.HostPath(h), "/")+"/")) {
				files = append(files, n[at])
				break
			}
		}
	}
	return files
}

func (n nodeFiles) String() string {
	var b strings.Builder
	for _, at := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(&b, "%s %o %q\n", at, n[at].Mode, n[at].Data)
	}
	return b.String()
}

// withHostPath mounts a file or directory of the node at /host.
func withHostPath(at string, kind corev1.HostPathType) podOption {
	return func(pod *corev1.Pod) {
		source := &corev1.HostPathVolumeSource{Path: at, Type: &kind}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: source}})
		pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "host", MountPath: "/host"}}
	}
}

// run lets a Pod live for a while on a node with these files.
func (n nodeFiles) run(t *testing.T, pod *corev1.Pod, until time.Duration) *world {
	t.Helper()
	w := &world{t: t, pod: pod, now: noon, node: n}
	w.live(until)
	return w
}

// TestHostPath_OutlivesThePod, and is there for the next.
func TestHostPath_OutlivesThePod(t *testing.T) {
	t.Parallel()
	n := nodeFiles{}
	write := sh("mkdir /host/sub; echo one > /host/sub/a; echo two > /host/b; cat /host/b")
	n.run(t, bound(write, restarting(corev1.RestartPolicyNever), withHostPath("/data/", corev1.HostPathDirectoryOrCreate)), time.Minute)
	want := "/data 40755 \"\"\n/data/b 100644 \"two\\n\"\n/data/sub 40755 \"\"\n/data/sub/a 100644 \"one\\n\"\n"
	if diff := cmp.Diff(want, n.String()); diff != "" {
		t.Errorf("after the first (-want +got):\n%s", diff)
	}
	read := sh("cat /host/a; rm /host/a; echo three > /host/c")
	w := n.run(t, bound(read, restarting(corev1.RestartPolicyNever), withHostPath("/data/sub", corev1.HostPathDirectory)), time.Minute)
	if last := w.story[len(w.story)-1]; !strings.Contains(last, "Completed(0)") {
		t.Errorf("the second: %s", last)
	}
	want = "/data 40755 \"\"\n/data/b 100644 \"two\\n\"\n/data/sub 40755 \"\"\n/data/sub/c 100644 \"three\\n\"\n"
	if diff := cmp.Diff(want, n.String()); diff != "" {
		t.Errorf("after the second (-want +got):\n%s", diff)
	}
}

// TestHostPath_IsShared between Pods while they run: each sees soon what the other has done.
func TestHostPath_IsShared(t *testing.T) {
	t.Parallel()
	n := nodeFiles{}
	never := restarting(corev1.RestartPolicyNever)
	writer := n.run(t, bound(sh("sleep 5; echo x > /host/flag; while test -e /host/flag; do sleep 1; done"), never, withHostPath("/data", "")), time.Second)
	reader := n.run(t, bound(sh("until cat /host/data/flag; do sleep 1; done; rm /host/data/flag"), never, withHostPath("/", "")), time.Second)
	for step, w := range []*world{writer, reader, writer} {
		w.live(time.Duration(step+1) * 20 * time.Second)
	}
	for _, w := range []*world{writer, reader} {
		if last := w.story[len(w.story)-1]; !strings.Contains(last, "Completed(0)") {
			t.Errorf("%s", strings.Join(w.story, "\n"))
		}
	}
}

// TestHostPath_OfAType that is not there, or is.
func TestHostPath_OfAType(t *testing.T) {
	t.Parallel()
	n := func() nodeFiles {
		return nodeFiles{"/etc/conf": {Node: "node-1", Path: "/etc/conf", Mode: emulator.ModeRegular | 0o600, Data: []byte("text\n")}}
	}
	for _, test := range []struct {
		at   string
		kind corev1.HostPathType
		want string // of what is there in the end, or the event
	}{
		{"/var/log", corev1.HostPathDirectory, "Completed(0)"},
		{"/srv/nothing", corev1.HostPathDirectory, `MountVolume.SetUp failed for volume "host" : hostPath type check failed: /srv/nothing is not a directory`},
		{"/srv/nothing", corev1.HostPathFile, `MountVolume.SetUp failed for volume "host" : hostPath type check failed: /srv/nothing is not a file`},
		{"/etc/conf", corev1.HostPathDirectoryOrCreate, `MountVolume.SetUp failed for volume "host" : hostPath type check failed: /etc/conf is not a directory`},
		{"/run/docker.sock", corev1.HostPathSocket, `MountVolume.SetUp failed for volume "host" : hostPath type check failed: /run/docker.sock is not a socket file`},
		{"/dev/sda", corev1.HostPathBlockDev, `MountVolume.SetUp failed for volume "host" : hostPath type check failed: /dev/sda is not a block device`},
		{"/etc/conf", corev1.HostPathFile, "Completed(0)"},
		{"/etc/new", corev1.HostPathFileOrCreate, "Completed(0)"},
		{"/srv/new", corev1.HostPathUnset, "Completed(0)"},
	} {
		for _, c := range []corev1.Container{sh("ls -ld /host"), nginx()} {
			pod := bound(c, restarting(corev1.RestartPolicyNever), withHostPath(test.at, test.kind))
			files := n()
			s := Snapshot{Pod: pod, Node: node(), Address: "10.244.0.2", Images: images, Now: noon, Files: files.seen(pod)}
			p := Reconcile(s)
			if failed := p.Events != nil && p.Events[0].Reason == "FailedMount"; failed != strings.HasPrefix(test.want, "Mount") || failed && p.Events[0].Message != test.want {
				t.Errorf("%s of type %q for %s: %s", test.at, test.kind, c.Image, p)
			}
		}
	}
}

// TestHostPath_AFile is mounted as such, and written back.
func TestHostPath_AFile(t *testing.T) {
	t.Parallel()
	n := nodeFiles{"/etc/conf": {Node: "node-1", Path: "/etc/conf", Mode: emulator.ModeRegular | 0o600, Data: []byte("text\n")}}
	w := n.run(t, bound(sh("cat /host && echo more >> /host"), restarting(corev1.RestartPolicyNever), withHostPath("/etc/conf", corev1.HostPathFile)), time.Minute)
	if diff := cmp.Diff("/etc/conf 100600 \"text\\nmore\\n\"\n", n.String()); diff != "" {
		t.Errorf("%q; files (-want +got):\n%s", w.story, diff)
	}
}
