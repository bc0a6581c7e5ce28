import type { Locator } from '@playwright/test'

/** paste replaces the text of an editor. */
export async function paste(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a')
  await editor.press('Delete')
  await editor.evaluate((content, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}
