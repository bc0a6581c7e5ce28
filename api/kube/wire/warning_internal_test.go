package wire

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Warnings stay whole up to 4,096 characters in total. Above that, each is cut to 256 characters,
// and what exceeds 4,096 is dropped.
func TestAddWarning(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 1000)
	var many, cut []string
	for i := range 20 {
		many = append(many, strings.Repeat(string(rune('a'+i)), 250))
		cut = append(cut, many[i])
	}
	for _, c := range []struct {
		name        string
		texts, want []string
	}{
		{"one", []string{"a"}, []string{"a"}},
		{"one twice, and none", []string{"a", "", "b", "a"}, []string{"a", "b"}},
		{"what no header may hold", []string{"a", "b\nc", "d\xffe"}, []string{"a", "de"}},
		{"long ones that fit", []string{long, long + "a", long + "b"}, []string{long, long + "a", long + "b"}},
		{"one too many", []string{long, "short", long + "a", long + "b", long + "c", long + "d"}, []string{long[:512], "short", long[:512], long[:512], long[:512], long[:512]}},
		{"one that is too long", []string{strings.Repeat("x", 5000)}, []string{strings.Repeat("x", 256)}},
		{"more than all may have", many, cut[:17]},
	} {
		w := httptest.NewRecorder()
		AddWarnings(w, c.texts)
		var got []string
		for _, header := range w.Header()["Warning"] {
			parsed, _, err := utilnet.ParseWarningHeader(header)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, parsed.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
