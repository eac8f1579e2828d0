import type { StatisticsPage } from '@watchword/admin-client';
import type { Range } from '../../charts/buckets.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Link } from '../../router/link.tsx';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { atLeast } from './at-least.ts';

interface NumbersProps {
  /** How many there are, exactly; `undefined` while it is read, as the statistics. */
  readonly totals: { readonly resourceServers: number; readonly clients: number } | undefined;
  readonly statistics: StatisticsPage | undefined;
  readonly range: Range;
}

/** How much there is, in one line. */
export function Numbers({ totals, statistics, range }: NumbersProps) {
  const { clients = [], issued = [], countLimit = 0, next } = statistics ?? {};
  const isCut = next !== undefined || clients.some(({ tokens }) => tokens >= countLimit);
  const tokens = clients.reduce((sum, client) => sum + client.tokens, 0);
  const linked = (to: string, text: string | undefined) => text && <Link to={to}>{text}</Link>;
  const facts: readonly Fact[] = [
    {
      label: t('servers.title'),
      value: linked(routes.resourceServers, totals && atLeast(totals.resourceServers)),
    },
    { label: t('clients.title'), value: linked(routes.clients, totals && atLeast(totals.clients)) },
    { label: t('overview.validTokens'), value: linked(routes.tokens, statistics && atLeast(tokens, isCut)) },
    {
      label: t(`overview.issuedIn.${range.key}`),
      value: statistics && atLeast(issued.reduce((sum, hour) => sum + hour.tokens, 0)),
    },
  ];
  return <Facts facts={facts.map(({ label, value = '…' }) => ({ label, value }))} />;
}
