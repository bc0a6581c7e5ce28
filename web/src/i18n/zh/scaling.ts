import type { scaling as en } from '../en/scaling'
import type { Area } from '../messages'

export const scaling: Area<typeof en> = {
  'tab.scaling': '伸缩',
  'hpa.unable': '无法伸缩其目标。',
  'hpa.disabled': '伸缩已停用：目标没有副本。',
  'hpa.blind': '无法计算需要多少副本。',
  'hpa.waiting': '尚未检查其目标。',
  'hpa.scaling': '正在从 {current} 个副本伸缩到 {desired} 个。',
  'hpa.atMost': '停在上限 {most} 个副本。',
  'hpa.atLeast': '处于下限 {least} 个副本。',
  'hpa.holding': { other: '{n} 个副本符合指标。' },
  'hpa.target': '目标',
  'hpa.bounds': '范围',
  'hpa.metrics': '指标',
  'hpa.metric': '指标',
  'hpa.current': '当前',
  'hpa.wanted': '目标值',
  'hpa.unknown': '未知',
  'hpa.decisions': '决定',
  'hpa.undecided': '日志中没有它的决定。',
  'hpa.up': '从 {from} 增加到 {to}',
  'hpa.down': '从 {from} 减少到 {to}',
  'hpa.picture': '副本和指标随时间的变化',
  'hpa.ofTarget': '指标占目标的百分比',
  'hpa.counts': '{current} 个副本，期望 {desired} 个，允许 {least} 到 {most} 个',
}
