package core_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// configMap returns the ConfigMap "settings" as stored, with a change applied.
func configMap(change func(*corev1.ConfigMap)) *corev1.ConfigMap {
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "settings", Namespace: "default", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-2 * time.Hour)),
		},
		Data:       map[string]string{"color": "red"},
		BinaryData: map[string][]byte{"logo": {1, 2}},
	}
	if change != nil {
		change(cm)
	}
	return cm
}

func TestConfigMap_Validate(t *testing.T) {
	t.Parallel()
	const key = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`
	const maxBytes = 1 << 20
	tests := []struct {
		name   string
		change func(*corev1.ConfigMap)
		want   []string
	}{
		{"valid", nil, nil},
		{"keys", func(cm *corev1.ConfigMap) {
			cm.Data = map[string]string{"a b": "", "..": "", "ok": ""}
			cm.BinaryData = map[string][]byte{"c/d": nil}
		}, []string{
			`data[..]: Invalid value: "..": must not be '..'`,
			`data[a b]: Invalid value: "a b": ` + key,
			`binaryData[c/d]: Invalid value: "c/d": ` + key,
		}},
		{"a key twice", func(cm *corev1.ConfigMap) { cm.Data["logo"] = "x" }, []string{
			`data[logo]: Invalid value: "logo": duplicate of key present in binaryData`,
		}},
		{"as much as fits", func(cm *corev1.ConfigMap) {
			cm.Data = map[string]string{"a": strings.Repeat("x", maxBytes-2)}
		}, nil},
		{"too much", func(cm *corev1.ConfigMap) { cm.Data = map[string]string{"a": strings.Repeat("x", maxBytes-1)} }, []string{
			"[]: Too long: may not be more than 1048576 bytes",
		}},
		{"a namespace is needed", func(cm *corev1.ConfigMap) { cm.Namespace = "" }, []string{
			"metadata.namespace: Required value",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.ConfigMap.Validate(configMap(tt.change))))
		})
	}
}

func TestConfigMap_ValidateUpdate(t *testing.T) {
	t.Parallel()
	fixed := func(cm *corev1.ConfigMap) { cm.Immutable = new(true) }
	tests := []struct {
		name      string
		old, next func(*corev1.ConfigMap)
		want      []string
	}{
		{"data changes", nil, func(cm *corev1.ConfigMap) { cm.Data["color"] = "blue" }, nil},
		{"becomes immutable", nil, fixed, nil},
		{"immutable", fixed, func(cm *corev1.ConfigMap) { cm.Data, cm.BinaryData = nil, nil }, []string{
			"immutable: Forbidden: field is immutable when `immutable` is set",
			"data: Forbidden: field is immutable when `immutable` is set",
			"binaryData: Forbidden: field is immutable when `immutable` is set",
		}},
		{"immutable, turned off", fixed, func(cm *corev1.ConfigMap) { cm.Immutable = new(false) }, []string{
			"immutable: Forbidden: field is immutable when `immutable` is set",
		}},
		{"immutable, labels change", fixed, func(cm *corev1.ConfigMap) { fixed(cm); cm.Labels = map[string]string{"a": "b"} }, nil},
		{"immutable without data", func(cm *corev1.ConfigMap) { fixed(cm); cm.Data = nil }, func(cm *corev1.ConfigMap) {
			fixed(cm)
			cm.Data = map[string]string{}
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.ConfigMap.ValidateUpdate(configMap(tt.next), configMap(tt.old))))
		})
	}
}

func TestConfigMap_Row(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []any{"settings", int64(2), "120m"}, core.ConfigMap.Row(configMap(nil), kindtest.Now))
}
