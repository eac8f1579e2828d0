import {
  accountDigest,
  type FailedLogin,
  type FailedTokenRequest,
  type SecurityLog,
} from '@watchword/protocol';
import type { Logger } from './logger.ts';

/**
 * Writes one line for each failed login and each token request that got an error. Accounts appear as keyed digests. The digest
 * of an account is always the same, and `watchword user digest` prints the digest of a name.
 */
export function securityLog(logger: Logger, key: Uint8Array): SecurityLog {
  const described = ({ source, clientId, account, ...rest }: FailedLogin | FailedTokenRequest) => ({
    ...rest,
    client: clientId ?? null,
    account: account === undefined ? null : accountDigest(key, account),
    address: source,
  });
  return {
    loginFailed: (failure) => logger.info(described(failure), 'a login failed'),
    tokenRequestFailed: (failure) => logger.info(described(failure), 'a token request failed'),
  };
}
