import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { resources } from '../../api/resource'
import { t } from '../../i18n'
import { jumpShown, jumpText, takeEntered } from '../../shell/jumpshown'
import { namespaceShown } from '../../shell/namespace'
import { Dialog } from '../../ui/dialog'
import { typing } from '../../ui/keys'
import { useForks } from '../fork/read'
import { findPlaces, isCertain, type Place } from './find'
import { mostOfKind, useFound } from './objects'
import { forkPlaces, momentPlaces, objectPlaces, standing } from './places'
import './jump.css'

const close = () => {
  jumpShown.value = false
}

/**
 * Jump is a search field with a list of results. The focus stays in the field; the arrow keys move
 * in the list.
 *
 * Source: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, editable combobox with list
 * autocomplete
 */
export function Jump() {
  const id = useId()
  const text = jumpText.value
  const [chosen, setChosen] = useState('')
  const forks = useForks()
  const found = useFound(namespaceShown())
  const all = useMemo(
    () => [...standing(), ...forkPlaces(forks.items ?? []), ...objectPlaces(found.all)],
    [resources.value, forks.items, found.all],
  )
  const places = findPlaces([...momentPlaces(text), ...all], text)
  const index = Math.max(
    0,
    places.findIndex((p) => p.id === chosen),
  )
  const current = places[index]
  const field = useRef<HTMLInputElement>(null)
  const take = (p: Place) => {
    field.current?.closest('dialog')?.close()
    if (typing(document.activeElement)) document.activeElement.blur() // keys are for the new page
    close()
    p.go()
  }
  // Enter waits until its target is known; a second Enter acts at once.
  const [entered, setEntered] = useState(takeEntered)
  const known = found.done || chosen !== '' || (current !== undefined && isCertain(current, text))
  useEffect(() => {
    if (!entered || !known) return
    setEntered(false)
    if (current) take(current)
  }, [entered, known])
  const choose = (placeId: string) => {
    setChosen(placeId)
    setEntered(false)
  }
  const onKey = (e: KeyboardEvent) => {
    if (e.isComposing) return // Enter ends the input method's composition
    if (e.key === 'Enter') (known || entered) && current ? take(current) : setEntered(!known)
    else if (e.key in moves && places.length > 0) choose(places[moved(index, moves[e.key] ?? 0, places.length)]?.id ?? '')
    else return
    e.preventDefault()
  }
  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [index, text])
  return (
    <Dialog title={t('jump.title')} close={close}>
      <div class="jump">
        <input
          ref={field}
          type="text"
          role="combobox"
          autofocus
          value={text}
          placeholder={t('jump.field')}
          aria-label={t('jump.field')}
          aria-autocomplete="list"
          aria-expanded={places.length > 0}
          aria-controls={id}
          aria-activedescendant={current ? `${id}-${index}` : undefined}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          onInput={(e) => {
            jumpText.value = e.currentTarget.value
            choose('')
          }}
          onKeyDown={onKey}
        />
        <Options id={id} places={places} busy={!found.done} current={current} take={take} point={choose} />
        <p class="jump-note" role="status">
          {noteOf(text, entered ? 0 : places.length, found.done)}
        </p>
        {text !== '' && found.cut && <p class="jump-note">{t('jump.cut', { n: mostOfKind })}</p>}
      </div>
    </Dialog>
  )
}

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

/** moved moves an index: single steps wrap around, larger ones stop at the ends. */
function moved(from: number, by: number, count: number): number {
  return Math.abs(by) === 1 ? (from + by + count) % count : Math.max(0, Math.min(count - 1, from + by))
}

function noteOf(text: string, count: number, done: boolean): string {
  if (text.trim() === '') return t('jump.hint', { example: t('jump.example') })
  if (count > 0) return t('jump.count', { n: count })
  return t(done ? 'jump.none' : 'jump.searching')
}

interface OptionsProps {
  readonly id: string
  readonly places: readonly Place[]
  readonly busy: boolean
  readonly current: Place | undefined
  readonly take: (p: Place) => void
  readonly point: (id: string) => void
}

function Options({ id, places, busy, current, take, point }: OptionsProps) {
  return (
    <div id={id} role="listbox" aria-label={t('jump.title')} aria-busy={busy} class="jump-list">
      {places.map((p, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={p.id}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={p === current}
          onPointerMove={() => p !== current && point(p.id)}
          onClick={() => take(p)}
        >
          <span class="jump-name">{p.title}</span> <small>{p.about}</small>
        </div>
      ))}
    </div>
  )
}
