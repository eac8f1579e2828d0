import type { ResourceServerFields } from '@watchword/admin-client';

export const resourceServerLabels: Readonly<Record<keyof ResourceServerFields, string>> = {
  name: 'Name',
  description: 'Description',
  scopes: 'Scopes',
  contactName: 'Contact name',
  contactEmail: 'Contact e-mail',
  thumbNailUrl: 'Picture',
};

/** The fields of a record that a form has. */
export function resourceServerFields({
  name,
  description,
  scopes,
  contactName,
  contactEmail,
  thumbNailUrl,
}: ResourceServerFields): ResourceServerFields {
  return { name, description, scopes, contactName, contactEmail, thumbNailUrl };
}
