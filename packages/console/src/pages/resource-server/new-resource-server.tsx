import type { ResourceServer } from '@watchword/admin-client';
import { useMemo, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { SecretDialog, type ShownSecret } from '../../components/dialogs/secret-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Snippets } from '../../components/records/snippets.tsx';
import { MayNotRegister } from '../../components/records/who-registers.tsx';
import { type Environment, useEnvironment, usePerson } from '../../environment.ts';
import { contactOf } from '../../forms/contact-section.tsx';
import { FormFoot } from '../../forms/form-foot.tsx';
import { chosenIdentifier, IdentifierField, withIdentifier } from '../../forms/identifier-field.tsx';
import { resourceServerLabels } from '../../forms/labels.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { goTo } from '../../router/place.ts';
import { resourceServerRoute, routes } from '../../router/routes.ts';
import { resourceServerRules } from '../../rules/record-rules.ts';
import {
  newResourceServer,
  submittedResourceServer,
  type TypedResourceServer,
} from '../../rules/typed-resource-server.ts';
import { resourceServerSnippets } from '../../snippets/resource-server-snippets.ts';
import { t } from '../../texts/texts.ts';
import { ResourceServerForm } from './resource-server-form.tsx';

export function NewResourceServer() {
  const { mayRegister } = usePerson();
  return mayRegister ? <NewResourceServerForm /> : <MayNotRegister />;
}

function NewResourceServerForm() {
  const environment = useEnvironment();
  const { principal } = usePerson();
  const refresh = useRefresh();
  const [created, setCreated] = useState<(ResourceServer & { readonly secret: string }) | undefined>();
  const typed = useMemo<TypedResourceServer & { readonly key: string }>(
    () => ({ ...newResourceServer, ...contactOf(principal), key: '' }),
    [principal],
  );
  const form = useRecordForm({
    draftKey: 'resource-server:new',
    stored: { typed, version: undefined },
    labels: { ...resourceServerLabels(), key: t('server.keyName') },
    rules: withIdentifier('key', resourceServerRules),
    save: async ({ key, ...fields }) => {
      const { secret = '', ...record } = await environment.admin.resourceServers.create({
        ...submittedResourceServer(fields),
        key: chosenIdentifier(key),
      });
      setCreated({ ...record, secret });
      await refresh();
    },
  });
  return (
    <>
      <PageHeader
        title={t('servers.register')}
        above={[{ to: routes.resourceServers, label: t('servers.title') }]}
        lead={t('server.newLead')}
      />
      <ResourceServerForm
        form={form}
        identifier={
          <IdentifierField form={form} name="key" from={form.values.name} fallback="resource-server" />
        }
      >
        <FormFoot form={form} action={t('action.register')} />
      </ResourceServerForm>
      {created !== undefined && (
        <SecretDialog
          shown={shownSecret(
            created,
            created.secret,
            environment,
            t('server.registered', { name: created.name }),
          )}
          onClose={() => goTo(resourceServerRoute(created.id), { replace: true })}
        />
      )}
    </>
  );
}

/** What is shown, this once, of a resource server's new secret. */
export function shownSecret(
  record: ResourceServer,
  secret: string,
  { baseUrl }: Environment,
  title: string,
): ShownSecret {
  return {
    title,
    name: { label: t('server.keyName'), value: record.key },
    kind: 'secret',
    secret,
    advice: <p>{t('server.secretAdvice')}</p>,
    use: <Snippets snippets={resourceServerSnippets(baseUrl, record, secret)} />,
  };
}
