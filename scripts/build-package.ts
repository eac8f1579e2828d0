import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Manifest, readManifest, targets } from './manifest.ts';

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/**
 * Makes `dist/` of the package in the working directory: ES modules, and for each export that has a `require` condition
 * what CommonJS needs beside it. It is made whole, so that nothing of an older build is left.
 */
export function buildPackage(): void {
  rmSync('dist', { recursive: true, force: true });
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  const entries = commonJsEntries(readManifest());
  for (const declarations of globSync('dist/**/*.d.ts')) {
    const text = readFileSync(declarations, 'utf8');
    writeFileSync(declarations, importing(text, '.js'));
    if (entries.length > 0) writeFileSync(declarations.replace(/\.ts$/, '.cts'), importing(text, '.cjs'));
  }
  for (const entry of entries) writeFileSync(entry, commonJsEntry(entry));
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

if (import.meta.main) buildPackage();
