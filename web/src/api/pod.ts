import type { Condition, KubeObject } from './object'

/** The fields of Pods that the dashboard reads. */

export interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port?: number | string; readonly host?: string; readonly scheme?: string }
  readonly tcpSocket?: { readonly port?: number | string; readonly host?: string }
  readonly exec?: { readonly command?: readonly string[] }
  readonly grpc?: { readonly port?: number; readonly service?: string }
  readonly initialDelaySeconds?: number
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
  readonly successThreshold?: number
  readonly failureThreshold?: number
}

interface KeyRef {
  readonly name?: string
  readonly key?: string
  readonly optional?: boolean
}

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyRef
    readonly secretKeyRef?: KeyRef
    readonly fieldRef?: { readonly fieldPath?: string }
    readonly resourceFieldRef?: { readonly resource?: string; readonly containerName?: string }
  }
}

export interface EnvFrom {
  readonly prefix?: string
  readonly configMapRef?: KeyRef
  readonly secretRef?: KeyRef
}

export interface ContainerSpec {
  readonly name: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly restartPolicy?: string
  readonly ports?: readonly {
    readonly name?: string
    readonly containerPort: number
    readonly hostPort?: number
    readonly protocol?: string
  }[]
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly EnvFrom[]
  readonly resources?: { readonly requests?: Readonly<Record<string, string>>; readonly limits?: Readonly<Record<string, string>> }
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly volumeMounts?: readonly {
    readonly name: string
    readonly mountPath: string
    readonly readOnly?: boolean
    readonly subPath?: string
  }[]
}

export interface Terminated {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly message?: string
  readonly startedAt?: string
  readonly finishedAt?: string
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: Terminated
}

export interface ContainerStatus {
  readonly name: string
  readonly ready?: boolean
  readonly started?: boolean
  readonly restartCount?: number
  readonly image?: string
  readonly imageID?: string
  readonly state?: ContainerState
  readonly lastState?: ContainerState
}

/** Volume has, besides its name, one field, named after its type. */
export interface Volume {
  readonly name: string
  readonly [type: string]: unknown
}

export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string
    readonly serviceAccountName?: string
    readonly priorityClassName?: string
    readonly restartPolicy?: string
    readonly containers?: readonly ContainerSpec[]
    readonly initContainers?: readonly ContainerSpec[]
    readonly ephemeralContainers?: readonly ContainerSpec[]
    readonly volumes?: readonly Volume[]
    readonly tolerations?: readonly unknown[]
  }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly message?: string
    readonly podIP?: string
    readonly podIPs?: readonly { readonly ip?: string }[]
    readonly hostIP?: string
    readonly qosClass?: string
    readonly startTime?: string
    readonly conditions?: readonly Condition[]
    readonly containerStatuses?: readonly ContainerStatus[]
    readonly initContainerStatuses?: readonly ContainerStatus[]
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[]
  }
}
