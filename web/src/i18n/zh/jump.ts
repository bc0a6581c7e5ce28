import type { jump as english } from '../en/jump'
import type { Area } from '../messages'

export const jump: Area<typeof english> = {
  'keys.jump': '跳转到任意位置',
  'jump.title': '跳转',
  'jump.field': '类别、对象、页面、分叉或时刻',
  'jump.hint': '输入名称，或“{example}”这样的时刻。',
  'jump.example': '10 分钟前',
  'jump.none': '没有匹配的内容。',
  'jump.searching': '正在搜索…',
  'jump.cut': '每种类别仅搜索前 {n} 个对象。',
  'jump.count': { other: '{n} 个结果' },
  'jump.kind': '类别',
  'jump.page': '页面',
  'jump.fork': '分叉',
  'jump.moment': '时刻',
}
