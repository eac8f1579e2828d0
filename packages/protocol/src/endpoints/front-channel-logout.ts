import { inQuery } from '../authorize/targets/redirect.ts';
import type { SessionClient } from '../model/records/session-client.ts';
import type { Registry } from '../ports/stores/registry.ts';

/**
 * The URLs that a page loads so that the clients of a session end their own sessions in this browser (OpenID Connect
 * Front-Channel Logout §2): the registered ones, with `iss` and `sid`.
 */
export function frontChannelFrames(
  clients: readonly SessionClient[],
  { registry, issuer }: { readonly registry: Pick<Registry, 'clientById'>; readonly issuer: string },
): readonly string[] {
  return clients.flatMap(({ clientRecordId, sid }) => {
    const uri = registry.clientById(clientRecordId)?.frontchannelLogoutUri ?? '';
    return uri === '' ? [] : [inQuery(uri, { iss: issuer, sid })];
  });
}
