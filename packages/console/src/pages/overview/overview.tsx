import { t } from '../../texts/texts.ts';
import './overview.css';
import { useQuery } from '@tanstack/react-query';
import type { StatisticsPage } from '@watchword/admin-client';
import { useState } from 'react';
import { type Range, ranges } from '../../charts/figures.ts';
import { IssuedChart } from '../../charts/issued-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { type Fact, Facts } from '../../components/records/facts.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { AuditLine } from '../audit/audit-entries.tsx';
import { Attention } from './attention.tsx';
import { Card } from './card.tsx';
import { Factors } from './factors.tsx';
import { FirstSteps } from './first-steps.tsx';
import { RequestErrors } from './request-errors.tsx';
import { Usage } from './usage.tsx';

const [day] = ranges;

/** Whether anything is wrong, who uses what, and what changed last, in this order. */
export function Overview() {
  const { isAdministrator } = usePerson();
  const list = useListState({ key: '', isDescending: false });
  const range = ranges.find(({ key }) => key === list.get('range')) ?? day;
  const [isWhole, setWhole] = useState(false);
  const records = useFirstRecords();
  const statistics = useStatistics(range.hours, isWhole);
  const { data } = statistics;
  const failed = [records, statistics].find(({ error }) => error !== null);
  return (
    <>
      <PageHeader
        title={t('navigation.overview')}
        lead={<Numbers totals={records.data?.totals} statistics={data} range={range} />}
      />
      {failed !== undefined && <Problem error={failed.error} onRetry={failed.refetch} />}
      {records.data !== undefined && data !== undefined && (
        <FirstSteps resourceServers={records.data.resourceServers} statistics={data} />
      )}
      <Attention statistics={data} />
      {records.data !== undefined && data !== undefined ? (
        <>
          <div className="cards">
            <Card
              title={t('overview.issued')}
              isWide
              control={
                <SegmentedControl
                  aria-label={t('overview.range')}
                  value={range.key}
                  onChange={(key) => list.set({ range: key === day.key ? '' : key })}
                  data={ranges.map(({ key }) => ({ value: key, label: t(`range.${key}`) }))}
                />
              }
            >
              <IssuedChart issued={data.issued} range={range} now={Date.now()} />
            </Card>
            <Usage statistics={data} />
            {isAdministrator && <Factors />}
            {isAdministrator && <RequestErrors errors={data.errors} />}
          </div>
          <HowCounted
            statistics={data}
            clients={records.data.totals.clients}
            isCountingAll={isWhole && statistics.isFetching}
            onCountAll={() => setWhole(true)}
          />
        </>
      ) : (
        failed === undefined && <Loading rows={8} />
      )}
      <Changes />
    </>
  );
}

/**
 * The server counts tokens and people for each client that it is asked for. So many are asked for, by so many
 * pages at most: those of busy clients are short.
 */
const counted = { clients: 300, limit: 100, pages: 10 } as const;

/** The server's own resource server may stand before the first one of a user. */
const first = 2;

/** Numbers of the first clients, or of all of them; `next` is there when there are more. */
function useStatistics(hours: number, isWhole: boolean) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['statistics', hours, isWhole],
    queryFn: async ({ signal }): Promise<StatisticsPage> => {
      const begun = await admin.statistics({ hours, limit: counted.limit }, { signal });
      const clients = [...begun.clients];
      let { next } = begun;
      for (let pages = 1; next !== undefined; pages += 1) {
        if (!isWhole && (pages >= counted.pages || clients.length >= counted.clients)) break;
        const more = await admin.statistics({ hours, limit: counted.limit, cursor: next }, { signal });
        clients.push(...more.clients);
        next = more.next;
      }
      return { ...begun, clients, next };
    },
    placeholderData: (before) => before,
    refetchInterval: isWhole ? false : 60_000,
  });
}

/** The first resource servers, and how many there are of them and of clients. */
function useFirstRecords() {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['resourceServers', 'first'],
    queryFn: async ({ signal }) => {
      const [servers, clients] = await Promise.all([
        admin.resourceServers.list({ limit: first }, { signal }),
        admin.clients.listAll({ limit: 1 }, { signal }),
      ]);
      return {
        resourceServers: servers.items,
        totals: { resourceServers: servers.total ?? 0, clients: clients.total ?? 0 },
      };
    },
  });
}

// So many fit on a screen together with the rest of the page.
const shown = 8;

/** What changed last: who did it, and when. */
function Changes() {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'last'],
    queryFn: ({ signal }) => admin.auditEvents.list({ kind: 'changes', limit: shown }, { signal }),
    refetchInterval: 60_000,
  });
  return (
    <section className="overview-part">
      <div className="card-head">
        <h2>{t('overview.changes')}</h2>
        <Link to={routes.audit}>{t('overview.allChanges')}</Link>
      </div>
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} />
      ) : data.items.length === 0 ? (
        <p className="quiet">{t('overview.noChanges')}</p>
      ) : (
        <ol className="audit-log">
          {data.items.map((event) => (
            <li key={event.id} className="audit-log-entry">
              <div className="audit-log-line">
                <AuditLine event={event} isLinked />
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface NumbersProps {
  /** How many there are, exactly; `undefined` while it is read, as the statistics. */
  readonly totals: { readonly resourceServers: number; readonly clients: number } | undefined;
  readonly statistics: StatisticsPage | undefined;
  readonly range: Range;
}

/** How much there is, in one line. */
function Numbers({ totals, statistics, range }: NumbersProps) {
  const { clients = [], issued = [], countLimit = 0, next } = statistics ?? {};
  const isCut = next !== undefined || clients.some(({ tokens }) => tokens >= countLimit);
  const tokens = clients.reduce((sum, client) => sum + client.tokens, 0);
  const linked = (to: string, text: string | undefined) => text && <Link to={to}>{text}</Link>;
  const facts: readonly Fact[] = [
    {
      label: t('servers.title'),
      value: linked(routes.resourceServers, totals && numberText(totals.resourceServers)),
    },
    { label: t('clients.title'), value: linked(routes.clients, totals && numberText(totals.clients)) },
    // Of many clients no number of valid tokens is known: to count them is to read them.
    ...(isCut
      ? []
      : [
          {
            label: t('overview.validTokens'),
            value: linked(routes.tokens, statistics && numberText(tokens)),
          },
        ]),
    {
      label: t(`overview.issuedIn.${range.key}`),
      value: statistics && numberText(issued.reduce((sum, hour) => sum + hour.tokens, 0)),
    },
  ];
  return <Facts facts={facts.map(({ label, value = '…' }) => ({ label, value }))} />;
}

interface HowCountedProps {
  readonly statistics: StatisticsPage;
  /** How many clients there are. */
  readonly clients: number;
  readonly isCountingAll: boolean;
  readonly onCountAll: () => void;
}

/** Explains which records the numbers leave out, and how to get all numbers. */
function HowCounted({ statistics, clients, isCountingAll, onCountAll }: HowCountedProps) {
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
