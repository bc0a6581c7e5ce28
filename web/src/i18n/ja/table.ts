import type { table as english } from '../en/table'
import type { Area } from '../messages'

export const table: Area<typeof english> = {
  'table.search': '検索',
  'table.labels': 'ラベル',
  'table.fields': 'フィールド',
  'table.labels.bad': 'ラベルセレクターではありません: {part}',
  'table.fields.bad': 'フィールドセレクターではありません: {part}',
  'table.count': '{there} 件中 {shown} 件',
  'table.none': 'ひとつもありません。',
  'table.noMatch': '一致するものはありません。',
  'table.wide': 'すべての列',
  'table.keys.search': '行を検索',
  'table.keys.down': '次の行',
  'table.keys.up': '前の行',
  'table.keys.pageDown': '1 ページ下へ',
  'table.keys.pageUp': '1 ページ上へ',
  'table.keys.first': '最初の行',
  'table.keys.last': '最後の行',
  'table.keys.open': '行を開く',
  'table.keys.clear': '行の選択を解除、検索をクリア',
}
