import { defineConfig } from '@playwright/test'

/** Stories that open dozens of pages one after another, minutes each, run only with LONG=yes; the one of an hour only with MINUTES. */
const long = process.env.LONG ? [] : ['kill.spec.ts', 'rights.spec.ts', 'hostile.spec.ts']
const hour = process.env.MINUTES ? [] : ['hour.spec.ts']

/** The tests in e2e, with the Chromium of this machine; e2e/fixtures.ts says how to write one. */
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
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
