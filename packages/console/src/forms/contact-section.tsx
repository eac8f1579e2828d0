import type { Principal } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.ts';
import { TextField } from './fields.tsx';
import { FormSection } from './form-section.tsx';
import type { RecordForm } from './use-record-form.ts';

/** What resource servers and clients have alike. */
export interface ContactFields {
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
}

/** The user who registers a record is its contact, unless another person is named. */
export function contactOf({ name, attributes }: Principal): ContactFields {
  return {
    contactName: attributes.DISPLAY_NAME ?? name,
    contactEmail: attributes.EMAIL ?? '',
    thumbNailUrl: '',
  };
}

interface ContactSectionProps {
  readonly form: RecordForm<ContactFields>;
  readonly isDisabled: boolean;
  /** Fields after these. */
  readonly children?: ReactNode;
}

export function ContactSection({ form, isDisabled, children }: ContactSectionProps) {
  return (
    <FormSection title={t('form.contact')} lead={t('form.contactLead')}>
      <TextField form={form} name="contactName" isRequired isDisabled={isDisabled} />
      <TextField form={form} name="contactEmail" type="email" isDisabled={isDisabled} />
      <TextField
        form={form}
        name="thumbNailUrl"
        type="url"
        hint={t('form.pictureHint')}
        placeholder="https://"
        isDisabled={isDisabled}
      />
      {children}
    </FormSection>
  );
}
