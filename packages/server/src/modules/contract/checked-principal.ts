import { isReservedAuthority, type Principal } from '@watchword/protocol';
import { demand, isListOfTexts, isRecordOfTexts, isText } from './nonsense.ts';

/**
 * The fields of a principal and no others. What a module says of a person is stored and answered for months, so it is
 * checked once, here.
 *
 * @throws Nonsense
 */
export function checkedPrincipal(principal: Principal): Principal {
  const { name, roles, groups, adminPrincipal, attributes } = (principal ?? {}) as Partial<Principal>;
  demand(isName(name), 'a principal whose name is not a text');
  demand(isListOfTexts(roles), 'a principal whose roles are not a list of texts');
  demand(isListOfTexts(groups), 'a principal whose groups are not a list of texts');
  demand(typeof adminPrincipal === 'boolean', 'a principal whose adminPrincipal is not true or false');
  demand(isRecordOfTexts(attributes), 'a principal whose attributes are not an object of texts');
  return { name, roles: [...roles], groups: [...groups], adminPrincipal, attributes: { ...attributes } };
}

/** Under a reserved name somebody would own what is the server's own, or a client's. @throws Nonsense */
export function checkIdentityProvider(identityProvider: string): void {
  const isFit =
    isText(identityProvider) && !identityProvider.includes('\0') && identityProvider.isWellFormed();
  demand(isFit, 'an identityProvider that is not a text');
  const quoted = JSON.stringify(identityProvider);
  demand(!isReservedAuthority(identityProvider), `the identityProvider ${quoted}, which is reserved`);
}

function isName(name: unknown): name is string {
  return isText(name) && name !== '' && !name.includes('\0') && name.isWellFormed();
}
