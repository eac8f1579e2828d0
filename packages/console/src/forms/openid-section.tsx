import { Checkbox } from '../controls/choices.tsx';
import { linesOf, type TypedClient } from '../rules/typed-client.ts';
import { t } from '../texts/texts.ts';
import { FieldGroup, LinesField, SelectField, SwitchField, TextField } from './fields.tsx';
import { FormSection } from './form-section.tsx';
import type { RecordForm } from './use-record-form.ts';

interface OpenidSectionProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled: boolean;
}

const scopes = ['profile', 'email', 'address', 'phone', 'offline_access'] as const;
const addresses = [
  'postLogoutRedirectUris',
  'sectorIdentifierUri',
  'backchannelLogoutUri',
  'frontchannelLogoutUri',
] as const;
const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'];

/** What a client needs to log users in. A client without a redirect URI cannot. */
export function OpenidSection({ form, isDisabled }: OpenidSectionProps) {
  const { redirectUris, ...values } = form.values;
  // An address without a redirect URI can break a rule, which is shown at its field.
  const hasAddress = addresses.some((name) => values[name] !== '');
  return (
    <FormSection title={t('client.openid.title')} lead={t('client.openid.lead')}>
      {linesOf(redirectUris).length === 0 && !hasAddress ? (
        <p className="quiet">{t('client.openid.needsRedirectUri')}</p>
      ) : (
        <>
          <ClaimScopes form={form} isDisabled={isDisabled} />
          <Subject form={form} isDisabled={isDisabled} />
          <Logout form={form} isDisabled={isDisabled} />
          <Signatures form={form} isDisabled={isDisabled} />
        </>
      )}
    </FormSection>
  );
}

function ClaimScopes({ form, isDisabled }: OpenidSectionProps) {
  const chosen = form.values.openidScopes;
  const choose = (scope: string, isChosen: boolean) =>
    form.set(
      'openidScopes',
      scopes.filter((other) => (other === scope ? isChosen : chosen.includes(other))),
    );
  return (
    <FieldGroup
      label={form.labels.openidScopes}
      hint={t('client.openid.scopesHint')}
      problems={form.problemsOf('openidScopes')}
    >
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          label={<code>{scope}</code>}
          description={t(`client.openid.scope.${scope}`)}
          disabled={isDisabled}
          checked={chosen.includes(scope)}
          onChange={({ currentTarget }) => choose(scope, currentTarget.checked)}
        />
      ))}
    </FieldGroup>
  );
}

function Subject({ form, isDisabled }: OpenidSectionProps) {
  const { subjectType, sectorIdentifierUri } = form.values;
  return (
    <>
      <SelectField
        form={form}
        name="subjectType"
        hint={t('client.openid.subjectHint')}
        options={[
          { value: 'public', label: t('client.openid.public') },
          { value: 'pairwise', label: t('client.openid.pairwise') },
        ]}
        isDisabled={isDisabled}
      />
      {(subjectType === 'pairwise' || sectorIdentifierUri !== '') && (
        <TextField
          form={form}
          name="sectorIdentifierUri"
          type="url"
          hint={t('client.openid.sectorHint')}
          placeholder="https://"
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}

function Logout({ form, isDisabled }: OpenidSectionProps) {
  const { backchannelLogoutUri, frontchannelLogoutUri } = form.values;
  return (
    <>
      <LinesField
        form={form}
        name="postLogoutRedirectUris"
        hint={t('client.openid.postLogoutHint')}
        placeholder="https://app.example.com/goodbye"
        isDisabled={isDisabled}
      />
      <TextField
        form={form}
        name="backchannelLogoutUri"
        type="url"
        hint={t('client.openid.backchannelHint')}
        placeholder="https://app.example.com/logout"
        isDisabled={isDisabled}
      />
      {backchannelLogoutUri !== '' && (
        <SwitchField
          form={form}
          name="backchannelLogoutSessionRequired"
          hint={t('client.openid.backchannelSessionHint')}
          isDisabled={isDisabled}
        />
      )}
      <TextField
        form={form}
        name="frontchannelLogoutUri"
        type="url"
        hint={t('client.openid.frontchannelHint')}
        placeholder="https://app.example.com/logout"
        isDisabled={isDisabled}
      />
      {frontchannelLogoutUri !== '' && (
        <SwitchField
          form={form}
          name="frontchannelLogoutSessionRequired"
          hint={t('client.openid.frontchannelSessionHint')}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}

function Signatures({ form, isDisabled }: OpenidSectionProps) {
  const each = algorithms.map((algorithm) => ({ value: algorithm, label: algorithm }));
  return (
    <>
      <SelectField
        form={form}
        name="idTokenSignedResponseAlg"
        hint={t('client.openid.idTokenAlgHint')}
        options={[{ value: '', label: t('client.openid.defaultAlgorithm') }, ...each]}
        isDisabled={isDisabled}
      />
      <SelectField
        form={form}
        name="userinfoSignedResponseAlg"
        hint={t('client.openid.userinfoAlgHint')}
        options={[{ value: '', label: t('client.openid.notSigned') }, ...each]}
        isDisabled={isDisabled}
      />
    </>
  );
}
