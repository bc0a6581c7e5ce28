// Generated from openapi.yaml by web/types/generate.js. DO NOT EDIT.

export interface components {
    schemas: {
        readonly "rowlock.v1.APIFault": {
            /** @description How long a watch lasts before it ends, counted from its start or that of the fault, such as 30s; default 0s. */
            readonly after?: string;
            /** @description Answer 409 Conflict, as if another client had modified the object in the meantime. */
            readonly conflict?: boolean;
            /**
             * Format: int64
             * @description How many requests the fault affects before it ends, across all replicas; 0 means no limit.
             */
            readonly count?: number;
            /** @description How long each request, and each event of a watch, is delayed, such as 2s; at most 5m. */
            readonly delay?: string;
            /**
             * @description Close the connection. before: the request has no effect. after: the request takes effect, and the answer is cut off in the middle.
             * @enum {string}
             */
            readonly drop?: "before" | "after";
            /** @description The text of the error. */
            readonly message?: string;
            /** @description The objects' names. */
            readonly names?: readonly string[];
            /** @description The namespaces of requests. */
            readonly namespaces?: readonly string[];
            /**
             * Format: double
             * @description The probability that it affects a matching request, 0 to 1; default 1.
             */
            readonly probability?: number;
            /** @description Resources such as pods or deployments.apps; pods/log is a subresource, pods/* matches all subresources, * everything. */
            readonly resources?: readonly string[];
            /** @description The error's Retry-After, in whole seconds, such as 1s. */
            readonly retryAfter?: string;
            /**
             * Format: int64
             * @description The seed for the probability. With the same seed, the n-th matching request always has the same outcome.
             */
            readonly seed?: number;
            /**
             * Format: int64
             * @description The status code of the error, 400 to 599; the request has no effect.
             */
            readonly status?: number;
            /** @description Text that the User-Agent contains or, with a *, a pattern for all of it. */
            readonly userAgents?: readonly string[];
            /** @description The names of the users who send the requests. */
            readonly users?: readonly string[];
            /** @description get, list, watch, create, update, patch, delete, deletecollection. */
            readonly verbs?: readonly string[];
            /**
             * @description How watches end, open ones included. drop: the connection is closed. expire: the watch ends with 410 Expired.
             * @enum {string}
             */
            readonly watch?: "drop" | "expire";
        };
        readonly "rowlock.v1.Change": {
            readonly apiVersion: string;
            /**
             * Format: date-time
             * @description When it was committed, in cluster time.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description The revision of the change that caused it; absent if a client's request or the passing of time did.
             */
            readonly cause?: number;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description With bodies=true, the object after the change, without managedFields; absent for a deletion if the previous change already has the last state. */
            readonly object?: {
                readonly [key: string]: unknown;
            };
            /** @description The resource with its group, such as pods or deployments.apps. */
            readonly resource: string;
            /** Format: int64 */
            readonly revision: number;
            readonly uid: string;
            /** @enum {string} */
            readonly verb: "created" | "updated" | "deleted";
            readonly writer: components["schemas"]["rowlock.v1.ChangeWriter"];
        };
        readonly "rowlock.v1.ChangeCauses": {
            /** @description Whether the last item is the origin: a client's request, or a sync that was due. */
            readonly complete: boolean;
            /** @description The change, then the change that caused it, and so on. */
            readonly items: readonly components["schemas"]["rowlock.v1.Change"][];
            /** @description Why the chain ends, unless a client's request is its origin. */
            readonly reason?: string;
        };
        readonly "rowlock.v1.ChangeDetail": {
            readonly apiVersion: string;
            /**
             * Format: date-time
             * @description When it was committed, in cluster time.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description The revision of the change that caused it; absent if a client's request or the passing of time did.
             */
            readonly cause?: number;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description With bodies=true, the object after the change, without managedFields; absent for a deletion if the previous change already has the last state. */
            readonly object?: {
                readonly [key: string]: unknown;
            };
            /** @description The object before the change; absent if there was none. */
            readonly previous?: {
                readonly [key: string]: unknown;
            };
            /** @description Whether the previous object is missing because the log has been compacted past it. */
            readonly previousExpired?: boolean;
            /** @description The resource with its group, such as pods or deployments.apps. */
            readonly resource: string;
            /** Format: int64 */
            readonly revision: number;
            readonly uid: string;
            /** @enum {string} */
            readonly verb: "created" | "updated" | "deleted";
            readonly writer: components["schemas"]["rowlock.v1.ChangeWriter"];
        };
        readonly "rowlock.v1.ChangeList": {
            /** @description The changes in order of revision; with newest=true, in reverse order. */
            readonly items: readonly components["schemas"]["rowlock.v1.Change"][];
            /**
             * Format: int64
             * @description The newest revision.
             */
            readonly newest: number;
            /**
             * Format: int64
             * @description The value of after, or with newest=true of before, for the next page; absent on the last page. A page may have fewer items than the limit, or none, although more follow, if the search for more would take too long.
             */
            readonly next?: number;
            /**
             * Format: int64
             * @description The oldest retained revision. The state at that revision and all later changes can be read.
             */
            readonly oldest: number;
        };
        readonly "rowlock.v1.ChangeWriter": {
            /** @description The controller that made the change, such as replicaset-controller; absent for a client. */
            readonly controller?: string;
            /** @description The ID of the request in the server's log. It is also the answer's Audit-Id, unless the client sent its own. */
            readonly request?: string;
            /** @description The user who sent the request; absent on a server without a login. */
            readonly user?: string;
            /** @description The client's User-Agent. */
            readonly userAgent?: string;
        };
        readonly "rowlock.v1.Clock": {
            /** @description The advance under way, or the last one. */
            readonly advance?: components["schemas"]["rowlock.v1.ClockAdvance"];
            /** @description The next wakeups in order of time, including overdue ones. */
            readonly due: readonly components["schemas"]["rowlock.v1.ClockWork"][];
            /** @description Syncs that failed and are retried in real time, those with the most failures first. */
            readonly failing?: readonly components["schemas"]["rowlock.v1.ClockWork"][];
            /**
             * Format: int64
             * @description The total number of failing syncs.
             */
            readonly failingCount?: number;
            /**
             * Format: date-time
             * @description The cluster time.
             */
            readonly now: string;
            /**
             * Format: double
             * @description The speed that resuming restores.
             */
            readonly pace: number;
            /** @description Whether the clock is paused. It stays paused after an advance. */
            readonly paused: boolean;
            /**
             * Format: double
             * @description The current speed, as a multiple of real time; 0 while paused.
             */
            readonly speed: number;
            /** @description Controllers of this replica that have had work for at least a minute without progress. */
            readonly stalled?: readonly components["schemas"]["rowlock.v1.StalledController"][];
        };
        readonly "rowlock.v1.ClockAdvance": {
            /**
             * Format: date-time
             * @description The cluster time at its end; absent while it runs.
             */
            readonly ended?: string;
            /**
             * Format: date-time
             * @description The cluster time at its start.
             */
            readonly from: string;
            /**
             * @description The phase of the advance.
             * @enum {string}
             */
            readonly phase: "running" | "done" | "interrupted";
            /**
             * Format: int64
             * @description How many times it has moved the clock.
             */
            readonly steps: number;
            /**
             * Format: date-time
             * @description Its target. Absent if the target is the next due wakeup, which is not known until all current work is done.
             */
            readonly to?: string;
        };
        readonly "rowlock.v1.ClockAdvanceRequest": {
            /** @description A duration: 90s, 36h, 1d, 2d12h; 0s finishes all work that is due now. */
            readonly by?: string;
            /**
             * Format: date-time
             * @description A time in the future.
             */
            readonly to?: string;
            /** @description true advances to the next due wakeup. */
            readonly toNext?: boolean;
        };
        readonly "rowlock.v1.ClockRequest": {
            /** @description Advance the clock; afterwards it runs or stays paused as before. */
            readonly advance?: components["schemas"]["rowlock.v1.ClockAdvanceRequest"];
            /** @description true pauses the clock; false resumes it at its previous speed. */
            readonly paused?: boolean;
            /**
             * Format: double
             * @description The speed as a multiple of real time, 0.001 to 100000; 0 pauses the clock.
             */
            readonly speed?: number;
        };
        readonly "rowlock.v1.ClockWork": {
            /**
             * Format: date-time
             * @description When it is due, in cluster time; for a failing sync, the next attempt in real time.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description How often the sync has failed.
             */
            readonly attempts?: number;
            /** @description The controller. */
            readonly controller: string;
            /** @description The object's kind; absent if the sync is not of an object. */
            readonly kind?: string;
            /** @description The object's name, or the name of the sync's lock. */
            readonly name: string;
            readonly namespace?: string;
        };
        readonly "rowlock.v1.Deletion": {
            /** @description What would be deleted, in order: the object first, then its dependents. */
            readonly deleted: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly deletedCount: number;
            /** @description Deleted objects that would remain for now, because of a finalizer that nothing removes or a node that does not respond. */
            readonly held: readonly components["schemas"]["rowlock.v1.Held"][];
            /** Format: int64 */
            readonly heldCount: number;
            /** @description Dependents that would lose their last owner and remain. */
            readonly orphaned: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly orphanedCount: number;
            /**
             * @description The effective policy: the requested one, or that of the object or its kind.
             * @enum {string}
             */
            readonly propagation: "Foreground" | "Background" | "Orphan";
            /** @description Dependents that would lose an owner and keep others. */
            readonly released: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly releasedCount: number;
            /** @description The revision of the preview. */
            readonly resourceVersion: string;
        };
        readonly "rowlock.v1.Fault": {
            readonly api?: components["schemas"]["rowlock.v1.APIFault"];
            /**
             * Format: date-time
             * @description When it was created, in cluster time.
             */
            readonly created: string;
            /**
             * Format: int64
             * @description How many of them it has affected.
             */
            readonly hits: number;
            readonly image?: components["schemas"]["rowlock.v1.ImageFault"];
            readonly name: string;
            readonly node?: components["schemas"]["rowlock.v1.NodeFault"];
            readonly pod?: components["schemas"]["rowlock.v1.PodFault"];
            /**
             * Format: int64
             * @description For an API fault, how many requests it has matched, across all replicas.
             */
            readonly seen: number;
            /** @description A human-readable description. */
            readonly summary: string;
            /**
             * Format: date-time
             * @description When it expires, in cluster time; for an API fault, in real time.
             */
            readonly until?: string;
        };
        readonly "rowlock.v1.FaultList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Fault"][];
        };
        readonly "rowlock.v1.FaultRequest": {
            readonly api?: components["schemas"]["rowlock.v1.APIFault"];
            /** @description How long it lasts, such as 90s, 5m or 1d, in cluster time; for an API fault, in real time. By default, it lasts until it is deleted or has nothing left to do. */
            readonly for?: string;
            readonly image?: components["schemas"]["rowlock.v1.ImageFault"];
            /** @description Its name; generated if empty. */
            readonly name?: string;
            readonly node?: components["schemas"]["rowlock.v1.NodeFault"];
            readonly pod?: components["schemas"]["rowlock.v1.PodFault"];
        };
        readonly "rowlock.v1.Fork": {
            /**
             * Format: date-time
             * @description When it was created, in real time.
             */
            readonly created: string;
            /**
             * Format: date-time
             * @description When it will be deleted, in real time.
             */
            readonly expires?: string;
            readonly name: string;
            /** @description The path of its API on the server. */
            readonly path: string;
            /**
             * Format: int64
             * @description The revision that it started with.
             */
            readonly revision?: number;
            /** @description The snapshot that it started with; absent if it started with the cluster's state. */
            readonly snapshot?: string;
            /** @enum {string} */
            readonly state: "making" | "ready" | "removing";
        };
        readonly "rowlock.v1.ForkList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Fork"][];
        };
        readonly "rowlock.v1.ForkRequest": {
            /**
             * Format: int64
             * @description The revision to start with; 0 means the newest. Any retained revision is possible. For one in the past, controllers sync everything again, and programs restart from the start of their containers.
             */
            readonly at?: number;
            /**
             * @description Whether its clock runs; default is as in the cluster. The clock continues from the time of the state.
             * @enum {string}
             */
            readonly clock?: "paused" | "running";
            /** @description A name of lowercase letters, digits and hyphens. */
            readonly name: string;
            /** @description A snapshot to start with, instead of the cluster's state. */
            readonly snapshot?: string;
            /** @description How long it is kept, in real time, such as 90s, 36h or 7d; default is until it is deleted. */
            readonly ttl?: string;
        };
        readonly "rowlock.v1.Held": {
            readonly apiVersion: string;
            /** @description The finalizers that remain. */
            readonly finalizers?: readonly string[];
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description The Pod's node, if it does not respond and so cannot confirm that the Pod has ended. */
            readonly node?: string;
            /** @description The resource with its group, such as pods or deployments.apps. */
            readonly resource: string;
            readonly uid: string;
        };
        readonly "rowlock.v1.History": {
            /** @description The newest revision. */
            readonly newest: components["schemas"]["rowlock.v1.HistoryPoint"];
            /** @description The oldest retained revision. */
            readonly oldest: components["schemas"]["rowlock.v1.HistoryPoint"];
            /** @description Points between the two, evenly spaced by revision. */
            readonly points: readonly components["schemas"]["rowlock.v1.HistoryPoint"][];
        };
        readonly "rowlock.v1.HistoryPoint": {
            /**
             * Format: date-time
             * @description When it was committed, in cluster time.
             */
            readonly at: string;
            /** Format: int64 */
            readonly revision: number;
        };
        readonly "rowlock.v1.ImageFault": {
            /** @description The image as Pods name it, such as nginx:1.29; without a tag, all tags; * matches any text. */
            readonly image: string;
            /** @description The text of the error. */
            readonly message?: string;
            /**
             * @description Why a container that needs it waits; default ErrImagePull.
             * @enum {string}
             */
            readonly reason?: "ErrImagePull" | "RegistryUnavailable" | "SignatureValidationFailed";
        };
        readonly "rowlock.v1.LoadRequest": {
            /**
             * @description Whether the clock runs afterwards; default is as when the state was saved.
             * @enum {string}
             */
            readonly clock?: "paused" | "running";
            /** @description Replace the objects of the cluster. Without it, loading into a cluster that has objects of its own fails with 409. */
            readonly replace?: boolean;
        };
        readonly "rowlock.v1.LogRange": {
            /**
             * Format: int64
             * @description The revision after which it starts.
             */
            readonly from: number;
            /**
             * Format: int64
             * @description Its last revision; 0 means the newest.
             */
            readonly to?: number;
        };
        readonly "rowlock.v1.Metric": {
            /** @description Labels for selectors. An external metric has one value for each set of labels. */
            readonly labels?: {
                readonly [key: string]: string;
            };
            /** @description The metric's name. */
            readonly metric: string;
            /** @description The namespace; default is default. Cluster-scoped objects have none. */
            readonly namespace?: string;
            /** @description The object of a custom metric: pods/web-1, deployments.apps/web, nodes/node-1, or namespaces/NAME for the namespace itself. Without it, the metric is external. */
            readonly object?: string;
            /**
             * Format: date-time
             * @description When it was set, in cluster time.
             */
            readonly time?: string;
            /** @description The value, as a quantity such as 250 or 1500m. */
            readonly value: string;
        };
        readonly "rowlock.v1.MetricList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Metric"][];
        };
        readonly "rowlock.v1.NodeFault": {
            /** @description The Node's name. */
            readonly name: string;
            /**
             * @description unreachable: the node is cut off, and its containers keep running. failed: the node and its containers have crashed.
             * @enum {string}
             */
            readonly state: "unreachable" | "failed";
        };
        readonly "rowlock.v1.PodFault": {
            /**
             * @description exit: running containers exit now. oom: they exit now, as if out of memory. crashloop: they exit now and after each start. unready: they are not ready. stuck: a Pod that is being deleted remains. evict: the Pod fails, as if its node were short of a resource. exit, oom and evict are over once carried out, the others when the fault is deleted or expires.
             * @enum {string}
             */
            readonly action: "exit" | "oom" | "crashloop" | "unready" | "stuck" | "evict";
            /** @description For crashloop, how long each run lasts, such as 5s; default 0s. */
            readonly after?: string;
            /** @description The container; default is all regular containers. */
            readonly container?: string;
            /**
             * Format: int32
             * @description For exit and crashloop, the exit code, 0 to 255; default 1.
             */
            readonly exitCode?: number;
            /** @description The Pod's name. */
            readonly name?: string;
            /** @description The Pods' namespace; default is default. */
            readonly namespace?: string;
            /** @description Instead of a name, a label selector such as app=web. While the fault lasts, it also affects Pods created later. */
            readonly selector?: string;
            /** @description For exit and crashloop, instead of a code, the signal that ends the containers: KILL, TERM, SEGV and so on. */
            readonly signal?: string;
        };
        readonly "rowlock.v1.Ref": {
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description The resource with its group, such as pods or deployments.apps. */
            readonly resource: string;
            readonly uid: string;
        };
        readonly "rowlock.v1.ScaleDown": {
            /**
             * Format: int32
             * @description The current number of replicas in its spec.
             */
            readonly from: number;
            /** @description The revision of the preview. */
            readonly resourceVersion: string;
            /** @description What is scaled down: the workload itself or, for a Deployment, its ReplicaSets. */
            readonly shrinks: readonly components["schemas"]["rowlock.v1.Shrink"][];
            /**
             * Format: int32
             * @description The requested number of replicas.
             */
            readonly to: number;
            /** @description The workload's UID. */
            readonly uid: string;
            /** @description The Pods that would be deleted, in order; for a Deployment, by ReplicaSet. Empty for users who may not list Pods. */
            readonly victims: readonly components["schemas"]["rowlock.v1.Victim"][];
            /**
             * Format: int64
             * @description The number of all victims, listed or not.
             */
            readonly victimsCount: number;
        };
        readonly "rowlock.v1.Schedule": {
            /** @description The next times, in order; fewer than requested if no more follow within five years. */
            readonly times: readonly string[];
        };
        readonly "rowlock.v1.Shrink": {
            /** Format: int32 */
            readonly from: number;
            readonly name: string;
            /** Format: int32 */
            readonly to: number;
            readonly uid: string;
            /**
             * Format: int64
             * @description The number of Pods that it would delete.
             */
            readonly victimsCount: number;
        };
        readonly "rowlock.v1.Snapshot": {
            /**
             * Format: int64
             * @description The size of the file.
             */
            readonly bytes: number;
            /**
             * @description state: everything at one revision, which can be loaded. log: the changes between two revisions.
             * @enum {string}
             */
            readonly contents: "state" | "log";
            /**
             * Format: int64
             * @description The revision after which a log starts.
             */
            readonly from?: number;
            readonly name: string;
            /** @description Whether the revision was in the past when it was saved. Such a snapshot lacks the controllers' memory: after loading, they sync everything again, and programs restart from the start of their containers. */
            readonly past?: boolean;
            /**
             * Format: int64
             * @description The number of records: objects with their extra data, or changes.
             */
            readonly records: number;
            /**
             * Format: int64
             * @description The revision of a state, or the last one of a log.
             */
            readonly revision: number;
            /**
             * Format: date-time
             * @description When it was saved or uploaded, in real time.
             */
            readonly saved: string;
            /** @description The version of the server that wrote it. */
            readonly server: string;
            /**
             * Format: date-time
             * @description The cluster time.
             */
            readonly time: string;
        };
        readonly "rowlock.v1.SnapshotList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Snapshot"][];
        };
        readonly "rowlock.v1.SnapshotRequest": {
            /** @description Save a range of the log instead of a state. */
            readonly log?: components["schemas"]["rowlock.v1.LogRange"];
            /** @description A name of lowercase letters, digits and hyphens. */
            readonly name: string;
            /** @description Do not list it, and delete it when it has not been used for an hour. */
            readonly passing?: boolean;
            /**
             * Format: int64
             * @description The revision to save; 0 means the newest. Any retained revision is possible.
             */
            readonly revision?: number;
        };
        readonly "rowlock.v1.StalledController": {
            /** @description The controller's name. */
            readonly controller: string;
            /**
             * Format: int64
             * @description How long it has been without progress, in seconds of real time.
             */
            readonly seconds: number;
        };
        readonly "rowlock.v1.StreamLine": {
            /** @description The watch has started. */
            readonly begun?: boolean;
            /** @description The watch has ended. */
            readonly ended?: boolean;
            /** @description Why the watch could not start: a Status. */
            readonly error?: {
                readonly [key: string]: unknown;
            };
            /** Format: int64 */
            readonly id: number;
            /** @description A line of the watch; for a log, a string. */
            readonly line?: {
                readonly [key: string]: unknown;
            };
        };
        readonly "rowlock.v1.StreamRequest": {
            /** @description The Accept header, which selects the form of JSON of its lines. */
            readonly accept?: string;
            /**
             * Format: int64
             * @description The ID that its lines have in the response.
             */
            readonly id: number;
            /** @description Its path and query, with watch=true or, for a log, follow=true. */
            readonly path: string;
        };
        readonly "rowlock.v1.StreamsRequest": {
            readonly streams: readonly components["schemas"]["rowlock.v1.StreamRequest"][];
        };
        readonly "rowlock.v1.Traffic": {
            /**
             * Format: date-time
             * @description The start of the period, in cluster time.
             */
            readonly from: string;
            /** @description Requests by caller and callee, the busiest first; at most 200. */
            readonly items: readonly components["schemas"]["rowlock.v1.TrafficItem"][];
            /** @description Totals by minute, in order; minutes without requests are missing. */
            readonly minutes: readonly components["schemas"]["rowlock.v1.TrafficMinute"][];
            /**
             * Format: date-time
             * @description The end of the period, in cluster time.
             */
            readonly to: string;
        };
        readonly "rowlock.v1.TrafficEnd": {
            readonly name: string;
            readonly namespace: string;
        };
        readonly "rowlock.v1.TrafficItem": {
            /**
             * Format: int64
             * @description Requests answered, and connections opened.
             */
            readonly answered: number;
            /** @description The Pod that received the requests; absent if none did, or if you may not list Pods in its namespace. */
            readonly callee?: components["schemas"]["rowlock.v1.TrafficEnd"];
            /** @description The Pod that sent the requests; absent if you may not list Pods in its namespace. */
            readonly caller?: components["schemas"]["rowlock.v1.TrafficEnd"];
            /**
             * Format: int64
             * @description Requests answered with a status of 500 or more.
             */
            readonly failed: number;
            /**
             * Format: int64
             * @description Requests without an answer before the timeout.
             */
            readonly lost: number;
            /**
             * Format: int64
             * @description Requests refused, because there was no endpoint or nothing was listening.
             */
            readonly refused: number;
            /** @description The Service that it called; absent if it called a Pod by its address. */
            readonly service?: components["schemas"]["rowlock.v1.TrafficEnd"];
        };
        readonly "rowlock.v1.TrafficMinute": {
            /**
             * Format: int64
             * @description Requests answered, and connections opened.
             */
            readonly answered: number;
            /** Format: date-time */
            readonly at: string;
            /**
             * Format: int64
             * @description Requests answered with a status of 500 or more.
             */
            readonly failed: number;
            /**
             * Format: int64
             * @description Requests without an answer before the timeout.
             */
            readonly lost: number;
            /**
             * Format: int64
             * @description Requests refused, because there was no endpoint or nothing was listening.
             */
            readonly refused: number;
        };
        readonly "rowlock.v1.Usage": {
            /**
             * Format: date-time
             * @description The start of the period, in cluster time.
             */
            readonly from: string;
            /** @description The measurements, in order; none for times when no container was running, or that the log no longer covers. */
            readonly items: readonly components["schemas"]["rowlock.v1.UsageItem"][];
            /** @description Whether the Pod takes part in a declared load. Its usage then depends on all Pods that share the load, so there are no items. */
            readonly load: boolean;
            /**
             * Format: date-time
             * @description The end of the period, in cluster time.
             */
            readonly to: string;
        };
        readonly "rowlock.v1.UsageItem": {
            /** Format: date-time */
            readonly at: string;
            /**
             * Format: double
             * @description The CPU usage of all containers together, in cores.
             */
            readonly cpu: number;
            /**
             * Format: int64
             * @description The memory usage of all containers together, in bytes.
             */
            readonly memory: number;
        };
        readonly "rowlock.v1.Victim": {
            /** @description The reason in words. */
            readonly message: string;
            readonly name: string;
            /** @description The object that would delete it: one of the names in shrinks. */
            readonly owner: string;
            /**
             * @description The rule that ranks it before the first Pod that would remain.
             * @enum {string}
             */
            readonly reason: "NotAssigned" | "Phase" | "NotReady" | "DeletionCost" | "DoubledUp" | "ReadyLater" | "MoreRestarts" | "CreatedLater" | "SmallerUID" | "NoIndex" | "SameIndex" | "OtherOrdinal" | "NoneIsToStay" | "OwnerHasEnded";
            /** @description The first Pod that would remain; absent if it does not matter which Pods remain. */
            readonly than?: string;
            readonly uid: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
