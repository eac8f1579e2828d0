import { useQueryClient } from '@tanstack/react-query';
import type { Client, ReadList, Versioned } from '@watchword/admin-client';
import { useMemo } from 'react';
import { resourceServerQuery, useRefresh } from '../../api/queries.ts';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { FormFoot } from '../../forms/form-foot.tsx';
import { resourceServerLabels } from '../../forms/labels.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { resourceServerRules } from '../../rules/record-rules.ts';
import {
  type ShownResourceServer,
  shownResourceServer,
  submittedResourceServer,
  typedResourceServer,
} from '../../rules/typed-resource-server.ts';
import { t } from '../../texts/texts.ts';
import { ResourceServerForm } from './resource-server-form.tsx';

interface ResourceServerSettingsProps {
  readonly found: Versioned<ShownResourceServer>;
  /** `undefined` while they are not known. */
  readonly clients: ReadList<Client> | undefined;
  readonly isSystem: boolean;
}

export function ResourceServerSettings({ found, clients, isSystem }: ResourceServerSettingsProps) {
  const { record } = found;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const notify = useNotice();
  const query = resourceServerQuery(admin, record.id);
  const form = useRecordForm({
    draftKey: `resource-server:${record.id}`,
    stored: useMemo(() => storedResourceServer(found), [found]),
    labels: resourceServerLabels(),
    rules: resourceServerRules,
    save: async (fields, version) => {
      const saved = await admin.resourceServers.replaceDescribed(record.id, submittedResourceServer(fields), {
        version,
      });
      queries.setQueryData(query.queryKey, { ...saved, record: shownResourceServer(saved.record) });
      notify(savedText(saved.record));
      void refresh();
    },
    reread: async () => storedResourceServer(await queries.fetchQuery({ ...query, staleTime: 0 })),
  });
  return (
    <ResourceServerForm
      form={form}
      isDisabled={!mayWrite}
      isSystem={isSystem}
      scopeNote={<LostScopes before={record.scopes} after={form.values.scopes} clients={clients} />}
    >
      {mayWrite && (
        <FormFoot
          form={form}
          action={t('action.save')}
          record={{ recordType: 'resourceServer', id: record.id }}
        />
      )}
    </ResourceServerForm>
  );
}

function storedResourceServer({ record, version }: Versioned<ShownResourceServer>) {
  return { typed: typedResourceServer(record), version };
}

/** The message after saving. */
function savedText({ resetClients }: Pick<ShownResourceServer, 'resetClients'>): string {
  if (resetClients === undefined) return t('server.saved');
  return t('server.savedUntrusted', { count: resetClients.length, clients: resetClients.join(', ') });
}

interface LostScopesProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly clients: ReadList<Client> | undefined;
}

/** What the API loses, its clients lose with it. */
function LostScopes({ before, after, clients }: LostScopesProps) {
  const lost = before.filter((scope) => !after.includes(scope));
  const losers = clients?.items.filter(({ scopes }) => scopes.some((scope) => lost.includes(scope))) ?? [];
  const isKnown = clients?.isComplete === true;
  if (lost.length === 0 || (isKnown && losers.length === 0)) return undefined;
  const names = losers.map(({ clientId }) => clientId).join(', ');
  const scopes = lost.map((scope) => t('server.quoted', { text: scope })).join(', ');
  return (
    <p className="warning" role="status">
      {isKnown
        ? t('server.losing', { scopes, count: losers.length, clients: names })
        : names === ''
          ? t('server.losingEvery', { scopes })
          : t('server.losingSome', { scopes, clients: names })}
    </p>
  );
}
