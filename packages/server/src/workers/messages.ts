import type { SettingSources } from '../config/effective-settings.ts';
import type { Configuration } from '../config/settings.ts';

/** The ports of a server. */
export type PortName = 'server' | 'metrics';

/** `small`: the few records of README.md. `company`: beside them a company with a history. */
export type DemoKind = 'small' | 'company';

/** What a worker is to do. */
export interface Assignment {
  /** From 1. A worker that replaces another has its number. */
  readonly number: number;
  /** Number of workers. */
  readonly count: number;
  readonly configuration: Configuration;
  readonly settingSources: SettingSources;
  /** The ports that the main process has opened. */
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
  /** Whether it is the first worker of the server, which prepares the database. */
  readonly isFirst: boolean;
  /** Absent: the server is no demo. */
  readonly demo: DemoKind | undefined;
}

/** What the first worker knows of the server that has started. */
export interface ServerFacts {
  readonly baseUrl: string;
  /** The port that is open. */
  readonly port: number;
  /** Names of the migrations that were applied. */
  readonly migrated: readonly string[];
  /** What a user of the demo reads, if it is one. */
  readonly demoText: string | undefined;
}

/** From the main process to a worker. */
export type Order =
  | { readonly kind: 'assignment'; readonly assignment: Assignment }
  /** A connection comes with this message. */
  | { readonly kind: 'connection'; readonly port: PortName }
  | { readonly kind: 'question'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'answers'; readonly id: number; readonly answers: readonly unknown[] }
  | { readonly kind: 'news'; readonly name: string; readonly news: unknown }
  /** What can change while the server runs is read again. */
  | { readonly kind: 'reload' }
  /** `silent` is the number of workers that do not answer. */
  | { readonly kind: 'ping'; readonly silent: number }
  | { readonly kind: 'end'; readonly reason: string };

/** From a worker to the main process. */
export type Report =
  /** The worker has loaded its code. The main process sends the assignment. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready'; readonly facts: ServerFacts }
  /** The worker could not start. The text is for the operator. */
  | { readonly kind: 'failed'; readonly text: string; readonly exitCode: number }
  /** The worker has the connection that was sent last. */
  | { readonly kind: 'taken'; readonly open: number }
  /** Number of open connections. */
  | { readonly kind: 'open'; readonly open: number }
  /** The answer to a ping. */
  | { readonly kind: 'alive' }
  /** The worker begins to end, and takes no more connections. */
  | { readonly kind: 'leaving' }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly name: string;
      readonly argument: unknown;
      readonly of: 'all' | 'one';
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'news'; readonly name: string; readonly news: unknown };
