import { Checkbox } from '../../controls/choices.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { FieldGroup, LinesField, SelectField, SwitchField, TextField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { linesOf, type TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';

interface OpenidSectionProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled: boolean;
}

const scopes = ['profile', 'email', 'address', 'phone', 'groups'] as const;
const addresses = [
  'postLogoutRedirectUris',
  'sectorIdentifierUri',
  'policyUri',
  'tosUri',
  'backchannelLogoutUri',
  'frontchannelLogoutUri',
] as const;
const channels = {
  backchannel: { address: 'backchannelLogoutUri', session: 'backchannelLogoutSessionRequired' },
  frontchannel: { address: 'frontchannelLogoutUri', session: 'frontchannelLogoutSessionRequired' },
} as const;

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
          <SwitchField
            form={form}
            name="claimsInIdToken"
            hint={t('client.openid.claimsInIdTokenHint')}
            isDisabled={isDisabled}
          />
          <Subject form={form} isDisabled={isDisabled} />
          <TextField form={form} name="policyUri" type="url" placeholder="https://" isDisabled={isDisabled} />
          <TextField form={form} name="tosUri" type="url" placeholder="https://" isDisabled={isDisabled} />
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
    form.set('openidScopes', [
      ...scopes.filter((other) => (other === scope ? isChosen : chosen.includes(other))),
      ...chosen.filter((other) => !scopes.some((offered) => offered === other)),
    ]);
  const { isAdministrator } = usePerson();
  return (
    <FieldGroup
      label={form.labels.openidScopes}
      hint={`${t('client.openid.scopesHint')}${isAdministrator ? '' : ` ${t('client.openid.scopesConfirmed')}`}`}
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
  return (
    <>
      <LinesField
        form={form}
        name="postLogoutRedirectUris"
        hint={t('client.openid.postLogoutHint')}
        placeholder="https://app.example.com/goodbye"
        isDisabled={isDisabled}
      />
      <LogoutAddress channel="backchannel" form={form} isDisabled={isDisabled} />
      <LogoutAddress channel="frontchannel" form={form} isDisabled={isDisabled} />
    </>
  );
}

/** Where the client hears of a logout, and whether it gets the session. */
function LogoutAddress({
  channel,
  form,
  isDisabled,
}: OpenidSectionProps & { readonly channel: keyof typeof channels }) {
  const { address, session } = channels[channel];
  return (
    <>
      <TextField
        form={form}
        name={address}
        type="url"
        hint={t(`client.openid.${channel}Hint`)}
        placeholder="https://app.example.com/logout"
        isDisabled={isDisabled}
      />
      {form.values[address] !== '' && (
        <SwitchField
          form={form}
          name={session}
          hint={t(`client.openid.${channel}SessionHint`)}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}

function Signatures({ form, isDisabled }: OpenidSectionProps) {
  return (
    <>
      <SignatureField
        form={form}
        name="idTokenSignedResponseAlg"
        hint={t('client.openid.idTokenAlgHint')}
        unset={t('client.openid.defaultAlgorithm')}
        isDisabled={isDisabled}
      />
      <SignatureField
        form={form}
        name="userinfoSignedResponseAlg"
        hint={t('client.openid.userinfoAlgHint')}
        unset={t('client.openid.notSigned')}
        isDisabled={isDisabled}
      />
      <SignatureField
        form={form}
        name="authorizationSignedResponseAlg"
        hint={t('client.openid.authorizationAlgHint')}
        unset={t('client.openid.defaultAlgorithm')}
        isDisabled={isDisabled}
      />
    </>
  );
}

interface SignatureFieldProps extends OpenidSectionProps {
  readonly name: 'idTokenSignedResponseAlg' | 'userinfoSignedResponseAlg' | 'authorizationSignedResponseAlg';
  readonly hint: string;
  /** The choice of no algorithm. */
  readonly unset: string;
}

/** The algorithms of the server, and the one of the client, if the server does not sign with it any more. */
function SignatureField({ form, name, hint, unset, isDisabled }: SignatureFieldProps) {
  const { signingAlgorithms } = useEnvironment();
  const algorithm = form.values[name];
  const isMissing = algorithm !== '' && !signingAlgorithms.includes(algorithm);
  const missing = { value: algorithm, label: t('client.openid.missingAlgorithm', { algorithm }) };
  return (
    <SelectField
      form={form}
      name={name}
      hint={isMissing ? t('client.openid.missingAlgorithmHint', { algorithm }) : hint}
      options={[
        { value: '', label: unset },
        ...signingAlgorithms.map((each) => ({ value: each, label: each })),
        ...(isMissing ? [missing] : []),
      ]}
      isDisabled={isDisabled}
    />
  );
}
