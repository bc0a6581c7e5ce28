import type { jump as english } from '../en/jump'
import type { Area } from '../messages'

export const jump: Area<typeof english> = {
  'keys.jump': 'Ir a cualquier lugar',
  'jump.title': 'Ir a',
  'jump.field': 'Un tipo, un objeto, una página, un fork o un momento',
  'jump.hint': 'Escriba un nombre, o un momento como {example}.',
  'jump.example': 'hace 10 minutos',
  'jump.none': 'Nada se llama así.',
  'jump.searching': 'Buscando…',
  'jump.cut': 'De cada tipo se buscan los primeros {n} objetos.',
  'jump.count': { one: '{n} resultado', other: '{n} resultados' },
  'jump.kind': 'Tipo',
  'jump.page': 'Página',
  'jump.fork': 'Fork',
  'jump.moment': 'Momento',
}
