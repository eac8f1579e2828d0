import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { builtSources, type Manifest, readManifest, targets } from './manifest.ts';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const tsc = join(modules, 'typescript', 'bin', 'tsc');

/** Packages of others that become a part of ours: Node.js would load hundreds of their files at each start (docs/adr/0094). */
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
  const entries = commonJsEntries(manifest);
  for (const declarations of globSync('dist/**/*.d.ts')) {
    const text = readFileSync(declarations, 'utf8');
    writeFileSync(declarations, importing(text, '.js'));
    if (entries.length > 0) writeFileSync(declarations.replace(/\.ts$/, '.cts'), importing(text, '.cjs'));
  }
  for (const entry of entries) writeFileSync(entry, commonJsEntry(entry));
}

/** Other packages stay imports, so that each class has one copy, and each package of others its own updates. */
async function buildModules({ exports, imports, dependencies = {} }: Manifest): Promise<void> {
  const sources = [...builtSources(exports), ...builtSources(imports)];
  await bundle({
    input: Object.fromEntries(sources.map(({ source, built }) => [basename(built, '.js'), source])),
    directory: 'dist',
    home: process.cwd(),
    isExternal: (specifier) => !isPath(specifier) && !included.includes(packageOf(specifier)),
  });
  for (const name of included.filter((each) => each in dependencies)) {
    copyFileSync(join(modules, name, 'LICENSE'), join('dist', `${name}.LICENSE`));
  }
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier);
}

/** The name of the package in an import of it or of a part of it. */
function packageOf(specifier: string): string {
  return specifier.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, '$1');
}

function commonJsEntries({ exports }: Manifest): string[] {
  return targets(exports, 'require').filter((target) => target.endsWith('.cjs'));
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
