import { apiVersion, type Resource } from '../api/resource'

/**
 * startOf returns a manifest to start from for a kind: one of starts, or the fields that every
 * object has; a Deployment's for undefined.
 */
export function startOf(r: Resource | undefined): string {
  if (!r) return starts.Deployment ?? ''
  return starts[r.kind] ?? `apiVersion: ${apiVersion(r)}\nkind: ${r.kind}\nmetadata:\n  name: example\n`
}

/** starts are manifests to start from. */
export const starts: Readonly<Record<string, string>> = {
  Deployment: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.28
          ports:
            - containerPort: 80
`,
  Job: `apiVersion: batch/v1
kind: Job
metadata:
  name: once
spec:
  completions: 3
  parallelism: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1.36
          command: ["sh", "-c", "sleep 10; echo done"]
`,
  CronJob: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
            - name: main
              image: busybox:1.36
              command: ["sh", "-c", "date; echo done"]
`,
  Pod: `apiVersion: v1
kind: Pod
metadata:
  name: alone
  labels:
    app: alone
spec:
  containers:
    - name: main
      image: nginx:1.28
`,
  ConfigMap: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello
`,
  Namespace: `apiVersion: v1
kind: Namespace
metadata:
  name: team-a
`,
}
