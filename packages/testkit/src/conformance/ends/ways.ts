import { accessTokenAdministration } from '@watchword/administration';
import { KeyRing, type NewClient, parseBearerValue } from '@watchword/protocol';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { TestBrowser } from '../../flow-dependencies.ts';
import {
  allow,
  ask,
  askInSession,
  exchange,
  type Got,
  gotOf,
  logIn,
  type Node,
  type Play,
  parametersOf,
  redeem,
  refresh,
  useOnce,
} from './play.ts';

/** A way in which a client or a browser gets access. */
export interface Way {
  readonly name: string;
  /** The response type, the grant type, or `administration`, `login`. */
  readonly type: string;
  readonly client: Partial<NewClient>;
  /**
   * - `remembered`: it needs what the person consented to before
   * - `asked`: the person consents on a page
   * - `trusted`: the client needs no consent
   * - `granted`: it needs a grant that is there
   * - `client`: the client acts for itself
   * - `person`: a person logs in, or has the console's token
   * - `pages`: the administration pages, whose token ends with the session
   */
  readonly by: 'remembered' | 'asked' | 'trusted' | 'granted' | 'client' | 'person' | 'pages';
  /** Everything that comes before. The result makes the request. */
  prepare(play: Play): Promise<() => Promise<Got>>;
}

/** All ways of issue, of the response types and grant types of a node. */
export function waysOf({ responseTypes, grantTypes }: Pick<Node, 'responseTypes' | 'grantTypes'>): Way[] {
  return [
    ...responseTypes.flatMap(({ name }) => authorizationWays(name)),
    ...grantTypes.flatMap(({ type }) => tokenWays[type] ?? []),
    ...administrationWays,
  ];
}

function authorizationWays(type: string): Way[] {
  const implicit = { allowedImplicitGrant: true, confidential: false, secret: undefined };
  const client = hasCode(type) ? { allowedHybrid: type !== 'code' } : implicit;
  const openid = type.includes('id_token') ? { openidScopes: [] } : {};
  const registration = { ...client, ...openid };
  return [
    {
      name: `${type} by a consent page`,
      type,
      client: registration,
      by: 'asked',
      async prepare(play) {
        await useOnce(play);
        const page = await askInSession(play, parametersOf(play, type, { prompt: 'consent' }));
        return async () => gotOf(await allow(play, page));
      },
    },
    {
      name: `${type} by a remembered consent`,
      type,
      client: registration,
      by: 'remembered',
      async prepare(play) {
        await useOnce(play);
        return async () => gotOf(await ask(play, parametersOf(play, type)));
      },
    },
    {
      name: `${type} without a consent`,
      type,
      client: { ...registration, skipConsent: true },
      by: 'trusted',
      async prepare(play) {
        await useOnce(play);
        return async () => gotOf(await ask(play, parametersOf(play, type)));
      },
    },
  ];
}

/** Whether a response of the type has a code. */
export function hasCode(type: string): boolean {
  return type.split(' ').includes('code');
}

const tokenWays: Readonly<Record<string, Way[]>> = {
  authorization_code: [
    {
      name: 'tokens for a code',
      type: 'authorization_code',
      client: {},
      by: 'granted',
      async prepare(play) {
        const answer = await askInSession(play, parametersOf(play, 'code'));
        const { code } = gotOf(await allow(play, answer));
        return () => redeem(play, code);
      },
    },
  ],
  refresh_token: [
    {
      name: 'tokens for a refresh token',
      type: 'refresh_token',
      client: {},
      by: 'granted',
      async prepare(play) {
        const { refreshToken } = await useOnce(play);
        return () => refresh(play, refreshToken);
      },
    },
  ],
  client_credentials: [
    {
      name: 'a token of the client itself',
      type: 'client_credentials',
      client: { allowedClientCredentials: true },
      by: 'client',
      async prepare(play) {
        await useOnce(play);
        return () => exchange(play, { grant_type: 'client_credentials' });
      },
    },
  ],
};

const administrationWays: Way[] = [
  {
    name: 'a token by the administration',
    type: 'administration',
    client: {},
    by: 'person',
    async prepare(play) {
      const { accessToken = '' } = await useOnce(play);
      const tokenId = parseBearerValue('access', accessToken)?.id ?? '';
      const found = await play.store.accessTokens.find(tokenId);
      if (found?.grant === undefined) throw new Error('the token has no grant');
      const { owner, authentication } = found.grant;
      const { clock, accessTokenFormats, instruments, store } = play.issuing;
      const random = seededRandom(`console of ${play.account.username}`);
      const administration = accessTokenAdministration({
        ...store,
        registered: store,
        accessTokenFormats,
        clock,
        instruments,
        random,
        openSealer: () => KeyRing.open({ ...store, clock, random }),
        sessionIdleLifetime: 1000,
      });
      const caller = {
        identity: { identityProvider: owner.identityProvider, name: play.account.username },
        principal: owner.principal,
        isAdministrator: false,
        rights: [],
        right: undefined,
        login: { owner, authentication },
        client: play.client,
        access: { tokenId, scopes: found.scopes, expires: found.expires },
        source: '',
      };
      const request = { clientId: play.client.clientId, scopes: undefined, expires: undefined };
      return async () => ({ accessToken: (await administration.create(caller, request)).value });
    },
  },
  {
    name: 'a token of the administration pages',
    type: 'token',
    client: { allowedImplicitGrant: true, confidential: false, secret: undefined, skipConsent: true },
    by: 'pages',
    async prepare(play) {
      await useOnce(play);
      return async () => gotOf(await ask(play, parametersOf(play, 'token')));
    },
  },
  {
    name: 'a login',
    type: 'login',
    client: {},
    by: 'person',
    async prepare(play) {
      const { issuing } = play;
      await useOnce(play);
      const fresh = { ...play, browser: new TestBrowser() };
      const page = fresh.browser.take(
        await issuing.authorization.loginForAccount(fresh.browser.state, '/account'),
      );
      if (page.type !== 'login') throw new Error(`expected a login page, got ${page.type}`);
      return async () => {
        fresh.browser.take(await logIn(play, page.authState, fresh.browser, issuing));
        return {};
      };
    },
  },
];
