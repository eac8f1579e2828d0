import type { StatisticsPage } from '@watchword/admin-client';
import { Button } from '../../controls/button.tsx';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

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
          {t('overview.countedFirst', { counted: counted.length, clients })}{' '}
          <Button size="compact-xs" variant="default" loading={isCountingAll} onClick={onCountAll}>
            {t('overview.countAll')}
          </Button>
        </p>
      )}
      {busiest !== undefined && (
        <p>
          {rich('overview.countLimit', {
            limit: countLimit,
            command: <code>watchword token list --client {busiest.clientId} --limit 1000000</code>,
          })}
        </p>
      )}
    </div>
  );
}
