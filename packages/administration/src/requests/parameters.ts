import { type Identity, OAuthError } from '@watchword/protocol';
import type { AdminRequest, QueryParameter } from '../route.ts';

export const maxFilterLength = 255;

/** A text of the query; `undefined` when it is absent or empty. @throws OAuthError `invalid_request` */
export function filterOf({ query }: AdminRequest, name: string): string | undefined {
  const value = query.get(name) || undefined;
  if (value === undefined || value.length <= maxFilterLength) return value;
  throw invalidParameter(`The parameter ${name} is longer than ${maxFilterLength} characters.`);
}

/** A boolean of the query; `undefined` when it is absent. @throws OAuthError `invalid_request` */
export function flagOf(request: AdminRequest, name: string): boolean | undefined {
  const value = filterOf(request, name);
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidParameter(`The parameter ${name} must be true or false.`);
}

/** A number of the query, from 1 to `maximum`. @throws OAuthError `invalid_request` */
export function numberOf({ query }: AdminRequest, name: string, maximum: number, fallback: number): number {
  const text = query.get(name);
  if (!text) return fallback;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= maximum) return value;
  throw invalidParameter(`The parameter ${name} must be a whole number from 1 to ${maximum}.`);
}

/** Epoch milliseconds of the query; `undefined` when they are absent. @throws OAuthError `invalid_request` */
export function timeOf({ query }: AdminRequest, name: string): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidParameter(`The parameter ${name} must be a time in epoch milliseconds.`);
}

/** Refuses a parameter that is not as the document describes it. */
export function invalidParameter(description: string): OAuthError {
  return new OAuthError('invalid_request', { description, rule: 'described_parameter' });
}

// Record ids begin with 1.
const noRecord = 0;
/** The id of no grant, session or token: a UUIDv7 begins with the time of its creation. */
export const noUuid = '00000000-0000-0000-0000-000000000000';

/** A record id of the path. */
export function recordId({ path }: AdminRequest, name: string): number {
  return recordIdOf(path[name] ?? '');
}

/** A text that cannot be a record id is the id of no record, so that it is not found. */
export function recordIdOf(given: string): number {
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : noRecord;
  return Number.isSafeInteger(id) ? id : noRecord;
}

/** The id of a grant or a session in the path. A text that cannot be an id is the id of none. */
export function uuid({ path }: AdminRequest): string {
  const given = path.id ?? '';
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : noUuid;
}

/** A parameter that leaves records out. */
export function filterParameter(
  name: string,
  description: string,
  type: 'string' | 'boolean' = 'string',
): QueryParameter {
  return { name, description, schema: { type } };
}

/** Names of the query parameters that name one person. */
export const identityFilters = ['resourceOwnerId', 'identityProvider'];

/** @param what the effect of both, such as `Only sessions of this user` */
export function identityParameters(what: string): QueryParameter[] {
  return [
    filterParameter('resourceOwnerId', `${what}: a principal name, with its identityProvider.`),
    filterParameter(
      'identityProvider',
      'The identity provider of resourceOwnerId. The same name at another one is another person.',
    ),
  ];
}

/** The person that the query names. @throws OAuthError `invalid_request` for one parameter without the other */
export function identityOfQuery(request: AdminRequest): Identity | undefined {
  const [name, identityProvider] = identityFilters.map((filter) => filterOf(request, filter));
  if (name !== undefined && identityProvider !== undefined) return { identityProvider, name };
  if (name === undefined && identityProvider === undefined) return undefined;
  throw invalidParameter('The parameters resourceOwnerId and identityProvider must be given together.');
}

/** @throws OAuthError `invalid_request` */
export function choiceOf<Choice extends string>(
  request: AdminRequest,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = filterOf(request, name);
  const choice = choices.find((each) => each === given);
  if (choice !== undefined || given === undefined) return choice;
  throw invalidParameter(`The parameter ${name} must be one of ${choices.join(', ')}.`);
}
