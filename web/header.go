package web

import (
	"net/http"
	"strings"
)

// policy lets pages load scripts from files of this origin and send requests to it, and nothing
// else. Pages cannot be framed. Text cannot become markup or script, because Trusted Types are
// required and no policy may create them.
var policy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'",
	"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// denied lists browser features that no page needs.
const denied = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

// protect sets the headers that all answers have.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", denied)
}

// reads reports whether a request only reads. It answers one that does not.
func reads(w http.ResponseWriter, req *http.Request) bool {
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return true
	}
	protect(w.Header())
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "the dashboard can only be read", http.StatusMethodNotAllowed)
	return false
}
