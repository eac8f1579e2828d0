import {
  describedScopes,
  type MachineSecret,
  type ManagedChange,
  type RecordState,
  type ResourceServer,
  resourceServerFields,
  type ScopeDescription,
  type WireRecord,
  wireRecord,
} from '@watchword/protocol';
import { difference } from '../changes/audit.ts';
import { digestOfRecord, type ManagingDependencies, managedChange } from '../changes/managed.ts';
import { type NewSecret, type SecretMark, secretMark } from '../registered/registered-fields.ts';
import type { ResourceServerRegistration } from './resource-server-rules.ts';

/** In the names of the administration interface, never with a secret or a digest of one. */
function resourceServerRecord(resourceServer: ResourceServer): ResourceServerRecord {
  return wireRecord(resourceServerFields, resourceServer);
}

export interface ResourceServerRecord extends WireRecord<typeof resourceServerFields> {}

/** A resource server in an answer, with a mark if it has a secret that can be guessed. */
export function answeredResourceServer(resourceServer: ResourceServer): ResourceServerRecord & SecretMark {
  return { ...resourceServerRecord(resourceServer), ...secretMark(resourceServer) };
}

/** As in an answer, but each scope is an object, with its description if it has one. */
export function describedResourceServer(resourceServer: ResourceServer): DescribedResourceServer {
  const { scopes, scopeDescriptions } = resourceServer;
  return { ...answeredResourceServer(resourceServer), scopes: describedScopes(scopes, scopeDescriptions) };
}

interface DescribedResourceServer extends Omit<ResourceServerRecord, 'scopes'>, SecretMark {
  readonly scopes: readonly ScopeDescription[];
}

/** The audit log has names and descriptions apart, so that a change of one is seen. */
export function auditedResourceServer(resourceServer: ResourceServer): RecordState {
  const { scopeDescriptions } = resourceServer;
  const record = resourceServerRecord(resourceServer);
  return scopeDescriptions.length === 0 ? record : { ...record, scopeDescriptions };
}

/** Names the resource server of a change. */
export function ofResourceServer({ id, key, owner, ownerAuthority }: ResourceServer) {
  return {
    recordType: 'resourceServer',
    recordId: String(id),
    recordName: key,
    owner: { identityProvider: ownerAuthority, name: owner },
  } as const;
}

type Left = Pick<ResourceServer, 'owner' | 'ownerAuthority'> & ResourceServerRegistration;

/** What a change says of the configuration that is applied; see {@link managedChange}. */
export function managedServerChange(
  deps: ManagingDependencies,
  { owner, ownerAuthority, ...fields }: Left,
  secret: MachineSecret,
): ManagedChange {
  return managedChange(deps, resourceServerFields, fields, { secret, decided: { owner, ownerAuthority } });
}

/** The digest of a resource server as it is. */
export function digestOfResourceServer(resourceServer: ResourceServer): string {
  const { secret, owner, ownerAuthority } = resourceServer;
  return digestOfRecord(resourceServerFields, resourceServer, { secret, decided: { owner, ownerAuthority } });
}

/** A configuration has brought a new secret. */
export function replacedSecret(resourceServer: ResourceServer, { overlap }: NewSecret) {
  return { action: 'rotateSecret', ...ofResourceServer(resourceServer), after: { overlap } } as const;
}

/** The fields of a resource server that an update has changed, before and after. */
export function resourceServerDifference(before: ResourceServer, after: ResourceServer) {
  return difference(
    { ...resourceServerRecord(before), scopeDescriptions: before.scopeDescriptions },
    { ...resourceServerRecord(after), scopeDescriptions: after.scopeDescriptions },
  );
}
