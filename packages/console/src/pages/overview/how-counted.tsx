import type { StatisticsPage } from '@watchword/admin-client';
import { Button } from '../../controls/button.tsx';
import { count } from '../../format/count.ts';

interface HowCountedProps {
  readonly statistics: StatisticsPage;
  /** How many clients there are. */
  readonly clients: number;
  readonly isCountingAll: boolean;
  readonly onCountAll: () => void;
}

/** Explains which records the numbers leave out, and how to get all numbers. */
export function HowCounted({ statistics, clients, isCountingAll, onCountAll }: HowCountedProps) {
  const { clients: counted, countLimit, next } = statistics;
  const busiest = counted.find(
    ({ tokens, resourceOwners }) => Math.max(tokens, resourceOwners) >= countLimit,
  );
  if (next === undefined && busiest === undefined) return undefined;
  return (
    <div className="how-counted quiet">
      {next !== undefined && (
        <p>
          Tokens and users are counted for the first {counted.length.toLocaleString('en')} of{' '}
          {count(clients, 'client')}.{' '}
          <Button size="compact-xs" variant="default" loading={isCountingAll} onClick={onCountAll}>
            Count all
          </Button>
        </p>
      )}
      {busiest !== undefined && (
        <p>
          Of each client, the newest {countLimit.toLocaleString('en')} tokens and grants are counted; a +
          means that there are more. On the server, this command lists all of them:{' '}
          <code>watchword token list --client {busiest.clientId} --limit 1000000</code>
        </p>
      )}
    </div>
  );
}
