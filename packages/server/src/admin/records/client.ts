import { clientFields, vouchedFields } from '@watchword/protocol';
import { schemaOfTable } from '../schema/record-schema.ts';

/** When trust ends. */
export const trustNote = `When a caller who is not an administrator changes one of ${vouchedFields.join(', ')}, skipConsent and trusted fall back to false.`;

export const clientSchema = schemaOfTable('A client application of a resource server.', clientFields);
