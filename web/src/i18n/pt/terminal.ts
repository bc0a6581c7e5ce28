import type { terminal as english } from '../en/terminal'
import type { Area } from '../messages'

export const terminal: Area<typeof english> = {
  'tab.terminal': 'Terminal',
  'terminal.command': 'Comando',
  'terminal.run': 'Executar',
  'terminal.open': 'Em execução em {name}.',
  'terminal.opening': 'Pede-se ao servidor que comece.',
  'terminal.ended': 'Terminou com {code}.',
  'terminal.lost': 'A conexão terminou.',
  'terminal.none': 'Nenhum contêiner do Pod está em execução.',
  'terminal.past': 'Este é um momento do passado. Comandos são executados no presente.',
}
