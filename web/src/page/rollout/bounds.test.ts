import { expect, test } from 'vitest'
import type { Deployment } from '../../api/workload'
import { boundsOf, scaled } from './bounds'

test.each([
  [3, 10, true, 3],
  ['25%', 10, true, 3],
  ['25%', 10, false, 2],
  ['100%', 7, true, 7],
  ['0%', 7, true, 0],
  ['29%', 100, true, 29], // no floating-point error rounds it up to 30
  ['7', 10, true, 0],
  ['many', 10, false, 0],
  [undefined, 10, true, 0],
])('scaled(%j, %d, up: %j) is %d', (value, total, up, want) => {
  expect(scaled(value, total, up)).toBe(want)
})

const spec = (replicas: number | undefined, strategy?: Deployment['spec']['strategy']): Deployment['spec'] => ({
  ...(replicas === undefined ? {} : { replicas }),
  ...(strategy ? { strategy } : {}),
  selector: {},
  template: {},
})
const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
})

test.each([
  ['the defaults', spec(10, rolling('25%', '25%')), 10, 13, 8],
  ['what is left out', spec(undefined), 1, 2, 1],
  ['numbers', spec(5, rolling(2, 1)), 5, 7, 4],
  ['both nothing by rounding', spec(3, rolling(0, '10%')), 3, 3, 2],
  ['more unavailable than there are', spec(2, rolling(1, 5)), 2, 3, 0],
  ['nothing to run', spec(0, rolling('25%', '25%')), 0, 0, 0],
  ['Recreate', spec(4, { type: 'Recreate' }), 4, 4, 0],
])('bounds of %s', (_, s, replicas, most, least) => {
  expect(boundsOf(s)).toEqual({ replicas, most, least })
})
