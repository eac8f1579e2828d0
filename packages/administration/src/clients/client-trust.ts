import {
  type Client,
  type ClientRegistration,
  clientFields,
  type ResourceServer,
  type Scopes,
  submittedNames,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** The trust in a client. When it ends, all its fields become `false`. */
export type Trust = Pick<Client, TrustField>;

export type TrustField = (typeof trustFields)[number];

const trustFields = ['skipConsent', 'trusted', 'keepsUserData'] as const satisfies readonly (keyof Client)[];

/** The fields that an administrator confirms. When another caller changes one of these fields, the trust ends. */
export const confirmedFields: readonly (keyof ClientRegistration)[] = submittedNames(
  clientFields,
  ({ endsTrust }) => endsTrust === true,
);

/** Each decides whether a scope of the resource server differs from the scope that an administrator confirmed. */
const scopeChanges: readonly ((scope: string, after: ResourceServer, before: ResourceServer) => boolean)[] = [
  (scope, after) => !after.scopes.includes(scope),
  (scope, after, before) => descriptionOf(scope, after) !== descriptionOf(scope, before),
];

export const noTrust: Trust = { skipConsent: false, trusted: false, keepsUserData: false };

/** A confirmed client needs no exception. */
export const confirmed = { trusted: true, keepsUserData: false } as const satisfies Partial<Trust>;

/** The trust in a client that the caller registers. An administrator confirms it by that. */
export function newTrust({ isAdministrator }: Caller): Omit<Trust, 'skipConsent'> {
  return { trusted: isAdministrator, keepsUserData: false };
}

/** The trust after the caller has changed the client. */
export function trustAfter(caller: Caller, before: Client, submitted: ClientRegistration): Trust {
  const { trusted, keepsUserData } = before;
  const { skipConsent } = submitted;
  if (caller.isAdministrator) {
    // An administrator who sets skipConsent has checked the client.
    const isConfirmed = skipConsent && !before.skipConsent;
    return isConfirmed ? { ...confirmed, skipConsent } : { skipConsent, trusted, keepsUserData };
  }
  const isKept = confirmedFields.every((field) => isSame(before[field], submitted[field]));
  return isKept ? { skipConsent, trusted, keepsUserData } : noTrust;
}

/** The fields that became `false`, unless the caller is an administrator. */
export function resetFields(caller: Caller, before: Trust, after: Trust): TrustField[] {
  return caller.isAdministrator ? [] : trustFields.filter((field) => before[field] && !after[field]);
}

/** Scopes whose clients are no longer trusted once the caller has changed the resource server. */
export function distrustedScopes(caller: Caller, before: ResourceServer, after: ResourceServer): Scopes {
  if (caller.isAdministrator) return [];
  return before.scopes.filter((scope) => scopeChanges.some((hasChanged) => hasChanged(scope, after, before)));
}

function descriptionOf(scope: string, { scopeDescriptions }: ResourceServer): string | undefined {
  return JSON.stringify(scopeDescriptions.find(({ name }) => name === scope));
}

/** Lists of a client are sets: their order has no meaning. */
function isSame(a: unknown, b: unknown): boolean {
  const ordered = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
  return ordered(a) === ordered(b);
}
