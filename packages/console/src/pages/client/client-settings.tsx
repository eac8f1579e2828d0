import { useQueryClient } from '@tanstack/react-query';
import type { Client, Versioned } from '@watchword/admin-client';
import { useMemo } from 'react';
import { clientQuery, useRefresh } from '../../api/queries.ts';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { FormFoot } from '../../forms/form-foot.tsx';
import { clientLabels } from '../../forms/labels.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { clientRules } from '../../rules/record-rules.ts';
import { clientFields, typedClient } from '../../rules/typed-client.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { t } from '../../texts/texts.ts';
import { ClientForm } from './client-form.tsx';
import { SecretNote } from './client-secret.tsx';
import { savedText, TrustWarning } from './client-trust.tsx';

interface ClientSettingsProps {
  readonly found: Versioned<Client>;
  readonly resourceServer: ShownResourceServer;
  readonly isSystem: boolean;
}

export function ClientSettings({ found, resourceServer, isSystem }: ClientSettingsProps) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const notify = useNotice();
  const { id } = found.record;
  const address = { resourceServerId: resourceServer.id, id };
  const query = clientQuery(admin, address);
  const form = useRecordForm({
    draftKey: `client:${id}`,
    stored: useMemo(() => storedClient(found), [found]),
    labels: clientLabels(),
    rules: useMemo(() => clientRules(resourceServer), [resourceServer]),
    save: async (typed, version) => {
      const saved = await admin.clients.replace(address, clientFields(typed), { version });
      queries.setQueryData(query.queryKey, saved);
      notify(savedText(saved.record));
      void refresh();
    },
    reread: async () => storedClient(await queries.fetchQuery({ ...query, staleTime: 0 })),
  });
  return (
    <ClientForm
      form={form}
      home={resourceServer.id}
      scopes={resourceServer.describedScopes}
      isDisabled={!mayWrite}
      isSystem={isSystem}
      secretNote={<SecretNote client={found.record} values={form.values} />}
    >
      {mayWrite && (
        <FormFoot
          form={form}
          action={t('action.save')}
          record={{ recordType: 'client', id }}
          note={<TrustWarning client={found.record} />}
        />
      )}
    </ClientForm>
  );
}

function storedClient({ record, version }: Versioned<Client>) {
  return { typed: typedClient(record), version };
}
