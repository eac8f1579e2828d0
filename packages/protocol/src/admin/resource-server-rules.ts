import { defaultsOf, type SubmittedFields } from '../model/fields/field.ts';
import { resourceServerFields } from '../model/fields/resource-server.ts';
import { normalized } from '../rules/registration.ts';
import { descriptionsOf } from '../rules/scope-descriptions.ts';

/** The fields of a resource server that a request sets. */
export interface ResourceServerRegistration extends SubmittedFields<typeof resourceServerFields> {}

/** A registration that names no field. */
export const resourceServerDefaults: ResourceServerRegistration = defaultsOf(resourceServerFields);

/** A registration as it is stored: each member of a list once, and descriptions of its own scopes only. */
export function storedForm(registration: ResourceServerRegistration): ResourceServerRegistration {
  const once = normalized(registration);
  return { ...once, scopeDescriptions: descriptionsOf(once.scopes, once.scopeDescriptions) };
}
