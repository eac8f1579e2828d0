import type { ChangedResourceServer, Client, ResourceServer, Versioned } from '@watchword/admin-client';
import { useMemo } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { FormFoot } from '../../forms/form-foot.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { resourceServerRules } from '../../rules/record-rules.ts';
import { fieldsOf, ResourceServerForm } from './resource-server-form.tsx';

interface ResourceServerSettingsProps {
  readonly found: Versioned<ResourceServer>;
  readonly clients: readonly Client[];
  readonly isSystem: boolean;
}

export function ResourceServerSettings({ found, clients, isSystem }: ResourceServerSettingsProps) {
  const { record, version } = found;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const refresh = useRefresh();
  const tell = useNotice();
  const stored = useMemo(() => fieldsOf(record), [record]);
  const form = useRecordForm({
    draftKey: `resource-server:${record.id}`,
    stored,
    rules: resourceServerRules,
    save: async (fields) => {
      const { record: saved } = await admin.resourceServers.replace(record.id, fields, { version });
      await refresh();
      tell(savedText(saved));
    },
  });
  return (
    <ResourceServerForm
      form={form}
      isDisabled={!mayWrite}
      isSystem={isSystem}
      scopeNote={<LostScopes before={record.scopes} after={form.values.scopes} clients={clients} />}
    >
      {mayWrite && <FormFoot form={form} action="Save" onReload={() => void refresh()} />}
    </ResourceServerForm>
  );
}

/** What is told once it is saved. */
function savedText({ resetClients }: ChangedResourceServer): string {
  if (resetClients === undefined) return 'Saved';
  const { length } = resetClients;
  return `Saved. ${count(length, 'client')} ${length === 1 ? 'is' : 'are'} no longer trusted: ${resetClients.join(', ')}.`;
}

interface LostScopesProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly clients: readonly Client[];
}

/** What the API loses, its clients lose with it. */
function LostScopes({ before, after, clients }: LostScopesProps) {
  const lost = before.filter((scope) => !after.includes(scope));
  const losers = clients.filter(({ scopes }) => scopes.some((scope) => lost.includes(scope)));
  if (losers.length === 0) return undefined;
  return (
    <p className="warning" role="status">
      Saving takes {lost.map((scope) => `“${scope}”`).join(', ')} from {count(losers.length, 'client')} and
      from their tokens at once: {losers.map(({ clientId }) => clientId).join(', ')}.
    </p>
  );
}
