package podspec_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// spec returns the spec of a Pod with one container "c", unless the text has containers.
func spec(t *testing.T, text string) *corev1.PodSpec {
	t.Helper()
	s := &corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "busybox"}}}
	if err := yaml.UnmarshalStrict([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpec
func TestValidate(t *testing.T) {
	t.Parallel()
	windows := func(user string) string {
		return fmt.Sprintf("securityContext: {windowsOptions: {runAsUserName: %q}}", user)
	}
	badUser := func(user, why string) []string {
		return []string{fmt.Sprintf("spec.securityContext.windowsOptions.runAsUserName: Invalid value: %q: runAsUserName%s", user, why)}
	}
	const probed = "containers: [{name: c, image: busybox, livenessProbe: {httpGet: {port: 0, path: /}}}]"
	const limited = `containers: [{name: c, image: busybox, restartPolicy: Never, restartPolicyRules: [%s]}]`
	const rule = "{action: Restart, exitCodes: {operator: In, values: [1]}}"
	tests := []struct {
		name, spec string
		want       []string
	}{
		{"defaults are enough", "", nil},
		{"an invalid port and nothing else of a probe", probed, []string{
			"spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive",
		}},
		{"policies that do not exist", "{restartPolicy: Sometimes, dnsPolicy: Local, preemptionPolicy: Always}", []string{
			`spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`,
			`spec.dnsPolicy: Unsupported value: "Local": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"`,
			`spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"`,
		}},
		{"a deadline after more than 68 years", "activeDeadlineSeconds: 2147483648", []string{
			"spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive",
		}},
		{"20 restart rules", fmt.Sprintf(limited, strings.Repeat(rule+",", 20)), nil},
		{"21 restart rules", fmt.Sprintf(limited, strings.Repeat(rule+",", 21)), []string{
			"spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 items",
		}},
		{"256 exit codes", fmt.Sprintf(limited, strings.Replace(rule, "[1]", "["+strings.Repeat("1,", 256)+"]", 1)), []string{
			"spec.containers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items",
		}},
		{"no namespace is both shared and the host's", "{hostPID: true, shareProcessNamespace: true}", []string{
			"spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
		}},
		{"no parameter of the host's kernel", "{hostIPC: true, hostNetwork: true, securityContext: {sysctls: [{name: kernel.shm_rmid_forced}, " +
			"{name: net/core/somaxconn}, {name: kernel.hostname}, {name: Kernel.x}, {name: kernel.hostname}, {name: ''}]}}", []string{
			`spec.securityContext.sysctls[0].name: Invalid value: "kernel.shm_rmid_forced": may not be specified when 'hostIPC' is true`,
			`spec.securityContext.sysctls[1].name: Invalid value: "net/core/somaxconn": may not be specified when 'hostNetwork' is true`,
			`spec.securityContext.sysctls[3].name: Invalid value: "Kernel.x": must have at most 253 characters and match regex ` +
				`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`,
			`spec.securityContext.sysctls[4].name: Duplicate value: "kernel.hostname"`, "spec.securityContext.sysctls[5].name: Required value",
		}},
		{"AppArmor profiles", "{securityContext: {appArmorProfile: {type: Localhost, localhostProfile: ''}}, containers: [" +
			"{name: a, image: b, securityContext: {appArmorProfile: {type: Localhost, localhostProfile: ' x'}}}, " +
			"{name: b, image: b, securityContext: {appArmorProfile: {type: Unconfined, localhostProfile: x}}}]}", []string{
			`spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " x": must not be padded with whitespace`,
			`spec.containers[1].securityContext.appArmorProfile.localhostProfile: Invalid value: "x": ` +
				"can only be set when AppArmor type is Localhost",
			"spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost",
		}},
		{"volumes are relabelled recursively", "securityContext: {seLinuxChangePolicy: MountOption}", []string{
			`spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"`,
		}},
		{"a long path of search", "dnsConfig: {searches: [" + strings.Repeat("a,", 33) + "]}", []string{
			"spec.dnsConfig.searches: Invalid value: [" + strings.Repeat(`"a",`, 32) + `"a"]: must not have more than 32 search paths`,
		}},
		{"a user of a domain", windows(`example.com\root`), nil},
		{"a user with two domains", windows(`a\b\c`), badUser(`a\b\c`, " cannot contain more than one backslash")},
		{"no user of a domain", windows(`a\`), badUser(`a\`, "'s User cannot be empty")},
		{"a user without a domain before the backslash", windows(`\a`), badUser(`\a`, "'s Domain doesn't match the NetBios nor the DNS format")},
		{"a user of dots", windows("..."), badUser("...", "'s User cannot contain only periods or spaces")},
		{"a user with a comma", windows("a,b"), badUser("a,b", `'s User cannot contain the following characters: "/\:;|=,+*?<>@[]`)},
		{"a user in two lines", windows("a\nb"), badUser("a\nb", " cannot contain control characters")},
		{"a user with a long name", windows(strings.Repeat("a", 105)),
			badUser(strings.Repeat("a", 105), "'s User length must not be longer than 104 characters")},
		{"two constraints on the same spread", "topologySpreadConstraints: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, " +
			"minDomains: 1}, {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]", []string{
			"spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
			`spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, ScheduleAnyway}"`,
			"spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, " +
				"not ScheduleAnyway",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := spec(t, tt.spec)
			podspec.Default(s)
			kindtest.Diff(t, tt.want, kindtest.Texts(podspec.Validate(s, &metav1.ObjectMeta{Name: "web"}, field.NewPath("spec"))))
		})
	}
	t.Run("without defaults", func(t *testing.T) {
		t.Parallel()
		kindtest.Diff(t, []string{
			"terminationGracePeriodSeconds: Required value", "containers: Required value",
			"restartPolicy: Required value", "dnsPolicy: Required value",
		}, kindtest.Texts(podspec.Validate(&corev1.PodSpec{}, nil, nil)))
	})
}

// Source: kubernetes v1.36 pkg/api/pod/warnings.go
func TestWarn(t *testing.T) {
	t.Parallel()
	const zone = `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`
	const nothing = "a null labelSelector results in matching no pod"
	const fraction = "is invalid, must be an integer"
	tests := []struct {
		name, spec string
		want       []string
	}{
		{"nothing", "", nil},
		{"old labels of nodes", "{nodeSelector: {failure-domain.beta.kubernetes.io/zone: a, disk: ssd}, topologySpreadConstraints: [" +
			"{maxSkew: 1, topologyKey: failure-domain.beta.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}]}", []string{
			"t.spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: " + zone,
			"t.spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is " + zone,
			"t.spec.topologySpreadConstraints[0].labelSelector: " + nothing,
		}},
		{"preferences for nodes that cannot be", "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" +
			"{weight: 1, preference: {matchExpressions: [{key: disk, operator: In, values: [a_]}]}}]}}", []string{
			"t.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: " +
				"a_ is invalid, " + kindtest.NotLabelValue,
		}},
		{"affinity to no Pod", "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}, " +
			"podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: a}}]}}", []string{
			"t.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: " + nothing,
			"t.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: " + nothing,
		}},
		{"volumes that do not work", "volumes: [{name: a, gitRepo: {repository: r}}, {name: b, storageos: {}}, {name: c, ephemeral: " +
			"{volumeClaimTemplate: {spec: {resources: {requests: {storage: 500m}}}}}}]", []string{
			"t.spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
			"t.spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
			`t.spec.volumes[2].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "500m" ` + fraction,
		}},
		{"files that hide each other", "volumes: [{name: v, configMap: {name: m, items: [{path: a}, {path: a/b}, {path: ab}]}}, " +
			"{name: p, projected: {sources: [{secret: {name: s, items: [{path: x/y/}]}}, {}, {downwardAPI: {items: [{path: x}]}}, " +
			"{serviceAccountToken: {path: x}}]}}]", []string{
			`volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a"`, `volume "p" (Projected) has no sources provided`,
			`volume "p" (Projected): overlapping paths: "x" (DownwardAPI) with "x/y" (Secret "s")`,
			`volume "p" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x/y" (Secret "s")`,
			`volume "p" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x" (DownwardAPI)`,
		}},
		{"lists", "{hostAliases: [{ip: 10.0.0.01}, {ip: '::FFFF'}, {ip: '::FFFF'}], imagePullSecrets: [{name: ''}, {name: ''}]}", []string{
			`t.spec.hostAliases[2].ip: duplicate ip "::FFFF"`, `t.spec.imagePullSecrets[1].name: duplicate name ""`,
			`t.spec.imagePullSecrets[0].name: invalid empty name ""`, `t.spec.imagePullSecrets[1].name: invalid empty name ""`,
			`t.spec.hostAliases[0].ip: non-standard IP address "10.0.0.01" is invalid: use "10.0.0.1"`,
			`t.spec.hostAliases[1].ip: IPv6 address "::FFFF" should be in RFC 5952 canonical format ("::ffff")`,
			`t.spec.hostAliases[2].ip: IPv6 address "::FFFF" should be in RFC 5952 canonical format ("::ffff")`,
		}},
		{"amounts", "{overhead: {memory: 1m, cpu: 1m}, terminationGracePeriodSeconds: -1, initContainers: [{name: i, resources: " +
			"{limits: {memory: 500m, ephemeral-storage: 1500m}, requests: {memory: 250m}}}]}", []string{
			`t.spec.overhead[memory]: fractional byte value "1m" ` + fraction,
			`t.spec.initContainers[0].resources.limits[memory]: fractional byte value "500m" ` + fraction,
			`t.spec.initContainers[0].resources.requests[memory]: fractional byte value "250m" ` + fraction,
			`t.spec.initContainers[0].resources.limits[ephemeral-storage]: fractional byte value "1500m" ` + fraction,
			"t.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
		}},
		{"variables that are set twice", "containers: [{env: [{name: A, value: x}, {name: A, value: $(A)y}, {name: A, value: $(A)}]}]", []string{
			`t.spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply`,
		}},
		{"ports", "containers: [{ports: [{containerPort: 1, name: web}, {containerPort: 1}, " +
			"{containerPort: 1, hostPort: 2, hostIP: 10.0.0.1}, {containerPort: 1, hostPort: 2}, " +
			"{containerPort: 3, hostIP: 10.0.0.1, name: web}]}]", []string{
			"t.spec.containers[0].ports[1]: duplicate port definition with t.spec.containers[0].ports[0]",
			"t.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[0]",
			"t.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[1]",
			"t.spec.containers[0].ports[3]: overlapping port definition with t.spec.containers[0].ports[0]",
			"t.spec.containers[0].ports[3]: overlapping port definition with t.spec.containers[0].ports[1]",
			"t.spec.containers[0].ports[3]: dangerously ambiguous port definition with t.spec.containers[0].ports[2]",
			"t.spec.containers[0].ports[4]: hostIP set without hostPort: {Name:web HostPort:0 ContainerPort:3 Protocol: HostIP:10.0.0.1}",
			`t.spec.containers[0].ports[4]: duplicate port name "web" with t.spec.containers[0].ports[0], ` +
				"services and probes that select ports by name will use t.spec.containers[0].ports[0]",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, podspec.Warn(field.NewPath("t"), spec(t, tt.spec), &metav1.ObjectMeta{}))
		})
	}
	t.Run("annotations that have become fields", func(t *testing.T) {
		t.Parallel()
		meta := &metav1.ObjectMeta{Annotations: map[string]string{
			"scheduler.alpha.kubernetes.io/critical-pod": "", "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
			"container.apparmor.security.beta.kubernetes.io/c": "unconfined",
		}}
		const critical = "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: " +
			`non-functional in v1.16+; use the "priorityClassName" field instead`
		const seccomp = "metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: " +
			`non-functional in v1.27+; use the "seccompProfile" field instead`
		const appArmor = "t.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: " +
			`deprecated since v1.30; use the "appArmorProfile" field instead`
		kindtest.Diff(t, []string{"t." + critical, "t." + seccomp, appArmor}, podspec.Warn(field.NewPath("t"), spec(t, ""), meta))
		kindtest.Diff(t, []string{critical, seccomp}, podspec.Warn(nil, spec(t, ""), meta)) // a Pod's own field is set from the annotation
	})
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec
func TestValidateSelectorAndTemplate(t *testing.T) {
	t.Parallel()
	const noMatch = "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`"
	template := kindtest.Template(map[string]string{"app": "web"})
	podspec.DefaultTemplate(&template)
	job := *template.DeepCopy()
	job.Spec.RestartPolicy, job.Spec.ActiveDeadlineSeconds = corev1.RestartPolicyNever, new(int64(1))
	web := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	near := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Near"}}}
	tests := []struct {
		name     string
		selector *metav1.LabelSelector
		template corev1.PodTemplateSpec
		want     []string
	}{
		{"a selector that matches", web, template, nil},
		{"none matches nothing", nil, template, []string{"spec.selector: Required value", noMatch}},
		{"an empty one", &metav1.LabelSelector{}, template, []string{
			"spec.selector: Invalid value: {}: empty selector is invalid for deployment",
		}},
		{"an invalid one", near, corev1.PodTemplateSpec{}, []string{
			`spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
			`spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near"}]}: invalid label selector`,
		}},
		{"one that does not match", &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}, template, []string{noMatch}},
		{"Pods that end", web, job, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			errs := podspec.ValidateSelectorAndTemplate(tt.selector, &tt.template, field.NewPath("spec"))
			kindtest.Diff(t, tt.want, kindtest.Texts(errs))
		})
	}
}

// A workload is warned about at creation, and about its template whenever its generation changes.
func TestWarnOfWorkload(t *testing.T) {
	t.Parallel()
	template := &corev1.PodTemplateSpec{Spec: *spec(t, "overhead: {memory: 1m}")}
	name := "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; " +
		"a DNS label is recommended: [must not contain dots]"
	overhead := `spec.template.spec.overhead[memory]: fractional byte value "1m" is invalid, must be an integer`
	old := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "a.b", Generation: 1}}
	next := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "a.b", Generation: 2}}
	kindtest.Diff(t, []string{name, overhead}, podspec.WarnOfWorkload(old, nil, template))
	kindtest.Diff(t, []string{overhead}, podspec.WarnOfWorkload(next, old, template))
	kindtest.Diff(t, []string(nil), podspec.WarnOfWorkload(old, old, template))
}
