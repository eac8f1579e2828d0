import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a user of the libraries has beside them, in the folder where they are installed. */
const tools = [
  '@types/node@26',
  'bun@1',
  'deno@2',
  'esbuild@0.28',
  'jest@30',
  'typescript5@npm:typescript@5.9',
  'typescript@7',
  'vitest@4',
];
/** Frameworks of which an entry imports values; of others it imports types at most. */
const frameworks = [
  '@nestjs/common@11',
  '@nestjs/core@11',
  '@types/express@5',
  'express@5',
  'fastify@5',
  'hono@4',
  'reflect-metadata@0.2',
  'rxjs@7',
];
const libraries = ['admin-client', 'endpoint', 'resource-server'];

type Run = (command: string, ...args: readonly string[]) => string;

/**
 * Loads every entry of the libraries in every way that users load packages, and compares what two ways give in one process.
 * @param user the folder in which they are installed
 * @returns the names of the ways
 */
export function loadEverywhere(user: string, run: Run): string[] {
  const manifest = join(user, 'package.json');
  // npm runs no script of a package that is not named here.
  const allowScripts = { bun: true, deno: true, esbuild: true };
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), allowScripts }));
  run('npm', 'install', '--no-audit', '--no-fund', ...tools, ...frameworks);
  const programs = programsWith(libraries.flatMap((name) => entriesOf(user, name)));
  for (const [file, text] of Object.entries(programs)) writeFileSync(join(user, file), text);
  const failed = Object.entries(ways).flatMap(([way, commands]) => {
    try {
      for (const [command, ...args] of commands) run(command, ...args);
      return [];
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return [`${way}: ${error instanceof Error ? error.message : error}\n${stdout}${stderr}`];
    }
  });
  if (failed.length > 0) throw new Error(`expected every entry to load, got\n${failed.join('\n')}`);
  return Object.keys(ways);
}

/** Texts by the names of their files. */
function programsWith(entries: readonly string[]): Readonly<Record<string, string>> {
  const imports = entries.map((entry, index) => `import * as m${index} from '${entry}';`).join('\n');
  const modules = entries.map((_, index) => `m${index}`).join(', ');
  const requires = entries.map((entry) => `require('${entry}')`).join(', ');
  const dynamic = entries.map((entry) => `import('${entry}')`).join(', ');
  const check = `for (const one of all) if (Object.keys(one).length === 0) throw new Error('an entry without exports');`;
  const inTest = (list: string) =>
    `test('every entry loads', () => {\nconst all = [${list}];\n${check}\n});\n`;
  return {
    'all.mjs': `${imports}\nconst all = [${modules}];\n${check}\n`,
    'all.cjs': `const all = [${requires}];\n${check}\n`,
    'same.cjs': `const all = [${requires}];
Promise.all([${dynamic}]).then((modules) => modules.forEach((one, index) => {
  for (const [name, value] of Object.entries(all[index])) if (one[name] !== value) throw new Error(name + ' is there twice');
}));\n`,
    'jest.test.cjs': inTest(requires),
    'jest.config.json': '{ "testMatch": ["**/jest.test.cjs"] }',
    'vite.test.mjs': `import { test } from 'vitest';\n${imports}\n${inTest(modules)}`,
    'all.ts': `${imports}\nexport const all: readonly object[] = [${modules}];\n`,
  };
}

const tool = ['npx', '--no-install'] as const;

const ways: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  'ES modules': [['node', 'all.mjs']],
  CommonJS: [['node', 'all.cjs']],
  'both in one process': [['node', 'same.cjs']],
  Jest: [[...tool, 'jest', '--config', 'jest.config.json']],
  Vitest: [[...tool, 'vitest', 'run', '--dir', '.', 'vite.test.mjs']],
  'tsc nodenext': [compile('typescript', 'nodenext', 'nodenext', '--ignoreConfig')],
  'tsc bundler': [compile('typescript', 'esnext', 'bundler', '--ignoreConfig')],
  'tsc 5.9 nodenext': [compile('typescript5', 'nodenext', 'nodenext')],
  'tsc 5.9 node10': [compile('typescript5', 'commonjs', 'node10')],
  'esbuild for Node.js': [pack('node', 'cjs'), ['node', 'bundle.cjs']],
  'esbuild for browsers': [pack('browser', 'mjs'), ['node', 'bundle.mjs']],
  Deno: [[...tool, 'deno', 'run', '--allow-all', '--node-modules-dir=manual', 'all.mjs']],
  Bun: [[...tool, 'bun', 'all.mjs']],
};

function compile(
  compiler: string,
  module: string,
  resolution: string,
  ...more: string[]
): [string, ...string[]] {
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--types', 'node'];
  const how = ['--module', module, '--moduleResolution', resolution];
  return ['node', join('node_modules', compiler, 'bin', 'tsc'), ...flags, ...how, ...more, 'all.ts'];
}

function pack(platform: string, extension: string): [string, ...string[]] {
  const format = extension === 'cjs' ? 'cjs' : 'esm';
  const flags = ['--bundle', `--platform=${platform}`, `--format=${format}`, `--outfile=bundle.${extension}`];
  // NestJS asks for packages that few have, and no one bundles it.
  return [...tool, 'esbuild', 'all.mjs', ...flags, '--external:@nestjs/*', '--log-level=error'];
}

function entriesOf(user: string, name: string): string[] {
  const manifest = join(user, 'node_modules', '@watchword', name, 'package.json');
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => `@watchword/${name}${entry.slice(1)}`);
}
