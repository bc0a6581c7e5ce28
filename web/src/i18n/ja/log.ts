import type { log as english } from '../en/log'
import type { Area } from '../messages'

export const log: Area<typeof english> = {
  'tab.log': 'ログ',
  'log.container': 'コンテナ',
  'log.all': 'すべてのコンテナ',
  'log.init': '{name} (初期化)',
  'log.search': '行を検索',
  'log.follow': '追従',
  'log.previous': '前回の再起動より前',
  'log.times': '時刻',
  'log.wrap': '行を折り返す',
  'log.waiting': '{name}はまだ起動していません: {reason}',
  'log.restarted': '{name}が再起動されました',
  'log.lines': { other: '{n}行' },
  'log.found': { other: '{all}行中{n}行' },
  'log.dropped': { other: '古い{n}行は保持されていません' },
  'log.level': 'レベル',
  'log.levelAll': 'すべてのレベル',
  'log.levelWarn': '警告とエラー',
  'log.levelError': 'エラー',
  'log.download': 'ダウンロード',
  'log.gone': 'ログは残っていません。Podとともに削除されました。',
  'log.mostPods': '{all}個のPodのうち新しい{n}個を表示しています。',
  'log.noPods': 'Podはありません。',
}
