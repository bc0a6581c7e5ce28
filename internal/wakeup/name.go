package wakeup

// The reconcilers, by the names under which their work is queued.
const (
	Configuration     = "configuration"
	CronJob           = "cronjob"
	Deployment        = "deployment"
	Endpoints         = "endpoints"
	EphemeralVolume   = "ephemeralvolume"
	EventExpiry       = "eventexpiry"
	Fault             = "fault"
	GarbageCollector  = "garbagecollector"
	Job               = "job"
	JobPod            = "jobpod"
	Kubelet           = "kubelet"
	KubeletBacklog    = "kubeletbacklog" // the kubelet's, of Pods whose machines have used their share
	KubernetesService = "kubernetesservice"
	Namespace         = "namespace"
	NodeDisruption    = "nodedisruption"
	NodeLifecycle     = "nodelifecycle"
	NodePods          = "nodepods"
	PersistentVolume  = "persistentvolume"
	PodGC             = "podgc"
	ReplicaSet        = "replicaset"
	ResourceQuota     = "resourcequota"
	Scheduler         = "scheduler"
	ServiceAccount    = "serviceaccount"
	TaintEviction     = "tainteviction"
	TTLAfterFinished  = "ttlafterfinished"
	VolumeClass       = "volumeclass"

	KubeletTermination    = "kubelettermination" // of those of them that are being deleted
	PersistentVolumeClaim = "persistentvolumeclaim"
)
