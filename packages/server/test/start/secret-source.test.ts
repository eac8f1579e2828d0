import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { remoteAccess } from '@watchword/cli/administration/remote/credentials';
import { secretsOf } from '@watchword/cli/doctor/secrets';
import { presentedToken } from '@watchword/cli/records/grants/presented-token';
import { newPassword, passwordInFile } from '@watchword/cli/records/people/new-password';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { loadConfiguration } from '../../src/config/load.ts';
import { metricsToken } from '../../src/config/metrics-token.ts';
import { signingKeyText } from '../../src/config/signing-key.ts';
import { SecretSourceError, secretInFile } from '../../src/secret-source.ts';
import { madeSealingKey } from '../../src/signing/sealing-key.ts';

/** As Windows writes a line: with a byte order mark and CRLF. */
const marked = (text: string) => `\uFEFF${text}\r\n`;
const key = Buffer.alloc(32, 'key').toString('base64');
const token = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl';
const url = 'postgres://ann:geheim@db.example/id';

const inputOf = (text: string, env: Record<string, string> = {}) => ({
  env,
  stdin: Readable.from([Buffer.from(marked(text))]),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
});
const configured = (environment: Record<string, string>) =>
  loadConfiguration({ flags: {}, environment, file: undefined });

async function doctorSecret(text: string, env: Record<string, string>, isInput: boolean) {
  using secrets = await secretsOf(inputOf(text, env), isInput);
  return secrets.find('password', 'emma');
}

/** What a command for another server sends to log in. */
async function adminCredentials(text: string, env: Record<string, string>, fromStandardInput = false) {
  let sent = '';
  const send: typeof fetch = async (_url, init) => {
    sent = Buffer.from(new Headers(init?.headers).get('authorization')?.slice(6) ?? '', 'base64').toString();
    return Response.json({ access_token: token });
  };
  const sources = {
    baseUrl: 'https://id.example',
    io: inputOf(text, env),
    fromStandardInput,
    profile: undefined,
  };
  const access = await remoteAccess(sources, send);
  return sent === '' ? await access.token() : sent;
}

const readers: Readonly<Record<string, (text: string, file: string) => Promise<unknown>>> = {
  '--password-stdin': (text) => newPassword(true, inputOf(text)),
  '--password-file': (_text, file) => passwordInFile(file),
  '--secrets-stdin': (text) => doctorSecret(`WATCHWORD_DOCTOR_PASSWORD=${text}`, {}, true),
  WATCHWORD_DOCTOR_PASSWORD: (text) => doctorSecret('', { WATCHWORD_DOCTOR_PASSWORD: marked(text) }, false),
  '--token-stdin': (text) => adminCredentials(text, {}, true),
  WATCHWORD_ADMIN_TOKEN: (text) => adminCredentials('', { WATCHWORD_ADMIN_TOKEN: marked(text) }),
  WATCHWORD_ADMIN_CLIENT_SECRET: async (text) => {
    const env = { WATCHWORD_ADMIN_CLIENT_ID: marked('job'), WATCHWORD_ADMIN_CLIENT_SECRET: marked(text) };
    return (await adminCredentials('', env)).replace(/^job:/, '');
  },
  'a token in place of its id': (text) => presentedToken(inputOf(text)),
  'signing.key': async (text) =>
    (await configured({ WATCHWORD_SIGNING_KEY: marked(text) })).configuration['signing.key'],
  'signing.keyFile': (_text, file) => signingKeyText({ 'signing.key': undefined, 'signing.keyFile': file }),
  'metrics.token': async (text) =>
    (await configured({ WATCHWORD_METRICS_TOKEN: marked(text) })).configuration['metrics.token'],
  'metrics.tokenFile': (_text, file) =>
    metricsToken({ 'metrics.token': undefined, 'metrics.tokenFile': file }),
  'the key beside a database': async (_text, file) =>
    Buffer.from((await madeSealingKey(file)) ?? []).toString('base64'),
  databaseUrlFile: async (_text, file) =>
    (await configured({ WATCHWORD_DATABASE_URL_FILE: file })).configuration.database,
};

/** What each reader is given, where it takes not every text. */
const texts: Readonly<Record<string, string>> = {
  'a token in place of its id': token,
  databaseUrlFile: url,
};

describe('a secret', () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`of ${name} is read without a byte order mark and without the end of its line`, async () => {
      await using directory = await temporaryDirectory();
      const text = texts[name] ?? key;
      await writeFile(directory.file('secret'), marked(text));
      assert.equal(await read(text, directory.file('secret')), text);
    });
  }

  it('of a signing key is read in the same way', async () => {
    await using directory = await temporaryDirectory();
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeFile(directory.file('key.pem'), marked(pem.replaceAll('\n', '\r\n')));
    const database = ['--database', directory.file('x.db')];
    await copyMigrated(directory.file('x.db'));
    const imported = await watchword(['keys', 'import', directory.file('key.pem'), ...database]);
    assert.equal(imported.code, 0, imported.stderr);
  });

  it('is refused in other bytes than UTF-8 and if it is too long, and not shown', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('secret');
    for (const [content, problem] of [
      [Buffer.from('\uFEFFgeheim\r\n', 'utf16le'), 'expected UTF-8, got other bytes; convert it to UTF-8'],
      [Buffer.from('geh\xfcim', 'latin1'), 'expected UTF-8, got other bytes; convert it to UTF-8'],
      [Buffer.alloc(16_385, 'g'), 'expected a secret, got more than 16384 bytes'],
    ] as const) {
      await writeFile(file, content);
      await assert.rejects(secretInFile(file), new SecretSourceError(problem));
      await assert.rejects(configured({ WATCHWORD_DATABASE_URL_FILE: file }), (error: Error) =>
        error.message.endsWith(`databaseUrlFile (${file}): cannot be read: ${problem}`),
      );
      await assert.rejects(passwordInFile(file), (error: Error) =>
        error.message.endsWith(`--password-file: ${file} cannot be read: ${problem}`),
      );
    }
  });
});
