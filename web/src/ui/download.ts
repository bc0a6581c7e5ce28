import { send } from '../api/http'

/** saveAs has the browser keep a file. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser has begun to read it by then
}

/** download has the browser keep what the server sends. It throws ApiError. */
export async function download(path: string, name: string): Promise<void> {
  saveAs(await (await send(path, { accept: '*/*' })).blob(), name)
}
