import { accountEndpoint, passwordEndpoint } from '@watchword/accounts';
import {
  accountAdministration,
  clientAdministration,
  grantAdministration,
  identityProviderAdministration,
  loginSessionAdministration,
  resourceOwnerAdministration,
  resourceServerAdministration,
} from '@watchword/administration';
import { accountIdentityProvider } from '@watchword/protocol';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { submission } from '../../flow-dependencies.ts';
import { otherBrowser, type Play } from './play.ts';

/** Something that ends access. */
export interface End {
  readonly name: string;
  /**
   * What is over.
   *
   * - `person`: the sessions and grants of the person
   * - `access`: the grants of the person for the client, and what is remembered
   * - `client`: all grants of the client, and what is remembered
   * - `tokens`: all tokens of the client; it can ask again
   * - `registration`: the client
   * - `session`: the session in which the client asks, and no grant
   */
  readonly of: 'person' | 'access' | 'client' | 'tokens' | 'registration' | 'session';
  /** A login with what was known before is over too. */
  readonly endsLogins?: boolean;
  /** Everything that comes before. The result makes the request. */
  prepare(play: Play): Promise<() => Promise<unknown>>;
}

export const ends: readonly End[] = [
  {
    name: 'everything of a person is revoked',
    of: 'person',
    prepare: async (play) => () =>
      resourceOwnerAdministration(administrationOf(play)).revoke(play.administrator, identityIn(play)),
  },
  {
    name: 'an account gets another password',
    of: 'person',
    endsLogins: true,
    prepare: async (play) => () =>
      accountsOf(play).setPassword(play.account.username, 'another and long one'),
  },
  {
    name: 'an account is disabled',
    of: 'person',
    endsLogins: true,
    prepare: async (play) => () => accountsOf(play).update(play.account.username, { disabled: true }),
  },
  {
    name: 'an account is deleted',
    of: 'person',
    endsLogins: true,
    async prepare(play) {
      // Its resource server stays in use.
      if (play.resourceServer.owner === play.account.username) {
        const owner = { owner: 'root', ownerAuthority: accountIdentityProvider };
        await play.store.resourceServers.update(play.resourceServer.id, owner);
      }
      return () => accountsOf(play).delete(play.account.username);
    },
  },
  {
    name: 'a person changes the own password',
    of: 'person',
    endsLogins: true,
    async prepare(play) {
      const browser = await otherBrowser(play);
      const { dependencies, store, sessions } = play.ending;
      const endpoint = passwordEndpoint({ ...dependencies, ...store, sessions, passwords, loginAttempts });
      const page = await endpoint.showChange(browser.state);
      const password = { new_password: 'another and long one', new_password_again: 'another and long one' };
      const form = { auth_state: page?.authState ?? '', password: 'known', end_grants: 'yes', ...password };
      return async () => {
        const changed = await endpoint.change(submission(form), browser.state);
        // The new session of this browser goes on.
        await sessions.end({ ...browser.state, session: changed?.cookies.session ?? '' }, origin);
      };
    },
  },
  {
    name: 'an identity provider is ended',
    of: 'person',
    prepare: async (play) => () =>
      identityProviderAdministration(administrationOf(play)).end(play.administrator, accountIdentityProvider),
  },
  {
    name: 'a person withdraws the access of a client',
    of: 'access',
    async prepare(play) {
      const browser = await otherBrowser(play);
      const { dependencies, sessions } = play.ending;
      const endpoint = accountEndpoint({ ...dependencies, ...play.ending, sessions });
      const page = await endpoint.show(browser.state);
      const form = { auth_state: page?.authState ?? '', client: String(play.client.id) };
      return () => endpoint.withdraw(submission(form), browser.state);
    },
  },
  {
    name: 'the grants of a person for a client are ended',
    of: 'access',
    async prepare(play) {
      const subject = await subjectOf(play);
      return () => grantsOf(play).endAll(play.administrator, { subject, clientId: play.client.clientId });
    },
  },
  {
    name: 'the grants of a client are ended',
    of: 'client',
    prepare: async (play) => () =>
      grantsOf(play).endAll(play.administrator, { clientId: play.client.clientId }),
  },
  {
    name: 'the grants of a resource server are ended',
    of: 'client',
    prepare: async (play) => () =>
      grantsOf(play).endAll(play.administrator, { resourceServerId: play.resourceServer.id }),
  },
  {
    name: 'the tokens of a client are revoked',
    of: 'tokens',
    prepare: async (play) => () =>
      clientAdministration(administrationOf(play)).revokeTokens(play.administrator, addressOf(play)),
  },
  {
    name: 'a client is deleted',
    of: 'registration',
    prepare: async (play) => () =>
      clientAdministration(administrationOf(play)).delete(play.administrator, addressOf(play), undefined),
  },
  {
    name: 'a resource server is deleted',
    of: 'registration',
    prepare: async (play) => () =>
      resourceServerAdministration(administrationOf(play)).delete(
        play.administrator,
        play.resourceServer.id,
        undefined,
      ),
  },
  {
    name: 'a session is ended by an administrator',
    of: 'session',
    async prepare(play) {
      const id = (
        await play.issuing.sessions.current(play.browser.state, play.issuing.dependencies.authenticators)
      )?.id;
      const { store, clock, random } = administrationOf(play);
      const administration = loginSessionAdministration({
        ...store,
        clock,
        random,
        sessionIdleLifetime: 1000,
      });
      return () => administration.end(play.administrator, id ?? '');
    },
  },
  {
    name: 'a person logs out',
    of: 'session',
    prepare: async (play) => () => play.ending.sessions.end(play.browser.state, origin),
  },
];

const origin = { clientId: undefined, source: '' };

const passwords = {
  hash: async (password: string) => password,
  matches: async (password: string, hash: string | undefined) => password === hash,
};

const loginAttempts = {
  begin: async () => 0,
  succeed: async () => {},
  withdraw: async () => {},
  remember: () => 'device',
  turn: () => ({ of: '', isKnownDevice: false }),
};

function identityIn({ account }: Play) {
  return { identityProvider: accountIdentityProvider, name: account.username };
}

function addressOf({ resourceServer, client }: Play) {
  return { resourceServerId: resourceServer.id, id: client.id };
}

function administrationOf({ ending, account }: Play) {
  const { store, clock } = ending;
  return { ...store, store, clock, random: seededRandom(`end of ${account.username}`) };
}

function accountsOf(play: Play) {
  const hashPassword = passwords.hash;
  return accountAdministration({ ...administrationOf(play), caller: play.administrator, hashPassword });
}

function grantsOf(play: Play) {
  return grantAdministration({ ...administrationOf(play), registered: play.store });
}

export async function subjectOf(play: Play): Promise<string> {
  const { loginSessions } = play.store;
  const [session] = await loginSessions.list({ owner: identityIn(play), limit: 1 });
  return session?.owner.subject ?? '';
}
