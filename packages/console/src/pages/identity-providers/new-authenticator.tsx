import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Button } from '../../controls/button.tsx';
import { Switch } from '../../controls/choices.tsx';
import { useEnvironment } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { FormSection } from '../../forms/form-section.tsx';
import { goTo } from '../../router/place.ts';
import { identityProviderRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { AuthenticatorForm } from './authenticator-form.tsx';
import { newAuthenticator, problemsOfForm, submittedSettings } from './typed-authenticator.ts';

/** Sets up an identity provider. What the other side must know is shown afterwards. */
export function NewIdentityProvider() {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const [typed, setTyped] = useState(newAuthenticator);
  const [enabled, setEnabled] = useState(false);
  const creating = useMutation({
    mutationFn: () => {
      const { name, kind, label } = typed;
      return admin.authenticators.create({ name, kind, label, enabled, settings: submittedSettings(typed) });
    },
    async onSuccess({ record }) {
      goTo(identityProviderRoute(record.name), { replace: true });
      await refresh();
    },
  });
  const violations = violationsOf(creating.error);
  const { byField, others } = problemsOfForm(violations, typed);
  return (
    <>
      <PageHeader
        title={t('provider.new')}
        above={[{ to: routes.identityProviders, label: t('providers.title') }]}
        lead={t('provider.newLead')}
      />
      <AuthenticatorForm
        typed={typed}
        problems={byField}
        isNew
        onChange={setTyped}
        onSubmit={() => creating.mutate()}
      >
        <FormSection title={t('providers.state')}>
          <Switch
            label={t('provider.enabled')}
            checked={enabled}
            onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          />
        </FormSection>
        <div className="form-foot">
          <FormProblem error={creating.error} violations={violations} others={others} />
          <div className="form-actions">
            <Button type="submit" size="sm" loading={creating.isPending}>
              {t('action.create')}
            </Button>
          </div>
        </div>
      </AuthenticatorForm>
    </>
  );
}

interface FormProblemProps {
  readonly error: unknown;
  readonly violations: readonly string[];
  /** Violations of no field of the form. */
  readonly others: readonly string[];
}

/** What is wrong beside the fields. */
export function FormProblem({ error, violations, others }: FormProblemProps) {
  if (error === null || (violations.length > 0 && others.length === 0)) return null;
  if (others.length === 0) return <Problem error={error} />;
  return (
    <p className="problem" role="alert" lang="en">
      {others.join(' ')}
    </p>
  );
}
