package scheduler

// refusal is why a filter refuses a node; without reasons it does not. final is true if deleting
// other Pods cannot change that.
type refusal struct {
	reasons []string
	final   bool
}

var (
	refusedCordoned = refusal{reasons: []string{"node(s) were unschedulable"}, final: true}
	refusedTainted  = refusal{reasons: []string{"node(s) had untolerated taint(s)"}, final: true}
	refusedAffinity = refusal{reasons: []string{"node(s) didn't match Pod's node affinity/selector"}, final: true}
	refusedPorts    = refusal{reasons: []string{"node(s) didn't have free ports for the requested pod ports"}}

	refusedUnlabelled = refusal{reasons: []string{"node(s) didn't match pod topology spread constraints (missing required label)"}, final: true}
	refusedSkew       = refusal{reasons: []string{"node(s) didn't match pod topology spread constraints"}}
	refusedFar        = refusal{reasons: []string{"node(s) didn't match pod affinity rules"}, final: true}
	refusedNear       = refusal{reasons: []string{"node(s) didn't match pod anti-affinity rules"}}
	refusedByOthers   = refusal{reasons: []string{"node(s) didn't satisfy existing pods anti-affinity rules"}}

	// refusedByName is the refusal of nodes that a Pod does not name in its required node affinity.
	refusedByName = refusal{reasons: []string{"node(s) didn't satisfy plugin(s) [NodeAffinity]"}, final: true}
)
