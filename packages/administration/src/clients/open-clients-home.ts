import {
  generateSecret,
  isHomeOfOpenClients,
  OAuthError,
  openClientsHome,
  openClientsKey,
  type Random,
  type ResourceServer,
  storedSecret,
  type TransactionStores,
} from '@watchword/protocol';

/** The home of clients that nobody registers; it is made with the first of them. @throws OAuthError `conflict` */
export async function homeOfOpenClients(
  { resourceServers }: Pick<TransactionStores, 'resourceServers'>,
  random: Random,
): Promise<ResourceServer> {
  const make = () => {
    const secret = storedSecret(generateSecret(random));
    return resourceServers.create({ ...openClientsHome, secret }, [openClientsKey]);
  };
  const home = (await resourceServers.find(openClientsKey)) ?? (await make());
  if (home !== undefined && isHomeOfOpenClients(home)) return home;
  throw new OAuthError('conflict', {
    description: `A resource server is registered as ${openClientsKey}, a name that this server needs. Delete it, and register it again under another name.`,
  });
}
