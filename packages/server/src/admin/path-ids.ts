import { OAuthError } from '@watchword/protocol';
import type { AdminRequest } from './operation.ts';

/** A record id of the path. @throws OAuthError `invalid_request` */
export function recordId({ path }: AdminRequest, name: string): number {
  const given = path[name] ?? '';
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new OAuthError('invalid_request', { description: 'A record id in the path is no positive number.' });
}

/** The id of a token, in the path or in a cursor. @throws OAuthError `invalid_request` */
export function tokenId({ path }: AdminRequest): string {
  const given = path.id ?? '';
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given)) return given;
  throw new OAuthError('invalid_request', { description: 'The id in the path is not that of a token.' });
}
