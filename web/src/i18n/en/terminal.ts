/** Messages of the terminal in a Pod. */
export const terminal = {
  'tab.terminal': 'Terminal',
  'terminal.command': 'Command',
  'terminal.run': 'Run',
  'terminal.open': 'Runs in {name}.',
  'terminal.opening': 'The server is asked to begin.',
  'terminal.ended': 'It has ended with {code}.',
  'terminal.lost': 'The connection has ended.',
  'terminal.none': 'No container of the Pod runs.',
  'terminal.past': 'This is a moment of the past. Commands run in the present.',
} as const
