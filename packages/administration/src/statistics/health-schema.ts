import type { JsonSchema } from '../schema/json-schema.ts';
import { nullableTimestampSchema, timestampSchema } from '../schema/timestamp.ts';
import type { Health } from './health.ts';

const count = { type: 'integer', minimum: 0 } as const;
const text = { type: 'string' } as const;

function object<Properties extends Readonly<Record<string, JsonSchema>>>(
  description: string,
  properties: Properties,
): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const work = object('Background work, which one of the nodes does at intervals.', {
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

export const healthSchema: JsonSchema = object(
  'What an administrator needs to find out whether anything is wrong. Only for administrators.',
  {
    startDate: { ...timestampSchema, description: 'Start of this node, in epoch milliseconds.' },
    database: object('The database.', {
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
    failedLogins: object('Logins that failed at this node since its start.', {
      lastHour: { ...count, description: 'In the last 60 minutes.' },
      hourBefore: { ...count, description: 'In the 60 minutes before.' },
    }),
    authenticators: {
      type: 'array',
      items: object('An authenticator of this node.', {
        name: text,
        problems: {
          type: 'array',
          items: text,
          description:
            'Sentences for the operator, such as that metadata could not be loaded again; none if all is well.',
        },
      }),
    },
  },
);

export function healthRecord({ startDate, database, work, failedLogins, authenticators }: Health) {
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
  };
}
