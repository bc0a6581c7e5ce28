package kubelet

import (
	"fmt"
	"path"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/token"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// mountVolumes fills the Pod's volumes, and reports whether all can be mounted. If the runtime has
// no files, it only checks whether the objects that they refer to exist. A volume that cannot be
// mounted is reported once.
// Source: kubernetes v1.36 pkg/kubelet/volumemanager; util/operationexecutor/operation_generator.go, GenerateMountVolumeFunc.
// Differs: volumes of a type that is not emulated are empty directories, and block devices are not
// provided at all. Cluster certificates that do not exist yet are left out.
func (k *sync) mountVolumes() bool {
	mounted := true
	for i := range k.Pod.Spec.Volumes {
		v := &k.Pod.Spec.Volumes[i]
		claimed, isClaim := k.Claims[v.Name]
		if !k.runtime.HasFiles() && v.HostPath == nil && !isClaim && (!podsetup.Made(v) || v.DownwardAPI != nil || need.IsTokenVolume(v)) {
			continue
		}
		err := k.mountVolume(v)
		if err == nil {
			continue
		}
		if mounted = false; k.status.PodIP == "" && claimed.Err != nil {
			k.tellOnce("volume "+v.Name, corev1.EventTypeWarning, "FailedMount", fmt.Sprintf(
				"Unable to attach or mount volumes: unmounted volumes=[%s], unattached volumes=[], failed to process volumes=[%s]: %v", v.Name, v.Name, err))
		} else if k.status.PodIP == "" {
			k.tellOnce("volume "+v.Name, corev1.EventTypeWarning, "FailedMount", fmt.Sprintf("MountVolume.SetUp failed for volume %q : %v", v.Name, err))
		}
	}
	if mounted && len(k.memory.Told) > 0 {
		k.memory.Told, k.touched = nil, true
	}
	return mounted
}

func (k *sync) mountVolume(v *corev1.Volume) error {
	if err := k.Claims[v.Name].Err; err != nil {
		return err
	}
	if files, ok, err := k.shown.Mount(v); ok {
		k.touched = err == nil && k.runtime.ReadHost(k.now.Time, v.Name, files) || k.touched
		return err
	}
	switch {
	case podsetup.Made(v):
		files, err := podsetup.Content(k.podNow(), v, k.around())
		if err != nil || !k.runtime.HasFiles() {
			return err
		}
		projected := make([]emulator.Projected, len(files))
		for i, f := range files {
			projected[i] = emulator.Projected{Path: f.Path, Data: f.Data, Mode: uint32(f.Mode), UID: int(f.UID)}
			if f.Claims != nil {
				projected[i].Later = &emulator.Later{Request: f.Claims, Size: int64(serviceaccount.Size(f.Claims))}
				k.accountless = k.accountless || k.Around.Account == nil && k.signer.AwaitsAccount
			}
		}
		changed, err := k.runtime.Write(k.now.Time, v.Name, k.fsGroup(), projected)
		if changed {
			k.touched = true
		}
		return err
	case v.Image != nil:
		if image, err := k.Images.Find(v.Image.Reference); err == nil && image.PullError == "" { // otherwise no container that mounts it starts
			k.runtime.Show(k.now.Time, v.Name, image)
		}
	case v.EmptyDir != nil && v.EmptyDir.SizeLimit != nil:
		k.runtime.Empty(k.now.Time, v.Name, v.EmptyDir.SizeLimit.Value())
	default:
		k.runtime.Empty(k.now.Time, v.Name, 0)
	}
	return nil
}

// around are the Pod's surroundings, with an empty ConfigMap for the cluster's certificates if it
// does not exist yet.
func (k *sync) around() podsetup.Surroundings {
	around := k.Around
	around.Node, around.Issued = k.Node, k.issued
	if around.ConfigMaps[need.RootCA] != nil {
		return around
	}
	maps := make(map[string]*corev1.ConfigMap, len(around.ConfigMaps)+1)
	for name, cm := range around.ConfigMaps {
		maps[name] = cm
	}
	maps[need.RootCA] = &corev1.ConfigMap{Data: map[string]string{"ca.crt": ""}}
	around.ConfigMaps = maps
	return around
}

func (k *sync) fsGroup() int {
	if ctx := k.Pod.Spec.SecurityContext; ctx != nil && ctx.FSGroup != nil {
		return int(*ctx.FSGroup)
	}
	return 0
}

// readVolume reads a file in a volume, for the environment.
func (k *sync) readVolume(volume, file string) ([]byte, error) {
	return k.runtime.ReadFile(volume, file)
}

// mountsOf are the container's mounts.
func (k *sync) mountsOf(c *container, expand func(string) string) ([]emulator.Mount, error) {
	mounts := make([]emulator.Mount, 0, len(c.spec.VolumeMounts))
	for _, m := range c.spec.VolumeMounts {
		sub := m.SubPath
		if m.SubPathExpr != "" {
			if sub = expand(m.SubPathExpr); strings.Contains(sub, "$(") {
				return nil, fmt.Errorf("missing value for %q", m.SubPathExpr)
			}
		}
		if path.IsAbs(sub) || sub == ".." || strings.HasPrefix(path.Clean(sub), "../") {
			return nil, fmt.Errorf("failed to prepare subPath for volumeMount %q of container %q", m.Name, c.spec.Name)
		}
		if file := k.shown.FileOf(m.Name); file != "" {
			sub = file
		}
		mounts = append(mounts, emulator.Mount{
			Path: m.MountPath, Volume: m.Name, SubPath: sub,
			ReadOnly: m.ReadOnly || k.Claims[m.Name].ReadOnly || k.imageOf(m.Name) != nil,
		})
	}
	return mounts, nil
}

// tellOnce emits an event about the Pod unless it was the last one about the subject.
func (k *sync) tellOnce(subject, eventType, reason, message string) {
	if k.memory.Told[subject] == message {
		return
	}
	told := map[string]string{subject: message}
	for other, text := range k.memory.Told {
		if other != subject {
			told[other] = text
		}
	}
	k.memory.Told, k.touched = told, true
	k.podEvent(eventType, reason, message)
}

// sharedEvery is how often a Pod that shares files with others is synced, so that they see what it
// writes.
const sharedEvery = 10 * time.Second

// keepFiles are the files that the Pod has changed and that outlive it. Files created for its
// volumes are included only until the Pod is set up, so that a full node is not asked to store them
// forever.
func (k *sync) keepFiles() (files []plan.File) {
	if k.Pod.Status.PodIP == "" {
		files = k.shown.Made
	}
	for i := range k.Pod.Spec.Volumes {
		v := &k.Pod.Spec.Volumes[i]
		if !k.shown.Outlives(v) || !k.runtime.HasFiles() {
			continue
		}
		wrote := k.runtime.WroteHost(v.Name)
		k.touched = k.touched || len(wrote) > 0
		files = k.shown.Keep(files, v, wrote)
		if k.Shared && k.runtime.Live() {
			k.wakeAt(k.now.Add(sharedEvery))
		}
	}
	return files
}

// settleReferences schedules the sync of a Pod whose references have settled: see
// need.SettledReferences.
func (k *sync) settleReferences() {
	start := k.now
	if st := k.status.StartTime; st != nil {
		start = *st
	}
	if at := start.Add(need.SettledReferences); k.Now.Before(at) && need.RefersToWritten(&k.Pod.Spec) {
		k.wakeAt(at)
	}
}

// real is real time, in whole seconds.
func (k *sync) real() time.Time {
	if k.Real.IsZero() {
		return k.now.Time
	}
	return k.Real.Truncate(time.Second)
}

// issued is when the token in a volume was issued, as defined by podsetup.Surroundings.Issued.
func (k *sync) issued(t podsetup.Token) int64 {
	if !k.runtime.HasFiles() {
		return k.real().Unix()
	}
	issued, tokens, changed := token.Issue(k.memory.Tokens, t, k.real())
	if changed {
		k.memory.Tokens, k.touched = tokens, true
	}
	return issued
}

// awaitRenewal schedules a sync for when a token must be renewed.
func (k *sync) awaitRenewal() {
	if after := token.NextRenewal(k.memory.Tokens, k.real()); after > 0 {
		k.wakeAt(k.now.Add(after))
	}
}
