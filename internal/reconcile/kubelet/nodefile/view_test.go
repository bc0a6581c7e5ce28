package nodefile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// withHostPath mounts a file or directory of the node at /host.
func withHostPath(at string, kind corev1.HostPathType) podtest.Option {
	return func(pod *corev1.Pod) {
		source := &corev1.HostPathVolumeSource{Path: at, Type: &kind}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: source}})
		pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "host", MountPath: "/host"}}
	}
}

// TestHostPath_OutlivesThePod, and is there for the next.
func TestHostPath_OutlivesThePod(t *testing.T) {
	t.Parallel()
	n := podtest.NodeFiles{}
	write := podtest.Sh("mkdir /host/sub; echo one > /host/sub/a; echo two > /host/b; cat /host/b")
	n.Run(t, podtest.Bound(write, podtest.Restarting(corev1.RestartPolicyNever), withHostPath("/data/", corev1.HostPathDirectoryOrCreate)), time.Minute)
	want := "/data 40755 \"\"\n/data/b 100644 \"two\\n\"\n/data/sub 40755 \"\"\n/data/sub/a 100644 \"one\\n\"\n"
	if diff := cmp.Diff(want, n.String()); diff != "" {
		t.Errorf("after the first (-want +got):\n%s", diff)
	}
	read := podtest.Sh("cat /host/a; rm /host/a; echo three > /host/c")
	w := n.Run(t, podtest.Bound(read, podtest.Restarting(corev1.RestartPolicyNever), withHostPath("/data/sub", corev1.HostPathDirectory)), time.Minute)
	if last := w.Story[len(w.Story)-1]; !strings.Contains(last, "Completed(0)") {
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
	n := podtest.NodeFiles{}
	never := podtest.Restarting(corev1.RestartPolicyNever)
	writer := n.Run(t, podtest.Bound(podtest.Sh("sleep 5; echo x > /host/flag; while test -e /host/flag; do sleep 1; done"), never, withHostPath("/data", "")), time.Second)
	reader := n.Run(t, podtest.Bound(podtest.Sh("until cat /host/data/flag; do sleep 1; done; rm /host/data/flag"), never, withHostPath("/", "")), time.Second)
	for step, w := range []*podtest.World{writer, reader, writer} {
		w.Live(time.Duration(step+1) * 20 * time.Second)
	}
	for _, w := range []*podtest.World{writer, reader} {
		if last := w.Story[len(w.Story)-1]; !strings.Contains(last, "Completed(0)") {
			t.Errorf("%s", strings.Join(w.Story, "\n"))
		}
	}
}

// TestHostPath_OfAType that is not there, or is.
func TestHostPath_OfAType(t *testing.T) {
	t.Parallel()
	n := func() podtest.NodeFiles {
		return podtest.NodeFiles{"/etc/conf": {Node: "node-1", Path: "/etc/conf", Mode: emulator.ModeRegular | 0o600, Data: []byte("text\n")}}
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
		for _, c := range []corev1.Container{podtest.Sh("ls -ld /host"), podtest.Nginx()} {
			pod := podtest.Bound(c, podtest.Restarting(corev1.RestartPolicyNever), withHostPath(test.at, test.kind))
			files := n()
			s := kubelet.Snapshot{Pod: pod, Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon, Files: files.Seen(pod)}
			p := kubelet.Reconcile(s)
			if failed := p.Events != nil && p.Events[0].Reason == "FailedMount"; failed != strings.HasPrefix(test.want, "Mount") || failed && p.Events[0].Message != test.want {
				t.Errorf("%s of type %q for %s: %s", test.at, test.kind, c.Image, p)
			}
		}
	}
}

// TestHostPath_AFile is mounted as such, and written back.
func TestHostPath_AFile(t *testing.T) {
	t.Parallel()
	n := podtest.NodeFiles{"/etc/conf": {Node: "node-1", Path: "/etc/conf", Mode: emulator.ModeRegular | 0o600, Data: []byte("text\n")}}
	w := n.Run(t, podtest.Bound(podtest.Sh("cat /host && echo more >> /host"), podtest.Restarting(corev1.RestartPolicyNever), withHostPath("/etc/conf", corev1.HostPathFile)), time.Minute)
	if diff := cmp.Diff("/etc/conf 100600 \"text\\nmore\\n\"\n", n.String()); diff != "" {
		t.Errorf("%q; files (-want +got):\n%s", w.Story, diff)
	}
}
