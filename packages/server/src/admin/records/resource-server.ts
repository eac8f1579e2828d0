import { resourceServerFields } from '@watchword/protocol';
import { schemaOfTable } from '../schema/record-schema.ts';

export const resourceServerSchema = schemaOfTable(
  'An API that asks this server about tokens, and the scopes that its clients can be given.',
  resourceServerFields,
);
