import { act } from './act'
import { budget } from './budget'
import { clock } from './clock'
import { core } from './core'
import { fault } from './fault'
import { fork } from './fork'
import { frame } from './frame'
import { job } from './job'
import { jump } from './jump'
import { log } from './log'
import { mark } from './mark'
import { network } from './network'
import { object } from './object'
import { overview } from './overview'
import { rollout } from './rollout'
import { scaling } from './scaling'
import { sets } from './sets'
import { table } from './table'
import { terminal } from './terminal'
import { time } from './time'
import { tree } from './tree'
import { write } from './write'

/** en is what the dashboard says, in English: by area, each in a file of its own. The other languages have the same keys. */
export const en = {
  ...act,
  ...budget,
  ...clock,
  ...core,
  ...fault,
  ...fork,
  ...frame,
  ...job,
  ...jump,
  ...log,
  ...mark,
  ...network,
  ...object,
  ...overview,
  ...rollout,
  ...scaling,
  ...sets,
  ...table,
  ...terminal,
  ...time,
  ...tree,
  ...write,
}
