import { t } from '../i18n'

/**
 * forbidden says in one sentence of the person's language which right is missing, and what to do; the server's own words where they are others.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage
 */
export function forbidden(message: string): string {
  const [, verb, resource = '', namespace = ''] =
    /cannot (\S+) resource "([^"]+)" in API group "[^"]*"(?: in the namespace "([^"]+)"| at the cluster scope)?/.exec(message) ?? []
  const path = /cannot (\S+) path "([^"]+)"/.exec(message)
  if (verb === undefined && !path) return t('load.refused', { message })
  const values = path ? { verb: path[1] ?? '', what: path[2] ?? '' } : { verb: verb ?? '', what: resource, namespace }
  return `${t(namespace === '' ? 'right.denied' : 'right.deniedIn', values)} ${t('right.remedy')}`
}
