import { useMutation, useQuery } from '@tanstack/react-query';
import type { Authenticator, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { DangerZone } from '../../components/danger-zone.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { isSame } from '../../forms/draft.ts';
import { FormSection } from '../../forms/form-section.tsx';
import { goTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { AuthenticatorForm } from './authenticator-form.tsx';
import { kindLabel } from './kinds.ts';
import { FormProblem } from './new-authenticator.tsx';
import { TestLoginDialog } from './test-login.tsx';
import { problemsOfForm, submittedSettings, typedAuthenticator } from './typed-authenticator.ts';

/** An identity provider that was set up here, or a way to log in of the configuration, which is only shown. */
export function IdentityProviderPage({ name }: { readonly name: string }) {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['authenticator', name],
    queryFn: ({ signal }) => admin.authenticators.get(name, { signal }),
  });
  if (data === undefined) return <Waiting error={error} refetch={refetch} rows={8} />;
  return <Found key={data.version} found={data} />;
}

function Found({ found }: { readonly found: Versioned<Authenticator> }) {
  const { record } = found;
  const { name, label, origin, kind, module, enabled } = record;
  const { mayWrite } = usePerson();
  const [isTesting, setTesting] = useState(false);
  const isStored = origin === 'database';
  return (
    <>
      <PageHeader
        title={label}
        above={[{ to: routes.identityProviders, label: t('providers.title') }]}
        lead={
          <>
            <bdi>{kindLabel(kind, module)}</bdi> · <code>{name}</code> ·{' '}
            <span className={enabled ? undefined : 'warn-text'}>
              {t(enabled ? 'provider.isEnabled' : 'provider.isDisabled')}
            </span>
          </>
        }
        actions={
          isStored &&
          mayWrite && (
            <>
              <Button variant="default" onClick={() => setTesting(true)}>
                {t('provider.test.action')}
              </Button>
              <EnableButton record={record} />
            </>
          )
        }
      />
      {record.problems.map((problem) => (
        <p key={problem} className="warning" lang="en">
          {problem}
        </p>
      ))}
      {!isStored && (
        <p className="quiet">
          {rich('provider.ofConfiguration', { setting: <code>{record.setting ?? ''}</code> })}
        </p>
      )}
      <Exchange record={record} />
      {isStored && <Settings found={found} />}
      {isStored && mayWrite && <Danger record={record} />}
      {isTesting && <TestLoginDialog name={name} label={label} onClose={() => setTesting(false)} />}
    </>
  );
}

/** What each side knows of the other. */
function Exchange({ record: { addresses, identityProviders } }: { readonly record: Authenticator }) {
  if (addresses.length === 0) return null;
  return (
    <div className="form">
      <FormSection title={t('provider.ours')}>
        <Facts
          isList
          facts={addresses.map(({ name, value }) => ({
            label: addressLabel(name),
            value: <Code text={value} what={addressLabel(name)} />,
          }))}
        />
      </FormSection>
      {identityProviders.map(({ identityProvider, name, certificates }) => (
        <FormSection key={identityProvider} title={name}>
          <Facts
            isList
            facts={[
              {
                label: t('providers.name'),
                value: <Code text={identityProvider} what={t('providers.name')} />,
              },
              ...certificates.map(({ subject, fingerprint, validUntil: end }) => ({
                label: t('provider.certificateEnds'),
                value: (
                  <>
                    <span className={end < Date.now() ? 'warn-text' : undefined}>
                      <Timestamp time={end} />
                    </span>
                    <p className="quiet">
                      <bdi>{subject}</bdi>
                    </p>
                    <Code text={fingerprint} what="SHA-256" />
                  </>
                ),
              })),
            ]}
          />
        </FormSection>
      ))}
    </div>
  );
}

function addressLabel(name: string): string {
  if (name === 'entityId' || name === 'metadata') return t(`provider.field.${name}`);
  if (name === 'callback' || name === 'backchannelLogout' || name === 'signedOut')
    return t(`provider.address.${name}`);
  return name.toUpperCase();
}

function EnableButton({ record: { name, enabled } }: { readonly record: Authenticator }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const changing = useMutation({
    mutationFn: () => admin.authenticators.update(name, { enabled: !enabled }),
    onSuccess: refresh,
  });
  return (
    <>
      <Button
        variant={enabled ? 'default' : 'filled'}
        loading={changing.isPending}
        onClick={() => changing.mutate()}
      >
        {t(enabled ? 'provider.disable' : 'provider.enable')}
      </Button>
      {changing.error !== null && <Problem error={changing.error} />}
    </>
  );
}

function Settings({ found: { record, version } }: { readonly found: Versioned<Authenticator> }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const refresh = useRefresh();
  const before = typedAuthenticator(record);
  const [typed, setTyped] = useState(before);
  const isDirty = !isSame(typed, before);
  const saving = useMutation({
    mutationFn: () =>
      admin.authenticators.update(
        record.name,
        { label: typed.label, settings: submittedSettings(typed) },
        { version },
      ),
    onSuccess: refresh,
  });
  const violations = violationsOf(saving.error);
  const { byField, others } = problemsOfForm(violations, typed);
  return (
    <AuthenticatorForm
      typed={typed}
      problems={byField}
      isNew={false}
      isDisabled={!mayWrite}
      onChange={setTyped}
      onSubmit={() => saving.mutate()}
    >
      {mayWrite && (
        <div className="form-foot" data-dirty={isDirty}>
          <FormProblem error={saving.error} violations={violations} others={others} />
          <div className="form-actions">
            <Button type="submit" size="sm" loading={saving.isPending} disabled={!isDirty}>
              {t('action.save')}
            </Button>
            {isDirty && (
              <Button size="sm" variant="subtle" color="gray" onClick={() => setTyped(before)}>
                {t('form.discard')}
              </Button>
            )}
          </div>
        </div>
      )}
    </AuthenticatorForm>
  );
}

function Danger({ record: { name } }: { readonly record: Authenticator }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [isAsking, setAsking] = useState(false);

  async function remove() {
    const { loginSessions: logins, grants, consents } = await admin.authenticators.delete(name);
    goTo(routes.identityProviders, { replace: true });
    notify(t('providers.end.done', { logins, grants, consents }));
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: t('provider.delete.title'),
            lead: t('provider.delete.consequences'),
            action: t('action.delete'),
            onClick: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={t('provider.delete.title')}
          action={t('action.delete')}
          typed={name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{t('provider.delete.consequences')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
