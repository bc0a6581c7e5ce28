import type { Messages } from '../messages'
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

export const messages: Messages = {
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
