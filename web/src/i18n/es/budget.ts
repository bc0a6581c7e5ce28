import type { budget as en } from '../en/budget'
import type { Area } from '../messages'

export const budget: Area<typeof en> = {
  'tab.budget': 'Presupuesto',
  'pdb.waiting': 'Aún no se ha calculado.',
  'pdb.nobody': 'No abarca ningún Pod.',
  'pdb.allows': { one: 'Ahora permite {n} interrupción más.', other: 'Ahora permite {n} interrupciones más.' },
  'pdb.pods': { one: '{n} Pod', other: '{n} Pods' },
  'pdb.evicted': 'Desalojados, aún sin terminar',
  'pdb.drains': 'Lo que podría desalojar un drenaje',
  'pdb.here': 'Pods sanos',
  'pdb.now': 'Desalojables ahora',
  'pdb.sum': '{healthy} sanos − {desired} exigidos = {n} se pueden interrumpir.',
  'pdb.expected': { one: 'Se espera {n} Pod.', other: 'Se esperan {n} Pods.' },
  'drain.holds': { one: 'abarca {n} Pod aquí y ahora deja salir {now}.', other: 'abarca {n} Pods aquí y ahora deja salir {now}.' },
  'drain.health': '{healthy} sanos, {desired} exigidos.',
  'drain.several': {
    one: '{n} Pod tiene varios presupuestos y no se puede desalojar:',
    other: '{n} Pods tienen varios presupuestos y no se pueden desalojar:',
  },
  'drain.held': {
    one: 'Los presupuestos retendrían ahora {n} de {all} desalojos.',
    other: 'Los presupuestos retendrían ahora {n} de {all} desalojos.',
  },
  'drain.free': { one: '{n} Pod se podría desalojar enseguida.', other: '{n} Pods se podrían desalojar enseguida.' },
  'drain.empty': 'No hay nada que desalojar.',
  'drain.node': 'Nodo',
  'pdb.short': '{healthy} sanos, {desired} exigidos: ninguno se puede interrumpir.',
}
