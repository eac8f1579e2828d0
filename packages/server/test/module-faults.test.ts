import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it, mock } from 'node:test';
import { logged, startProcess, temporaryDirectory } from '@watchword/server-testkit/process';
import type { TestServer } from '@watchword/server-testkit/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { authorizePath, moduleServer } from './support/module-server.ts';

/** The lines of the log that name a module, without what changes from run to run. */
function faultsIn(server: Pick<TestServer, 'log'>) {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes('"fault"'))
    .map((line) => JSON.parse(line))
    .map(({ level, setting, module, call, fault, requestId, msg, err }) => {
      assert.equal(level, 50);
      assert.ok(requestId === undefined || requestId.length > 5);
      return { setting, module, call, fault, msg, reason: err?.message };
    });
}

async function counted(server: TestServer, setting: string, fault: string): Promise<boolean> {
  const { text } = await server.get('/metrics');
  return text.includes(`watchword_module_faults_total{setting="${setting}",fault="${fault}"} 1`);
}

const hanging = 'async () => { log("info", "asked"); await new Promise(() => {}); }';
const person = `{ name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {} }`;

/** Where a module can keep the server waiting: the call, and the module. */
const silent: Readonly<Record<string, readonly [setting: 'authenticator' | 'consent', source: string]>> = {
  begin: [
    'authenticator',
    `export default ({ log }) => ({ name: 'mute', begin: ${hanging}, resume: ${hanging} });`,
  ],
  location: [
    'authenticator',
    `export default ({ log }) => {
       const begin = async () => ({ type: 'redirect', location: ${hanging} });
       return { name: 'mute', begin, resume: begin };
     };`,
  ],
  stillHolds: [
    'authenticator',
    `export default ({ log }) => {
       const begin = async () => ({ type: 'authenticated', principal: ${person}, stillHolds: ${hanging} });
       return { name: 'mute', begin, resume: begin };
     };`,
  ],
  'consent: begin': [
    'consent',
    `export default ({ log }) => ({ name: 'mute', begin: ${hanging}, resume: ${hanging} });`,
  ],
};

describe('a module that does not answer', () => {
  for (const [name, [setting, source]] of Object.entries(silent)) {
    it(`is waited for 30 s and ended with a page, a line with its name, and a count (${name})`, async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        await using server = await moduleServer(setting, source);
        const answering = server.get(authorizePath);
        await logged(server.log, /"msg":"asked"/);
        mock.timers.tick(29_000);
        assert.deepEqual(faultsIn(server), []);
        mock.timers.tick(1000);
        const answer = await answering;
        assert.equal(answer.status, 503);
        assert.equal(answer.headers.get('retry-after'), '30');
        assert.match(answer.text, /<h1>That took too long<\/h1>/);
        const call = name.replace('consent: ', '');
        const msg = `the ${setting} module "mute" did not answer within 30 s`;
        const fault = { setting, module: 'mute', call, fault: 'silent', msg, reason: undefined };
        assert.deepEqual(faultsIn(server), [fault]);
        assert.ok(await counted(server, setting, 'silent'));
        assert.doesNotMatch(server.log(), /"msg":"a request failed"/);
      } finally {
        mock.timers.reset();
      }
    });
  }

  it('keeps no other request waiting, and no login that comes after it', async () => {
    const source = `
      let isFirst = true;
      export default ({ log }) => ({
        name: 'moody',
        begin: async () => {
          if (isFirst) { isFirst = false; log('info', 'asked'); await new Promise(() => {}); }
          return { type: 'authenticated', principal: ${person} };
        },
        resume: async () => ({ type: 'form' }),
      });`;
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      await using server = await moduleServer('authenticator', source);
      const stuck = server.get(authorizePath);
      await logged(server.log, /"msg":"asked"/);
      assert.equal((await new UserAgent().get(`${server.baseUrl}${authorizePath}`)).status, 303);
      mock.timers.tick(30_000);
      assert.equal((await stuck).status, 503);
    } finally {
      mock.timers.reset();
    }
  });

  it('does not keep the server from ending in order, neither asked for a login nor for its own end', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('mute.mjs');
    await writeFile(
      file,
      `setInterval(() => {}, 1000);
       export default ({ log }) => ({ name: 'mute', begin: ${hanging}, resume: ${hanging}, close: ${hanging} });`,
    );
    const flags = ['--demo', '--port', '0', '--database', directory.file('x.db'), '--authenticator', file];
    await using server = await startProcess([...flags, '--shutdown-deadline', '60']);
    const answering = fetch(`${server.baseUrl}${authorizePath}`);
    await logged(server.log, /"msg":"asked"/);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.equal((await answering).status, 503);
    const faults = faultsIn(server).map(({ call, fault }) => [call, fault]);
    assert.deepEqual(faults, [
      ['begin', 'stopped'],
      ['close', 'stopped'],
    ]);
    assert.match(server.log(), /"msg":"shut down"/);
  });
});

const step = (returned: string) =>
  `const step = async () => (${returned}); export default () => ({ name: 'odd', begin: step, resume: step });`;

/** What a module may answer that its contract does not have, and what the log says of it. */
const nonsense: Readonly<Record<string, string>> = {
  undefined: 'no step whose type is one of form, redirect, post, authenticated, refused',
  "{ type: 'from' }": 'no step whose type is one of form, redirect, post, authenticated, refused',
  "{ type: 'form', status: 302 }":
    'a status that is neither 200 nor that of an error, got a value of type number',
  "{ type: 'form', message: 7 }":
    'a message that is neither a text nor has a key, got a value of type number',
  "{ type: 'form', state: 1n }": 'a state that JSON cannot write, got a value of type bigint',
  "{ type: 'form', fields: {} }": 'fields that are no list of at most 50',
  "{ type: 'form', fields: [{ name: 'auth_state', label: 'x', type: 'text', autocomplete: 'off' }] }":
    'a field without a name of its own, got a value of type string',
  "{ type: 'form', fields: [{ name: 'pin', label: 'PIN', type: 'number', autocomplete: 'off' }] }":
    'the field pin whose type is none of text, password, email, tel, got a value of type string',
  "{ type: 'redirect', location: 'https://idp.example' }":
    'a redirect whose location is no function, got a value of type string',
  "{ type: 'redirect', location: () => 'javascript:alert(1)' }":
    'a location that is no absolute http(s) URL, got a value of type string',
  "{ type: 'post', location: '/x', fields: () => ({}) }":
    'a location that is no absolute http(s) URL, got a value of type string',
  "{ type: 'post', location: 'https://idp.example', fields: () => ({ a: 1 }) }":
    'fields to post that are no texts, got a value of type object',
  "{ type: 'refused' }": 'a refusal whose description is no text',
  "{ type: 'authenticated', principal: { name: 'x', roles: 'all' } }":
    'a principal whose roles are not a list of texts',
  [`{ type: 'authenticated', principal: ${person}, stillHolds: async () => 'yes' }`]:
    'neither true nor false, got a value of type string',
  [`{ type: 'authenticated', principal: ${person}, stableId: '' }`]:
    'a stableId that is not a text of 1 to 1024 characters',
  [`{ type: 'authenticated', principal: ${person}, stableId: 'x'.repeat(1025) }`]:
    'a stableId that is not a text of 1 to 1024 characters',
  [`{ type: 'authenticated', principal: ${person}, stableId: '\\ud800' }`]:
    'a stableId that is not a text of 1 to 1024 characters',
  [`{ type: 'authenticated', principal: ${person}, authenticatedAt: new Date() }`]:
    'an authenticatedAt that is not a time in epoch milliseconds',
  [`{ type: 'authenticated', principal: ${person}, amr: 'pwd' }`]:
    'an amr that is not a list of at most 20 texts of 1 to 100 characters',
  [`{ type: 'authenticated', principal: ${person}, acr: '' }`]:
    'an acr that is not a text of 1 to 1024 characters',
  [`{ type: 'authenticated', principal: ${person}, link: 'a' }`]:
    'a link whose key and data are no texts, got a value of type string',
};

describe('a module that answers nonsense', () => {
  for (const [returned, reason] of Object.entries(nonsense)) {
    it(`is ended with a page, a line with its name, and a count: ${returned}`, async () => {
      await using server = await moduleServer('authenticator', step(returned));
      const answer = await server.get(authorizePath);
      assert.equal(answer.status, 500);
      assert.match(answer.text, /<h1>Something went wrong on our side<\/h1>/);
      assert.doesNotMatch(answer.text, /odd|alert/);
      const [fault, ...others] = faultsIn(server);
      assert.deepEqual(others, []);
      assert.deepEqual([fault?.module, fault?.fault, fault?.reason], ['odd', 'nonsense', reason]);
      assert.equal(fault?.msg, 'the authenticator module "odd" answered what its contract does not have');
      assert.ok(await counted(server, 'authenticator', 'nonsense'));
    });
  }

  for (const [returned, reason] of [
    ["{ type: 'consent' }", 'no step whose type is one of form, consented, denied'],
    [
      "{ type: 'consented', scopes: 'read', remember: true }",
      'granted scopes that are no list of texts, got a value of type string',
    ],
    ["{ type: 'form', ticked: [1] }", 'ticked scopes that are no list of texts, got a list'],
  ] as const) {
    it(`is ended in the same way when it asks for consent: ${returned}`, async () => {
      await using server = await moduleServer('consent', step(returned));
      assert.equal((await server.get(authorizePath)).status, 500);
      const faults = faultsIn(server).map(({ setting, module, reason }) => [setting, module, reason]);
      assert.deepEqual(faults, [['consent', 'odd', reason]]);
      assert.ok(await counted(server, 'consent', 'nonsense'));
    });
  }

  for (const [answered, reason] of [
    ['undefined', 'no step whose type is one of document, redirect, resume, choice, logout'],
    [
      "{ type: 'document', content: 'x' }",
      'a document without a contentType such as text/html; charset=utf-8',
    ],
    [
      "{ type: 'redirect', location: '//evil.example' }",
      'a location that is no absolute http(s) URL, got a value of type string',
    ],
    [
      "{ type: 'resume', authState: 'x', submission: {} }",
      'a submission that is no Map of lists of texts, got a value of type object',
    ],
    [
      "{ type: 'choice', authState: 'x', query: '', choices: [{}], matches: 1 }",
      'a choice without value, name or picture',
    ],
    ["{ type: 'logout', key: 7 }", 'a key that is no text, got a value of type number'],
  ] as const) {
    it(`is ended in the same way at an address of its own: ${answered}`, async () => {
      const source = `export default () => ({
        name: 'odd', begin: async () => ({ type: 'form' }), resume: async () => ({ type: 'form' }),
        endpoints: [{ path: '/odd', method: 'GET', answer: async () => (${answered}) }],
      });`;
      await using server = await moduleServer('authenticator', source);
      assert.equal((await server.get('/odd')).status, 500);
      assert.deepEqual(
        faultsIn(server).map(({ call, fault, reason }) => [call, fault, reason]),
        [['GET /odd', 'nonsense', reason]],
      );
    });
  }
});

describe('a module that throws', () => {
  it('is ended with a page, a line with its name and the cause, and a count', async () => {
    const source = `const step = () => { throw new Error('no directory'); };
      export default () => ({ name: 'broken', begin: step, resume: step });`;
    await using server = await moduleServer('authenticator', source);
    const answer = await server.get(authorizePath);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.text, /no directory/);
    const [fault] = faultsIn(server);
    assert.deepEqual([fault?.call, fault?.fault, fault?.reason], ['begin', 'threw', 'no directory']);
    assert.equal(fault?.msg, 'the authenticator module "broken" threw an error');
    assert.ok(await counted(server, 'authenticator', 'threw'));
  });

  it('an OAuthError, of the server or of a copy of its own, refuses and has no fault', async () => {
    for (const thrown of [
      `new errors.OAuthError('access_denied', { text: { key: 'own.closed' } })`,
      `Object.assign(new Error('x'), { name: 'OAuthError', kind: 'access_denied', text: { key: 'own.closed' } })`,
    ]) {
      const source = `export default ({ errors }) => {
        const step = async () => { throw ${thrown}; };
        const texts = { en: { 'own.closed.title': 'Closed on Sundays', 'own.closed.advice': 'Come back.' } };
        return { name: 'closing', begin: step, resume: step, texts };
      };`;
      await using server = await moduleServer('authenticator', source);
      const answer = await server.get(authorizePath);
      assert.equal(answer.status, 403);
      assert.match(answer.text, /<h1>Closed on Sundays<\/h1>/);
      assert.deepEqual(faultsIn(server), []);
    }
  });
});
