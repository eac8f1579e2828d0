import type { Caller } from '@watchword/administration';
import {
  type Account,
  type AuthenticationModule,
  type AuthorizationAnswer,
  accountIdentityProvider,
  type Client,
  type ResourceServer,
  tokenEndpoint,
  tokenInfoEndpoint,
} from '@watchword/protocol';
import type { FakeClock } from '../../fakes/fake-clock.ts';
import {
  answeredParameters,
  authorizationRequest,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '../../flow-dependencies.ts';
import { clientRequest } from '../../requests.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { Gate, gated } from './gate.ts';

export const redirectUri = 'https://app.example/cb';

/** A server over the store, without HTTP. */
export interface Node extends FlowDependencies {
  readonly gate: Gate;
}

/** What a way of issue has got from the server. */
export interface Got {
  readonly code?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** A person with a client, on two nodes: what one of them gives to the client, and what the other one ends. */
export interface Play {
  readonly store: StoreUnderTest;
  readonly issuing: Node;
  readonly ending: Node;
  readonly account: Account;
  readonly resourceServer: ResourceServer;
  readonly client: Client;
  readonly administrator: Caller;
  /** The browser in which the client asks. */
  readonly browser: TestBrowser;
}

/** The nodes of a test, and how many persons have come. */
export interface Stage {
  readonly store: StoreUnderTest;
  readonly issuing: Node;
  readonly ending: Node;
  persons: number;
  /** What was left of access that has ended, in words. */
  readonly left: string[];
}

export async function openStage(store: StoreUnderTest, clock: FakeClock): Promise<Stage> {
  const node = async (seed: string, insideTransactions: boolean): Promise<Node> => {
    const gate = new Gate();
    const own = gated(store, gate, insideTransactions);
    const more = { tokens: new Map(), lookups: [], putClient: keep, putResourceServer: keep };
    const basis = { clock, seed, store: { ...own, ...more } };
    return { ...(await flowDependencies({ basis, authenticator: passwords(own) })), gate };
  };
  return {
    store,
    issuing: await node('issuing', false),
    ending: await node('ending', true),
    persons: 0,
    left: [],
  };
}

function keep<Record>(record: Record): Record {
  return record;
}

/** A local account, whose password is its hash. */
function passwords({ accounts }: Pick<StoreUnderTest, 'accounts'>): AuthenticationModule {
  return {
    name: accountIdentityProvider,
    begin: async () => ({ type: 'form' }),
    async resume(_context, form) {
      const [name = ''] = form.get('username') ?? [];
      const [password = ''] = form.get('password') ?? [];
      const account = await accounts.find(name);
      if (account === undefined || account.disabled || account.passwordHash !== password)
        return { type: 'form' };
      const { displayName, roles, groups, adminPrincipal } = account;
      const attributes = { DISPLAY_NAME: displayName };
      return {
        type: 'authenticated',
        principal: { name, roles, groups, adminPrincipal, attributes },
        stableId: account.id,
        stillHolds: async () => {
          const now = await accounts.find(name);
          return now?.id === account.id && !now.disabled && now.passwordHash === password;
        },
      };
    },
  };
}

export function parametersOf(
  { client }: Play,
  type: string,
  more: Record<string, string> = {},
): Record<string, string> {
  const openid = type.includes('id_token') ? { scope: 'openid read write', nonce: 'n' } : {};
  const pkce =
    client.confidential || type !== 'code'
      ? {}
      : { code_challenge: challenge, code_challenge_method: 'S256' };
  return {
    response_type: type,
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...openid,
    ...pkce,
    ...more,
  };
}

// RFC 7636 Appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The client asks, and gets nothing by a page. */
export async function ask(
  { browser, issuing }: Play,
  parameters: Record<string, string>,
): Promise<AuthorizationAnswer> {
  const request = authorizationRequest(parameters);
  return browser.take(await issuing.authorization.authorize(request, browser.state));
}

/** The client asks, and the person logs in if need be. */
export async function askInSession(
  play: Play,
  parameters: Record<string, string>,
): Promise<AuthorizationAnswer> {
  const answer = await ask(play, parameters);
  const { browser, issuing } = play;
  return answer.type === 'login'
    ? browser.take(await logIn(play, answer.authState, browser, issuing))
    : answer;
}

export function logIn(
  { account }: Play,
  authState: string,
  browser: TestBrowser,
  { authorization }: Node,
): Promise<AuthorizationAnswer> {
  const form = { auth_state: authState, username: account.username, password: 'known' };
  return authorization.login(submission(form), browser.state);
}

/** A browser in which the person is logged in, at the node that ends. */
export async function otherBrowser(play: Play): Promise<TestBrowser> {
  const browser = new TestBrowser();
  const login = browser.take(await play.ending.authorization.loginForAccount(browser.state, '/account'));
  if (login.type === 'login') browser.take(await logIn(play, login.authState, browser, play.ending));
  return browser;
}

/** Consents on the page. */
export async function allow(
  { browser, issuing }: Play,
  page: AuthorizationAnswer,
): Promise<AuthorizationAnswer> {
  if (page.type !== 'consent') throw new Error(`expected a consent page, got ${page.type}`);
  const form = submission({ auth_state: page.authState, decision: 'allow' });
  return browser.take(await issuing.authorization.consent(form, browser.state));
}

/** What the client gets of the answer; nothing of a page or an error. */
export function gotOf(answer: AuthorizationAnswer): Got {
  if (answer.type !== 'redirect') return {};
  const parameters = answeredParameters(answer.location);
  return {
    code: parameters.get('code') ?? undefined,
    accessToken: parameters.get('access_token') ?? undefined,
  };
}

/** The client redeems a code or a refresh token. */
export async function exchange({ issuing, client }: Play, form: Record<string, string>): Promise<Got> {
  const own = client.confidential ? {} : { client_id: client.clientId, code_verifier: verifier };
  const credentials = client.confidential ? `${client.clientId}:client-secret` : undefined;
  const request = clientRequest({ ...form, ...own }, credentials);
  const { access_token, refresh_token } = await tokenEndpoint(issuing)(request);
  return { accessToken: access_token, refreshToken: refresh_token };
}

export function redeem(play: Play, code: string | undefined): Promise<Got> {
  return exchange(play, { grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri });
}

export function refresh(play: Play, token: string | undefined): Promise<Got> {
  return exchange(play, { grant_type: 'refresh_token', refresh_token: token ?? '' });
}

/** The person consents to everything, and the client redeems the code. */
export async function useOnce(play: Play): Promise<Got> {
  const type = play.client.allowedImplicitGrant ? 'id_token token' : 'code';
  const answer = await askInSession(play, parametersOf(play, type));
  const got = gotOf(answer.type === 'consent' ? await allow(play, answer) : answer);
  return got.code === undefined ? got : { ...(await redeem(play, got.code)), code: got.code };
}

/** Whether the access token is valid for its resource server. */
export async function isValid({ issuing, resourceServer }: Play, token: string): Promise<boolean> {
  const credentials = `${resourceServer.key}:resource-server-secret`;
  const read = tokenInfoEndpoint(issuing)(clientRequest({}, credentials), () => token);
  return read.then(
    () => true,
    () => false,
  );
}
