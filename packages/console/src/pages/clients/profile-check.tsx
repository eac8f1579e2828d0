import { useQuery } from '@tanstack/react-query';
import { type LintedRecord, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { clientRoute, resourceServerRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

type Profile = LintedRecord['profile'];

const profiles = (): readonly { readonly value: Profile; readonly label: string }[] => [
  { value: 'oauth-2.1', label: t('lint.oauth') },
  { value: 'mcp', label: t('lint.mcp') },
  { value: 'fapi-2.0', label: t('lint.fapi') },
];

/** What a profile forbids, once the user has chosen one. @param props.clientId of one client; all records if absent */
export function ProfileCheck({ clientId }: { readonly clientId?: string }) {
  const { admin } = useEnvironment();
  const [profile, setProfile] = useState<Profile>();
  const found = useQuery({
    queryKey: ['clients', 'lint', profile, clientId],
    queryFn: async ({ signal }) => {
      const list = await readAll(
        (page) => admin.profiles.lint({ ...page, profile, clientId }, { signal }),
        readWhole,
      );
      return { ...list, items: list.items.flatMap(findingsOf), total: undefined };
    },
    enabled: profile !== undefined,
  });
  const choice = (
    <>
      <p className="quiet">{t('lint.lead')}</p>
      <div className="toolbar">
        <Select
          size="xs"
          aria-label={t('lint.profile')}
          value={profile ?? ''}
          onChange={({ currentTarget }) =>
            setProfile(profiles().find(({ value }) => value === currentTarget.value)?.value)
          }
          data={[{ value: '', label: t('lint.choose') }, ...profiles()]}
        />
      </div>
    </>
  );
  if (profile === undefined) {
    return (
      <section className="part">
        <h2>{t('lint.title')}</h2>
        {choice}
      </section>
    );
  }
  return (
    <Part
      title={t('lint.title')}
      noun="finding"
      columns={[...(clientId === undefined ? [recordColumn()] : []), problemColumn(), commandColumn()]}
      found={found}
      sortedBy="record"
      empty={t('lint.none')}
      problem={choice}
    />
  );
}

function findingsOf({ findings, ...record }: LintedRecord) {
  return findings.map((finding, index) => ({
    ...record,
    ...finding,
    id: `${record.recordType} ${record.id} ${index}`,
    recordId: record.id,
  }));
}

type Finding = ReturnType<typeof findingsOf>[number];

function recordColumn(): Column<Finding> {
  return {
    key: 'record',
    header: t('lint.record'),
    isFixed: true,
    value: ({ title }) => title ?? '',
    cell: (finding) => <RecordOf {...finding} />,
  };
}

function RecordOf({ recordType, recordId, resourceserver_id: serverId, title }: Finding) {
  if (recordId === null || title === null) return t('settings.title');
  const isClient = recordType === 'client' && serverId !== null;
  return <Link to={isClient ? clientRoute(serverId, recordId) : resourceServerRoute(recordId)}>{title}</Link>;
}

function problemColumn(): Column<Finding> {
  return {
    key: 'problem',
    header: t('lint.problem'),
    isFlexible: true,
    value: ({ rule }) => rule,
    // The texts are for developers, and in English as the log is.
    cell: ({ requirement, field, problem, section, advice }) => (
      <div lang="en">
        {requirement}
        <p className="quiet">
          <code>{field}</code> {problem}. {advice} {section}.
        </p>
      </div>
    ),
  };
}

function commandColumn(): Column<Finding> {
  return {
    key: 'command',
    header: t('lint.command'),
    cell: ({ command }) => command !== null && <Code text={command} what={t('lint.theCommand')} />,
  };
}
