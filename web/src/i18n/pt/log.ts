import type { log as english } from '../en/log'
import type { Area } from '../messages'

export const log: Area<typeof english> = {
  'tab.log': 'Logs',
  'log.container': 'Contêiner',
  'log.all': 'Todos os contêineres',
  'log.init': '{name} (de inicialização)',
  'log.search': 'Buscar nas linhas',
  'log.follow': 'Acompanhar',
  'log.previous': 'Antes do último reinício',
  'log.times': 'Horários',
  'log.wrap': 'Quebrar linhas',
  'log.waiting': '{name} não foi iniciado: {reason}',
  'log.restarted': '{name} foi reiniciado',
  'log.lines': { one: '{n} linha', other: '{n} linhas' },
  'log.found': { one: '{n} de {all} linhas', other: '{n} de {all} linhas' },
  'log.dropped': { one: '{n} linha anterior não é mantida', other: '{n} linhas anteriores não são mantidas' },
  'log.level': 'Nível',
  'log.levelAll': 'Todos os níveis',
  'log.levelWarn': 'Avisos e erros',
  'log.levelError': 'Erros',
  'log.download': 'Baixar',
  'log.gone': 'O log não foi mantido: foi excluído com o Pod.',
  'log.mostPods': 'São exibidos os {n} Pods mais recentes de {all}.',
  'log.noPods': 'Não há Pods.',
}
