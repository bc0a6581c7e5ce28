import type { network as english } from '../en/network'
import type { Area } from '../messages'

export const network: Area<typeof english> = {
  'tab.network': 'ネットワーク',
  'net.ports': 'ポート',
  'net.port': 'ポート',
  'net.name': '名前',
  'net.open': '開く',
  'net.openPort': '{name}を開く',
  'net.noPorts': 'ポートの指定はありません。',
  'net.notBrowser': 'このプロトコルを話すブラウザーはありません。',
  'net.past': 'これは過去の時点です。ポートは現在で開いています。',
  'net.denied': '{name}を取得する権限がありません。',
  'net.notRunning': 'Podは実行されていません。',
  'net.token': 'ブラウザーはリンクにトークンを付けません。次を実行してください:',
  'net.traffic': 'Pod間のリクエスト',
  'net.last': { other: 'クラスター時間で直近10分間のリクエスト: {n}件' },
  'net.quiet': 'クラスター時間で直近10分間のリクエストはありません。',
  'net.from': '送信元',
  'net.to': '宛先',
  'net.answered': '応答',
  'net.failed': '失敗',
  'net.refused': '拒否',
  'net.lost': 'タイムアウト',
  'net.noPod': 'Podなし',
  'net.hidden': '一覧権限のないPod',
  'net.pastTraffic': 'これは過去の時点です。リクエストは直近の数分間だけ集計されます。',
}
