import './overview.css';
import { SegmentedControl } from '@mantine/core';
import type { Statistics, StatisticsPage } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { useResourceServers, useStatistics } from '../../api/queries.ts';
import { Bars } from '../../charts/bars.tsx';
import { type Range, ranges } from '../../charts/buckets.ts';
import { IssuedChart } from '../../charts/issued-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { isSystemRecord } from '../../components/owner.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { clientRoute, routes } from '../../router/routes.ts';
import { useListState } from '../../router/use-list-state.ts';
import { FirstSteps } from './first-steps.tsx';
import { reasonText } from './reasons.ts';

const [firstRange] = ranges;

export function Overview() {
  const { isAdministrator } = usePerson();
  const list = useListState({ key: '', isDescending: false });
  const range = ranges.find(({ key }) => key === list.get('range')) ?? firstRange;
  const servers = useResourceServers();
  const { data, error, refetch } = useStatistics(range?.hours ?? 24);
  const own = servers.data?.items.filter((server) => !isSystemRecord(server));
  return (
    <>
      <PageHeader
        title="Overview"
        lead={isAdministrator ? 'Everything on this server.' : 'What is yours on this server.'}
      />
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {own !== undefined && data !== undefined && range !== undefined ? (
        <>
          <FirstSteps resourceServers={own} statistics={data} />
          <Numbers servers={servers.data} statistics={data} range={range} />
          <div className="cards">
            <Card
              title="Tokens issued"
              isWide
              control={
                <SegmentedControl
                  size="xs"
                  aria-label="How far back"
                  value={range.key}
                  onChange={(key) => list.set({ range: key === firstRange?.key ? '' : key })}
                  data={ranges.map(({ key, label }) => ({ value: key, label }))}
                />
              }
            >
              <IssuedChart issued={data.issued} range={range} now={Date.now()} />
            </Card>
            <PerClient statistics={data} />
            {isAdministrator && <Refusals refusals={data.refusals} />}
          </div>
        </>
      ) : (
        error === null && <Loading rows={8} />
      )}
    </>
  );
}

interface NumbersProps {
  readonly servers: ReturnType<typeof useResourceServers>['data'];
  readonly statistics: StatisticsPage;
  readonly range: Range;
}

function Numbers({ servers, statistics, range }: NumbersProps) {
  const { clients, issued, countLimit, next } = statistics;
  const hasMore = next !== undefined;
  const tokens = clients.reduce((sum, client) => sum + client.tokens, 0);
  const isCapped = hasMore || clients.some((client) => client.tokens >= countLimit);
  const figures = [
    {
      label: 'resource servers',
      value: servers?.items.length ?? 0,
      to: routes.resourceServers,
      isCapped: servers?.isComplete === false,
    },
    { label: 'clients', value: clients.length, to: routes.clients, isCapped: hasMore },
    { label: 'live tokens', value: tokens, to: routes.tokens, isCapped },
    { label: `issued in ${range.label}`, value: issued.reduce((sum, hour) => sum + hour.tokens, 0) },
  ];
  return (
    <dl className="figures">
      {figures.map(({ label, value, to, isCapped = false }) => (
        <div key={label} className="figure-of">
          <dt>{label}</dt>
          <dd>
            {to === undefined ? atLeast(value, isCapped) : <Link to={to}>{atLeast(value, isCapped)}</Link>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PerClient({ statistics: { clients, countLimit, next } }: { readonly statistics: StatisticsPage }) {
  const whose = next === undefined ? '' : `, of the first ${clients.length} clients`;
  const bars = (of: 'tokens' | 'resourceOwners') =>
    clients
      .filter((client) => client[of] > 0)
      .map((client) => ({
        key: client.clientId,
        label: (
          <Link to={clientRoute(client.resourceserver_id, client.id)}>
            <bdi>{client.clientName}</bdi>
          </Link>
        ),
        value: client[of],
        text: atLeast(client[of], client[of] >= countLimit),
      }));
  const tokens = bars('tokens');
  const owners = bars('resourceOwners');
  return (
    <>
      <Card title={`Live tokens per client${whose}`}>
        {tokens.length === 0 ? (
          <p className="quiet">No client has a token that counts now.</p>
        ) : (
          <Bars label="Live tokens per client" bars={tokens} />
        )}
      </Card>
      <Card title={`People per client${whose}`}>
        {owners.length === 0 ? (
          <p className="quiet">Nobody lets a client act for them now.</p>
        ) : (
          <Bars label="People per client" bars={owners} color={2} />
        )}
      </Card>
    </>
  );
}

function Refusals({ refusals }: Pick<Statistics, 'refusals'>) {
  return (
    <Card title="Refused requests">
      {refusals.length === 0 ? (
        <p className="quiet">None since this node was started.</p>
      ) : (
        <>
          <Bars
            label="Refused requests by reason"
            color={3}
            bars={refusals.map(({ reason, requests }) => ({
              key: reason,
              label: <span title={reason}>{reasonText(reason)}</span>,
              value: requests,
            }))}
          />
          <p className="quiet card-note">Of this node, since it was started.</p>
        </>
      )}
    </Card>
  );
}

interface CardProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly control?: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, isWide = false, control, children }: CardProps) {
  return (
    <section className={isWide ? 'card card-wide' : 'card'}>
      <div className="card-head">
        <h2>{title}</h2>
        {control}
      </div>
      {children}
    </section>
  );
}

function atLeast(value: number, isCapped: boolean): string {
  return `${value.toLocaleString('en')}${isCapped ? '+' : ''}`;
}
