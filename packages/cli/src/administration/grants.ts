import { type AdminClient, readAll } from '@watchword/admin-client';
import { OAuthError, shown } from '@watchword/protocol';
import type { ListedRows } from '../command/output.ts';
import { listed, type RecordFinder } from './find-records.ts';
import { countedGrants, mostCountedGrants } from './records.ts';

/** Which grants are meant; of several members all must fit. */
export interface SelectedGrants {
  /** Identifies one resource owner. */
  readonly subject: string | undefined;
  /** The clientId. */
  readonly client: string | undefined;
  /** Key of the resource server of the client. */
  readonly resourceServer: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
}

export interface ListedGrants extends SelectedGrants {
  /** A name, at any identity provider. */
  readonly resourceOwner: string | undefined;
  readonly limit: number;
}

export type GrantTools = ReturnType<typeof grantTools>;

export function grantTools({ grants }: AdminClient, find: RecordFinder) {
  const filterOf = (selection: SelectedGrants) => grantFilter(find, selection);

  return {
    /** The newest first. */
    async list({ limit, resourceOwner, ...selection }: ListedGrants): Promise<ListedRows> {
      // A parameter without a value would list all.
      if (selection.subject === '' || resourceOwner === '') return { rows: [], hasMore: false, total: 0 };
      const filter = { ...(await filterOf(selection)), resourceOwnerId: resourceOwner };
      return listed(await readAll((page) => grants.list({ ...page, ...filter }), limit));
    },
    find: (id: string) => grants.get(id),
    end: (id: string) => grants.end(id),
    /** The numbers of what `endAll` would end. `isLeast`: there are more. */
    async count(selection: SelectedGrants) {
      const filter = await filterOf(selection);
      const { items } = await readAll((page) => grants.list({ ...page, ...filter }), mostCountedGrants + 1);
      return countedGrants(items);
    },
    endAll: async (selection: SelectedGrants) => grants.endAll(await filterOf(selection)),
  };
}

/** @throws OAuthError `not_found`; of a client of another owner the caller names the own resource server too */
export async function grantFilter(
  find: RecordFinder,
  { subject, client, resourceServer, since }: SelectedGrants,
) {
  return {
    subject,
    since,
    clientId:
      client === undefined || resourceServer !== undefined ? client : (await find.client(client)).clientId,
    resourceServerId:
      resourceServer === undefined ? undefined : (await find.resourceServer(resourceServer)).id,
  };
}

/** An end of nothing would look as if a person had lost access. @throws OAuthError `not_found` if nobody with the subject has access */
export async function checkSubject(grants: GrantTools, subject: string | undefined): Promise<void> {
  if (subject === undefined) return;
  const everyone = {
    client: undefined,
    resourceServer: undefined,
    since: undefined,
    resourceOwner: undefined,
  };
  const { rows } = await grants.list({ ...everyone, subject, limit: 1 });
  // Over the network, an empty subject is a parameter without a value, and lists all.
  if (subject !== '' && rows.length > 0) return;
  throw new OAuthError('not_found', {
    description: `There is no grant and no remembered consent of the subject ${shown(subject, 80)}, so nothing ends. A subject is not a name: "watchword grant list --resource-owner <name>" shows the grants of a person, and "watchword grant show <id>" the subject.`,
  });
}
