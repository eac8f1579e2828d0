import {
  defaultsOf,
  descriptionsOf,
  normalized,
  resourceServerFields,
  type SubmittedFields,
} from '@watchword/protocol';

/** The fields of a resource server that a request sets. */
export interface ResourceServerRegistration extends SubmittedFields<typeof resourceServerFields> {}

/** A registration that names no field. */
export const resourceServerDefaults: ResourceServerRegistration = defaultsOf(resourceServerFields);

/** A registration as it is stored: each member of a list once, and descriptions of its own scopes only. */
export function storedForm(registration: ResourceServerRegistration): ResourceServerRegistration {
  const once = normalized(registration);
  return { ...once, scopeDescriptions: descriptionsOf(once.scopes, once.scopeDescriptions) };
}
