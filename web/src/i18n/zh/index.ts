import type { Messages } from '../messages'
import { core } from './core'

export const messages: Messages = { ...core }
