import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { builtSources, type Manifest, nodeEntries, readManifest, targets } from './manifest.ts';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const tsc = join(modules, 'typescript', 'bin', 'tsc');

/**
 * Packages of others that become a part of ours, though they are dependencies: Node.js would load hundreds of their files at each start
 * (docs/adr/0094). What a package needs only in the checkout becomes a part of it too.
 */
const included = ['kysely'];

/**
 * Makes `dist/` of the package in the working directory: a file for each export and import of its own, their declarations, and
 * for each export that has a `require` condition what CommonJS needs beside it. It is made whole, so that nothing of an older build is left.
 */
export async function buildPackage(): Promise<void> {
  const manifest = readManifest();
  rmSync('dist', { recursive: true, force: true });
  await buildModules(manifest);
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly'], {
    stdio: 'inherit',
  });
  const entries = targets(manifest.exports, 'require').filter((target) => target.endsWith('.cjs'));
  for (const declarations of globSync('dist/**/*.d.ts')) {
    const text = readFileSync(declarations, 'utf8');
    writeFileSync(declarations, importing(text, '.js'));
    if (entries.length > 0) writeFileSync(declarations.replace(/\.ts$/, '.cts'), importing(text, '.cjs'));
  }
  if (nodeEntries(manifest.exports).length > 0) await buildCommonJs(manifest);
  else for (const entry of entries) writeFileSync(entry, commonJsEntry(entry));
}

/** Other packages stay imports, so that each class has one copy, and each package of others its own updates. */
async function buildModules(manifest: Manifest): Promise<void> {
  await bundle({
    input: inputs([...builtSources(manifest.exports), ...builtSources(manifest.imports)]),
    directory: 'dist',
    home: process.cwd(),
    isExternal: (specifier) => isOutside(manifest, specifier),
  });
  const { dependencies = {}, devDependencies = {} } = manifest;
  const within = [...included.filter((each) => each in dependencies), ...Object.keys(devDependencies)];
  for (const name of within.filter((each) => !each.startsWith('@watchword/'))) {
    const [license] = globSync('LICENSE*', { cwd: join(modules, name) });
    if (license === undefined) throw new Error(`${name}: expected a file LICENSE, to go with its code`);
    copyFileSync(join(modules, name, license), join('dist', `${name}.LICENSE`));
  }
}

/**
 * The package as CommonJS, and for Node.js ES modules that hand on what it exports: whichever way it is loaded, there is one class of each
 * error and one of each state. Loaders that know no `require` of ES modules, such as that of Jest, can load it (docs/adr/0107).
 */
async function buildCommonJs(manifest: Manifest): Promise<void> {
  const sources = builtSources(manifest.exports);
  const common = { directory: 'dist', home: process.cwd() };
  const exported = await bundle({
    ...common,
    input: inputs(sources),
    commonJs: true,
    isExternal: (specifier) => isOutside(manifest, specifier),
  });
  for (const { source, entry, module } of nodeEntries(manifest.exports)) {
    if (source === undefined) writeFileSync(module, handingOn(basename(entry), exported));
    else await bundleForNode(source, module);
  }

  /** A source for Node.js imports sources of other entries alone. */
  async function bundleForNode(source: string, module: string): Promise<void> {
    const { rolldown } = await import('rolldown');
    const build = await rolldown({
      input: source,
      external: (_, from) => from !== undefined,
      logLevel: 'silent',
    });
    await build.write({ file: module, format: 'esm', paths: (id) => commonJsOf(id) });
    await build.close();
  }

  function commonJsOf(id: string): string {
    const found = sources.find(({ source }) => resolve(source) === resolve('src', id));
    return found === undefined ? id : `./${basename(found.built, '.js')}.cjs`;
  }
}

/** What a bundle imports: all other packages, but for those that are a part of this one, which may import it by its name. */
function isOutside({ name: own, devDependencies = {} }: Manifest, specifier: string): boolean {
  const name = packageOf(specifier);
  return !isPath(specifier) && name !== own && !included.includes(name) && !(name in devDependencies);
}

function inputs(sources: ReturnType<typeof builtSources>): Record<string, string> {
  return Object.fromEntries(sources.map(({ source, built }) => [basename(built, '.js'), source]));
}

function handingOn(file: string, exported: ReadonlyMap<string, readonly string[]>): string {
  const names = exported.get(file) ?? [];
  return `import all from './${file}';\nexport const { ${names.join(', ')} } = all;\n`;
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier);
}

/** The name of the package in an import of it or of a part of it. */
function packageOf(specifier: string): string {
  return specifier.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, '$1');
}

/**
 * Hands on what the ES module exports, and holds no second copy of it: whichever way a package is loaded, there is one class
 * of each error and one of each state. Node.js can do this from 20.19 and 22.12 on.
 */
function commonJsEntry(entry: string): string {
  const module = entry.replace(/^.*\/(.*)\.cjs$/, './$1.js');
  return `'use strict';\nObject.assign(exports, require('${module}'));\n`;
}

/** The compiler leaves the names of source files in the imports of declarations. */
function importing(declarations: string, extension: string): string {
  return declarations.replaceAll(
    /(?<=\b(?:from|import|module)[ (]['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g,
    extension,
  );
}

if (import.meta.main) await buildPackage();
