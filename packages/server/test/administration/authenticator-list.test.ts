import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../../src/config/load.ts';

const load = (flags: Record<string, string>, file?: string) =>
  loadConfiguration({ flags, environment: {}, file });

/** Starts a server with these authenticators. @returns the error with which it does not start */
async function startError(authenticators: unknown, ...more: string[]): Promise<string> {
  await using directory = await temporaryDirectory();
  const list = typeof authenticators === 'string' ? authenticators : JSON.stringify(authenticators);
  const { code, stderr } = await watchword([
    ...['serve', '--port', '0', '--database', directory.file('x.db')],
    ...['--authenticators', list, ...more],
  ]);
  assert.equal(code, 2, stderr);
  return stderr;
}

describe('the setting authenticators', () => {
  it('is a list of names or objects in a file and as text', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, 'authenticators:\n  - password\n  - {module: ./a.js, as: b, options: {c: 1}}\n');
    const { configuration } = await load({}, file);
    const second = { module: directory.file('a.js'), as: 'b', options: { c: 1 } };
    assert.deepEqual(configuration.authenticators, [{ module: 'password' }, second]);

    const ofNames = await load({ authenticators: 'password, form' });
    assert.deepEqual(ofNames.configuration.authenticators, [{ module: 'password' }, { module: 'form' }]);
    const ofJson = await load({ authenticators: '[{"module": "form", "label": "X"}]' });
    assert.deepEqual(ofJson.configuration.authenticators, [{ module: 'form', label: 'X' }]);
  });

  it('excludes the settings of a single authenticator from any source', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, 'authenticator: password\nauthenticatorOptions: {}\n');
    await assert.rejects(load({ authenticators: 'form' }, file), (error: Error) => {
      const advice =
        'cannot be set together with authenticators \\(--authenticators\\); move it into that list as module and options';
      assert.match(error.message, new RegExp(`authenticator \\(.*watchword\\.yaml\\): ${advice}`));
      assert.match(error.message, new RegExp(`authenticatorOptions \\(.*watchword\\.yaml\\): ${advice}`));
      return true;
    });
  });

  it('rejects all wrong entries with their places, and shows no options', async () => {
    const list = [
      { as: 'x' },
      { module: 'form', as: 'A b', label: '', options: ['secret'], colour: 'secret' },
      { module: 'form', as: 'system' },
      { module: 'form', as: 'client' },
      { module: 'form', as: 'password' },
    ];
    await assert.rejects(load({ authenticators: JSON.stringify(list) }), (error: Error) => {
      for (const line of [
        /authenticators\[0\]\.module \(--authenticators\): expected the name of a module, .*, got nothing/,
        /authenticators\[1\]\.as .*: expected a name of at most 40 .*, got "A b"/,
        /authenticators\[1\]\.label .*: expected a text of at most 80 characters, got ""/,
        /authenticators\[1\]\.options .*: expected an object, got a list/,
        /authenticators\[1\]\.colour .*: is not a field of an authenticator; expected one of module, as, options, label/,
        /authenticators\[2\]\.as .*got "system"/,
        /authenticators\[3\]\.as .*got "client"/,
        /authenticators\[4\]\.as .*got "password"/,
      ]) {
        assert.match(error.message, line);
      }
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    for (const text of ['[', '[]', '[1]', ',']) {
      await assert.rejects(load({ authenticators: text }), /authenticators[^:]*: expected /, text);
    }
  });

  it('is shown by "watchword config" without the options', async () => {
    const list = JSON.stringify([{ module: 'form', as: 'a', options: { key: 'hidden value' } }]);
    const { stdout } = await watchword(['config', '--json', '--authenticators', list]);
    const rows: { setting: string; value: unknown }[] = JSON.parse(stdout);
    const { value } = rows.find(({ setting }) => setting === 'authenticators') ?? {};
    assert.deepEqual(value, [{ module: 'form', as: 'a', options: '***' }]);
    assert.doesNotMatch(stdout, /hidden value/);
  });
});

describe('authenticators in conflict', () => {
  const module = (name: string, more = '') =>
    `export default () => ({ name: '${name}', begin: async () => ({ type: 'form' }), resume: async () => ({ type: 'form' }), ${more} });`;

  /** Starts a server with two modules from files. @returns the error with which it does not start */
  async function conflict(first: string, second: string): Promise<string> {
    await using directory = await temporaryDirectory();
    const files = [directory.file('a.mjs'), directory.file('b.mjs')];
    await writeFile(files[0] ?? '', first);
    await writeFile(files[1] ?? '', second);
    return await startError(files);
  }

  it('prevent the start with the same name', async () => {
    assert.match(
      await startError(['noop', 'noop']),
      /authenticators\[1\] \(--authenticators\): is the second authenticator with the name "noop"\. Give it another name with the option "as"$/m,
    );
    assert.match(await startError([{ module: 'form', as: 'noop' }, 'noop']), /authenticators\[1\] .*"noop"/);
  });

  it('prevent the start with the same address', async () => {
    const answer = `endpoints: [{ path: '/back', method: 'GET', answer: async () => ({}) }]`;
    const found = await conflict(module('a', answer), module('b', answer));
    assert.match(
      found,
      /authenticators\[1\] .*: answers GET \/back, as another authenticator before it in the list does/,
    );
  });

  it('prevent the start when both name identity providers', async () => {
    const isConfigured = 'isConfigured: () => true';
    const found = await conflict(module('a', isConfigured), module('b', isConfigured));
    assert.match(
      found,
      /authenticators\[1\] .*: names identity providers, as "a" before it in the list does/,
    );
  });

  it('prevent the start with different texts for one key', async () => {
    const texts = (text: string) => `texts: { en: { 'own.hello': '${text}' } }`;
    const found = await conflict(module('a', texts('Hello')), module('b', texts('Hi')));
    assert.match(found, /authenticators\[1\] .*: has another text for the key own\.hello/);
  });

  it('prevent the start with local accounts under another name', async () => {
    assert.match(
      await startError([{ module: 'password', as: 'accounts' }]),
      /authenticators\[0\] .*: "password" is the login of the local accounts, which exist once for the server; remove as/,
    );
  });

  it('prevent the start when a third-party module has a reserved name, unless `as` names it', async () => {
    await using directory = await temporaryDirectory();
    const server = 'the server, its clients and its command line';
    for (const [name, owners] of [
      ['password', 'the local accounts'],
      ['system', server],
      ['cli', server],
      ['client:1', server],
    ] as const) {
      const file = directory.file(`${name.replace(':', '-')}.mjs`);
      await writeFile(file, module(name));
      const expected = `authenticators\\[0\\] .* has the name "${name}", which is reserved for ${owners}\\. .*: as$`;
      assert.match(await startError([{ module: file }]), new RegExp(expected, 'm'));
    }
    const named = JSON.stringify([{ module: directory.file('password.mjs'), as: 'own' }]);
    await using started = await startServer({ authenticators: named });
    assert.equal((await started.get('/readyz')).status, 200);
  });

  it('prevent the start when one of them is for development and other machines can reach the server', async () => {
    const found = await startError('password,noop', '--base-url', 'https://id.example');
    assert.match(found, /authenticators\[1\] \(--authenticators\): "noop" is for development/);
  });

  it('prevent the start when one of them cannot be loaded or rejects its options', async () => {
    assert.match(
      await startError(['form', 'not-there']),
      /authenticators\[1\] .*"not-there" cannot be loaded/,
    );
    const saml = { module: '@watchword/saml', options: { colour: 'red' } };
    assert.match(
      await startError(['form', saml]),
      /authenticators\[1\]\.options\.colour \(--authenticators\): /,
    );
  });
});

describe('an authenticator that claims an identity provider of another one', () => {
  it('cannot log in users under it, and the log has the reason', async () => {
    await using directory = await temporaryDirectory();
    const [file, claimed] = [directory.file('greedy.mjs'), directory.file('claimed')];
    await writeFile(
      file,
      `import { readFileSync } from 'node:fs';
       const principal = { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {} };
       export default ({ settings }) => {
         const begin = async () =>
           ({ type: 'authenticated', principal, identityProvider: readFileSync(settings.claimed, 'utf8') });
         return { name: 'greedy', begin, resume: begin, isConfigured: () => true };
       };`,
    );
    const staff = { module: 'form', as: 'staff' };
    for (const [others, claims] of [
      [
        ['password', staff],
        [
          ['password', 500],
          ['staff', 500],
          ['staff:https://idp.example', 500],
          ['https://idp.example', 303],
        ],
      ],
      // The local accounts exist, but no login leads to them.
      [[staff], [['password', 500]]],
    ] as const) {
      await using server = await startServer({
        authenticators: JSON.stringify([{ module: file, options: { claimed } }, ...others]),
        consent: 'noop',
      });
      const path = '/authorize?response_type=code&client_id=demo-app&authenticator_hint=greedy';
      for (const [claim, status] of claims) {
        await writeFile(claimed, claim);
        const logged = server.log().length;
        const answered = await new UserAgent().get(`${server.baseUrl}${path}`);
        assert.equal(answered.status, status, claim);
        const reason = /identityProvider: expected one with which the module is configured, got /;
        assert.equal(reason.test(server.log().slice(logged)), status === 500, claim);
      }
    }
  });
});
