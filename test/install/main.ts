// `npm run check:packages`: installs the packed packages from the registry in an empty folder, loads each, gets a token of the demo, and
// uses the builder in every runtime, and runs the examples of the test server.
// `-- --node 24` does so with another Node.js, `--tarballs FOLDER` with packages that are packed already, and `--sbom FILE` writes a list
// of everything that was installed, as CycloneDX.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnvironment, startProcess } from '@watchword/server-testkit/processes/process';
import { demoClient, postForm } from '@watchword/server-testkit/servers/server';
import { packPackages, publicPackages } from '../../scripts/public-packages.ts';
import { loadEverywhere } from './loaders.ts';
import { useEverywhere } from './runtimes.ts';
import { testWithServer } from './test-server.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const names = publicPackages(checkout);
const { values } = parseArgs({
  options: { node: { type: 'string' }, tarballs: { type: 'string' }, sbom: { type: 'string' } },
});
const temporary = mkdtempSync(join(tmpdir(), 'watchword-install-'));
/** The folder of a user, outside of the checkout, so that nothing of the checkout is found. */
const user = join(temporary, 'user');
try {
  const tarballs = values.tarballs === undefined ? await pack() : resolve(values.tarballs);
  const path = [nodeFolder(values.node), process.env.PATH].join(delimiter);
  // A user who has never installed one of the packages has none of them in a cache.
  const env = { ...cleanEnvironment(), PATH: path, npm_config_cache: join(temporary, 'cache') };
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: user, encoding: 'utf8', env, maxBuffer: 16 * 1024 * 1024 });
  mkdirSync(user);
  // `npm sbom` asks for a name and a version.
  writeFileSync(
    join(user, 'package.json'),
    JSON.stringify({ name: 'watchword', version: '0.0.0', private: true }),
  );
  const begin = performance.now();
  const files = globSync('watchword-*.tgz', { cwd: tarballs }).map((file) => join(tarballs, file));
  if (files.length !== names.length)
    throw new Error(`${tarballs}: expected ${names.length} packed packages, got ${files.length}`);
  run('npm', 'install', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved', ...files);
  const installed = performance.now();
  await firstToken(path);
  const done = performance.now();
  for (const name of names) load(name, run);
  console.log(`Node.js ${run('node', '--version').trim()}: ${names.length} packages installed and loaded.`);
  console.log(`install ${seconds(begin, installed)}, first token ${seconds(installed, done)} after that`);
  if (values.sbom !== undefined) writeFileSync(values.sbom, run('npm', 'sbom', '--sbom-format', 'cyclonedx'));
  // Only with the Node.js of today: the tools do not run on every older one.
  if (values.node === undefined) {
    console.log(`Every entry of the libraries loads: ${loadEverywhere(user, run).join(', ')}.`);
    console.log(`The test server works in ${(await testWithServer(user, run)).join(', ')}.`);
    const runtimes = await useEverywhere(user, env, nodeFolder);
    console.log(`The builder works in ${runtimes.join(', ')}.`);
  }
} finally {
  rmSync(temporary, { recursive: true });
}

async function pack(): Promise<string> {
  await packPackages(checkout, names, { destination: temporary });
  return temporary;
}

/** @param version as npm understands it; without it, the Node.js that runs this */
function nodeFolder(version: string | undefined): string {
  if (version === undefined) return dirname(process.execPath);
  const name = `node-${process.platform}-${process.arch}`;
  const flags = ['--no-audit', '--no-fund', '--no-save', '--prefix', temporary];
  execFileSync('npm', ['install', ...flags, `${name}@${version}`]);
  return join(temporary, 'node_modules', name, 'bin');
}

async function firstToken(path: string): Promise<void> {
  const inFolder = (command: readonly string[]) => [
    ...['env', '--chdir', user, `PATH=${path}`, 'npx', '--no-install', 'watchword'],
    ...command.slice(command.indexOf('serve')),
  ];
  await using server = await startProcess(['--demo', '--port', '0', '--database', 'demo.db'], inFolder);
  const grant = { grant_type: 'client_credentials' };
  const answer = await postForm(server.baseUrl, '/oauth2/token', grant, demoClient);
  if (answer.status !== 200) throw new Error(`expected a token of the demo, got status ${answer.status}`);
  await server.end('SIGTERM');
}

/** As an ES module and by `require`, where the package has an entry for programs. */
function load(name: string, run: (command: string, ...args: readonly string[]) => string): void {
  const folder = join(user, 'node_modules', '@watchword', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (exports['.'] === undefined) return;
  run('node', '--input-type=module', '--eval', `await import('@watchword/${name}')`);
  run('node', '--input-type=commonjs', '--eval', `require('@watchword/${name}')`);
}

function seconds(from: number, to: number): string {
  return `${((to - from) / 1000).toFixed(1)} s`;
}
