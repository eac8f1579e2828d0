import { type Client, clientDefaults } from '@watchword/admin-client';
import { Suspense, useMemo, useState } from 'react';
import { useRefresh, useResourceServer } from '../../api/queries.ts';
import { SecretDialog, type ShownSecret } from '../../components/dialogs/secret-dialog.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { MayNotRegister } from '../../components/records/who-registers.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { RadioGroup } from '../../controls/choices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { contactOf } from '../../forms/contact-section.tsx';
import { FormFoot } from '../../forms/form-foot.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { chosenIdentifier, IdentifierField, withIdentifier } from '../../forms/identifier-field.tsx';
import { clientLabels } from '../../forms/labels.ts';
import { type RecordForm, useRecordForm } from '../../forms/use-record-form.ts';
import { part } from '../../router/part.ts';
import { goTo } from '../../router/place.ts';
import { clientRoute, resourceServerRoute, routes } from '../../router/routes.ts';
import { clientRules } from '../../rules/record-rules.ts';
import { clientFields, type TypedClient, typedClient } from '../../rules/typed-client.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { grantsOf } from '../clients/grants-of.ts';
import { ClientForm } from './client-form.tsx';

const ClientSnippets = part(async () => (await import('./client-use.tsx')).ClientSnippets);

export function NewClient({ resourceServerId }: { readonly resourceServerId: number }) {
  const { mayRegister } = usePerson();
  const { data, error, refetch } = useResourceServer(resourceServerId);
  if (!mayRegister) return <MayNotRegister />;
  if (data === undefined) return <Waiting error={error} refetch={refetch} />;
  return <NewClientOf resourceServer={data.record} />;
}

function NewClientOf({ resourceServer }: { readonly resourceServer: ShownResourceServer }) {
  const { admin } = useEnvironment();
  const { principal } = usePerson();
  const refresh = useRefresh();
  const notify = useNotice();
  const [created, setCreated] = useState<{ readonly client: Client; readonly secret: string } | undefined>();
  const typed = useMemo<TypedClient & { readonly clientId: string }>(
    () => ({
      ...typedClient(clientDefaults),
      ...contactOf(principal),
      ...clientKinds[0]?.fields,
      clientId: '',
    }),
    [principal],
  );
  const form = useRecordForm({
    draftKey: `client:new:${resourceServer.id}`,
    stored: { typed, version: undefined },
    labels: { ...clientLabels(), clientId: t('client.idName') },
    rules: withIdentifier('clientId', clientRules(resourceServer)),
    save: async ({ clientId, ...fields }) => {
      const { secret, ...client } = await admin.clients.create(resourceServer.id, {
        ...clientFields(fields),
        clientId: chosenIdentifier(clientId),
      });
      if (secret === undefined) {
        goTo(clientRoute(resourceServer.id, client.id), { replace: true });
        notify(t('client.new.registeredAs', { client: client.clientName, clientId: client.clientId }));
      } else setCreated({ client, secret });
      await refresh();
    },
  });
  return (
    <>
      <PageHeader
        title={t('firstSteps.registerClient')}
        above={[
          { to: routes.resourceServers, label: t('servers.title') },
          { to: resourceServerRoute(resourceServer.id), label: resourceServer.name },
        ]}
        lead={rich('client.new.lead', { resourceServer: resourceServer.name })}
      />
      <ClientForm
        form={form}
        home={resourceServer.id}
        scopes={resourceServer.describedScopes}
        identifier={
          <IdentifierField form={form} name="clientId" from={form.values.clientName} fallback="client" />
        }
        kinds={{ choice: <Kinds form={form} />, usual: { ...typed, ...kindOf(form.values)?.fields } }}
      >
        <FormFoot form={form} action={t('action.register')} />
      </ClientForm>
      {created !== undefined && (
        <SecretDialog
          shown={shownSecret(
            created.client,
            created.secret,
            t('client.new.registered', { client: created.client.clientName }),
          )}
          onClose={() => goTo(clientRoute(resourceServer.id, created.client.id), { replace: true })}
        />
      )}
    </>
  );
}

/** Most clients are of one of a few kinds; what follows from it can be changed below. */
function Kinds({ form }: { readonly form: RecordForm<TypedClient> }) {
  return (
    <FormSection title={t('client.kind.title')} lead={t('client.kind.lead')}>
      <RadioGroup
        label={t('client.kind.title')}
        value={kindOf(form.values)?.key}
        options={clientKinds.map(({ key }) => ({
          value: key,
          label: t(`client.kind.${key}`),
          description: t(`client.kind.${key}Lead`),
        }))}
        onChoose={(key) => {
          const kind = clientKinds.find((candidate) => candidate.key === key);
          if (kind !== undefined) form.change(kind.fields);
        }}
      />
    </FormSection>
  );
}

/** What is shown, this once, of a client's new secret. */
export function shownSecret(client: Client, secret: string, title: string): ShownSecret {
  const isUsable = grantsOf(client).length > 0;
  return {
    title,
    name: { label: t('client.idName'), value: client.clientId },
    kind: 'secret',
    secret,
    advice: <p>{t(isUsable ? 'client.secret.use' : 'client.secret.cannotUse')}</p>,
    use: isUsable && (
      <Suspense fallback={<Loading />}>
        <ClientSnippets client={client} secret={secret} />
      </Suspense>
    ),
  };
}

const usual = { allowedClientCredentials: false, allowedImplicitGrant: false, expireDuration: '3600' };

/** The kinds of application that most clients are. The choice of one sets the fields below. */
const clientKinds: readonly ClientKind[] = [
  {
    key: 'web',
    fields: { ...usual, confidential: true, useRefreshTokens: true },
  },
  {
    key: 'browser',
    fields: { ...usual, confidential: false, useRefreshTokens: false },
  },
  {
    key: 'native',
    fields: { ...usual, confidential: false, useRefreshTokens: true },
  },
  {
    key: 'service',
    fields: { ...usual, confidential: true, allowedClientCredentials: true, useRefreshTokens: false },
  },
];

interface ClientKind {
  readonly key: 'web' | 'browser' | 'native' | 'service';
  readonly fields: KindFields & Pick<TypedClient, 'expireDuration'>;
}

type KindFields = Pick<
  TypedClient,
  'confidential' | 'allowedClientCredentials' | 'allowedImplicitGrant' | 'useRefreshTokens'
>;

/** The kind that the fields are of; refresh tokens decide only between two that are else the same. */
function kindOf(typed: KindFields): ClientKind | undefined {
  const found = clientKinds.filter(
    ({ fields }) =>
      fields.confidential === typed.confidential &&
      fields.allowedClientCredentials === typed.allowedClientCredentials &&
      fields.allowedImplicitGrant === typed.allowedImplicitGrant,
  );
  return found.find(({ fields }) => fields.useRefreshTokens === typed.useRefreshTokens) ?? found[0];
}
