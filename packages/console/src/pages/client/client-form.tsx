import type { DescribedScope } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { durationText } from '../../format/time.ts';
import { ContactSection } from '../../forms/contact-section.tsx';
import { FieldGroup, LinesField, problemText, SwitchField, TextField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { PairRow } from '../../forms/pair-row.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { Attribute, TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';
import { OpenidSection } from './openid-section.tsx';

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

interface AttributesFieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

/** Texts by name. */
function AttributesField({ form, isDisabled = false }: AttributesFieldProps) {
  const { attributes } = form.values;
  const change = (next: readonly Attribute[]) => form.change({ attributes: next });
  const edit = (at: number, changes: Partial<Attribute>) =>
    change(attributes.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <FieldGroup
      label={form.labels.attributes}
      hint={t('attributes.hint')}
      problems={form.problemsOf('attributes')}
    >
      {attributes.map(({ name, value }, index) => (
        <PairRow
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={index}
          pair={{ name, value }}
          nameLabel={t('attributes.name')}
          valueLabel={name === '' ? t('attributes.value') : t('attributes.valueOf', { name })}
          removeLabel={name === '' ? t('attributes.remove') : t('attributes.removeOf', { name })}
          namePlaceholder={t('attributes.nameExample')}
          valuePlaceholder={t('attributes.valueExample')}
          isDisabled={isDisabled}
          onChange={(changes) => edit(index, changes)}
          onRemove={() => change(attributes.filter((_, at) => at !== index))}
          onLeave={() => form.leave('attributes')}
        />
      ))}
      {!isDisabled && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" />}
          onClick={() => change([...attributes, { name: '', value: '' }])}
        >
          {t('attributes.add')}
        </Button>
      )}
    </FieldGroup>
  );
}

interface DurationFieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

/** Seconds. */
const usual = [900, 3600, 28_800, 86_400, 0];

/** A number of seconds, with what that is in words. */
function DurationField({ form, isDisabled = false }: DurationFieldProps) {
  const { expireDuration, allowedImplicitGrant } = form.values;
  const { implicitLifetime } = useEnvironment();
  const implicit = allowedImplicitGrant ? ` ${t('duration.implicit', { seconds: implicitLifetime })}` : '';
  const label = form.labels.expireDuration;
  return (
    <div>
      <TextInput
        className="duration-input"
        label={t('duration.label', { field: label })}
        description={inWords(expireDuration, implicit)}
        isDescribedBelow
        inputMode="numeric"
        autoComplete="off"
        disabled={isDisabled}
        value={expireDuration}
        error={problemText(label, form.problemsOf('expireDuration'))}
        onBlur={() => form.leave('expireDuration')}
        onChange={({ currentTarget }) =>
          form.set('expireDuration', currentTarget.value.replaceAll(/\D/g, '').slice(0, 12))
        }
      />
      {!isDisabled && (
        <div className="quick-choices">
          {usual.map((seconds) => (
            <Button
              key={seconds}
              size="compact-xs"
              variant="default"
              aria-pressed={String(seconds) === expireDuration}
              onClick={() => form.set('expireDuration', String(seconds))}
            >
              {seconds === 0 ? t('lifetime.none') : durationText(seconds, 'short')}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** @param implicit what holds for implicit tokens where there is no expiry */
function inWords(seconds: string, implicit: string): string {
  if (seconds === '') return t('duration.empty');
  if (Number(seconds) > 0) return durationText(Number(seconds));
  return `${t('duration.never')}${implicit}`;
}
