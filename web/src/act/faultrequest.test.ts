import { expect, test } from 'vitest'
import { type FaultForm, requestOf } from './faultrequest'

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
