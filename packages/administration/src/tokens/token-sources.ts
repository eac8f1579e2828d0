import type {
  AccessTokenScan,
  AccessTokenStore,
  ClientStore,
  GrantedAccessToken,
  ResourceServerStore,
  ScanPosition,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import type { Source, SourcePosition } from '../lists/sources.ts';

export interface AccessTokenFilter {
  /** Part of the client's name, the clientId or the resource owner's name. */
  readonly q?: string | undefined;
  readonly clientId?: string | undefined;
  /** Name of the resource owner. */
  readonly resourceOwnerId?: string | undefined;
  readonly expired?: boolean | undefined;
}

/** Where a list of tokens continues. */
export type AccessTokenPosition = SourcePosition<ScanPosition>;

/** One of the reads that together make a list. */
type TokenSource = AccessTokenScan extends infer Scan
  ? Scan extends AccessTokenScan
    ? Omit<Scan, 'limit' | 'before' | 'mayContain'>
    : never
  : never;

interface Records {
  readonly clients: Pick<ClientStore, 'find'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
}

/** The reads that together return every token that the caller can see and asks for, each by the narrowest index. */
export async function tokenSources(
  caller: Caller,
  { clientId, resourceOwnerId }: AccessTokenFilter,
  { clients, resourceServers }: Records,
): Promise<TokenSource[]> {
  const ofClient = async (id: string): Promise<TokenSource[]> => {
    const client = await clients.find(id);
    return client === undefined ? [] : [{ of: 'client', clientRecordId: client.id }];
  };
  // The length of an empty list must not reveal how many tokens the client of another owner has.
  const isOwn = async (id: string): Promise<boolean> => {
    const found = await clients.find(id);
    if (found === undefined || found.id === client?.id) return found !== undefined;
    const resourceServer = await resourceServers.findById(found.resourceServerId);
    return resourceServer !== undefined && owns(caller, resourceServer);
  };
  const { login, client, isAdministrator } = caller;
  if (!isAdministrator && login === undefined && client !== undefined) {
    const asked = clientId ?? client.clientId;
    return (await isOwn(asked)) ? ofClient(asked) : [];
  }
  if (!isAdministrator) {
    // A name can have been that of another user, and the user can have had another name.
    return login === undefined ? [] : [{ of: 'subject', subject: login.owner.subject }];
  }
  if (clientId !== undefined) return ofClient(clientId);
  if (resourceOwnerId === undefined) return [{ of: 'all' }];
  // A client that acts for itself is the resource owner of its tokens.
  return [{ of: 'owner', name: resourceOwnerId }, ...(await ofClient(resourceOwnerId))];
}

/** Each of the reads, as a source of a list. */
export function readableSources(
  scans: readonly TokenSource[],
  accessTokens: Pick<AccessTokenStore, 'scan'>,
  mayContain: string | undefined,
): Source<GrantedAccessToken, ScanPosition>[] {
  return scans.map((scan, number) => ({
    number,
    read: (before, limit) => accessTokens.scan({ ...scan, mayContain, ...(before && { before }), limit }),
  }));
}

export function scanPosition({ id, grant, grantId }: GrantedAccessToken): ScanPosition {
  return {
    id,
    ...(grantId !== undefined && { grantId }),
    ...(grant !== undefined && { identityProvider: grant.owner.identityProvider }),
  };
}
