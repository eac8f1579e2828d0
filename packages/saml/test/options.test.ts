import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ModuleOptionsError } from '@watchword/protocol';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { testKey } from '@watchword/testkit/certificate';
import { readOptions } from '../src/options/read-options.ts';

const key = testKey('idp');
const short = testKey('short', { bits: 1024 });
const idp = {
  entityId: 'https://idp.example',
  singleSignOnUrl: 'https://idp.example/sso',
  certificates: key.certificateBase64,
};

function problemsOf(settings: Record<string, unknown>): string[] {
  try {
    readOptions(settings);
  } catch (error) {
    assert.ok(error instanceof ModuleOptionsError, String(error));
    return error.problems.map(({ option, problem }) => `${option}: ${problem}`);
  }
  return assert.fail('the options were accepted');
}

describe('the options', () => {
  it('need only an identity provider', () => {
    const options = readOptions({ identityProviders: [idp] });
    assert.equal(options.inline.length, 1);
    assert.equal(options.clockSkew, 90_000);
    assert.ok(!options.allowSha1);
    assert.ok(!options.signRequests);
    assert.deepEqual(options.principal.name, ['urn:mace:dir:attribute-def:uid']);
  });

  it('name a character that nobody sees, in a value and in a name, and no other part of the value', () => {
    const singleSignOnUrl = `\u200bhttps://idp.example/sso`;
    assert.deepEqual(
      problemsOf({ identityProviders: [{ ...idp, singleSignOnUrl, 'entity\u200bId': 'x' }] }),
      [
        'identityProviders[0].singleSignOnUrl: expected an http(s) URL, got another text (U+200B at position 1)',
        ...problemsOf({ identityProviders: [{ ...idp, 'entity\u200bId': 'x' }] }),
      ],
    );
    const [unknown] = problemsOf({ identityProviders: [{ ...idp, 'entity\u200bId': 'x' }] });
    assert.match(unknown ?? '', /: is not an option \(U\+200B at position 7\); expected one of/);
  });

  it('accept certificates as base64, as PEM, in a list, and from a file', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('certificates.pem');
    const second = testKey('other');
    await writeFile(file, `${key.certificate}\n# the next one\n${second.certificate}`);
    for (const certificates of [
      [key.certificateBase64, second.certificateBase64],
      [key.certificate, second.certificate],
      `${key.certificate}${second.certificate}`,
      file,
    ]) {
      const { inline } = readOptions({ identityProviders: [{ ...idp, certificates }] });
      assert.deepEqual(inline[0]?.certificates, [key.certificateBase64, second.certificateBase64]);
    }
  });

  it('are all checked, and all problems are reported together, without values', () => {
    const problems = problemsOf({
      identityProviders: [
        { entityId: '', singleSignOnUrl: 'javascript:x', certificates: 'S3CRET' },
        { ...idp, certificates: short.certificate, bindign: 'post' },
        { metadata: 'http://idp.example/x' },
        { metadata: '/nowhere/idp.xml', federation: true },
        { ...idp, certificates: undefined, binding: 'soap' },
        { ...idp, entityId: 'password' },
        { metadata: 'https://me:S3CRET@idp.example/x' },
      ],
      clockSkew: 600,
      signRequests: true,
      signing: { key: 'S3CRET-KEY', certificate: key.certificate },
      encryption: [{ key: key.key, certificate: testKey('stranger').certificate }, { key: key.key }],
      principal: { name: 7, attributes: { DISPLAY_NAME: 'x' } },
      adminGroup: 'admins',
      requireSigned: 'maybe',
      allowCbc: 'yes',
      scoping: { proxyCount: -1 },
      groupPrvider: './x.js',
    });
    assert.deepEqual(problems.toSorted(), [
      'adminProviders: is missing: there can be several identity providers, so list the entity ids of those that can make administrators',
      'allowCbc: expected true or false, got another text',
      'clockSkew: expected a whole number from 0 to 120, got 600',
      'encryption[0].certificate: is not the certificate of the key',
      'encryption[1].certificate: is missing',
      problems.find((problem) =>
        problem.startsWith('groupPrvider: is not an option; expected one of adminGroup, '),
      ) ?? '',
      `identityProviders[0].certificates: the file cannot be read: ENOENT; a relative path is resolved from ${process.cwd()}`,
      'identityProviders[0].entityId: expected a text, got an empty text',
      'identityProviders[0].entityId: expected an entity id, or metadata',
      'identityProviders[0].singleSignOnUrl: expected an http(s) URL, got another text',
      problems.find((problem) => problem.startsWith('identityProviders[1].bindign: is not an option')) ?? '',
      'identityProviders[1].certificates: it has a certificate with a key of 1024 bits; expected at least 2048, because signatures of shorter keys can be forged',
      'identityProviders[2].metadata: expected an https URL, or signingCertificates: without both, an attacker on the network could change the metadata',
      'identityProviders[3].metadata: expected an http(s) URL, or the path of a file that is there',
      'identityProviders[3].signingCertificates: is missing: without a signature, the host of the metadata could add any identity provider',
      'identityProviders[4].binding: expected one of redirect, post, got another text',
      'identityProviders[4].certificates: is missing: signatures can be verified only with a certificate',
      'identityProviders[5].entityId: expected a URI of at most 1,024 characters, without spaces and without !',
      'identityProviders[6].metadata: expected a URL without user name and password, because the URL is logged',
      'principal.attributes: DISPLAY_NAME is set by the module and cannot be configured',
      'principal.name: expected a text or a list of texts, got 7',
      'requireSigned: expected one of any, assertion, response, both, got another text',
      'scoping.proxyCount: expected a whole number from 0 to 10, got -1',
      `signing.key: the file cannot be read: ENOENT; a relative path is resolved from ${process.cwd()}`,
    ]);
    assert.doesNotMatch(problems.join('\n'), /S3CRET/);
  });

  it('read a key and a certificate as Windows writes files', async () => {
    await using directory = await temporaryDirectory();
    const files = { key: directory.file('key.pem'), certificate: directory.file('certificate.pem') };
    for (const name of ['key', 'certificate'] as const) {
      await writeFile(files[name], `\uFEFF${key[name].replaceAll('\n', '\r\n')}`);
    }
    assert.ok(readOptions({ identityProviders: [idp], signRequests: true, signing: files }));
    await writeFile(files.certificate, Buffer.from(`\uFEFF${key.certificate}`, 'utf16le'));
    assert.deepEqual(problemsOf({ identityProviders: [idp], signing: files }), [
      'signing.certificate: the file cannot be read: expected UTF-8, got other bytes; convert it to UTF-8',
    ]);
  });

  it('name files by paths that nothing has to replace', () => {
    const problems = problemsOf({
      identityProviders: [{ ...idp, certificates: '"idp.pem"' }, { metadata: '$HOME/idp.xml' }],
      signing: { key: '~/key.pem', certificate: 'certificate.pem\r' },
    });
    const form = 'expected PEM with its first line, or the path of a file';
    assert.deepEqual(
      problems.filter((problem) => problem.includes('path of a file')),
      [
        `identityProviders[0].certificates: ${form}; remove the quotes`,
        'identityProviders[1].metadata: expected an http(s) URL, or the path of a file that is there; write the whole path, because nothing replaces $HOME here',
        `signing.key: ${form}; write the whole path, because nothing replaces ~ here`,
        `signing.certificate: ${form}; remove U+000D at position 16`,
      ],
    );
  });

  it('do not need adminProviders when the only identity provider has a problem', () => {
    const [problem = '', ...others] = problemsOf({
      identityProviders: [{ ...idp, certificates: './nowhere.pem' }],
      adminGroup: 'admins',
    });
    assert.match(problem, /^identityProviders\[0\]\.certificates: the file cannot be read/);
    assert.deepEqual(others, []);
  });

  it('are rejected without an identity provider', () => {
    for (const settings of [
      {},
      { identityProviders: [] },
      { identityProviders: 'x' },
      { identityProviders: [7] },
    ]) {
      assert.ok(problemsOf(settings).some((problem) => /^identityProviders: expected/.test(problem)));
    }
  });

  it('need adminProviders unless there is exactly one identity provider, which is not a proxy', () => {
    const isAsked = (identityProviders: unknown[]) => {
      try {
        readOptions({ identityProviders, adminGroup: 'admins' });
        return false;
      } catch {
        return true;
      }
    };
    assert.ok(!isAsked([idp]));
    assert.ok(isAsked([{ ...idp, proxy: true }]));
    assert.ok(isAsked([idp, { ...idp, entityId: 'https://b.example' }]));
    assert.ok(isAsked([{ metadata: 'https://idp.example/x' }]));
    assert.ok(!isAsked([{ metadata: 'https://idp.example/x', entityId: 'https://idp.example' }]));
  });

  it('prevent the start of the server when they have problems, with their names', async () => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await watchword([
      ...['serve', '--port', '0', '--database', directory.file('x.db')],
      ...[
        '--authenticator',
        '@watchword/saml',
        '--authenticator-options',
        '{"identityProviders":[{}],"clockSkew":"x"}',
      ],
    ]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /authenticatorOptions\.identityProviders\[0\]\.certificates \(--authenticator-options\): is missing/,
    );
    assert.match(
      stderr,
      /authenticatorOptions\.clockSkew \(--authenticator-options\): expected a whole number/,
    );
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  it('must name a group provider that can be loaded', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('none.mjs'), 'export default () => ({});');
    for (const [groupProvider, reason] of [
      ['./nowhere.js', /Cannot find module/],
      [directory.file('none.mjs'), /must return an object with a function groups/],
    ] as const) {
      const { code, stderr } = await watchword([
        ...[
          'serve',
          '--port',
          '0',
          '--database',
          directory.file('x.db'),
          '--authenticator',
          '@watchword/saml',
        ],
        ...['--authenticator-options', JSON.stringify({ identityProviders: [idp], groupProvider })],
      ]);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
  });
});
