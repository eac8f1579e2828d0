import { type Clock, type Instruments, signingAlgorithm } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { IssuedCounts } from '../runtime/work/issued-counts.ts';

/** What counts issued tokens and logins. */
export interface Counting {
  /** For the statistics. */
  readonly issuedCounts: IssuedCounts;
  /** Counts for the metrics too. */
  readonly instruments: Instruments;
}

interface Counted {
  readonly configuration: Pick<Configuration, 'signing.algorithms'>;
  readonly metrics: Metrics;
}

export function countingOf(
  { configuration, metrics }: Counted,
  statistics: ServerStore['statistics'],
  clock: Clock,
): Counting {
  const issuedCounts = new IssuedCounts(statistics, clock);
  const algorithms = configuration['signing.algorithms'];
  return {
    issuedCounts,
    instruments: {
      tokenIssued(grantType, client) {
        metrics.tokenIssued(grantType);
        issuedCounts.tokenIssued(grantType, client.id);
      },
      idTokenIssued(grantType, client) {
        const algorithm = signingAlgorithm(client.idTokenSignedResponseAlg, client, { algorithms });
        metrics.idTokens.inc({ algorithm, grant_type: grantType });
      },
      loggedIn: (authenticator) => metrics.loginEnded(authenticator, 'success'),
      factorPresented: (factor) => metrics.factorPresented(factor),
    },
  };
}
