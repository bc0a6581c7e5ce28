package check

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// PortProtocols is sorted, as messages list it.
var PortProtocols = []corev1.Protocol{corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP}

// PortNumOrName validates a port number or name.
func PortNumOrName(port intstr.IntOrString, path *field.Path) field.ErrorList {
	if port.Type == intstr.Int {
		return Invalid(path, port.IntValue(), utilvalidation.IsValidPortNum(port.IntValue()))
	}
	return Invalid(path, port.StrVal, utilvalidation.IsValidPortName(port.StrVal))
}
