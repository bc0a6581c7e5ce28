import type { BrowserContext, ConsoleMessage, Request } from '@playwright/test'

/** Allowed is part of the text of what a test means to happen, or the status of an answer. */
export type Allowed = RegExp | number

/**
 * Watch notes what must not happen in any page: errors in the console, which violations of the content security policy and answers
 * with an error are as well; exceptions; requests to another origin; tokens in addresses.
 */
export class Watch {
  private readonly noted: string[] = []
  private readonly allowed: RegExp[] = []

  constructor(
    context: BrowserContext,
    private readonly origin: string,
  ) {
    context.on('console', (message) => this.hear(message))
    context.on('weberror', (e) => this.note(`exception: ${e.error().stack ?? e.error()}`))
    context.on('request', (request) => this.see(request))
  }

  /** allow expects something, once or more: allow(422) for answers with that status, allow(/text/) for what says so. */
  allow(...what: Allowed[]): void {
    for (const one of what) this.allowed.push(typeof one === 'number' ? new RegExp(`status of ${one}\\b`) : one)
  }

  /** problems is what happened and was not expected. */
  problems(): string[] {
    return this.noted.filter((text) => !this.allowed.some((one) => one.test(text)))
  }

  private note(text: string): void {
    if (this.noted.length < 50) this.noted.push(text.slice(0, 2000))
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() !== 'error') return
    const { url, lineNumber } = message.location()
    this.note(`console: ${message.text()} (${url}:${lineNumber})`)
  }

  private see(request: Request): void {
    const url = new URL(request.url())
    if (url.protocol === 'data:' || url.protocol === 'blob:') return
    if (url.origin !== this.origin && url.href !== 'about:blank') this.note(`a request to another origin: ${url.href}`)
    // The name of a kind's group is not a token.
    if (/token|bearer|authorization/i.test(url.search.replaceAll('authorization.k8s.io', '')))
      this.note(`a token in an address: ${url.href}`)
  }
}
