import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';
import { FormSection } from './form-section.tsx';
import type { RecordForm } from './use-record-form.ts';

/** What resource servers and clients have alike. */
export interface ContactFields {
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
}

interface ContactSectionProps {
  readonly form: RecordForm<ContactFields>;
  readonly isDisabled: boolean;
  /** Fields after these. */
  readonly children?: ReactNode;
}

export function ContactSection({ form, isDisabled, children }: ContactSectionProps) {
  return (
    <FormSection title="Contact" lead="Whom to ask about it.">
      <TextField form={form} name="contactName" label="Contact name" isRequired isDisabled={isDisabled} />
      <TextField
        form={form}
        name="contactEmail"
        label="Contact e-mail"
        type="email"
        isDisabled={isDisabled}
      />
      <TextField
        form={form}
        name="thumbNailUrl"
        label="Picture"
        type="url"
        hint="An http(s) URL, or nothing. The server never fetches it."
        placeholder="https://"
        isDisabled={isDisabled}
      />
      {children}
    </FormSection>
  );
}
