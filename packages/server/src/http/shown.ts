import { type Client, displayName, type ResourceOwner, type ResourceServer } from '@watchword/protocol';

/** A client as pages show it. */
export function shownClient({ clientName, description, thumbNailUrl }: Client) {
  return { name: clientName, description, picture: thumbNailUrl };
}

/** A resource owner as pages show them. */
export function shownOwner({ principal }: ResourceOwner) {
  return { name: principal.name, displayName: displayName(principal) };
}

/** The client and resource server that a login is for, as pages show them; absent when the owner came for their own account. */
export function shownAsking({
  client,
  resourceServer,
}: {
  readonly client?: Client;
  readonly resourceServer?: ResourceServer;
}) {
  return {
    client: client && shownClient(client),
    resourceServer: resourceServer && { name: resourceServer.name },
  };
}
