import type { Plugin } from 'vite';

const builtinImport =
  /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{ ([^}]+) \})? ?from "(node:[\w/]+)";$/gm;

/**
 * Takes Node's own modules by `process.getBuiltinModule` in what is built, where the source imports them.
 *
 * For an import Node reads every export of the module at once, and with it loads what only a few of them need
 * (`crypto` brings all of Web Crypto, `http` in newer versions a whole client): a part of each start, of each worker.
 */
export function takeBuiltins(): Plugin {
  return {
    name: 'countersign:take-builtins',
    renderChunk: (code) => ({ code: code.replace(builtinImport, takeOne), map: null }),
  };
}

// Of `globalThis`: what is imported may be called `process` itself.
function takeOne(_line: string, whole = '', star = '', named = '', id = ''): string {
  return [whole, star, named && `{ ${named.replaceAll(' as ', ': ')} }`]
    .filter(Boolean)
    .map((names) => `const ${names} = globalThis.process.getBuiltinModule("${id}");`)
    .join(' ');
}
