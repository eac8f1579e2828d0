import { OAuthError } from '@watchword/protocol';
import type { AdminRequest } from '../route.ts';

export const maxFilterLength = 255;

/** A text of the query; `undefined` when it is absent or empty. @throws OAuthError `invalid_request` */
export function filterOf({ query }: AdminRequest, name: string): string | undefined {
  const value = query.get(name) || undefined;
  if (value === undefined || value.length <= maxFilterLength) return value;
  throw invalid(`The parameter ${name} is longer than ${maxFilterLength} characters.`);
}

/** A boolean of the query; `undefined` when it is absent. @throws OAuthError `invalid_request` */
export function flagOf(request: AdminRequest, name: string): boolean | undefined {
  const value = filterOf(request, name);
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalid(`The parameter ${name} must be true or false.`);
}

/** A number of the query, from 1 to `maximum`. @throws OAuthError `invalid_request` */
export function numberOf({ query }: AdminRequest, name: string, maximum: number, fallback: number): number {
  const text = query.get(name);
  if (!text) return fallback;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= maximum) return value;
  throw invalid(`The parameter ${name} must be a whole number from 1 to ${maximum}.`);
}

/** Epoch milliseconds of the query; `undefined` when they are absent. @throws OAuthError `invalid_request` */
export function timeOf({ query }: AdminRequest, name: string): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid(`The parameter ${name} must be a time in epoch milliseconds.`);
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_request', { description, rule: 'described_parameter' });
}
