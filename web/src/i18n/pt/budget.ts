import type { budget as en } from '../en/budget'
import type { Area } from '../messages'

export const budget: Area<typeof en> = {
  'tab.budget': 'Orçamento',
  'pdb.waiting': 'Ainda não foi calculado.',
  'pdb.nobody': 'Não abrange nenhum Pod.',
  'pdb.allows': { one: 'Agora permite mais {n} interrupção.', other: 'Agora permite mais {n} interrupções.' },
  'pdb.pods': { one: '{n} Pod', other: '{n} Pods' },
  'pdb.evicted': 'Removidos que ainda não terminaram',
  'pdb.drains': 'O que uma drenagem poderia remover',
  'pdb.here': 'Pods saudáveis',
  'pdb.now': 'Removíveis agora',
  'pdb.sum': '{healthy} saudáveis − {desired} exigidos = {n} podem ser interrompidos.',
  'pdb.expected': { one: '{n} Pod esperado.', other: '{n} Pods esperados.' },
  'drain.holds': { one: 'abrange {n} Pod aqui e agora deixa sair {now}.', other: 'abrange {n} Pods aqui e agora deixa sair {now}.' },
  'drain.health': '{healthy} saudáveis, {desired} exigidos.',
  'drain.several': {
    one: '{n} Pod tem vários orçamentos e não pode ser removido:',
    other: '{n} Pods têm vários orçamentos e não podem ser removidos:',
  },
  'drain.held': {
    one: 'Os orçamentos reteriam agora {n} de {all} remoções.',
    other: 'Os orçamentos reteriam agora {n} de {all} remoções.',
  },
  'drain.free': { one: '{n} Pod poderia ser removido imediatamente.', other: '{n} Pods poderiam ser removidos imediatamente.' },
  'drain.empty': 'Não há nada a remover.',
  'drain.node': 'Nó',
  'pdb.short': '{healthy} saudáveis, {desired} exigidos: nenhum pode ser interrompido.',
}
