import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Expected, manifestProblems } from '../../scripts/release/manifest-problems.ts';
import { repository } from '../../scripts/repository.ts';

const env = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'organization/watchword' };
const home = repository(env, 'packages/saml');
const expected: Expected = { name: '@watchword/saml', version: '1.2.3', repository: home };
const manifest = {
  name: '@watchword/saml',
  version: '1.2.3',
  description: 'Logins by SAML',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=24' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  files: ['dist'],
  publishConfig: { access: 'public', provenance: true },
  dependencies: { '@watchword/protocol': '1.2.3', saxes: '6.0.0' },
  repository: home,
};
const packed = ['package.json', 'README.md', 'LICENSE', 'dist/index.d.ts', 'dist/index.js'];

/** What is changed, and the field that the problem names. */
const wrongFields: Readonly<Record<string, readonly [object, RegExp]>> = {
  'of another version': [{ version: '1.2.2' }, /^version: expected "1\.2\.3", got "1\.2\.2"$/],
  'without a licence': [{ license: undefined }, /^license: /],
  'that npm would keep private': [{ publishConfig: { provenance: true } }, /^publishConfig: /],
  'without provenance': [{ publishConfig: { access: 'public' } }, /^publishConfig: /],
  'of another repository': [{ repository: repository(env, 'packages/server') }, /^repository: /],
  'without the oldest Node.js': [{ engines: {} }, /^engines\.node: /],
  'without a description': [{ description: '' }, /^description: /],
  'that needs another release': [{ dependencies: { '@watchword/protocol': '^1.2.0' } }, /^dependencies: /],
  'with commands of the checkout': [{ scripts: { build: 'tsc' } }, /^scripts: /],
  'with sources': [{ imports: { '#a': { source: './src/a.ts' } } }, /source|a\.ts/],
};

const wrongFiles: Readonly<Record<string, readonly [readonly string[], string]>> = {
  'without its README': [packed.filter((file) => file !== 'README.md'), 'README.md is not in the package'],
  'without its licence': [packed.filter((file) => file !== 'LICENSE'), 'LICENSE is not in the package'],
  'without a file of its exports': [packed.slice(0, -1), 'dist/index.js is not in the package'],
  'with a file outside of "files"': [[...packed, 'notes.md'], 'notes.md is not of "files"'],
  'with a test': [[...packed, 'dist/test/a.js'], 'dist/test/a.js is for the checkout only'],
  'with a source': [[...packed, 'dist/a.ts'], 'dist/a.ts is for the checkout only'],
};

describe('a package for the registry', () => {
  it('has every field of a published package, in the version of the release', () => {
    assert.deepEqual(manifestProblems(manifest, packed, expected), []);
  });

  it('has no repository if it is packed outside of GitHub Actions', () => {
    assert.equal(repository({}, 'packages/saml'), undefined);
    const { repository: _, ...rest } = manifest;
    assert.deepEqual(manifestProblems(rest, packed, { ...expected, repository: undefined }), []);
  });

  for (const [what, [change, problem]] of Object.entries(wrongFields)) {
    it(`is refused ${what}`, () => {
      const [found = '', ...others] = manifestProblems({ ...manifest, ...change }, packed, expected);
      assert.match([found, ...others].join('\n'), new RegExp(problem.source, 'm'));
    });
  }

  for (const [what, [files, problem]] of Object.entries(wrongFiles)) {
    it(`is refused ${what}`, () => {
      assert.deepEqual(manifestProblems(manifest, files, expected), [problem]);
    });
  }
});
