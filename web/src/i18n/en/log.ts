/** What is said about logs. */
export const log = {
  'tab.log': 'Logs',
  'log.container': 'Container',
  'log.all': 'All containers',
  'log.init': '{name} (init)',
  'log.search': 'Search the lines',
  'log.follow': 'Follow',
  'log.previous': 'Before the last restart',
  'log.times': 'Times',
  'log.wrap': 'Wrap lines',
  'log.waiting': '{name} has not started: {reason}',
  'log.restarted': '{name} has been restarted',
  'log.lines': { one: '{n} line', other: '{n} lines' },
  'log.found': { one: '{n} of {all} lines', other: '{n} of {all} lines' },
  'log.dropped': { one: '{n} older line is not kept', other: '{n} older lines are not kept' },
} as const
