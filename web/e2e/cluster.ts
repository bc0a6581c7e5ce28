import { setTimeout as pause } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { patience } from './server'

/** Thing is any object of the API, or any answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads fields that it knows to exist
export type Thing = any

/** Refused is an answer that says no. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    what: string,
    text: string,
  ) {
    super(`${what}: ${status} ${text.slice(0, 2000)}`)
  }
}

interface Place {
  readonly root: string // "/apis/apps/v1"
  readonly plural: string
  readonly namespaced: boolean
}

/** Cluster calls the API directly, for a test to prepare objects and to check results. */
export class Cluster {
  private readonly places = new Map<string, Place>()
  /** The cluster's clock. */
  readonly clock = new Clock(this)

  constructor(
    /** The address of the API, without a slash at its end. */
    readonly url: string,
    /** The test's own namespace, which requests are about unless they name another. */
    readonly namespace: string,
    private readonly token?: string,
  ) {}

  /** within is the same namespace in a cluster below this one's address, as a fork is: within('/forks/what-if'). */
  within(path: string): Cluster {
    return new Cluster(this.url + path, this.namespace, this.token)
  }

  /** request sends JSON, or a text as it is, and returns what is answered. It throws Refused. */
  async request(method: string, path: string, body?: unknown, media = 'application/json'): Promise<Thing> {
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (body !== undefined) headers['Content-Type'] = media
    if (this.token) headers.Authorization = `Bearer ${this.token}`
    const init: RequestInit = { method, headers, signal: AbortSignal.timeout(2 * patience) }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const res = await fetch(this.url + path, init)
    const text = await res.text()
    if (!res.ok) throw new Refused(res.status, `${method} ${path}`, text)
    return (res.headers.get('Content-Type') ?? '').startsWith('application/json') ? JSON.parse(text) : text
  }

  /** apply applies objects, or a YAML text of them, server-side, and returns them in their order. */
  async apply(...manifests: (string | object)[]): Promise<Thing[]> {
    const objects: Thing[] = []
    for (const m of manifests) {
      if (typeof m === 'string') objects.push(...parseAllDocuments(m).map((doc) => doc.toJS()))
      else objects.push(m)
    }
    const applied: Thing[] = []
    for (const o of objects.filter(Boolean)) {
      const place = await this.placeOfKind(o.apiVersion, o.kind)
      const path = at(place, o.metadata.namespace ?? this.namespace, o.metadata.name)
      applied.push(await this.request('PATCH', `${path}?fieldManager=test&force=true`, o, 'application/apply-patch+yaml'))
    }
    return applied
  }

  /** create creates an object as it is, also one with generateName. */
  async create(o: Thing): Promise<Thing> {
    return this.request('POST', at(await this.placeOfKind(o.apiVersion, o.kind), o.metadata?.namespace ?? this.namespace), o)
  }

  /** get reads an object: get('deployments.apps', 'web'). */
  async get(resource: string, name: string, namespace = this.namespace): Promise<Thing> {
    return this.request('GET', await this.path(resource, name, namespace))
  }

  /** list reads objects, by a label selector if one is given. */
  async list(resource: string, selector = '', namespace = this.namespace): Promise<Thing[]> {
    const list = await this.request(
      'GET',
      `${await this.path(resource, undefined, namespace)}?labelSelector=${encodeURIComponent(selector)}`,
    )
    return list.items
  }

  /** patch merges a change into an object. */
  async patch(resource: string, name: string, change: object, namespace = this.namespace): Promise<Thing> {
    return this.request('PATCH', await this.path(resource, name, namespace), change, 'application/merge-patch+json')
  }

  /** remove deletes an object, and does not wait for what follows. */
  async remove(resource: string, name: string, options: object = {}, namespace = this.namespace): Promise<void> {
    await this.request('DELETE', await this.path(resource, name, namespace), { kind: 'DeleteOptions', apiVersion: 'v1', ...options })
  }

  /** path is where a resource, or an object of it, is served. */
  async path(resource: string, name?: string, namespace = this.namespace): Promise<string> {
    return at(await this.placeOf(resource), namespace, name)
  }

  /**
   * until waits until look returns a value, and returns that. An error, for example because an
   * object does not exist yet, counts as no value.
   */
  async until<T>(what: string, look: () => Promise<T | false | null | undefined>, ms = patience): Promise<T> {
    for (const end = Date.now() + ms; ; ) {
      let last: unknown
      try {
        const found = await look()
        if (found) return found
      } catch (e) {
        if (!(e instanceof Refused && e.status === 404)) throw e
        last = e
      }
      if (Date.now() > end) throw new Error(`it did not happen that ${what}${last ? `: ${last}` : ''}`)
      await pause(25)
    }
  }

  /** available waits until all replicas of a Deployment are up to date and available, and no other is left. */
  async available(name: string, namespace = this.namespace, ms = patience): Promise<Thing> {
    return this.until(
      `deployment ${name} is available`,
      async () => {
        const d = await this.get('deployments.apps', name, namespace)
        const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = d.status ?? {}
        const want = d.spec.replicas
        return (
          observedGeneration === d.metadata.generation && replicas === want && updatedReplicas === want && availableReplicas === want && d
        )
      },
      ms,
    )
  }

  /** pods waits until as many Pods have a selector, and returns them. */
  async pods(count: number, selector = ''): Promise<Thing[]> {
    return this.until(`there are ${count} pods ${selector}`, async () => {
      const pods = await this.list('pods', selector)
      return pods.length === count && pods
    })
  }

  private async placeOf(resource: string): Promise<Place> {
    const [plural = '', ...group] = resource.split('.')
    return this.find(resource, await this.rootOf(group.join('.')), (r) => r.name === plural)
  }

  private placeOfKind(apiVersion: string, kind: string): Promise<Place> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    return this.find(`${apiVersion} ${kind}`, root, (r) => r.kind === kind && !r.name.includes('/'))
  }

  private async rootOf(group: string): Promise<string> {
    return group === '' ? '/api/v1' : `/apis/${(await this.request('GET', `/apis/${group}`)).preferredVersion.groupVersion}`
  }

  private async find(key: string, root: string, is: (r: Thing) => boolean): Promise<Place> {
    const known = this.places.get(key)
    if (known) return known
    const found = (await this.request('GET', root)).resources.find(is)
    if (!found) throw new Error(`${root} does not serve ${key}`)
    const place = { root, plural: found.name, namespaced: found.namespaced }
    this.places.set(key, place)
    return place
  }
}

function at(place: Place, namespace: string, name?: string): string {
  const within = place.namespaced && namespace !== '' ? `/namespaces/${namespace}` : ''
  return `${place.root}${within}/${place.plural}${name === undefined ? '' : `/${name}`}`
}

/** Clock is the cluster's. After a test that has touched it, it runs again, as fast as real time. */
export class Clock {
  /** Whether the test has touched it. */
  touched = false

  constructor(private readonly cluster: Cluster) {}

  /** now is what it shows. */
  async now(): Promise<Date> {
    return new Date((await this.cluster.request('GET', '/rowlock/v1/clock')).now)
  }

  pause(): Promise<Thing> {
    return this.set({ paused: true })
  }

  resume(): Promise<Thing> {
    return this.set({ paused: false })
  }

  speed(speed: number): Promise<Thing> {
    return this.set({ speed })
  }

  /** advance passes a span of time such as "90s" or "2d", and waits until all is done that was due in it; "0s" is what is due now. */
  async advance(by: string): Promise<Thing> {
    return this.settled(await this.set({ advance: { by } }))
  }

  /** settled waits for the end of an advance that is under way, whoever has started it. */
  async settled(known?: Thing): Promise<Thing> {
    let state = known ?? (await this.cluster.request('GET', '/rowlock/v1/clock'))
    while (state.advance?.phase === 'running') state = await this.cluster.request('GET', '/rowlock/v1/clock?wait=30s')
    return state
  }

  private set(change: object): Promise<Thing> {
    this.touched = true
    return this.cluster.request('POST', '/rowlock/v1/clock?wait=30s', change)
  }

  /** restore lets it run as every test finds it. */
  async restore(): Promise<void> {
    if (!this.touched) return
    await this.cluster.request('DELETE', '/rowlock/v1/clock/advance')
    await this.speed(1)
    this.touched = false
  }
}
