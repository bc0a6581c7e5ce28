import { useState } from 'preact/hooks'
import { base } from '../../base'
import { t } from '../../i18n'
import { href, route } from '../../route'
import { Icon } from '../../ui/icon'
import { Menu } from '../../ui/menu'
import { unreadOf } from '../../ui/unread'
import { clusterHref, useForks } from './read'
import './fork.css'

/** Switcher says in the bar which fork the page shows, and links to the other clusters. */
export function Switcher() {
  const [opened, setOpened] = useState(false)
  const forked = base.fork !== ''
  const face = (
    <span class={forked ? 'cluster-face fork' : 'cluster-face'}>
      <Icon of="branch" />
      {forked && <span>{t('fork.chip', { name: base.fork })}</span>}
    </span>
  )
  return (
    <Menu
      face={face}
      name={forked ? t('fork.chip', { name: base.fork }) : t('fork.clusters')}
      kind="end clusters"
      opened={() => setOpened(true)}
    >
      {opened && <Choices />}
    </Menu>
  )
}

function Choices() {
  const { items, error } = useForks()
  return (
    <>
      <ul>
        <Choice fork="" name={t('fork.main')} />
        {items
          ?.filter((f) => f.state === 'ready')
          .map((f) => (
            <Choice key={f.name} fork={f.name} name={t('fork.chip', { name: f.name })} />
          ))}
      </ul>
      {error && <p class="reason">{unreadOf(error)}</p>}
      <ul class="clusters-more">
        <li>
          <a href={href({ page: 'other', name: 'forks', query: {} })}>{t('fork.title')}</a>
        </li>
        <li>
          <a href={href({ page: 'other', name: 'snapshots', query: {} })}>{t('snapshot.title')}</a>
        </li>
      </ul>
    </>
  )
}

/** Choice links to the same page of another cluster, at now. */
function Choice({ fork, name }: { fork: string; name: string }) {
  return (
    <li>
      <a href={clusterHref(fork, route.value)} aria-current={fork === base.fork ? 'true' : undefined}>
        {name}
      </a>
    </li>
  )
}
