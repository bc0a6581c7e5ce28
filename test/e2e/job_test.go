package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var jobs = batchv1.SchemeGroupVersion.WithResource("jobs")

// job returns the manifest of a Job named j with one container named main; spec and template are
// added to the specs of the Job and of its Pods.
func job(spec, command, template string) string {
	return fmt.Sprintf(`
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  %s
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: busybox%s}]
      %s
`, spec, command, template)
}

const (
	succeeds = `, command: ["true"]`
	uidLabel = "batch.kubernetes.io/controller-uid"
)

// hasCondition reports whether the Job has the condition, and it is true.
func hasCondition(kind batchv1.JobConditionType) func(*batchv1.Job) bool {
	return func(j *batchv1.Job) bool {
		return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == kind && c.Status == corev1.ConditionTrue })
	}
}

func isTracked(p corev1.Pod) bool { return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) }

func TestJob(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("JOB-001 JOB-002 JOB-011 JOB-040 a Job is done when its Pod is, and both stay", func(f *front) {
			ns := f.namespace("job-001")
			f.must(f.create(ns, job("", succeeds, "")))
			j := awaitOne(f, jobs, ns, "j", hasCondition(batchv1.JobComplete))
			if s := j.Status; s.Succeeded != 1 || s.Active != 0 || s.Failed != 0 || s.StartTime == nil || s.CompletionTime == nil || *s.Ready != 0 || *s.Terminating != 0 {
				f.Errorf("status is %+v", s)
			}
			all := await(f, pods, ns, func(all []corev1.Pod) bool { return len(all) == 1 && !isTracked(all[0]) })
			if all[0].Status.Phase != corev1.PodSucceeded || !strings.HasPrefix(all[0].Name, "j-") || !ownedBy(all[0], j.UID) {
				f.Errorf("the Pod is %s", brief(all))
			}
		})
		f.run("JOB-005 JOB-006 JOB-007 JOB-067 JOB-069 labels, selector and finalizer", func(f *front) { jobLabels(f, f.namespace("job-006")) })
		f.run("JOB-022 JOB-025 Pods of an Indexed Job differ in their index only", func(f *front) { indexedPods(f, f.namespace("job-022")) })
		f.run("JOB-048 an evicted Pod is ignored, and replaced", func(f *front) { evictedPod(f, f.namespace("job-048")) })
		f.run("JOB-061 JOB-060 what may be changed", func(f *front) { jobChanges(f, f.namespace("job-061")) })
		f.run("JOB-066 two Jobs may select the same Pods", func(f *front) {
			ns := f.namespace("job-066")
			own := "manualSelector: true\n  selector: {matchLabels: {app: same}}"
			manifest := strings.Replace(job(own, sleeps, "terminationGracePeriodSeconds: 0"), "template:\n", "template:\n    metadata: {labels: {app: same}}\n", 1)
			f.must(f.create(ns, manifest))
			first := await(f, pods, ns, allReady(1))[0]
			f.must(f.create(ns, strings.Replace(manifest, "{name: j}", "{name: k}", 1)))
			all := await(f, pods, ns, allReady(2))
			if !slices.ContainsFunc(all, func(p corev1.Pod) bool { return p.UID == first.UID }) {
				f.Errorf("the first Pod is gone: %v", names(all))
			}
		})
		f.run("JOB-041 GC-012 C-07 without options the Pods stay, and can go", func(f *front) {
			ns := f.namespace("job-041")
			f.must(f.create(ns, job("", sleeps, "terminationGracePeriodSeconds: 0")))
			name := await(f, pods, ns, allReady(1))[0].Name
			f.must(f.remove(jobs, ns, "j", ""))
			await(f, pods, ns, func(all []corev1.Pod) bool {
				return len(all) == 1 && all[0].DeletionTimestamp == nil && all[0].OwnerReferences == nil && !isTracked(all[0])
			})
			f.must(f.remove(pods, ns, name, ""))
			await(f, pods, ns, allReady(0))
		})
		f.run("JOB-072 each pattern is accepted", func(f *front) {
			ns := f.namespace("job-072")
			for i, pattern := range []string{"completions: 3", "parallelism: 2", "completions: 3\n  parallelism: 2\n  completionMode: Indexed", "completions: 1",
				"completions: 2\n  parallelism: 2\n  completionMode: Indexed"} {
				f.must(f.create(ns, strings.Replace(job(pattern, succeeds, ""), "{name: j}", fmt.Sprintf("{name: j%d}", i), 1)))
			}
			await(f, jobs, ns, func(all []batchv1.Job) bool {
				return len(all) == 5 && !slices.ContainsFunc(all, func(j batchv1.Job) bool { return !hasCondition(batchv1.JobComplete)(&j) })
			})
		})
		f.run("JOB-068 a client that takes the finalizer off loses the count of the Pod", func(f *front) {
			ns := f.namespace("job-068")
			f.must(f.create(ns, job("", sleeps, "terminationGracePeriodSeconds: 0")))
			p := await(f, pods, ns, allReady(1))[0]
			f.must(f.patch(pods, ns, p.Name, `{"metadata":{"finalizers":null}}`))
			f.must(f.remove(pods, ns, p.Name, force))
			all := await(f, pods, ns, func(all []corev1.Pod) bool { return allReady(1)(all) && all[0].UID != p.UID })
			if j := get[batchv1.Job](f, jobs, ns, "j"); j.Status.Failed != 0 || j.Status.Active != 1 {
				f.Errorf("status is %+v with %v", j.Status, names(all))
			}
		})
	})
}

func jobLabels(f *front, ns string) {
	f.must(f.create(ns, job("", sleeps, "terminationGracePeriodSeconds: 0")))
	j := get[batchv1.Job](f, jobs, ns, "j")
	want := map[string]string{uidLabel: string(j.UID), "batch.kubernetes.io/job-name": "j", "controller-uid": string(j.UID), "job-name": "j"}
	if d := cmp.Diff(want, j.Spec.Template.Labels); d != "" {
		f.Errorf("labels of the template (-want +got):\n%s", d)
	}
	if d := cmp.Diff(&metav1.LabelSelector{MatchLabels: map[string]string{uidLabel: string(j.UID)}}, j.Spec.Selector); d != "" {
		f.Errorf("selector (-want +got):\n%s", d)
	}
	p := await(f, pods, ns, allReady(1))[0]
	if d := cmp.Diff(want, p.Labels); d != "" {
		f.Errorf("labels of the Pod (-want +got):\n%s", d)
	}
	if len(j.Annotations) > 0 || !isTracked(p) {
		f.Errorf("annotations of the Job are %v, finalizers of the Pod %v", j.Annotations, p.Finalizers)
	}
}

func indexedPods(f *front, ns string) {
	f.must(f.create(ns, job("completionMode: Indexed\n  completions: 2\n  parallelism: 2", sleeps, "initContainers: [{name: init, image: busybox, command: [\"true\"]}]")))
	all := await(f, pods, ns, allReady(2))
	for i := range all {
		spec := &all[i].Spec
		for _, c := range []corev1.Container{spec.Containers[0], spec.InitContainers[0]} {
			want := []corev1.EnvVar{{Name: "JOB_COMPLETION_INDEX", ValueFrom: &corev1.EnvVarSource{
				FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']"},
			}}}
			if d := cmp.Diff(want, c.Env); d != "" {
				f.Errorf("environment of %s (-want +got):\n%s", c.Name, d)
			}
		}
		if want := fmt.Sprintf("j-%d", i); spec.Hostname != want || !strings.HasPrefix(all[i].Name, want+"-") {
			f.Errorf("Pod %s has the hostname %s", all[i].Name, spec.Hostname)
		}
		spec.Hostname, spec.NodeName = "", ""
		spec.Containers[0].VolumeMounts, spec.InitContainers[0].VolumeMounts, spec.Volumes = nil, nil, nil
	}
	if d := cmp.Diff(all[0].Spec, all[1].Spec); d != "" {
		f.Errorf("the specs differ:\n%s", d)
	}
}

// evictedPod is replaced after the pause that follows any failure.
func evictedPod(f *front, ns string) {
	f.must(f.create(ns, job("backoffLimit: 0\n  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}", sleeps, "terminationGracePeriodSeconds: 1")))
	p := await(f, pods, ns, allReady(1))[0]
	f.must(judged(f.send(http.MethodPost, listPath(pods, ns)+"/"+p.Name+"/eviction", "application/json",
		`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"`+p.Name+`","namespace":"`+ns+`"}}`)))
	await(f, pods, ns, func(all []corev1.Pod) bool { return allReady(1)(all) && all[0].UID != p.UID })
	if j := get[batchv1.Job](f, jobs, ns, "j"); j.Status.Failed != 0 || len(j.Status.Conditions) > 0 {
		f.Errorf("status is %+v", j.Status)
	}
}

// jobChanges tries to change a Job that is suspended and has not begun, and the same Job while it
// runs.
func jobChanges(f *front, ns string) {
	f.must(f.create(ns, job("suspend: true", sleeps, "terminationGracePeriodSeconds: 0")))
	awaitOne(f, jobs, ns, "j", hasCondition(batchv1.JobSuspended))
	const directives = `{"spec":{"template":{"metadata":{"labels":{"a":"b"},"annotations":{"c":"d"}},"spec":{"nodeSelector":{"kubernetes.io/os":"linux"},"tolerations":[{"operator":"Exists"}]}}}}`
	f.must(f.patch(jobs, ns, "j", directives))
	f.must(f.patch(jobs, ns, "j", `{"spec":{"suspend":false}}`))
	if p := await(f, pods, ns, allReady(1))[0]; p.Labels["a"] != "b" || p.Annotations["c"] != "d" || p.Spec.NodeSelector["kubernetes.io/os"] != "linux" {
		f.Errorf("the Pod is %s", brief([]corev1.Pod{p}))
	}
	for _, change := range []string{
		`{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/os":"windows"}}}}}`,
		`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"other"}]}}}}`,
		`{"spec":{"selector":{"matchLabels":{"x":"y"}}}}`,
		`{"spec":{"completionMode":"Indexed"}}`,
		`{"spec":{"completions":2}}`,
	} {
		if a := f.patch(jobs, ns, "j", change); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.Message, "field is immutable") {
			f.Errorf("%s is answered with %+v", change, a)
		}
	}
	f.must(f.patch(jobs, ns, "j", `{"spec":{"parallelism":2,"backoffLimit":9,"activeDeadlineSeconds":1000}}`))
}

// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJob and validateJobSpec
func TestJob_CreationIsRefused(t *testing.T) {
	t.Parallel()
	const (
		of    = `Job.batch "j" is invalid: `
		never = "restartPolicy: Never"

		required = `spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`
	)
	policy := func(rule string) string { return "podFailurePolicy: {rules: [" + rule + "]}" }
	const exit = `onExitCodes: {containerName: main, operator: In, values: [42]}`
	rows := []struct {
		name, manifest string
		want           answer
	}{
		{
			"JOB-002 a template is required", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {}",
			invalid(of + `[spec.template.spec.containers: Required value, spec.template.spec.restartPolicy: Required value: ` +
				`valid values: "OnFailure", "Never"]`),
		},
		{"JOB-004 restartPolicy is required", strings.Replace(job("", succeeds, ""), never, "", 1), invalid(of + required)},
		{"JOB-004 Always is none", strings.Replace(job("", succeeds, ""), never, "restartPolicy: Always", 1), invalid(of + required)},
		{"JOB-016 parallelism is not negative", job("parallelism: -1", succeeds, ""), invalid(of + `spec.parallelism: Invalid value: -1: must be greater than or equal to 0`)},
		{"JOB-019 an Indexed Job has completions", job("parallelism: 2\n  completionMode: Indexed", succeeds, ""), invalid(of + `spec.completions: Required value: when completion mode is Indexed`)},
		{
			"JOB-043 a podFailurePolicy needs Never",
			strings.Replace(job(policy("{action: FailJob, "+exit+"}"), succeeds, ""), never, "restartPolicy: OnFailure", 1),
			invalid(of + `spec.template.spec.restartPolicy: Invalid value: "OnFailure": ` +
				`only "Never" is supported when podFailurePolicy is specified`),
		},
		{
			"JOB-045 a container must be there",
			job(policy("{action: FailJob, "+strings.Replace(exit, "main", "other", 1)+"}"), succeeds, ""),
			invalid(of + `spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "other": ` +
				`must be one of the container or initContainer names in the pod template`),
		},
		{
			"JOB-046 there are four actions", job(policy("{action: Retry, "+exit+"}"), succeeds, ""),
			invalid(of + `spec.podFailurePolicy.rules[0].action: Unsupported value: "Retry": supported values: "Count", ` +
				`"FailIndex", "FailJob", "Ignore"`),
		},
	}
	onEach(t, func(f *front) {
		for _, row := range rows {
			f.run(row.name, func(f *front) {
				if diff := cmp.Diff(row.want, f.create("default", row.manifest)); diff != "" {
					f.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		f.run("JOB-003 a name is a label value", func(f *front) {
			name := strings.Repeat("j", 64)
			a := f.create("default", strings.Replace(job("", succeeds, ""), "{name: j}", "{name: "+name+"}", 1))
			if a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.Message, `Invalid value: "`+name+`": must be no more than 63 bytes`) {
				f.Errorf("got %+v", a)
			}
		})
		f.run("JOB-064 a selector is generated", func(f *front) {
			labelled := strings.Replace(job("selector: {matchLabels: {app: j}}", succeeds, ""), "template:\n", "template:\n    metadata: {labels: {app: j}}\n", 1)
			if a := f.create("default", labelled); a.Code != http.StatusUnprocessableEntity || !strings.HasSuffix(a.Message, "`selector` not auto-generated") {
				f.Errorf("got %+v", a)
			}
		})
	})
}
