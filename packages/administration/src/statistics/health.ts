import { type Client, secretsEnd } from '@watchword/protocol';
import type { ConfigurationDrift } from '../configuration/drift.ts';
import {
  type JsonSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../schema/json-schema.ts';

/** What an administrator needs to find out whether anything is wrong. */
export interface Health {
  /** Epoch milliseconds: the start of this node. */
  readonly startDate: number;
  readonly database: DatabaseHealth;
  readonly work: readonly BackgroundWork[];
  readonly failedLogins: FailedLogins;
  readonly authenticators: readonly AuthenticatorHealth[];
  /** Sentences about signing keys for the operator; none if nothing is wrong. */
  readonly signingProblems: readonly string[];
  readonly unconfirmedClients: UnconfirmedClients;
  readonly expiringSecrets: ExpiringSecrets;
  /** Configurations of records that the database is not any more. */
  readonly drifted: readonly ConfigurationDrift[];
}

type NamedClient = Pick<Client, 'id' | 'clientName' | 'resourceServerId'>;

/** Clients that no administrator has confirmed. */
interface UnconfirmedClients {
  readonly count: number;
  /** One of them; `undefined` if there is none. */
  readonly first: NamedClient | undefined;
}

/** Clients whose last secret has expired, or expires within thirty days. */
interface ExpiringSecrets {
  readonly count: number;
  /** The one whose secret expires first; `undefined` if there is none. */
  readonly first: Client | undefined;
}

interface DatabaseHealth {
  /** Bytes on the disk. */
  readonly size: number;
  /** Bytes that are free where the database is; `undefined` if it is not known. */
  readonly free: number | undefined;
  /** Whether writes can be made durable, and no damage was found. The reason if not. */
  readonly problem: string | undefined;
}

/** Work that one of the nodes does at intervals. */
export interface BackgroundWork {
  readonly name: string;
  /** Epoch milliseconds: when a node did it last without an error; `undefined` if none did since the database was made. */
  readonly lastSuccess: number | undefined;
  readonly isRunning: boolean;
  /** Seconds between two runs. */
  readonly interval: number;
  /** Whether it was not done for longer than twice the interval. */
  readonly isOverdue: boolean;
}

/** Logins that failed at this node. */
export interface FailedLogins {
  readonly lastHour: number;
  readonly hourBefore: number;
}

export interface AuthenticatorHealth {
  readonly name: string;
  /** Sentences for the operator; none if nothing is wrong. */
  readonly problems: readonly string[];
}

const count = { type: 'integer', minimum: 0 } as const;
const text = { type: 'string' } as const;

const work = objectSchema('Background work, which one of the nodes does at intervals.', {
  name: { ...text, description: 'purge, key-rotation, signing-keys or issued-counts.' },
  lastSuccess: {
    ...nullableTimestampSchema,
    description:
      'When a node did it last without an error, in epoch milliseconds; null if none did since the database was made or restored.',
  },
  running: { type: 'boolean' },
  interval: { ...count, description: 'Seconds between two runs.' },
  overdue: {
    type: 'boolean',
    description: 'Whether it was not done for longer than twice the interval, although this node runs.',
  },
});

export const healthSchema: JsonSchema = objectSchema(
  'What an administrator needs to find out whether anything is wrong. Only for administrators.',
  {
    startDate: { ...timestampSchema, description: 'Start of this node, in epoch milliseconds.' },
    database: objectSchema('The database.', {
      size: { ...count, description: 'Bytes on the disk.' },
      free: {
        type: ['integer', 'null'],
        description: 'Bytes that are free where the database is; null if that is not known.',
      },
      problem: {
        type: ['string', 'null'],
        description: 'Why writes cannot be made durable, or that damage was found; null if all is well.',
      },
    }),
    work: { type: 'array', items: work },
    failedLogins: objectSchema('Logins that failed at this node since its start.', {
      lastHour: { ...count, description: 'In the last 60 minutes.' },
      hourBefore: { ...count, description: 'In the 60 minutes before.' },
    }),
    authenticators: {
      type: 'array',
      items: objectSchema('An authenticator of this node.', {
        name: text,
        problems: {
          type: 'array',
          items: text,
          description:
            'Sentences for the operator, such as that metadata could not be loaded again; none if all is well.',
        },
      }),
    },
    signingProblems: {
      type: 'array',
      items: text,
      description:
        'Sentences about signing keys for the operator, such as that one cannot be used; none if all is well.',
    },
    drifted: {
      type: 'array',
      description: 'Configurations whose records are not as they were applied.',
      items: objectSchema(
        '"watchword plan" with its file shows what differs, and "watchword apply" mends it.',
        {
          configuration: { ...text, description: 'Its name.' },
          records: { ...count, description: 'Records that differ, or are gone.' },
          example: {
            anyOf: [
              objectSchema('One that differs.', {
                recordType: { enum: ['resourceServer', 'client'] },
                name: { ...text, description: 'The key, or the clientId.' },
              }),
              { type: 'null' },
            ],
          },
          restored: {
            type: 'boolean',
            description: 'Whether the database was restored from a backup since.',
          },
        },
      ),
    },
    unconfirmedClients: objectSchema('Clients that no administrator has confirmed.', {
      count,
      first: {
        anyOf: [
          objectSchema('One of them.', {
            id: { type: 'integer', description: 'Record id.' },
            clientName: text,
            resourceserver_id: { type: 'integer' },
          }),
          { type: 'null' },
        ],
      },
    }),
    expiringSecrets: objectSchema('Clients whose last secret has expired, or expires within thirty days.', {
      count,
      first: {
        anyOf: [
          objectSchema('The one whose secret expires first.', {
            id: { type: 'integer', description: 'Record id.' },
            clientName: text,
            resourceserver_id: { type: 'integer' },
            secretExpires: { ...timestampSchema, description: 'Epoch milliseconds.' },
          }),
          { type: 'null' },
        ],
      },
    }),
  },
);

export function healthRecord({ database, work, drifted, ...others }: Health) {
  const { startDate, failedLogins, authenticators, signingProblems } = others;
  const { unconfirmedClients, expiringSecrets } = others;
  const { size, free = null, problem = null } = database;
  return {
    startDate,
    database: { size, free, problem },
    work: work.map(({ name, lastSuccess = null, isRunning, interval, isOverdue }) => ({
      name,
      lastSuccess,
      running: isRunning,
      interval,
      overdue: isOverdue,
    })),
    failedLogins,
    authenticators,
    signingProblems,
    drifted: drifted.map(({ name, records, example = null, isRestored }) => ({
      configuration: name,
      records,
      example,
      restored: isRestored,
    })),
    unconfirmedClients: {
      count: unconfirmedClients.count,
      first: unconfirmedClients.first === undefined ? null : namedRecord(unconfirmedClients.first),
    },
    expiringSecrets: {
      count: expiringSecrets.count,
      first:
        expiringSecrets.first === undefined
          ? null
          : { ...namedRecord(expiringSecrets.first), secretExpires: secretsEnd(expiringSecrets.first) },
    },
  };
}

function namedRecord({ id, clientName, resourceServerId }: NamedClient) {
  return { id, clientName, resourceserver_id: resourceServerId };
}
