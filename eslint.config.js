import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Who may import whom (design: layers). Each row: files in `target` may not import from `from`. */
const layers = [
  { target: './shared', from: ['./electron', './renderer', './test'] },
  {
    target: ['./electron/services', './electron/sandbox'],
    from: [
      './electron/main',
      './electron/web',
      './electron/cli',
      './electron/preload',
      './renderer',
      './test',
    ],
  },
  {
    target: './electron/sandbox',
    from: ['./electron/services', './electron/lens', './electron/listener', './electron/workers'],
  },
  {
    target: './electron/lens',
    from: [
      './electron/main',
      './electron/web',
      './electron/cli',
      './electron/preload',
      './electron/services',
      './electron/workers',
      './renderer',
      './test',
    ],
  },
  {
    target: './electron/listener',
    from: [
      './electron/main',
      './electron/web',
      './electron/cli',
      './electron/preload',
      './electron/services',
      './electron/sandbox',
      './electron/workers',
      './renderer',
      './test',
    ],
  },
  {
    target: './electron/workers',
    from: [
      './electron/main',
      './electron/web',
      './electron/cli',
      './electron/preload',
      './electron/services',
      './renderer',
      './test',
    ],
  },
  {
    target: './electron/platform',
    from: [
      './electron/main',
      './electron/web',
      './electron/cli',
      './electron/preload',
      './electron/services',
      './electron/sandbox',
      './renderer',
      './test',
    ],
  },
  { target: ['./electron/main', './electron/web', './electron/cli'], from: ['./renderer', './test'] },
  { target: './electron/main', from: ['./electron/cli'] },
  { target: ['./electron/web', './electron/cli'], from: ['./electron/main', './electron/preload'] },
  {
    target: './electron/preload',
    from: ['./electron', './shared', './renderer', './test'],
    except: ['preload', 'contract'],
  },
  { target: './renderer', from: ['./electron', './test'] },
  {
    target: './renderer/ui',
    from: [
      './renderer/features',
      './renderer/panels',
      './renderer/app',
      './renderer/session',
      './renderer/transport',
    ],
  },
  {
    target: './renderer/transport',
    from: [
      './renderer/features',
      './renderer/panels',
      './renderer/app',
      './renderer/ui',
      './renderer/session',
    ],
  },
  {
    target: './renderer/session',
    from: ['./renderer/features', './renderer/panels', './renderer/app', './renderer/ui'],
  },
  { target: './renderer/features', from: './renderer/app' },
  { target: './renderer/panels', from: ['./renderer/features', './renderer/app'] },
];

const features = readdirSync(new URL('renderer/features', import.meta.url));
const featureZones = features.map((feature) => ({
  target: `./renderer/features/${feature}`,
  from: './renderer/features',
  except: [`./${feature}`],
}));

const zones = [
  ...layers.flatMap(({ target, from, except }) =>
    [target].flat().flatMap((one) =>
      [from].flat().map((source) => ({
        target: one,
        from: source,
        ...(except && source === './electron' ? { except: ['./preload'] } : {}),
        ...(except && source === './shared' ? { except: ['./contract'] } : {}),
      })),
    ),
  ),
  ...featureZones,
];

const noElectron = { name: 'electron', message: 'Only electron/main and electron/preload know Electron.' };
const noEngineFlags = {
  name: 'node:v8',
  importNames: ['setFlagsFromString'],
  message:
    'V8 writes to stderr of a flag that it does not know: setEngineFlag of electron/platform knows which it has.',
};

/** A variable, a header or a column may be called `__proto__`: both of these lose it without a word. */
const namesOfOthers = [
  {
    selector: "CallExpression[callee.object.name='z'][callee.property.name='record']",
    message: 'It leaves `__proto__` out without a word: namedValues keeps every name.',
  },
  {
    selector:
      "VariableDeclarator[id.typeAnnotation.typeAnnotation.typeName.name='Record'][init.type='ObjectExpression'][init.properties.length=0]",
    message: 'Names that somebody else chose go astray in {}: createRecord keeps every one.',
  },
];

const patternMessage =
  'What is put in may hold `$&`, which stands for what was to go: give a function that returns it.';
/** Of a text that may be anything. */
const halfCharacters = {
  selector: "Identifier[name='encodeURIComponent']",
  message: 'It throws where half of a surrogate pair stands: encodeForUrl takes any text.',
};

/** A secret that ends in `$&` would come back whole with its own mask. */
const replacements = [
  {
    selector:
      'CallExpression[callee.property.name=/^replace(All)?$/][arguments.1.type=/^(?:Call|Member|Binary|Conditional|Logical|TSNonNull|Await)Expression$/]',
    message: patternMessage,
  },
  {
    selector:
      "CallExpression[callee.property.name=/^replace(All)?$/][arguments.1.type='TemplateLiteral'][arguments.1.expressions.length>0]",
    message: patternMessage,
  },
];

export default tseslint.config(
  {
    ignores: [
      'out/**',
      'dist/**',
      'node_modules/**',
      'test-results/**',
      'gallery/**',
      '.stryker-tmp/**',
      'docs/.vitepress/{cache,dist}/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  prettier,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: ['tsconfig.base.json'] })],
    },
    languageOptions: { globals: globals.node },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'error',
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'no-restricted-imports': ['error', { paths: [noElectron, noEngineFlags] }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      // oxlint's, as those about React: it takes a second for what takes ESLint a minute. See .oxlintrc.json.
      '@typescript-eslint/no-unused-vars': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
    },
  },
  {
    files: ['shared/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['node:*', 'electron', 'react*', 'libsql'],
              message: 'shared/ knows no Node, no DOM, no Electron.',
            },
          ],
        },
      ],
    },
  },
  {
    // Tests may take what test/support has; everything else holds for them, too.
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: zones.filter(({ from }) => from !== './test') }],
    },
  },
  {
    files: ['electron/main/**', 'electron/preload/**'],
    rules: { 'no-restricted-imports': ['error', { paths: [noEngineFlags] }] },
  },
  {
    files: ['{shared,electron}/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...namesOfOthers, ...replacements, halfCharacters] },
  },
  {
    files: ['electron/{cli,services}/**/*.ts'],
    ignores: ['**/*.test.ts', 'electron/services/vault/vault-file.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...namesOfOthers,
        ...replacements,
        {
          selector: "CallExpression[callee.name='statSync'] Property[key.name='throwIfNoEntry']",
          message:
            'It throws at links in a circle and at names too long: findStats gives undefined for these.',
        },
      ],
    },
  },
  {
    files: ['renderer/**'],
    languageOptions: { globals: globals.browser },
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'requestIdleCallback', message: 'Safari has none: whenIdle does without it there.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            noElectron,
            {
              name: 'react',
              importNames: ['lazy', 'Suspense'],
              message:
                'React keeps a fallback for 300 ms: `later` of ui/ draws the part as soon as it is there.',
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...namesOfOthers,
        ...replacements,
        halfCharacters,
        {
          selector:
            ":matches(ConditionalExpression, LogicalExpression) > JSXElement > JSXOpeningElement > JSXAttribute[name.name='role'][value.value='status']",
          message:
            'A screen reader does not tell of a region that comes with its words: it is there before, with `tones.told`.',
        },
        {
          selector: "JSXOpeningElement[name.name='bdi']",
          message: 'Isolating is half of it: ForeignText shows marks of direction as marks, too.',
        },
        {
          selector:
            ":matches(JSXElement, JSXFragment) > JSXExpressionContainer CallExpression[callee.name='showControls'][arguments.0.type=/Identifier|MemberExpression/]",
          message: 'A text from elsewhere may take minutes to lay out: ForeignText draws the beginning.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^on[A-Z]/] > JSXExpressionContainer > ArrowFunctionExpression > ArrowFunctionExpression.body',
          message: 'This gives a function back to nobody: the control would do nothing.',
        },
        {
          selector:
            'ExpressionStatement > CallExpression[callee.property.name=/^(?:addAction|addCommand|register[A-Z]\\w*Provider)$/]:not(Program > ExpressionStatement > CallExpression)',
          message:
            'The editor keeps it, and with it the view that was left: dispose of what addAction gives back.',
        },
      ],
    },
  },
  { files: ['renderer/ui/when-idle.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    // What tools load by its default.
    files: ['**/*.config.{js,ts}', 'docs/.vitepress/config.ts', 'docs/.vitepress/theme/index.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  { files: ['scripts/**', 'electron/cli/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    files: ['{shared,electron,renderer}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 20],
    },
  },
  {
    // Texts of others are long where somebody means harm: no pattern takes the square of a text's length.
    files: ['{shared,electron,renderer}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    files: ['{shared,electron}/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name='toBeLessThan'] CallExpression[callee.name='expect'] > BinaryExpression[operator='-'] > CallExpression[callee.object.name=/^(?:performance|Date)$/]",
          message:
            'This also counts what the machine did for others: countProcessorMs limits the work itself.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['**/*.test.ts', 'test/support/end-with-file.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Program > ExpressionStatement > CallExpression[callee.name=/^(?:before|after)(?:All|Each)$/]',
          message:
            'Files of one process share this module: the first alone would be served. end-with-file.ts is run for each.',
        },
      ],
    },
  },
  {
    // Scripts of exports: other programs run them, joined to one text.
    files: ['shared/export/**/*.js'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-require-imports': 'off',
      'no-restricted-imports': 'off',
    },
  },
  { files: ['shared/payments/tables/**'], rules: { 'max-lines': 'off' } },
);
