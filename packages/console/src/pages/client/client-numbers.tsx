import { useQuery } from '@tanstack/react-query';
import type { Client } from '@watchword/admin-client';
import { Facts } from '../../components/facts.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useEnvironment } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** How much the client is used. The line has its place before the numbers are read. */
export function ClientNumbers({ client }: { readonly client: Client }) {
  const { admin } = useEnvironment();
  const { resourceserver_id: resourceServerId, id } = client;
  const { data } = useQuery({
    queryKey: ['statistics', 'client', id],
    queryFn: ({ signal }) => admin.clients.statistics({ resourceServerId, id }, undefined, { signal }),
    refetchInterval: 60_000,
  });
  const linked = (tab: string, number: number | undefined) =>
    number === undefined ? (
      '…'
    ) : (
      <Link to={routeTo(clientRoute(resourceServerId, id), { tab })}>{numberText(number)}</Link>
    );
  return (
    <Facts
      facts={[
        { label: t('overview.validTokens'), value: linked('tokens', data?.tokens) },
        { label: t('client.people'), value: linked('access', data?.resourceOwners) },
        { label: t('overview.issuedIn.day'), value: data ? numberText(data.issued) : '…' },
        ...(data?.lastIssued == null
          ? []
          : [{ label: t('client.lastIssued'), value: <LastHour start={data.lastIssued} /> }]),
      ]}
    />
  );
}

const hourMs = 3_600_000;

/** Issued tokens are counted by hour, so the time within the hour is not known. @param start of the hour, in epoch milliseconds */
function LastHour({ start }: { readonly start: number }) {
  return Date.now() - start < hourMs ? t('client.thisHour') : <Timestamp time={start} />;
}
