import type { terminal as english } from '../en/terminal'
import type { Area } from '../messages'

export const terminal: Area<typeof english> = {
  'tab.terminal': 'ターミナル',
  'terminal.command': 'コマンド',
  'terminal.run': '実行',
  'terminal.open': '{name}で実行中です。',
  'terminal.opening': 'サーバーに開始を求めています。',
  'terminal.ended': '{code}で終了しました。',
  'terminal.lost': '接続が終わりました。',
  'terminal.none': '実行中のコンテナはありません。',
  'terminal.past': 'これは過去の時点です。コマンドは現在で実行されます。',
}
