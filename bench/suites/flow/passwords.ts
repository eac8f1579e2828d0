import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { registerClient, startWarm, untilKnown } from '../../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../../contestants/server-process.ts';
import { temporaryDirectory } from '../../contestants/temporary.ts';
import { type FlowClient, type FlowServer, flowLoad, password } from '../../load/flow-load.ts';
import { peakMemory } from '../../measure/peak-memory.ts';
import { watchwordFlows } from '../../rounds/loads.ts';
import { machine, measureInRounds, roundMs } from '../../rounds/rounds.ts';

const defaultRounds = '15';
// Fewer than can wait, so that no login is refused.
const atATime = 16;
/** More than all rounds need, also those of the server without passwords. */
const accounts = 200_000;

interface LoginServer extends ServerProcess {
  readonly server: FlowServer;
  readonly client: FlowClient;
}

/**
 * Flows whose logins have passwords of local accounts, beside flows without: one and two passwords at a time. Each flow is the first login
 * of a person, with consent.
 *
 * @param authenticator only `password`
 * @param rounds how many
 */
export async function comparePasswords(authenticator: string, rounds = defaultRounds): Promise<void> {
  if (authenticator !== 'password')
    throw new Error(`expected --authenticator password, got ${authenticator}`);
  await using resources = new AsyncDisposableStack();
  const directory = await temporaryDirectory(resources);
  const start = async (name: string, flags: readonly string[]) => {
    const { process, database } = await startWarm(directory, name, watchword, flags);
    resources.defer(() => process.stop());
    if (flags.length > 0) addAccounts(database);
    const redirectUri = 'https://client.example/callback';
    const registered = await registerClient(watchword, database, ['--redirect-uri', redirectUri]);
    const client = { ...registered, redirectUri, scope: 'read' };
    const server = watchwordFlows(process.port);
    await untilKnown(() => flowLoad(server, client, { concurrency: 1, durationMs: 1 }));
    return { name, processes: [{ ...process, server, client } satisfies LoginServer] };
  };
  const hashing = (count: number) => [
    ...['--authenticator', 'password'],
    ...['--password-hashing-concurrency', String(count)],
  ];
  const contestants = [
    await start('form', []),
    await start('password', hashing(1)),
    await start('password, 2 at a time', hashing(2)),
  ];
  console.log(await machine());
  console.log(`${atATime} flows at a time, ${rounds} rounds of ${roundMs / 1000} s each, medians (range)\n`);
  await measureInRounds(
    {
      name: 'Authorization code flow',
      contestants,
      load: ({ server, client }, durationMs) =>
        flowLoad(server, client, { concurrency: atATime, durationMs }),
    },
    Number(rounds),
    [
      ['password', 'form'],
      ['password, 2 at a time', 'password'],
    ],
  );
  for (const { name, processes } of contestants) {
    for (const { processId } of processes) console.log(`${name}: a peak of ${peakMemory(processId)} MB`);
  }
}

/** Accounts of the users whom flows name, all with the same password: they are copies of one that the command line made. */
function addAccounts(file: string): void {
  const create = ['user', 'create', 'user-0', '--password-stdin', '--database', file];
  const { status, stderr } = spawnSync(process.execPath, [watchword, ...create], { input: `${password}\n` });
  if (status !== 0) throw new Error(String(stderr));
  const database = new DatabaseSync(file);
  const columns = database.prepare("select name from pragma_table_info('account')").all();
  const copied = columns.map(({ name }) =>
    name === 'username' ? "'user-' || i" : name === 'id' ? "'account-' || i" : String(name),
  );
  database.exec(`with recursive number(i) as (select 1 union all select i + 1 from number where i < ${accounts})
    insert into account (${columns.map(({ name }) => name).join(', ')})
    select ${copied.join(', ')} from account, number where username = 'user-0'`);
  database.close();
}
