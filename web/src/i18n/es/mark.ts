import type { mark as english } from '../en/mark'
import type { Area } from '../messages'

export const mark: Area<typeof english> = {
  'time.zoomIn': 'Acercar',
  'time.zoomOut': 'Alejar',
  'mark.previous': 'Marca anterior de la línea de tiempo',
  'mark.next': 'Marca siguiente de la línea de tiempo',
  'mark.noEarlier': 'No hay ninguna marca anterior.',
  'mark.noLater': 'No hay ninguna marca posterior.',
  'mark.began': '{reason}: {name}',
  'mark.ended': '{reason} visto por última vez: {name}',
  'mark.faultBegan': 'Fallo {name} inyectado',
  'mark.faultEnded': 'Fallo {name} terminado',
  'mark.rollout': 'Nueva revisión: {name}',
  'mark.advancing': 'Desde aquí se adelantó el reloj',
  'mark.advanced': 'Hasta aquí se adelantó el reloj',
  'mark.request': '{name} {verb} por {who}',
}
