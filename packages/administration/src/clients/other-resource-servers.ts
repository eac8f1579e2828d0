import {
  type Client,
  type ClientRegistration,
  checkJwtClient,
  isHomeOfOpenClients,
  type ResourceServer,
  type ResourceServerScopes,
  type ResourceServerStore,
  type Scopes,
  shown,
  type Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';

/** The scopes that the resource server lets clients of other owners have; `undefined` if it is closed to them. */
export function openScopesFor(
  { openToClients, openScopes }: Pick<ResourceServer, 'openToClients' | 'openScopes'>,
  { trusted }: Pick<Client, 'trusted'>,
): Scopes | undefined {
  const isOpen = openToClients === 'everyone' || (openToClients === 'administrators' && trusted);
  return isOpen ? openScopes : undefined;
}

export interface Registered {
  readonly caller: Caller;
  readonly home: ResourceServer;
  /** The registration that is to be changed; `undefined` for a new client. */
  readonly before: ClientRegistration | undefined;
}

/**
 * Finds what is wrong with the other resource servers of a client. What a client has already, it keeps. Returns the registration without
 * those that do not exist any more.
 */
export async function checkOtherResourceServers(
  registration: ClientRegistration,
  { caller, home, before }: Registered,
  { resourceServers }: { readonly resourceServers: Pick<ResourceServerStore, 'findById'> },
  violations: Violations,
): Promise<ClientRegistration> {
  const kept: ResourceServerScopes[] = [];
  const found: ResourceServer[] = [];
  for (const entry of registration.otherResourceServers) {
    const { resourceServerId: id } = entry;
    const stored = before?.otherResourceServers.find(({ resourceServerId }) => resourceServerId === id);
    const server = await resourceServers.findById(id);
    if (server === undefined && stored !== undefined) continue;
    kept.push(entry);
    if (server !== undefined) found.push(server);
    const problems = id === home.id ? [homeProblem(id)] : entryProblems(caller, entry, stored, server);
    violations.addAll('otherResourceServers', problems);
  }
  const issuesJwts = ({ accessTokenFormat }: ResourceServer) => accessTokenFormat === 'jwt';
  const ofJwts = issuesJwts(home) ? undefined : found.find(issuesJwts);
  if (ofJwts !== undefined) checkJwtClient(registration, ofJwts, violations);
  return { ...registration, otherResourceServers: kept };
}

function homeProblem(id: number): string {
  return `${id} is the resource server of the client, whose scopes are the field scopes`;
}

function* entryProblems(
  caller: Caller,
  { resourceServerId: id, scopes }: ResourceServerScopes,
  stored: ResourceServerScopes | undefined,
  server: ResourceServer | undefined,
): Iterable<string> {
  // Only what is open to every client: the change of a caller who is not an administrator ends the trust in the client.
  const open = server && openScopesFor(server, { trusted: false });
  const isOwn = server !== undefined && owns(caller, server);
  const isUsable = isOwn || open !== undefined || stored !== undefined;
  if (server === undefined || isHomeOfOpenClients(server) || !isUsable) {
    yield `${id} is no resource server of yours, and none that is open to your clients`;
    return;
  }
  for (const scope of scopes) {
    const isKept = stored?.scopes.includes(scope) === true;
    if (!server.scopes.includes(scope))
      yield `${shown(scope, 40)} is not a scope of the resource server ${id}`;
    else if (!isOwn && !isKept && open?.includes(scope) !== true) {
      yield `${shown(scope, 40)} is a scope of the resource server ${id} that is not open to your clients`;
    }
  }
}
