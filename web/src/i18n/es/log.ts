import type { log as english } from '../en/log'
import type { Area } from '../messages'

export const log: Area<typeof english> = {
  'tab.log': 'Registros',
  'log.container': 'Contenedor',
  'log.all': 'Todos los contenedores',
  'log.init': '{name} (de inicialización)',
  'log.search': 'Buscar en las líneas',
  'log.follow': 'Seguir',
  'log.previous': 'Antes del último reinicio',
  'log.times': 'Horas',
  'log.wrap': 'Ajustar líneas',
  'log.waiting': '{name} no se ha iniciado: {reason}',
  'log.restarted': '{name} se ha reiniciado',
  'log.lines': { one: '{n} línea', other: '{n} líneas' },
  'log.found': { one: '{n} de {all} líneas', other: '{n} de {all} líneas' },
  'log.dropped': { one: '{n} línea anterior no se conserva', other: '{n} líneas anteriores no se conservan' },
  'log.level': 'Nivel',
  'log.levelAll': 'Todos los niveles',
  'log.levelWarn': 'Advertencias y errores',
  'log.levelError': 'Errores',
  'log.download': 'Descargar',
  'log.gone': 'El registro no se conserva: desapareció con su Pod.',
  'log.mostPods': 'Se muestran los {n} Pods más recientes de {all}.',
  'log.noPods': 'No hay Pods.',
}
