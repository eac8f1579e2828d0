import type {
  ConsentKey,
  Grant,
  IdentityProviderStore,
  IdentityProviders,
  LoginSession,
} from '@watchword/protocol';
import type { MemoryGrants } from '../grants/memory-grants.ts';
import type { MemorySessionClients } from '../logins/memory-session-clients.ts';

/**
 * @param sessions login sessions, by id
 * @param forgetPeople deletes what the people of the identity provider did in steps of logins, and their credentials
 */
export function memoryIdentityProviders(
  sessions: Map<string, LoginSession>,
  memory: MemoryGrants,
  clients: Pick<MemorySessionClients, 'end'>,
  forgetPeople: (identityProvider: string) => void,
): IdentityProviderStore {
  const grantsOf = (name: string): Grant[] =>
    memory.active().filter(({ owner }) => owner.identityProvider === name);
  const sessionsOf = (name: string) =>
    [...sessions.values()].filter(({ owner }) => owner.identityProvider === name);
  const consentsOf = (name: string): ConsentKey[] =>
    memory.remembered.keys().filter(({ owner }) => owner.identityProvider === name);
  return {
    async list() {
      const names = [
        ...memory.active().map(({ owner }) => owner.identityProvider),
        ...[...sessions.values()].map(({ owner }) => owner.identityProvider),
        ...memory.remembered.keys().map(({ owner }) => owner.identityProvider),
      ];
      return [...new Set(names)].sort().map((identityProvider) => ({
        identityProvider,
        loginSessions: sessionsOf(identityProvider).length,
        grants: grantsOf(identityProvider).length,
        consents: consentsOf(identityProvider).length,
      }));
    },
    async end(name, now) {
      const ended = { loginSessions: sessionsOf(name), grants: grantsOf(name), consents: consentsOf(name) };
      for (const { id } of ended.loginSessions) {
        sessions.delete(id);
        clients.end(id, now);
      }
      for (const { id } of ended.grants) await memory.grants.revoke(id, now);
      forgetPeople(name);
      for (const key of ended.consents) memory.remembered.forget(key);
      const { loginSessions, grants, consents } = ended;
      return { loginSessions: loginSessions.length, grants: grants.length, consents: consents.length };
    },
  };
}

/** Every identity provider is configured, except those in its sets. */
export class FakeIdentityProviders implements IdentityProviders {
  readonly gone = new Set<string>();
  readonly unknown = new Set<string>();

  isConfigured(identityProvider: string): boolean | undefined {
    return this.unknown.has(identityProvider) ? undefined : !this.gone.has(identityProvider);
  }
}
