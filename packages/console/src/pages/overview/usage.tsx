import type { CountedClient, StatisticsPage } from '@watchword/admin-client';
import { useResourceServer } from '../../api/queries.ts';
import { type Bar, Bars } from '../../charts/bars.tsx';
import { Link } from '../../router/link.tsx';
import { clientRoute, resourceServerRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { Card } from './card.tsx';

/** Which clients and resource servers are used, and by how many people. */
export function Usage({ statistics }: { readonly statistics: StatisticsPage }) {
  const { busiest, clients, countLimit } = statistics;
  // The server knows the busiest of all clients. Record owners get them among their own.
  const issued = busiest.length > 0 ? busiest : clients;
  return (
    <>
      <Compared
        title={t('overview.byClient')}
        bars={issued.map((client) => ({ ...named(client), value: client.issued }))}
      />
      <Compared title={t('overview.byServer')} bars={perResourceServer(clients)} color={1} />
      <Compared
        title={t('overview.peopleByClient')}
        bars={clients.map((client) => ({
          ...named(client),
          value: client.resourceOwners,
          ...(client.resourceOwners >= countLimit && {
            text: t('overview.atLeast', { number: countLimit }),
          }),
        }))}
        color={2}
      />
    </>
  );
}

interface ComparedProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly color?: number;
}

function Compared({ title, bars, color = 0 }: ComparedProps) {
  const shown = bars.filter(({ value }) => value > 0);
  return (
    <Card title={title}>
      {shown.length === 0 ? (
        <p className="quiet">{t('overview.none')}</p>
      ) : (
        <Bars label={title} bars={shown} color={color} />
      )}
    </Card>
  );
}

function named({ id, clientName, resourceserver_id }: StatisticsPage['busiest'][number]) {
  return {
    key: String(id),
    label: (
      <Link to={clientRoute(resourceserver_id, id)}>
        <bdi>{clientName}</bdi>
      </Link>
    ),
  };
}

function perResourceServer(clients: readonly CountedClient[]): readonly Bar[] {
  const sums = new Map<number, number>();
  for (const { resourceserver_id: id, issued } of clients) sums.set(id, (sums.get(id) ?? 0) + issued);
  return [...sums].map(([id, value]) => ({ key: String(id), label: <ResourceServerName id={id} />, value }));
}

function ResourceServerName({ id }: { readonly id: number }) {
  const { data } = useResourceServer(id);
  return (
    <Link to={resourceServerRoute(id)}>
      <bdi>{data?.record.name ?? '…'}</bdi>
    </Link>
  );
}
