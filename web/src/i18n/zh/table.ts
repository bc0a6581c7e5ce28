import type { table as english } from '../en/table'
import type { Area } from '../messages'

export const table: Area<typeof english> = {
  'table.search': '搜索',
  'table.labels': '标签',
  'table.fields': '字段',
  'table.labels.bad': '这不是标签选择算符：{part}',
  'table.fields.bad': '这不是字段选择算符：{part}',
  'table.count': '{shown} / {there}',
  'table.none': '一个也没有。',
  'table.noMatch': '没有匹配项。',
  'table.wide': '所有列',
  'table.keys.search': '在各行中搜索',
  'table.keys.down': '下一行',
  'table.keys.up': '上一行',
  'table.keys.pageDown': '向下一页',
  'table.keys.pageUp': '向上一页',
  'table.keys.first': '第一行',
  'table.keys.last': '最后一行',
  'table.keys.open': '打开该行',
  'table.keys.clear': '离开该行，清除搜索',
}
