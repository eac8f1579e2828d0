import { LinesField, SelectField, SwitchField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { linesOf, type TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';
import { KeySetFields } from './keys-fields.tsx';

const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;

/** How a client asks users for access. One without a redirect URI does not. */
export function RequestsSection({
  form,
  isDisabled,
}: {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled: boolean;
}) {
  const { redirectUris, tokenEndpointAuthMethod: method } = form.values;
  if (linesOf(redirectUris).length === 0) return null;
  return (
    <FormSection title={t('client.requests.title')} lead={t('client.requests.lead')}>
      <SwitchField
        form={form}
        name="requirePushedAuthorizationRequests"
        hint={t('client.requests.pushedHint')}
        isDisabled={isDisabled}
      />
      <SwitchField
        form={form}
        name="requireSignedRequestObject"
        hint={t('client.requests.signedHint')}
        isDisabled={isDisabled}
      />
      <SelectField
        form={form}
        name="requestObjectSigningAlg"
        hint={t('client.requests.algHint')}
        options={[
          { value: '', label: t('client.requests.anyAlgorithm') },
          { value: 'none', label: t('client.requests.unsigned') },
          ...algorithms.map((value) => ({ value, label: value })),
        ]}
        isDisabled={isDisabled}
      />
      {method !== 'private_key_jwt' && mayHaveKeys(form.values) && (
        <KeySetFields form={form} isDisabled={isDisabled} />
      )}
      <LinesField
        form={form}
        name="requestUris"
        hint={t('client.requests.urisHint')}
        placeholder="https://app.example.com/request.jwt"
        isDisabled={isDisabled}
      />
    </FormSection>
  );
}

/** Whether the client signs its requests or has keys. */
function mayHaveKeys(client: TypedClient): boolean {
  const { requireSignedRequestObject, requestObjectSigningAlg, jwks, jwksUri } = client;
  const signs = requireSignedRequestObject || !['', 'none'].includes(requestObjectSigningAlg);
  return signs || jwks !== '' || jwksUri !== '';
}
