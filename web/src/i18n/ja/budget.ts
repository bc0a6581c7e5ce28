import type { budget as en } from '../en/budget'
import type { Area } from '../messages'

export const budget: Area<typeof en> = {
  'tab.budget': 'バジェット',
  'pdb.waiting': 'まだ計算されていません。',
  'pdb.nobody': '対象のPodがありません。',
  'pdb.allows': { other: '現在あと{n}件の中断を許可します。' },
  'pdb.pods': { other: '{n}個のPod' },
  'pdb.evicted': '退避済みでまだ終了していないPod',
  'pdb.drains': 'ドレインで退避できるPod',
  'pdb.here': '正常なPod',
  'pdb.now': '今すぐ退避可能',
  'pdb.sum': '正常{healthy} − 必要{desired} = {n}個を中断できます。',
  'pdb.expected': { other: '対象は{n}個のPodです。' },
  'drain.holds': { other: 'はここで{n}個のPodを対象とし、現在{now}個の退避を許可します。' },
  'drain.health': '正常{healthy}、必要{desired}。',
  'drain.several': { other: '{n}個のPodは複数のバジェットの対象のため退避できません:' },
  'drain.held': { other: '現在、{all}件の退避のうち{n}件がバジェットで保留されます。' },
  'drain.free': { other: '{n}個のPodをすぐに退避できます。' },
  'drain.empty': '退避するものはありません。',
  'drain.node': 'ノード',
  'pdb.short': '正常{healthy}、必要{desired}: 中断できません。',
}
