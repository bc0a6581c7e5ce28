import { expect, test } from 'vitest'
import type { Fault } from './faultrequest'
import { sentenceOf } from './faultwords'

const fault = (f: Partial<Fault>): Fault => ({ name: 'f', created: '', hits: 0, seen: 0, summary: 'as the server says', ...f })

test.each<[Partial<Fault>, string]>([
  [{ node: { name: 'node-2', state: 'unreachable' } }, 'Node node-2 is unreachable'],
  [{ node: { name: 'node-2', state: 'failed' } }, 'Node node-2 is down'],
  [{ image: { image: 'nginx' } }, 'Image nginx cannot be pulled'],
  [{ pod: { namespace: 'shop', name: 'a', action: 'crashloop', exitCode: 3 } }, 'Pod a in shop: crash loop, exit code 3'],
  [{ pod: { namespace: 'shop', selector: 'app=web', action: 'exit', signal: 'KILL' } }, 'Pods app=web in shop: exit now, signal KILL'],
  [{ pod: { namespace: 'shop', name: 'a', container: 'c', action: 'unready' } }, 'Container c of Pod a in shop: not ready'],
  [{ api: { status: 503, probability: 0.125 } }, 'All API requests: answered 503, in 12.5 % of cases'],
  [
    { api: { verbs: ['get', 'list'], resources: ['pods'], namespaces: ['shop'], delay: '2s' } },
    'API requests get, list pods in shop: delayed by 2s',
  ],
  [{ api: { watch: 'expire' } }, 'All API requests: watches end with 410 Expired'],
  [{}, 'as the server says'],
])('%j is told', (f, want) => {
  expect(sentenceOf(fault(f))).toBe(want)
})
