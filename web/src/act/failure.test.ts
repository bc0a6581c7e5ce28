import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../api/http'
import { outage } from '../api/link'
import { failureOf } from './failure'

afterEach(() => {
  outage.value = null
})

test('what was not answered is unsure, and it is said when the server answers again', () => {
  const lost = new ApiError({ message: 'Failed to fetch' }, 0)
  outage.value = { since: 0, at: 0, next: 0 }
  expect(failureOf(lost)).toMatch(/^The server does not answer\. The change may or may not have been made/)
  outage.value = null
  expect(failureOf(lost)).toMatch(/^The server did not answer this request\. It answers again/)
})

test('a refusal is told in one sentence, of the right that is missing or in the words of the server', () => {
  const message = 'deployments.apps is forbidden: User "v" cannot create resource "deployments" in API group "apps" in the namespace "shop"'
  expect(failureOf(new ApiError({ message }, 403))).toMatch(/^You do not have the right to create deployments in shop\. An administrator/)
  const quota = 'pods "p" is forbidden: exceeded quota: team'
  expect(failureOf(new ApiError({ message: quota }, 403), (said) => `Refused: ${said}`)).toBe(`Refused: ${quota}`)
  expect(failureOf(new Error('odd'))).toBe('odd')
})
