import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { AuthorizationAnswer } from '../../src/authorize/authorization-answer.ts';
import { authorizationEndpoint } from '../../src/endpoints/authorization.ts';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';
import type { PostStep, RedirectStep } from '../../src/ports/modules/module-step.ts';

async function server(step?: RedirectStep | PostStep) {
  const elsewhere: AuthenticationModule = {
    name: 'elsewhere',
    begin: async () => step ?? { type: 'form' },
    resume: async () => ({ type: 'authenticated', principal: emma() }),
  };
  const deps = await flowDependencies(step === undefined ? {} : { authenticator: elsewhere });
  return { ...deps, browser: new TestBrowser() };
}

type Test = Awaited<ReturnType<typeof server>>;

async function authorize({ authorization, browser }: Test, parameters: Record<string, string> = {}) {
  return browser.take(await authorization.authorize(authorizationRequest(parameters), browser.state));
}

async function send(
  { authorization, browser }: Pick<Test, 'authorization' | 'browser'>,
  step: 'login' | 'consent',
  page: AuthorizationAnswer,
) {
  assert.ok('authState' in page, page.type);
  const form = submission({ auth_state: page.authState, username: 'emma', decision: 'allow' });
  return browser.take(await authorization[step](form, browser.state));
}

/** The scopes that an authorization gives a client. */
async function grantedScopes({ token }: FlowDependencies, answer: AuthorizationAnswer) {
  assert.ok(answer.type === 'redirect', answer.type);
  const code = answeredParameters(answer.location).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return (await token({ grant_type: 'authorization_code', code, redirect_uri })).scope;
}

const unnamed = { redirect_uri: '' };

describe('a request whose login is at another server', () => {
  const redirect: RedirectStep = {
    type: 'redirect',
    location: (authState) => `https://idp.example/?RelayState=${authState}`,
  };

  it('needs no cookie, whatever the registration of its client has that it does not name', async () => {
    const test = await server(redirect);
    const scopes = Array.from({ length: 100 }, (_, index) => `${'x'.repeat(250)}${index}`);
    const redirectUris = [`https://app.example/${'x'.repeat(1900)}`];
    test.store.putClient({ ...test.webApp, scopes, redirectUris });
    const away = await authorize(test, unnamed);
    assert.ok(away.type === 'forward', away.type);
    assert.equal(away.cookies.waiting, undefined);
    const authState = new URL(away.location).searchParams.get('RelayState') ?? '';
    const page = test.browser.take(
      await test.authorization.login(submission({ auth_state: authState }), test.browser.state),
    );
    assert.ok(page.type === 'consent', page.type);
    assert.equal(page.scopes.length, 100);
  });

  it('is carried by the address up to 3900 characters, and waits in cookies from then on', async () => {
    const away = async (length: number) => {
      const answer = await authorize(await server({ ...redirect, state: 'x'.repeat(length) }));
      assert.ok(answer.type === 'forward', answer.type);
      const { length: carried } = new URL(answer.location).searchParams.get('RelayState') ?? '';
      return { carried, waits: answer.cookies.waiting !== undefined };
    };
    // Base64url has four characters for three bytes.
    const nearly = 1000 + Math.floor(((3900 - (await away(1000)).carried) * 3) / 4);
    const seen = [];
    for (const more of [-1, 0, 1, 2]) seen.push(await away(nearly + more));
    assert.equal(Math.max(...seen.map(({ carried }) => carried)), 3900);
    assert.deepEqual(seen.at(-1), { carried: 36, waits: true });
  });

  it('goes there with the address of the module, or with its form', async () => {
    const fields = (SAMLRequest: string) => ({ SAMLRequest });
    const form = await server({ type: 'post', location: 'https://idp.example/sso', fields });
    const posted = await authorize(form);
    assert.ok(posted.type === 'forward', posted.type);
    assert.equal(posted.location, 'https://idp.example/sso');
    const auth_state = posted.fields?.SAMLRequest ?? '';
    const back = await form.authorization.login(submission({ auth_state }), form.browser.state);
    assert.equal(back.type, 'consent');
    const away = await authorize(await server(redirect));
    assert.ok(away.type === 'forward' && away.fields === undefined, away.type);
  });
});

describe('a request whose client is changed', () => {
  it('while the login page is shown has the scopes of then, and while the consent page is shown those of the page', async () => {
    const test = await server();
    const change = (...scopes: string[]) => test.store.putClient({ ...test.webApp, scopes });
    change('read');
    const login = await authorize(test);
    change('read', 'write');
    const consent = await send(test, 'login', login);
    assert.ok(consent.type === 'consent', consent.type);
    assert.deepEqual(consent.scopes, ['read', 'write']);
    change('read', 'write', 'delete');
    assert.equal(await grantedScopes(test, await send(test, 'consent', consent)), 'read write');
  });

  it('goes to its one redirect URI as it is after the login, and not to another than the consent page was for', async () => {
    const test = await server();
    const change = (...redirectUris: string[]) => test.store.putClient({ ...test.webApp, redirectUris });
    const login = await authorize(test, unnamed);
    change('https://new.example/cb');
    const consent = await send(test, 'login', login);
    const done = await send(test, 'consent', consent);
    assert.ok(done.type === 'redirect' && done.location.startsWith('https://new.example/cb?'), done.type);
    const again = await authorize(test, { ...unnamed, prompt: 'consent' });
    change('https://newer.example/cb');
    await assert.rejects(send(test, 'consent', again), protocolError('invalid_request'));
  });

  it('goes nowhere when it named no redirect URI and there are several by now, or none', async () => {
    for (const redirectUris of [['https://app.example/cb', 'https://app.example/2'], []]) {
      const test = await server();
      const login = await authorize(test, unnamed);
      test.store.putClient({ ...test.webApp, redirectUris });
      await assert.rejects(send(test, 'login', login), protocolError('invalid_request'));
    }
  });

  it('is refused when the server has lost its response type', async () => {
    const test = await server();
    const login = await authorize(test);
    const authorization = authorizationEndpoint({ ...test.dependencies, responseTypes: [] });
    const late = send({ authorization, browser: test.browser }, 'login', login);
    await assert.rejects(late, protocolError('invalid_request'));
  });
});
