import { type Clock, type Instruments, type SecretUses, signingAlgorithm } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { IssuedCounts } from '../runtime/work/issued-counts.ts';
import { NotedSecretUses } from '../runtime/work/noted-secret-uses.ts';

/** What counts issued tokens and logins, and notes the uses of secrets. */
export interface Counting {
  readonly secretUses: SecretUses;
  /** Stores what was counted and noted in memory. */
  flushCounts(): Promise<void>;
  /** Counts for the metrics too. */
  readonly instruments: Instruments;
}

interface Counted {
  readonly configuration: Pick<Configuration, 'signing.algorithms'>;
  readonly metrics: Metrics;
}

export function countingOf(
  { configuration, metrics }: Counted,
  { statistics }: Pick<ServerStore, 'statistics'>,
  clock: Clock,
): Counting {
  const issuedCounts = new IssuedCounts(statistics, clock);
  const algorithms = configuration['signing.algorithms'];
  const secretUses = new NotedSecretUses(statistics);
  return {
    secretUses,
    async flushCounts() {
      await issuedCounts.flush();
      await secretUses.flush();
    },
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
