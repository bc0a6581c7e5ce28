// The terminal adds <style> elements, which the page's policy (style-src 'self') blocks. Style
// sheets made by scripts are allowed, so elements with such a sheet replace them.

/** Sheet replaces <style>: its text applies while it is in the page. */
class Sheet extends HTMLElement {
  readonly #sheet = new CSSStyleSheet()

  override get textContent(): string {
    return ''
  }

  override set textContent(text: string | null) {
    this.#sheet.replaceSync(text ?? '')
  }

  connectedCallback(): void {
    document.adoptedStyleSheets.push(this.#sheet)
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== this.#sheet)
  }
}

const name = 'rowlock-sheet'

/** withSheets runs a function whose <style> elements become Sheets. */
export function withSheets(run: () => void): void {
  if (customElements.get(name) === undefined) customElements.define(name, Sheet)
  const made = document.createElement
  document.createElement = ((tag: string, options?: ElementCreationOptions) =>
    made.call(document, tag.toLowerCase() === 'style' ? name : tag, options)) as typeof document.createElement
  try {
    run()
  } finally {
    Reflect.deleteProperty(document, 'createElement') // restores the prototype's method
  }
}
