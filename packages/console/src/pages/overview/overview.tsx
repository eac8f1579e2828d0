import { t } from '../../texts/texts.ts';
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
import { Attention } from './attention.tsx';
import { Card } from './card.tsx';
import { Changes } from './changes.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HowCounted } from './how-counted.tsx';
import { Numbers } from './numbers.tsx';
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
