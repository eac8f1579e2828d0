import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { digestOfChecked } from '../scripts/checked-files.ts';

async function checkout() {
  const directory = await temporaryDirectory();
  const root = directory.path;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('.gitignore', 'node_modules/\ndist/\n');
  write('src/a.ts', 'export const a = 1;\n');
  write('node_modules/.package-lock.json', '{}');
  write('node_modules/types/index.d.ts', 'export const b: 1;\n');
  const buildInfo = join(root, 'node_modules', '.cache', 'types.tsbuildinfo');
  write(
    'node_modules/.cache/types.tsbuildinfo',
    JSON.stringify({ fileNames: ['../types/index.d.ts'], missingPackageJsons: ['../types/package.json'] }),
  );
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return {
    root,
    write,
    digest: () => digestOfChecked(root, [buildInfo]),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('the digest of what lint and types depend on', () => {
  let project: Awaited<ReturnType<typeof checkout>>;
  before(async () => {
    project = await checkout();
  });
  after(() => project[Symbol.asyncDispose]());

  it('stays when files are only touched', async () => {
    const before = await project.digest();
    assert.match(String(before), /^[0-9a-f]{64}$/);
    utimesSync(join(project.root, 'src/a.ts'), new Date(0), new Date(0));
    assert.equal(await project.digest(), before);
  });

  for (const [what, path, text] of [
    ['the content of a file', 'src/a.ts', 'export const a = 2;\n'],
    ['a new file', 'src/b.ts', 'export const b = 1;\n'],
    ['code that git ignores', 'src/dist/b.ts', 'export const b = 1;\n'],
    ['what git ignores', '.gitignore', 'node_modules/\n'],
    ['a declaration that a compiler has read', 'node_modules/types/index.d.ts', 'export const b: 2;\n'],
    ['a manifest that a compiler has missed', 'node_modules/types/package.json', '{}'],
    ['the versions of packages', 'node_modules/.package-lock.json', '{ }'],
  ] as const) {
    it(`changes with ${what}, also at the same time and size`, async () => {
      const before = await project.digest();
      const { atime, mtime } = statSync(join(project.root, 'src/a.ts'));
      project.write(path, text);
      utimesSync(join(project.root, path), atime, mtime);
      assert.notEqual(await project.digest(), before);
    });
  }

  it('changes when a file goes', async () => {
    execFileSync('git', ['add', '.'], { cwd: project.root });
    const before = await project.digest();
    rmSync(join(project.root, 'src/a.ts'));
    assert.notEqual(await project.digest(), before);
  });

  it('is unknown before a compiler has run, and outside a checkout', async () => {
    assert.equal(await digestOfChecked(project.root, [join(project.root, 'none.tsbuildinfo')]), undefined);
    rmSync(join(project.root, '.git'), { recursive: true });
    assert.equal(await project.digest(), undefined);
  });
});
