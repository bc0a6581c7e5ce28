import { useEffect, useRef } from 'preact/hooks'
import { t } from '../i18n'
import { type Handle, openEditor } from './codemirror'
import type { Problem } from './manifest'
import type { Span } from './place'
import type { Schemas } from './schema'
import './editor.css'

/**
 * EditorProps: `text` is the initial text. A new `seed` replaces the editor's text by it; otherwise
 * the editor's own text counts.
 */
export interface EditorProps {
  readonly text: string
  readonly seed: number
  readonly label: string
  readonly problems: readonly Problem[]
  readonly locked?: boolean
  /** A span to select; a new object each time. */
  readonly shown?: Span | undefined
  readonly schemas: Schemas
  readonly changed: (text: string) => void
  readonly moved: (at: number) => void
  readonly submit: () => void
}

/** Editor is a YAML editor. */
export function Editor(p: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const handle = useRef<Handle | undefined>(undefined)
  const latest = useRef(p)
  latest.current = p
  useEffect(() => {
    if (!host.current) return
    const made = openEditor(host.current, {
      text: p.text,
      label: p.label,
      description: t('write.leave'),
      schemas: p.schemas,
      changed: (text) => latest.current.changed(text),
      moved: (at) => latest.current.moved(at),
      submit: () => latest.current.submit(),
    })
    handle.current = made
    return () => made.destroy()
  }, [p.label])
  useEffect(() => handle.current?.setText(p.text), [p.seed])
  useEffect(() => handle.current?.mark(p.problems), [p.problems])
  useEffect(() => handle.current?.lock(p.locked ?? false), [p.locked])
  useEffect(() => {
    if (p.shown) handle.current?.show(p.shown)
  }, [p.shown])
  return (
    <>
      <div class="editor" ref={host} />
      <p class="editor-leave">{t('write.leave')}</p>
    </>
  )
}
