// Fails if a browser loads more script at first than it may: what the page names and what that imports, compressed as it is served. Parts
// that a page loads when it is opened come on top; e2e/load.spec.ts measures them in a browser.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const limit = 120_000
const app = new URL('dist/app/', import.meta.url)
const page = readFileSync(new URL('index.html', app), 'utf8')
const names = new Set([...page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map((match) => match[1]))
if (names.size === 0) throw new Error('the page names no script')
let total = 0
for (const name of names) {
  const size = gzipSync(readFileSync(new URL(name, app)), { level: 9 }).length
  total += size
  console.log(`${String(size).padStart(8)}  ${name}`)
}
console.log(`${String(total).padStart(8)}  bytes of compressed script at first, of ${limit}`)
process.exitCode = total > limit ? 1 : 0
