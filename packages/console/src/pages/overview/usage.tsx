import type { CountedClient, StatisticsPage } from '@watchword/admin-client';
import { useResourceServer } from '../../api/queries.ts';
import { type Bar, Bars } from '../../charts/bars.tsx';
import { Link } from '../../router/link.tsx';
import { clientRoute, resourceServerRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { atLeast } from './at-least.ts';
import { Card } from './card.tsx';

/** Which clients and resource servers are used, and by how many people. */
export function Usage({ statistics }: { readonly statistics: StatisticsPage }) {
  const { clients, countLimit } = statistics;
  const perClient = (what: 'tokens' | 'resourceOwners') =>
    clients
      .filter((client) => client[what] > 0)
      .map((client) => ({
        key: client.clientId,
        label: (
          <Link to={clientRoute(client.resourceserver_id, client.id)}>
            <bdi>{client.clientName}</bdi>
          </Link>
        ),
        value: client[what],
        text: atLeast(client[what], client[what] >= countLimit),
      }));
  return (
    <>
      <Compared title={t('overview.byClient')} bars={perClient('tokens')} />
      <Compared title={t('overview.byServer')} bars={perResourceServer(clients)} color={1} />
      <Compared title={t('overview.peopleByClient')} bars={perClient('resourceOwners')} color={2} />
    </>
  );
}

interface ComparedProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly color?: number;
}

function Compared({ title, bars, color = 0 }: ComparedProps) {
  return (
    <Card title={title}>
      {bars.length === 0 ? (
        <p className="quiet">{t('overview.none')}</p>
      ) : (
        <Bars label={title} bars={bars} color={color} />
      )}
    </Card>
  );
}

function perResourceServer(clients: readonly CountedClient[]): readonly Bar[] {
  const sums = new Map<number, number>();
  for (const { resourceserver_id: id, tokens } of clients) {
    if (tokens > 0) sums.set(id, (sums.get(id) ?? 0) + tokens);
  }
  return [...sums].map(([id, value]) => ({
    key: String(id),
    label: <ResourceServerName id={id} />,
    value,
  }));
}

function ResourceServerName({ id }: { readonly id: number }) {
  const { data } = useResourceServer(id);
  return (
    <Link to={resourceServerRoute(id)}>
      <bdi>{data?.record.name ?? '…'}</bdi>
    </Link>
  );
}
