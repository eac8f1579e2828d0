import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { linkDependencies } from './support/link-dependencies.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const published = ['endpoint', 'protocol', 'store-sql', 'admin-client', 'server', 'saml'];
const run = (file: string, args: string[], cwd: string) =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd });

describe('the published packages', () => {
  it('hold what they need: built from source and installed elsewhere, the command works', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-packages-'));
    try {
      const modules = join(directory, 'node_modules');
      await mkdir(join(modules, '@watchword'), { recursive: true });
      await linkDependencies(modules);
      for (const name of published) await install(name, join(modules, '@watchword', name));
      await installConsole(join(modules, '@watchword', 'console'));
      const bin = join(modules, '@watchword', 'server', 'bin', 'watchword.js');
      const { stdout } = await run(bin, ['migrate', '--database', 'x.db', '--json'], directory);
      assert.deepEqual(JSON.parse(stdout).pending, []);
      const created = await run(
        bin,
        ['resource-server', 'create', '--name', 'API', '--database', 'x.db'],
        directory,
      );
      assert.match(created.stdout, /^key +api$/m);
      assert.ok((await publishedConsole(join(modules, '@watchword', 'server'))) > 3);
      assert.match(
        await samlFaults(bin, directory),
        /authenticatorOptions\.identityProviders \(--authenticator-options\): expected/,
      );
      assert.match(await publishedPage(join(modules, '@watchword', 'server')), /<h1>Je bent uitgelogd<\/h1>/);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

/** What the add-on, found by its name, says of options that are missing. */
async function samlFaults(bin: string, directory: string): Promise<string> {
  try {
    await run(bin, ['serve', '--port', '0', '--authenticator', '@watchword/saml'], directory);
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
  return assert.fail('it started without an identity provider');
}

/** How many files of the GUI the installed server finds. */
async function publishedConsole(server: string): Promise<number> {
  const files = JSON.stringify(pathToFileURL(join(server, 'dist', 'console', 'files.js')));
  const script = `import { readConsoleFiles } from ${files}; console.log(readConsoleFiles()?.files.length);`;
  return Number(await runModule(script, server));
}

/** The GUI is published as it was built for this checkout. */
async function installConsole(target: string): Promise<void> {
  const source = join(root, 'packages', 'console');
  await mkdir(target, { recursive: true });
  await cp(join(source, 'package.json'), join(target, 'package.json'));
  await cp(join(source, 'dist'), join(target, 'dist'), { recursive: true });
}

/** A page of the package as installed, with its own templates, texts and stylesheet. */
async function publishedPage(server: string): Promise<string> {
  const pages = JSON.stringify(pathToFileURL(join(server, 'dist', 'pages', 'pages.js')));
  const script = `import { createPages } from ${pages};
    const pages = createPages({ productName: 'Watchword', pictureHosts: [], isHttps: true });
    const request = { acceptLanguage: 'nl', requestId: 'r', formTargets: [], prefix: '' };
    console.log(pages.render({ page: 'logged-out' }, request).html);`;
  return runModule(script, server);
}

/** What a module prints in a process that knows nothing of the sources. */
async function runModule(script: string, cwd: string): Promise<string> {
  return (await run('--input-type=module', ['-e', script], cwd)).stdout;
}

/** Builds a package and copies what `files` of its package.json publishes. */
async function install(name: string, target: string): Promise<void> {
  const source = join(root, 'packages', name);
  const { default: manifest } = await import(join(source, 'package.json'), { with: { type: 'json' } });
  await mkdir(target, { recursive: true });
  await cp(join(source, 'package.json'), join(target, 'package.json'));
  for (const entry of manifest.files as string[]) {
    if (entry !== 'dist') await cp(join(source, entry), join(target, entry), { recursive: true });
  }
  const outDir = ['--outDir', join(target, 'dist')];
  await run(tsc, ['-p', 'tsconfig.build.json', '--customConditions', 'source', ...outDir], source);
}
