import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

/** maxBytes is how large a picture in the repository may be. */
const maxBytes = 70_000

/** picture writes what a page shows to docs/pictures/NAME.webp. The browser itself compresses it, as well as still fits. */
export async function picture(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
  const blank = await page.context().newPage()
  const webp = Buffer.from(await blank.evaluate(compressed, { png, maxBytes }), 'base64')
  await blank.close()
  expect(webp.length, `the size of ${name}`).toBeLessThan(maxBytes)
  mkdirSync('../docs/pictures', { recursive: true })
  writeFileSync(`../docs/pictures/${name}.webp`, webp)
}

/** compressed runs in a page, and makes a PNG a WebP, both in base64. */
async function compressed({ png, maxBytes }: { png: string; maxBytes: number }): Promise<string> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  let bytes = new Uint8Array()
  for (let quality = 0.9; quality > 0.3 && (bytes.length === 0 || bytes.length >= maxBytes); quality -= 0.1) {
    bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer())
  }
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))
}
