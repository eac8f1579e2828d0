import { LinesField, SelectField, TextField } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';

interface KeysFieldsProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled: boolean;
}

const algorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

/** Who signs the assertions of a client that has neither a secret nor a key. */
export function IssuersField({ form, isDisabled }: KeysFieldsProps) {
  return (
    <LinesField
      form={form}
      name="assertionIssuers"
      hint={t('client.form.issuersHint')}
      placeholder={'[{ "issuer": "https://…", "audience": "…", "subject": "…", "jwksUri": "https://…" }]'}
      isDisabled={isDisabled}
    />
  );
}

/** The keys of a client, with which it authenticates or signs its requests. */
export function KeySetFields({ form, isDisabled }: KeysFieldsProps) {
  return (
    <>
      <LinesField
        form={form}
        name="jwks"
        hint={t('client.form.jwksHint')}
        placeholder={'{ "keys": [{ "kty": "EC", … }] }'}
        isDisabled={isDisabled}
      />
      <TextField
        form={form}
        name="jwksUri"
        type="url"
        hint={t('client.form.jwksUriHint')}
        placeholder="https://app.example.com/jwks.json"
        isDisabled={isDisabled}
      />
    </>
  );
}

/** The keys of a client that authenticates without a secret. */
export function KeysFields({ form, isDisabled }: KeysFieldsProps) {
  return (
    <>
      <KeySetFields form={form} isDisabled={isDisabled} />
      <SelectField
        form={form}
        name="tokenEndpointAuthSigningAlg"
        options={[
          { value: '', label: t('client.form.anyAlgorithm') },
          ...algorithms.map((value) => ({ value, label: value })),
        ]}
        isDisabled={isDisabled}
      />
    </>
  );
}
