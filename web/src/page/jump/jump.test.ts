import { expect, test } from 'vitest'
import { findPlaces, isCertain, type Place } from './find'
import { parseMoment, revisionAtTime, timeOfMoment } from './moment'

const minutes = (n: number) => ({ by: 'ago', ms: n * 60_000 })

test.each([
  ['10 minutes ago', minutes(10)],
  ['10m', minutes(10)],
  ['hace 10 minutos', minutes(10)],
  ['há 10 minutos', minutes(10)],
  ['10 minutos atrás', minutes(10)],
  ['10分前', minutes(10)],
  ['10 分钟前', minutes(10)],
  ['1h30m ago', minutes(90)],
  ['2 days', minutes(2880)],
  ['now', { by: 'now' }],
  ['agora', { by: 'now' }],
  ['9:05', { by: 'time', hour: 9, minute: 5, second: 0 }],
  ['revision 120', { by: 'revision', revision: 120 }],
  ['120', { by: 'revision', revision: 120 }],
  ['0', null],
  ['24:00', null],
  ['10 apples', null],
  ['web-10m', null],
  ['10m web', null],
  ['', null],
])('the moment %j', (text, want) => {
  expect(parseMoment(text)).toEqual(want)
})

test('a time of day is the latest that is not after now', () => {
  const now = new Date(2026, 0, 2, 12, 0).getTime()
  expect(timeOfMoment({ by: 'time', hour: 11, minute: 0, second: 0 }, now)).toBe(now - 3_600_000)
  expect(timeOfMoment({ by: 'time', hour: 13, minute: 0, second: 0 }, now)).toBe(now - 23 * 3_600_000)
})

test('the revision of a time is found between the stops that are known', async () => {
  // Revision r was committed at 10 r; there is no revision 5.
  const read = async (revision: number) => {
    const r = revision === 5 ? 4 : revision
    return { revision: r, at: 10 * r }
  }
  const stops = [1, 3, 9, 12].map((revision) => ({ revision, at: 10 * revision }))
  const found = await Promise.all([0, 10, 29, 55, 85, 119, 120, 900].map((t) => revisionAtTime(stops, t, read)))
  expect(found).toEqual([1, 1, 2, 5, 8, 11, 12, 12])
  expect(await revisionAtTime([], 10, read)).toBeNull()
})

const place = (sort: Place['sort'], ...words: string[]): Place => ({
  id: words.join(),
  sort,
  title: '',
  about: '',
  words,
  go: () => undefined,
})
const all = [
  place('page', 'overview'),
  place('kind', 'pods', 'po'),
  place('kind', 'poddisruptionbudgets', 'pdb'),
  place('kind', 'validatingwebhookconfigurations'),
  place('fork', 'what-if'),
  place('object', 'web', 'shop', 'deployment'),
  place('object', 'web-1', 'shop', 'pod'),
]

test.each([
  ['', ['overview', 'what-if']],
  ['po', ['pods,po', 'poddisruptionbudgets,pdb', 'web-1,shop,pod']],
  ['WEB', ['web,shop,deployment', 'web-1,shop,pod', 'validatingwebhookconfigurations']],
  ['shop/web-', ['web-1,shop,pod']],
  ['web deployment', ['web,shop,deployment']],
  ['nothing', []],
])('the places found for %j', (text, want) => {
  expect(findPlaces(all, text).map((p) => p.id)).toEqual(want)
})

test('a place is certain if it is called as is typed, but for objects, of which there may be others', () => {
  const place = (sort: Place['sort'], ...words: string[]): Place => ({ id: '', sort, title: '', about: '', words, go: () => undefined })
  expect(isCertain(place('kind', 'resourcequotas', 'quota'), ' Quota')).toBe(true)
  expect(isCertain(place('kind', 'resourcequotas', 'quota'), 'quo')).toBe(false)
  expect(isCertain(place('moment'), 'now')).toBe(true)
  expect(isCertain(place('object', 'checkout'), 'checkout')).toBe(false)
})
