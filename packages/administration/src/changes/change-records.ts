import {
  type AuditEvent,
  type ClientStore,
  OAuthError,
  type ProfileChecks,
  type Random,
  type ResourceServerStore,
  type ScopeSyntax,
  type SectorIdentifiers,
  type SigningAlgorithm,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import { activeToken } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { lacksRight } from '../callers/permitted-caller.ts';
import type { RegistrationRightDependencies } from '../callers/registration-right.ts';
import { heldRights, includesRight } from '../callers/rights.ts';
import { type AuditedChange, auditEvents } from './audit.ts';
import type { ManagingDependencies } from './managed.ts';
import { countChange, type OwnerLimitDependencies } from './owner-limits.ts';

/** The dependencies of the administration of records. */
export interface AdministrationDependencies
  extends OwnerLimitDependencies,
    RegistrationRightDependencies,
    ManagingDependencies {
  readonly resourceServers: ResourceServerStore;
  readonly clients: ClientStore;
  readonly transact: Transact;
  readonly random: Random;
  /** How requests write scopes. Default: as in RFC 6749. */
  readonly scopeSyntax?: ScopeSyntax;
  /** The algorithms that the server signs JWTs with. Default: all. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  /** Absent: no sector identifier URI can be registered. */
  readonly sectorIdentifiers?: SectorIdentifiers;
  /** See `requireFreshLogin`. Default: any login is enough. */
  readonly freshLogin?: number;
  /** Called with each change once it is durable. */
  readonly audited?: (event: AuditEvent) => void;
}

/** The result of a change, and its entries in the audit log. */
export interface Changed<Value> {
  readonly value: Value;
  readonly changes: readonly AuditedChange[];
}

type ChangeDependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
>;

type Work<Value> = (stores: TransactionStores) => Promise<Changed<Value>>;

/**
 * Runs a change in one transaction together with its audit events.
 *
 * @throws OAuthError `invalid_token` and `access_denied` if the access of the caller has ended; `too_many_changes`
 */
export function changeRecords<Value>(
  caller: Caller,
  deps: ChangeDependencies,
  work: Work<Value>,
): Promise<Value> {
  return finishChange(caller, deps, async (stores) => {
    await countChange(caller, deps, stores);
    return work(stores);
  });
}

/**
 * The second transaction of a change that was counted in its first one.
 *
 * @throws OAuthError `invalid_token` if the access of the caller has ended
 */
export function finishChange<Value>(
  caller: Caller,
  deps: ChangeDependencies,
  work: Work<Value>,
): Promise<Value> {
  return recordChange(caller, deps, async (stores) => {
    await requireAccess(caller, stores);
    return work(stores);
  });
}

/** A further part of a change, also when the first part has ended the access of the caller. The limits of record owners do not count it. */
async function recordChange<Value>(
  caller: Caller,
  deps: ChangeDependencies,
  work: Work<Value>,
): Promise<Value> {
  const { value, events } = await deps.transact(async (stores) => {
    const { value, changes } = await work(stores);
    const events = auditEvents(caller, changes, deps);
    if (events.length > 0) await stores.auditEvents.append(events);
    return { value, events };
  });
  for (const event of events) deps.audited?.(event);
  return value;
}

/** Runs the parts of a change one after the other. The limits of record owners count it once, with its first part. */
export function changeInParts(caller: Caller, deps: ChangeDependencies) {
  let run: typeof changeRecords = changeRecords;
  return async <Value>(part: Work<Value>): Promise<Value> => {
    const value = await run(caller, deps, part);
    run = recordChange;
    return value;
  };
}

/**
 * The access token of the caller was valid when the request arrived. It can be revoked while the change waits for other
 * transactions: a user whose account is disabled must not leave a new token or record behind.
 *
 * So can the right of a client.
 *
 * @throws OAuthError `invalid_token`, `access_denied`
 */
async function requireAccess(caller: Caller, stores: TransactionStores): Promise<void> {
  const { access, client, right } = caller;
  if (access === undefined) return;
  const token = await stores.issuedTokens.find(access.tokenId);
  if (token === undefined || (await activeToken(token, stores)) === undefined) {
    throw new OAuthError('invalid_token');
  }
  if (right === undefined || client === undefined) return;
  const rights = await heldRights(client.id, stores.rights);
  if (!includesRight(rights, right)) throw lacksRight({ client, rights }, right);
}
