import { useQuery } from '@tanstack/react-query';
import { type Authenticator, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole } from '../../api/queries.ts';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { identityProviderRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { kindLabel } from './kinds.ts';

const columns = (): readonly Column<Authenticator>[] => [
  {
    key: 'label',
    header: t('providers.name'),
    isFlexible: true,
    value: ({ label }) => label,
    cell: ({ name, label, problems }) => (
      <>
        <Link to={identityProviderRoute(name)}>
          <bdi>{label}</bdi>
        </Link>{' '}
        <code className="quiet">{name}</code>
        {problems.map((problem) => (
          <p key={problem} className="warn-text" lang="en">
            {problem}
          </p>
        ))}
      </>
    ),
  },
  {
    key: 'kind',
    header: t('provider.kind'),
    value: ({ kind, module }) => kindLabel(kind, module),
    cell: ({ kind, module }) => <bdi>{kindLabel(kind, module)}</bdi>,
  },
  {
    key: 'state',
    header: t('providers.state'),
    value: stateText,
    cell: (row) => <span className={row.enabled ? undefined : 'warn-text'}>{stateText(row)}</span>,
  },
  {
    key: 'certificate',
    header: t('provider.certificateEnds'),
    value: (row) => certificateEnd(row) ?? Number.POSITIVE_INFINITY,
    cell: (row) => {
      const end = certificateEnd(row);
      if (end === undefined) return <span className="quiet">—</span>;
      return (
        <span className={end < Date.now() ? 'warn-text' : undefined}>
          <Timestamp time={end} />
        </span>
      );
    },
  },
];

function stateText({ origin, enabled }: Authenticator): string {
  if (origin === 'configuration') return t('providers.isConfigured');
  return t(enabled ? 'provider.isEnabled' : 'provider.isDisabled');
}

/** The first end of a certificate that is not followed by another one: the newest of each identity provider. */
function certificateEnd({ identityProviders }: Authenticator): number | undefined {
  const ends = identityProviders.flatMap(({ certificates }) =>
    certificates.length === 0 ? [] : [Math.max(...certificates.map(({ validUntil }) => validUntil))],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Every way to log in, of the configuration and of the database. */
export function AuthenticatorList() {
  const { admin } = useEnvironment();
  const [sorting, setSorting] = useState<Sorting>({ key: '', isDescending: false });
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    queryKey: ['authenticators'],
    queryFn: ({ signal }) => readAll((page) => admin.authenticators.list(page, { signal }), readWhole),
  });
  if (data === undefined) return <Waiting error={error} refetch={refetch} rows={2} />;
  return (
    <DataTable
      caption={t('provider.ways')}
      noun="identityProvider"
      columns={columns()}
      rows={data.items}
      rowKey={({ name }) => name}
      sorting={sorting}
      onSort={setSorting}
      page={page}
      onPage={setPage}
      empty={null}
    />
  );
}
