import type { log as english } from '../en/log'
import type { Area } from '../messages'

export const log: Area<typeof english> = {
  'tab.log': '日志',
  'log.container': '容器',
  'log.all': '所有容器',
  'log.init': '{name}（初始化）',
  'log.search': '搜索行',
  'log.follow': '跟随',
  'log.previous': '上次重启之前',
  'log.times': '时间',
  'log.wrap': '自动换行',
  'log.waiting': '{name} 尚未启动：{reason}',
  'log.restarted': '{name} 已重启',
  'log.lines': { other: '{n} 行' },
  'log.found': { other: '共 {all} 行，找到 {n} 行' },
  'log.dropped': { other: '未保留更早的 {n} 行' },
  'log.level': '级别',
  'log.levelAll': '所有级别',
  'log.levelWarn': '警告和错误',
  'log.levelError': '错误',
  'log.download': '下载',
  'log.gone': '日志未保留：已随 Pod 一起删除。',
  'log.mostPods': '显示 {all} 个 Pod 中最新的 {n} 个。',
  'log.noPods': '没有 Pod。',
}
