import { expect, test } from 'vitest'
import { type APIForm, apiRequestOf, type FaultForm, requestOf } from './faultrequest'

const form: FaultForm = {
  kind: 'crashloop',
  namespace: 'default',
  name: 'web-1',
  selector: 'app=web',
  container: '',
  image: 'nginx',
  exitCode: '',
  span: '',
}

test.each<[Partial<FaultForm>, object]>([
  [{}, { pod: { namespace: 'default', name: 'web-1', action: 'crashloop' } }],
  [{ name: '' }, { pod: { namespace: 'default', selector: 'app=web', action: 'crashloop' } }],
  [
    { span: ' 5m ', exitCode: '3', container: 'c' },
    { for: '5m', pod: { namespace: 'default', name: 'web-1', action: 'crashloop', container: 'c', exitCode: 3 } },
  ],
  [{ kind: 'exit', span: '5m', exitCode: '0' }, { pod: { namespace: 'default', name: 'web-1', action: 'exit', exitCode: 0 } }],
  [
    { kind: 'unready', span: '5m', exitCode: '3', container: 'c' },
    { for: '5m', pod: { namespace: 'default', name: 'web-1', action: 'unready' } },
  ],
  [
    { kind: 'failed', name: 'node-1', span: '1m' },
    { for: '1m', node: { name: 'node-1', state: 'failed' } },
  ],
  [{ kind: 'pull' }, { image: { image: 'nginx' } }],
])('%j asks for %j', (change, want) => {
  expect(requestOf({ ...form, ...change })).toEqual(want)
})

const api: APIForm = { effect: 'error', verbs: '', resources: '', namespaces: '', status: '503', delay: '2s', percent: '', span: '' }

test.each<[Partial<APIForm>, object]>([
  [{}, { api: { status: 503 } }],
  [
    { verbs: 'get, list', resources: 'pods', percent: '25', span: '5m' },
    { for: '5m', api: { verbs: ['get', 'list'], resources: ['pods'], status: 503, probability: 0.25 } },
  ],
  [{ effect: 'delay', namespaces: 'shop' }, { api: { namespaces: ['shop'], delay: '2s' } }],
  [{ effect: 'conflict' }, { api: { conflict: true } }],
  [{ effect: 'drop' }, { api: { drop: 'before' } }],
  [{ effect: 'expire' }, { api: { watch: 'expire' } }],
])('of the API, %j asks for %j', (change, want) => {
  expect(apiRequestOf({ ...api, ...change })).toEqual(want)
})
