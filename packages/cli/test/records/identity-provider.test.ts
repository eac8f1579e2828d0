import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { metadata } from '@watchword/server-testkit/processes/command-runs';
import { temporaryDirectory, watchword, watchwordProcess } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startSite } from '@watchword/testkit/site';

/** Loads no SAML, as in an installation without it. */
const withoutSaml = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name !== '@watchword/saml') return next(name, context);
    throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});`;

describe('an identity provider set up by the command line on a database', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    await writeFile(directory.file('idp.xml'), metadata);
  });
  after(() => directory[Symbol.asyncDispose]());

  const words = (args: readonly string[]) => [
    ...['identity-provider', ...args],
    ...['--database', directory.file('x.db')],
  ];
  const run = (args: readonly string[], options: Parameters<typeof watchword>[1] = {}) =>
    watchword(words(args), options);
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await run([...args, '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
  }
  const create = (name: string, ...more: string[]) =>
    json('create', name, '--metadata-file', directory.file('idp.xml'), ...more);

  it('is read from a file, listed, shown without the document, and changed field by field', async () => {
    const created = await create('uni', '--label', 'University', '--disabled', '--groups-from', 'member');
    assert.deepEqual(
      [created.enabled, created.settings.entityId, created.settings.groupsFrom],
      [false, 'https://idp.example', ['member']],
    );
    assert.deepEqual(
      (await json('list', '--set-up')).map(({ name }: { name: string }) => name),
      ['uni'],
    );
    const { stdout } = await run(['show', 'uni']);
    assert.match(stdout, /^metadata +\d+ characters$/m);
    assert.match(stdout, /^label +University$/m);
    const changed = await json('change', 'uni', '--email-from', 'mail');
    assert.deepEqual(
      [changed.label, changed.settings.emailFrom, changed.settings.groupsFrom],
      ['University', 'mail', ['member']],
    );
    assert.equal((await run(['change', 'uni'])).code, 2);
  });

  it('of OpenID Connect is set up by its issuer, with a secret from a file that nothing prints', async () => {
    const issuer = 'https://127.0.0.1:1';
    await writeFile(directory.file('secret'), 'the secret\n');
    const args = ['--client-id', 'watchword', '--client-secret-file', directory.file('secret')];
    const { code, stdout, stderr } = await run(['create', 'corp', '--issuer', issuer, ...args]);
    assert.notEqual(code, 0);
    assert.match(stderr, /settings\.issuer: .*not an address of the public internet/);
    assert.ok(!`${stdout}${stderr}`.includes('the secret'));
    await using site = await startSite((_request, response) =>
      response.end(
        JSON.stringify({
          issuer: site.url,
          authorization_endpoint: `${site.url}/authorize`,
          token_endpoint: `${site.url}/token`,
          jwks_uri: `${site.url}/jwks`,
        }),
      ),
    );
    const hosts = ['--config', directory.file('watchword.yaml')];
    await writeFile(
      directory.file('watchword.yaml'),
      `outbound:\n  privateHosts: ["${new URL(site.url).host}"]\n`,
    );
    const created = await json('create', 'corp', '--issuer', site.url, ...args, ...hosts);
    assert.deepEqual([created.kind, created.settings.clientSecret], ['oidc', '']);
    const { settings } = await json('change', 'corp', '--groups-from', 'teams', '--yes', ...hosts);
    assert.deepEqual([settings.groupsFrom, settings.clientSecret], [['teams'], '']);
    const known = await run([
      'create',
      'known',
      '--preset',
      'apple',
      '--client-id',
      'x',
      '--team-id',
      'T',
      '--key-id',
      'K',
      '--private-key-file',
      directory.file('secret'),
    ]);
    assert.match(known.stderr, /settings\.privateKey: expected a private key for ES256/);
    assert.ok(!`${known.stdout}${known.stderr}`.includes('the secret'));
  });

  it('asks before what ends or changes the access of users, and does nothing without an agreement', async () => {
    await create('asked');
    for (const [args, question] of [
      [
        ['change', 'asked', '--stable-id-from', 'uid'],
        /Change stableIdFrom of asked\? It can make every user/,
      ],
      [['disable', 'asked'], /Disable asked\? Its users cannot log in/],
      [['delete', 'asked'], /Delete asked with 0 login sessions, .*No other .* can have its name/],
    ] as const) {
      const script = await run(args);
      assert.equal(script.code, 2, script.stderr);
      const refused = await run(args, { stdin: 'no\n', isTyped: true });
      assert.match(refused.stderr, question);
      assert.equal(refused.code, 1);
    }
    const { enabled, settings } = await json('show', 'asked');
    assert.deepEqual([enabled, settings.stableIdFrom], [true, []]);
    assert.equal((await json('disable', 'asked', '--yes')).enabled, false);
    assert.equal((await json('enable', 'asked')).enabled, true);
    assert.equal((await json('delete', 'asked', '--yes')).deleted, 'asked');
    const again = await run(['create', 'asked', '--metadata-file', directory.file('idp.xml')]);
    assert.match(again.stderr, /has or had the name asked/);
  });

  it('is refused with each violation, and where its metadata cannot be read', async () => {
    for (const [args, reason] of [
      [['create', 'Wrong'], /name: expected .*settings\.metadataUrl: is required/s],
      [['create', 'a', '--metadata-url', 'https://127.0.0.1:1/'], /not an address of the public internet/],
      [['create', 'a', '--metadata-file', directory.file('none.xml')], /none\.xml: cannot be read/],
      [['show', 'nobody'], /No identity provider of this name/],
      [['test-login', 'nobody'], /No identity provider of this name/],
    ] as const) {
      const { code, stderr } = await run(args);
      assert.ok(code !== 0);
      assert.match(stderr, reason);
    }
  });

  it('reads no file that is too long for a setting, and says what to name instead', async () => {
    await writeFile(directory.file('long'), 'x'.repeat(400_001));
    const long = directory.file('long');
    for (const [args, advice] of [
      [['--metadata-file', long], /long: expected at most 400000 bytes; .*--metadata-url/],
      [
        ['--signing-certificates-file', long],
        /at most 400000 bytes; name a file with the certificates alone/,
      ],
      [['--client-secret-file', long], /at most 400000 bytes; name a file with the secret alone/],
    ] as const) {
      const { code, stderr } = await run(['create', 'long', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, advice);
    }
  });

  it('needs the package of its kind, and says how to install it', async () => {
    await writeFile(directory.file('without.mjs'), withoutSaml);
    const args = ['create', 'none', '--metadata-file', directory.file('idp.xml')];
    const { code, stderr } = await watchwordProcess(words(args), {
      env: { NODE_OPTIONS: `--import=${directory.file('without.mjs')} --conditions=source` },
    });
    assert.equal(code, 1);
    assert.match(stderr, /the package @watchword\/saml is not installed .* run npm install @watchword\/saml/);
  });
});
