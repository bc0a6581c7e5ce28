import type { frame as english } from '../en/frame'
import type { Area } from '../messages'

export const frame: Area<typeof english> = {
  'outage.title': 'El servidor no responde desde {time}.',
  'outage.about': 'Lo que ve es de ese momento.',
  'outage.next': { one: 'Nuevo intento en {n} segundo.', other: 'Nuevo intento en {n} segundos.' },
  'outage.trying': 'Reintentando…',
  'outage.now': 'Reintentar ahora',
  'outage.over': 'El servidor vuelve a responder.',
  'outage.off': 'El servidor no responde. No se puede cambiar nada hasta que responda.',
  'outage.reload': 'Recargar la página',
  'frame.fork': 'Esta es la bifurcación {name}, no el clúster del que se creó. Los cambios hechos aquí no llegan a ese clúster.',
  'right.denied': 'No tiene permiso para {verb} {what}.',
  'right.deniedIn': 'No tiene permiso para {verb} {what} en {namespace}.',
  'right.list': 'No tiene permiso para ver {what} en todos los espacios de nombres. Elija uno o consulte a un administrador.',
  'right.ask': 'Solicítelo a un administrador.',
  'right.none': 'Ha iniciado sesión como {name}, pero esta cuenta no tiene permisos aquí.',
  'right.remedy':
    'Un administrador puede asignarle un rol, por ejemplo el grupo rowlock:viewers para consultar. O inicie sesión con otro token.',
  'draft.restored': 'Se ha recuperado su texto sin guardar de las {time}.',
  'draft.discard': 'Descartarlo',
  'draft.unsaved': 'sin guardar',
  'draft.full': 'Este texto es demasiado largo para conservarlo. Se pierde al salir de la página.',
  'time.zone': 'Las horas son de {zone}.',
}
