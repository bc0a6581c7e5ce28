package control

import "github.com/danielgtaylor/huma/v2"

// Register mounts the operations on the API and describes them in the OpenAPI document.
func (s *Server) Register(api huma.API) {
	a := newTyped(api, s)
	for _, mount := range []func(*typed){
		s.clockOperations, s.snapshotOperations, s.forkOperations, s.faultOperations, s.metricOperations, s.scaleDownOperation, s.deletionOperation,
		s.logOperations, s.scheduleOperation, s.trafficOperation, s.usageOperation,
	} {
		mount(a)
	}
}
