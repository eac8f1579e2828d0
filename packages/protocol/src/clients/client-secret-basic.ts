import type { RequestHead } from '../model/request-head.ts';
import { type ClientAuthenticationMethod, malformedCredentials } from './authentication-method.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import { bySecret } from './by-secret.ts';

/** Identifier and secret by HTTP Basic (RFC 6749 §2.3.1). An `Authorization` header of another scheme is malformed. */
export const clientSecretBasic = {
  ...bySecret('client_secret_basic'),
  read({ headers: { authorization } }: Pick<RequestHead, 'headers'>) {
    if (authorization === undefined) return undefined;
    return parseBasicCredentials(authorization) ?? malformedCredentials;
  },
} satisfies ClientAuthenticationMethod;
