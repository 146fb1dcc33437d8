import { resolve } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { groupFirstView } from './scripts/group-first-view';
import { namePackages } from './scripts/name-packages';
import { takeBuiltins } from './scripts/take-builtins';
import { trimEditor } from './scripts/trim-editor';
import { trimSettings } from './scripts/trim-settings';
import { writeNarrow } from './scripts/write-narrow';

const alias = { '@shared': resolve(import.meta.dirname, 'shared') };
const at = (path: string): string => resolve(import.meta.dirname, path);

/**
 * What `countersign sandbox` and `countersign listen` both load before their first answer. Few files: to find, read and
 * link a module costs a millisecond, whatever is in it.
 */
const startModules = new RegExp(
  [
    '/electron/platform/(?:coalesce|create-turns|database/.*|engine-flags|event-bus|files/(?:data-directory|files|regular-file)|given|keep-heap-small|let-go-of-terminals|logger|node-ports)\\.ts$',
    '/electron/platform/(?:files/(?:memory-settings|process-lock)|http/(?:call-target|http-errors|listen-on|request-headers)|http1/.*|redact|sortable-id)\\.ts$',
    '/electron/platform/(?:mask-known-secrets|mask-message|crypto/(?:rsa-signatures|sealed-frame|standard-webhooks))\\.ts$',
    '/electron/platform/workers/(?:find-worker|worker-rpc)\\.ts$',
    '/electron/sandbox/(?:admission/read-public-key|sandbox-options)\\.ts$',
    '/electron/services/(?:capabilities|create-services|method-owners)\\.ts$',
    '/electron/cli/(?:command|live-lines|network-options|open-services|remark|usage-error|read-keys|status-option)\\.ts$',
    '/shared/(?:errors|escape-html|find-close-word|find-header|http-file/(?:find-conflicts|http-lines)|plain-text|joined-errors|json/.*|mask-secrets|round-ms|payments/.*|signing/(?:signed-fields|string-to-sign))\\.ts$',
    'rolldown/runtime',
  ].join('|'),
);

/** What a command loads that sends requests, `run` before all, with what these load in turn: one file more. */
const sendModules = new RegExp(
  [
    '/electron/cli/(?:commands/run|run/run-session|run/terminal)\\.ts$',
    '/electron/platform/(?:http/http-client|optimize-later)\\.ts$',
    '/electron/services/running/(?:create-running-service|load-requests)\\.ts$',
    '/electron/services/(?:balances|environments|lookups|sending|settings|tokens|vault)/create-\\w+-service\\.ts$',
    '/electron/services/(?:collections/collection-registry|environments/routed-http|history/create-unkept-history|signing/given-key)\\.ts$',
  ].join('|'),
);

const nameFirst = groupFirstView(at('renderer/main.tsx'), at('renderer/features/requests/requests-view.tsx'));

/**
 * One build for everything that runs on Node (desktop main process, command line, workers), so that they
 * share chunks. Each entry and each chunk lies one folder below `out`: `new URL('../workers/x.js',
 * import.meta.url)` holds from all of them.
 */
export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [takeBuiltins(), trimSettings(), writeNarrow(), namePackages()],
    build: {
      outDir: 'out',
      target: 'node20.18',
      minify: false,
      sourcemap: false,
      rollupOptions: {
        input: {
          'main/index': at('electron/main/index.ts'),
          'cli/index': at('electron/cli/index.ts'),
          'workers/sandbox': at('electron/workers/sandbox.ts'),
          'workers/listener': at('electron/workers/listener.ts'),
          'workers/doctor': at('electron/workers/doctor.ts'),
          'workers/proxy': at('electron/workers/proxy.ts'),
          'workers/exchanges': at('electron/workers/exchanges.ts'),
          'workers/answers': at('electron/workers/answers.ts'),
          'workers/imports': at('electron/workers/imports.ts'),
          'workers/inspector': at('electron/workers/inspector.ts'),
          'workers/signatures': at('electron/workers/signatures.ts'),
          'workers/rescue': at('electron/workers/rescue.ts'),
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          format: 'es',
          // V8 keeps the text of what it runs, and reads it at each start. Lines, and names of functions and classes, stay: a stack tells them.
          comments: { jsdoc: false },
          minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
          codeSplitting: {
            // What each of the two loads beside that is one more file. The limits of size: the C library keeps as much of what was
            // freed, in each of its arenas, as the largest file that was read; with the start in one the app at rest took 3 MB more.
            groups: [
              { name: 'start', test: startModules, priority: 2, minSize: 150_000, maxSize: 200_000 },
              {
                name: 'listen',
                test: /\/electron\/(?:listener\/create-listener|cli\/open-listener|cli\/commands\/listen)\.ts$/,
                priority: 1,
              },
              {
                name: 'serve',
                test: /\/electron\/(?:sandbox\/create-sandbox|cli\/commands\/sandbox)\.ts$/,
                priority: 1,
              },
              { name: 'send', test: sendModules, priority: 0, minSize: 200_000, maxSize: 300_000 },
            ],
          },
        },
      },
    },
  },
  preload: {
    resolve: { alias },
    plugins: [namePackages()],
    build: {
      outDir: 'out/preload',
      target: 'node20.18',
      rollupOptions: {
        input: { index: at('electron/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    resolve: { alias },
    // The window speaks English alone.
    plugins: [
      react(),
      optimizeLocales.vite({ locales: ['en-US'] }),
      trimEditor(),
      writeNarrow(),
      namePackages(),
    ],
    worker: { plugins: () => [writeNarrow(), namePackages()] },
    build: {
      outDir: at('out/renderer'),
      target: 'chrome130',
      minify: true,
      // Of what comes on demand only styles are named ahead: the names of its scripts weighed 3 kB before the first view.
      modulePreload: {
        resolveDependencies: (_url, files) => files.filter((name) => name.endsWith('.css')),
      },
      // The editor's; it is loaded when one is opened.
      chunkSizeWarningLimit: 2200,
      rollupOptions: {
        input: { index: at('renderer/index.html') },
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: nameFirst, debugName: 'first view' }],
          },
        },
      },
    },
  },
});
