import type { jump as english } from '../en/jump'
import type { Area } from '../messages'

export const jump: Area<typeof english> = {
  'keys.jump': 'Ir para qualquer lugar',
  'jump.title': 'Ir para',
  'jump.field': 'Um tipo, um objeto, uma página, um fork ou um momento',
  'jump.hint': 'Digite um nome, ou um momento como {example}.',
  'jump.example': '10 minutos atrás',
  'jump.none': 'Nada tem esse nome.',
  'jump.searching': 'Buscando…',
  'jump.cut': 'De cada tipo são pesquisados os primeiros {n} objetos.',
  'jump.count': { one: '{n} resultado', other: '{n} resultados' },
  'jump.kind': 'Tipo',
  'jump.page': 'Página',
  'jump.fork': 'Fork',
  'jump.moment': 'Momento',
}
