import type { Messages } from '../messages'
import { core } from './core'
import { job } from './job'
import { log } from './log'

export const messages: Messages = { ...core, ...job, ...log }
