import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { completer } from './completion'
import { type Document, Schemas } from './schema'

const d: Document = {
  components: {
    schemas: {
      Deployment: {
        'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
        properties: {
          spec: {
            type: 'object',
            required: ['template'],
            properties: {
              replicas: { type: 'integer', description: 'How many.' },
              paused: { type: 'boolean' },
              template: { type: 'object', properties: {} },
              containers: { type: 'array', items: { type: 'object' } },
              'a: <b>\u202eb': { type: 'string', enum: ['yes', '<i>', 'a: b', '1.0', '\u0000\u202e"'] },
            },
          },
          status: { type: 'object' },
        },
      },
    },
  },
}

class Known extends Schemas {
  override of(version: string): Promise<Document> {
    return Promise.resolve(version === 'apps/v1' ? d : {})
  }
}

/** offered returns the suggestions at the ^ of a text; `pick` inserts the option of that name. */
async function offered(text: string, pick = '', explicit = true) {
  const at = text.indexOf('^')
  let state = EditorState.create({ doc: text.replace('^', '') })
  const result = await completer(new Known())(new CompletionContext(state, at, explicit))
  const option = result?.options.find((o) => o.label === pick)
  const view = {
    get state() {
      return state
    },
    dispatch: (spec: Parameters<EditorState['update']>[0]) => {
      state = state.update(spec).state
    },
  }
  const from = result?.from ?? at
  if (typeof option?.apply === 'function') option.apply(view as unknown as EditorView, option, from, at)
  else if (option?.apply) state = state.update({ changes: { from, to: at, insert: option.apply } }).state
  return { labels: result?.options.map((o) => o.label) ?? [], text: state.doc.toString() }
}

const head = 'apiVersion: apps/v1\nkind: Deployment\n'

test('fields are offered that the map does not have yet, those that must be there first', async () => {
  expect((await offered(`${head}spec:\n  replicas: 1\n  ^`)).labels).toEqual(['template', 'a: <b>\u202eb', 'containers', 'paused'])
  expect((await offered(`${head}^`)).labels).toEqual(['spec'])
})

test('values are offered where they are known', async () => {
  expect((await offered(`${head}spec:\n  paused: ^`)).labels).toEqual(['true', 'false'])
  expect((await offered(`${head}spec:\n  replicas: ^`)).labels).toEqual([])
})

test('nothing is offered for a kind without a schema, nor before something is typed', async () => {
  expect((await offered('apiVersion: v1\nkind: Pod\nspec:\n  ^')).labels).toEqual([])
  expect((await offered(`${head}spec:\n  ^`, '', false)).labels).toEqual([])
  expect((await offered(`${head}spec:\n  p^`, '', false)).labels).toContain('paused')
})

test.each([
  ['a plain field', `${head}spec:\n  rep^`, 'replicas', `${head}spec:\n  replicas: `],
  ['a map', `${head}spec:\n  temp^`, 'template', `${head}spec:\n  template:\n    `],
  ['a list', `${head}spec:\n  cont^`, 'containers', `${head}spec:\n  containers:\n  - `],
  ['a name that must be quoted', `${head}spec:\n  ^`, 'a: <b>\u202eb', `${head}spec:\n  "a: <b>\u202eb": `],
  ['a value that must be quoted', `${head}spec:\n  "a: <b>\u202eb": ^`, 'yes', `${head}spec:\n  "a: <b>\u202eb": "yes"`],
  ['a value with escapes', `${head}spec:\n  "a: <b>\u202eb": ^`, '\u0000\u202e"', `${head}spec:\n  "a: <b>\u202eb": "\\0\u202e\\""`],
  ['a value that needs no quotes', `${head}spec:\n  "a: <b>\u202eb": ^`, '<i>', `${head}spec:\n  "a: <b>\u202eb": <i>`],
  ['a field that has its colon', `${head}spec:\n  rep^: 3`, 'replicas', `${head}spec:\n  replicas: 3`],
])('what is put into the text: %s', async (_, text, pick, want) => {
  expect((await offered(text, pick)).text).toBe(want)
})
