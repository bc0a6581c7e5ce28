import { send } from '../api/http'

/** saveAs makes the browser save a file. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // by then the browser has started to read it
}

/** download makes the browser save a response of the server. It throws ApiError. */
export async function download(path: string, name: string): Promise<void> {
  saveAs(await (await send(path, { accept: '*/*' })).blob(), name)
}
