import type { network as english } from '../en/network'
import type { Area } from '../messages'

export const network: Area<typeof english> = {
  'tab.network': '网络',
  'net.ports': '端口',
  'net.port': '端口',
  'net.name': '名称',
  'net.open': '打开',
  'net.openPort': '打开 {name}',
  'net.noPorts': '未声明端口。',
  'net.notBrowser': '浏览器不支持此协议。',
  'net.past': '这是过去的时刻。端口只在当前打开。',
  'net.denied': '您没有获取 {name} 的权限。',
  'net.notRunning': '该 Pod 未在运行。',
  'net.token': '浏览器打开链接时不会发送令牌。请运行:',
  'net.traffic': 'Pod 间的请求',
  'net.last': { other: '集群时间最近十分钟内有 {n} 个请求。' },
  'net.quiet': '集群时间最近十分钟内没有请求。',
  'net.from': '来源',
  'net.to': '目标',
  'net.answered': '已应答',
  'net.failed': '失败',
  'net.refused': '被拒绝',
  'net.lost': '超时',
  'net.noPod': '无 Pod',
  'net.hidden': '您无权列出的 Pod',
  'net.pastTraffic': '这是过去的时刻。仅统计最近几分钟的请求。',
}
