import {
  administrationClientId,
  administrationKey,
  type NewClient,
  systemIdentityProvider,
} from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { buildAdministrator } from '../../builders/caller.ts';
import { TestBrowser } from '../../flow-dependencies.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type Play, redirectUri, type Stage } from './play.ts';

/**
 * Registers a person with a resource server and a client of it.
 *
 * @param isBuiltIn the resource server and client are those of the administration pages, for all persons
 */
export async function newPlay(
  stage: Stage,
  registration: Partial<NewClient>,
  isBuiltIn: boolean,
): Promise<Play> {
  const { store } = stage;
  stage.persons += 1;
  const username = `person-${stage.persons}`;
  const account = buildAccount({ username, passwordHash: 'known' });
  await store.accounts.create(account);
  const key = isBuiltIn ? administrationKey : `api-${username}`;
  const owned = isBuiltIn ? { ownerAuthority: systemIdentityProvider } : { owner: username };
  const resourceServer =
    (await store.resourceServers.find(key)) ??
    (await addResourceServer(store, key, { ...owned, scopes: ['read', 'write'] }));
  const clientId = isBuiltIn ? administrationClientId : `app-${username}`;
  const client =
    (await store.clients.find(clientId)) ??
    (await addClient(store, clientId, resourceServer, {
      redirectUris: [redirectUri],
      useRefreshTokens: !isBuiltIn,
      trusted: true,
      expireDuration: 300,
      ...registration,
    }));
  await store.refreshRegistry();
  const { issuing, ending } = stage;
  const browser = new TestBrowser();
  const administrator = buildAdministrator();
  return { store, issuing, ending, account, resourceServer, client, administrator, browser };
}
