package kube

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/munnerz/goautoneg"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The media types, in the order in which they are preferred where a client leaves the choice.
const (
	mediaJSON     = "application/json"
	mediaYAML     = "application/yaml"
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
)

// mediaTypes are those of bodies and answers. The streamed ones are those of watches.
var (
	mediaTypes    = []string{mediaJSON, mediaYAML, mediaProtobuf}
	customTypes   = mediaTypes[:2]
	streamedTypes = []string{mediaJSON + watched, mediaProtobuf + watched}
)

// watched is the parameter that tells a stream of watch events from one object.
const watched = ";stream=watch"

// encoding is how an answer is written.
type encoding uint8

const (
	asJSON encoding = iota
	asYAML
	asProtobuf
)

// representation is what a client wants to be sent.
type representation struct {
	encoding encoding
	pretty   bool // JSON for people
	gzip     bool // what is large may be compressed
	bare     bool // objects without their managedFields
	// as is "" for the object itself, else Table, PartialObjectMetadata or
	// PartialObjectMetadataList of meta.k8s.io; version is then v1 or v1beta1.
	as, version string
	// media is the Content-Type where it is not simply the encoding's.
	media string
}

// contentType is the media type of the representation.
func (rep representation) contentType() string {
	if rep.media != "" {
		return rep.media
	}
	return mediaTypes[rep.encoding]
}

// indented says whether the body is JSON for people.
func (rep representation) indented() bool { return rep.pretty && rep.encoding == asJSON }

// offer is what a path can be answered with.
type offer struct {
	types     []string // a client that accepts none of them is turned away without a look at its parameters
	encodings int      // how many of mediaTypes there are, from the first
	// transforms is true where an object can be sent as a Table or as its metadata.
	transforms bool
	// custom is true where an object itself is not sent as protobuf.
	custom bool
}

// What paths are answered with: as they are, those of objects, of collections, and of what is no
// object.
var (
	plain      = &offer{types: mediaTypes, encodings: len(mediaTypes)}
	transforms = &offer{types: mediaTypes, encodings: len(mediaTypes), transforms: true}
	listed     = &offer{types: slices.Concat(mediaTypes, streamedTypes), encodings: len(mediaTypes), transforms: true}
	onlyJSON   = &offer{types: mediaTypes[:1], encodings: 1}

	customTransforms = &offer{types: mediaTypes, encodings: len(mediaTypes), transforms: true, custom: true}
	customListed     = &offer{types: listed.types, encodings: len(mediaTypes), transforms: true, custom: true}
)

// negotiate picks the representation by the Accept header; no offer is the plain one. What names no
// served type at all is refused before anything else is looked at, and in other words.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go, and
// github.com/emicklei/go-restful/v3 route.go, matchesAccept, which does not know application/*
func negotiate(req *http.Request, o *offer) (representation, error) {
	if o == nil {
		o = plain
	}
	header := ""
	if h := req.Header["Accept"]; len(h) > 0 {
		header = h[0]
	}
	switch {
	case header == "", header == "*/*", header == mediaJSON:
		return representation{gzip: acceptsGzip(req), pretty: wantsPretty(req), bare: wantsBare(req)}, nil
	case o.encodings > int(asProtobuf) && !o.custom && (header == mediaProtobuf+","+mediaJSON || header == mediaProtobuf):
		return representation{gzip: acceptsGzip(req), bare: wantsBare(req), encoding: asProtobuf}, nil
	case !namesAny(header, o.types):
		return representation{}, unavailableTypes(o.types)
	}
	if rep, ok := o.choose(req, header); ok {
		return rep, nil
	}
	types := mediaTypes[:o.encodings]
	if o.custom {
		types = customTypes
	}
	return representation{}, notAcceptable("only the following media types are accepted: " + strings.Join(types, ", "))
}

// choose goes through the clauses of the Accept header, the preferred ones first, and passes over
// those that cannot be served.
func (o *offer) choose(req *http.Request, header string) (representation, bool) {
	if header == "" {
		header = mediaJSON
	}
	for _, clause := range goautoneg.ParseAccept(header) {
		for enc, media := range mediaTypes[:o.encodings] {
			if !clauseMatches(clause, media) {
				continue
			}
			if rep, ok := o.accept(clause.Params, encoding(enc)); ok {
				rep.gzip, rep.bare = acceptsGzip(req), wantsBare(req)
				rep.pretty = rep.pretty || wantsPretty(req)
				return rep, true
			}
		}
	}
	return representation{}, false
}

// namesAny says whether one of the types stands in the header, or */* does.
func namesAny(header string, types []string) bool {
	for clause := range strings.SplitSeq(header, ",") {
		media, _, _ := strings.Cut(clause, ";")
		if media = strings.TrimSpace(media); media == "*/*" || slices.Contains(types, media) {
			return true
		}
	}
	return false
}

func clauseMatches(clause goautoneg.Accept, media string) bool {
	kind, sub, _ := strings.Cut(media, "/")
	return clause.Type == kind && (clause.SubType == sub || clause.SubType == "*") || clause.Type == "*" && clause.SubType == "*"
}

// accept reads the parameters of a clause that asks for the encoding. Those that it does not know
// ask for nothing.
func (o *offer) accept(params map[string]string, enc encoding) (representation, bool) {
	rep := representation{encoding: enc}
	group, transform := "", false
	for k, v := range params {
		switch k {
		case "as":
			rep.as, transform = v, true
		case "g":
			group, transform = v, true
		case "v":
			rep.version, transform = v, true
		case "pretty":
			rep.pretty = v == "1"
		case "stream":
			if v != "" && (v != "watch" || enc == asYAML) {
				return rep, false
			}
		case "sv":
			if v != "" && (v != "v1" || !o.transforms) {
				return rep, false
			}
		}
	}
	if !transform {
		return rep, !o.custom || enc != asProtobuf
	}
	if !o.transforms || group != metav1.GroupName || rep.version != "v1" && rep.version != "v1beta1" {
		return rep, false
	}
	switch rep.as {
	case "Table":
		return rep, enc != asProtobuf
	case "PartialObjectMetadata", "PartialObjectMetadataList":
		return rep, true
	}
	return rep, false
}

// wantsPretty says whether a person will read the response.
func wantsPretty(req *http.Request) bool {
	if strings.Contains(req.URL.RawQuery, "pretty") {
		if p := req.URL.Query().Get("pretty"); p != "" {
			pretty, _ := strconv.ParseBool(p) // what is no boolean asks for nothing
			return pretty
		}
	}
	agent := req.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") || strings.HasPrefix(agent, "Mozilla/5.0")
}

// wantsBare says whether the client reads objects and does not want to see their managedFields.
// What is no boolean is taken for true, as in the other queries.
//
// Differs: Kubernetes has no such parameter; its clients take what is sent and throw most of it away.
func wantsBare(req *http.Request) bool {
	if req.Method != http.MethodGet || !strings.Contains(req.URL.RawQuery, omitManagedFields) {
		return false
	}
	values := req.URL.Query()[omitManagedFields]
	return len(values) > 0 && !strings.EqualFold(values[0], "false") && values[0] != "0"
}

const omitManagedFields = "omitManagedFields"

// objects is what the paths of objects are answered with, and collections what those of collections
// are.
func (r *resource) objects() *offer {
	if r.kind.Custom != nil {
		return customTransforms
	}
	return transforms
}

func (r *resource) collections() *offer {
	if r.kind.Custom != nil {
		return customListed
	}
	return listed
}

// objectFormat is bodyFormat for an object of the kind.
func (r *resource) objectFormat(req *http.Request) (format, error) {
	f, err := r.bodyFormat(req)
	if r.kind.Custom != nil && (err != nil || f.media == mediaProtobuf) {
		return format{}, unsupportedMediaType(customTypes)
	}
	return f, err
}

// bodyFormat picks the format of the request's body by its Content-Type; none is JSON.
func (s *Server) bodyFormat(req *http.Request) (format, error) {
	header := req.Header.Get("Content-Type")
	if header == "" || header == mediaJSON {
		return s.formats.json, nil
	}
	if media, _, err := mime.ParseMediaType(header); err == nil {
		switch media {
		case mediaJSON:
			return s.formats.json, nil
		case mediaYAML:
			return s.formats.yaml, nil
		case mediaProtobuf:
			return s.formats.protobuf, nil
		}
	}
	return format{}, unsupportedMediaType(mediaTypes)
}

// mediaError refuses a media type.
type mediaError struct {
	code    int32
	reason  metav1.StatusReason
	message string
	details *metav1.StatusDetails
}

func (e *mediaError) Error() string { return e.message }

// Status makes the error an apierrors.APIStatus.
func (e *mediaError) Status() metav1.Status {
	return metav1.Status{Status: metav1.StatusFailure, Code: e.code, Reason: e.reason, Message: e.message, Details: e.details}
}

func notAcceptable(message string) error {
	return &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, message, nil}
}

// unavailableTypes refuses a request that accepts nothing of what its path can be answered with.
func unavailableTypes(types []string) error {
	return &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
		"406: Not Acceptable\n\nAvailable representations: " + strings.Join(types, ", "), &metav1.StatusDetails{}}
}

func unsupportedMediaType(accepted []string) error {
	return &mediaError{http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf("the body of the request was in an unknown format - accepted media types include: %s", strings.Join(accepted, ", ")), nil}
}
