package openapi

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/munnerz/goautoneg"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// contentType is a format of a document that clients may request.
type contentType struct {
	accepted, returned string
	protobuf           bool
}

// Protobuf formats have an old name with "@", which clients still request. Answers have the new
// name.
var (
	typesIndex = []contentType{{accepted: "application/json", returned: "application/json"}}
	typesV2    = documentTypes("v2")
	typesV3    = documentTypes("v3")
)

func documentTypes(version string) []contentType {
	current := "application/com.github.proto-openapi.spec." + version + ".v1.0+protobuf"
	return []contentType{
		{accepted: "application/json", returned: "application/json"},
		{accepted: current, returned: current, protobuf: true},
		{accepted: "application/com.github.proto-openapi.spec." + version + "@v1.0+protobuf", returned: current, protobuf: true},
	}
}

// serve writes the document in the best of the types that the client accepts, or 406. It answers
// 304 to a client that has the document.
func serve(w http.ResponseWriter, r *http.Request, d *document, types []contentType) {
	w.Header().Set("Vary", "Accept, Accept-Encoding")
	t, ok := negotiate(r.Header.Get("Accept"), types)
	if !ok {
		writeError(w, r, http.StatusNotAcceptable)
		return
	}
	body := d.json
	if t.protobuf {
		var err error
		if body, err = d.protobuf(); err != nil {
			writeStatus(w, apierrors.NewInternalError(err))
			return
		}
	}
	if acceptsGzip(r.Header.Values("Accept-Encoding")) {
		w.Header().Set("Content-Encoding", "gzip")
	} else {
		var err error
		if body, err = decompress(body); err != nil {
			writeStatus(w, apierrors.NewInternalError(err))
			return
		}
	}
	w.Header().Set("Content-Type", t.returned)
	w.Header().Set("Etag", strconv.Quote(d.etag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// negotiate returns the type that the Accept header prefers. Without a header, any type fits. A
// document with only one type is always served as that, because clients request the index as if it
// were an API object.
func negotiate(accept string, types []contentType) (contentType, bool) {
	if accept == "" || len(types) == 1 {
		return types[0], true
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.accepted
	}
	chosen := goautoneg.Negotiate(accept, names)
	for _, t := range types {
		if t.accepted == chosen {
			return t, true
		}
	}
	return contentType{}, false
}

// acceptsGzip reports whether the Accept-Encoding headers accept gzip, that is, name it without
// q=0.
func acceptsGzip(headers []string) bool {
	for coding := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}
