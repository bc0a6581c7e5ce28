package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
)

// notSubdomain is the message for names that are not DNS subdomains.
const notSubdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric " +
	"character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

// spec returns the manifest of an object of the kind, named web, with one of its lines replaced.
func spec(kind, old, tried string) string {
	manifest := workload(kind, "web", 1, "terminationGracePeriodSeconds: 1")
	if !strings.Contains(manifest, old) {
		panic("there is no " + old)
	}
	return strings.Replace(manifest, old, tried, 1)
}

func invalid(message string) answer {
	return answer{Code: http.StatusUnprocessableEntity, Reason: "Invalid", Message: message}
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec and ValidateDeploymentSpec
func TestCreation_IsRefused(t *testing.T) {
	t.Parallel()
	const (
		selector = "selector: {matchLabels: {app: web}}"
		labels   = "metadata: {labels: {app: web}}"
		grace    = "terminationGracePeriodSeconds: 1"
		name     = "metadata: {name: web}"
		replicas = "replicas: 1"
		ofSet    = `ReplicaSet.apps "web" is invalid: `
		of       = `Deployment.apps "web" is invalid: `
	)
	rows := []struct {
		name, manifest string
		want           answer
	}{
		{
			"RS-002 a selector is required", spec("ReplicaSet", selector, ""),
			invalid(ofSet + "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: " +
				"`selector` does not match template `labels`]"),
		},
		{"RS-002 a template is required", "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web}\nspec: {selector: {matchLabels: {app: web}}}",
			invalid(ofSet + "[spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]")},
		{"RS-003 a name is a DNS subdomain", spec("ReplicaSet", name, "metadata: {name: Bad_Name}"),
			invalid(`ReplicaSet.apps "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": ` + notSubdomain)},
		{"RS-005 labels are required", spec("ReplicaSet", labels, "metadata: {}"),
			invalid(ofSet + "spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`")},
		{"RS-005 labels must match", spec("ReplicaSet", labels, "metadata: {labels: {app: other}}"),
			invalid(ofSet + "spec.template.metadata.labels: Invalid value: {\"app\":\"other\"}: `selector` does not match template `labels`")},
		{"RS-005 an empty selector selects too much", spec("ReplicaSet", selector, "selector: {}"),
			invalid(ofSet + "spec.selector: Invalid value: {}: empty selector is invalid for deployment")},
		{"RS-003 a name is required", spec("ReplicaSet", name, "metadata: {labels: {a: b}}"),
			invalid(`ReplicaSet.apps "" is invalid: metadata.name: Required value: name or generateName is required`)},
		{"RS-006 there is no fourth policy", spec("ReplicaSet", grace, "restartPolicy: Sometimes"),
			invalid(ofSet + `[spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never", ` +
				`spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"]`)},
		{"RS-006 Pods have no deadline", spec("ReplicaSet", grace, "activeDeadlineSeconds: 5"),
			invalid(ofSet + "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported")},
		{"RS-029 operators are few", spec("ReplicaSet", selector, "selector: {matchExpressions: [{key: app, operator: Is, values: [web]}]}"),
			invalid(ofSet + `[spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator, ` +
				`spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is","values":["web"]}]}: invalid label selector]`)},
		{"RS-006 Pods are always restarted", spec("ReplicaSet", grace, "restartPolicy: Never"),
			invalid(ofSet + `spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`)},
		{"DEP-002 a selector is required, DEP-003 and not taken from the template", spec("Deployment", selector, ""),
			invalid(of + "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`]")},
		{"DEP-004 the selector must match", spec("Deployment", selector, "selector: {matchLabels: {app: web, tier: front}}"),
			invalid(of + "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`")},
		{"DEP-007 a name is a DNS subdomain", spec("Deployment", name, "metadata: {name: web-}"),
			invalid(`Deployment.apps "web-" is invalid: metadata.name: Invalid value: "web-": ` + notSubdomain)},
		{"DEP-008 replicas are not negative", spec("Deployment", replicas, "replicas: -1"),
			invalid(of + "spec.replicas: Invalid value: -1: must be greater than or equal to 0")},
		{"DEP-009 Pods are always restarted", spec("Deployment", grace, "restartPolicy: OnFailure"),
			invalid(of + `spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"`)},
		{"DEP-010 there are two strategies", spec("Deployment", replicas, "strategy: {type: BlueGreen}"),
			invalid(of + `spec.strategy: Unsupported value: {"Type":"BlueGreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"`)},
		{"DEP-010 Recreate has no bounds", spec("Deployment", replicas, "strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}"),
			invalid(of + "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'")},
		{"DEP-012 percentages are whole", spec("Deployment", replicas, "strategy: {rollingUpdate: {maxSurge: 2.5%}}"),
			invalid(of + `spec.strategy.rollingUpdate.maxSurge: Invalid value: "2.5%": ` +
				`a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', ` +
				`regex used for validation is '[0-9]+%')`)},
		{"DEP-013 one bound is not 0", spec("Deployment", replicas, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}"),
			invalid(of + "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0")},
		{"DEP-013 nor 0 in a hundred", spec("Deployment", replicas, "strategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 0}}"),
			invalid(of + "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0")},
		{"DEP-013 nothing is negative", spec("Deployment", replicas, "strategy: {rollingUpdate: {maxSurge: -1}}"),
			invalid(of + "spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0")},
		{"DEP-013 nor are more than all unavailable", spec("Deployment", replicas, "strategy: {rollingUpdate: {maxUnavailable: 101%}}"),
			invalid(of + `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`)},
		{"DEP-014 minReadySeconds are not negative", spec("Deployment", replicas, "minReadySeconds: -1"),
			invalid(of + "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0")},
		{"DEP-015 progress takes longer than readiness", spec("Deployment", replicas, "progressDeadlineSeconds: 10\n  minReadySeconds: 10"),
			invalid(of + "spec.progressDeadlineSeconds: Invalid value: 10: must be greater than minReadySeconds")},
		{"DEP-016 no history is not less than none", spec("Deployment", replicas, "revisionHistoryLimit: -1"),
			invalid(of + "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0")},
		{"DEP-017 paused is a boolean", spec("Deployment", replicas, "paused: perhaps"),
			answer{
				Code: http.StatusBadRequest, Reason: "BadRequest",
				Message: `Deployment in version "v1" cannot be handled as a Deployment: json: ` +
					`cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool`,
			}},
	}
	onEach(t, func(f *front) {
		for _, row := range rows {
			f.run(row.name, func(f *front) {
				if diff := cmp.Diff(row.want, f.create("default", row.manifest)); diff != "" {
					f.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	})
}

// Source: kubernetes v1.36 pkg/registry/apps/replicaset/strategy.go, ValidateUpdate, .../storage/storage.go,
// scaleUpdatedObjectInfo, and staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go, BeforeDelete
func TestChange_IsRefused(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.must(f.create("default", replicaSet("web", 0, "")))
		rs := get[appsv1.ReplicaSet](f, replicaSets, "default", "web")
		f.must(f.patch(replicaSets, "default", "web", `{"metadata":{"labels":{"a":"b"}}}`))
		conflict := func(text string) answer { return answer{http.StatusConflict, "Conflict", text} }
		for _, row := range []struct {
			name, method, path, contentType, body string
			want                                  answer
		}{
			{"RS-001 a name is taken", http.MethodPost, "", "application/yaml", replicaSet("web", 1, ""),
				answer{http.StatusConflict, "AlreadyExists", `replicasets.apps "web" already exists`}},
			{"RS-005 the selector stays", http.MethodPatch, "/web", "application/merge-patch+json", `{"spec":{"selector":{"matchLabels":{"app":"b"}},"template":{"metadata":{"labels":{"app":"b"}}}}}`,
				invalid(`ReplicaSet.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable`)},
			{"RS-016 an earlier version is refused", http.MethodPut, "/web", "application/yaml",
				strings.Replace(replicaSet("web", 5, ""), "{name: web}", "{name: web, resourceVersion: '"+rs.ResourceVersion+"'}", 1),
				conflict(`Operation cannot be fulfilled on replicasets.apps "web": the object has been modified; please apply your changes to the latest version and try again`)},
			{"RS-017 another uid is not deleted", http.MethodDelete, "/web", "application/json", `{"preconditions":{"uid":"other"}}`,
				conflict(fmt.Sprintf(`Operation cannot be fulfilled on ReplicaSet.apps "web": the UID in the precondition `+
					`(other) does not match the UID in record (%s). The object might have been deleted and then recreated`, rs.UID))},
			{"RS-028 a scale is not negative", http.MethodPatch, "/web/scale", "application/merge-patch+json", `{"spec":{"replicas":-1}}`,
				invalid(`Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`)},
		} {
			f.run(row.name, func(f *front) {
				if diff := cmp.Diff(row.want, judged(f.send(row.method, listPath(replicaSets, "default")+row.path, row.contentType, row.body))); diff != "" {
					f.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		f.run("RS-002 a namespace is missing", func(f *front) {
			want := answer{http.StatusNotFound, "NotFound", `namespaces "missing" not found`}
			if diff := cmp.Diff(want, f.create("missing", replicaSet("web", 0, ""))); diff != "" {
				f.Errorf("(-want +got):\n%s", diff)
			}
		})
	})
}
