import './overview.css';
import { useState } from 'react';
import { useFirstRecords, useStatistics } from '../../api/overview.ts';
import { ranges } from '../../charts/buckets.ts';
import { IssuedChart } from '../../charts/issued-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import { usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { Card } from './card.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HowCounted } from './how-counted.tsx';
import { PerClient } from './per-client.tsx';
import { RequestErrors } from './request-errors.tsx';

const [firstRange] = ranges;

export function Overview() {
  const { isAdministrator } = usePerson();
  const list = useListState({ key: '', isDescending: false });
  const range = ranges.find(({ key }) => key === list.get('range')) ?? firstRange;
  const [isWhole, setWhole] = useState(false);
  const records = useFirstRecords();
  const statistics = useStatistics(range?.hours ?? 24, isWhole);
  const { data } = statistics;
  const failed = [records, statistics].find(({ error }) => error !== null);
  return (
    <>
      <PageHeader
        title="Overview"
        lead={isAdministrator ? 'Everything on this server.' : 'What is yours on this server.'}
      />
      {failed !== undefined && <Problem error={failed.error} onRetry={failed.refetch} />}
      {records.data !== undefined && data !== undefined && range !== undefined ? (
        <>
          <FirstSteps resourceServers={records.data.resourceServers} statistics={data} />
          <Figures
            resourceServers={records.data.totals.resourceServers}
            clients={records.data.totals.clients}
            statistics={data}
            range={range}
          />
          <HowCounted
            statistics={data}
            clients={records.data.totals.clients}
            isCountingAll={isWhole && statistics.isFetching}
            onCountAll={() => setWhole(true)}
          />
          <div className="cards">
            <Card
              title="Tokens issued"
              isWide
              control={
                <SegmentedControl
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
            {isAdministrator && <RequestErrors errors={data.errors} />}
          </div>
        </>
      ) : (
        failed === undefined && <Loading rows={8} />
      )}
    </>
  );
}
