import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  emma,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { frontChannelFrames } from '../../src/endpoints/front-channel-logout.ts';
import { type LoggedOut, type LogoutQuestion, logoutEndpoint } from '../../src/endpoints/logout.ts';
import type { Client } from '../../src/model/records/client.ts';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';
import { StoreUnavailableError } from '../../src/ports/stores/store-errors.ts';

const returnUri = 'https://app.example/bye';
const frameUri = 'https://app.example/frame';
const elsewhere = 'https://idp.example/logout';

/** A server with a client to which users return; `isLinked`: logins are at an identity provider, where they end too. */
async function server(changes: Partial<Client> = {}, isLinked = false) {
  const ended: string[] = [];
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async () => ({ type: 'form' }),
    resume: async (_context, form) => ({
      type: 'authenticated',
      principal: emma({ name: form.get('username')?.[0] ?? 'emma' }),
      ...(isLinked && { link: { key: 'there', data: 'session there' } }),
    }),
    async logout(link) {
      ended.push(link);
      return elsewhere;
    },
  };
  const deps = await flowDependencies({ authenticator });
  deps.store.putClient({
    ...deps.webApp,
    skipConsent: true,
    postLogoutRedirectUris: [returnUri],
    ...changes,
  });
  const { begin, confirm, resume } = logoutEndpoint({
    ...deps.dependencies,
    sessionClients: deps.store.sessionClients,
    usesFrontChannel: true,
  });
  const other = deps.store.putClient({ ...deps.webApp, id: 11, clientId: 'other-app' });
  return { ...deps, begin, confirm, resume, ended, other };
}

type Server = Awaited<ReturnType<typeof server>>;

/** Resolves with the ID token of a login. */
async function logIn(
  { authorization, token }: Server,
  browser: TestBrowser,
  username = 'emma',
): Promise<string> {
  const request = authorizationRequest({ scope: 'openid', prompt: 'login', nonce: 'n' });
  const login = browser.take(await authorization.authorize(request, browser.state));
  assert.ok(login.type === 'login', login.type);
  const form = submission({ auth_state: login.authState, username });
  const answer = browser.take(await authorization.login(form, browser.state));
  assert.ok(answer.type === 'redirect', answer.type);
  const code = new URL(answer.location).searchParams.get('code') ?? '';
  const { id_token } = await token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://app.example/cb',
  });
  return String(id_token);
}

/** Takes the cookies of an answer as the browser does. */
function take<Answer extends LogoutQuestion | LoggedOut>(browser: TestBrowser, answer: Answer): Answer {
  browser.take({ type: 'redirect', location: 'https://as.example/', cookies: answer.cookies });
  return answer;
}

async function begin(test: Server, browser: TestBrowser, parameters: Record<string, string> = {}) {
  return take(browser, await test.begin(submission(parameters), browser.state));
}

async function isLoggedIn({ sessions, dependencies }: Server, browser: TestBrowser): Promise<boolean> {
  return (await sessions.current(browser.state, dependencies.authenticators)) !== undefined;
}

const asked = { post_logout_redirect_uri: returnUri, state: 'a b', ui_locales: 'nl' };

describe('a logout that a client asks for', () => {
  it('happens at once with an ID token of the user or of the session, and returns to the client with its state', async () => {
    const test = await server({ frontchannelLogoutUri: frameUri });
    const browser = new TestBrowser();
    const earlier = await logIn(test, new TestBrowser());
    for (const id_token_hint of [earlier, await logIn(test, browser)]) {
      await logIn(test, browser);
      const before = browser.state;
      const answer = await begin(test, browser, { ...asked, id_token_hint });
      assert.ok(answer.type === 'loggedOut', answer.type);
      assert.equal(answer.location, `${returnUri}?state=a%20b`);
      assert.deepEqual([answer.offered?.client.clientId, answer.languages], ['web-app', ['nl']]);
      assert.ok(answer.frames.length > 0 && answer.frames.every((frame) => frame.startsWith(frameUri)));
      assert.equal(answer.cookies.session, null);
      assert.equal(browser.state.waiting?.size, 0);
      assert.equal(await test.sessions.current(before, test.dependencies.authenticators), undefined);
      assert.ok(!(await isLoggedIn(test, browser)));
    }
  });

  it('happens at once with an ID token of the session, though its client has another subject of the user by now', async () => {
    const test = await server({ subjectType: 'pairwise', sectorIdentifierUri: 'https://a.example/sector' });
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    test.store.putClient({ ...test.webApp, sectorIdentifierUri: 'https://b.example/sector' });
    assert.equal((await begin(test, browser, { id_token_hint })).type, 'loggedOut');
  });

  it('is a question without an ID token, with that of another user, and from the user alone', async () => {
    const test = await server();
    const browser = new TestBrowser();
    const ofNoah = await logIn(test, new TestBrowser(), 'noah');
    await logIn(test, browser);
    for (const [parameters, clientId] of [
      [{ ...asked, client_id: 'web-app' }, 'web-app'],
      [{ ...asked, id_token_hint: ofNoah }, 'web-app'],
      [{}, undefined],
    ] as const) {
      const question = await begin(test, browser, { ...parameters });
      assert.ok(question.type === 'ask', question.type);
      assert.deepEqual([question.client?.clientId, question.owner.principal.name], [clientId, 'emma']);
      assert.deepEqual(question.cookies, {});
      assert.ok(await isLoggedIn(test, browser));
    }
  });

  it('is asked again when its page was open for too long', async () => {
    const test = await server();
    const browser = new TestBrowser();
    await logIn(test, browser);
    const question = await begin(test, browser, { ...asked, client_id: 'web-app' });
    assert.ok(question.type === 'ask');
    test.clock.advance(600_000);
    const confirm = async (auth_state: string) =>
      take(browser, await test.confirm(submission({ auth_state }), browser.state));
    const again = await confirm(question.authState);
    assert.ok(again.type === 'ask', again.type);
    assert.deepEqual([again.isLate, again.client?.clientId], [true, 'web-app']);
    assert.ok(await isLoggedIn(test, browser));
    const done = await confirm(again.authState);
    assert.equal(done.type, 'loggedOut');
  });

  it('happens when the user agrees, and is asked again when another user is logged in by then', async () => {
    const test = await server();
    const browser = new TestBrowser();
    await logIn(test, browser);
    const question = await begin(test, browser, { ...asked, client_id: 'web-app' });
    assert.ok(question.type === 'ask');
    await logIn(test, browser, 'noah');
    const confirm = async (auth_state: string) =>
      take(browser, await test.confirm(submission({ auth_state }), browser.state));
    const again = await confirm(question.authState);
    assert.ok(again.type === 'ask', again.type);
    assert.deepEqual([again.owner.principal.name, again.client?.clientId], ['noah', 'web-app']);
    assert.equal(again.isLate, undefined);
    assert.ok(await isLoggedIn(test, browser));
    const done = await confirm(again.authState);
    assert.ok(done.type === 'loggedOut');
    assert.deepEqual([done.location, done.languages], [`${returnUri}?state=a%20b`, ['nl']]);
    assert.ok(!(await isLoggedIn(test, browser)));
    const late = await confirm(again.authState);
    assert.equal('location' in late && late.location, `${returnUri}?state=a%20b`);
    test.clock.advance(600_000);
    const tooLate = await confirm(again.authState);
    assert.ok(tooLate.type === 'loggedOut');
    assert.deepEqual([tooLate.location, tooLate.offered?.client.clientId], [undefined, 'web-app']);
    await assert.rejects(confirm('x'), protocolError('invalid_auth_state'));
  });

  it('of nobody leads a browser only to a trusted client that shows an ID token, and offers it otherwise', async () => {
    for (const [trusted, hasHint, location] of [
      [true, true, returnUri],
      [true, false, undefined],
      [false, true, undefined],
    ] as const) {
      const test = await server({ trusted });
      const id_token_hint = await logIn(test, new TestBrowser());
      const answer = await begin(test, new TestBrowser(), {
        client_id: 'web-app',
        post_logout_redirect_uri: returnUri,
        ...(hasHint && { id_token_hint }),
      });
      assert.ok(answer.type === 'loggedOut');
      assert.deepEqual(
        [answer.location, answer.offered?.location, answer.cookies],
        [location, returnUri, {}],
      );
    }
  });

  it('is refused with the reason, which the record owner of the client sees', async () => {
    const test = await server();
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    for (const [parameters, rule] of [
      [{ id_token_hint: 'x' }, 'id_token_hint'],
      [{ id_token_hint, client_id: 'other-app' }, 'logout_client'],
      [{ id_token_hint, post_logout_redirect_uri: `${returnUri}/` }, 'logout_redirect_uri'],
      [{ client_id: 'unknown' }, 'registered_client'],
      [{ post_logout_redirect_uri: returnUri }, 'logout_client'],
      [{ client_id: 'web-app', post_logout_redirect_uri: `${returnUri}/` }, 'logout_redirect_uri'],
      [
        { client_id: 'web-app', post_logout_redirect_uri: returnUri, state: 'x'.repeat(4097) },
        'request_size',
      ],
    ] as const) {
      const error = await begin(test, browser, { ...parameters }).catch((caught) => caught);
      assert.ok(protocolError('invalid_request')(error));
      assert.equal(error.rule, rule);
    }
    const twice = new Map([['client_id', ['web-app', 'web-app']]]);
    const error = await test.begin(twice, browser.state).catch((caught) => caught);
    assert.equal(error.rule, 'parameter_once');
    const twoHints = new Map([['id_token_hint', [id_token_hint, id_token_hint]]]);
    await assert.rejects(test.begin(twoHints, browser.state), protocolError('invalid_request'));
    const reported = test.requestErrorLog.failures.map(({ endpoint, rule, clientRecordId }) => [
      endpoint,
      rule,
      clientRecordId,
    ]);
    const id = test.webApp.id;
    assert.deepEqual(reported, [
      ['logout', 'logout_client', test.other.id],
      ['logout', 'logout_redirect_uri', id],
      ['logout', 'logout_redirect_uri', id],
      ['logout', 'request_size', id],
    ]);
    assert.deepEqual(
      new Set(test.requestErrorLog.failures.map((failure) => failure.isAuthenticated)),
      new Set([false]),
    );
    assert.ok(await isLoggedIn(test, browser));
    const longest = { client_id: 'web-app', post_logout_redirect_uri: returnUri, state: 'x'.repeat(4096) };
    assert.equal((await begin(test, browser, longest)).type, 'ask');
  });
});

describe('a logout while something changes', () => {
  it('of the user alone is asked again when another user is logged in by then', async () => {
    const test = await server();
    const browser = new TestBrowser();
    await logIn(test, browser);
    const question = await begin(test, browser);
    assert.ok(question.type === 'ask');
    await logIn(test, browser, 'noah');
    const again = await test.confirm(submission({ auth_state: question.authState }), browser.state);
    assert.ok(again.type === 'ask', again.type);
    assert.deepEqual([again.owner.principal.name, again.client], ['noah', undefined]);
  });

  it('offers no return to an address that the client has lost, or of a client that is gone', async () => {
    for (const change of [
      ({ store, webApp }: Server) => void store.putClient({ ...webApp, postLogoutRedirectUris: [] }),
      ({ store, webApp }: Server) => store.clients.delete(webApp.id),
    ]) {
      const test = await server();
      const browser = new TestBrowser();
      await logIn(test, browser);
      const question = await begin(test, browser, { ...asked, client_id: 'web-app' });
      assert.ok(question.type === 'ask');
      await change(test);
      const done = await test.confirm(submission({ auth_state: question.authState }), browser.state);
      assert.ok(done.type === 'loggedOut', done.type);
      assert.deepEqual([done.location, done.offered], [undefined, undefined]);
    }
  });

  it('says of an ID token that its client is gone, and of a client_id that there is no such client', async () => {
    const test = await server();
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    await test.store.clients.delete(test.webApp.id);
    const expectations: [parameters: Record<string, string>, message: RegExp][] = [
      [{ id_token_hint }, /no longer registered/],
      [{ client_id: 'web-app' }, /No client is registered/],
    ];
    for (const [parameters, message] of expectations) {
      const expected = { kind: 'invalid_request', rule: 'registered_client', message };
      await assert.rejects(test.begin(submission(parameters), browser.state), expected);
    }
  });

  it('knows a client that another node has registered a moment ago, and asks for no other', async () => {
    const test = await server();
    const reads = { count: 0 };
    const registry = {
      ...test.registry,
      async refresh() {
        reads.count += 1;
        test.store.putClient({ ...test.webApp, id: 77, clientId: 'new-app' });
      },
    };
    const { begin } = logoutEndpoint({
      ...test.dependencies,
      registry,
      sessionClients: test.store.sessionClients,
      usesFrontChannel: true,
    });
    const ask = async (client_id: string) =>
      (await begin(submission({ client_id }), new TestBrowser().state)).type;
    assert.deepEqual([await ask('web-app'), reads.count], ['loggedOut', 0]);
    assert.deepEqual([await ask('new-app'), reads.count], ['loggedOut', 1]);
  });

  it('has no frames where the server has no front-channel logout, nor of clients without an address', async () => {
    const test = await server({ frontchannelLogoutUri: frameUri });
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    const { begin } = logoutEndpoint({
      ...test.dependencies,
      sessionClients: test.store.sessionClients,
      usesFrontChannel: false,
    });
    const answer = await begin(submission({ id_token_hint }), browser.state);
    assert.ok(answer.type === 'loggedOut');
    assert.deepEqual(answer.frames, []);
    const clients = [test.webApp.id, test.other.id, 99].map((clientRecordId) => ({
      clientRecordId,
      sid: 's',
    }));
    const frames = frontChannelFrames(clients as never, {
      registry: test.registry,
      issuer: 'https://as.example',
    });
    assert.deepEqual(frames, [`${frameUri}?iss=https%3A%2F%2Fas.example&sid=s`]);
  });
});

describe('a logout at an identity provider', () => {
  it('comes before the return to the client, which waits in a cookie meanwhile', async () => {
    const test = await server({}, true);
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    const answer = await begin(test, browser, { ...asked, id_token_hint });
    assert.ok(answer.type === 'loggedOut');
    assert.equal(answer.location, elsewhere);
    assert.deepEqual(test.ended, ['session there']);
    assert.deepEqual(Object.keys(answer.cookies).toSorted(), ['session', 'waiting']);
    assert.equal(browser.state.waiting?.size, 1);
    const back = await test.resume(browser.state);
    assert.ok(back?.type === 'loggedOut');
    assert.equal(back.location, `${returnUri}?state=a%20b`);
    take(browser, back);
    assert.equal(await test.resume(browser.state), undefined);
  });

  it('is not over for good because the database does not answer when the browser comes back', async () => {
    const test = await server({}, true);
    const browser = new TestBrowser();
    await begin(test, browser, { ...asked, id_token_hint: await logIn(test, browser) });
    const { resume } = logoutEndpoint({
      ...test.dependencies,
      sealer: {
        seal: (purpose, value) => test.dependencies.sealer.seal(purpose, value),
        open: (purpose, text) => test.dependencies.sealer.open(purpose, text),
        sealText: (purpose, text) => test.dependencies.sealer.sealText(purpose, text),
        async openText() {
          throw new StoreUnavailableError('the database does not answer');
        },
      },
      sessionClients: test.store.sessionClients,
      usesFrontChannel: true,
    });
    await assert.rejects(resume(browser.state), /does not answer/);
    assert.equal((await test.resume(browser.state))?.type, 'loggedOut');
  });

  it('returns to the client also when somebody has logged in here meanwhile', async () => {
    const test = await server({}, true);
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    await begin(test, browser, { ...asked, id_token_hint });
    const { waiting } = browser.state;
    await logIn(test, browser, 'noah');
    const back = await test.resume({ ...browser.state, ...(waiting && { waiting }) });
    assert.ok(back?.type === 'loggedOut');
    assert.equal(back.location, `${returnUri}?state=a%20b`);
  });

  it('of the user alone lets nothing wait', async () => {
    const test = await server({}, true);
    const browser = new TestBrowser();
    await logIn(test, browser);
    const question = await begin(test, browser);
    assert.ok(question.type === 'ask');
    const form = submission({ auth_state: question.authState });
    const answer = take(browser, await test.confirm(form, browser.state));
    assert.equal('location' in answer && answer.location, elsewhere);
    assert.equal(browser.state.waiting?.size, 0);
    assert.equal(await test.resume(browser.state), undefined);
  });

  it('that took too long, or was made up, asks whoever is logged in, and ends nothing', async () => {
    const test = await server({}, true);
    const browser = new TestBrowser();
    const id_token_hint = await logIn(test, browser);
    await begin(test, browser, { ...asked, id_token_hint });
    test.clock.advance(600_000);
    const nobody = await test.resume(browser.state);
    assert.ok(nobody?.type === 'loggedOut');
    assert.deepEqual([nobody.location, nobody.offered], [undefined, undefined]);
    const waiting = browser.state.waiting;
    await logIn(test, browser);
    const question = await test.resume({ ...browser.state, ...(waiting && { waiting }) });
    assert.equal(question?.type, 'ask');
    assert.ok(await isLoggedIn(test, browser));
  });
});
