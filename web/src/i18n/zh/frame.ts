import type { frame as english } from '../en/frame'
import type { Area } from '../messages'

export const frame: Area<typeof english> = {
  'outage.title': '自 {time} 起服务器没有响应。',
  'outage.about': '您看到的是当时的内容。',
  'outage.next': { other: '{n} 秒后重试。' },
  'outage.trying': '正在重试…',
  'outage.now': '立即重试',
  'outage.over': '服务器已恢复响应。',
  'outage.off': '服务器没有响应，恢复之前无法进行更改。',
  'outage.reload': '重新加载页面',
  'frame.fork': '这是分叉 {name}，不是它的来源集群。此处的更改不会影响来源集群。',
  'right.denied': '您没有对 {what} 执行 {verb} 的权限。',
  'right.deniedIn': '您没有在 {namespace} 中对 {what} 执行 {verb} 的权限。',
  'right.list': '您没有查看所有名字空间中 {what} 的权限。请选择一个名字空间，或联系管理员。',
  'right.ask': '请联系管理员。',
  'right.none': '您已以 {name} 登录，但此账户在这里没有任何权限。',
  'right.remedy': '管理员可以为其绑定角色，例如用于查看的组 rowlock:viewers。您也可以使用其他令牌登录。',
  'draft.restored': '已恢复您 {time} 未保存的文本。',
  'draft.discard': '放弃',
  'draft.unsaved': '未保存',
  'draft.full': '此文本过长，无法保留。离开此页面后将丢失。',
  'time.zone': '时间为 {zone}。',
}
