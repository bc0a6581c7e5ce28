// Generated from openapi.yaml by web/types/generate.js. DO NOT EDIT.

export interface components {
    schemas: {
        readonly "rowlock.v1.APIFault": {
            /** @description How long a watch lasts before that, counted from its beginning or that of the fault, such as 30s; 0s if not given. */
            readonly after?: string;
            /** @description The answer is that the object has been modified, as if another had been faster. */
            readonly conflict?: boolean;
            /**
             * Format: int64
             * @description How often the fault happens before it ends, across all replicas; 0 is without end.
             */
            readonly count?: number;
            /** @description How long a request waits before anything else becomes of it, and each piece of a watch, such as 2s; up to 5m. */
            readonly delay?: string;
            /**
             * @description The connection is closed. before: nothing has been done. after: everything has been done, and the answer ends in its middle.
             * @enum {string}
             */
            readonly drop?: "before" | "after";
            /** @description What the error says. */
            readonly message?: string;
            /** @description The objects' names. */
            readonly names?: readonly string[];
            /** @description The namespaces that requests name. */
            readonly namespaces?: readonly string[];
            /**
             * Format: double
             * @description How likely it is to happen to a request that it concerns, 0 to 1; 1 if not given.
             */
            readonly probability?: number;
            /** @description Resources such as pods or deployments.apps; pods/log is a subresource, pods/* are all of them, and * is everything. */
            readonly resources?: readonly string[];
            /** @description When the error asks the client to come back, in whole seconds, such as 1s. */
            readonly retryAfter?: string;
            /**
             * Format: int64
             * @description The seed of the probability: the n-th request that the fault concerns always has the same outcome.
             */
            readonly seed?: number;
            /**
             * Format: int64
             * @description The error that is answered, 400 to 599, and nothing is done.
             */
            readonly status?: number;
            /** @description What the User-Agent header contains or, with a *, is like. */
            readonly userAgents?: readonly string[];
            /** @description The names of the users who ask. */
            readonly users?: readonly string[];
            /** @description get, list, watch, create, update, patch, delete, deletecollection. */
            readonly verbs?: readonly string[];
            /**
             * @description What becomes of watches, those that are open among them. drop: the connection is closed. expire: the watch ends with 410 Expired.
             * @enum {string}
             */
            readonly watch?: "drop" | "expire";
        };
        readonly "rowlock.v1.Change": {
            readonly apiVersion: string;
            /**
             * Format: date-time
             * @description When it was committed, by the cluster's clock.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description The revision that led to it; absent where a client's request did, or nothing but time.
             */
            readonly cause?: number;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description With bodies=true the object as the change left it, without its managedFields; absent of a removal that left the last state to the change before. */
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
            /** @description Whether the last item is where it began: a client's request, or a controller that nothing but time had look. */
            readonly complete: boolean;
            /** @description The change, then what led to it, and so on back. */
            readonly items: readonly components["schemas"]["rowlock.v1.Change"][];
            /** @description Why it goes no further back, where it was no request that began it. */
            readonly reason?: string;
        };
        readonly "rowlock.v1.ChangeDetail": {
            readonly apiVersion: string;
            /**
             * Format: date-time
             * @description When it was committed, by the cluster's clock.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description The revision that led to it; absent where a client's request did, or nothing but time.
             */
            readonly cause?: number;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description With bodies=true the object as the change left it, without its managedFields; absent of a removal that left the last state to the change before. */
            readonly object?: {
                readonly [key: string]: unknown;
            };
            /** @description The object before the change; absent where there was none. */
            readonly previous?: {
                readonly [key: string]: unknown;
            };
            /** @description There was one, and the log has been compacted past it. */
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
            /** @description In the order of their revisions, or with newest=true from the newest back. */
            readonly items: readonly components["schemas"]["rowlock.v1.Change"][];
            /**
             * Format: int64
             * @description The last revision.
             */
            readonly newest: number;
            /**
             * Format: int64
             * @description What after, or with newest=true before, is to be for the next page; absent where nothing follows. A page may have fewer items than there is room for, or none, and another follow, where the server would have had to look for too long.
             */
            readonly next?: number;
            /**
             * Format: int64
             * @description The oldest revision that is retained: what was then can be read, and all changes after it are there.
             */
            readonly oldest: number;
        };
        readonly "rowlock.v1.ChangeWriter": {
            /** @description Which controller made the change, such as replicaset-controller; absent for a client's. */
            readonly controller?: string;
            /** @description The id of the client's request, as its answer's Audit-Id and the server's log have it; an Audit-Id that the client chose itself is only in the log, beside this one. */
            readonly request?: string;
            /** @description Whose request it was; absent on a server without a login. */
            readonly user?: string;
            /** @description What the client called itself. */
            readonly userAgent?: string;
        };
        readonly "rowlock.v1.Clock": {
            /** @description The advance under way, or the last. */
            readonly advance?: components["schemas"]["rowlock.v1.ClockAdvance"];
            /** @description What is due next, or already, in order: the first few. */
            readonly due: readonly components["schemas"]["rowlock.v1.ClockWork"][];
            /** @description Looks that have failed and are tried again in real time: those that failed most often. */
            readonly failing?: readonly components["schemas"]["rowlock.v1.ClockWork"][];
            /**
             * Format: int64
             * @description How many such looks there are altogether.
             */
            readonly failingCount?: number;
            /**
             * Format: date-time
             * @description What the clock shows.
             */
            readonly now: string;
            /**
             * Format: double
             * @description How fast it runs when it runs: what it goes back to after a pause.
             */
            readonly pace: number;
            /** @description Whether somebody has made it stand still. An advance lets go of it when it ends. */
            readonly paused: boolean;
            /**
             * Format: double
             * @description How many times as fast as real time it runs now; 0 while it stands still.
             */
            readonly speed: number;
            /** @description The controllers of the replica that answers which have had work for a minute and not got on with any of it. */
            readonly stalled?: readonly components["schemas"]["rowlock.v1.StalledController"][];
        };
        readonly "rowlock.v1.ClockAdvance": {
            /**
             * Format: date-time
             * @description Where it came to; absent while it runs.
             */
            readonly ended?: string;
            /**
             * Format: date-time
             * @description Where the clock stood before.
             */
            readonly from: string;
            /**
             * @description How far it is.
             * @enum {string}
             */
            readonly phase: "running" | "done" | "interrupted";
            /**
             * Format: int64
             * @description How many times the clock has been set forward.
             */
            readonly steps: number;
            /**
             * Format: date-time
             * @description Where it is to come to; absent while that is the next thing due, which is not known before all that is due now is done.
             */
            readonly to?: string;
        };
        readonly "rowlock.v1.ClockAdvanceRequest": {
            /** @description A span of time, such as 90s, 36h, 1d or 2d12h; 0s is until all is done that is due now. */
            readonly by?: string;
            /**
             * Format: date-time
             * @description A time that has not passed.
             */
            readonly to?: string;
            /** @description true: to the next time at which something is due. */
            readonly toNext?: boolean;
        };
        readonly "rowlock.v1.ClockRequest": {
            /** @description Advance, and run or stand still afterwards as before. */
            readonly advance?: components["schemas"]["rowlock.v1.ClockAdvanceRequest"];
            /** @description true: stand still. false: run at the pace that it had. */
            readonly paused?: boolean;
            /**
             * Format: double
             * @description Run so many times as fast as real time, 0.001 to 100000; 0 is to stand still.
             */
            readonly speed?: number;
        };
        readonly "rowlock.v1.ClockWork": {
            /**
             * Format: date-time
             * @description When, by the cluster's clock; for what has failed, in real time.
             */
            readonly at: string;
            /**
             * Format: int64
             * @description How often the look has failed.
             */
            readonly attempts?: number;
            /** @description Who will look. */
            readonly controller: string;
            /** @description The object's kind; absent for a look that is not at an object. */
            readonly kind?: string;
            /** @description The object's name, or that of the lock under which the look is taken. */
            readonly name: string;
            readonly namespace?: string;
        };
        readonly "rowlock.v1.Deletion": {
            /** @description What would be deleted: the object first, then everything that goes with it, in the order of deletion. */
            readonly deleted: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly deletedCount: number;
            /** @description Deleted objects that would stay for now, because of a finalizer that nothing removes or a node that does not respond. */
            readonly held: readonly components["schemas"]["rowlock.v1.Held"][];
            /** Format: int64 */
            readonly heldCount: number;
            /** @description What would lose its last owner and stay. */
            readonly orphaned: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly orphanedCount: number;
            /**
             * @description The policy that holds: the one asked for, or that of the object or its kind.
             * @enum {string}
             */
            readonly propagation: "Foreground" | "Background" | "Orphan";
            /** @description What would lose an owner and stay with others. */
            readonly released: readonly components["schemas"]["rowlock.v1.Ref"][];
            /** Format: int64 */
            readonly releasedCount: number;
            /** @description The revision at which this is so. */
            readonly resourceVersion: string;
        };
        readonly "rowlock.v1.Fault": {
            readonly api?: components["schemas"]["rowlock.v1.APIFault"];
            /**
             * Format: date-time
             * @description When it was made, by the cluster's clock.
             */
            readonly created: string;
            /**
             * Format: int64
             * @description To how many of them it has happened.
             */
            readonly hits: number;
            readonly image?: components["schemas"]["rowlock.v1.ImageFault"];
            readonly name: string;
            readonly node?: components["schemas"]["rowlock.v1.NodeFault"];
            readonly pod?: components["schemas"]["rowlock.v1.PodFault"];
            /**
             * Format: int64
             * @description Of a fault of the API: how many requests it has concerned, across all replicas.
             */
            readonly seen: number;
            /** @description What it does, for people. */
            readonly summary: string;
            /**
             * Format: date-time
             * @description When it ends by itself: by the cluster's clock or, for a fault of the API, in real time.
             */
            readonly until?: string;
        };
        readonly "rowlock.v1.FaultList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Fault"][];
        };
        readonly "rowlock.v1.FaultRequest": {
            readonly api?: components["schemas"]["rowlock.v1.APIFault"];
            /** @description How long it is to last, such as 90s, 5m or 1d: by the cluster's clock or, for a fault of the API, in real time. Without it, until it is deleted or has nothing left to do. */
            readonly for?: string;
            readonly image?: components["schemas"]["rowlock.v1.ImageFault"];
            /** @description What it is to be called; without one it gets a name. */
            readonly name?: string;
            readonly node?: components["schemas"]["rowlock.v1.NodeFault"];
            readonly pod?: components["schemas"]["rowlock.v1.PodFault"];
        };
        readonly "rowlock.v1.Fork": {
            /**
             * Format: date-time
             * @description In real time.
             */
            readonly created: string;
            /**
             * Format: date-time
             * @description When it will be removed, in real time.
             */
            readonly expires?: string;
            readonly name: string;
            /** @description Its API is below this path of the server. */
            readonly path: string;
            /**
             * Format: int64
             * @description The revision whose state it began with.
             */
            readonly revision?: number;
            /** @description The snapshot that it was made from, unless it was made from the cluster. */
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
             * @description The revision whose state it begins with; 0 is the newest. Others can be as long as the log has them: then controllers look at everything anew, and programs begin again where their containers did.
             */
            readonly at?: number;
            /**
             * @description Whether its clock runs; as the cluster's if it is not said. It goes on from the time of the state.
             * @enum {string}
             */
            readonly clock?: "paused" | "running";
            /** @description A name of lower-case letters, digits and hyphens. */
            readonly name: string;
            /** @description A snapshot to begin with, instead of the cluster's state. */
            readonly snapshot?: string;
            /** @description How long it is kept, in real time, such as 90s, 36h or 7d; for ever if it is not said. */
            readonly ttl?: string;
        };
        readonly "rowlock.v1.Held": {
            readonly apiVersion: string;
            /** @description Those that it keeps. */
            readonly finalizers?: readonly string[];
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description The Pod's node, if it does not respond, so that nothing confirms the end of the Pod. */
            readonly node?: string;
            /** @description As in pods or deployments.apps. */
            readonly resource: string;
            readonly uid: string;
        };
        readonly "rowlock.v1.History": {
            /** @description The last revision. */
            readonly newest: components["schemas"]["rowlock.v1.HistoryPoint"];
            /** @description The oldest revision that is retained. */
            readonly oldest: components["schemas"]["rowlock.v1.HistoryPoint"];
            /** @description Points between the two, evenly by revision. */
            readonly points: readonly components["schemas"]["rowlock.v1.HistoryPoint"][];
        };
        readonly "rowlock.v1.HistoryPoint": {
            /**
             * Format: date-time
             * @description By the cluster's clock.
             */
            readonly at: string;
            /** Format: int64 */
            readonly revision: number;
        };
        readonly "rowlock.v1.ImageFault": {
            /** @description The image as Pods name it, nginx:1.29, or without a tag for all tags; * stands for any text. */
            readonly image: string;
            /** @description What the error says. */
            readonly message?: string;
            /**
             * @description Why a container that wants it waits; ErrImagePull if not given.
             * @enum {string}
             */
            readonly reason?: "ErrImagePull" | "RegistryUnavailable" | "SignatureValidationFailed";
        };
        readonly "rowlock.v1.LoadRequest": {
            /**
             * @description Whether the clock runs from then on; as it was saved if it is not said.
             * @enum {string}
             */
            readonly clock?: "paused" | "running";
            /** @description Remove what the cluster has of its own. Without, such a cluster is left as it is (409). */
            readonly replace?: boolean;
        };
        readonly "rowlock.v1.LogRange": {
            /**
             * Format: int64
             * @description The revision after which it begins.
             */
            readonly from: number;
            /**
             * Format: int64
             * @description Its last revision; 0 is the newest.
             */
            readonly to?: number;
        };
        readonly "rowlock.v1.Metric": {
            /** @description Labels of the value, for selectors. An external metric has a value for each set of labels. */
            readonly labels?: {
                readonly [key: string]: string;
            };
            /** @description The metric's name. */
            readonly metric: string;
            /** @description The namespace; default if not given. Objects without a namespace have none here. */
            readonly namespace?: string;
            /** @description Of a custom metric, what it is about: pods/web-1, deployments.apps/web, nodes/node-1, or namespaces/NAME for the namespace itself. Without it the metric is external. */
            readonly object?: string;
            /**
             * Format: date-time
             * @description When it was set, by the cluster's clock.
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
             * @description unreachable: it is cut off, and its containers go on. failed: it has crashed, and its containers with it.
             * @enum {string}
             */
            readonly state: "unreachable" | "failed";
        };
        readonly "rowlock.v1.PodFault": {
            /**
             * @description exit: containers that run end now. oom: they end now, as if they had taken too much memory. crashloop: they end now and after each start. unready: they are not ready. stuck: a Pod that is being deleted does not go. evict: the Pod fails, as if its node were short of something. exit, oom and evict end when they have been carried out, the others when the fault is deleted or its time is over.
             * @enum {string}
             */
            readonly action: "exit" | "oom" | "crashloop" | "unready" | "stuck" | "evict";
            /** @description For crashloop, how long each run lasts, such as 5s; 0s if not given. */
            readonly after?: string;
            /** @description The container; all regular ones if not given. */
            readonly container?: string;
            /**
             * Format: int32
             * @description For exit and crashloop, what containers end with, 0 to 255; 1 if not given.
             */
            readonly exitCode?: number;
            /** @description The Pod's name. */
            readonly name?: string;
            /** @description The Pods' namespace; default if not given. */
            readonly namespace?: string;
            /** @description Instead of a name, a label selector such as app=web. While the fault lasts it concerns Pods that come later, too. */
            readonly selector?: string;
            /** @description For exit and crashloop, instead of a code: end as if by this signal, KILL, TERM, SEGV and so on. */
            readonly signal?: string;
        };
        readonly "rowlock.v1.Ref": {
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            readonly namespace?: string;
            /** @description As in pods or deployments.apps. */
            readonly resource: string;
            readonly uid: string;
        };
        readonly "rowlock.v1.ScaleDown": {
            /**
             * Format: int32
             * @description How many replicas it is to have now.
             */
            readonly from: number;
            /** @description The revision at which this is so. */
            readonly resourceVersion: string;
            /** @description What becomes smaller: the workload itself or, of a Deployment, its ReplicaSets. */
            readonly shrinks: readonly components["schemas"]["rowlock.v1.Shrink"][];
            /**
             * Format: int32
             * @description How many it was asked for.
             */
            readonly to: number;
            /** @description The workload's. */
            readonly uid: string;
            /** @description The Pods that would go, in the order in which the controller takes them; of a Deployment, by ReplicaSet. None for those who may not list Pods. */
            readonly victims: readonly components["schemas"]["rowlock.v1.Victim"][];
            /**
             * Format: int64
             * @description How many they are, although not all may be listed.
             */
            readonly victimsCount: number;
        };
        readonly "rowlock.v1.Schedule": {
            /** @description The next times, in order; fewer than asked for where no more come within five years. */
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
             * @description How many Pods it would give up.
             */
            readonly victimsCount: number;
        };
        readonly "rowlock.v1.Snapshot": {
            /**
             * Format: int64
             * @description How large the file is.
             */
            readonly bytes: number;
            /**
             * @description state: all there was at one revision, which can be loaded. log: the changes after one revision up to another.
             * @enum {string}
             */
            readonly contents: "state" | "log";
            /**
             * Format: int64
             * @description The revision after which a log begins.
             */
            readonly from?: number;
            readonly name: string;
            /** @description Whether the revision had passed when it was saved. What controllers remembered then is not known: when it is loaded they look at everything, and programs begin again where their containers did. */
            readonly past?: boolean;
            /**
             * Format: int64
             * @description How many objects or changes it holds, and what stands beside objects.
             */
            readonly records: number;
            /**
             * Format: int64
             * @description The revision of a state, or the last of a log.
             */
            readonly revision: number;
            /**
             * Format: date-time
             * @description When it was saved or sent, in real time.
             */
            readonly saved: string;
            /** @description The version of the server that wrote it. */
            readonly server: string;
            /**
             * Format: date-time
             * @description What the cluster's clock showed.
             */
            readonly time: string;
        };
        readonly "rowlock.v1.SnapshotList": {
            readonly items: readonly components["schemas"]["rowlock.v1.Snapshot"][];
        };
        readonly "rowlock.v1.SnapshotRequest": {
            /** @description Save a range of the log instead of a state. */
            readonly log?: components["schemas"]["rowlock.v1.LogRange"];
            /** @description A name of lower-case letters, digits and hyphens. */
            readonly name: string;
            /** @description It is only to be read: it is not listed, and goes when it has not been used for an hour. */
            readonly passing?: boolean;
            /**
             * Format: int64
             * @description The revision whose state is saved; 0 is the newest. Others can be as long as the log has them.
             */
            readonly revision?: number;
        };
        readonly "rowlock.v1.StalledController": {
            /** @description Its name. */
            readonly controller: string;
            /**
             * Format: int64
             * @description For how long it has had work and not got on with any of it, in real time.
             */
            readonly seconds: number;
        };
        readonly "rowlock.v1.StreamLine": {
            /** @description The watch has begun. */
            readonly begun?: boolean;
            /** @description The watch has ended. */
            readonly ended?: boolean;
            /** @description Why it could not begin: a Status. */
            readonly error?: {
                readonly [key: string]: unknown;
            };
            /** Format: int64 */
            readonly id: number;
            /** @description A line of it; of a log, as a string. */
            readonly line?: {
                readonly [key: string]: unknown;
            };
        };
        readonly "rowlock.v1.StreamRequest": {
            /** @description Which form of JSON its lines are to have. */
            readonly accept?: string;
            /**
             * Format: int64
             * @description What its lines are called by.
             */
            readonly id: number;
            /** @description Where it is served, with the query, which has watch=true; of a log follow=true. */
            readonly path: string;
        };
        readonly "rowlock.v1.StreamsRequest": {
            readonly streams: readonly components["schemas"]["rowlock.v1.StreamRequest"][];
        };
        readonly "rowlock.v1.Traffic": {
            /**
             * Format: date-time
             * @description From when on it counts, by the cluster's clock.
             */
            readonly from: string;
            /** @description Who asked whom, the busiest first; 200 at most. */
            readonly items: readonly components["schemas"]["rowlock.v1.TrafficItem"][];
            /** @description All of them by the minute, in order; minutes without requests are missing. */
            readonly minutes: readonly components["schemas"]["rowlock.v1.TrafficMinute"][];
            /**
             * Format: date-time
             * @description The cluster's time.
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
             * @description Requests that were answered, and connections that were opened.
             */
            readonly answered: number;
            /** @description The Pod that the request came to; absent where it came to none, or may not be known. */
            readonly callee?: components["schemas"]["rowlock.v1.TrafficEnd"];
            /** @description The Pod that asked; absent of Pods in namespaces whose Pods you may not list. */
            readonly caller?: components["schemas"]["rowlock.v1.TrafficEnd"];
            /**
             * Format: int64
             * @description Requests that were answered with a status of 500 or more.
             */
            readonly failed: number;
            /**
             * Format: int64
             * @description Requests without an answer in time.
             */
            readonly lost: number;
            /**
             * Format: int64
             * @description Requests that nobody took: no endpoint, or nothing that listens.
             */
            readonly refused: number;
            /** @description The Service that it asked; absent where it asked a Pod by its address. */
            readonly service?: components["schemas"]["rowlock.v1.TrafficEnd"];
        };
        readonly "rowlock.v1.TrafficMinute": {
            /**
             * Format: int64
             * @description Requests that were answered, and connections that were opened.
             */
            readonly answered: number;
            /** Format: date-time */
            readonly at: string;
            /**
             * Format: int64
             * @description Requests that were answered with a status of 500 or more.
             */
            readonly failed: number;
            /**
             * Format: int64
             * @description Requests without an answer in time.
             */
            readonly lost: number;
            /**
             * Format: int64
             * @description Requests that nobody took: no endpoint, or nothing that listens.
             */
            readonly refused: number;
        };
        readonly "rowlock.v1.Victim": {
            /** @description The same for people. */
            readonly message: string;
            readonly name: string;
            /** @description Who gives it up: one of the names in shrinks. */
            readonly owner: string;
            /**
             * @description The rule that puts it before the first Pod that stays.
             * @enum {string}
             */
            readonly reason: "NotAssigned" | "Phase" | "NotReady" | "DeletionCost" | "DoubledUp" | "ReadyLater" | "MoreRestarts" | "CreatedLater" | "SmallerUID" | "NoIndex" | "SameIndex" | "OtherOrdinal" | "NoneIsToStay" | "OwnerHasEnded";
            /** @description The first Pod that stays; absent where it does not matter which stay. */
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
