import type { ServerProcess } from '../contestants/server-process.ts';
import { httpLoad, pacedHttpLoad, type Requests } from '../load/http-load.ts';
import type { Load } from '../load/pace.ts';
import { pinApart } from '../measure/cores.ts';
import { connections } from './loads.ts';
import { resultOf, type Setting, type SuiteResult } from './results.ts';
import { type Contestant, machine, measureInRounds, roundMs } from './rounds.ts';

const rounds = 11;

/** A server, and what it is asked. */
export interface TokenServer extends ServerProcess {
  readonly requests: Requests;
}

/** Other servers beside ours, which is one of the contestants. */
export interface ServerComparison<Process extends ServerProcess> {
  readonly name: string;
  readonly title: string;
  readonly operation: Setting['operation'];
  readonly own: string;
  readonly packages: readonly string[];
  readonly contestants: readonly Contestant<Process>[];
  load(process: Process, forMs: number): Promise<Load>;
  paced(process: Process, forMs: number, perSecond: number, isApart: boolean): Promise<Load>;
}

/**
 * Measures servers in turn, from one generator: at the highest rate, then at 70 % of it. The generator has a core of its own, and the
 * servers share the others, where the system allows it.
 */
export async function compareServers<Process extends ServerProcess>(
  comparison: ServerComparison<Process>,
): Promise<SuiteResult> {
  const { name, title, operation, own, packages, contestants } = comparison;
  const processes = contestants.flatMap((contestant) => contestant.processes);
  const pinned = pinApart(processes.map(({ processId }) => processId));
  const isApart = typeof pinned !== 'string';
  console.log(await machine());
  console.log(
    isApart
      ? `pinned: servers to core ${pinned.servers}, the generator to core ${pinned.generator}`
      : `not pinned, all share all cores: ${pinned}`,
  );
  console.log(`${connections} at a time, ${rounds} rounds of ${roundMs / 1000} s each, medians (range)\n`);
  const measured = await measureInRounds(
    {
      name: title,
      contestants,
      load: comparison.load,
      paced: (process, forMs, perSecond) => comparison.paced(process, forMs, perSecond, isApart),
    },
    rounds,
    contestants.flatMap((other) => (other.name === own ? [] : [[own, other.name] as const])),
  );
  const cores = isApart ? pinned : null;
  const setting = { name, title, operation, own, packages, cores, connections, rounds };
  return resultOf({ ...setting, roundSeconds: roundMs / 1000 }, measured);
}

/** The same for servers that answer one request after another. */
export function compareTokenServers(
  comparison: Omit<ServerComparison<TokenServer>, 'operation' | 'load' | 'paced' | 'own'>,
): Promise<SuiteResult> {
  const options = ({ port, requests }: TokenServer, durationMs: number) => ({
    port,
    connections,
    durationMs,
    requests,
  });
  return compareServers({
    ...comparison,
    operation: 'request',
    own: 'Watchword',
    load: (server, forMs) => httpLoad(options(server, forMs)),
    paced: (server, forMs, perSecond, isApart) => pacedHttpLoad(options(server, forMs), perSecond, isApart),
  });
}
