import { Client } from 'pg';

export type Row = Readonly<Record<string, unknown>>;

/** Runs the statement on a connection of its own, as the user of the URL. */
export async function query(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return withConnection(url, async (client) => (await client.query(text, [...values])).rows);
}

/** Connects for as long as the work runs. */
export async function withConnection<Value>(
  url: string,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = new Client({ connectionString: url, application_name: 'testkit' });
  // A cut connection also rejects the query that waits for it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
