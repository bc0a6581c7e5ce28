import type { mark as english } from '../en/mark'
import type { Area } from '../messages'

export const mark: Area<typeof english> = {
  'time.zoomIn': 'Ampliar',
  'time.zoomOut': 'Reduzir',
  'mark.previous': 'Marca anterior da linha do tempo',
  'mark.next': 'Próxima marca da linha do tempo',
  'mark.noEarlier': 'Não há marca anterior.',
  'mark.noLater': 'Não há marca posterior.',
  'mark.began': '{reason}: {name}',
  'mark.ended': '{reason} visto pela última vez: {name}',
  'mark.faultBegan': 'Falha {name} injetada',
  'mark.faultEnded': 'Falha {name} terminada',
  'mark.rollout': 'Nova revisão: {name}',
  'mark.advancing': 'O relógio foi adiantado a partir daqui',
  'mark.advanced': 'O relógio foi adiantado até aqui',
  'mark.request': '{name} {verb} por {who}',
}
