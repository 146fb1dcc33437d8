import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { takeBuiltins } from './scripts/take-builtins';
import { trimEditor } from './scripts/trim-editor';

const alias = { '@shared': resolve(import.meta.dirname, 'shared') };
const at = (path: string): string => resolve(import.meta.dirname, path);

/**
 * What `countersign sandbox` and `countersign listen` both load before their first answer. One file: to find, read and
 * link a module costs a millisecond, whatever is in it.
 */
const startModules = new RegExp(
  [
    '/electron/platform/(?:database/.*|event-bus|files/(?:data-directory|files)|given|logger|node-ports)\\.ts$',
    '/electron/platform/(?:files/memory-settings|http/listen-on|redact|sortable-id)\\.ts$',
    '/electron/platform/workers/(?:find-worker|worker-rpc)\\.ts$',
    '/electron/services/(?:capabilities|create-services|method-owners)\\.ts$',
    '/electron/cli/(?:command|open-services|usage-error|read-keys)\\.ts$',
    '/shared/(?:errors|json/.*|payments/.*|signing/(?:signed-fields|string-to-sign))\\.ts$',
    'rolldown/runtime',
  ].join('|'),
);

/**
 * One build for everything that runs on Node (desktop main process, command line, workers), so that they
 * share chunks. Each entry and each chunk lies one folder below `out`: `new URL('../workers/x.js',
 * import.meta.url)` holds from all of them.
 */
export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [takeBuiltins()],
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
          'workers/signatures': at('electron/workers/signatures.ts'),
          'workers/rescue': at('electron/workers/rescue.ts'),
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          format: 'es',
          advancedChunks: { groups: [{ name: 'start', test: startModules }] },
        },
      },
    },
  },
  preload: {
    resolve: { alias },
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
    plugins: [react(), trimEditor()],
    build: {
      outDir: at('out/renderer'),
      target: 'chrome130',
      minify: true,
      rollupOptions: { input: { index: at('renderer/index.html') } },
    },
  },
});
