import { createBearerValue, parseBearerValue } from '../bearer-value.ts';
import type { AccessTokenFormat } from './access-token-format.ts';

/** A random text without a meaning: only the store has the meaning of the token. */
export const opaque: AccessTokenFormat = {
  write: ({ creationDate, grant }, { random }) =>
    createBearerValue('access', creationDate, random, grant?.id),
  read: (value) => parseBearerValue('access', value),
};
