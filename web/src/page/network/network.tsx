import { useEffect } from 'preact/hooks'
import { accessTo, askAccess, may } from '../../act/may'
import { loggedIn, urlOf } from '../../api/http'
import type { KubeObject } from '../../api/object'
import { t } from '../../i18n'
import { at } from '../../route'
import type { TabProps } from '../object/tabprops'
import { forwardCommand, type Port, portsOf, proxyPath } from './ports'
import { TrafficView } from './trafficview'
import '../set/set.css'

/**
 * Network shows the ports of a Pod or Service, as links if a browser can open them, and the
 * requests between Pods.
 */
export function Network({ resource, object }: TabProps) {
  const ports = portsOf(object)
  const needs = accessTo('get', resource, object.metadata.namespace, 'proxy')
  const now = at.value === null
  useEffect(() => {
    if (now) void askAccess([needs])
  }, [resource, object.metadata.namespace, now])
  return (
    <div class="set network">
      <section>
        <h2>{t('net.ports')}</h2>
        {ports.length === 0 && <p class="notice">{t('net.noPorts')}</p>}
        {ports.length > 0 && (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('net.port')}</th>
                  <th scope="col">{t('net.name')}</th>
                  <th scope="col">{t('net.open')}</th>
                </tr>
              </thead>
              <tbody>
                {ports.map((p) => (
                  <tr key={`${p.number}/${p.protocol} ${p.name}`}>
                    <th scope="row">
                      {p.number}/{p.protocol}
                    </th>
                    <td>{p.name}</td>
                    <td>
                      <Way resource={resource} object={object} port={p} allowed={may([needs])} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <TrafficView key={object.metadata.uid} resource={resource} object={object} />
    </div>
  )
}

/** Way shows how to reach a port, or why that is impossible. */
function Way({ resource, object, port, allowed }: TabProps & { port: Port; allowed: boolean | undefined }) {
  const { namespace = '', name } = object.metadata
  if (port.scheme === null) return <span class="faint">{t('net.notBrowser')}</span>
  if (at.value !== null) return <span class="faint">{t('net.past')}</span>
  if (allowed === false) return <span class="faint">{t('net.denied', { name: `${resource.plural}/proxy` })}</span>
  if (!answers(resource.kind, object)) return <span class="faint">{t('net.notRunning')}</span>
  if (loggedIn()) {
    return (
      <>
        {t('net.token')} <code>{forwardCommand(resource, namespace, name, port)}</code>
      </>
    )
  }
  if (allowed === undefined) return null
  // The opened page has no access to this one and an origin of its own: the response's policy
  // ensures it.
  return (
    <a href={urlOf(proxyPath(resource, namespace, name, port))} target="_blank" rel="noopener noreferrer">
      {t('net.openPort', { name: `${name}:${port.number}` })}
    </a>
  )
}

/** answers reports whether the ports can answer: a Pod must be running. */
function answers(kind: string, o: KubeObject): boolean {
  const status = o.status as { phase?: string; podIP?: string } | undefined
  return kind !== 'Pod' || (status?.phase === 'Running' && !!status.podIP)
}
