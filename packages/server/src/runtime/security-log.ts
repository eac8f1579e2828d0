import {
  accountDigest,
  type FailedLogin,
  type RefusedTokenRequest,
  type SecurityLog,
} from '@watchword/protocol';
import type { Logger } from './logger.ts';

/**
 * Writes one line for each failed login and each refused token request. Accounts stand in it as keyed digests: of the same
 * account it is the same, and `watchword user digest` tells which it is of a name.
 */
export function securityLog(logger: Logger, key: Uint8Array): SecurityLog {
  const described = ({ source, clientId, account, ...rest }: FailedLogin | RefusedTokenRequest) => ({
    ...rest,
    client: clientId ?? null,
    account: account === undefined ? null : accountDigest(key, account),
    address: source,
  });
  return {
    loginFailed: (failure) => logger.info(described(failure), 'a login failed'),
    tokenRefused: (refusal) => logger.info(described(refusal), 'refused a token request'),
  };
}
