import { expect, test } from 'vitest'
import { graveEnough, levelOf } from './level'

test.each([
  ['{"level":"error","msg":"x"}', 'error'],
  ['time=1 level=warning msg="x"', 'warn'],
  ['W1123 11:00:00.000000       1 main.go:1] slow', 'warn'],
  ['E1123 11:00:00.000000       1 main.go:1] lost', 'error'],
  ['2026/01/01 00:00:00 [notice] 1#1: start', 'info'],
  ['2026-01-01 00:00:00.000 UTC [1] ERROR: no', 'error'],
  ['panic: runtime error', 'error'],
  ['DEBUG starting', 'debug'],
  ['no error was found', ''],
  ['GET /errors 200', ''],
  [`${'x'.repeat(300)} ERROR`, ''],
])('%s says %s', (text, want) => {
  expect(levelOf(text)).toBe(want)
})

test('what says nothing is shown only where all is', () => {
  expect(graveEnough('', '')).toBe(true)
  expect(graveEnough('', 'warn')).toBe(false)
  expect(graveEnough('error', 'warn')).toBe(true)
  expect(graveEnough('warn', 'error')).toBe(false)
})
