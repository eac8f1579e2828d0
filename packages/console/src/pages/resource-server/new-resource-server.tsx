import type { ResourceServer } from '@watchword/admin-client';
import { useMemo, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog.tsx';
import { type Environment, useEnvironment, usePerson } from '../../environment.ts';
import { contactOf } from '../../forms/contact-section.tsx';
import { FormFoot } from '../../forms/form-foot.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { goTo } from '../../router/place.ts';
import { resourceServerRoute, routes } from '../../router/routes.ts';
import { resourceServerRules } from '../../rules/record-rules.ts';
import {
  newResourceServer,
  submittedResourceServer,
  type TypedResourceServer,
  typedLabels,
} from '../../rules/typed-resource-server.ts';
import { resourceServerSnippets } from '../../snippets/resource-server-snippets.ts';
import { ResourceServerForm } from './resource-server-form.tsx';

export function NewResourceServer() {
  const environment = useEnvironment();
  const { principal } = usePerson();
  const refresh = useRefresh();
  const [created, setCreated] = useState<(ResourceServer & { readonly secret: string }) | undefined>();
  const typed = useMemo<TypedResourceServer>(
    () => ({ ...newResourceServer, ...contactOf(principal) }),
    [principal],
  );
  const form = useRecordForm({
    draftKey: 'resource-server:new',
    stored: { typed, version: undefined },
    labels: typedLabels,
    rules: resourceServerRules,
    save: async (fields) => {
      const { secret = '', ...record } = await environment.admin.resourceServers.create(
        submittedResourceServer(fields),
      );
      setCreated({ ...record, secret });
      await refresh();
    },
  });
  return (
    <>
      <PageHeader
        title="Register a resource server"
        above={[{ to: routes.resourceServers, label: 'Resource servers' }]}
        lead="An API of yours gets a key and a secret, with which it asks this server about the tokens that it is shown."
      />
      <ResourceServerForm form={form}>
        <FormFoot form={form} action="Register" />
      </ResourceServerForm>
      {created !== undefined && (
        <SecretDialog
          shown={shownSecret(created, created.secret, environment, `${created.name} is registered`)}
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
    name: { label: 'key', value: record.key },
    kind: 'secret',
    secret,
    advice: <p>Put both where the API reads its configuration. It asks about a token like this:</p>,
    snippets: resourceServerSnippets(baseUrl, record, secret),
  };
}
