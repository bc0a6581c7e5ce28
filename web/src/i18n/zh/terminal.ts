import type { terminal as english } from '../en/terminal'
import type { Area } from '../messages'

export const terminal: Area<typeof english> = {
  'tab.terminal': '终端',
  'terminal.command': '命令',
  'terminal.run': '运行',
  'terminal.open': '正在 {name} 中运行。',
  'terminal.opening': '正在请求服务器开始。',
  'terminal.ended': '已结束，退出码 {code}。',
  'terminal.lost': '连接已结束。',
  'terminal.none': '该 Pod 没有正在运行的容器。',
  'terminal.past': '这是过去的时刻。命令只能在当前运行。',
}
