import { defineConfig } from '@playwright/test'
import tests from './playwright.config'

/** What `make pictures` runs: the scenes of the pictures in the documents, which are no tests. */
export default defineConfig(tests, { testMatch: '*.picture.ts', workers: 1, use: { viewport: { width: 1200, height: 750 } } })
