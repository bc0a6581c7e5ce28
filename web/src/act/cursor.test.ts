import { expect, test } from 'vitest'
import { cursorOf, fieldAt } from './cursor'

/** at returns the cursor at the first ^ of a text. */
const at = (text: string) => {
  const found = cursorOf(text.replace('^', ''), text.indexOf('^'))
  return found && `${found.at} ${found.path.join('.')}`
}

const head = 'apiVersion: apps/v1\nkind: Deployment\n'

test.each([
  ['an empty text', '^', 'key '],
  ['the top', 'api^', 'key '],
  ['the value of a field', 'kind: Dep^', 'value kind'],
  ['a value that is not begun', 'kind: ^', 'value kind'],
  ['a quoted value', 'kind: "Dep^', 'value kind'],
  ['a field below the top', `${head}spec:\n  rep^`, 'key spec'],
  ['a new line below a field', `${head}spec:\n  ^`, 'key spec'],
  ['a field after one with fields', `${head}spec:\n  template:\n    spec: {}\n  ^`, 'key spec'],
  ['back at the top', `${head}spec:\n  replicas: 1\n^`, 'key '],
  ['the first field of an item', 'spec:\n  containers:\n    - ^', 'key spec.containers.[]'],
  ['an item in the column of its list', 'spec:\n  containers:\n  - na^', 'key spec.containers.[]'],
  ['another field of an item', 'spec:\n  containers:\n    - name: a\n      image: b\n      ^', 'key spec.containers.[]'],
  ['a field of the second item', 'spec:\n  containers:\n  - name: a\n  - name: b\n    ^', 'key spec.containers.[]'],
  [
    'lists in lists',
    'spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1\n      pro^',
    'key spec.containers.[].ports.[]',
  ],
  ['a value in an item', 'spec:\n  containers:\n  - imagePullPolicy: Al^', 'value spec.containers.[].imagePullPolicy'],
  ['an item of plain values', 'a:\n  - b\n  - c^', 'key a.[]'],
  ['comments and empty lines between', 'spec:\n\n  # about\n  ^', 'key spec'],
  ['another document', 'spec:\n  a: 1\n---\n^', 'key '],
  ['keys with dots and slashes', 'metadata:\n  labels:\n    app.kubernetes.io/name: x\n    ^', 'key metadata.labels'],
])('%s', (_, text, want) => expect(at(text)).toBe(want))

test.each([
  ['a comment', 'spec: # th^'],
  ['a block scalar', 'data:\n  run.sh: |\n    echo a\n    ec^'],
  ['a flow map', 'spec: {rep^'],
  ['a sentence', 'metadata:\n  annotations:\n    about: two wo^'],
])('nothing is said in %s', (_, text) => expect(at(text)).toBeUndefined())

test('of its own document the kind is told, and what the map has already', () => {
  const text = `kind: Pod\n---\n${head}spec:\n  replicas: 1\n  \n  selector: {}\n  template:\n    metadata: {}\nstatus: {}\n---\nkind: Job`
  expect(cursorOf(text, text.indexOf('\n  selector'))).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: ['spec'],
    at: 'key',
    from: text.indexOf('\n  selector'),
    taken: ['replicas', 'selector', 'template'],
  })
})

test('of an item of a list only its own fields are taken', () => {
  const text = 'spec:\n  containers:\n  - name: a\n    image: b\n  - name: c\n    \n    tty: true\n  - stdin: true'
  expect(cursorOf(text, text.indexOf('\n    tty'))?.taken).toEqual(['name', 'tty'])
})

test.each([
  ['spec:\n  containers:\n  - name: a\n    image: n^ginx', ['spec', 'containers', '[]', 'image']],
  ['spec:\n  containers:\n  - na^me: a', ['spec', 'containers', '[]', 'name']],
  ['spec:\n  # ^about', undefined],
])('the field of a line is found: %s', (text, want) => {
  expect(fieldAt(text.replace('^', ''), text.indexOf('^'))?.path).toEqual(want)
})
