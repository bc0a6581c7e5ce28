import { expect, test } from 'vitest'
import { forbidden } from './forbidden'

test.each([
  [
    'deployments.apps "web" is forbidden: User "stranger" cannot list resource "deployments" in API group "apps" in the namespace "shop"',
    'You do not have the right to list deployments in shop. ',
  ],
  [
    'secrets is forbidden: User "v" cannot list resource "secrets" in API group "" at the cluster scope',
    'You do not have the right to list secrets. ',
  ],
  ['forbidden: User "stranger" cannot get path "/rowlock/v1/clock"', 'You do not have the right to get /rowlock/v1/clock. '],
  ['a webhook is against it', 'The server refused the request: a webhook is against it'],
])('%s', (message, said) => {
  expect(forbidden(message).slice(0, said.length)).toBe(said)
})
