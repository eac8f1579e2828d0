import { accountIdentityProvider } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import { formIdentityProvider } from '../../modules/authentication/form.ts';
import type { FirstAdministrator } from '../../pages/model/start-page.ts';
import type { Modules } from '../modules/modules.ts';

/**
 * How the first administrator is made, for pages, while a server has none. Only of its own logins does the server know this: whom another
 * module makes an administrator shows at a login.
 *
 * @param isDemo a demo has an administrator
 */
export async function firstAdministratorOf(
  { authenticators }: Pick<Modules, 'authenticators'>,
  { accounts, followChanges }: Pick<ServerStore, 'accounts' | 'followChanges'>,
  isDemo: () => boolean,
): Promise<() => FirstAdministrator | undefined> {
  if (authenticators.has(accountIdentityProvider)) {
    let isMissing = true;
    const read = async () => {
      isMissing &&= !(await accounts.hasOtherAdministrator(''));
    };
    await read();
    followChanges(read);
    return () => (isMissing ? 'account' : undefined);
  }
  const isFormOnly = authenticators.size === 1 && authenticators.has(formIdentityProvider);
  return () => (isFormOnly && !isDemo() ? 'form' : undefined);
}
