import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../i18n'
import { completer } from './completion'
import type { Problem } from './manifest'
import type { Span } from './place'
import type { Schemas } from './schema'

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--going)' },
  { tag: [tags.comment, tags.meta, tags.separator, tags.punctuation], color: 'var(--faint)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px', height: '100%' },
  // The gutters would cover the left side of an outline.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '400',
    border: '2px solid var(--accent)',
    borderRadius: 'calc(var(--radius) - 1px)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-tooltip, .cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete': { borderRadius: 'var(--radius)', boxShadow: '0 8px 24px rgb(0 0 0 / 20%)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '13px', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', fontSize: '12px' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: 'min(420px, 60vw)',
    maxHeight: '16em',
    overflow: 'auto',
    padding: '8px 10px',
    fontFamily: 'var(--font)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-tooltip-lint': { maxWidth: '60ch', whiteSpace: 'normal' },
  '.cm-panels': { borderWidth: '1px 0 0', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 32px 8px 10px',
    fontSize: '13px',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', content: '""' },
  '.cm-panel.cm-search :is(input, button, label)': { margin: '0', fontSize: '13px' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', minHeight: '24px' },
  '.cm-panel.cm-search input[type=checkbox]': { width: '16px', height: '16px', accentColor: 'var(--accent)' },
  '.cm-panel .cm-textfield, .cm-panel .cm-button': {
    minHeight: '28px',
    padding: '2px 8px',
    color: 'inherit',
    font: 'inherit',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
  },
  '.cm-panel .cm-textfield': { width: '18em', backgroundColor: 'var(--page)' },
  '.cm-panel .cm-button': { background: 'var(--raised)', cursor: 'pointer' },
  '.cm-panel :is(.cm-textfield, .cm-button, input, [name=close]):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '1px',
  },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '6px', width: '24px', height: '24px', color: 'inherit', cursor: 'pointer' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--wait) 28%, transparent)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--wait) 55%, transparent)' },
})

/** phrases translates the texts of the editor's own panels, keyed by the English text. */
const phrases = () => ({
  Find: t('find.find'),
  Replace: t('find.replace'),
  next: t('find.next'),
  previous: t('find.previous'),
  all: t('find.all'),
  replace: t('find.replace'),
  'replace all': t('find.replaceAll'),
  'match case': t('find.case'),
  regexp: t('find.regexp'),
  'by word': t('find.word'),
  close: t('find.close'),
  Completions: t('write.completions'),
})

/** Editing configures an editor. `submit` is called on Ctrl+Enter. */
export interface Editing {
  readonly text: string
  readonly label: string
  readonly description: string // the id of the element that describes it
  readonly changed: (text: string) => void
  /** Called when the cursor moves to an offset, in characters. */
  readonly moved: (at: number) => void
  readonly schemas: Schemas
  readonly submit: () => void
}

/** Handle controls an editor on the page. */
export interface Handle {
  setText(text: string): void
  mark(problems: readonly Problem[]): void
  lock(locked: boolean): void
  show(place: Span): void
  destroy(): void
}

/**
 * openEditor puts an editor into an element. The editor lives in a shadow tree: its styles can be
 * adopted there, while the page's policy forbids style elements.
 */
export function openEditor(host: HTMLElement, e: Editing): Handle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const locked = new Compartment()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: e.text, extensions: [extensions(e), locked.of([])] }),
  })
  return {
    setText(text) {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    mark(problems) {
      const end = view.state.doc.length
      const marks = problems.map((p) => ({
        from: Math.min(p.from, end),
        to: Math.min(p.to, end),
        severity: p.severity,
        message: p.message,
      }))
      view.dispatch(setDiagnostics(view.state, marks))
    },
    lock: (is) => view.dispatch({ effects: locked.reconfigure(is ? EditorState.readOnly.of(true) : []) }),
    show(place) {
      const from = Math.min(place.from, view.state.doc.length)
      view.dispatch({
        selection: { anchor: from, head: Math.min(place.to, view.state.doc.length) },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

function extensions(e: Editing): Extension {
  const submit = {
    key: 'Mod-Enter',
    run: () => {
      e.submit()
      return true
    },
  }
  return [
    keymap.of([submit, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
    [lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter()],
    [
      highlightSelectionMatches(),
      search({ top: true }),
      EditorState.phrases.of(phrases()),
      indentUnit.of('  '),
      EditorState.tabSize.of(2),
      yaml(),
      syntaxHighlighting(colours),
      look,
    ],
    autocompletion({ override: [completer(e.schemas)], icons: false }),
    EditorView.contentAttributes.of({ 'aria-label': e.label, 'aria-description': e.description, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged) e.changed(u.state.doc.toString())
      if (u.docChanged || u.selectionSet) e.moved(u.state.selection.main.head)
    }),
  ]
}
