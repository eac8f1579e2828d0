import type { DescribedScope } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { usePerson } from '../../environment.ts';
import { AttributesField } from '../../forms/attributes-field.tsx';
import { ContactSection } from '../../forms/contact-section.tsx';
import { DurationField } from '../../forms/duration-field.tsx';
import { LinesField, SwitchField, TextField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { OpenidSection } from '../../forms/openid-section.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';

interface ClientFormProps {
  readonly form: RecordForm<TypedClient>;
  /** What its resource server offers. */
  readonly scopes: readonly DescribedScope[];
  readonly isDisabled?: boolean;
  /** These pages depend on all but what describes it. */
  readonly isSystem?: boolean;
  /** Below the name of a new one. */
  readonly identifier?: ReactNode;
  /** Above the fields: what kind of client a new one is. */
  readonly kinds?: ReactNode;
  /** What becomes of its secret when this is saved. */
  readonly secretNote?: ReactNode;
  readonly children: ReactNode;
}

export function ClientForm({
  form,
  scopes,
  isDisabled = false,
  isSystem = false,
  identifier,
  kinds,
  secretNote,
  children,
}: ClientFormProps) {
  const { isAdministrator } = usePerson();
  const isKept = isDisabled || isSystem;
  const { confidential, allowedImplicitGrant } = form.values;
  return (
    <form className="form" noValidate onSubmit={form.submit}>
      {kinds}
      <FormSection title={t('client.form.application')} lead={t('client.form.applicationLead')}>
        <TextField
          form={form}
          name="clientName"
          hint={t('client.form.nameHint')}
          isRequired
          isDisabled={isKept}
        />
        {identifier}
        <TextField form={form} name="description" isLong isDisabled={isDisabled} />
      </FormSection>
      <FormSection title={t('client.form.may')} lead={t('client.form.mayLead')}>
        <ScopeBoxes
          hint={t('client.form.scopesHint')}
          available={scopes.map(({ name }) => name)}
          described={scopes}
          chosen={form.values.scopes}
          problems={form.problemsOf('scopes')}
          isDisabled={isKept}
          onChange={(chosen) => form.set('scopes', chosen)}
        />
        <DurationField form={form} isDisabled={isKept} />
      </FormSection>
      <FormSection
        title={t('client.form.how')}
        lead={t(confidential ? 'client.form.isConfidential' : 'client.form.isPublic')}
      >
        <SwitchField
          form={form}
          name="confidential"
          hint={t('client.form.confidentialHint')}
          isDisabled={isKept}
        />
        {secretNote}
        <SwitchField
          form={form}
          name="allowedClientCredentials"
          hint={t('client.form.clientCredentialsHint')}
          isDisabled={isKept}
        />
        <LinesField
          form={form}
          name="redirectUris"
          hint={t('client.form.redirectUrisHint')}
          placeholder="https://app.example.com/callback"
          isDisabled={isKept}
        />
        <SwitchField
          form={form}
          name="useRefreshTokens"
          hint={t('client.form.refreshHint')}
          isDisabled={isKept}
        />
        <SwitchField
          form={form}
          name="allowedImplicitGrant"
          hint={t('client.form.implicitHint')}
          isDisabled={isKept}
        />
        {allowedImplicitGrant && <SwitchField form={form} name="includePrincipal" isDisabled={isKept} />}
        {isAdministrator && (
          <SwitchField
            form={form}
            name="skipConsent"
            hint={t('client.form.skipConsentHint')}
            isDisabled={isKept}
          />
        )}
      </FormSection>
      <OpenidSection form={form} isDisabled={isKept} />
      <ContactSection form={form} isDisabled={isDisabled}>
        <AttributesField form={form} isDisabled={isKept} />
      </ContactSection>
      {children}
    </form>
  );
}
