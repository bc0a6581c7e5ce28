/** What is said about marks on the line of time, and about its keys and zoom. */
export const mark = {
  'time.zoomIn': 'Zoom in',
  'time.zoomOut': 'Zoom out',
  'mark.previous': 'Previous mark on the timeline',
  'mark.next': 'Next mark on the timeline',
  'mark.noEarlier': 'There is no earlier mark.',
  'mark.noLater': 'There is no later mark.',
  'mark.began': '{reason}: {name}',
  'mark.ended': '{reason} last seen: {name}',
  'mark.faultBegan': 'Fault {name} injected',
  'mark.faultEnded': 'Fault {name} ended',
  'mark.rollout': 'New revision: {name}',
  'mark.advancing': 'The clock was advanced from here',
  'mark.advanced': 'The clock was advanced to here',
  'mark.request': '{name} {verb} by {who}',
} as const
