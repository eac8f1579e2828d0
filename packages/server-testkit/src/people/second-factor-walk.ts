import assert from 'node:assert/strict';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { type Application, registerApplication } from '../clients/application.ts';
import type { Served } from '../servers/server.ts';
import { AuthenticatorApp } from './authenticator-app.ts';

const mfa = 'https://refeds.org/profile/mfa';

/** What the settings of the server count for the level `mfa`, of all that its other server says. */
const countedClass = 'urn:example:two-factors';

/** Of a server whose users log in at another one: everybody must have a second factor. @param authenticator by its name */
export function secondFactorSettings(authenticator: string) {
  const providers = { [authenticator]: { mfa: [countedClass] } };
  return { 'factors.required': 'everyone', 'factors.providers': JSON.stringify(providers) } as const;
}

/**
 * A person logs in at another server, and adds a second factor here, and proves it at the next logins, also where the other server calls
 * its own login `mfa`, unless it says what the operator counts.
 *
 * @param logIn there, from the answer to an authorization request. Resolves with the page after it
 */
export async function walkSecondFactor(
  server: Served,
  logIn: (agent: UserAgent, request: Page, acr: string) => Promise<Page>,
): Promise<void> {
  const app = await registerApplication(server);
  const afterLogin = async (agent: UserAgent, acr: string) =>
    logIn(agent, await app.open({ scope: 'openid read', acr_values: mfa }, agent), acr);
  const agent = new UserAgent();
  const choice = await afterLogin(agent, mfa);
  assert.match(choice.text, /Add a second factor/);
  const adding = await agent.submit(choice, { choice: 'totp' });
  const phone = AuthenticatorApp.of(adding);
  const codes = await agent.submit(adding, { code: phone.code() });
  assert.match(codes.text, /Recovery codes of/);
  assert.equal((await agent.get(app.authorizeUrl({ prompt: 'none' }))).location?.includes('code='), false);
  const added = await answerOf(app, await agent.submit(codes, {}));
  assert.deepEqual([added.acr, added.amr.includes('otp'), added.amr.includes('mfa')], [mfa, true, true]);

  const next = new UserAgent();
  const asked = await afterLogin(next, mfa);
  assert.match(asked.text, /Confirm that it is you/);
  const wrong = await next.submit(asked, { code: '000000' });
  assert.equal(wrong.status, 403, wrong.text);
  const proved = await answerOf(app, await next.submit(wrong, { code: phone.code(1) }));
  assert.deepEqual(proved, added);

  const counted = await answerOf(app, await afterLogin(new UserAgent(), countedClass));
  assert.deepEqual([counted.acr, counted.sub], [mfa, added.sub]);
}

async function answerOf(app: Application, page: Page) {
  const code = new URL(page.location ?? assert.fail(page.text)).searchParams.get('code');
  const { json } = await app.redeem(code ?? assert.fail(page.location));
  const { sub, acr, amr = [] } = JSON.parse(Buffer.from(json.id_token.split('.')[1], 'base64url').toString());
  return { sub, acr, amr };
}
