import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { billOfMaterials } from '../../scripts/release/bill-of-materials.ts';
import {
  bundledDependencies,
  installedDependencies,
  licenceProblems,
} from '../../scripts/release/licences.ts';
import { readinessProblems } from '../../scripts/release/readiness.ts';
import { writeReleaseFiles } from '../../scripts/release/release-files.ts';
import { signRelease } from '../../scripts/release/signatures.ts';
import { blocks, section } from '../support/markdown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const [verification = ''] = blocks('sh', section('Verify a release', read('docs/upgrading.md')));
const isMissing = ['ssh-keygen', 'sha256sum', 'sh'].some(
  (tool) => spawnSync(tool, ['-?']).error !== undefined,
);
const why = isMissing ? 'ssh-keygen, sha256sum or sh is not on this machine' : false;

describe('the files of a release', { skip: why }, () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    for (const name of ['key', 'other'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', directory.file(name)]);
    const signer = `release namespaces="watchword-release" ${readFileSync(directory.file('key.pub'), 'utf8')}`;
    writeFileSync(directory.file('signers'), read('deploy/allowed_signers') + signer);
  });
  after(() => directory[Symbol.asyncDispose]());

  /** A release in a folder of its own, as a user has it. */
  function release(name: string, key: string | undefined): string {
    const folder = directory.file(name);
    mkdirSync(folder);
    writeFileSync(`${folder}/watchword-server-1.1.0.tgz`, 'packed');
    const [notes, signers] = ['## [1.1.0] - 2027-01-31\n', directory.file('signers')];
    writeReleaseFiles({ folder, version: '1.1.0', notes, bill: '{}' });
    if (key !== undefined) signRelease(folder, key, signers);
    cpSync(signers, `${folder}/allowed_signers`);
    return folder;
  }

  const verify = (folder: string) =>
    spawnSync('sh', ['-e', '-c', verification], { cwd: folder, encoding: 'utf8' });

  it('are verified by the documented commands', () => {
    const { status, stdout, stderr } = verify(release('good', directory.file('key')));
    assert.equal(status, 0, stderr);
    assert.equal(stdout.match(/^Good "watchword-release" signature for release/gm)?.length, 2);
    assert.deepEqual(stdout.match(/^.*: OK$/gm), [
      'NOTES.md: OK',
      'watchword-1.1.0.cdx.json: OK',
      'watchword-server-1.1.0.tgz: OK',
    ]);
  });

  it('fail the documented commands after a change of any of them', () => {
    const folder = release('changed', directory.file('key'));
    for (const file of ['NOTES.md', 'SHA256SUMS', 'watchword-1.1.0.cdx.json', 'watchword-server-1.1.0.tgz']) {
      const content = readFileSync(`${folder}/${file}`);
      appendFileSync(`${folder}/${file}`, 'x');
      assert.notEqual(verify(folder).status, 0, file);
      writeFileSync(`${folder}/${file}`, content);
    }
    assert.equal(verify(folder).status, 0);
  });

  it('are signed only by a key that users accept', () => {
    assert.throws(
      () => release('foreign', directory.file('other')),
      /other: expected a key of .*signers\. Add a line: /,
    );
  });

  it('have no signature without a key', () => {
    const folder = release('unsigned', undefined);
    assert.ok(existsSync(`${folder}/SHA256SUMS`) && !existsSync(`${folder}/SHA256SUMS.sig`));
  });
});

describe('a release', () => {
  it('is made of a clean tree with a changelog entry, no pending changeset, and the tag of its version', async () => {
    await using directory = await temporaryDirectory();
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: directory.path });
    const problems = (tag = 'v1.1.0', key?: string) => {
      const env = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: tag };
      return readinessProblems(directory.path, { version: '1.1.0', key, env }).join('\n');
    };
    const commit = () => {
      git('add', '.');
      git(
        '-c',
        'commit.gpgsign=false',
        '-c',
        'user.name=Test',
        '-c',
        'user.email=test@example.com',
        'commit',
        '--quiet',
        '--message',
        'Test',
      );
    };
    git('init', '--quiet');
    writeFileSync(directory.file('CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n');
    mkdirSync(directory.file('.changeset'));
    writeFileSync(
      directory.file('.changeset/one.md'),
      '---\n"@watchword/server": minor\n---\n\n### Added\n\n- a\n',
    );
    assert.match(problems(), /^expected a clean tree: (?:.*\n)*?.*CHANGELOG\.md$/m);
    commit();
    assert.match(
      problems(),
      /^expected no pending changeset, got one\. .*\nCHANGELOG\.md: expected "## \[1\.1\.0\] - DATE"/,
    );
    git('rm', '--quiet', '.changeset/one.md');
    writeFileSync(directory.file('CHANGELOG.md'), '# Changelog\n\n## [1.1.0] - 2027-01-31\n\n- a\n');
    commit();
    assert.equal(problems(), '');
    assert.equal(problems('v1.0.0'), 'expected the tag v1.1.0, got v1.0.0');
    assert.match(problems('v1.1.0', directory.file('key')), /^--key: there is no file/);
  });

  it('has dependencies and built-in code of compatible licences only', () => {
    const installed = installedDependencies(root);
    const bundled = bundledDependencies(read('packages/console/dist/licenses.md'));
    assert.ok(installed.some(({ name }) => name === 'pg') && bundled.some(({ name }) => name === 'preact'));
    assert.deepEqual(licenceProblems([...installed, ...bundled]), []);
  });

  for (const licence of ['GPL-3.0-only', 'UNLICENSED', '', 'MIT AND GPL-2.0-only']) {
    it(`has no dependency with the licence "${licence}"`, () => {
      const [problem = ''] = licenceProblems([{ name: 'a', version: '1.0.0', licence }]);
      assert.equal(problem, `a 1.0.0: expected a compatible licence, got "${licence}"`);
    });
  }

  it('may have a dependency that offers a compatible licence', () => {
    assert.deepEqual(
      licenceProblems([{ name: 'a', version: '1.0.0', licence: '(GPL-3.0-only OR MIT)' }]),
      [],
    );
  });

  it('lists what npm installs and what the GUI has built in, and no place of the machine that made it', () => {
    const home = { type: 'website', url: 'https://node-postgres.example' };
    const file = { type: 'distribution', url: 'file:/home/emma/watchword-server-1.1.0.tgz' };
    const installed = {
      metadata: { component: { name: 'x', version: '0.0.0', purl: 'pkg:npm/watchword@0.0.0' } },
      components: [{ name: 'pg', externalReferences: [home, file] }],
    };
    const bundled = bundledDependencies('## @tanstack/query-core - 5.1.0 (MIT)\n');
    const { metadata, components } = JSON.parse(billOfMaterials(JSON.stringify(installed), '1.1.0', bundled));
    assert.deepEqual(metadata.component, { name: 'watchword', version: '1.1.0', type: 'application' });
    assert.deepEqual(components[0], { name: 'pg', externalReferences: [home] });
    assert.deepEqual(
      [components.length, components[1].name, components[1].purl],
      [2, '@tanstack/query-core', 'pkg:npm/%40tanstack/query-core@5.1.0'],
    );
  });
});
