import type { Messages } from '../messages'
import { core } from './core'
import { log } from './log'

export const messages: Messages = { ...core, ...log }
