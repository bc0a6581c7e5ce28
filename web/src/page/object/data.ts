import type { KubeObject } from '../../api/object'

/** Datum is a key of a ConfigMap or Secret. */
export interface Datum {
  readonly key: string
  readonly bytes: number
  /** The value as text; null if it is not text. */
  readonly text: string | null
  readonly base64: string
}

/** decoded decodes base64; invalid base64 has no bytes. */
function decoded(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** textOfBytes decodes UTF-8 text; null if it is not readable text. */
function textOfBytes(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text
  } catch {
    return null
  }
}

function ofBase64(key: string, base64: string): Datum {
  const bytes = decoded(base64)
  return { key, bytes: bytes.length, text: textOfBytes(bytes), base64 }
}

type Values = Readonly<Record<string, string>>

/**
 * dataOf lists the data of a ConfigMap (`data` as text, `binaryData` as base64) or a Secret (`data`
 * as base64) by key.
 */
export function dataOf(o: KubeObject, kind: 'ConfigMap' | 'Secret'): Datum[] {
  const data = Object.entries((o.data as Values | undefined) ?? {})
  const binary = Object.entries((o.binaryData as Values | undefined) ?? {})
  const all =
    kind === 'Secret'
      ? data.map(([key, value]) => ofBase64(key, value))
      : [
          ...data.map(([key, text]): Datum => ({ key, text, bytes: new TextEncoder().encode(text).length, base64: '' })),
          ...binary.map(([key, value]) => ofBase64(key, value)),
        ]
  return all.sort((a, b) => (a.key < b.key ? -1 : 1))
}
