import {
  endRights,
  isOfAuthenticator,
  isSecretSetting,
  OAuthError,
  type StoredAuthenticator,
  type TransactionStores,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import { type AuditedChange, difference } from '../changes/audit.ts';
import { changeInParts, changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition, revisionTag } from '../changes/edit.ts';
import { readPage } from '../lists/page.ts';
import type {
  AuthenticatorAdministration,
  AuthenticatorDependencies,
  ListedAuthenticator,
  StoredListing,
} from './authenticator-administration.ts';
import { checkedChange, checkedNew, nameTaken, requireUnusedIdentity } from './authenticator-rules.ts';
import { endUse, ofIdentityProvider, sumOfUse } from './identity-providers.ts';

// The server has all of them in memory, and users choose from a page.
const maxAuthenticators = 100;

export function authenticatorAdministration(deps: AuthenticatorDependencies): AuthenticatorAdministration {
  const { authenticatorModules: modules, testLogins } = deps;
  return {
    ...authenticatorList(deps),
    ...authenticatorChanges(deps),

    async delete(caller, name, condition) {
      requireAccess(caller);
      const change = changeInParts(caller, deps);
      await change(async (stores) => {
        const before = await stored(name, condition, stores);
        await stores.storedAuthenticators.remove(name);
        const deleted = { action: 'delete', ...ofIdentityProvider(name) } as const;
        const ends = await endRightsGivenWith(name, stores);
        return { value: undefined, changes: [{ ...deleted, before: shownState(before) }, ...ends] };
      });
      const used = (await deps.identityProviderUse.list()).filter(({ identityProvider }) =>
        isOfAuthenticator(name, identityProvider),
      );
      const ended = await Promise.all(used.map(({ identityProvider }) => endUse(identityProvider, deps)));
      // One of its administrators can have given another right until then.
      await change(async (stores) => ({ value: undefined, changes: await endRightsGivenWith(name, stores) }));
      return sumOfUse(ended);
    },

    async tryLogin(caller, name) {
      requireAccess(caller);
      await findStored(name, deps);
      const testId = await testLogins.start(name);
      return { testId, url: modules.testUrl(name, testId) };
    },

    async testResult(caller, testId) {
      requireAccess(caller);
      return testLogins.take(testId);
    },
  };
}

/** Ends what administrators who log in with the authenticator gave to clients. */
async function endRightsGivenWith(name: string, stores: TransactionStores): Promise<AuditedChange[]> {
  const providers = (await stores.rights.list()).map(({ giver }) => giver.identityProvider);
  const ended = new Set(providers.filter((provider) => isOfAuthenticator(name, provider)));
  const changes: AuditedChange[] = [];
  for (const identityProvider of ended) changes.push(...(await endRights({ identityProvider }, stores)));
  return changes;
}

function authenticatorList(
  deps: AuthenticatorDependencies,
): Pick<AuthenticatorAdministration, 'list' | 'find' | 'findStored'> {
  const { authenticatorModules: modules, storedAuthenticators } = deps;
  const ofConfiguration = (): ListedAuthenticator[] =>
    modules.configured().map((configured) => ({
      configured,
      state: modules.state(configured.name),
    }));
  return {
    async list(caller, page) {
      requireAccess(caller);
      return readPage(page, {
        async fetch(after, limit) {
          const found = ofConfiguration();
          for (const { name } of await storedAuthenticators.heads()) {
            const record = await storedAuthenticators.find(name);
            if (record !== undefined) found.push(listed(record, deps));
          }
          const start = after === undefined ? 0 : found.findIndex((each) => nameOf(each) === after) + 1;
          return found.slice(start, start + limit);
        },
        positionOf: nameOf,
        pick: (each) => each,
      });
    },

    async find(caller, name) {
      requireAccess(caller);
      const configured = ofConfiguration().find((each) => nameOf(each) === name);
      return configured ?? findStored(name, deps);
    },

    async findStored(caller, name) {
      requireAccess(caller);
      return findStored(name, deps);
    },
  };
}

function authenticatorChanges(
  deps: AuthenticatorDependencies,
): Pick<AuthenticatorAdministration, 'create' | 'update'> {
  const { authenticatorModules: modules, clock } = deps;
  /** After the commit this node knows the change, and makes the module anew. */
  const settled = async (record: StoredAuthenticator): Promise<StoredListing> => {
    await modules.loaded();
    return listed(record, deps);
  };
  return {
    async create(caller, given, malformed) {
      requireAccess(caller);
      const settings = await checkedNew(given, malformed, deps);
      await requireUnusedIdentity(given.name, deps);
      const now = clock.now();
      const made = { ...given, settings, creationDate: now, modificationDate: now };
      const created = await changeRecords(caller, deps, async (stores) => {
        if ((await stores.storedAuthenticators.heads()).length >= maxAuthenticators) throw tooMany();
        if (!(await stores.storedAuthenticators.insert(made))) throw nameTaken(given.name);
        const after = shownState(made);
        return {
          value: await stored(made.name, undefined, stores),
          changes: [{ action: 'create', ...ofIdentityProvider(made.name), after }],
        };
      });
      return settled(created);
    },

    async update(caller, name, change, malformed, condition) {
      requireAccess(caller);
      const { stored: before } = await findStored(name, deps);
      checkCondition(condition, revisionTag(before));
      const asked = { ...before, ...change };
      const settings = await checkedChange(before, asked, malformed, deps);
      const made = { ...asked, settings, modificationDate: clock.now() };
      const changed = await changeRecords(caller, deps, async (stores) => {
        // What was checked is what is changed.
        await stored(name, (tag) => tag === revisionTag(before), stores);
        const { before: was, after } = difference(stateOf(before), stateOf(made));
        if (Object.keys(after).length === 0) return { value: before, changes: [] };
        await stores.storedAuthenticators.update(made);
        const shownOf = (state: object) => shortened(withoutSecrets(made.kind, { ...state }));
        const shown = { before: shownOf(was), after: shownOf(after) };
        return {
          value: await stored(name, undefined, stores),
          changes: [{ action: 'update', ...ofIdentityProvider(name), ...shown }],
        };
      });
      return settled(changed);
    },
  };
}

function listed(
  record: StoredAuthenticator,
  { authenticatorModules }: AuthenticatorDependencies,
): StoredListing {
  return { stored: record, state: authenticatorModules.state(record.name) };
}

/** @throws OAuthError `not_found` */
async function findStored(name: string, deps: AuthenticatorDependencies): Promise<StoredListing> {
  const record = await deps.storedAuthenticators.find(name);
  if (record === undefined) throw noSuchAuthenticator();
  return listed(record, deps);
}

/** @throws OAuthError `not_found`, `precondition_failed` */
async function stored(
  name: string,
  condition: EditCondition | undefined,
  { storedAuthenticators }: Pick<TransactionStores, 'storedAuthenticators'>,
): Promise<StoredAuthenticator> {
  const found = await storedAuthenticators.find(name);
  if (found === undefined) throw noSuchAuthenticator();
  checkCondition(condition, revisionTag(found));
  return found;
}

function nameOf({ stored, configured }: ListedAuthenticator): string {
  return stored === undefined ? configured.name : stored.name;
}

type State = Pick<StoredAuthenticator, 'kind' | 'label' | 'enabled' | 'settings'>;

function stateOf({ kind, label, enabled, settings }: State) {
  return { kind, label, enabled, ...settings };
}

/** Of a secret only that it has changed: it is sealed anew with each change. */
function withoutSecrets(kind: string, state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      isSecretSetting(kind, name) && value !== '' ? 'not shown' : value,
    ]),
  );
}

function shownState(state: State) {
  return shortened(withoutSecrets(state.kind, stateOf(state)));
}

// Characters of a text in the audit log.
const maxShown = 2000;

/** The audit log has no whole document. */
function shortened(state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > maxShown ? `${value.length} characters` : value,
    ]),
  );
}

/** @throws OAuthError `access_denied` */
function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'manage identity providers');
}

function noSuchAuthenticator(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'No identity provider of this name was set up here. One of the configuration is changed there.',
  });
}

function tooMany(): OAuthError {
  return new OAuthError('conflict', {
    description: `There are ${maxAuthenticators} identity providers already, as many as can be. Delete one that nobody needs.`,
  });
}
