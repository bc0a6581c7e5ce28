import type { jump as english } from '../en/jump'
import type { Area } from '../messages'

export const jump: Area<typeof english> = {
  'keys.jump': 'どこへでも移動',
  'jump.title': '移動',
  'jump.field': '種類、オブジェクト、ページ、フォーク、時点',
  'jump.hint': '名前、または「{example}」のような時点を入力してください。',
  'jump.example': '10分前',
  'jump.none': '該当するものはありません。',
  'jump.searching': '検索中…',
  'jump.cut': '種類ごとに最初の{n}件のオブジェクトを検索します。',
  'jump.count': { other: '{n}件の結果' },
  'jump.kind': '種類',
  'jump.page': 'ページ',
  'jump.fork': 'フォーク',
  'jump.moment': '時点',
}
