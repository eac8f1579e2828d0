import type { AuthenticationModuleFactory, Clock, Random } from '@watchword/protocol';
import type { SettingSources } from './config/effective-settings.ts';
import type { Ports } from './http/connections/ports.ts';
import type { RequestAnswerer } from './http/connections/received-request.ts';
import { type ListenAddress, listen } from './listen.ts';
import { alone, type Siblings } from './runtime/nodes/siblings.ts';
import type { MakeKeyPair } from './signing/key-pairs.ts';

/** Where a service runs: as the only process of a server, or as one of its workers. */
export interface Place {
  /** Number of the worker, in a server that has several. */
  readonly worker: number | undefined;
  /** Whether this process is the first of its server: what concerns all of them, it logs alone. */
  readonly isFirst: boolean;
  readonly siblings: Siblings;
  /** Where the values of its settings came from that are no defaults; absent: nobody said. */
  readonly settingSources?: SettingSources;
  /** Used instead of the clock that the machine and the database agree on: tests stop it. */
  readonly clock?: Clock;
  /** Used instead of the random numbers of the machine, for all but passwords: a server of tests repeats them. */
  readonly random?: Random;
  /** Authentication modules that settings can name beside the built-in ones: a server of tests has one with its users. */
  readonly authenticators?: Readonly<Record<string, AuthenticationModuleFactory>>;
  /** Returns what answers requests, given what would: a server of tests answers some of them late, or not at all. */
  readonly answering?: (answer: RequestAnswerer) => RequestAnswerer;
  /** The cost of new password hashes (Argon2id), used instead of the current one: tests hash cheaply. Memory in KiB. */
  readonly passwordCost?: { readonly memory: number; readonly passes: number; readonly parallelism: number };
  /** Whether mails are stored that nobody sends: tests read them. */
  readonly storesMail?: boolean;
  /** Makes the key pairs of signing keys, used instead of the product's way: tests use those of servers that are closed again. */
  readonly makeKeyPair?: MakeKeyPair;
  /** Opens a port, or answers at one that the main process has opened. @throws ListenError */
  openPort(ports: Ports, address: ListenAddress): Promise<OpenedPort>;
}

export interface OpenedPort {
  readonly port: number;
  /** Whether this process has opened it. */
  readonly isOwn: boolean;
}

/** The only process of a server. */
export function onlyProcess(): Place {
  return {
    worker: undefined,
    isFirst: true,
    siblings: alone(),
    openPort: async (ports, address) => ({ port: await listen(ports, address), isOwn: true }),
  };
}
