import { DatabaseSync } from 'node:sqlite';

/** Straight into the table: by the interface it would take longer than all that is looked at. */
export function addClients(file: string, resourceServerId: number, count: number): void {
  insertMany(file, 'client', count, {
    client_id: "'client-' || n",
    client_name: "'Client ' || n",
    resource_server_id: String(resourceServerId),
    scopes: "'read'",
    redirect_uris: "'[]'",
    allowed_client_credentials: '1',
    allowed_implicit_grant: '0',
    use_refresh_tokens: '0',
    skip_consent: '0',
    include_principal: '0',
    expire_duration: '60',
    attributes: "'{}'",
    tokens_valid_from: '0',
  });
}

export function addResourceServers(file: string, count: number): void {
  insertMany(file, 'resource_server', count, {
    key: "'api-' || n",
    name: "'API ' || n",
    secret_hash: "x'00'",
    scopes: "'read'",
    owner: "'operator'",
  });
}

/** @param values SQL for each column, in which `n` counts from 1 */
function insertMany(file: string, table: string, count: number, values: Record<string, string>): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  const all = {
    ...{ previous_secret_valid_until: '0', description: "''", contact_name: "'Operations'" },
    ...{ contact_email: "''", thumb_nail_url: "''", creation_date: '1' },
    ...{ revision: '(select revision from configuration)' },
    ...values,
  };
  // The server reads what has a revision greater than the last that it saw.
  database.exec('begin immediate; update configuration set revision = revision + 1');
  database
    .prepare(
      `with recursive number(n) as (select 1 union all select n + 1 from number where n < ?)
        insert into ${table} (${Object.keys(all).join(', ')}) select ${Object.values(all).join(', ')} from number`,
    )
    .run(count);
  database.exec('commit');
  database.close();
}
