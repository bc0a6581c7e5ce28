package chaos_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// createJob creates a Job of n completions, eight at a time, each of which takes a second; failures
// do not end it.
func (c *clients) createJob(name string, n int32, indexed bool) {
	c.t.Helper()
	mode := batchv1.NonIndexedCompletion
	if indexed {
		mode = batchv1.IndexedCompletion
	}
	template := template(name, "busybox")
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	template.Spec.Containers[0].Command = []string{"sh", "-c", "sleep 1; exit 0"}
	do(c, "jobs.batch", func(ctx context.Context, client kubernetes.Interface) (*batchv1.Job, error) {
		jobs := client.BatchV1().Jobs(namespace)
		created, err := jobs.Create(ctx, &batchv1.Job{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: batchv1.JobSpec{
				Completions: &n, Parallelism: new(int32(8)), BackoffLimit: new(int32(10_000)), CompletionMode: &mode, Template: template,
			},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return jobs.Get(ctx, name, metav1.GetOptions{})
		}
		return created, err
	})
}

// deletePodOf deletes one of the Job's Pods, whatever state it is in, if a replica answers.
func (c *clients) deletePodOf(job string) {
	client := c.any()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "job-name=" + job})
	if err != nil || len(pods.Items) == 0 {
		return
	}
	victim := pods.Items[rand.IntN(len(pods.Items))].Name
	_ = client.CoreV1().Pods(namespace).Delete(ctx, victim, metav1.DeleteOptions{}) // it may be gone, or the replica
}

// awaitComplete waits until the Jobs have all their completions, and checks their status. It
// returns how many Pods are left.
func (c *clients) awaitComplete(names []string, n int32) int {
	c.t.Helper()
	for _, name := range names {
		var j *batchv1.Job
		eventually(c.t, name+" is complete", func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			var err error
			j, err = c.any().BatchV1().Jobs(namespace).Get(ctx, name, metav1.GetOptions{})
			return err == nil && slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == batchv1.JobComplete })
		})
		indexes := ""
		if *j.Spec.CompletionMode == batchv1.IndexedCompletion {
			indexes = "0-39"
		}
		if s := j.Status; s.Succeeded != n || s.CompletedIndexes != indexes || s.Active != 0 {
			c.t.Errorf("%s says %+v", name, s)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	pods, err := c.any().CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range pods.Items {
		if p := &pods.Items[i]; len(p.Finalizers) > 0 {
			c.t.Errorf("Pod %s has kept its finalizer", p.Name)
		}
	}
	return len(pods.Items)
}
