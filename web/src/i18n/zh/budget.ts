import type { budget as en } from '../en/budget'
import type { Area } from '../messages'

export const budget: Area<typeof en> = {
  'tab.budget': '预算',
  'pdb.waiting': '尚未计算。',
  'pdb.nobody': '没有覆盖任何 Pod。',
  'pdb.allows': { other: '现在还允许 {n} 次干扰。' },
  'pdb.pods': { other: '{n} 个 Pod' },
  'pdb.evicted': '已驱逐但尚未终止',
  'pdb.drains': '腾空时可驱逐的 Pod',
  'pdb.here': '健康的 Pod',
  'pdb.now': '现在可驱逐',
  'pdb.sum': '{healthy} 个健康 − {desired} 个必需 = {n} 个可被干扰。',
  'pdb.expected': { other: '预期 {n} 个 Pod。' },
  'drain.holds': { other: '在此覆盖 {n} 个 Pod，现在允许驱逐 {now} 个。' },
  'drain.health': '{healthy} 个健康，{desired} 个必需。',
  'drain.several': { other: '{n} 个 Pod 有多个预算，无法驱逐：' },
  'drain.held': { other: '预算现在会阻止 {all} 次驱逐中的 {n} 次。' },
  'drain.free': { other: '{n} 个 Pod 可立即驱逐。' },
  'drain.empty': '没有可驱逐的。',
  'drain.node': '节点',
  'pdb.short': '{healthy} 个健康，{desired} 个必需：均不可被干扰。',
}
