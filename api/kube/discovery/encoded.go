package discovery

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/munnerz/goautoneg"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// Parameters of the media type of aggregated discovery. Clients compare the whole media type, so
// the order matters. Only version v2 is supported.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/discovery/discovery_client.go, AcceptV2, and
// .../apiserver/pkg/endpoints/discovery/aggregated/negotiation.go, IsAggregatedDiscoveryGVK
const (
	aggregatedKind   = "APIGroupDiscoveryList"
	aggregatedParams = ";g=" + apidiscovery.GroupName + ";v=v2;as=" + aggregatedKind
)

// encoded is a document in every encoding; YAML is converted from JSON.
type encoded [wire.Protobuf + 1][]byte

// newEncoded encodes one of the server's own documents.
func newEncoded(o runtime.Object) encoded {
	doc, err := json.Marshal(o)
	if err != nil {
		panic("kube: a discovery document does not encode: " + err.Error())
	}
	doc = append(doc, '\n')
	proto, err := wire.AppendProtobuf(nil, o)
	if err != nil {
		panic("kube: a discovery document does not encode: " + err.Error())
	}
	return encoded{wire.JSON: doc, wire.YAML: doc, wire.Protobuf: proto}
}

func (e encoded) serve(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, nil)
	if err != nil {
		return err
	}
	return wire.WriteDocument(w, rep, http.StatusOK, e[rep.Encoding])
}

// aggregatedIn reports whether the Accept header prefers the aggregated form, and in which
// encoding.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/discovery/aggregated/wrapper.go,
// ServeHTTP, which ignores clauses with other media types
func aggregatedIn(accept string) (wire.Encoding, bool) {
	if !strings.Contains(accept, apidiscovery.GroupName) {
		return 0, false
	}
	for _, clause := range goautoneg.ParseAccept(accept) {
		p := clause.Params
		if p["as"] != aggregatedKind || p["g"] != apidiscovery.GroupName || p["v"] != "v2" {
			continue
		}
		for enc, media := range wire.MediaTypes {
			if wire.ClauseMatches(clause, media) && (p["stream"] == "" || p["stream"] == "watch" && wire.Encoding(enc) != wire.YAML) && p["sv"] == "" {
				return wire.Encoding(enc), true
			}
		}
	}
	return 0, false
}
