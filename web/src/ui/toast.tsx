import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../i18n'
import { announce } from './announce'
import { Icon } from './icon'
import { type State, StateMark } from './state'
import './toast.css'

/**
 * Toast is the result of an action, shown beside the page and read out. It disappears after a while
 * unless it is an error.
 */
export interface Toast {
  readonly state: State
  readonly text: string
  /** A link to the result. */
  readonly link?: { readonly href: string; readonly text: string }
}

const shown = signal<readonly (Toast & { readonly id: number })[]>([])
let made = 0

/** most is how many are shown; those without an error stay for a number of milliseconds. */
const most = 4
const stays = 12_000
const longest = 600

/** toast shows the outcome of an action. */
export function toast(one: Toast): void {
  const text = one.text.length > longest ? `${one.text.slice(0, longest)}…` : one.text
  shown.value = [...shown.value, { ...one, text, id: ++made }].slice(-most)
  announce(text)
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id)
}

/** Toasts shows the notifications; the page has one. */
export function Toasts() {
  if (shown.value.length === 0) return null
  return (
    <ul class="toasts" aria-label={t('toast.label')}>
      {shown.value.map((one) => (
        <One key={one.id} {...one} />
      ))}
    </ul>
  )
}

function One(one: Toast & { id: number }) {
  const held = useRef(false)
  useEffect(() => {
    if (one.state === 'bad' || one.state === 'warn') return
    const timer = setInterval(() => held.current || dismiss(one.id), stays)
    return () => clearInterval(timer)
  }, [])
  const hold = (is: boolean) => () => {
    held.current = is
  }
  return (
    <li class={`toast ${one.state}`} onMouseEnter={hold(true)} onMouseLeave={hold(false)} onFocusIn={hold(true)} onFocusOut={hold(false)}>
      <StateMark state={one.state} quiet />
      <span>
        {one.text} {one.link && <a href={one.link.href}>{one.link.text}</a>}
      </span>
      <button type="button" class="plain" aria-label={t('action.close')} onClick={() => dismiss(one.id)}>
        <Icon of="close" />
      </button>
    </li>
  )
}
