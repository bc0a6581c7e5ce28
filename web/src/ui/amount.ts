const sizes: readonly (readonly [number, string])[] = [
  [2 ** 50, 'Pi'],
  [2 ** 40, 'Ti'],
  [2 ** 30, 'Gi'],
  [2 ** 20, 'Mi'],
  [2 ** 10, 'Ki'],
]

/** isSize reports whether a resource is measured in bytes. */
const isSize = (resource: string): boolean => /memory|storage|hugepages/.test(resource)

/** amountText formats an amount of a resource as a readable quantity: 1.5Gi, 250m, 12. */
export function amountText(n: number, resource: string): string {
  if (isSize(resource)) {
    const [by, unit] = sizes.find(([size]) => Math.abs(n) >= size) ?? [1, '']
    return `${Math.round((n / by) * 10) / 10}${unit}`
  }
  if (/cpu/.test(resource) && n > 0 && n < 10 && !Number.isInteger(n)) return `${Math.round(n * 10_000) / 10}m`
  return String(Math.round(n * 100) / 100)
}
