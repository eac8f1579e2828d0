import { isReservedIdentityProvider } from '@watchword/protocol';
import * as v from 'valibot';
import { flag, listOfTexts, name, textsByName } from './values.ts';

/**
 * The fields of a principal, without others. A principal from a module is stored and returned for months, so it is checked
 * once, here.
 */
export const principal = v.object(
  { name, roles: listOfTexts, groups: listOfTexts, adminPrincipal: flag, attributes: textsByName },
  'a principal',
);

/** With a reserved name, a user would own the records of the server or of a client. */
export const identityProvider = v.pipe(
  name,
  v.check((value) => !isReservedIdentityProvider(value), 'a name that is not reserved'),
);
