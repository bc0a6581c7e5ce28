import type { table as english } from '../en/table'
import type { Area } from '../messages'

export const table: Area<typeof english> = {
  'table.search': 'Buscar',
  'table.labels': 'Rótulos',
  'table.fields': 'Campos',
  'table.labels.bad': 'Isto não é um seletor de rótulos: {part}',
  'table.fields.bad': 'Isto não é um seletor de campos: {part}',
  'table.count': '{shown} de {there}',
  'table.none': 'Não há nenhum.',
  'table.noMatch': 'Nada corresponde.',
  'table.wide': 'Todas as colunas',
  'table.keys.search': 'Buscar nas linhas',
  'table.keys.down': 'Próxima linha',
  'table.keys.up': 'Linha anterior',
  'table.keys.pageDown': 'Uma página abaixo',
  'table.keys.pageUp': 'Uma página acima',
  'table.keys.first': 'Primeira linha',
  'table.keys.last': 'Última linha',
  'table.keys.open': 'Abrir a linha',
  'table.keys.clear': 'Deixar a linha, limpar a busca',
}
