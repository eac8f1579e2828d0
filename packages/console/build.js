// Builds the files that the server serves below /client/ into dist. `npm ci` runs it as `prepare`, where it keeps
// quiet and never fails: without the GUI everything else still works, and the server says what is missing. `npm test`
// runs it as `--if-changed`, which builds nothing when nothing that goes into the files has changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const isPreparing = process.argv.includes('--prepare');
const root = import.meta.dirname;
const outDir = join(root, 'dist');
const checkout = join(root, '..', '..');
/** Holds the digest of what the files in `dist` were built from. */
const builtFrom = join(checkout, 'node_modules', '.cache', 'watchword', 'console-built-from');
/** What goes into them, from the root of the checkout; the lock file stands for all packages of others. */
const sources = [
  'package-lock.json',
  'packages/console/build.js',
  'packages/console/src',
  'packages/admin-client/src',
  'packages/endpoint/src',
  'packages/protocol/src/model/hidden-characters.ts',
  'packages/protocol/src/model/identifier.ts',
];

try {
  const digest = await digestOfSources();
  const isBuilt = existsSync(join(outDir, 'client.html')) && (await lastDigest()) === digest;
  if (!process.argv.includes('--if-changed') || !isBuilt) await build();
  await mkdir(dirname(builtFrom), { recursive: true });
  await writeFile(builtFrom, digest);
} catch (error) {
  if (!isPreparing) throw error;
  // Installed without development dependencies, there is nothing to build with, and what is published comes built.
  if (error.code !== 'ERR_MODULE_NOT_FOUND') {
    console.error(`The administration GUI could not be built: ${error.message}`);
    console.error('Everything else works. To try again: npm run build -w packages/console');
  }
}

async function build() {
  const vite = await import('vite');
  const { output } = await vite.build({
    configFile: false,
    root: join(root, 'src'),
    // Relative, so that the files work below whatever path the server has.
    base: './',
    logLevel: 'warn',
    clearScreen: false,
    resolve: { conditions: ['source', 'module', 'browser', 'production'], alias: preact() },
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir,
      emptyOutDir: true,
      // What light-dark() and :has() need.
      cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
      assetsDir: 'assets',
      // Data URLs would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: [join(root, 'src', 'client.html'), join(root, 'src', 'login-test.html')],
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: chunkOf(), debugName: 'pages' }],
          },
        },
        // What components say to servers that render them, of which there is none here.
        onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      },
    },
  });
  await namePreloaded(output);
  await compress();
}

/** What has React's interface in a tenth of its size. Paths, as the package of another version can stand beside an importer. */
function preact() {
  const at = (name) => fileURLToPath(import.meta.resolve(name));
  return [
    { find: /^react\/jsx-runtime$/, replacement: at('preact/jsx-runtime') },
    { find: /^react-dom\/client$/, replacement: at('preact/compat/client') },
    { find: /^react$/, replacement: at('preact/compat') },
  ];
}

/**
 * What the application needs before any page is one file, and what most pages need is another: a browser loads six files of a host at a time, and
 * the sign-in takes place beside them. What the script of the page has already is in neither.
 */
function chunkOf() {
  const known = new Map();
  return (id, context) => {
    const ofFile = (name) => {
      const found = known.get(name) ?? importedBy(join(root, 'src', name), context);
      known.set(name, found);
      return found;
    };
    if (ofFile('first.ts').has(id)) return 'first';
    if (ofFile('main.ts').has(id)) return null;
    if (ofFile('application.tsx').has(id)) return 'application';
    const pages = context.getModuleInfo(join(root, 'src', 'pages', 'parts.ts'))?.dynamicallyImportedIds ?? [];
    const users = pages.filter((page) => ofFile(relative(join(root, 'src'), page)).has(id));
    return users.length > 2 ? 'shared' : null;
  };
}

/** The modules that are loaded with this one. */
function importedBy(id, context) {
  const all = new Set([id]);
  // A set that grows is read to its end.
  for (const each of all)
    for (const imported of context.getModuleInfo(each)?.importedIds ?? []) all.add(imported);
  return all;
}

/** Names the first script before the other one in the page, and the files of the application for browsers that will need all of them at once. */
async function namePreloaded(output) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const named = (name) => [...chunks.values()].find((chunk) => chunk.name === name);
  const [application, first] = [named('application'), named('first')];
  const all = new Set([application.fileName]);
  for (const file of all) for (const imported of chunks.get(file).imports) all.add(imported);
  const page = join(outDir, 'client.html');
  const html = await readFile(page, 'utf8');
  const links = [
    ...[...application.viteMetadata.importedCss].map(
      (file) => `<link rel="preload" as="style" crossorigin href="./${file}">`,
    ),
    ...[...all]
      .filter((file) => !html.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="./${file}">`),
  ];
  await writeFile(
    page,
    html
      .replace(`<link rel="modulepreload" crossorigin href="./${first.fileName}">`, '')
      .replace('<script ', `<script type="module" crossorigin src="./${first.fileName}"></script>\n<script `)
      .replace('</head>', `<!--session ${links.join('\n')}-->\n</head>`),
  );
}

async function digestOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesOf(join(checkout, source))) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** The file itself, or all that are below a folder, in their order. */
async function filesOf(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function lastDigest() {
  return readFile(builtFrom, 'utf8').catch(() => undefined);
}

/** Puts compressed forms beside each file, so that the server never spends time on it. */
async function compress() {
  const names = await readdir(outDir, { recursive: true });
  const texts = names.filter((name) => /\.(?:js|css|svg)$/.test(name));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    texts.map(async (name) => {
      const file = join(outDir, name);
      const content = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
