package wire

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// AddWarnings adds a Warning header for each text.
func AddWarnings(w http.ResponseWriter, texts []string) {
	for _, text := range texts {
		AddWarning(w, text)
	}
}

// AddWarning adds a Warning header, once for each text. It skips texts that cannot be sent in a
// header. If all texts together have more than 4,096 characters, it cuts each to 256, and drops
// what exceeds 4,096.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go, recorder.AddWarning
//
// Differs: a text that fits after others have been cut stays whole.
func AddWarning(w http.ResponseWriter, text string) {
	const mostRunes, mostOfOne = 4 << 10, 256
	header, err := utilnet.NewWarningHeader(299, "-", strings.ToValidUTF8(text, ""))
	given := w.Header()["Warning"]
	if err != nil || text == "" || slices.Contains(given, header) {
		return
	}
	var texts []string
	total := 0
	for _, h := range given {
		if parsed, _, err := utilnet.ParseWarningHeader(h); err == nil {
			texts = append(texts, parsed.Text)
			total += utf8.RuneCountInString(parsed.Text)
		}
	}
	switch {
	case total >= mostRunes:
		return
	case total+utf8.RuneCountInString(text) <= mostRunes:
		w.Header().Add("Warning", header)
		return
	}
	w.Header().Del("Warning")
	for _, text := range append(texts, text) {
		if runes := []rune(text); len(runes) > mostOfOne {
			text = string(runes[:mostOfOne])
		}
		if header, err := utilnet.NewWarningHeader(299, "-", strings.ToValidUTF8(text, "")); err == nil {
			w.Header().Add("Warning", header)
		}
	}
}
