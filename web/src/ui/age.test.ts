import { expect, test } from 'vitest'
import { formatAge } from './age'

const s = 1000
const m = 60 * s
const h = 60 * m
const d = 24 * h

// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go, HumanDuration (the boundaries)
test.each([
  [-5 * s, '0s'],
  [0, '0s'],
  [119 * s, '119s'],
  [2 * m, '2m'],
  [2 * m + 5 * s, '2m5s'],
  [10 * m + 5 * s, '10m'],
  [179 * m, '179m'],
  [3 * h, '3h'],
  [7 * h + 59 * m, '7h59m'],
  [47 * h, '47h'],
  [48 * h, '2d'],
  [2 * d + 3 * h, '2d3h'],
  [8 * d + 3 * h, '8d'],
  [729 * d, '729d'],
  [2 * 365 * d + d, '2y1d'],
  [9 * 365 * d, '9y'],
])('%d ms is %s', (ms, want) => {
  expect(formatAge(ms)).toBe(want)
})
