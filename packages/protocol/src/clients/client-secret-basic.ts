import type { RequestHead } from '../model/request-head.ts';
import { type ClientAuthenticationMethod, malformedCredentials } from './authentication-method.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import { bySecret } from './machine-secret.ts';

/** Identifier and secret by HTTP Basic (RFC 6749 §2.3.1). An `Authorization` header of another scheme is malformed. */
export const clientSecretBasic = {
  name: 'client_secret_basic',
  provesIdentity: true,
  read({ headers: { authorization } }: Pick<RequestHead, 'headers'>) {
    if (authorization === undefined) return undefined;
    return parseBasicCredentials(authorization) ?? malformedCredentials;
  },
  ...bySecret,
} satisfies ClientAuthenticationMethod;
