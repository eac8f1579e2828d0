import { defaultsOf, type SubmittedFields } from '../model/fields/field.ts';
import { resourceServerFields } from '../model/fields/resource-server.ts';

/** The fields of a resource server that a request sets. */
export interface ResourceServerRegistration extends SubmittedFields<typeof resourceServerFields> {}

/** A registration that names no field. */
export const resourceServerDefaults: ResourceServerRegistration = defaultsOf(resourceServerFields);
