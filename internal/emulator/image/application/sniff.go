package application

import "strings"

// htmlTags begin a text that Go's HTTP server takes for HTML, if a space or a bracket follows.
//
// Source: https://mimesniff.spec.whatwg.org, section 7.1; net/http, DetectContentType
var htmlTags = words("<!DOCTYPE <HTML <HEAD <SCRIPT <IFRAME <H1 <DIV <FONT <TABLE <A <STYLE <TITLE <B <BODY <BR <P <!--")

// sniffed returns the type that Go's HTTP server detects for a text without a declared type.
func sniffed(text string) string {
	text = strings.TrimLeft(text, "\t\n\f\r ")
	for _, tag := range htmlTags {
		if n := len(tag); len(text) > n && strings.EqualFold(text[:n], tag) && (text[n] == ' ' || text[n] == '>') {
			return "text/html; charset=utf-8"
		}
	}
	if strings.HasPrefix(text, "<?xml") {
		return "text/xml; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
