import type { Column } from '../../api/form'
import { t } from '../../i18n'
import { Icon } from '../../ui/icon'
import { Menu } from '../../ui/menu'
import { type Chosen, chooseColumns, chosenColumns } from './chosen'
import { isShown } from './column'

/** ColumnMenu chooses the columns of a kind. The first one, the name, is always shown. */
export function ColumnMenu({ kind, all }: { kind: string; all: readonly Column[] }) {
  if (all.length < 2) return null
  const chosen = chosenColumns(kind)
  const set = (columns: Chosen) => chooseColumns(kind, columns)
  return (
    <Menu
      face={
        <>
          <Icon of="columns" /> {t('table.columns')}
        </>
      }
      kind="end actions columns"
    >
      <fieldset>
        <legend class="unseen">{t('table.columns')}</legend>
        {all.slice(1).map((c, i) => (
          <label key={c.name} class="check" title={c.description}>
            <input
              type="checkbox"
              checked={isShown(c, i + 1, chosen)}
              onChange={(e) => set({ ...chosen, [c.name]: e.currentTarget.checked })}
            />{' '}
            {c.name}
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button type="button" onClick={() => set(Object.fromEntries(all.slice(1).map((c) => [c.name, true])))}>
          {t('table.wide')}
        </button>
        <button type="button" disabled={Object.keys(chosen).length === 0} onClick={() => set({})}>
          {t('table.defaultColumns')}
        </button>
      </div>
    </Menu>
  )
}
