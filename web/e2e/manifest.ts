import type { Thing } from './cluster'

/** deployment is a Deployment of nginx, labelled app=NAME; more is merged into its spec. */
export function deployment(name: string, replicas: number, more: Thing = {}): Thing {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name), ...more },
  }
}

/** template is a Pod's template with one container of an image; more is merged into the Pod's spec. */
export function template(app: string, image = 'nginx:1.28', more: Thing = {}): Thing {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image }], ...more } }
}

/** job is a Job that runs a shell script; more is merged into its spec. */
export function job(name: string, script: string, more: Thing = {}): Thing {
  const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', script] }] }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template: { spec: pod }, ...more } }
}

/** pod is a Pod that runs a shell script. */
export function pod(name: string, script: string, labels: Record<string, string> = {}): Thing {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', script] }] },
  }
}
