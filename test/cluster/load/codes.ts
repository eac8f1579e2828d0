import { codeVerifier } from '@watchword/server-testkit/clients/application';
import { followFlow } from '@watchword/testkit/follow-flow';
import type { UserAgent } from '@watchword/testkit/user-agent';
import { NotServed, type Question } from '../client.ts';
import { Family, type FamilyClient, identityOf } from './family.ts';
import { type Part, pause } from './part.ts';

/** A user at a browser. */
export interface User {
  readonly agent: UserAgent;
  readonly username: string;
  /** Whether a whole flow was answered in this browser: the user is logged in at every node. */
  isLoggedIn: boolean;
}

/** Gets a code with login and consent, or by the session of the browser. `undefined` if the server did not answer. */
export async function obtainCode(
  { ledger }: Part,
  of: FamilyClient,
  user: User,
): Promise<string | undefined> {
  try {
    const answers = { username: user.username, password: '{}' };
    const { parameters, pages } = await followFlow(
      user.agent,
      of.app.authorizeUrl({ scope: 'openid read write', nonce: 'nonce' }),
      answers,
    );
    const code = parameters.get('code');
    if (code === null) {
      const error = parameters.get('error');
      if (error !== 'temporarily_unavailable')
        ledger.violate(`authorize: the client got ${error} and no code`);
      return undefined;
    }
    const controls = pages.flatMap(({ forms }) => forms.flatMap((form) => form.controls));
    if (user.isLoggedIn && controls.some(({ name }) => name === 'username')) {
      ledger.violate('authorize: a login was lost that had been answered');
    }
    user.isLoggedIn = true;
    return code;
  } catch (error) {
    if (error instanceof NotServed) return undefined;
    throw error;
  }
}

/** Redeems the code; again if there is no answer. `undefined` if no tokens were answered. */
export async function redeem(part: Part, of: FamilyClient, code: string): Promise<Family | undefined> {
  const { client, choices, stop } = part;
  const family = new Family(of);
  for (let lost = 0; !stop.aborted; lost += 1) {
    // A code whose redemption had no answer can be used up.
    const answer = await client.ask({
      ...redemption(of, code, lost > 0 ? [200, 400] : [200]),
      kind: 'redeem',
    });
    if (answer?.status === 200) {
      await family.take(part, answer.json, answer.sentAt);
      return family;
    }
    if (answer !== undefined || choices.once(2)) return undefined;
    await pause();
  }
  return undefined;
}

/** Redeems the code at every node at once. At most one redemption succeeds; another one revokes what it issued. */
export async function redeemAtOnce(part: Part, of: FamilyClient, code: string): Promise<Family | undefined> {
  const { client, ledger, nodes } = part;
  const asked = { ...redemption(of, code, [200, 400]), kind: 'redeem' } as const;
  const answers = await Promise.all(Array.from({ length: nodes }, () => client.ask(asked)));
  const issued = answers.filter((answer) => answer?.status === 200);
  if (issued.length > 1) ledger.violate(`redeem: a code was redeemed ${issued.length} times`, code);
  if (issued.length === 0) {
    if (answers.every((answer) => answer !== undefined))
      ledger.violate('redeem: a code was lost that had been answered', code);
    return undefined;
  }
  const family = new Family(of);
  family.ending.ask();
  await family.take(part, issued[0]?.json, issued[0]?.sentAt ?? 0);
  if (answers.some((answer) => answer?.status === 400)) family.ending.answer();
  return family;
}

/** Redeems a code again after it was redeemed, which revokes its grant. */
export async function redeemAgain(part: Part, family: Family, code: string): Promise<void> {
  family.ending.ask();
  const answer = await part.client.ask({ ...redemption(family.of, code, [400]), kind: 'redeem again' });
  if (answer?.status === 400) family.ending.answer();
}

function redemption(of: FamilyClient, code: string, expects: readonly number[]): Omit<Question, 'kind'> {
  const { credentials, form } = identityOf(of);
  const { redirectUris } = of.app.client;
  return {
    path: '/oauth2/token',
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUris[0] ?? '',
      ...(credentials === undefined && { code_verifier: codeVerifier }),
      ...form,
    },
    credentials,
    expects,
    about: code,
  };
}
