import type { Page } from '@playwright/test'

/** mega prints bytes. */
export const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** used is what a page takes when what it no longer needs is thrown away. */
export async function used(page: Page): Promise<{ heap: number; nodes: number }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  await cdp.detach()
  const metric = (name: string) => metrics.find((m) => m.name === name)?.value ?? 0
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') }
}
