// Builds the files that the server serves below /client/ into dist. `npm ci` runs it as `prepare`, where it keeps
// quiet and never fails: without the GUI everything else still works, and the server says what is missing.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const isPreparing = process.argv.includes('--prepare');
const root = import.meta.dirname;
const outDir = join(root, 'dist');

try {
  await build();
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
  await vite.build({
    configFile: false,
    root: join(root, 'src'),
    // Relative, so that the files work below whatever path the server has.
    base: './',
    logLevel: 'warn',
    clearScreen: false,
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
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
        input: join(root, 'src', 'client.html'),
        // What components say to servers that render them, of which there is none here.
        onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      },
    },
  });
  await compress();
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
