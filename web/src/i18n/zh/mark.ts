import type { mark as english } from '../en/mark'
import type { Area } from '../messages'

export const mark: Area<typeof english> = {
  'time.zoomIn': '放大',
  'time.zoomOut': '缩小',
  'mark.previous': '时间线上的上一个标记',
  'mark.next': '时间线上的下一个标记',
  'mark.noEarlier': '没有更早的标记。',
  'mark.noLater': '没有更晚的标记。',
  'mark.began': '{reason}：{name}',
  'mark.ended': '{reason} 最后一次出现：{name}',
  'mark.faultBegan': '注入故障 {name}',
  'mark.faultEnded': '故障 {name} 结束',
  'mark.rollout': '新修订版本：{name}',
  'mark.advancing': '从此处起快进时钟',
  'mark.advanced': '时钟快进到此处',
  'mark.request': '{who} {verb} {name}',
}
