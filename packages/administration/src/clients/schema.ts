import { clientFields } from '@watchword/protocol';
import { chosenIdentifier, schemaOfTable } from '../schema/record-schema.ts';
import { confirmedFields } from './client-trust.ts';

/** The changes that end the trust in a client. */
export const trustNote = `If a caller who is not an administrator changes one of ${confirmedFields.join(', ')}, skipConsent, trusted and keepsUserData are set to false.`;

export const clientSchema = {
  ...schemaOfTable('A client application of a resource server.', clientFields),
  ignoresUnknown: true,
};

/** As a request registers one. */
export const newClientSchema = {
  ...clientSchema,
  fields: { ...clientSchema.fields, clientId: chosenIdentifier('client_id', 'clientName') },
};
