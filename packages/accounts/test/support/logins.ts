import assert from 'node:assert/strict';
import {
  authorizationRequest,
  type FlowDependencies,
  submission,
  type TestBrowser,
} from '@watchword/testkit';

export type Answer = Awaited<ReturnType<FlowDependencies['authorization']['authorize']>>;
type Flow = Pick<FlowDependencies, 'authorization' | 'dependencies' | 'sessions'>;
type Parameters = Readonly<Record<string, string>>;

export const day = 86_400_000;

/** Nobody watches the logins. */
export const unwatched = {
  securityLog: { loginFailed: () => {}, tokenRequestFailed: () => {} },
  instruments: { factorPresented: () => {} },
};

/** Seals nothing: what was "sealed" is opened for its purpose alone. */
export const secrets = {
  seal: async (purpose: string, secret: string) => JSON.stringify([purpose, secret]),
  async open(purpose: string, sealed: string) {
    const [of, secret]: string[] = JSON.parse(sealed);
    return of === purpose ? secret : undefined;
  },
};

export async function begin(deps: Flow, browser: TestBrowser, parameters: Parameters = {}): Promise<Answer> {
  const request = authorizationRequest({ ...parameters });
  return browser.take(await deps.authorization.authorize(request, browser.state));
}

/** Sends the form of a page. */
export async function send(
  { authorization }: Flow,
  browser: TestBrowser,
  page: Answer,
  fields: Parameters,
): Promise<Answer> {
  assert.ok(page.type === 'login' || page.type === 'loginStep', page.type);
  const answer = submission({ auth_state: page.authState, ...fields });
  const go = page.type === 'login' ? authorization.login : authorization.loginStep;
  return browser.take(await go(answer, browser.state));
}

/** The answer after the first factor. */
export async function logIn(
  deps: Flow,
  browser: TestBrowser,
  parameters: Parameters = {},
  username = 'emma',
): Promise<Answer> {
  return send(deps, browser, await begin(deps, browser, parameters), { username });
}

/** The session of a browser. */
export function current({ sessions, dependencies }: Flow, browser: TestBrowser) {
  return sessions.current(browser.state, dependencies.authenticators);
}
