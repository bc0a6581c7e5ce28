import { formatNumber, t } from '../i18n'
import type { APIFault, Fault, PodFault } from './faultrequest'

/** sentenceOf describes a fault in the user's language. */
export function sentenceOf(f: Fault): string {
  if (f.pod) return podSentence(f.pod)
  if (f.node) return t(f.node.state === 'failed' ? 'fault.saysFailed' : 'fault.saysUnreachable', { name: f.node.name })
  if (f.image) return t('fault.saysPull', { name: f.image.image })
  return f.api ? apiSentence(f.api) : f.summary
}

const podSays = {
  exit: 'fault.saysExit',
  oom: 'fault.saysOOM',
  crashloop: 'fault.saysCrashLoop',
  unready: 'fault.saysUnready',
  stuck: 'fault.saysStuck',
  evict: 'fault.saysEvict',
} as const

function podSentence(p: PodFault): string {
  const { namespace = 'default' } = p
  const pods = p.selector ? t('fault.ofPods', { selector: p.selector, namespace }) : t('fault.ofPod', { name: p.name ?? '', namespace })
  const who = p.container ? t('fault.ofContainer', { container: p.container, pods }) : pods
  const says = podSays[p.action as keyof typeof podSays]
  if (!says) return `${who}: ${p.action}`
  const ended = p.signal ? t('fault.bySignal', { signal: p.signal }) : t('fault.withCode', { code: p.exitCode ?? 1 })
  return t('fault.says', { who, what: t(says, { ended }) })
}

function apiSentence(a: APIFault): string {
  const about = [a.verbs, a.resources].flatMap((list) => (list && list.length > 0 ? [list.join(', ')] : [])).join(' ')
  const which = about === '' ? t('fault.allRequests') : t('fault.requests', { about })
  const who = a.namespaces && a.namespaces.length > 0 ? t('fault.within', { which, namespace: a.namespaces.join(', ') }) : which
  const likely = a.probability === undefined ? '' : t('fault.likely', { percent: formatNumber(Math.round(a.probability * 1000) / 10) })
  const what = [...effectsOf(a), ...(likely === '' ? [] : [likely])].join(', ')
  return t('fault.says', { who, what })
}

function effectsOf(a: APIFault): string[] {
  const all: string[] = []
  if (a.delay) all.push(t('fault.saysDelay', { span: a.delay }))
  if (a.conflict) all.push(t('fault.saysConflict'))
  else if (a.status) all.push(t('fault.saysStatus', { status: a.status }))
  else if (a.drop) all.push(t('fault.saysDrop'))
  else if (a.watch) all.push(t(a.watch === 'expire' ? 'fault.saysExpire' : 'fault.saysDrop'))
  return all
}
