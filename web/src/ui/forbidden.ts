import { resources } from '../api/resource'
import { t } from '../i18n'

/** forbidden says why the server refuses: which right is missing, or the server's own words. */
export const forbidden = (message: string): string => missingRight(message) ?? t('load.refused', { message })

/**
 * missingRight says in one sentence of the user's language which right is missing and what to do;
 * undefined if a refusal is about something else.
 *
 * Source: kubernetes v1.36
 * staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage
 */
export function missingRight(message: string): string | undefined {
  const [, verb, resource = '', namespace = ''] =
    /cannot (\S+) resource "([^"]+)" in API group "[^"]*"(?: in the namespace "([^"]+)"| at the cluster scope)?/.exec(message) ?? []
  const path = /cannot (\S+) path "([^"]+)"/.exec(message)
  if (verb === undefined && !path) return undefined
  if (verb === 'list' && namespace === '' && isNamespaced(resource)) return t('right.list', { what: resource })
  const values = path ? { verb: path[1] ?? '', what: path[2] ?? '' } : { verb: verb ?? '', what: resource, namespace }
  return `${t(namespace === '' ? 'right.denied' : 'right.deniedIn', values)} ${t('right.remedy')}`
}

const isNamespaced = (plural: string): boolean => [...resources.value.values()].some((r) => r.plural === plural && r.namespaced)
