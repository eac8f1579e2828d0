import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { logged } from '@watchword/server-testkit/processes/process';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { authorizePath, moduleServer } from '../support/module-server.ts';

/** The lines of the log that name a module, without the values that differ between runs. */
function failuresIn(server: Pick<TestServer, 'log'>) {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes('"failure"'))
    .map((line) => JSON.parse(line))
    .map(({ level, setting, module, call, failure, requestId, msg, err }) => {
      assert.equal(level, 50);
      assert.ok(requestId === undefined || requestId.length > 5);
      return { setting, module, call, failure, msg, reason: err?.message };
    });
}

async function counted(server: TestServer, setting: string, failure: string, count = 1): Promise<boolean> {
  const { text } = await server.get('/metrics');
  return text.includes(
    `watchword_module_failures_total{setting="${setting}",failure="${failure}"} ${count}\n`,
  );
}

const hanging = 'async () => { log("info", "asked"); await new Promise(() => {}); }';
const person = `{ name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {} }`;

/** Calls in which a module can keep the server waiting, with the module. */
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
    it(`is ended after 30 s with a page, a log line with its name, and a count (${name})`, async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        await using server = await moduleServer(setting, source);
        const answering = server.get(authorizePath);
        await logged(server.log, /"msg":"asked"/);
        mock.timers.tick(29_000);
        assert.deepEqual(failuresIn(server), []);
        mock.timers.tick(1000);
        const answer = await answering;
        assert.equal(answer.status, 503);
        assert.equal(answer.headers.get('retry-after'), '30');
        assert.match(answer.text, /<h1>That took too long<\/h1>/);
        const call = name.replace('consent: ', '');
        const msg = `the ${setting} module "mute" did not answer within 30 s`;
        const failure = { setting, module: 'mute', call, failure: 'timeout', msg, reason: undefined };
        assert.deepEqual(failuresIn(server), [failure]);
        assert.ok(await counted(server, setting, 'timeout'));
        assert.doesNotMatch(server.log(), /"msg":"a request failed"/);
      } finally {
        mock.timers.reset();
      }
    });
  }

  it('delays no other request, and no later login', async () => {
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

  it('does not prevent an orderly shutdown, neither in a login nor in its own close', async () => {
    const source = `export default ({ log }) =>
      ({ name: 'mute', begin: ${hanging}, resume: ${hanging}, close: ${hanging} });`;
    await using server = await moduleServer('authenticator', source);
    const answering = server.get(authorizePath);
    await logged(server.log, /"msg":"asked"/);
    await server.service.close();
    assert.equal((await answering).status, 503);
    const failures = failuresIn(server).map(({ call, failure }) => [call, failure]);
    assert.deepEqual(failures, [
      ['begin', 'shutdown'],
      ['close', 'shutdown'],
    ]);
  });
});

/** Answers that the contract of a module does not permit, and the text of the log for each. */
const nonsense: Readonly<Record<string, string>> = {
  undefined: 'expected a step: form, redirect, post, authenticated or refused, got nothing',
  "{ type: 'from' }": 'type: expected a step: form, redirect, post, authenticated or refused, got a text',
  "{ type: 'form', status: 302 }": 'status: expected the status 200, or one from 400 to 599, got a number',
  "{ type: 'form', message: 7 }":
    'message: expected a text, or an object with a key and values that are texts, got a number',
  "{ type: 'form', state: 1n }": 'state: expected a value for JSON.stringify, got a bigint',
  "{ type: 'form', fields: {} }": 'fields: expected a list of at most 50 fields, got an object',
  "{ type: 'form', fields: [{ name: 'auth_state', label: 'x', type: 'text', autocomplete: 'off' }] }":
    'fields.0.name: expected a name other than auth_state, got a text',
  "{ type: 'form', fields: [{ name: 'pin', label: 'PIN', type: 'number', autocomplete: 'off' }] }":
    'fields.0.type: expected one of text, password, email, tel, got a text',
  "{ type: 'redirect', location: 'https://idp.example' }": 'location: expected a function, got a text',
  "{ type: 'redirect', location: () => 'javascript:alert(1)' }":
    'expected an absolute http(s) URL, got a text',
  "{ type: 'post', location: '/x', fields: () => ({}) }":
    'location: expected an absolute http(s) URL, got a text',
  "{ type: 'post', location: 'https://idp.example', fields: () => ({ a: 1 }) }":
    'a: expected a text, got a number',
  "{ type: 'refused' }": 'description: is missing',
  "{ type: 'authenticated', principal: { name: 'x', roles: 'all' } }":
    'principal.roles: expected a list of texts, got a text',
  [`{ type: 'authenticated', principal: ${person}, stillHolds: async () => 'yes' }`]:
    'expected true or false, got a text',
  [`{ type: 'authenticated', principal: ${person}, stableId: '' }`]:
    'stableId: expected a text of 1 to 1024 characters, got a text',
  [`{ type: 'authenticated', principal: ${person}, stableId: 'x'.repeat(1025) }`]:
    'stableId: expected a text of 1 to 1024 characters, got a text',
  [`{ type: 'authenticated', principal: ${person}, stableId: '\\ud800' }`]:
    'stableId: expected a text of 1 to 1024 characters, got a text',
  [`{ type: 'authenticated', principal: ${person}, authenticatedAt: new Date() }`]:
    'authenticatedAt: expected a whole number from 0 to 9007199254740991, got an object',
  [`{ type: 'authenticated', principal: ${person}, amr: 'pwd' }`]:
    'amr: expected a list of at most 20 texts of 1 to 100 characters, got a text',
  [`{ type: 'authenticated', principal: ${person}, level: 'high' }`]:
    'level: expected sfa, mfa, phr, got a text',
  [`{ type: 'authenticated', principal: ${person}, acr: '' }`]:
    'acr: expected a text of 1 to 1024 characters, got a text',
  [`{ type: 'authenticated', principal: ${person}, claims: 'email' }`]:
    'claims: expected an object of claims, got a text',
  [`{ type: 'authenticated', principal: ${person}, claims: { email_verified: 'true' } }`]:
    'claims.email_verified: expected true or false, got a text',
  [`{ type: 'authenticated', principal: ${person}, claims: { name: null } }`]:
    'claims.name: expected a text of 1 to 1024 characters, a number, true or false, a list of such texts, or an object of such texts, got null',
  [`{ type: 'authenticated', principal: ${person}, claims: { sub: 'x' } }`]:
    'claims: expected claims of the user, and none that the server itself decides, such as sub or iss, got an object',
  [`{ type: 'authenticated', principal: ${person}, link: 'a' }`]:
    'link: expected a link with key and data, got a text',
  [`{ type: 'authenticated', principal: ${person}, device: 'a; Path=/' }`]:
    'device: expected what loginAttempts.remember returned, got a text',
};

describe('a module that answers against its contract', () => {
  const answers = Object.entries(nonsense);
  /** A server whose module gives the answer that the request names. */
  let server: TestServer;
  let failed = 0;
  before(async () => {
    const steps = answers.map(([returned]) => `async () => (${returned}),`).join('\n');
    server = await moduleServer(
      'authenticator',
      `const steps = [${steps}];
       const begin = ({ loginHint }) => steps[Number(loginHint)]();
       export default () => ({ name: 'odd', begin, resume: begin });`,
    );
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [index, [returned, reason]] of answers.entries()) {
    it(`ends the login with a page, a log line with its name, and a count: ${returned}`, async () => {
      const earlier = failuresIn(server).length;
      const answer = await server.get(`${authorizePath}&login_hint=${index}`);
      assert.equal(answer.status, 500);
      assert.match(answer.text, /<h1>Something went wrong on our side<\/h1>/);
      assert.doesNotMatch(answer.text, /odd|alert/);
      const [failure, ...others] = failuresIn(server).slice(earlier);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [failure?.module, failure?.failure, failure?.reason],
        ['odd', 'invalid_answer', reason],
      );
      assert.equal(
        failure?.msg,
        'the authenticator module "odd" returned an answer that its contract does not permit',
      );
      failed += 1;
      assert.ok(await counted(server, 'authenticator', 'invalid_answer', failed));
    });
  }

  it('ends the same way when it asks for consent', async () => {
    const steps = [
      ["{ type: 'consent' }", 'type: expected a step: form, consented or denied, got a text'],
      [
        "{ type: 'consented', scopes: 'read', remember: true }",
        'scopes: expected a list of texts, got a text',
      ],
      ["{ type: 'form', ticked: [1] }", 'ticked.0: expected a text, got a number'],
    ] as const;
    const source = `const steps = [${steps.map(([returned]) => returned)}];
      const step = async () => steps.shift();
      export default () => ({ name: 'odd', begin: step, resume: step });`;
    await using server = await moduleServer('consent', source);
    for (const _ of steps) assert.equal((await server.get(authorizePath)).status, 500);
    const failures = failuresIn(server).map(({ setting, module, reason }) => [setting, module, reason]);
    assert.deepEqual(
      failures,
      steps.map(([, reason]) => ['consent', 'odd', reason]),
    );
    assert.ok(await counted(server, 'consent', 'invalid_answer', steps.length));
  });
});

describe('an address of a module that answers against its contract', () => {
  const answers = [
    ['undefined', 'expected an answer: document, redirect, resume, choice or logout, got nothing'],
    ["{ type: 'document', content: 'x' }", 'contentType: is missing'],
    [
      "{ type: 'document', content: 'x', contentType: 'html' }",
      'contentType: expected a content type such as text/html; charset=utf-8, got a text',
    ],
    [
      "{ type: 'redirect', location: '//evil.example' }",
      'location: expected an absolute http(s) URL, or a path of this server, got a text',
    ],
    [
      "{ type: 'resume', authState: 'x', submission: {} }",
      'submission: expected a Map of lists of texts, got an object',
    ],
    [
      "{ type: 'choice', authState: 'x', query: '', choices: [{}], matches: 1 }",
      'choices.0.value: is missing',
    ],
    ["{ type: 'logout', key: 7 }", 'key: expected a text, got a number'],
  ] as const;
  let server: TestServer;
  before(async () => {
    const endpoints = answers.map(
      ([answered], index) => `{ path: '/odd/${index}', method: 'GET', answer: async () => (${answered}) },`,
    );
    server = await moduleServer(
      'authenticator',
      `export default () => ({
        name: 'odd', begin: async () => ({ type: 'form' }), resume: async () => ({ type: 'form' }),
        endpoints: [${endpoints.join('\n')}],
      });`,
    );
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [index, [answered, reason]] of answers.entries()) {
    it(`ends the same way: ${answered}`, async () => {
      const earlier = failuresIn(server).length;
      assert.equal((await server.get(`/odd/${index}`)).status, 500);
      assert.deepEqual(
        failuresIn(server)
          .slice(earlier)
          .map(({ call, failure, reason }) => [call, failure, reason]),
        [[`GET /odd/${index}`, 'invalid_answer', reason]],
      );
    });
  }
});

describe('a module that throws', () => {
  it('ends the login with a page, a log line with its name and the cause, and a count', async () => {
    const source = `const step = () => { throw new Error('no directory'); };
      export default () => ({ name: 'broken', begin: step, resume: step });`;
    await using server = await moduleServer('authenticator', source);
    const answer = await server.get(authorizePath);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.text, /no directory/);
    const [failure] = failuresIn(server);
    assert.deepEqual(
      [failure?.call, failure?.failure, failure?.reason],
      ['begin', 'exception', 'no directory'],
    );
    assert.equal(failure?.msg, 'the authenticator module "broken" threw an error');
    assert.ok(await counted(server, 'authenticator', 'exception'));
  });

  it('an OAuthError, of the server or of its own copy, ends the login and is no failure of the module', async () => {
    const source = `export default ({ errors }) => {
      const text = { key: 'own.closed' };
      const thrown = [
        new errors.OAuthError('access_denied', { text }),
        Object.assign(new Error('x'), { name: 'OAuthError', kind: 'access_denied', text }),
      ];
      const step = async () => { throw thrown.shift(); };
      const texts = { en: { 'own.closed.title': 'Closed on Sundays', 'own.closed.advice': 'Come back.' } };
      return { name: 'closing', begin: step, resume: step, texts };
    };`;
    await using server = await moduleServer('authenticator', source);
    for (const _ of ['its own', 'a copy']) {
      const answer = await server.get(authorizePath);
      assert.equal(answer.status, 403);
      assert.match(answer.text, /<h1>Closed on Sundays<\/h1>/);
    }
    assert.deepEqual(failuresIn(server), []);
  });
});
