import type { scaling as en } from '../en/scaling'
import type { Area } from '../messages'

export const scaling: Area<typeof en> = {
  'tab.scaling': 'スケーリング',
  'hpa.unable': 'ターゲットをスケールできません。',
  'hpa.disabled': 'ターゲットのレプリカが0のため、スケーリングは無効です。',
  'hpa.blind': '必要なレプリカ数を計算できません。',
  'hpa.waiting': 'まだターゲットを確認していません。',
  'hpa.scaling': '{current}から{desired}レプリカへスケール中です。',
  'hpa.atMost': '最大値の{most}レプリカに抑えられています。',
  'hpa.atLeast': '最小値の{least}レプリカです。',
  'hpa.holding': { other: '{n}レプリカがメトリクスに合っています。' },
  'hpa.target': 'ターゲット',
  'hpa.bounds': '範囲',
  'hpa.metrics': 'メトリクス',
  'hpa.metric': 'メトリクス',
  'hpa.current': '現在',
  'hpa.wanted': '目標値',
  'hpa.unknown': '不明',
  'hpa.decisions': '決定',
  'hpa.undecided': 'ログに決定はありません。',
  'hpa.up': '{from}から{to}へ増加',
  'hpa.down': '{from}から{to}へ減少',
  'hpa.picture': 'レプリカとメトリクスの推移',
  'hpa.ofTarget': '目標に対するメトリクスの割合',
  'hpa.counts': '{current}レプリカ、希望{desired}、許容{least}〜{most}',
}
