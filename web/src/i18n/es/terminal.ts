import type { terminal as english } from '../en/terminal'
import type { Area } from '../messages'

export const terminal: Area<typeof english> = {
  'tab.terminal': 'Terminal',
  'terminal.command': 'Orden',
  'terminal.run': 'Ejecutar',
  'terminal.open': 'Se ejecuta en {name}.',
  'terminal.opening': 'Se pide al servidor que empiece.',
  'terminal.ended': 'Ha terminado con {code}.',
  'terminal.lost': 'La conexión ha terminado.',
  'terminal.none': 'Ningún contenedor del Pod está en marcha.',
  'terminal.past': 'Este es un momento del pasado. Las órdenes se ejecutan en el presente.',
}
