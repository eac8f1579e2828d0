import { isReservedIdentityProvider } from '@watchword/protocol';
import * as v from 'valibot';
import { flag, listOfTexts, name, textsByName } from './values.ts';

/**
 * The fields of a principal and no others. What a module says of a resource owner is stored and answered for months, so it
 * is checked once, here.
 */
export const principal = v.object(
  { name, roles: listOfTexts, groups: listOfTexts, adminPrincipal: flag, attributes: textsByName },
  'a principal',
);

/** Under a reserved name a user would own records of the server, or of a client. */
export const identityProvider = v.pipe(
  name,
  v.check((value) => !isReservedIdentityProvider(value), 'a name that is not reserved'),
);
