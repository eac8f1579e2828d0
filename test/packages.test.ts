import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { builtSources, files, type Manifest, publishedManifest } from '../scripts/manifest.ts';
import { publicPackages } from '../scripts/public-packages.ts';
import { manifestProblems } from '../scripts/release/manifest-problems.ts';
import { repository } from '../scripts/repository.ts';
import { blocks } from './support/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
const { version } = manifestOf('server') as { version?: string };
const env = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'organization/watchword' };

/** What a build makes, and whether it has done so here. */
const isBuilt = (file: string) => /^dist(?:\/|$)/.test(file);

/** The files of the package, as far as the checkout and the manifest name them. Packing puts the licence beside them. */
function packedFiles(folder: string, manifest: Manifest): string[] {
  const kept = ((manifest.files ?? []) as readonly string[]).filter((entry) => !isBuilt(entry));
  const found = globSync(['README.md', ...kept, ...kept.map((entry) => `${entry}/**/*`)], { cwd: folder });
  const named = [...files(manifest.exports), ...files(manifest.imports)].map((file) => file.slice(2));
  return [
    'package.json',
    'LICENSE',
    ...found.map((file) => file.replaceAll('\\', '/')),
    ...named.filter(isBuilt),
  ];
}

/** @param source a file of the package, or another package that becomes a part of it */
function placeOf(source: string, folder: string): string {
  return source.startsWith('.') ? join(folder, source) : fileURLToPath(import.meta.resolve(source));
}

// packages.slow.test.ts packs them.
describe('the packages to publish', () => {
  for (const name of publicPackages(root)) {
    const folder = join(root, 'packages', name);
    const manifest = manifestOf(name);

    it(`${name}: has every field of a published package, a README, and the files that its manifest names, and no other`, () => {
      const home = repository(env, `packages/${name}`);
      const published = publishedManifest(manifest, home);
      const expected = { name: `@watchword/${name}`, version: version ?? '', repository: home };
      assert.deepEqual(manifestProblems(published, packedFiles(folder, published), expected), []);
    });

    it(`${name}: is built from sources that exist`, () => {
      const sources = [manifest.exports, manifest.imports].flatMap(builtSources).map(({ source }) => source);
      assert.deepEqual(
        sources.filter((source) => !existsSync(placeOf(source, folder))),
        [],
      );
    });
  }

  it('are those that the deployment guide packs, as far as the server needs them', () => {
    const guide = readFileSync(join(root, 'docs/guides/deployment.md'), 'utf8');
    const command = blocks('sh', guide).find((block) => block.includes('npm pack ')) ?? '';
    const packed = [...command.matchAll(/-w packages\/(\S+)/g)].map(([, name = '']) => name);
    const needed = new Set(['server']);
    for (const name of needed) {
      for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
        if (dependency.startsWith('@watchword/')) needed.add(dependency.slice('@watchword/'.length));
      }
    }
    assert.deepEqual(packed.toSorted(), [...needed].toSorted());
  });

  it('are not packed into a folder that does not exist, and the checkout stays as it is', async () => {
    await using directory = await temporaryDirectory();
    const manifest = directory.file('package.json');
    await writeFile(manifest, '{"name":"@watchword/example"}');
    const prepack = spawnSync(process.execPath, [join(root, 'scripts/prepack.ts')], {
      cwd: directory.path,
      env: { ...process.env, INIT_CWD: directory.path, npm_config_pack_destination: 'nowhere' },
      encoding: 'utf8',
    });
    assert.match(prepack.stderr, /names a folder that does not exist: nowhere\. Make it first/);
    assert.equal(readFileSync(manifest, 'utf8'), '{"name":"@watchword/example"}');
  });

  it('have their package.json back when npm ends early, as after Ctrl-C', async () => {
    await using directory = await temporaryDirectory();
    const manifest = directory.file('package.json');
    const unpacked = '{"name":"@watchword/example","scripts":{"prepack":"x"}}';
    await writeFile(manifest, unpacked);
    // A process with the name that npm has, which runs the script by a shell, and is killed before it packs.
    const script = `'${process.execPath}' '${join(root, 'scripts/prepack.ts')}' && true`;
    const npm = `process.title = 'npm pack';
      const { stderr } = require('node:child_process').spawnSync('sh', ['-c', process.argv[1]], { encoding: 'utf8' });
      require('node:fs').writeSync(1, stderr + require('node:fs').readFileSync('package.json', 'utf8'));
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout, signal } = spawnSync(process.execPath, ['-e', npm, script], {
      cwd: directory.path,
      env: { ...process.env, INIT_CWD: directory.path, npm_config_pack_destination: '.' },
      encoding: 'utf8',
    });
    assert.equal(signal, 'SIGKILL');
    assert.doesNotMatch(stdout, /scripts/);
    await until(() => readFileSync(manifest, 'utf8') === unpacked);
    await until(() => !existsSync(directory.file('LICENSE')));
  });

  it('of the server has every package of its command, which is a part of it', () => {
    const { dependencies = {} } = manifestOf('server');
    const needed = ['cli', 'doctor'].flatMap((name) => Object.entries(manifestOf(name).dependencies ?? {}));
    const others = needed.filter(([name]) => !name.startsWith('@watchword/'));
    assert.ok(others.length > 0);
    for (const [name, version] of others) assert.equal(dependencies[name], version, name);
  });
});
