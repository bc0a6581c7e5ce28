/** What the dialog says in which one jumps anywhere. */
export const jump = {
  'keys.jump': 'Jump to anything',
  'jump.title': 'Jump',
  'jump.field': 'A kind, an object, a page, a fork or a moment',
  'jump.hint': 'Type a name, or a moment such as {example}.',
  'jump.example': '10 minutes ago',
  'jump.none': 'Nothing is called that.',
  'jump.searching': 'Searching…',
  'jump.cut': 'Of each kind, the first {n} objects are searched.',
  'jump.count': { one: '{n} result', other: '{n} results' },
  'jump.kind': 'Kind',
  'jump.page': 'Page',
  'jump.fork': 'Fork',
  'jump.moment': 'Moment',
} as const
