package kube

import (
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/munnerz/goautoneg"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The media types. Typed clients send protobuf and take JSON in return, as that is how objects are stored.
const (
	mediaJSON     = "application/json"
	mediaYAML     = "application/yaml"
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
)

var (
	answerTypes = []string{mediaJSON, mediaYAML} // in the order of preference
	bodyTypes   = []string{mediaJSON, mediaYAML, mediaProtobuf}
)

// representation is what a client wants to be sent.
type representation struct {
	yaml   bool
	pretty bool
	// as is "" for the object itself, else Table, PartialObjectMetadata or PartialObjectMetadataList of
	// meta.k8s.io; version is then v1 or v1beta1.
	as, version string
	// media is the Content-Type where it is not simply the format's.
	media string
}

// transforms are the kinds that a resource can be sent as instead of its own.
var transforms = map[string]bool{"Table": true, "PartialObjectMetadata": true, "PartialObjectMetadataList": true}

// negotiate picks the representation by the Accept header. Clauses that cannot be served are passed over, so that a
// client which asks for protobuf or JSON gets JSON.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go
func negotiate(req *http.Request, allowed map[string]bool) (representation, error) {
	header := req.Header.Get("Accept")
	switch header {
	case "", "*/*", mediaJSON, mediaProtobuf + "," + mediaJSON:
		return representation{pretty: wantsPretty(req)}, nil
	}
	for _, clause := range goautoneg.ParseAccept(header) {
		for _, media := range answerTypes {
			sub := strings.TrimPrefix(media, "application/")
			if clause.Type != "*" && clause.Type != "application" || clause.SubType != "*" && clause.SubType != sub {
				continue
			}
			if rep, ok := transform(clause.Params, allowed); ok {
				rep.yaml = media == mediaYAML
				rep.pretty = rep.pretty || wantsPretty(req)
				return rep, nil
			}
		}
	}
	return representation{}, &mediaError{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
		"only the following media types are accepted: " + strings.Join(answerTypes, ", ")}
}

// transform reads the parameters of a clause of the Accept header.
func transform(params map[string]string, allowed map[string]bool) (representation, bool) {
	var rep representation
	group := ""
	for k, v := range params {
		switch k {
		case "as":
			rep.as = v
		case "g":
			group = v
		case "v":
			rep.version = v
		case "pretty":
			rep.pretty = v == "1"
		case "stream":
			if v != "" && v != "watch" {
				return rep, false
			}
		}
	}
	if rep.as == "" && group == "" && rep.version == "" {
		return rep, true
	}
	known := group == metav1.GroupName && (rep.version == "v1" || rep.version == "v1beta1")
	return rep, known && allowed[rep.as]
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
	return format{}, unsupportedMediaType(bodyTypes)
}

// mediaError refuses a media type.
type mediaError struct {
	code    int32
	reason  metav1.StatusReason
	message string
}

func (e *mediaError) Error() string { return e.message }

// Status makes the error an apierrors.APIStatus.
func (e *mediaError) Status() metav1.Status {
	return metav1.Status{Status: metav1.StatusFailure, Code: e.code, Reason: e.reason, Message: e.message}
}

func unsupportedMediaType(accepted []string) error {
	return &mediaError{http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf("the body of the request was in an unknown format - accepted media types include: %s", strings.Join(accepted, ", "))}
}
