import type {
  AccessTokenScan,
  AccessTokenStore,
  GrantedAccessToken,
  ScanPosition,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { ownTargets } from '../grants/grant-sources.ts';
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

type Records = Pick<AdministrationDependencies, 'clients' | 'resourceServers'>;

/**
 * The reads that together return every token that the caller can see and asks for, each by the narrowest index. The length of an empty list
 * must not reveal how many tokens the client of another owner has.
 */
export async function tokenSources(
  caller: Caller,
  { clientId, resourceOwnerId }: AccessTokenFilter,
  records: Records,
): Promise<TokenSource[]> {
  const { login, client, isAdministrator } = caller;
  const ofClient = async (id: string): Promise<TokenSource[]> => {
    const found = await records.clients.find(id);
    return found === undefined ? [] : [{ of: 'client', clientRecordId: found.id }];
  };
  if (isAdministrator) {
    if (clientId !== undefined) return ofClient(clientId);
    if (resourceOwnerId === undefined) return [{ of: 'all' }];
    // A client that acts for itself is the resource owner of its tokens.
    return [{ of: 'owner', name: resourceOwnerId }, ...(await ofClient(resourceOwnerId))];
  }
  if (login !== undefined) {
    // A name can have been that of another user, and the user can have had another name.
    const granted = { of: 'subject', subject: login.owner.subject } as const;
    return clientId === undefined
      ? [granted]
      : [granted, ...(await actingSources(caller, clientId, records))];
  }
  if (client === undefined) return [];
  const asked = clientId ?? client.clientId;
  return asked === client.clientId ? ofClient(asked) : actingSources(caller, asked, records);
}

/** The tokens with which a client acts for itself at resource servers of the caller. */
async function actingSources(caller: Caller, clientId: string, records: Records): Promise<TokenSource[]> {
  const client = await records.clients.find(clientId);
  const home = client && (await records.resourceServers.findById(client.resourceServerId));
  if (client === undefined || home === undefined) return [];
  const at = owns(caller, home) ? undefined : await ownTargets(caller, client, records);
  return at?.length === 0 ? [] : [{ of: 'client', clientRecordId: client.id, acting: { at } }];
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
