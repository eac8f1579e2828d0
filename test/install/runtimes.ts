import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builderProgram, serveBuilder } from '../support/builder-server.ts';

type Command = readonly [command: string, ...args: string[]];

/** The oldest Node.js that the builder supports, and the others that were maintained since. */
const nodes = ['18', '20', '22', '24'];

/** As `wrangler` bundles a Worker. */
const forWorkers = ['--bundle', '--platform=browser', '--conditions=workerd,worker,browser', '--format=esm'];

const tool = (name: string, ...args: string[]): Command => ['npx', '--no-install', name, ...args];

/**
 * Uses the builder in every runtime that npm can bring, with a real request: Node.js, Deno, Bun and the runtime of Cloudflare Workers.
 * Browsers: packages.slow.test.ts.
 * @param user the folder in which the builder and `loadEverywhere` have installed what they need
 * @param nodeFolder installs a version of Node.js
 * @returns the runtimes with their versions
 */
export async function useEverywhere(
  user: string,
  env: NodeJS.ProcessEnv,
  nodeFolder: (version: string) => string,
): Promise<string[]> {
  const run = async ([command, ...args]: Command) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: user, env });
    return stdout.trim();
  };
  const write = (file: string, text: string) => writeFileSync(join(user, file), text);
  await run(['npm', 'install', '--no-audit', '--no-fund', 'workerd@1']);
  await using server = await serveBuilder(join(user, 'node_modules', '@watchword', 'endpoint'));
  copyFileSync(builderProgram, join(user, 'use-builder.mjs'));
  write('builder.mjs', esModule);
  write('builder.cjs', commonJs);
  write('worker.mjs', worker);
  write('workerd.capnp', configurationOf(server.baseUrl));
  const used: string[] = [];
  for (const version of nodes) {
    const node = join(nodeFolder(version), 'node');
    for (const file of ['builder.mjs', 'builder.cjs']) await run([node, file, server.baseUrl]);
    used.push(`Node.js ${await run([node, '--version'])}`);
  }
  await run(tool('deno', 'run', '--allow-all', '--node-modules-dir=manual', 'builder.mjs', server.baseUrl));
  await run(tool('bun', 'builder.mjs', server.baseUrl));
  await run(tool('esbuild', 'worker.mjs', ...forWorkers, '--outfile=worker.js', '--log-level=error'));
  await run(tool('workerd', 'test', 'workerd.capnp'));
  for (const name of ['deno', 'bun', 'workerd']) {
    const [version = ''] = /\d[\d.-]*/.exec(await run(tool(name, '--version'))) ?? [];
    used.push(`${name} ${version}`);
  }
  return used;
}

const esModule = `import { useBuilder } from './use-builder.mjs';
await useBuilder(process.argv[2]);
`;

const commonJs = `const required = require('@watchword/endpoint');
import('@watchword/endpoint').then((imported) => {
  if (imported.EndpointError !== required.EndpointError) throw new Error('EndpointError is there twice');
});
`;

const worker = `import { useBuilder } from './use-builder.mjs';
export default { test: (_, { BASE }) => useBuilder(BASE) };
`;

const configurationOf = (base: string) => `using Workerd = import "/workerd/workerd.capnp";
const configuration :Workerd.Config = (
  services = [
    (name = "main", worker = .builder),
    (name = "loopback", network = (allow = ["local", "private"])),
  ],
);
const builder :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  bindings = [(name = "BASE", text = "${base}")],
  globalOutbound = "loopback",
);
`;
