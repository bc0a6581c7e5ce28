package object_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// owned makes a version of a Pod whose managedFields say that a manager owns a field, since some
// second.
func owned(t testing.TB, i int, manager, field string, second int) *object.Version {
	t.Helper()
	o := podVersion(t, i).Object().DeepCopyObject().(object.Object)
	at := metav1.NewTime(time.Unix(int64(second), 0).UTC())
	o.SetManagedFields([]metav1.ManagedFieldsEntry{{
		Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &at,
		FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:` + field + `":{}}`)},
	}})
	body, err := object.Encode(podType, o)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: podType, Namespace: "default", Name: o.GetName(), Revision: object.Revision(i + 1)}
	v.SetBody(body)
	return v
}

// TestVersion_SharesEntriesThatSayTheSame is not parallel: others would replace its entries.
func TestVersion_SharesEntriesThatSayTheSame(t *testing.T) {
	first := owned(t, 0, "sharing", "spec", 1).Object().GetManagedFields()[0]
	remembered := owned(t, 1, "sharing", "spec", 2)
	remembered.Remember(remembered.Object().DeepCopyObject().(object.Object))
	second := remembered.Object().GetManagedFields()[0]
	if first.FieldsV1 != second.FieldsV1 {
		t.Error("the same fields are twice in memory")
	}
	if first.Time.Equal(second.Time) {
		t.Errorf("the times became one: %v", first.Time)
	}
	other := owned(t, 2, "another", "spec", 2).Object().GetManagedFields()[0]
	if other.Manager != "another" {
		t.Errorf("the fields of %q are said to be of %q", "another", other.Manager)
	}
}

// TestVersion_DecodesAsItWouldAlone: several goroutines decode more different entries than are
// kept, and equal ones.
func TestVersion_DecodesAsItWouldAlone(t *testing.T) {
	t.Parallel()
	var readers sync.WaitGroup
	for r := range 4 {
		readers.Go(func() {
			for i := range 1100 {
				v := owned(t, i, fmt.Sprint("m", i%7), fmt.Sprint(r, "-", i), i)
				want := podType.New()
				if err := json.Unmarshal(v.AppendJSON(nil), want); err != nil {
					t.Error(err)
					return
				}
				if got := v.Object(); !reflect.DeepEqual(got, want) {
					t.Errorf("decoded as %+v, want %+v", got, want)
					return
				}
			}
		})
	}
	readers.Wait()
}

// TestVersion_DecodesAnyEntry: entries that our encoder would not write like this are decoded as
// encoding/json decodes them.
func TestVersion_DecodesAnyEntry(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`{}`,
		`null`,
		`{"manager":"m","operation":"Apply","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{"f:b":{}}},"subresource":"status"}`,
		`{"manager":"\"time\":\u00e9","time":"2026-01-02T03:04:05Z","fieldsV1":{}}`,
		`{"manager":"m","time":"2026-01-02T03:04:05.5Z","fieldsV1":{}}`,
		`{"manager":"m","time":"2026-01-02T03:04:05+01:00","fieldsV1":{}}`,
		`{"manager":"m","time":null,"fieldsV1":{}}`,
		`{"manager":"m","time":"2026-01-02T03:04:05Z","fieldsV1":null}`,
		`{"manager":"m","time":"2026-01-02T03:04:05Z"}`,
		`{"fieldsV1":{"time":"2026-01-02T03:04:05Z","fieldsV1":{"f:a":{}}}}`,
		`{"fieldsV1":{"f:a":{}},"time":"2026-01-02T03:04:05Z","manager":"m"}`,
		`{"time":"2026-01-02T03:04:05Z","other":{"fieldsV1":{}},"fieldsV1":{"f:a":{}}}`,
	} {
		for range 2 { // the second time, its texts are known
			v := &object.Version{Type: podType, Namespace: "default", Name: "a", Revision: 7}
			v.SetBody([]byte(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","managedFields":[` + entry + `]},"spec":{"containers":null},"status":{}}`))
			want := podType.New()
			if err := json.Unmarshal(v.AppendJSON(nil), want); err != nil {
				t.Fatal(err)
			}
			if got := v.Object(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s is decoded as %+v, want %+v", entry, got.GetManagedFields(), want.GetManagedFields())
			}
		}
	}
}
