import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Stories that open dozens of pages one after another, minutes each, run only with LONG=yes; the one of an hour only with MINUTES. */
const long = process.env.LONG ? [] : ['kill.spec.ts', 'rights.spec.ts', 'hostile.spec.ts']
const hour = process.env.MINUTES ? [] : ['hour.spec.ts']

/**
 * The browser: CHROMIUM, or the headless shell if it is installed. Without a window, Chromium itself still draws its toolbar, which takes as
 * long as the first look at one of our pages. Playwright's workers inherit the choice.
 */
const shell = '/usr/bin/chromium-headless-shell'
process.env.CHROMIUM ??= existsSync(shell) && !process.argv.includes('--headed') ? shell : '/usr/bin/chromium'

/** The tests in e2e; e2e/fixtures.ts says how to write one. */
export default defineConfig({
  testDir: 'e2e',
  testIgnore: [...long, ...hour],
  outputDir: 'e2e/results',
  forbidOnly: true,
  workers: 2,
  // Far more than anything takes: a timing never decides.
  timeout: process.env.LONG ? 900_000 : 180_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      chromiumSandbox: false,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--enable-precise-memory-info',
      ],
    },
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: process.env.TRACE ? 'on' : 'off',
  },
})
