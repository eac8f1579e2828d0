import type { ReactNode } from 'react';
import { RadioGroup } from '../../controls/choices.tsx';
import { ContactSection } from '../../forms/contact-section.tsx';
import { FieldGroup, TextField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { ScopeTextsField } from '../../forms/scope-texts-field.tsx';
import { NewScopesField } from '../../forms/scopes-field.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { TypedResourceServer } from '../../rules/typed-resource-server.ts';
import { t } from '../../texts/texts.ts';

interface ResourceServerFormProps {
  readonly form: RecordForm<TypedResourceServer>;
  /** Below the name of a new one. */
  readonly identifier?: ReactNode;
  readonly isDisabled?: boolean;
  /** The server depends on its name and scopes. */
  readonly isSystem?: boolean;
  /** What changing the scopes brings about. */
  readonly scopeNote?: ReactNode;
  readonly children: ReactNode;
}

export function ResourceServerForm({
  form,
  identifier,
  isDisabled = false,
  isSystem = false,
  scopeNote,
  children,
}: ResourceServerFormProps) {
  return (
    <form className="form" noValidate onSubmit={form.submit}>
      <FormSection title={t('server.api.title')} lead={t('server.api.lead')}>
        <TextField
          form={form}
          name="name"
          hint={t('server.api.nameHint')}
          isRequired
          isDisabled={isDisabled || isSystem}
        />
        {identifier}
        <TextField
          form={form}
          name="description"
          hint={t('server.api.descriptionHint')}
          isLong
          isDisabled={isDisabled}
        />
        <NewScopesField form={form} isDisabled={isDisabled || isSystem} />
        {scopeNote}
        <ScopeTextsField form={form} isDisabled={isDisabled || isSystem} />
      </FormSection>
      <FormSection title={t('server.format.title')} lead={t('server.format.lead')}>
        <TokenFormat form={form} isDisabled={isDisabled || isSystem} />
      </FormSection>
      <ContactSection form={form} isDisabled={isDisabled} />
      {children}
    </form>
  );
}

function TokenFormat({ form, isDisabled }: Required<Pick<ResourceServerFormProps, 'form' | 'isDisabled'>>) {
  const label = form.labels.accessTokenFormat;
  return (
    <FieldGroup label={label} problems={form.problemsOf('accessTokenFormat')}>
      <RadioGroup
        label={label}
        value={form.values.accessTokenFormat}
        options={[
          {
            value: 'opaque',
            label: t('server.format.opaque'),
            description: t('server.format.opaqueHint'),
          },
          { value: 'jwt', label: t('server.format.jwt'), description: t('server.format.jwtHint') },
        ]}
        disabled={isDisabled}
        onChoose={(format) => form.set('accessTokenFormat', format === 'jwt' ? 'jwt' : 'opaque')}
      />
    </FieldGroup>
  );
}
