package wire

import (
	"mime"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// Of returns the format of the request's body from its Content-Type; the default is JSON.
func (f Formats) Of(req *http.Request) (Format, error) {
	header := req.Header.Get("Content-Type")
	if header == "" || header == MediaJSON {
		return f.JSON, nil
	}
	if media, _, err := mime.ParseMediaType(header); err == nil {
		switch media {
		case MediaJSON:
			return f.JSON, nil
		case MediaYAML:
			return f.YAML, nil
		case MediaProtobuf:
			return f.Protobuf, nil
		}
	}
	return Format{}, UnsupportedMediaType(MediaTypes)
}

// Format decodes bodies of one media type.
type Format struct {
	Media           string
	Lenient, Strict runtime.Decoder
}

// Formats are the media types of request bodies.
type Formats struct{ JSON, YAML, Protobuf Format }

// NewFormats returns the formats for types of the scheme.
func NewFormats(scheme *runtime.Scheme) Formats {
	decoder := func(yaml, strict bool) runtime.Decoder {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: yaml, Strict: strict})
	}
	// Protobuf is never strict, because unknown fields cannot be distinguished from those of a
	// newer version.
	proto := protobuf.NewSerializer(scheme, scheme)
	return Formats{
		Protobuf: Format{MediaProtobuf, proto, proto},
		JSON:     Format{MediaJSON, decoder(false, false), decoder(false, true)},
		YAML:     Format{MediaYAML, decoder(true, false), decoder(true, true)},
	}
}
