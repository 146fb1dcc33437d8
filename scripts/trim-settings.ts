import type { Plugin } from 'vite';

/** What conf loads for options that nobody sets here: a JSON schema of the settings, and migrations by version. */
const unused = new Set(['ajv/dist/2020.js', 'ajv-formats', 'semver']);
const prefix = '\0countersign:unused:';

/**
 * Builds conf, which keeps the settings, without what only its options `schema` and `migrations` need: two thirds of a
 * megabyte that each start read. Whoever sets one of the two is told.
 */
export function trimSettings(): Plugin {
  return {
    name: 'countersign:trim-settings',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      unused.has(id) && importer?.includes('/node_modules/conf/') === true ? prefix + id : null,
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      return `const fail = () => { throw new Error('${name} is left out of the build: conf is used without schema and migrations.'); };
        const left = new Proxy(class {}, { apply: fail, construct: fail, get: fail });
        export { left as Ajv2020, left as default };`;
    },
  };
}
