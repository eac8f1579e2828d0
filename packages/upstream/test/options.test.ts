import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ModuleOptionsError } from '@watchword/protocol';
import { readOptions } from '../src/options/read-options.ts';

const right = { issuer: 'https://login.example.com', clientId: 'watchword' };

function problemsOf(settings: Record<string, unknown>): string[] {
  try {
    readOptions(settings);
  } catch (error) {
    if (error instanceof ModuleOptionsError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('the options', () => {
  it('are reported with all of their problems at once', () => {
    const problems = problemsOf({ clientSecret: 5, timeout: 60, clientid: 'x', principal: { nam: 'x' } });
    assert.deepEqual(
      problems.map((problem) => problem.split(':')[0]),
      ['issuer', 'clientId', 'clientSecret', 'timeout', 'principal.nam', 'clientid'],
    );
  });

  it('permit an issuer by https, and by http only where the operator permits its host', () => {
    for (const issuer of [
      'http://login.example.com',
      'https://user:secret@login.example.com',
      'https://login.example.com?tenant=1',
      'https://login.example.com#x',
      'https://login.example.com/.well-known/openid-configuration',
      'login.example.com',
    ]) {
      const [problem = '', ...others] = problemsOf({ ...right, issuer });
      assert.match(problem, /^issuer: expected /, issuer);
      assert.deepEqual(others, []);
      assert.doesNotMatch(problem, /secret/);
    }
    const issuer = 'http://login.lan:8080/realms/a';
    assert.deepEqual(problemsOf({ ...right, issuer, allowPrivateAddresses: ['login.lan:8080'] }), []);
    assert.equal(problemsOf({ ...right, issuer, allowPrivateAddresses: ['other.lan'] }).length, 1);
  });

  it('take a secret itself or in a file, and not both', () => {
    const apple = { preset: 'apple', clientId: 'a', teamId: 'T', keyId: 'K' };
    for (const [settings, name] of [
      [right, 'clientSecret'],
      [apple, 'privateKey'],
    ] as const) {
      const problems = problemsOf({ ...settings, [name]: 'x', [`${name}File`]: '/nowhere' });
      assert.ok(problems.includes(`${name}: must not be given beside ${name}File`), problems.join('\n'));
      assert.doesNotMatch(problems.join(), /is not an option/);
    }
  });

  it('take a private key in the place of a secret, which decides the algorithm', () => {
    const pem = (type: 'ec' | 'rsa' | 'ed25519', modulusLength = 2048) => {
      const size = { namedCurve: 'P-256', modulusLength };
      // The overloads of Node.js have one type each.
      const { privateKey } = generateKeyPairSync(type as 'rsa', size);
      return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    };
    const algorithms = (privateKey: string) => readOptions({ ...right, privateKey }).assertionKey?.algorithms;
    assert.deepEqual(algorithms(pem('ec')), ['ES256']);
    assert.deepEqual(algorithms(pem('ed25519')), ['EdDSA', 'Ed25519']);
    assert.deepEqual(algorithms(pem('rsa')), ['RS256', 'PS256']);
    for (const wrong of ['no key', pem('rsa', 1024)]) {
      const problems = problemsOf({ ...right, privateKey: wrong });
      assert.match(problems.join(), /^privateKey: expected a private key for a signature/);
      assert.doesNotMatch(problems.join(), /BEGIN|no key/);
    }
    const both = problemsOf({
      ...right,
      privateKey: pem('ec'),
      clientSecret: 'x',
      clientAuthentication: 'post',
    });
    assert.deepEqual(both, [
      'clientSecret: must not be given beside privateKey',
      'clientAuthentication: must not be given beside privateKey',
    ]);
  });

  it('read the client secret from a file, without the end of its line, and do not repeat what cannot be read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-test-'));
    try {
      const file = join(directory, 'secret');
      await writeFile(file, 'a secret with a % \n');
      assert.equal(readOptions({ ...right, clientSecretFile: file }).clientSecret, 'a secret with a % ');
      await writeFile(file, '\n');
      assert.deepEqual(problemsOf({ ...right, clientSecretFile: file }), [
        'clientSecretFile: the file is empty',
      ]);
      await writeFile(file, Buffer.from([0xff, 0xfe, 0x41]));
      assert.match(problemsOf({ ...right, clientSecretFile: file })[0] ?? '', /expected UTF-8/);
      const both = problemsOf({ ...right, clientSecretFile: file, clientSecret: 'x' });
      assert.ok(both.some((problem) => problem.includes('must not be given beside clientSecretFile')));
    } finally {
      await rm(directory, { recursive: true });
    }
    const [problem = ''] = problemsOf({ ...right, clientSecretFile: 'the-secret-itself' });
    assert.match(problem, /^clientSecretFile: the file cannot be read: ENOENT/);
    assert.doesNotMatch(problem, /the-secret-itself/);
  });
});
