import { resourceServerFields } from '@watchword/protocol';
import { schemaOfTable } from '../schema/record-schema.ts';

export const resourceServerSchema = schemaOfTable(
  'An API that validates tokens at this server, and the scopes that its clients can get.',
  resourceServerFields,
);
