package route

import (
	"github.com/danielgtaylor/huma/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// parameters lists all path and query parameters, once each.
var parameters = []*huma.Param{
	inPath("namespace", "The namespace of the objects."),
	inPath("name", "The name of the object."),
	inPath("resource", "A resource with its group, as in pods or deployments.apps."),
	inPath("metric", "The name of a metric."),
	inPath("path", "The rest of the path, which is passed on."),
	inPath("group", "The name of an API group."),
	inPath("version", "A version of an API group."),

	inQuery("pretty", "string", "If true, the response is indented for people to read."),
	inQuery("allowWatchBookmarks", "boolean", "Asks a watch for events of type BOOKMARK."),
	inQuery("command", "array", "A word of the command that is executed: given once for each word."),
	inQuery("container", "string", "The container; needed where the Pod has several."),
	inQuery("continue", "string", "The token that the last page of a list gave for the next one."),
	inQuery("dryRun", "string", "All: the request is judged and answered, and nothing is stored.", metav1.DryRunAll),
	inQuery("fieldManager", "string", "A name for the client or the change it makes, of at most 128 characters."),
	inQuery("fieldSelector", "string", "Restricts the objects by their fields."),
	inQuery("fieldValidation", "string", "What happens to unknown and repeated fields of the body.",
		metav1.FieldValidationIgnore, metav1.FieldValidationWarn, metav1.FieldValidationStrict),
	inQuery("follow", "boolean", "Goes on to send what the container writes, until it ends."),
	inQuery("force", "boolean", "Takes over fields of other managers in a server-side apply."),
	inQuery("gracePeriodSeconds", "integer", "How many seconds the object has before it is deleted; 0 is at once."),
	inQuery("insecureSkipTLSVerifyBackend", "boolean", "Without effect, as logs are read from no backend."),
	inQuery("labelSelector", "string", "Restricts the objects by their labels."),
	inQuery("metricLabelSelector", "string", "Restricts the values by the metric's labels."),
	inQuery("limit", "integer", "The most objects that one response of a list holds."),
	inQuery("limitBytes", "integer", "How many bytes of the log are sent at most."),
	inQuery(wire.OmitManagedFields, "boolean", "Leaves metadata.managedFields out of the objects that are sent. Kubernetes has no such parameter."),
	inQuery("orphanDependents", "boolean", "Deprecated: use propagationPolicy."),
	inQuery("ports", "integer", "The ports that are forwarded over the channels of a websocket."),
	inQuery("previous", "boolean", "Reads the log of the container's run before the last."),
	inQuery("propagationPolicy", "string", "What becomes of the dependents.", string(metav1.DeletePropagationOrphan),
		string(metav1.DeletePropagationBackground), string(metav1.DeletePropagationForeground)),
	inQuery("resourceVersion", "string", "How new, or with resourceVersionMatch exactly which, the state must be that is read or watched from."),
	inQuery("resourceVersionMatch", "string", "How resourceVersion is meant.",
		string(metav1.ResourceVersionMatchExact), string(metav1.ResourceVersionMatchNotOlderThan)),
	inQuery("sendInitialEvents", "boolean", "Asks a watch to begin with the objects that there are."),
	inQuery("sinceSeconds", "integer", "Leaves out of the log what is older than so many seconds."),
	inQuery("sinceTime", "string", "Leaves out of the log what is older than a time, in RFC 3339."),
	inQuery("stderr", "boolean", "The client reads the standard error."),
	inQuery("stdin", "boolean", "The client writes the standard input."),
	inQuery("stdout", "boolean", "The client reads the standard output."),
	inQuery("stream", "string", "The stream of the container that is read.", corev1.LogStreamAll, corev1.LogStreamStdout, corev1.LogStreamStderr),
	inQuery("tailLines", "integer", "How many of the last lines of the log are sent at most."),
	inQuery("timeoutSeconds", "integer", "How long a list or watch may take."),
	inQuery("timestamps", "boolean", "Marks each line of the log with its time."),
	inQuery("tty", "boolean", "The process has a terminal."),
	inQuery("watch", "boolean", "Watches for changes instead of listing."),
	inQuery("verbose", "boolean", "Lists the checks one by one."),
	inQuery("exclude", "string", "A check to leave out."),
}

func inPath(name, description string) *huma.Param {
	return &huma.Param{Name: name, In: "path", Required: true, Description: description, Schema: &huma.Schema{Type: "string"}}
}

func inQuery(name, typ, description string, enum ...string) *huma.Param {
	s := &huma.Schema{Type: typ}
	if typ == "array" {
		s.Items = &huma.Schema{Type: "string"}
	}
	for _, v := range enum {
		s.Enum = append(s.Enum, v)
	}
	return &huma.Param{Name: name, In: "query", Description: description, Schema: s}
}
