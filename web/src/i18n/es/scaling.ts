import type { scaling as en } from '../en/scaling'
import type { Area } from '../messages'

export const scaling: Area<typeof en> = {
  'tab.scaling': 'Escalado',
  'hpa.unable': 'No puede escalar su destino.',
  'hpa.disabled': 'El escalado está desactivado: el destino no tiene réplicas.',
  'hpa.blind': 'No puede calcular cuántas réplicas hacen falta.',
  'hpa.waiting': 'Aún no ha mirado su destino.',
  'hpa.scaling': 'Escalando de {current} a {desired} réplicas.',
  'hpa.atMost': 'Retenido en su máximo de {most} réplicas.',
  'hpa.atLeast': 'En su mínimo de {least} réplicas.',
  'hpa.holding': { one: '{n} réplica se ajusta a las métricas.', other: '{n} réplicas se ajustan a las métricas.' },
  'hpa.target': 'Destino',
  'hpa.bounds': 'Límites',
  'hpa.metrics': 'Métricas',
  'hpa.metric': 'Métrica',
  'hpa.current': 'Actual',
  'hpa.wanted': 'Valor objetivo',
  'hpa.unknown': 'desconocido',
  'hpa.decisions': 'Decisiones',
  'hpa.undecided': 'El registro no tiene ninguna decisión suya.',
  'hpa.up': 'Sube de {from} a {to}',
  'hpa.down': 'Baja de {from} a {to}',
  'hpa.picture': 'Réplicas y métricas en el tiempo',
  'hpa.ofTarget': 'Métricas en porcentaje de sus objetivos',
  'hpa.counts': '{current} réplicas, {desired} deseadas, de {least} a {most} permitidas',
}
