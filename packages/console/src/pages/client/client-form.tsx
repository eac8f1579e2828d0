import type { DescribedScope } from '@watchword/admin-client';
import { type ReactNode, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { durationText } from '../../format/time.ts';
import { ContactSection } from '../../forms/contact-section.tsx';
import { isSame } from '../../forms/draft.ts';
import {
  FieldGroup,
  LinesField,
  problemText,
  SelectField,
  SwitchField,
  TextField,
} from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { PairRow } from '../../forms/pair-row.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { Attribute, TypedClient } from '../../rules/typed-client.ts';
import { usesSecret } from '../../rules/uses-secret.ts';
import { t } from '../../texts/texts.ts';
import { IssuersField, KeysFields } from './keys-fields.tsx';
import { OpenidSection } from './openid-section.tsx';
import { OtherServersField } from './other-servers-field.tsx';
import { RequestsSection } from './requests-section.tsx';

interface ClientFormProps {
  readonly form: RecordForm<TypedClient>;
  /** Record id of its resource server. */
  readonly home: number;
  /** What its resource server offers. */
  readonly scopes: readonly DescribedScope[];
  readonly isDisabled?: boolean;
  /** These pages depend on all but what describes it. */
  readonly isSystem?: boolean;
  /** Below the name of a new one. */
  readonly identifier?: ReactNode;
  /** Of a new one: the choice of its kind, above the fields, and the values that follow from it. */
  readonly kinds?: { readonly choice: ReactNode; readonly usual: TypedClient };
  /** What becomes of its secret when this is saved. */
  readonly secretNote?: ReactNode;
  readonly children: ReactNode;
}

export function ClientForm(props: ClientFormProps) {
  const { form, kinds, children } = props;
  return (
    <form className="form" noValidate onSubmit={form.submit}>
      {kinds?.choice}
      {kinds === undefined ? <AllSections {...props} /> : <AskedSections {...props} usual={kinds.usual} />}
      {children}
    </form>
  );
}

/** Of a new client: what has to be decided. The rest is folded, unless it is unusual or wrong. */
function AskedSections(props: ClientFormProps & { readonly usual: TypedClient }) {
  const { form, home, scopes, identifier, usual } = props;
  const folded = Object.keys(form.labels).filter((name) => !asked.has(name)) as (keyof TypedClient)[];
  const isWrong = folded.some((name) => form.problemsOf(name).length > 0);
  const [isOpen, setOpen] = useState(() => folded.some((name) => !isSame(form.values[name], usual[name])));
  return (
    <>
      <FormSection title={t('client.form.application')} lead={t('client.form.applicationLead')}>
        <NameField form={form} />
        <RedirectUrisField form={form} />
        {scopes.length > 0 && <ScopesField form={form} scopes={scopes} />}
      </FormSection>
      <details
        className="more-fields"
        open={isOpen || isWrong}
        onToggle={({ currentTarget }) => {
          // The keyboard goes to the first field that is wrong, which is nowhere while it is folded.
          if (isWrong) currentTarget.open = true;
          setOpen(currentTarget.open);
        }}
      >
        <summary>{t('client.form.more')}</summary>
        <div className="form">
          <FormSection title={t('client.form.described')}>
            {identifier}
            <TextField form={form} name="description" isLong />
            <DurationField form={form} />
            <OtherServersField form={form} home={home} />
          </FormSection>
          <WaysSection form={form} />
          <OpenidSection form={form} isDisabled={false} />
          <RequestsSection form={form} isDisabled={false} />
          <ContactSection form={form} isDisabled={false}>
            <AttributesField form={form} />
          </ContactSection>
        </div>
      </details>
    </>
  );
}

const asked: ReadonlySet<string> = new Set(['clientName', 'redirectUris', 'scopes']);

function AllSections(props: ClientFormProps) {
  const { form, home, scopes, isDisabled = false, isSystem = false } = props;
  const isKept = isDisabled || isSystem;
  return (
    <>
      <FormSection title={t('client.form.application')} lead={t('client.form.applicationLead')}>
        <NameField form={form} isDisabled={isKept} />
        <TextField form={form} name="description" isLong isDisabled={isDisabled} />
      </FormSection>
      <FormSection title={t('client.form.may')} lead={t('client.form.mayLead')}>
        <ScopesField form={form} scopes={scopes} isDisabled={isKept} />
        <OtherServersField form={form} home={home} isDisabled={isKept} />
        <DurationField form={form} isDisabled={isKept} />
      </FormSection>
      <WaysSection {...props}>
        <RedirectUrisField form={form} isDisabled={isKept} />
      </WaysSection>
      <OpenidSection form={form} isDisabled={isKept} />
      <RequestsSection form={form} isDisabled={isKept} />
      <ContactSection form={form} isDisabled={isDisabled}>
        <AttributesField form={form} isDisabled={isKept} />
      </ContactSection>
    </>
  );
}

interface FieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

function NameField({ form, isDisabled = false }: FieldProps) {
  return (
    <TextField
      form={form}
      name="clientName"
      hint={t('client.form.nameHint')}
      isRequired
      isDisabled={isDisabled}
    />
  );
}

function RedirectUrisField({ form, isDisabled = false }: FieldProps) {
  return (
    <LinesField
      form={form}
      name="redirectUris"
      hint={t('client.form.redirectUrisHint')}
      placeholder="https://app.example.com/callback"
      isDisabled={isDisabled}
    />
  );
}

function ScopesField({
  form,
  scopes,
  isDisabled = false,
}: FieldProps & { readonly scopes: readonly DescribedScope[] }) {
  return (
    <ScopeBoxes
      hint={t('client.form.scopesHint')}
      available={scopes.map(({ name }) => name)}
      described={scopes}
      chosen={form.values.scopes}
      problems={form.problemsOf('scopes')}
      isDisabled={isDisabled}
      onChange={(chosen) => form.set('scopes', chosen)}
    />
  );
}

interface WaysProps extends Pick<ClientFormProps, 'form' | 'isDisabled' | 'isSystem' | 'secretNote'> {
  readonly children?: ReactNode;
}

/** How the client gets tokens. */
function WaysSection({ form, isDisabled = false, isSystem = false, secretNote, children }: WaysProps) {
  const { isAdministrator } = usePerson();
  const isKept = isDisabled || isSystem;
  const { confidential, allowedImplicitGrant } = form.values;
  const hasIssuer = form.values.tokenEndpointAuthMethod === 'assertion_issuer';
  const hasAssertions = confidential && !usesSecret(form.values);
  const flag = (name: FlagName, hint?: string, also?: Partial<TypedClient>) => (
    <SwitchField
      form={form}
      name={name}
      {...(hint !== undefined && { hint })}
      {...(also !== undefined && { also })}
      isDisabled={isKept}
    />
  );
  return (
    <FormSection
      title={t('client.form.how')}
      lead={t(`client.form.${hasAssertions ? 'hasKeys' : confidential ? 'isConfidential' : 'isPublic'}`)}
    >
      {flag('confidential', t('client.form.confidentialHint'), {
        tokenEndpointAuthMethod: '',
        allowedHybrid: false,
      })}
      {confidential && (
        <SelectField
          form={form}
          name="tokenEndpointAuthMethod"
          options={[
            { value: '', label: t('client.form.methodAny') },
            { value: 'client_secret_basic', label: 'client_secret_basic' },
            { value: 'client_secret_post', label: 'client_secret_post' },
            { value: 'private_key_jwt', label: t('client.form.methodKeys') },
            { value: 'assertion_issuer', label: t('client.form.methodIssuer') },
          ]}
          isDisabled={isKept}
        />
      )}
      {hasAssertions && !hasIssuer && <KeysFields form={form} isDisabled={isKept} />}
      {hasIssuer && <IssuersField form={form} isDisabled={isKept} />}
      {secretNote}
      {flag('allowedClientCredentials', t('client.form.clientCredentialsHint'))}
      {children}
      {flag('useRefreshTokens', t('client.form.refreshHint'))}
      {flag('dpopBoundAccessTokens', t('client.form.dpopHint'))}
      {flag('tlsClientCertificateBoundAccessTokens')}
      {flag('allowedImplicitGrant', t('client.form.implicitHint'))}
      {confidential && flag('allowedHybrid', t('client.form.hybridHint'))}
      {allowedImplicitGrant && flag('includePrincipal')}
      {isAdministrator && flag('skipConsent', t('client.form.skipConsentHint'))}
      {isAdministrator && (
        <SelectField
          form={form}
          name="loginLevel"
          hint={t('client.form.loginLevelHint')}
          options={[
            { value: '', label: t('client.form.loginLevelAny') },
            { value: 'mfa', label: t('client.form.loginLevelMfa') },
            { value: 'phr', label: t('client.form.loginLevelPhr') },
          ]}
          isDisabled={isDisabled}
        />
      )}
    </FormSection>
  );
}

type FlagName =
  | 'confidential'
  | 'allowedClientCredentials'
  | 'useRefreshTokens'
  | 'allowedHybrid'
  | 'dpopBoundAccessTokens'
  | 'tlsClientCertificateBoundAccessTokens'
  | 'allowedImplicitGrant'
  | 'includePrincipal'
  | 'skipConsent';

/** Texts by name. */
function AttributesField({ form, isDisabled = false }: FieldProps) {
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

/** Seconds. */
const usual = [900, 3600, 28_800, 86_400, 0];

/** A number of seconds, with what that is in words. */
function DurationField({ form, isDisabled = false }: FieldProps) {
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
