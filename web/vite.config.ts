import { defineConfig } from 'vitest/config'

// Where a running Rowlock is found while one works on the dashboard: npm run dev.
const rowlock = process.env.ROWLOCK ?? 'http://127.0.0.1:8080'

export default defineConfig({
  // Relative, as the dashboard of a fork is served below /forks/NAME/ui/.
  base: './',
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a data: URL in a style sheet is one more thing that the policy would have to allow
    modulePreload: { polyfill: false }, // it would be an inline script
    // What every page loads is one file, which takes fewer requests and compresses better.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/apis', '/rowlock', '/version', '/openapi'].map((p) => [
        p,
        { target: rowlock, changeOrigin: true, headers: { Origin: rowlock } },
      ]),
    ),
  },
  // Far more than anything takes: a timing never decides.
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node', pool: 'threads', testTimeout: 60_000, hookTimeout: 60_000 },
})
