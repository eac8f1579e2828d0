import { useMutation, useQuery } from '@tanstack/react-query';
import { type Client, type LogoutDelivery, type RequestErrorSummary, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { timeColumn } from '../../components/tables/usual-columns.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { requestErrorRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { ProfileCheck } from '../clients/profile-check.tsx';

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
      <ProfileCheck clientId={clientId} />
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
    timeColumn('last', t('client.errors.last'), ({ lastTime }) => lastTime),
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

const mostRead = 1000;

/** The logout tokens that get no further attempt; nothing if there are none. */
function ClientDeliveries({ client }: { readonly client: Client }) {
  const { clientId, backchannelLogoutUri } = client;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const notify = useNotice();
  const found = useQuery({
    queryKey: ['logoutDeliveries', clientId],
    queryFn: ({ signal }) =>
      readAll(
        (page) => admin.logoutDeliveries.list({ ...page, clientId, failed: true }, { signal }),
        mostRead,
      ),
    refetchInterval: 30_000,
    enabled: backchannelLogoutUri !== '',
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id }: LogoutDelivery) => admin.logoutDeliveries.retry(id),
    onSuccess: () => notify(t('client.deliveries.retried')),
    onSettled: () => found.refetch(),
  });
  if ((found.data?.items.length ?? 0) === 0) return undefined;
  const retry: Column<LogoutDelivery> = {
    key: 'retry',
    header: '',
    align: 'end',
    cell: (delivery) => (
      <Button variant="default" disabled={isPending} onClick={() => mutate(delivery)}>
        {t('client.deliveries.retry')}
      </Button>
    ),
  };
  return (
    <Part
      title={t('client.deliveries.title')}
      noun="logoutToken"
      columns={[...deliveryColumns(), ...(mayWrite ? [retry] : [])]}
      found={found}
      sortedBy="ended"
      problem={error !== null && <Problem error={error} />}
    />
  );
}

function deliveryColumns(): readonly Column<LogoutDelivery>[] {
  return [
    {
      key: 'reason',
      header: t('client.errors.reason'),
      isFlexible: true,
      value: ({ failure }) => failure ?? '',
      // The reason is for developers, and in English as the log is.
      cell: ({ failure }) => <bdi lang="en">{failure}</bdi>,
    },
    timeColumn('ended', t('client.deliveries.ended'), ({ endedAt }) => endedAt),
  ];
}
