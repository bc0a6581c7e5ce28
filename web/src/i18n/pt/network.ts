import type { network as english } from '../en/network'
import type { Area } from '../messages'

export const network: Area<typeof english> = {
  'tab.network': 'Rede',
  'net.ports': 'Portas',
  'net.port': 'Porta',
  'net.name': 'Nome',
  'net.open': 'Abrir',
  'net.openPort': 'Abrir {name}',
  'net.noPorts': 'Não declara portas.',
  'net.notBrowser': 'Nenhum navegador fala este protocolo.',
  'net.past': 'Este é um momento do passado. As portas estão abertas no presente.',
  'net.denied': 'Você não tem permissão para obter {name}.',
  'net.notRunning': 'O Pod não está em execução.',
  'net.token': 'Um navegador não envia o token com um link. Execute:',
  'net.traffic': 'Requisições entre Pods',
  'net.last': { one: '{n} requisição nos últimos dez minutos do cluster.', other: '{n} requisições nos últimos dez minutos do cluster.' },
  'net.quiet': 'Nenhuma requisição nos últimos dez minutos do cluster.',
  'net.from': 'De',
  'net.to': 'Para',
  'net.answered': 'Respondidas',
  'net.failed': 'Com falha',
  'net.refused': 'Recusadas',
  'net.lost': 'Sem resposta',
  'net.noPod': 'Nenhum Pod',
  'net.hidden': 'Pods que você não pode listar',
  'net.pastTraffic': 'Este é um momento do passado. Só são contadas as requisições dos últimos minutos.',
}
