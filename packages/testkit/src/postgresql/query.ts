import { Client, type CustomTypesConfig, types } from 'pg';

export type Row = Readonly<Record<string, unknown>>;

const int8 = 20;

/** Integers of 64 bits are numbers, not texts. */
const parsers: CustomTypesConfig = {
  getTypeParser: ((type: number, format?: 'text') =>
    type === int8 ? Number : types.getTypeParser(type, format)) as CustomTypesConfig['getTypeParser'],
};

/** Runs the statement on a connection of its own, as the user of the URL. */
export async function query(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return withConnection(url, async (client) => (await client.query(text, [...values])).rows);
}

/** A connection that the caller ends. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'testkit', types: parsers });
  // A cut connection also rejects the query that waits for it.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Connects for as long as the work runs. */
export async function withConnection<Value>(
  url: string,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** With what the types of the package lack. */
interface KeptClient extends Client {
  ref(): void;
  unref(): void;
}

/**
 * Returns what runs statements one after another on a connection that stays, and lets the process end: to connect takes as long as to
 * make an empty database.
 */
export function keptConnection(url: string): (text: string) => Promise<void> {
  let client: KeptClient | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const run = async (text: string) => {
    if (client === undefined) {
      client = (await connect(url)) as KeptClient;
      // The server can stop and start again.
      client.once('end', () => {
        client = undefined;
      });
    }
    const used = client;
    used.ref();
    await used.query(text).finally(() => used.unref());
  };
  return (text) => {
    const ran = last.then(() => run(text));
    last = ran.catch(() => {});
    return ran;
  };
}

/** Begins a transaction with this statement on a connection of its own. It is rolled back at the end. */
export async function openTransaction(url: string, text: string): Promise<AsyncDisposable> {
  const client = await connect(url);
  await client.query(`begin; ${text}`);
  return { [Symbol.asyncDispose]: () => client.end() };
}
