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
  const key = isBuiltIn ? administrationKey : `api-${username}`;
  const owned = isBuiltIn ? { ownerAuthority: systemIdentityProvider } : { owner: username };
  const clientId = isBuiltIn ? administrationClientId : `app-${username}`;
  const { resourceServer, client } = await store.transact(async (stores) => {
    await stores.accounts.create(account);
    const resourceServer =
      (await stores.resourceServers.find(key)) ??
      (await addResourceServer(stores, key, { ...owned, scopes: ['read', 'write'] }));
    const client =
      (await stores.clients.find(clientId)) ??
      (await addClient(stores, clientId, resourceServer, {
        redirectUris: [redirectUri],
        useRefreshTokens: !isBuiltIn,
        trusted: true,
        expireDuration: 300,
        ...registration,
      }));
    return { resourceServer, client };
  });
  await store.refreshRegistry();
  const { issuing, ending } = stage;
  const browser = new TestBrowser();
  const administrator = buildAdministrator();
  return { store, issuing, ending, account, resourceServer, client, administrator, browser };
}
