import {
  accountDigest,
  type FailedLogin,
  type FailedTokenRequest,
  type SecurityLog,
} from '@watchword/protocol';
import type { LoginOutcome, Metrics } from '../metrics/metrics.ts';
import type { Logger } from './logger.ts';

/**
 * Counts failed logins, and writes one line for each failed login and each token request that got an error. Accounts appear as keyed digests. The digest
 * of an account is the same until the key is renewed, and `watchword user digest` prints the digest of a name.
 *
 * @param digestKey the key of digests of the database
 */
export function securityLog(logger: Logger, metrics: Metrics, digestKey: () => Uint8Array): SecurityLog {
  const described = ({ source, clientId, account, ...rest }: FailedLogin | FailedTokenRequest) => ({
    ...rest,
    client: clientId ?? null,
    account: account === undefined ? null : accountDigest(digestKey(), account),
    address: source,
  });
  return {
    loginFailed(failure) {
      metrics.loginEnded(failure.authenticator, outcomeOf(failure));
      logger.info(described(failure), 'a login failed');
    },
    tokenRequestFailed: (failure) => logger.info(described(failure), 'a token request failed'),
  };
}

/** A login that its module could not decide on is an error of the server, and one that found the server too busy no failure of the user. */
function outcomeOf({ reason }: FailedLogin): LoginOutcome {
  if (reason === 'login.busy') return 'busy';
  return errors.has(reason) ? 'error' : 'failure';
}

const errors: ReadonlySet<string> = new Set(['module_failed', 'module_timed_out']);
