import type { frame as english } from '../en/frame'
import type { Area } from '../messages'

export const frame: Area<typeof english> = {
  'outage.title': 'O servidor não responde desde {time}.',
  'outage.about': 'O que você vê é daquele momento.',
  'outage.next': { one: 'Nova tentativa em {n} segundo.', other: 'Nova tentativa em {n} segundos.' },
  'outage.trying': 'Tentando novamente…',
  'outage.now': 'Tentar agora',
  'outage.over': 'O servidor voltou a responder.',
  'outage.off': 'O servidor não responde. Nada pode ser alterado até que ele responda.',
  'outage.reload': 'Recarregar a página',
  'frame.fork': 'Esta é a bifurcação {name}, não o cluster do qual foi criada. As alterações feitas aqui não chegam a esse cluster.',
  'right.denied': 'Você não tem permissão para {verb} {what}.',
  'right.deniedIn': 'Você não tem permissão para {verb} {what} em {namespace}.',
  'right.list': 'Você não tem permissão para ver {what} em todos os namespaces. Escolha um namespace ou fale com um administrador.',
  'right.ask': 'Solicite-a a um administrador.',
  'right.none': 'Você entrou como {name}, mas esta conta não tem permissões aqui.',
  'right.remedy': 'Um administrador pode vincular uma função a ela, como o grupo rowlock:viewers para consulta. Ou entre com outro token.',
  'draft.restored': 'Seu texto não salvo de {time} foi recuperado.',
  'draft.discard': 'Descartar',
  'draft.unsaved': 'não salvo',
  'draft.full': 'Este texto é longo demais para ser mantido. Ele se perde quando você sai da página.',
  'time.zone': 'Os horários são de {zone}.',
}
