import type { table as english } from '../en/table'
import type { Area } from '../messages'

export const table: Area<typeof english> = {
  'table.search': 'Buscar',
  'table.labels': 'Etiquetas',
  'table.fields': 'Campos',
  'table.labels.bad': 'Esto no es un selector de etiquetas: {part}',
  'table.fields.bad': 'Esto no es un selector de campos: {part}',
  'table.count': '{shown} de {there}',
  'table.none': 'No hay ninguno.',
  'table.noMatch': 'Nada coincide.',
  'table.wide': 'Todas las columnas',
  'table.keys.search': 'Buscar en las filas',
  'table.keys.down': 'Fila siguiente',
  'table.keys.up': 'Fila anterior',
  'table.keys.pageDown': 'Una página abajo',
  'table.keys.pageUp': 'Una página arriba',
  'table.keys.first': 'Primera fila',
  'table.keys.last': 'Última fila',
  'table.keys.open': 'Abrir la fila',
  'table.keys.clear': 'Dejar la fila, borrar la búsqueda',
}
