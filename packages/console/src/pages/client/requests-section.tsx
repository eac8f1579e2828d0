import { SwitchField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { linesOf, type TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';

/** How a client asks users for access. One without a redirect URI does not. */
export function RequestsSection({
  form,
  isDisabled,
}: {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled: boolean;
}) {
  if (linesOf(form.values.redirectUris).length === 0) return null;
  return (
    <FormSection title={t('client.requests.title')} lead={t('client.requests.lead')}>
      <SwitchField
        form={form}
        name="requirePushedAuthorizationRequests"
        hint={t('client.requests.pushedHint')}
        isDisabled={isDisabled}
      />
    </FormSection>
  );
}
