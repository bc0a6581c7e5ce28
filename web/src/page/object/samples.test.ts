import { expect, test } from 'vitest'
import { joinSamples, type Measure, pathOf, withSample } from './samples'

const sample = (at: number, cpu = 1): Measure => ({ at, cpu, memory: 1 })

test('only newer samples are appended, and an hour of them is kept', () => {
  expect(withSample([sample(1)], sample(1))).toHaveLength(1)
  expect(withSample([sample(1)], sample(Number.NaN))).toHaveLength(1)
  const many = Array.from({ length: 300 }, (_, i) => sample(i + 1)).reduce<readonly Measure[]>(withSample, [])
  expect(many).toHaveLength(240)
  expect(many.at(-1)?.at).toBe(300)
})

test('what was read and what came since are joined without doubling', () => {
  const joined = joinSamples([sample(15), sample(30)], [sample(30, 7), sample(45, 7)])
  expect(joined.map((m) => [m.at, m.cpu])).toEqual([
    [15, 1],
    [30, 1],
    [45, 7],
  ])
})

test('samples are drawn over time, from zero up', () => {
  expect(pathOf([], 'cpu', 200, 40)).toBe('')
  expect(pathOf([sample(5)], 'cpu', 200, 40)).toBe('M0 3.6H200')
  expect(pathOf([sample(0, 0), sample(10, 10)], 'cpu', 200, 40)).toBe('M0 40L200 3.6')
})
