import type { mark as english } from '../en/mark'
import type { Area } from '../messages'

export const mark: Area<typeof english> = {
  'time.zoomIn': '拡大',
  'time.zoomOut': '縮小',
  'mark.previous': 'タイムラインの前の印',
  'mark.next': 'タイムラインの次の印',
  'mark.noEarlier': 'これより前の印はありません。',
  'mark.noLater': 'これより後の印はありません。',
  'mark.began': '{reason}: {name}',
  'mark.ended': '{reason}の最終確認: {name}',
  'mark.faultBegan': '障害{name}を注入',
  'mark.faultEnded': '障害{name}が終了',
  'mark.rollout': '新しいリビジョン: {name}',
  'mark.advancing': 'ここから時計を進めました',
  'mark.advanced': 'ここまで時計を進めました',
  'mark.request': '{who}が{name}を{verb}',
}
