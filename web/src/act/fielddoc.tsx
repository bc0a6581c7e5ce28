import { useEffect, useState } from 'preact/hooks'
import { t } from '../i18n'
import { fieldAt } from './cursor'
import { type Field, fieldAtPath, type Schemas, schemaOf } from './schema'

/**
 * FieldDoc explains the field of the cursor's line, as kubectl explain does. It keeps the last
 * explanation while the cursor is not on a field.
 */
export function FieldDoc({ text, at, schemas }: { text: string; at: number; schemas: Schemas }) {
  const [shown, setShown] = useState<{ path: string; field: Field }>()
  const place = fieldAt(text, at)
  const key = JSON.stringify(place)
  useEffect(() => {
    if (!place) return
    let left = false
    void schemaOf(schemas, place.apiVersion, place.kind).then((found) => {
      const field = found && fieldAtPath(found.d, found.root, place.path)
      if (field && !left) setShown({ path: place.path.join('.').replaceAll('.[]', '[]'), field })
    })
    return () => {
      left = true
    }
  }, [key, schemas])
  if (!shown) return null
  const { path, field } = shown
  return (
    <section class="field-doc" aria-label={t('write.field')}>
      <h3>
        <code>{path}</code>
      </h3>
      <p class="field-type">
        <code>{field.type}</code>
        {field.required && <span>{t('write.required')}</span>}
      </p>
      {field.description !== '' && <p>{field.description}</p>}
    </section>
  )
}
