import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, type Page } from '@playwright/test'

/** maxBytes is how large a picture in the repository may be. */
const maxBytes = 70_000

/**
 * picture writes what a page shows to docs/pictures/NAME.webp. The browser itself compresses it, as well as still fits. One that is wider than
 * `width`, in pixels, is made smaller.
 */
export async function picture(page: Page, name: string, width = Number.POSITIVE_INFINITY): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
  const blank = await page.context().newPage()
  const webp = Buffer.from(await blank.evaluate(compressed, { png, maxBytes, width: Math.min(width, 10_000) }), 'base64')
  await blank.close()
  expect(webp.length, `the size of ${name}`).toBeLessThan(maxBytes)
  mkdirSync(dirname(`../docs/pictures/${name}`), { recursive: true })
  writeFileSync(`../docs/pictures/${name}.webp`, webp)
}

/** compressed runs in a page, and makes a PNG a WebP, both in base64. */
async function compressed({ png, maxBytes, width }: { png: string; maxBytes: number; width: number }): Promise<string> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const scale = Math.min(1, width / image.width)
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  let bytes = new Uint8Array()
  for (let quality = 0.9; quality > 0.3 && (bytes.length === 0 || bytes.length >= maxBytes); quality -= 0.1) {
    bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer())
  }
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))
}
