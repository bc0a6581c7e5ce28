import type { network as english } from '../en/network'
import type { Area } from '../messages'

export const network: Area<typeof english> = {
  'tab.network': 'Red',
  'net.ports': 'Puertos',
  'net.port': 'Puerto',
  'net.name': 'Nombre',
  'net.open': 'Abrir',
  'net.openPort': 'Abrir {name}',
  'net.noPorts': 'No declara puertos.',
  'net.notBrowser': 'Ningún navegador habla este protocolo.',
  'net.past': 'Este es un momento del pasado. Los puertos están abiertos en el presente.',
  'net.denied': 'No tiene permiso para obtener {name}.',
  'net.notRunning': 'El Pod no está en ejecución.',
  'net.token': 'Un navegador no envía el token con un enlace. Ejecute:',
  'net.traffic': 'Peticiones entre Pods',
  'net.last': {
    one: '{n} petición en los últimos diez minutos del clúster.',
    other: '{n} peticiones en los últimos diez minutos del clúster.',
  },
  'net.quiet': 'Ninguna petición en los últimos diez minutos del clúster.',
  'net.from': 'De',
  'net.to': 'A',
  'net.answered': 'Respondidas',
  'net.failed': 'Fallidas',
  'net.refused': 'Rechazadas',
  'net.lost': 'Sin respuesta',
  'net.noPod': 'Ningún Pod',
  'net.hidden': 'Pods que no puede listar',
  'net.pastTraffic': 'Este es un momento del pasado. Solo se cuentan las peticiones de los últimos minutos.',
}
