import type { scaling as en } from '../en/scaling'
import type { Area } from '../messages'

export const scaling: Area<typeof en> = {
  'tab.scaling': 'Escala',
  'hpa.unable': 'Não consegue escalar o seu alvo.',
  'hpa.disabled': 'A escala está desligada: o alvo não tem réplicas.',
  'hpa.blind': 'Não consegue calcular quantas réplicas são necessárias.',
  'hpa.waiting': 'Ainda não examinou o seu alvo.',
  'hpa.scaling': 'Escalando de {current} para {desired} réplicas.',
  'hpa.atMost': 'Retido no seu máximo de {most} réplicas.',
  'hpa.atLeast': 'No seu mínimo de {least} réplicas.',
  'hpa.holding': { one: '{n} réplica atende às métricas.', other: '{n} réplicas atendem às métricas.' },
  'hpa.target': 'Alvo',
  'hpa.bounds': 'Limites',
  'hpa.metrics': 'Métricas',
  'hpa.metric': 'Métrica',
  'hpa.current': 'Atual',
  'hpa.wanted': 'Valor alvo',
  'hpa.unknown': 'desconhecido',
  'hpa.decisions': 'Decisões',
  'hpa.undecided': 'O log não tem nenhuma decisão dele.',
  'hpa.up': 'Sobe de {from} para {to}',
  'hpa.down': 'Desce de {from} para {to}',
  'hpa.picture': 'Réplicas e métricas ao longo do tempo',
  'hpa.ofTarget': 'Métricas em porcentagem dos seus alvos',
  'hpa.counts': '{current} réplicas, {desired} desejadas, de {least} a {most} permitidas',
}
