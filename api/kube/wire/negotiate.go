package wire

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/munnerz/goautoneg"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Media types, in order of preference if the client leaves the choice.
const (
	MediaJSON     = "application/json"
	MediaYAML     = "application/yaml"
	MediaProtobuf = "application/vnd.kubernetes.protobuf"
)

// MediaTypes are the media types of bodies and answers. The streamed ones are those of watches.
var (
	MediaTypes    = []string{MediaJSON, MediaYAML, MediaProtobuf}
	CustomTypes   = MediaTypes[:2]
	StreamedTypes = []string{MediaJSON + Watched, MediaProtobuf + Watched}
)

// Watched is the media type parameter of a stream of watch events.
const Watched = ";stream=watch"

// Encoding is the encoding of an answer.
type Encoding uint8

// The encodings, in the order of MediaTypes.
const (
	JSON Encoding = iota
	YAML
	Protobuf
)

// Representation is the format of an answer.
type Representation struct {
	Encoding Encoding
	Pretty   bool // indented JSON
	Gzip     bool // large answers may be compressed
	Bare     bool // objects without managedFields
	// As is "" for the object itself, otherwise Table, PartialObjectMetadata or
	// PartialObjectMetadataList of meta.k8s.io; Version is then v1 or v1beta1.
	As, Version string
	// Media is the Content-Type if it is not the encoding's.
	Media string
}

// ContentType returns the media type of the representation.
func (rep Representation) ContentType() string {
	if rep.Media != "" {
		return rep.Media
	}
	return MediaTypes[rep.Encoding]
}

// indented reports whether the body is indented JSON.
func (rep Representation) indented() bool { return rep.Pretty && rep.Encoding == JSON }

// Offer is the set of formats in which a path can answer.
type Offer struct {
	types     []string // a client that accepts none of them is rejected before its parameters are parsed
	encodings int      // how many of MediaTypes are supported, from the first on
	// transforms is true if an object can be sent as a Table or as its metadata.
	transforms bool
	// custom is true if objects themselves are not sent as protobuf.
	custom bool
}

// Formats of answers: of plain values, of objects, of collections, and of reviews.
var (
	plain      = &Offer{types: MediaTypes, encodings: len(MediaTypes)}
	Transforms = &Offer{types: MediaTypes, encodings: len(MediaTypes), transforms: true}
	Listed     = &Offer{types: slices.Concat(MediaTypes, StreamedTypes), encodings: len(MediaTypes), transforms: true}
	OnlyJSON   = &Offer{types: MediaTypes[:1], encodings: 1}

	CustomTransforms = &Offer{types: MediaTypes, encodings: len(MediaTypes), transforms: true, custom: true}
	CustomListed     = &Offer{types: Listed.types, encodings: len(MediaTypes), transforms: true, custom: true}
)

// Negotiate returns the representation that the Accept header selects; a nil offer is the plain
// one. A header that names no served type is rejected before everything else, with a different
// error.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go, and
// github.com/emicklei/go-restful/v3 route.go, matchesAccept, which does not know application/*
func Negotiate(req *http.Request, o *Offer) (Representation, error) {
	if o == nil {
		o = plain
	}
	header := ""
	if h := req.Header["Accept"]; len(h) > 0 {
		header = h[0]
	}
	switch {
	case header == "", header == "*/*", header == MediaJSON:
		return Representation{Gzip: AcceptsGzip(req), Pretty: WantsPretty(req), Bare: wantsBare(req)}, nil
	case o.encodings > int(Protobuf) && !o.custom && (header == MediaProtobuf+","+MediaJSON || header == MediaProtobuf):
		return Representation{Gzip: AcceptsGzip(req), Bare: wantsBare(req), Encoding: Protobuf}, nil
	case !namesAny(header, o.types):
		return Representation{}, unavailableTypes(o.types)
	}
	if rep, ok := o.choose(req, header); ok {
		return rep, nil
	}
	types := MediaTypes[:o.encodings]
	if o.custom {
		types = CustomTypes
	}
	return Representation{}, NotAcceptable("only the following media types are accepted: " + strings.Join(types, ", "))
}

// choose tries the clauses of the Accept header in order of preference, and skips those that cannot
// be served.
func (o *Offer) choose(req *http.Request, header string) (Representation, bool) {
	if header == "" {
		header = MediaJSON
	}
	for _, clause := range goautoneg.ParseAccept(header) {
		for enc, media := range MediaTypes[:o.encodings] {
			if !ClauseMatches(clause, media) {
				continue
			}
			if rep, ok := o.accept(clause.Params, Encoding(enc)); ok {
				rep.Gzip, rep.Bare = AcceptsGzip(req), wantsBare(req)
				rep.Pretty = rep.Pretty || WantsPretty(req)
				return rep, true
			}
		}
	}
	return Representation{}, false
}

// namesAny reports whether the header contains one of the types or */*.
func namesAny(header string, types []string) bool {
	for clause := range strings.SplitSeq(header, ",") {
		media, _, _ := strings.Cut(clause, ";")
		if media = strings.TrimSpace(media); media == "*/*" || slices.Contains(types, media) {
			return true
		}
	}
	return false
}

// ClauseMatches reports whether a clause of an Accept header accepts a media type.
func ClauseMatches(clause goautoneg.Accept, media string) bool {
	kind, sub, _ := strings.Cut(media, "/")
	return clause.Type == kind && (clause.SubType == sub || clause.SubType == "*") || clause.Type == "*" && clause.SubType == "*"
}

// accept applies the parameters of a clause for the encoding. It ignores unknown ones.
func (o *Offer) accept(params map[string]string, enc Encoding) (Representation, bool) {
	rep := Representation{Encoding: enc}
	group, transform := "", false
	for k, v := range params {
		switch k {
		case "as":
			rep.As, transform = v, true
		case "g":
			group, transform = v, true
		case "v":
			rep.Version, transform = v, true
		case "pretty":
			rep.Pretty = v == "1"
		case "stream":
			if v != "" && (v != "watch" || enc == YAML) {
				return rep, false
			}
		case "sv":
			if v != "" && (v != "v1" || !o.transforms) {
				return rep, false
			}
		}
	}
	if !transform {
		return rep, !o.custom || enc != Protobuf
	}
	if !o.transforms || group != metav1.GroupName || rep.Version != "v1" && rep.Version != "v1beta1" {
		return rep, false
	}
	switch rep.As {
	case "Table":
		return rep, enc != Protobuf
	case "PartialObjectMetadata", "PartialObjectMetadataList":
		return rep, true
	}
	return rep, false
}

// WantsPretty reports whether the client wants indented JSON.
func WantsPretty(req *http.Request) bool {
	if strings.Contains(req.URL.RawQuery, "pretty") {
		if p := req.URL.Query().Get("pretty"); p != "" {
			pretty, _ := strconv.ParseBool(p) // an invalid boolean counts as false
			return pretty
		}
	}
	agent := req.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// wantsBare reports whether a read asks for objects without managedFields. As in other queries, a
// value that is not a boolean counts as true.
//
// Differs: Kubernetes has no such parameter; its clients receive managedFields and discard them.
func wantsBare(req *http.Request) bool {
	if req.Method != http.MethodGet || !strings.Contains(req.URL.RawQuery, OmitManagedFields) {
		return false
	}
	values := req.URL.Query()[OmitManagedFields]
	return len(values) > 0 && !strings.EqualFold(values[0], "false") && values[0] != "0"
}

// OmitManagedFields is the query parameter that wantsBare parses.
const OmitManagedFields = "omitManagedFields"

// mediaError rejects a media type.
type mediaError struct {
	code    int32
	reason  metav1.StatusReason
	message string
	details *metav1.StatusDetails
}

func (e *mediaError) Error() string { return e.message }

// Status implements apierrors.APIStatus.
func (e *mediaError) Status() metav1.Status {
	return metav1.Status{Status: metav1.StatusFailure, Code: e.code, Reason: e.reason, Message: e.message, Details: e.details}
}

// NotAcceptable returns a 406.
func NotAcceptable(message string) error {
	return &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, message, nil}
}

// unavailableTypes rejects a request that accepts none of the path's formats.
func unavailableTypes(types []string) error {
	return &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
		"406: Not Acceptable\n\nAvailable representations: " + strings.Join(types, ", "), &metav1.StatusDetails{}}
}

// UnsupportedMediaType returns a 415 for the Content-Type of a body.
func UnsupportedMediaType(accepted []string) error {
	return &mediaError{http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf("the body of the request was in an unknown format - accepted media types include: %s", strings.Join(accepted, ", ")), nil}
}
