import { createBearerValue, parseBearerValue } from '../bearer-value.ts';
import type { AccessTokenFormat } from './access-token-format.ts';

/** A random text without a meaning of its own: only the store knows what the token is issued for. */
export const opaque: AccessTokenFormat = {
  write: ({ creationDate, grant }, { random }) =>
    createBearerValue('access', creationDate, random, grant?.id),
  read: (value) => parseBearerValue('access', value),
};
