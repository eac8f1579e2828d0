import { useQuery } from '@tanstack/react-query';
import type { Client, RequestErrorSummary } from '@watchword/admin-client';
import { useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Sorting } from '../../components/table-order.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { requestErrorRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { ClientDeliveries } from './client-deliveries.tsx';

type Group = RequestErrorSummary['requestErrors'][number];

/** Why requests of the client were refused in the last day, by reason; and the logout tokens that it has not accepted. */
export function ClientErrors({ client }: { readonly client: Client }) {
  const { clientId } = client;
  const { admin } = useEnvironment();
  const [sorting, setSorting] = useState<Sorting>({ key: 'last', isDescending: true });
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['requestErrors', 'client', clientId],
    queryFn: ({ signal }) => admin.requestErrors.summary({ clientId }, { signal }),
    refetchInterval: 30_000,
  });
  if (data === undefined) return <Waiting error={error} refetch={refetch} />;
  const groups = data.requestErrors;
  return (
    <>
      <DataTable<Group>
        caption={t('client.errors.title')}
        noun="reason"
        columns={columns()}
        rows={groups}
        rowKey={({ error, reason }) => `${error} ${reason}`}
        sorting={sorting}
        onSort={setSorting}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title={t('client.errors.none')}>
            <p>{t('client.errors.noneAdvice')}</p>
          </EmptyState>
        }
      />
      <p className="quiet lost-secret">
        {t('client.errors.note')} {data.dropped > 0 && t('client.errors.dropped', { dropped: data.dropped })}
      </p>
      <ClientDeliveries client={client} />
    </>
  );
}

function columns(): readonly Column<Group>[] {
  return [
    {
      key: 'reason',
      header: t('client.errors.reason'),
      isFlexible: true,
      value: ({ reason }) => reason,
      // The reason is for developers, and in English as the log is.
      cell: ({ error, reason, lastRequestId }) => (
        <>
          <bdi lang="en">{reason}</bdi>
          <p className="row-note">
            <code>{error}</code>{' '}
            {lastRequestId !== null && (
              <Link to={requestErrorRoute(lastRequestId)}>{t('requestError.mend')}</Link>
            )}
          </p>
        </>
      ),
    },
    {
      key: 'requests',
      header: t('client.errors.requests'),
      align: 'end',
      value: ({ requests }) => requests,
      cell: ({ requests }) => numberText(requests),
    },
    {
      key: 'last',
      header: t('client.errors.last'),
      value: ({ lastTime }) => lastTime,
      cell: ({ lastTime }) => <Timestamp time={lastTime} />,
    },
    {
      key: 'copy',
      header: '',
      align: 'end',
      cell: (group) => <CopyButton text={textOf(group)} what={t('client.errors.theReason')} />,
    },
  ];
}

/** For a message to a developer. */
function textOf({ client, error, reason, requests, lastTime }: Group): string {
  return `${client.clientId}: ${error} (${requests}, ${new Date(lastTime).toISOString()}): ${reason}`;
}
