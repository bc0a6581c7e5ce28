// The terminal puts <style> elements into the page, which the page's policy (style-src 'self') keeps from having any effect. Sheets that a
// script makes may have one, so elements that hold such a sheet stand in for them.

/** Sheet is an element that can be used as <style> is: its text holds as long as it is in the page. */
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

/** withSheets runs what makes <style> elements, and has it make Sheets. */
export function withSheets(run: () => void): void {
  if (customElements.get(name) === undefined) customElements.define(name, Sheet)
  const made = document.createElement
  document.createElement = ((tag: string, options?: ElementCreationOptions) =>
    made.call(document, tag.toLowerCase() === 'style' ? name : tag, options)) as typeof document.createElement
  try {
    run()
  } finally {
    Reflect.deleteProperty(document, 'createElement') // what the prototype has shows again
  }
}
