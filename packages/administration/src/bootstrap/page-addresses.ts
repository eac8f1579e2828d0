import {
  administrationBaseUrl,
  administrationClientId,
  administrationRedirectUri,
  type Client,
  OAuthError,
  type Registry,
  redirectUriProblem,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { clientDifference, ofClient } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { builtInRecords } from './bootstrap.ts';

/** Base URLs under which the administration pages can be opened: first the server's own. */
export interface PageAddresses {
  /** Empty while the pages are not registered. @throws OAuthError `conflict` */
  list(): Promise<readonly string[]>;
  /**
   * Allows one more base URL, such as a second host name of the server. The existing ones do not change.
   *
   * @throws OAuthError `invalid_request` if its redirect URI is not permitted; `not_found` while the pages are not registered
   */
  add(caller: Caller, baseUrl: string): Promise<readonly string[]>;
  /** @throws OAuthError `conflict` for the server's own; `not_found` for one that is not allowed */
  remove(caller: Caller, baseUrl: string): Promise<readonly string[]>;
}

export function pageAddresses(deps: AdministrationDependencies): PageAddresses {
  const change = (caller: Caller, edit: (redirectUris: readonly string[]) => readonly string[]) =>
    changeRecords(caller, deps, async (stores) => {
      const { resourceServer, client } = await builtInRecords(stores);
      if (resourceServer === undefined || client === undefined) throw notRegistered();
      const redirectUris = edit(client.redirectUris);
      if (redirectUris === client.redirectUris) return { value: addressesOf(client), changes: [] };
      const after = (await stores.clients.update(client.id, { redirectUris })) ?? client;
      const updated = { action: 'update', ...ofClient(client, resourceServer) } as const;
      return { value: addressesOf(after), changes: [{ ...updated, ...clientDifference(client, after) }] };
    });

  return {
    list: async () => addressesOf((await builtInRecords(deps)).client),
    async add(caller, baseUrl) {
      checkPageAddress(baseUrl);
      const redirectUri = administrationRedirectUri(baseUrl);
      return change(caller, (all) => (all.includes(redirectUri) ? all : [...all, redirectUri]));
    },
    remove(caller, baseUrl) {
      const redirectUri = administrationRedirectUri(baseUrl);
      return change(caller, ([own, ...others]) => {
        if (own === redirectUri) throw ownAddress();
        if (!others.includes(redirectUri)) throw notAllowed(baseUrl);
        return [own ?? '', ...others.filter((uri) => uri !== redirectUri)];
      });
    },
  };
}

/** @throws OAuthError `invalid_request` for a base URL with which the redirect URI of the pages is not permitted */
export function checkPageAddress(baseUrl: string): void {
  const problem = redirectUriProblem(administrationRedirectUri(baseUrl));
  if (problem === undefined) return;
  throw new OAuthError('invalid_request', {
    rule: 'valid_record',
    description: `The administration pages at ${baseUrl} cannot get a token: their redirect URI ${problem}.`,
  });
}

/** The base URLs as they are registered now, from memory. */
export function registeredPageAddresses(registry: Registry): readonly string[] {
  return addressesOf(registry.clientByClientId(administrationClientId));
}

function addressesOf(client: Client | undefined): readonly string[] {
  return (client?.redirectUris ?? []).map(administrationBaseUrl);
}

function notRegistered(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'The administration pages are not registered. The command watchword bootstrap registers them, and so does the server at its start.',
  });
}

function ownAddress(): OAuthError {
  return new OAuthError('conflict', {
    description:
      "This is the server's own base URL, under which its pages are opened. It follows the setting baseUrl.",
  });
}

function notAllowed(baseUrl: string): OAuthError {
  return new OAuthError('not_found', {
    description: `The administration pages are not at ${baseUrl}; the command watchword bootstrap shows where they are.`,
  });
}
